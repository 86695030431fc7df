# mypy: ignore-errors
"""A board of straight lines on which every empty square knows what a mark on it would make, for either side.

A mark matters to the squares in its four lanes (across, down, and both slants) that are fewer squares away than a line
is long. For each of them, lane by lane, it is looked up what a mark there would make: its shape, four times the marks
of the best line still open, and how open it is. The names are those of five in a row, whatever the length is:

- a five fills a line;
- a four lacks one mark; it is open if two squares would fill a line, so that no single answer stops it;
- a three lacks two; it is open if a further mark would make an open four.

The side that moves first is 0, the other 1, an empty square 2.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import ones

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
EMPTY = 2
NOTHING, THREE, FOUR, WINNING, FIVE = range(5)
"""What a mark on a square would do: no threat, an open three, a four, an open four or two fours at once, a five."""
A_FOUR, A_FIVE = 8, 1024
"""In the threats of a mark an open three counts as 1, a four as A_FOUR, an open four as two, a five as A_FIVE."""
TABLE_LENGTH = 6
"""Lines up to this length have their shapes in a table."""


SQUARES, LANES, PLACES = 1024, 256, 64
"""The most of each: a record of fixed size is one address to numba, which makes calls cheap."""

Shapes = np.dtype(
    [
        ("length", np.int64),  # the squares of a line
        ("area", np.int64),  # the squares of the board
        ("hash", np.int64),  # of the marks on the board
        ("count", np.int64),  # of the marks on the board
        ("squares", np.int32, (LANES, PLACES)),  # [lane, place]: a square, or -1 beyond the edge
        ("lanes", np.int32, (SQUARES, 4)),  # [square, direction]: the lane
        ("places", np.int32, (SQUARES, 4)),  # [square, direction]: where in the lane
        ("walls", np.int64, LANES),  # [lane]: the places beyond the edge
        ("words", np.int64, (2, LANES)),  # [side, lane]: the side's marks in the lane, and the places beyond the edge
        ("marks", np.int8, SQUARES),  # [square]: the side there
        ("shapes", np.int16, (SQUARES, 4)),  # [square, direction]: what a mark there would make, see `pair_of`
        ("worth", np.int64, (2, SQUARES)),  # [side, square]: the weights of these shapes
        ("threats", np.int64, (2, SQUARES)),  # [side, square]: the threats that the mark would make, in one number
        ("kinds", np.int8, (2, SQUARES)),  # [side, square]: what the mark would do
        ("tally", np.int64, (2, 5)),  # [side, kind]: how many empty squares are of the kind
        ("totals", np.int64, 2),  # [side]: the worth of all empty squares
        ("weights", np.int64, 4 * PLACES),  # [shape]: what it is worth
        ("makes", np.int64, 4 * PLACES),  # [shape]: the threats that it makes
        ("keys", np.int64, (2, SQUARES)),  # [side, square]: a random number
        (
            "table",
            np.int16,
            1 << 4 * TABLE_LENGTH - 4,
        ),  # the shapes of all neighbourhoods, where lines are short enough
    ]
)


def new_shapes(width, height, length):
    """The empty board."""
    board, margin = np.zeros(1, Shapes).view(np.recarray)[0], length - 1
    board.length, board.area = length, width * height
    runs = [
        *([(y, x) for x in range(width)] for y in range(height)),
        *([(y, x) for y in range(height)] for x in range(width)),
        *([(y, y + c) for y in range(height) if 0 <= y + c < width] for c in range(1 - height, width)),
        *([(y, c - y) for y in range(height) if 0 <= c - y < width] for c in range(width + height - 1)),
    ]
    directions = np.repeat(np.arange(4), (height, width, width + height - 1, width + height - 1))
    board.squares[:] = -1
    for lane, run in enumerate(runs):
        for place, (y, x) in enumerate(run, margin):
            square, direction = y * width + x, directions[lane]
            board.squares[lane, place] = square
            board.lanes[square, direction], board.places[square, direction] = lane, place
        board.walls[lane] = sum(1 << place for place in range(PLACES - 1) if board.squares[lane, place] < 0)
    board.weights[:] = shape_weights(length)
    for missing, opened, threats in ((2, 1, 1), (1, 0, A_FOUR), (1, 1, 2 * A_FOUR), (0, 0, A_FIVE)):
        if length > missing:
            board.makes[4 * (length - missing) + opened] = threats
    board.keys[:] = np.random.default_rng(1).integers(1, 1 << 62, (2, SQUARES), np.int64)
    fill_table(board)
    clear(board)
    return board


def shape_weights(length):
    """What each shape is worth: twelve times as much with a mark more, and an open shape more than a closed one."""
    weights = np.zeros(4 * PLACES, np.int64)
    for marks in range(1, length + 1):
        for opened in range(4):
            weights[4 * marks + opened] = 12 ** min(marks - 1, 8) * (2 + opened)
    if length > 2:
        weights[4 * (length - 2) + 1] *= 2  # an open three
    return weights


@kernel
def lacking(own, blocked, length):
    """The squares that would fill a line through the middle of this neighbourhood."""
    line, found = (np.int64(1) << length) - 1, np.int64(0)
    for _ in range(length):
        if line & blocked == 0 and ones(line & ~own) == 1:
            found |= line & ~own
        line <<= 1
    return found


@kernel
def shape_of(own, blocked, length):
    """The shape that a mark in the middle of this neighbourhood makes, the mark already among its own."""
    line, most, ways = (np.int64(1) << length) - 1, 0, 0
    for _ in range(length):
        if line & blocked == 0:
            marks = ones(line & own)
            if marks > most:
                most, ways = marks, 0
            ways += marks == most
        line <<= 1
    opened = min(ways - 1, 2)
    if most == length or most == 0:
        opened = 0
    elif most == length - 1:
        opened = int(ones(lacking(own, blocked, length)) >= 2)
    elif most == length - 2:
        opened = 0
        for place in range(2 * length - 1):
            mark = np.int64(1) << place
            if (own | blocked) & mark == 0 and ones(lacking(own | mark, blocked, length)) >= 2:
                opened = 1
                break
    return 4 * most + opened


@kernel
def pair_of(first, second, length):
    """What a mark of either side makes in the middle of a neighbourhood: two shapes in one number, the first's below.

    What belongs to both sides is beyond the edge.
    """
    middle = np.int64(1) << length - 1
    shape = shape_of(first & ~second | middle, second, length)
    return np.int16(shape | shape_of(second & ~first | middle, first, length) << 8)


@kernel
def fill_table(board):
    """Writes the shapes of all neighbourhoods without the middle, the first side's marks in the upper bits."""
    length = board.length
    if length > TABLE_LENGTH:
        return
    around = 2 * length - 2
    low = (np.int64(1) << length - 1) - 1
    for index in range(np.int64(1) << 2 * around):
        first, second = index >> around, index & ((np.int64(1) << around) - 1)
        first, second = (first & low) | (first & ~low) << 1, (second & low) | (second & ~low) << 1
        board.table[index] = pair_of(first, second, length)


