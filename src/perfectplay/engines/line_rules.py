"""Whether a game is one of rows: every empty square may be taken, and a full row ends it."""

from collections import Counter
from functools import lru_cache
from operator import index
from random import Random

from perfectplay.bits import bit_numbers, run_masks, runs
from perfectplay.game import Game
from perfectplay.words import DRAW, LOSS, ONGOING, WIN

MOST_SQUARES, MOST_ROWS, MOST_THROUGH, LONGEST_ROW = 1024, 4096, 511, 127
"""How great a board may be, how many rows it may have, how many may go through a square, and how long they may be."""
WALKS = 3
"""Random games along which the rows are compared with the rules."""


def full_row_outcome(game: Game) -> int:
    """What a full row means for the side to move after it: LOSS, or WIN if who makes it loses."""
    assert game.rows is not None
    return game.outcome(0, next(iter(game.rows())))


@lru_cache(maxsize=8)
def rows_fault(game: Game) -> str:
    """Why the game is not one of rows on a board of free squares, if so: found by asking its rules and playing."""
    if game.rows is None:
        return "it has no rows"
    try:
        rows = [index(row) for row in game.rows()]
    except TypeError as fault:
        return f"its rows are not a list of whole numbers ({fault})"
    area = game.shape[0] * game.shape[1]
    if not rows:
        return "it has no rows"
    if area > MOST_SQUARES or len(rows) > MOST_ROWS:
        return f"it is too big: players for such boards take {MOST_SQUARES:,} squares and {MOST_ROWS:,} rows"
    if any(not 0 < row < 1 << area for row in rows):
        return "a row is not on the board"
    if len({row.bit_count() for row in rows}) > 1:
        return "its rows are not of one length"
    through = Counter(square for row in rows for square in bit_numbers(row))
    if rows[0].bit_count() > LONGEST_ROW or max(through.values()) > MOST_THROUGH:
        return f"its rows are more than {LONGEST_ROW} squares long, or more than {MOST_THROUGH} go through a square"
    ended, length = game.outcome(0, rows[0]), rows[0].bit_count()
    if ended not in (LOSS, WIN) or any(game.outcome(0, row) != ended for row in rows):
        return "a full row does not end the game"
    if any(game.outcome(0, run) == ended for run in {*run_masks(runs(*game.shape, length), length)} - {*rows}):
        return "a row is missing"
    rng = Random(1)
    return next(filter(None, (fault_on_a_walk(game, rows, rng) for _ in range(WALKS))), "")


def fault_on_a_walk(game: Game, rows: list[int], rng: Random) -> str:
    """What is not as it should be along a random game, if anything."""
    ended, full = game.outcome(0, rows[0]), (1 << game.shape[0] * game.shape[1]) - 1
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
