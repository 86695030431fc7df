"""Chess endings against a king alone by brute force, with sets of squares: every legal position, plainly.

A position is White's pieces, the king first, each a letter and a square (column, rank) from (0, 0); the square of
Black's king; and whether White is to move.
"""

from functools import cache
from itertools import permutations

STRAIGHT, SLANTED = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
SLIDES = {"R": STRAIGHT, "B": SLANTED, "Q": STRAIGHT + SLANTED}
STEPS = {"K": STRAIGHT + SLANTED, "N": JUMPS, "P": [(-1, 1), (1, 1)]}
PROMOTED = {"P": ("P", "Q", "R")}


def attacks(size, letter, at, others):
    """The squares that a piece attacks, where others stand in the way."""
    x, y = at
    found = {(x + dx, y + dy) for dx, dy in STEPS.get(letter, ())}
    for dx, dy in SLIDES.get(letter, ()):
        for far in range(1, size):
            found.add((x + far * dx, y + far * dy))
            if (x + far * dx, y + far * dy) in others:
                break
    return {(x, y) for x, y in found if 0 <= x < size and 0 <= y < size}


def attacked(size, white):
    """The squares that White attacks if Black's king is out of the way."""
    standing = {at for _, at in white}
    return {to for letter, at in white for to in attacks(size, letter, at, standing)}


def is_legal(size, position):
    white, black, whites_turn = position
    squares = [at for _, at in white] + [black]
    if len({*squares}) < len(squares) or any(letter == "P" and at[1] in (0, size - 1) for letter, at in white):
        return False
    king = white[0][1]
    touching = max(abs(king[0] - black[0]), abs(king[1] - black[1])) <= 1
    return not touching and not (whites_turn and black in attacked(size, white))


def children(size, position):
    """The positions after each legal move."""
    white, black, whites_turn = position
    if not whites_turn:
        for to in attacks(size, "K", black, ()):
            left = tuple(piece for piece in white if piece[1] != to)
            if to not in attacked(size, left):
                yield left, to, True
        return
    standing = {at for _, at in white} | {black}
    for i, (letter, at) in enumerate(white):
        new = [(letter, to) for to in attacks(size, letter, at, standing) - standing]
        if letter == "P":
            x, y = at
            ways = [(x, y + 1)] if (x, y + 1) not in standing else []
            if ways and y == 1 and size > 4 and (x, y + 2) not in standing:
                ways.append((x, y + 2))
            new = [(kind, to) for to in ways for kind in ("QR" if to[1] == size - 1 else "P")]
        for one in new:
            child = (*white[:i], one, *white[i + 1 :]), black, False
            if is_legal(size, child):
                yield child


@cache
def solved(size, letters):
    """(value, distance) to the side to move in each legal position with these pieces; drawn ones have no distance."""
    squares = [(x, y) for x in range(size) for y in range(size)]
    everywhere = (
        (tuple(zip("K" + kinds, at[:-1], strict=True)), at[-1], turn)
        for kinds in PROMOTED.get(letters, (letters,))
        for at in permutations(squares, len(kinds) + 2)
        for turn in (True, False)
    )
    follow = {position: list(children(size, position)) for position in everywhere if is_legal(size, position)}
    left = {position: len(after) for position, after in follow.items()}
    before = {}
    for position, after in follow.items():
        for child in after:
            before.setdefault(child, []).append(position)
    level = [
        position
        for position, after in follow.items()
        if not after and not position[2] and position[1] in attacked(size, position[0])
    ]
    values = dict.fromkeys(level, (-1, 0))
    while level:
        fresh = []
        for child in level:
            for position in before.get(child, ()):
                left[position] -= 1
                if position not in values and (position[2] or left[position] == 0):
                    values[position] = 1 if position[2] else -1, values[child][1] + 1
                    fresh.append(position)
        level = fresh
    return {position: values.get(position, (0, None)) for position in follow}
