"""Whether a game is a line game: every empty square may be taken, and a full winning line ends it."""

from collections import Counter
from functools import lru_cache
from operator import index
from random import Random

from perfectplay.bits import bit_numbers, run_masks, runs
from perfectplay.game import COMPILED_BITS, WIDE_BITS, Game
from perfectplay.words import DRAW, LOSS, ONGOING, WIN

MOST_SQUARES, MOST_LINES, MOST_THROUGH, LONGEST_LINE = 1024, 4096, 511, 127
"""The most squares of a board, the most lines, the most lines through a square, and the length of the longest."""
WALKS = 3
"""Random games along which the lines are compared with the rules."""


def full_line_outcome(game: Game) -> int:
    """The outcome of a full line for the side to move after it: LOSS, or WIN in misere games."""
    assert game.winning_lines is not None
    return game.outcome(0, next(iter(game.winning_lines())))


@lru_cache(maxsize=8)
def lines_fault(game: Game) -> str:
    """Why the game is not a line game, or an empty text; found by asking its rules and playing random games."""
    if game.winning_lines is None:
        return "it has no winning lines"
    try:
        lines = [index(line) for line in game.winning_lines()]
    except TypeError as fault:
        return f"its winning lines are not a list of whole numbers ({fault})"
    area = game.shape[0] * game.shape[1]
    if not lines:
        return "it has no winning lines"
    if area > MOST_SQUARES or len(lines) > MOST_LINES:
        return f"it is too big: players for such boards take {MOST_SQUARES:,} squares and {MOST_LINES:,} winning lines"
    if any(not 0 < line < 1 << area for line in lines):
        return "a winning line is not on the board"
    if len({line.bit_count() for line in lines}) > 1:
        return "its winning lines are not of one length"
    through = Counter(square for line in lines for square in bit_numbers(line))
    if lines[0].bit_count() > LONGEST_LINE or max(through.values()) > MOST_THROUGH:
        return f"a winning line has more than {LONGEST_LINE} squares, or a square more than {MOST_THROUGH} lines"
    end, length = game.outcome(0, lines[0]), lines[0].bit_count()
    if end not in (LOSS, WIN) or any(game.outcome(0, line) != end for line in lines):
        return "a full line does not end the game"
    if any(game.outcome(0, run) == end for run in {*run_masks(runs(*game.shape, length), length)} - {*lines}):
        return "a winning line is missing"
    rng = Random(1)
    return next(filter(None, (fault_on_a_walk(game, lines, rng) for _ in range(WALKS))), "")


def fault_on_a_walk(game: Game, lines: list[int], rng: Random) -> str:
    """The first fault along a random game, or an empty text."""
    end, full = game.outcome(0, lines[0]), (1 << game.shape[0] * game.shape[1]) - 1
    mine, theirs = game.start
    while True:
        has_line = any(theirs & line == line for line in lines)
        expected = end if has_line else DRAW if mine | theirs == full else ONGOING
        if game.outcome(mine, theirs) != expected:
            return "its winning lines are not what ends the game"
        if expected != ONGOING:
            return ""
        if game.moves(mine, theirs) != full & ~(mine | theirs):
            return "not every empty square may be taken"
        move = rng.choice(bit_numbers(game.moves(mine, theirs)))
        after = (theirs, mine | 1 << move)
        if game.play(mine, theirs, move) != after:
            return "a move is more than a mark on a square"
        mine, theirs = after


def is_searchable(game: Game) -> bool:
    """Whether the game's words compile, and no search for threats does better, as it does on large boards of lines."""
    return game.bits <= COMPILED_BITS or (game.bits <= WIDE_BITS and bool(lines_fault(game)))
