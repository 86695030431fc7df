"""The game of Y: connect all three sides of a triangle by one chain; a full board always has exactly one winner."""

from perfectplay.bits import hexagon_chain
from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

RULES = """Players take turns to put a stone on an empty cell of a triangle.
Whoever owns a chain of neighbouring stones that touches all three sides wins.
A corner belongs to both its sides. There is no draw."""
HISTORY = """Thought of by John Milnor in the early 1950s and again by Craige Schensted and Charles Titus in 1953.
The first player wins on every board, because an extra stone never harms and there is no draw."""
GROUP, RESULTS = "Connection", {"2": "First player wins in 3", "4": "First player wins in 7"}
LARGER = {"5": "First player wins in 9"}
ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


def game(size: int = 4) -> Game:
    """The game on a triangle with so many cells a side."""
    if not 1 <= size <= 11:
        raise BadGame(f"size must be 1 to 11, not {size}")
    # A cell is given by its distances from the three sides, which together are always size - 1.
    cells = [(low, across, size - 1 - low - across) for low in range(size) for across in range(size - low)]
    square = {(low, across, far): (size - low) * size - 1 - across for low, across, far in cells}
    bottom, right, left = (sum(1 << square[cell] for cell in cells if cell[side] == 0) for side in range(3))
    board, column = sum(1 << at for at in square.values()), sum(1 << row * size for row in range(size))

    def outcome(mine: int, theirs: int) -> int:
        rest = theirs & bottom
        while rest:
            chain = hexagon_chain(theirs, rest & -rest, size, column)
            if chain & left and chain & right:
                return LOSS
            rest &= ~chain
        return ONGOING

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine | 1 << move

    turns = [{square[cell]: square[cell[a], cell[b], cell[c]] for cell in cells} for a, b, c in ORDERS]
    return Game(
        moves=lambda mine, theirs: board & ~(mine | theirs),
        play=play,
        outcome=outcome,
        bits=size * size,
        shape=(size, size),
        symmetries=[tuple(turn.get(at, at) for at in range(size * size)) for turn in turns],
        cells=[at if board >> at & 1 else " " for at in range(size * size)],
        look=Look(
            title=f"The game of Y, {size} a side",
            board="hexagons",
            colours=Sides("red", "blue"),
            shapes=Sides(("stone",), ("stone",)),
        ),
    )
