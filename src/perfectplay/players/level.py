"""`level:1` to `level:10`: from random to perfect in even steps, by how often it slips and how far it sees."""

from collections.abc import Callable

from perfectplay.game import COMPILED_BITS, legal_moves
from perfectplay.players.field import Field
from perfectplay.players.perfect import choices_of
from perfectplay.players.policy_player import policy_maker
from perfectplay.players.seat import Maker, Seat
from perfectplay.players.threats import Engine
from perfectplay.solve.answers import lookup_for
from perfectplay.words import BadPlayer, Move, Player, Position, TooBig

LEVELS = 10

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
    if not (rest.isdecimal() and 1 <= int(rest) <= LEVELS):
        raise BadPlayer(f"{name!r} is no level; write level:1 to level:{LEVELS}")
    return int(rest)


def searching_level(seat: Seat, number: int) -> Player:
    """The same where there is no table: it slips as often, and sees as far, by a search of so many plies."""
    from perfectplay.explain.levels import ALL, USUAL  # numpy: only when it is wanted

    slips, sight = USUAL[number - 1]
    looked = all_seen(seat) if sight == ALL else seen_so_far(seat, sight)

    def choose(position: Position) -> Move:
        if seat.rng.random() < slips:
            return seat.rng.choice(legal_moves(seat.game, position))
        return seat.rng.choice(sorted(looked(position)))

    return choose


def all_seen(seat: Seat) -> Looked:
    """The moves that are best, or that the engine for great boards takes for best."""
    if seat.game.bits <= COMPILED_BITS:
        return choices_of(seat)
    engine = Engine(seat)
    return lambda position: [engine.choose(position, seat.seconds)]


def seen_so_far(seat: Seat, plies: int) -> Looked:
    """The moves that look best to somebody who sees so many plies."""
    if seat.game.bits <= COMPILED_BITS:
        from perfectplay.solve.searched import searcher_for  # numba: only when it is wanted

        searcher = searcher_for(seat.game)
        return lambda position: greatest(searcher.seen(position, plies))
    field = Field(seat.game, "level")

    def looked(position: Position) -> list[Move]:
        field.set_up(position)
        moves = field.promising(0, len(seat.game.move_names)) or legal_moves(seat.game, position)
        with field.clock(seat.seconds):
            return greatest({move: field.score_after(move, plies) for move in moves})

    return looked


def greatest(scores: dict[Move, int]) -> list[Move]:
    """The moves with the greatest score."""
    most = max(scores.values())
    return [move for move, score in scores.items() if score == most]
