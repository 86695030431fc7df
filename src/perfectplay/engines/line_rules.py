"""Whether a game is a line game: every empty square is a legal move, and a full winning line ends the game."""

from collections import Counter
from functools import lru_cache
from operator import index
from random import Random

from perfectplay.bits import bit_numbers, run_masks, runs
from perfectplay.game import Game
from perfectplay.words import DRAW, LOSS, ONGOING, WIN

MOST_SQUARES, MOST_ROWS, MOST_THROUGH, LONGEST_ROW = 1024, 4096, 511, 127
"""The most squares of a board, lines, lines through one square, and squares of a line."""
WALKS = 3
"""Random games along which the lines are compared with the rules."""


def full_row_outcome(game: Game) -> int:
    """The outcome for the side to move after a full line: LOSS, or WIN if making a line loses."""
    assert game.rows is not None
    return game.outcome(0, next(iter(game.rows())))


@lru_cache(maxsize=8)
def rows_fault(game: Game) -> str:
    """Why the game is not a line game on a board of free squares, or None; asks its rules and plays random games."""
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
    """The fault along a random game, or None."""
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