@kernel
def pair_at(board, first, second):
    """What a mark of either side makes in the middle of this neighbourhood, which may have more bits above."""
    length = board.length
    around = 2 * length - 2
    if length > TABLE_LENGTH:
        full = (np.int64(2) << around) - 1
        return pair_of(first & full, second & full, length)
    low = (np.int64(1) << length - 1) - 1
    high = low << length
    first = (first & low) | (first & high) >> 1
    second = (second & low) | (second & high) >> 1
    return board.table[first << around | second]


@kernel
def kind_of(threats):
    """What a mark does that makes these threats in its four directions."""
    if threats >= A_FIVE:
        return FIVE
    if threats >= 2 * A_FOUR:
        return WINNING
    return FOUR if threats >= A_FOUR else THREE if threats else NOTHING


@kernel
def reshape(board, side, square, before, shape):
    """Writes down that the side's mark on this empty square would make another shape in one direction."""
    if before == shape:
        return
    more = board.weights[shape] - board.weights[before]
    board.worth[side, square] += more
    board.totals[side] += more
    made = board.makes[shape] - board.makes[before]
    if made:
        board.threats[side, square] += made
        kind = kind_of(board.threats[side, square])
        board.tally[side, board.kinds[side, square]] -= 1
        board.tally[side, kind] += 1
        board.kinds[side, square] = kind


@kernel
def look_along(board, lane, direction, begin, end):
    """Looks up what marks on the empty squares of a lane, from a place to before another, would make in the lane."""
    margin = board.length - 1
    first, second = board.words[0, lane], board.words[1, lane]
    for place in range(max(begin, margin), min(end, PLACES - margin)):
        square = board.squares[lane, place]
        if square < 0 or board.marks[square] != EMPTY:
            continue
        pair, before = (
            pair_at(board, first >> place - margin, second >> place - margin),
            board.shapes[square, direction],
        )
        if pair != before:
            board.shapes[square, direction] = pair
            reshape(board, 0, square, before & 127, pair & 127)
            reshape(board, 1, square, before >> 8, pair >> 8)


@kernel
def clear(board):
    """Takes all marks off."""
    for side in range(board.words.shape[0]):
        for lane in range(board.walls.size):  # assigning the whole array would take five seconds to compile
            board.words[side, lane] = board.walls[lane]
    board.marks[:] = EMPTY
    board.shapes[:] = 0
    board.worth[:] = 0
    board.threats[:] = 0
    board.kinds[:] = NOTHING
    board.tally[:] = 0
    board.tally[:, NOTHING] = board.area
    board.totals[:] = 0
    board.hash = board.count = 0
    for square in range(board.area):
        for direction in range(4):
            place = board.places[square, direction]
            look_along(board, board.lanes[square, direction], direction, place, place + 1)


@kernel
def look_around(board, square):
    """Looks again at all empty squares that a mark on this one matters to."""
    for direction in range(4):
        place = board.places[square, direction]
        begin, end = place - board.length + 1, place + board.length
        look_along(board, board.lanes[square, direction], direction, begin, end)


@kernel
def count_square(board, square, sign):
    """Counts what an empty square is worth, or with sign -1 counts it no more."""
    for side in range(2):
        board.totals[side] += sign * board.worth[side, square]
        board.tally[side, board.kinds[side, square]] += sign


@kernel
def put(board, square, side):
    """Puts a mark on an empty square."""
    board.marks[square] = side
    board.hash ^= board.keys[side, square]
    board.count += 1
    count_square(board, square, -1)
    for direction in range(4):
        board.words[side, board.lanes[square, direction]] |= np.int64(1) << board.places[square, direction]
    look_around(board, square)


@kernel
def take(board, square):
    """Takes the mark off that was put last: what was known of its square is still right then."""
    side = board.marks[square]
    for direction in range(4):
        board.words[side, board.lanes[square, direction]] ^= np.int64(1) << board.places[square, direction]
    look_around(board, square)
    count_square(board, square, 1)
    board.marks[square] = EMPTY
    board.hash ^= board.keys[side, square]
    board.count -= 1
