"""Plays while the search of another player is compiled: at once, by the rules as they are."""

from collections.abc import Callable
from functools import lru_cache

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import full_line_outcome, lines_fault
from perfectplay.game import Game, legal_moves
from perfectplay.players.named.perfect import PERFECT
from perfectplay.players.registry import player_entry
from perfectplay.players.seat import Seat
from perfectplay.solvers.oracle import Cost, Oracle
from perfectplay.solvers.search.lookahead import look_ahead
from perfectplay.words import LOSS, Move, Player, Position

NODES = 2_000
"""Positions of a look ahead: a tenth of a second."""
MARK = 8
"""A mark more on a line makes it so many times as important."""
REMARK = "the search is still being compiled, so this move only looks a little ahead"


def needs_compiler(oracle: Oracle, name: str, position: Position) -> bool:
    """Whether the player needs compiled code to move here; what a table or an opening book answers needs none."""
    entry = player_entry(name)
    if oracle.proves or entry is None or not entry.kind.compiles:
        return False
    return entry.kind is not PERFECT or oracle.cost(position) != Cost.INSTANT


def stand_in(seat: Seat) -> Player:
    """A player that takes and stops wins that it sees, and says that it is not the one that was asked for."""
    look = open_lines(seat.game) if not lines_fault(seat.game) else ahead(seat.game)

    def choose(position: Position) -> Move:
        worth = look(position)
        most = max(worth.values())
        seat.say(REMARK)
        return seat.rng.choice([move for move, one in worth.items() if one == most])

    return choose


Look = Callable[[Position], dict[Move, tuple[int, ...]]]
"""How good each move looks, greater is better."""


def ahead(game: Game) -> Look:
    """What is proven within a few plies, then the hint for the order of moves."""

    def liked(position: Position, move: Move) -> int:
        if callable(game.order):
            return game.order(*position, move)
        return -game.order.index(move) if move in game.order else -len(game.order)

    def look(position: Position) -> dict[Move, tuple[int, ...]]:
        moves = look_ahead(game, position, NODES).moves
        return {move: (*study.bounds.promise(), liked(position, move)) for move, study in moves.items()}

    return look


@lru_cache(maxsize=8)
def open_lines(game: Game) -> Look:
    """A line filled, then one stopped, then how many can still be filled, more marks counting more; then the middle."""
    assert game.winning_lines is not None
    lines, (width, height) = tuple(game.winning_lines()), game.shape
    last, sign = lines[0].bit_count() - 1, 1 if full_line_outcome(game) == LOSS else -1

    def from_middle(square: Move) -> int:
        return (square % width - width // 2) ** 2 + (square // width - height // 2) ** 2

    def look(position: Position) -> dict[Move, tuple[int, ...]]:
        mine, theirs = position
        worth = {move: [0, 0, 0] for move in legal_moves(game, position)}
        for line in lines:
            own, other = (line & mine).bit_count(), (line & theirs).bit_count()
            if not (own and other):
                weight = MARK ** max(own, other) * (1 + bool(own))
                for square in bit_numbers(line & ~(mine | theirs)):
                    for place, amount in enumerate((own == last, other == last, weight)):
                        worth[square][place] += sign * amount
        return {move: (*one, -from_middle(move)) for move, one in worth.items()}

    return look
