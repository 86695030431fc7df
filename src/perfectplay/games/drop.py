"""Marks drop to the bottom of a column, k in a row wins; connect four is drop:7,6,4.

Both words are boards, column by column from the left, each from the bottom up with one free bit on top.
Connect four:
     6 13 20 27 34 41 48   always free
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from perfectplay.bits import gaps, has_run, runs, runs_through
from perfectplay.game import COMPILED_BITS, Game, Images, Look, check_sizes, connect_board
from perfectplay.words import DRAW, LOSS, ONGOING, Position, Sides, spelled

ALIASES = {"connect-four": "7,6,4"}
RULES = """Players take turns to drop a disc into a column; it falls to the lowest free place.
The first with four or more in a row wins: across, down or diagonally. A full board is a draw.
Variants change the size of the board and the length of the row."""
HISTORY = {
    "7,6,4": "Solved in 1988 by James D. Allen, and by Victor Allis in *A Knowledge-based Approach of Connect-Four*:"
    " the first player wins, starting in the middle column. John Tromp counted its 4,531,985,219,092 positions.",
}
GROUP, DEFAULTS = "Rows", connect_board
RESULTS = {
    "7,6,4": "First player wins in 41: J. D. Allen 1988; V. Allis, *A Knowledge-based Approach of Connect-Four*, 1988",
    "3,3,3": "Draw",
    "4,3,3": "First player wins in 9",
}
LARGER = {
    "4,4,4": "Draw: J. Tromp, table of small boards",
    "4,4,3": "First player wins in 9",
    "4,5,4": "Draw: J. Tromp, table of small boards",
    "5,4,4": "Draw: J. Tromp, table of small boards",
    "4,6,4": "Draw: J. Tromp, table of small boards",
    "5,5,4": "Draw: J. Tromp, table of small boards",
    "6,4,4": "Second player wins: J. Tromp, table of small boards",
}


def game(width: int = 7, height: int = 6, k: int = 4) -> Game:
    """The game on width columns of the given height; the first with k in a row wins."""
    check_sizes(width, height, k)
    tall = height + 1
    bits = width * tall
    column = (1 << tall) - 1
    bottom = sum(1 << c * tall for c in range(width))
    top = bottom << (height - 1)
    board = bottom * ((1 << height) - 1)
    rows = runs(width, height, k, across=tall, down=1)
    through = runs_through(rows, k, bits)
    worth = tuple(through[square] - abs(2 * (square // tall) + 1 - width) for square in range(bits))
    answers = sum(bottom << row for row in range(height - 1, -1, -2))  # every second square from the top

    def moves(mine: int, theirs: int) -> int:
        free = top & ~(mine | theirs)
        open_columns = 0
        for c in range(width):
            open_columns |= (free >> (c * tall + height - 1) & 1) << c
        return open_columns

    def play(mine: int, theirs: int, move: int) -> Position:
        marks = mine | theirs
        landing = (marks + (1 << move * tall)) & ~marks & (column << move * tall)
        return theirs, mine | landing

    def outcome(mine: int, theirs: int) -> int:
        if has_run(theirs, rows, k):
            return LOSS
        if (mine | theirs) & top == top:
            return DRAW
        return ONGOING

    def columns(squares: int) -> int:  # a square marks its column: the sum runs over into the free bit on top
        marks = (squares + board) >> height & bottom
        word = 0
        for c in range(width):
            word |= (marks >> c * tall & 1) << c
        return word

    def threats(mine: int, theirs: int) -> int:
        free = board & ~(mine | theirs)
        straight = gaps(mine, 1, k, free) | gaps(mine, tall, k, free)
        return straight | gaps(mine, tall - 1, k, free) | gaps(mine, tall + 1, k, free)

    def wins(mine: int, theirs: int) -> int:
        return columns(threats(mine, theirs) & ((mine | theirs) + bottom))

    def safe(mine: int, theirs: int) -> int:
        danger = threats(theirs, mine)
        landing = ((mine | theirs) + bottom) & board
        forced = landing & danger
        landing = forced if forced else landing
        landing = 0 if forced & (forced - 1) else landing
        return columns(landing & ~(danger >> 1))

    def order(mine: int, theirs: int, move: int) -> int:
        opponent, me = play(mine, theirs, move)
        return threats(me, opponent).bit_count() * 64 + worth[(me ^ mine).bit_length() - 1]

    def plies_left(mine: int, theirs: int) -> int:
        return width * height - (mine | theirs).bit_count()

    def hopeless(mine: int, theirs: int) -> bool:
        # While the free squares are even in number, the other side can answer every move: on top of it, or, if it
        # landed where an odd number was free in the column, in another such column. So it gets every answer square
        # that is not the next to be filled. Without these there may be no row left.
        marks = mine | theirs
        if (width * height - marks.bit_count()) & 1:
            return False
        replies = answers & ~marks & ~(marks + bottom)
        return not has_run(board & ~theirs & ~replies, rows, k)

    def key(mine: int, theirs: int) -> int:
        return mine | ((mine | theirs) + bottom)

    def unkey(number: int) -> Position:
        filled = number
        for _ in range(height):  # down from the highest bit of each column, which stands on top of the marks
            filled |= filled >> 1 & board
        marks = filled >> 1 & board
        mine = number & marks
        return mine, marks ^ mine

    def image(mine: int, theirs: int, i: int) -> Position:
        if i == 0:
            return mine, theirs
        new_mine, new_theirs = 0, 0
        for c in range(width):
            place = (width - 1 - c) * tall
            new_mine |= (mine >> c * tall & column) << place
            new_theirs |= (theirs >> c * tall & column) << place
        return new_mine, new_theirs

    names = tuple(str(c + 1) for c in range(width))
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=bits,
        shape=(width, height),
        key=key,
        unkey=unkey,
        key_bits=min(bits, COMPILED_BITS),
        symmetries=Images(2 if width > 1 else 1, image),
        move_names=names,
        cells=tuple(c * tall + row for row in reversed(range(height)) for c in range(width)),
        look=Look(
            title="Connect four" if (width, height, k) == (7, 6, 4) else f"Connect {k}, {width} × {height}",
            summary=f"{spelled(k).capitalize()} in a row on a {width} × {height} board; discs fall.",
            columns=names,
            rows=("",) * height,
            board="frame",
            shapes=Sides(("disc",), ("disc",)),
            colours=Sides("red", "yellow"),
        ),
        order=order,
        wins=wins,
        safe=safe,
        plies_left=plies_left,
        hopeless=hopeless,
    )
