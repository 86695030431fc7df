"""Six men's morris: place stones, then slide them along the lines; three in a line are a mill and remove a stone.

A side that has fewer than three stones left, none in hand, has lost, and so has one that cannot move. A stone in a mill
is removed only if all are. Games can repeat: an endless game is a draw. A word, from the lowest bit:
    16 points | stones in hand | whether this side, which is to move, has to remove a stone
Moves 0 to 15 place or remove a stone at a point; the others slide one along the lines, in the order of SLIDES.
"""

from collections.abc import Sequence

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Spot
from perfectplay.look import Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

#  0 - - - 1 - - - 2
#  |   3 - 4 - 5   |
#  6 - 7       8 - 9
#  |  10 -11 -12   |
# 13 - - -14 - - -15
PLACES = (
    *((0, 0), (2, 0), (4, 0), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2)),
    *((3, 2), (4, 2), (1, 3), (2, 3), (3, 3), (0, 4), (2, 4), (4, 4)),
)
ROWS = ((0, 1, 2), (3, 4, 5), (10, 11, 12), (13, 14, 15), (0, 6, 13), (3, 7, 10), (5, 8, 12), (2, 9, 15))
LINES = (*(pair for a, b, c in ROWS for pair in ((a, b), (b, c))), (1, 4), (6, 7), (8, 9), (11, 14))
MILLS = tuple(1 << a | 1 << b | 1 << c for a, b, c in ROWS)
SLIDES = tuple(sorted(LINES + tuple((b, a) for a, b in LINES)))
FROM, TO = tuple(a for a, _ in SLIDES), tuple(b for _, b in SLIDES)
POINTS, HAND, REMOVES = (1 << 16) - 1, 7 << 16, 1 << 19


def in_mills(stones: int) -> int:
    """The stones that stand in a mill."""
    found = 0
    for mill in MILLS:
        if stones & mill == mill:
            found |= mill
    return found


def moves(mine: int, theirs: int) -> int:
    """Stones to remove; else free points while stones are in hand; else slides to free points."""
    free = POINTS & ~(mine | theirs)
    if mine & REMOVES:
        stones = theirs & POINTS
        loose = stones & ~in_mills(stones)
        return loose if loose else stones
    if mine & HAND:
        return free
    legal = 0
    for slide in range(len(FROM)):
        if mine >> FROM[slide] & 1 and free >> TO[slide] & 1:
            legal |= 1 << 16 + slide
    return legal


def moved(mine: int, move: int) -> int:
    """The mover's word after it places or slides a stone, with the flag if that makes a mill."""
    to = move if move < 16 else TO[move - 16]
    mine = mine - (1 << 16) if move < 16 else mine & ~(1 << FROM[move - 16])
    mine |= 1 << to
    return mine | REMOVES if in_mills(mine & POINTS) >> to & 1 else mine


def again(mine: int, theirs: int, move: int) -> bool:
    """Whether the move makes a mill."""
    return mine & REMOVES == 0 and moved(mine, move) & REMOVES != 0


def play(mine: int, theirs: int, move: int) -> Position:
    """Removes, places or slides a stone."""
    if mine & REMOVES:
        return theirs & ~(1 << move), mine & ~REMOVES
    mine = moved(mine, move)
    return (mine, theirs) if mine & REMOVES else (theirs, mine)


def outcome(mine: int, theirs: int) -> int:
    """A loss with fewer than three stones left, or without a move."""
    few = (mine & POINTS).bit_count() + (mine >> 16 & 7) < 3
    return LOSS if few or moves(mine, theirs) == 0 else ONGOING


def game(men: int = 6) -> Game:
    """The game with that many stones a side."""
    if not 3 <= men <= 7:
        raise BadGame(f"men must be 3 to 7, not {men}")

    def tier(mine: int, theirs: int) -> int:
        placed = 2 * men - (mine >> 16 & 7) - (theirs >> 16 & 7)
        return 2 * placed - (mine & POINTS).bit_count() - (theirs & POINTS).bit_count()

    squares = [y * 5 + x for x, y in PLACES]
    point_at = {square: point for point, square in enumerate(squares)}
    swapped = [y * 5 + x for x, y in (swap(x, y) for x, y in PLACES)]
    turns = turns_and_mirrors(5, 5)
    orders = [tuple(point_at[turn[square]] for square in order) for order in (squares, swapped) for turn in turns]
    never, numbers = (0, 1), tuple(str(n) for n in range(1, men + 1))
    cells: list[Sequence[Spot]] = [(never,)] * 25
    for square, point in point_at.items():
        cells[square] = ((1 << point, 1 << point),)
    for square, side in ((3, 1), (21, 0)):
        cells[square] = (never, never, *((HAND, int(n) << 16, side) for n in numbers))
    cells[12] = (never, (REMOVES, REMOVES))
    names = [f"{'abcde'[x]}{y + 1}" for x, y in PLACES]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        tier=tier,
        bits=20,
        shape=(5, 5),
        start=(men << 16, men << 16),
        symmetries=[(*order, 16, 17, 18, 19) for order in orders],
        move_names=(*names, *(f"{names[a]}-{names[b]}" for a, b in SLIDES)),
        cells=cells,
        look=Look(
            title="Six men's morris" if men == 6 else f"Morris with {men} men",
            summary="Place stones, then slide them; three in a line remove a stone of your opponent.",
            pieces=Sides(("X", "+", *numbers), ("O", "+", *numbers)),
            note="The stones in hand stand at b5 for X and d1 for O; + means that a stone is to be removed.",
        ),
    )


def swap(x: int, y: int) -> tuple[int, int]:
    """The point of the other square on the same ray from the centre."""
    far = max(abs(x - 2), abs(y - 2))
    return 2 + (x - 2) * (3 - far) // far, 2 + (y - 2) * (3 - far) // far
