# mypy: ignore-errors
"""Stubs for a game's functions in the pattern files; they are never run.

They let `rule_kernels.py` and `search_kernels.py` be read and checked like any other file.
"""

AGAIN, POINTS, TIERED = False, False, False
IMAGES, GROUP, BITS, MOVES, UNTRIED, SEPARATE, KEY_BITS, WIDE = 1, True, 63, 63, True, False, 63, False
RANKS = (0,) * 64
PAGE_BITS = 30
START_MINE, START_THEIRS, START_MOVES, PLANES = 0, 0, 1, 2
THREADS, LOOKS, BUCKET, REST_BITS, KEYS, FOLD, SPREAD, UNSPREAD, ENTRY = 256, 4, 8, 17, 2**63 - 1, 32, 1, 1, int


def moves(mine, theirs):
    """The legal moves as bits."""
    return 0


def play(mine, theirs, move):
    """The next position."""
    return theirs, mine


def outcome(mine, theirs):
    """The outcome or ONGOING."""
    return 2


def key(mine, theirs):
    """The key of a position."""
    return mine


def unkey(number):
    """The position of a key."""
    return number, 0


def image(mine, theirs, i):
    """The i-th image."""
    return mine, theirs


def smallest(mine, theirs):
    """The canonical form."""
    return mine, theirs


def again(mine, theirs, move):
    """Whether the same side moves again."""
    return False


def margin(mine, theirs):
    """The points by which the side to move is ahead."""
    return 0


def tier(mine, theirs):
    """The tier."""
    return 0


def wins(mine, theirs):
    """The moves that win immediately."""
    return 0


def safe(mine, theirs):
    """The moves after which the opponent cannot win immediately."""
    return 0


def order(mine, theirs, move):
    """The move's rating; higher ones are tried first."""
    return 0


def plies_left(mine, theirs):
    """The plies after which the game is drawn if nobody wins."""
    return 0


def hopeless(mine, theirs):
    """Whether the side to move can no longer win."""
    return False


def nth_move(legal, n):
    """The n-th of the legal moves."""
    return 0
