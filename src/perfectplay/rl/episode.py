"""A game under way in an environment: where it stands, what an action does, how it ends."""

from operator import index
from typing import Any

from perfectplay.arena.referee import margin_of_first
from perfectplay.commands.matches.match import read_position
from perfectplay.commands.terminal.arguments import game_of, same_rules, whole
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import Game, after
from perfectplay.rules.loading import checked_moves, checked_outcome
from perfectplay.rules.notation import either, illegal_move, move_name, show_position
from perfectplay.words import FIRST, ONGOING, BadArgument, BadPosition, IllegalMove, Move, PerfectplayError, Turn

RESULT, POINTS = "result", "points"
LOSE, RAISE = "lose", "raise"
ILLEGAL_REWARD = -1.0
"""What an illegal action is rewarded with where it loses."""


class SharedGame:
    """A game that copies share, and that is pickled by its name."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __deepcopy__(self, memo: dict[int, object]) -> "SharedGame":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            same = same_rules(game_of(self.game.name), self.game)
        except PerfectplayError:
            same = False
        if not same:
            raise BadArgument(f"{self.game.name!r} does not load by name or file, so it cannot be pickled")
        return named_game, (self.game.name,)


def named_game(name: str) -> SharedGame:
    """The game of that name."""
    return SharedGame(game_of(name))


class Episode:
    """A game from its start, or from another position, until it ends or is cut off."""

    def __init__(self, game: SharedGame, reward: str, illegal: str, max_plies: int | None, repetitions: int | None):
        one_of("reward", reward, (RESULT, POINTS))
        one_of("illegal", illegal, (LOSE, RAISE))
        whole("max_plies", max_plies, 1)
        whole("repetitions", repetitions, 2)
        if reward == POINTS and game.game.margin is None:
            raise BadArgument(f"{game.game.name} is not played for points; leave reward out")
        self.shared, self.reward, self.illegal = game, reward, illegal
        self.max_plies, self.repetitions = max_plies, repetitions
        self.begin()

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.shared.game

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
            if self.reward == POINTS:
                self.first_reward = float(margin_of_first(self.game, *turn) or 0)
            return
        if self.repetitions is not None:
            self.seen[turn] = self.seen.get(turn, 0) + 1
            self.over = self.seen[turn] >= self.repetitions
        self.cut = not self.over and self.max_plies is not None and len(self.moves) >= self.max_plies
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
            if self.illegal == RAISE:
                raise self.refusal(move)
            self.over, self.forfeited, self.legal = True, True, 0
            return
        self.moves.append(move)
        self.arrive(after(self.game, self.position, self.side, move))

    def refusal(self, move: Move) -> IllegalMove:
        """The error for a move that the rules do not allow."""
        return illegal_move(self.game, self.position, self.side, f"action {move}")

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
            legal = (move for move in range(self.legal.bit_length()) if self.legal >> move & 1)
            names = {move_name(self.game, self.position, self.side, move): move for move in legal}
        return {"position": self.text(), "moves": names}


def one_of(name: str, value: object, values: tuple[object, ...]) -> None:
    """Raises BadArgument unless the value is one of these."""
    if value not in values:
        raise BadArgument(f"{name}={value!r} is not {either([repr(one) for one in values])}")


def position_in(options: dict[str, Any] | None) -> str | None:
    """The position in the options of a reset, from which the episode begins; other options are for other wrappers."""
    if options is None:
        return None
    if not isinstance(options, dict):
        raise BadArgument(f"options={options!r} is not a dict, such as {{'position': 'X:...'}}")
    return options.get("position")
