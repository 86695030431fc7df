"""Bit operations for rules: set bits, lines of set squares, rotated and mirrored boards.

Squares are numbered in reading order, so square (column, row) of a board is bit row * width + column:

    0 1 2
    3 4 5
    6 7 8
"""

from collections.abc import Callable

Runs = tuple[tuple[int, int], ...]
"""For each direction, the step from square to square and the squares where a line that fits the board begins."""

Permutation = tuple[int, ...]
"""The target of each square: square i moves to permutation[i]."""


def bit_numbers(word: int) -> list[int]:
    """The indices of the set bits, lowest first; raises ValueError for a negative number, of which there is no last."""
    if word < 0:
        raise ValueError(f"{word} is negative, so it is no set of bits")
    numbers = []
    while word:
        lowest = word & -word
        numbers.append(lowest.bit_length() - 1)
        word ^= lowest
    return numbers


def nth_bit(word: int, n: int) -> int:
    """The n-th set bit of a word, from 0 and the lowest, as a word of its own; 0 if there are fewer."""
    for _ in range(n):
        word &= word - 1
    return word & -word


def squeezed(word: int, mask: int, size: int) -> int:
    """The bits of a word of `size` bits at the places of a mask, side by side."""
    bits, place = 0, 0
    for bit in range(size):
        if mask >> bit & 1:
            bits |= (word >> bit & 1) << place
            place += 1
    return bits


def full_masks(word: int, masks: tuple[int, ...]) -> int:
    """The bits of all masks that the word has completely."""
    bits = 0
    for mask in masks:
        bits |= mask if word & mask == mask else 0
    return bits


def runs(width: int, height: int, k: int, across: int = 1, down: int = 0) -> Runs:
    """The steps and starts of all lines of k squares: across, down and on both diagonals.

    `across` and `down` are the distances in bits between neighbours; the default is reading order.
    """
    down = down or width
    lines = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        starts = 0
        for y in range(height):
            for x in range(width):
                if 0 <= x + (k - 1) * dx < width and y + (k - 1) * dy < height:
                    starts |= 1 << (x * across + y * down)
        step = dx * across + dy * down
        if step < 0:  # start at the other end, so that every step goes up
            starts, step = starts >> (k - 1) * -step, -step
        if starts:
            lines.append((step, starts))
    return tuple(lines)


def has_run(board: int, all_runs: Runs, k: int) -> bool:
    """Whether any line of k squares is set."""
    for step, starts in all_runs:
        run = board & starts
        for i in range(1, k):
            run &= board >> (i * step)
        if run:
            return True
    return False


def runs_through(all_runs: Runs, k: int, squares: int) -> tuple[int, ...]:
    """For each square, the number of lines of k through it: a measure of its worth."""
    return tuple(
        sum(1 for step, starts in all_runs for i in range(k) if starts << i * step >> square & 1)
        for square in range(squares)
    )


def run_masks(all_runs: Runs, k: int) -> tuple[int, ...]:
    """Each line of k squares as a word of its own."""
    first = {step: sum(1 << i * step for i in range(k)) for step, _ in all_runs}
    return tuple(first[step] << start for step, starts in all_runs for start in bit_numbers(starts))


def gaps(board: int, step: int, k: int, free: int) -> int:
    """The free squares whose k - 1 neighbours in a line of k, in the direction of the step, are set.

    For boards with free bits between their rows, which keep lines from running on into the next row.
    """
    squares = 0
    for gap in range(k):
        run = free
        for i in range(k):
            if i < gap:
                run &= board << (gap - i) * step
            if i > gap:
                run &= board >> (i - gap) * step
        squares |= run
    return squares


def run_gaps(board: int, all_runs: Runs, k: int) -> int:
    """The squares that complete a line whose other k - 1 squares are set, in any direction; includes set squares."""
    squares = 0
    for step, starts in all_runs:
        for gap in range(k):
            run = starts
            for i in range(k):
                if i != gap:
                    run &= board >> i * step
            squares |= run << gap * step
    return squares


def hexagon_chain(cells: int, start: int, width: int, left: int) -> int:
    """Those of the cells that are joined to the start on a board of hexagons; `left` is its left column.

    Each row begins half a cell to the right of that above, so a cell touches two cells above it and two below.
    """
    right, chain, before = left << width - 1, start & cells, 0
    while chain != before:
        before = chain
        inner, outer = chain & ~left, chain & ~right
        above = chain >> width | outer >> width - 1
        below = (chain & cells >> width) << width | (inner & cells >> width - 1) << width - 1
        chain = (chain | inner >> 1 | outer << 1 | above | below) & cells
    return chain


def turns_and_mirrors(width: int, height: int) -> tuple[Permutation, ...]:
    """The symmetries of the board, the identity first: eight on a square board, else at most four."""
    turns = []
    for swap in (False, True) if width == height else (False,):
        for flip_y in (False, True):
            for flip_x in (False, True):
                where = []
                for y in range(height):
                    for x in range(width):
                        column, row = (y, x) if swap else (x, y)
                        column = width - 1 - column if flip_x else column
                        row = height - 1 - row if flip_y else row
                        where.append(row * width + column)
                turns.append(tuple(where))
    return tuple(dict.fromkeys(turns))


def mover(permutation: Permutation) -> Callable[[int], int]:
    """The function that permutes the bits of a word, eight at a time; bits without a target are dropped."""
    tables = []
    for begin in range(0, len(permutation), 8):
        places = [1 << place for place in permutation[begin : begin + 8]] + [0] * 8
        tables.append([sum(places[bit] for bit in bit_numbers(byte)) for byte in range(256)])

    def moved(word: int) -> int:
        image = 0
        for table in tables:
            image |= table[word & 255]
            word >>= 8
        return image

    return moved
