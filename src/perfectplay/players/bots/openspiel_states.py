"""Games of ours for OpenSpiel: one Python game there, whose parameter is the name of a game.

`python_perfectplay(game=drop:7;6;4)`: in a parameter, `;` stands for a comma and `~` for `=`, which OpenSpiel reads
otherwise. Only what OpenSpiel itself calls imports this module.
"""

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from perfectplay.compiler.compilable import count_moves
from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import illegal_move, move_name, show_position
from perfectplay.views.planes import planes, planes_of, word_arrays
from perfectplay.words import FIRST, ONGOING, BadArgument, BadGame, PerfectplayError, Position

SHORT_NAME = "python_perfectplay"
USUAL_LENGTH = 1_000
"""The plies after which a game is drawn if nothing says how long it can last."""
WRITTEN = str.maketrans(",=", ";~")
READ = str.maketrans(";~", ",=")
UNREADABLE = "(){}"
"""What no parameter of OpenSpiel can have."""

Types = pyspiel.GameType
TYPE = Types(
    short_name=SHORT_NAME,
    long_name="A game of perfectplay",
    dynamics=Types.Dynamics.SEQUENTIAL,
    chance_mode=Types.ChanceMode.DETERMINISTIC,
    information=Types.Information.PERFECT_INFORMATION,
    utility=Types.Utility.ZERO_SUM,
    reward_model=Types.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "tic-tac-toe", "points": 0, "length": 0},
)

given: dict[str, Game] = {}
"""Games that were handed over as values, by the name under which OpenSpiel finds them again."""


def named(game: Game) -> str:
    """The parameter that means the game; a game of no file is kept, and a second one of its name gets a number."""
    name, number = game.name.translate(WRITTEN), 1
    if any(letter in name for letter in UNREADABLE):
        raise BadGame(f"{game.name!r} cannot be a parameter of OpenSpiel, which has none of {' '.join(UNREADABLE)}")
    while given.setdefault(name, game) is not game:
        number += 1
        name = f"{game.name.translate(WRITTEN)}#{number}"
    return name


def handed_over(game: Game, points: int = 0, length: int = 0) -> Any:
    """The game as a game of OpenSpiel."""
    return pyspiel.load_game(SHORT_NAME, {"game": named(game), "points": points, "length": length})


class Rules:
    """What all states of a game share: made from its parameters, which is how it is pickled; a copy is the same."""

    def __init__(self, name: str, points: int, length: int) -> None:
        self.parameters = name, points, length
        self.game = game = given.get(name) or load_game(name.translate(READ))
        if points and game.margin is None:
            raise BadArgument(f"{game.name} is not a game for points, so its returns are 1, 0 and -1: leave points out")
        self.points, self.ends = points, game.plies_left is not None
        self.length = length or (USUAL_LENGTH if game.plies_left is None else max(1, game.plies_left(*game.start)))

    def __deepcopy__(self, memo: object) -> "Rules":
        return self

    def __reduce__(self) -> tuple[type["Rules"], tuple[str, int, int]]:
        return Rules, self.parameters


class PerfectplayGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours as a game of OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        known = dict(TYPE.parameter_specification) | (params or {})
        self.rules = Rules(str(known["game"]), int(known["points"]), int(known["length"]))
        most = float(self.rules.points or 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=count_moves(self.rules.game),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.rules.length,
        )
        super().__init__(TYPE, info, known)

    def new_initial_state(self) -> "PerfectplayState":
        """The start position."""
        return PerfectplayState(self, self.rules)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of the position, or of the whole game so far where perfect recall is asked for."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.rules.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class PerfectplayState(pyspiel.State):  # type: ignore[misc]
    """A position, the side to move and the plies so far."""

    def __init__(self, game: PerfectplayGame, rules: Rules) -> None:
        super().__init__(game)
        self.rules = rules
        self.position, self.side, self.plies = rules.game.start, FIRST, 0

    def at(self, position: Position, side: int) -> "PerfectplayState":
        """The same state, set up with a position of which OpenSpiel does not know how it came about."""
        self.position, self.side = position, side
        return self

    def current_player(self) -> int:
        """The side to move, or that the game is over."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.side

    def is_terminal(self) -> bool:
        """Whether the game is over: by the rules, or because it has lasted too long."""
        return self.rules.game.outcome(*self.position) != ONGOING or self.plies >= self.rules.length

    def _legal_actions(self, player: int) -> list[int]:
        """The legal moves by number."""
        return legal_moves(self.rules.game, self.position)

    def _apply_action(self, action: int) -> None:
        """Makes the move; raises IllegalMove, which OpenSpiel does not do for games written in Python."""
        if self.is_terminal() or action not in legal_moves(self.rules.game, self.position):
            raise illegal_move(self.rules.game, self.position, self.side, f"action {action}")
        self.position, self.side = after(self.rules.game, self.position, self.side, action)
        self.plies += 1

    def _action_to_string(self, player: int, action: int) -> str:
        """The move's name."""
        try:
            return move_name(self.rules.game, self.position, player if player in (0, 1) else self.side, action)
        except PerfectplayError:  # OpenSpiel may ask about moves that are not legal here
            return str(action)

    def returns(self) -> list[float]:
        """1, 0 or -1 for each player, or points; 0 while the game goes on, and where it has lasted too long."""
        mine = float(self.result())
        return [mine, 0.0 - mine] if self.side == FIRST else [0.0 - mine, mine]

    def result(self) -> int:
        """What the side to move gets."""
        game, points = self.rules.game, self.rules.points
        outcome = game.outcome(*self.position)
        if outcome == ONGOING:
            return 0
        if not points or game.margin is None:
            return outcome
        margin = int(game.margin(*self.position))
        if abs(margin) > points:
            raise BadArgument(f"points={points} is too small: {self} ends by {abs(margin)} points")
        return margin

    def __str__(self) -> str:
        text = show_position(self.rules.game, self.position, self.side)
        return text if self.rules.ends else f"{text} ply {self.plies} of {self.rules.length}"


class PlanesObserver:
    """The planes of the position, and one more, which is 1 everywhere if the second player is to move."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise BadArgument(f"observations have no parameters, not {params!r}")
        count, rows, columns = planes_of(game).shape
        shape = (count + 1, rows, columns)
        self.game = game
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: PerfectplayState, player: int) -> None:
        """Fills the planes, as the side to move sees the position: the same for both players."""
        seen = self.dict["observation"]
        seen[:-1] = planes(self.game, *word_arrays(self.game, [state.position]))[0]
        seen[-1] = state.side

    def string_from(self, state: PerfectplayState, player: int) -> str:
        """The position as text."""
        return str(state)


pyspiel.register_game(TYPE, PerfectplayGame)
