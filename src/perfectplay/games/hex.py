"""Hex: connect your two edges of the board; a full board always has exactly one winner."""

from perfectplay.bits import hexagon_chain
from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Sides

RULES = """Players take turns to put a stone on an empty cell.
Red connects the top and the bottom edge, Blue the left and the right edge; Red moves first.
Whoever joins both own edges by a chain of neighbouring stones wins; there is no draw."""
HISTORY = """Invented by Piet Hein in 1942 and by John Nash in 1948, who proved that the first player can win on every
board, by an argument that shows no move: *Some Games and Machines for Playing Them*, 1952."""
NASH = "First player wins: J. Nash, *Some Games and Machines for Playing Them*, 1952"
GROUP, RESULTS, LARGER, REPORTED = "Connection", {"2": NASH, "3": NASH}, {"4": NASH}, {"11": NASH}


def game(size: int = 3) -> Game:
    """The game on size x size cells."""
    if not 1 <= size <= 11:
        raise BadGame(f"size must be 1 to 11, not {size}")
    cells = size * size
    board, top = (1 << cells) - 1, (1 << size) - 1
    left = sum(1 << row * size for row in range(size))
    bottom, right = top << cells - size, left << size - 1

    def outcome(mine: int, theirs: int) -> int:
        if (mine | theirs).bit_count() % 2:  # the first player has just moved
            return LOSS if hexagon_chain(theirs, theirs & top, size, left) & bottom else ONGOING
        return LOSS if hexagon_chain(theirs, theirs & left, size, left) & right else ONGOING

    return Game(
        moves=lambda mine, theirs: board & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=outcome,
        bits=cells,
        shape=(size, size),
        symmetries=[tuple(range(cells)), tuple(range(cells)[::-1])],
        look=Look(
            title=f"Hex, {size} × {size}",
            board="hexagons",
            edges=True,
            colours=Sides("red", "blue"),
            shapes=Sides(("stone",), ("stone",)),
        ),
    )
