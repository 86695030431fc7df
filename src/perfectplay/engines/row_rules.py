"""Whether a game is one of rows: every empty square may be taken, and a full row ends it."""

from collections import Counter
from random import Random

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.words import DRAW, LOSS, ONGOING, WIN

MOST_SQUARES, MOST_ROWS, MOST_THROUGH = 1024, 4096, 511
"""How great a board may be, how many rows it may have, and how many may go through a square."""
WALKS = 3
"""Random games along which the rows are compared with the rules."""


def full_row_outcome(game: Game) -> int:
    """What a full row means for the side to move after it: LOSS, or WIN if who makes it loses."""
    assert game.rows is not None
    return game.outcome(0, game.rows()[0])


def rows_fault(game: Game) -> str:
    """Why the game is not one of rows on a board of free squares, if so: found by comparing it along random games."""
    rows = [] if game.rows is None else [*game.rows()]
    if not rows:
        return "it has no rows"
    if len({row.bit_count() for row in rows}) > 1:
        return "its rows are not of one length"
    through = Counter(square for row in rows for square in bit_numbers(row))
    if game.shape[0] * game.shape[1] > MOST_SQUARES or len(rows) > MOST_ROWS or max(through.values()) > MOST_THROUGH:
        return "it is too big"
    if full_row_outcome(game) not in (LOSS, WIN):
        return "a full row does not end the game"
    rng = Random(1)
    return next(filter(None, (fault_on_a_walk(game, rows, rng) for _ in range(WALKS))), "")


def fault_on_a_walk(game: Game, rows: list[int], rng: Random) -> str:
    """What is not as it should be along a random game, if anything."""
    ended, full = full_row_outcome(game), (1 << game.shape[0] * game.shape[1]) - 1
    mine, theirs = game.start
    while True:
        made = any(theirs & row == row for row in rows)
        expected = ended if made else DRAW if mine | theirs == full else ONGOING
        if game.outcome(mine, theirs) != expected:
            return "its rows are not what ends the game"
        if expected != ONGOING:
            return ""
        if game.moves(mine, theirs) != full & ~(mine | theirs):
            return "not every empty square may be taken"
        move = rng.choice(bit_numbers(game.moves(mine, theirs)))
        after = (theirs, mine | 1 << move)
        if game.play(mine, theirs, move) != after:
            return "a move is more than a mark on a square"
        mine, theirs = after
