"""A game under way in an environment: where it stands, what an action does, what agents and people see of it."""

from functools import lru_cache
from io import BytesIO
from operator import index
from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from perfectplay.arena.referee import MOST_PLIES, margin_of_first
from perfectplay.bits import bit_numbers
from perfectplay.commands.kinds import Choice, Whole
from perfectplay.commands.matches.match import read_position
from perfectplay.commands.terminal.arguments import GameLike, game_of, loads_by_name
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import Game, after
from perfectplay.rules.loading import checked_moves, checked_outcome
from perfectplay.rules.notation import draw_position, illegal_move, move_name, show_position
from perfectplay.views.planes import planes_of
from perfectplay.views.png import png_of
from perfectplay.words import (
    FIRST,
    ONGOING,
    BadArgument,
    BadPosition,
    Move,
    Position,
    Turn,
    require,
)

RESULT, POINTS = "result", "points"
LOSE, RAISE = "lose", "raise"
ALTERNATE, RANDOM = "alternate", "random"
ILLEGAL_REWARD = -1.0
"""What an illegal action is rewarded with where it loses."""
Observation = dict[str, NDArray[np.int8]]


class EpisodeOptions(TypedDict, total=False):
    """What may be chosen of an episode."""

    reward: Annotated[
        str, Choice("what a side gets at the end: 1, 0 or -1, or its points", (RESULT, POINTS), default=RESULT)
    ]
    illegal: Annotated[
        str, Choice("an illegal action loses the game, or raises IllegalMove", (LOSE, RAISE), default=LOSE)
    ]
    max_plies: Annotated[int | None, Whole("plies of both sides after which a game is cut off", 1, default=MOST_PLIES)]
    repetitions: Annotated[int | None, Whole("a position that occurs this many times ends the game in a draw", 2)]


class SharedGame:
    """A game that copies share, and that is pickled by its name."""

    def __init__(self, game: "GameLike | SharedGame") -> None:
        self.game: Game = game.game if isinstance(game, SharedGame) else game_of(game)

    def __deepcopy__(self, memo: dict[int, object]) -> "SharedGame":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if not loads_by_name(self.game):
            raise BadArgument(f"{self.game.name!r} does not load by name or file, so it cannot be pickled")
        return SharedGame, (self.game.name,)


class Episode:
    """A game from its start, or from another position, until it ends or is cut off."""

    def __init__(self, game: SharedGame, options: EpisodeOptions) -> None:
        if options["reward"] == POINTS and game.game.margin is None:
            raise BadArgument(f"{game.game.name} is not played for points; leave reward out")
        self.shared, self.options = game, options
        self.begin()

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.shared.game

    def reset(self, options: dict[str, Any] | None) -> None:
        """Begins where the options of a reset say, which may have a position; others are for other wrappers."""
        if not isinstance(options, dict | None):
            raise BadArgument(f"options={options!r} is not a dict, such as {{'position': 'X:...'}}")
        self.begin((options or {}).get("position"))

    def begin(self, position: str | None = None) -> None:
        """Starts a new game, from that position if there is one; raises BadPosition."""
        start = (self.game.start, FIRST) if position is None else read_position(self.game, position)
        if position is not None and checked_outcome(self.game, *start) != ONGOING:
            raise BadPosition(f"the game is over in {position}; an episode begins where there are moves")
        self.start, self.moves = start, list[Move]()
        self.seen: dict[Turn, int] = {}
        self.arrive(start)

    def arrive(self, turn: Turn) -> None:
        """Stands at this turn, which may end the game."""
        (self.position, self.side), self.cut, self.forfeited = turn, False, False
        outcome = checked_outcome(self.game, *turn)
        self.legal = checked_moves(self.game, *turn) if outcome == ONGOING else 0
        self.over, self.first_reward = outcome != ONGOING, 0.0
        if self.over:
            self.first_reward = float(outcome if self.side == FIRST else -outcome)
            if self.options["reward"] == POINTS:
                self.first_reward = float(margin_of_first(self.game, *turn) or 0)
            return
        repetitions, most = self.options["repetitions"], self.options["max_plies"]
        if repetitions is not None:
            self.seen[turn] = self.seen.get(turn, 0) + 1
            self.over = self.seen[turn] >= repetitions
        self.cut = not self.over and most is not None and len(self.moves) >= most
        if self.over or self.cut:
            self.legal = 0

    @property
    def ended(self) -> bool:
        """Whether nobody moves any more: the game is over or was cut off."""
        return self.over or self.cut

    def checked(self, action: object) -> Move:
        """The number of the move; raises BadArgument if the action is no action at all."""
        try:
            number = -1 if isinstance(action, bool) else index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if not 0 <= number < count_moves(self.game):
            most = count_moves(self.game) - 1
            raise BadArgument(f"action {action!r} is not the number of a move, 0 to {most}, in {self.text()}")
        return number

    def play(self, action: object) -> None:
        """Makes the move; one that the rules do not allow raises IllegalMove or loses the game."""
        move = self.checked(action)
        if not self.legal >> move & 1:
            if self.options["illegal"] == RAISE:
                raise illegal_move(self.game, self.position, self.side, f"action {move}")
            self.over, self.forfeited, self.legal = True, True, 0
            return
        self.moves.append(move)
        self.arrive(after(self.game, self.position, self.side, move))

    def reward_of(self, side: int) -> float:
        """What this side gets at the end; after an illegal action, the other side gets nothing."""
        if self.forfeited:
            return ILLEGAL_REWARD if side == self.side else 0.0
        return self.first_reward if side == FIRST else 0.0 - self.first_reward

    def text(self) -> str:
        """The position as text."""
        return show_position(self.game, self.position, self.side)

    def info(self, side: int) -> dict[str, Any]:
        """The position's text, and the action of each legal move by its name; none if this side is not to move."""
        names: dict[str, Move] = {}
        if side == self.side:
            legal = bit_numbers(self.legal)
            names = {move_name(self.game, self.position, self.side, move): move for move in legal}
        return {"position": self.text(), "moves": names}

    def observation(self, side: int) -> Observation:
        """What this side sees: its own pieces in the first planes; it has legal actions if it is to move."""
        (mine, theirs), to_move = self.position, side == self.side
        mask = np.zeros(count_moves(self.game), np.int8)
        if to_move:
            mask[bit_numbers(self.legal)] = 1
        words = (mine, theirs) if to_move or self.game.impartial else (theirs, mine)
        return {"observation": observation_planes(self.game, words), "action_mask": mask}

    @property
    def observation_space(self) -> Any:
        """Gymnasium's space of these observations."""
        spaces = require("gymnasium.spaces", "rl", "an environment")
        planes, mask = planes_of(self.game).shape, (count_moves(self.game),)
        boxes = {"observation": spaces.Box(0, 1, planes, np.int8), "action_mask": spaces.Box(0, 1, mask, np.int8)}
        return spaces.Dict(boxes)

    @property
    def action_space(self) -> Any:
        """Gymnasium's space of the actions, which are the numbers of moves."""
        return require("gymnasium.spaces", "rl", "an environment").Discrete(count_moves(self.game))


