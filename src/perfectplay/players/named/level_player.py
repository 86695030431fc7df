"""`level:1` to `level:10`: from random to perfect in even steps, by how noisy it is and how far it sees."""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import COMPILED_BITS, Game, legal_moves
from perfectplay.players.line_games.line_players import Field, scores_after
from perfectplay.players.models.levels import ALL, LEVELS, USUAL
from perfectplay.players.monte_carlo.mcts_player import mcts_player
from perfectplay.players.named.minimax_player import depth_search, greatest
from perfectplay.players.named.perfect import best_moves_at
from perfectplay.players.named.policy_player import sampling
from perfectplay.players.player_kind import PlayerKind, PlayerName
from perfectplay.players.seat import THINKING_SECONDS, Maker, Seat, thinking_for, told_time
from perfectplay.solvers.oracle import SearchOracle, table_oracle
from perfectplay.solvers.search.threat_engine import Engine, threats_fault
from perfectplay.words import Move, Player, Position

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

MOST_PLIES = 2
"""How far a level looks where rules do not compile."""
ON_LARGE_BOARDS = ((1.0, 1), (0.9, 1), (0.75, 1), (0.55, 1), (0.38, 1), (0.25, 1), (0.15, 1), (0.08, 2), (0.035, 3))
"""The noise of the levels below the last on large boards of line games, and how many plies deep they look."""

BestLooking = Callable[[Position], list[Move]]
"""The moves that look best."""


def level_policy(name: PlayerName, game: Game) -> "Policy":
    """The level of that number in a solved game."""
    from perfectplay.players.models.level_policies import level  # numpy: only when it is wanted
    from perfectplay.players.models.policies import Policy

    return Policy(level(name.whole_number(1, LEVELS)))


def level_maker(name: PlayerName) -> Maker:
    """The maker of the players of that level: of solved games by their policy, of others by search."""
    number = name.whole_number(1, LEVELS)

    def make(seat: Seat) -> Player:
        return sampling(level_policy)(name)(seat) if table_oracle(seat.game) else play_by_search(seat, number)

    return make


def play_by_search(seat: Seat, number: int) -> Player:
    """The same where there is no table: as noisy, and it sees as far by a search of that many plies."""
    noise, best_looking = (by_engine if not threats_fault(seat.game) else by_search)(seat, number)

    def choose(position: Position) -> Move:
        if seat.rng.random() < noise:
            return seat.rng.choice(legal_moves(seat.game, position))
        return seat.rng.choice(sorted(best_looking(position)))

    return choose


def by_engine(seat: Seat, number: int) -> tuple[float, BestLooking]:
    """The noise of a level, and the moves that look best to the engine for large boards at its depth."""
    engine = Engine(seat.game, seat.rng, seat.stop)

    def time_for(position: Position) -> float:
        return told_time(seat, position, THINKING_SECONDS)

    if number == LEVELS:
        return 0.0, lambda position: [engine.choose(position, time_for(position))]
    noise, depth = ON_LARGE_BOARDS[number - 1]
    return noise, lambda position: engine.best_at_depth(position, depth, time_for(position))


def by_search(seat: Seat, number: int) -> tuple[Fraction, BestLooking]:
    """The noise of a level, and the moves that look best to a search of its depth, or to the strongest player."""
    noise, sight = USUAL[number - 1]
    if not lines_fault(seat.game) and seat.game.bits > COMPILED_BITS:
        return noise, on_a_board_of_lines(seat, min(sight, MOST_PLIES))
    if sight != ALL:
        scores_within, plies = depth_search(seat.game), sight if is_searched(seat.game) else min(sight, MOST_PLIES)
        return noise, lambda position: greatest(scores_within(position, plies))
    if is_searched(seat.game):
        return noise, best_moves_at(seat)
    thinker = thinking_for(mcts_player, None)(seat)
    return noise, lambda position: [thinker(position)]


def on_a_board_of_lines(seat: Seat, plies: int) -> BestLooking:
    """The moves that look best on a board of lines too wide to compile."""
    field = Field(seat.game, "level", stop=seat.stop)

    def best_looking(position: Position) -> list[Move]:
        moves = legal_moves(seat.game, position)
        field.set_up(position)
        with field.clock.running(told_time(seat, position, None)):
            return greatest(scores_after(field, moves, plies))

    return best_looking


def is_searched(game: Game) -> bool:
    """Whether compiled rules search the game."""
    return SearchOracle(game).searcher is not None


LEVEL = PlayerKind(
    "level",
    f"from random, level:1, to the best there is, level:{LEVELS}, in even steps",
    level_maker,
    "level:5",
    policy=level_policy,
    label=f"Level 1 to {LEVELS}",
    compiles=True,
)
