"""`level:1` to `level:10`: from random to perfect in even steps, by how often it slips and how far it sees."""

from collections.abc import Callable
from fractions import Fraction

from perfectplay.engines.line_rules import lines_fault
from perfectplay.game import COMPILED_BITS, legal_moves
from perfectplay.players.line_games.line_position import Field
from perfectplay.players.line_games.open_lines_player import scores_after
from perfectplay.players.line_games.threats_player import Engine, threats_fault
from perfectplay.players.perfect import choices_of
from perfectplay.players.policy_player import policy_maker
from perfectplay.players.seat import Maker, Seat, thinking_time
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.words import BadPlayer, Move, Player, Position, TooBig

LEVELS = 10
GREAT = ((1.0, 1), (0.9, 1), (0.75, 1), (0.55, 1), (0.38, 1), (0.25, 1), (0.15, 1), (0.08, 2), (0.035, 3))
"""How often the levels below the last slip on great boards of lines, and how many plies deep they look."""

Looked = Callable[[Position], list[Move]]
"""The moves that look best."""


def level_maker(name: str) -> Maker:
    """The maker of the players of that level: of solved games by known shares, of others by search."""
    number = level_in(name)

    def make(seat: Seat) -> Player:
        try:
            lookup_for(seat.game)
        except TooBig:
            return searching_level(seat, number)
        return policy_maker(name)(seat)

    return make


def level_in(name: str) -> int:
    """The number of the level."""
    rest = name.partition(":")[2]
    if rest not in map(str, range(1, LEVELS + 1)):
        raise BadPlayer(f"{name!r} is no level; write level:1 to level:{LEVELS}")
    return int(rest)


def searching_level(seat: Seat, number: int) -> Player:
    """The same where there is no table: it slips as often, and sees as far, by a search of so many plies."""
    slips, looked = (by_engine if not threats_fault(seat.game) else by_search)(seat, number)

    def choose(position: Position) -> Move:
        if seat.rng.random() < slips:
            return seat.rng.choice(legal_moves(seat.game, position))
        return seat.rng.choice(sorted(looked(position)))

    return choose


def by_engine(seat: Seat, number: int) -> tuple[float, Looked]:
    """How often a level slips, and what looks best to the engine for great boards when it looks so deep."""
    engine, time = Engine(seat), thinking_time(seat, None)
    if number == LEVELS:
        return 0.0, lambda position: [engine.choose(position, time)]
    slips, depth = GREAT[number - 1]
    return slips, lambda position: engine.seen(position, depth, time)


def by_search(seat: Seat, number: int) -> tuple[Fraction, Looked]:
    """How often a level slips, and what looks best to a search of so many plies, or to the perfect player."""
    from perfectplay.explain.level_policies import ALL, USUAL  # numpy: only when it is wanted

    slips, sight = USUAL[number - 1]
    if seat.game.bits <= COMPILED_BITS:
        if sight == ALL:
            return slips, choices_of(seat)
        from perfectplay.solve.searcher import searcher_for  # numba: only when it is wanted

        searcher = searcher_for(seat.game)
        return slips, lambda position: greatest(searcher.seen(position, sight))
    if lines_fault(seat.game):
        raise BadPlayer(
            f"level cannot play {seat.game.name}: it is too large to solve and to search, and not a line game"
        )
    field = Field(seat.game, "level")

    def looked(position: Position) -> list[Move]:
        moves = legal_moves(seat.game, position)
        field.set_up(position)
        with field.clock.running(seat.seconds):
            return greatest(scores_after(field, moves, min(sight, 2)))

    return slips, looked


def greatest(scores: dict[Move, int]) -> list[Move]:
    """The moves with the greatest score."""
    most = max(scores.values())
    return [move for move, score in scores.items() if score == most]