def observation_planes(game: Game, position: Position) -> NDArray[np.int8]:
    """The planes of one position, as `planes` gives them for many."""
    shape, tests = planes_of(game)
    planes = np.zeros(planes_of(game).size, np.int8)
    planes[places(game)] = [(position[word] & mask) == value for _, word, mask, value in tests]
    return planes.reshape(shape)


@lru_cache(maxsize=64)
def places(game: Game) -> NDArray[np.intp]:
    """Where each test of the planes writes."""
    return np.array([test.place for test in planes_of(game).tests], np.intp)


# An episode on a screen: printed, as text, or as an array of pixels.


HUMAN, ANSI, RGB = "human", "ansi", "rgb_array"
RENDER_MODES = [HUMAN, ANSI, RGB]
METADATA = {"render_modes": RENDER_MODES, "render_fps": 2}
"""What the libraries ask a class of environments for."""
RENDER_MODE = Choice("print the board after each change, return it as text, or as pixels", (*RENDER_MODES, None))
UNASKED = "render() shows nothing: make the environment with render_mode='human', 'ansi' or 'rgb_array'"


class Screen:
    """Shows an episode in one of the render modes; None shows nothing.

    human prints the board whenever it has changed, ansi returns it as text, rgb_array as pixels.
    """

    def __init__(self, mode: str | None) -> None:
        self.mode = mode
        self.printed: object = None
        if mode == RGB:
            for package in ("resvg_py", "PIL.Image"):
                require(package, "rl", "render_mode='rgb_array'")

    def update(self, episode: Episode) -> None:
        """Shows the episode to people after a change."""
        if self.mode == HUMAN:
            self.render(episode)

    def render(self, episode: Episode) -> Any:
        """What a call of render returns in this mode."""
        if self.mode is None:
            require("gymnasium.logger", "rl", "an environment").warn(UNASKED)
            return None
        if self.mode == RGB:
            return pixels(episode)
        board = draw_position(episode.game, episode.position, episode.side)
        if self.mode == ANSI:
            return board
        now = episode.start, tuple(episode.moves)
        if self.printed != now:
            print(board, end="\n\n", flush=True)
        self.printed = now
        return None


def pixels(episode: Episode) -> NDArray[np.uint8]:
    """The board as an array of (height, width, 3), both even, as makers of videos want them."""
    from perfectplay.views.board_picture import board_picture

    images = require("PIL.Image", "rl", "render_mode='rgb_array'")
    picture = images.open(BytesIO(png_of(board_picture(episode.game, episode.position, episode.side, dark=False))))
    paper = images.new("RGBA", (picture.width + picture.width % 2, picture.height + picture.height % 2), "white")
    paper.alpha_composite(picture.convert("RGBA"))
    return np.array(paper.convert("RGB"))
