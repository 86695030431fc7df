"""Havannah: on a hexagon, make a ring, a bridge between two corners, or a fork of three sides."""

from perfectplay.bits import hexagon_chain
from perfectplay.game import Game, Look
from perfectplay.words import DRAW, LOSS, ONGOING, BadGame, Position, Sides

RULES = """Players take turns to put a stone on an empty cell. White begins. A chain of neighbouring stones wins in \
three ways.
A ring goes around at least one cell, whatever is on it.
A bridge joins two corners. A fork joins three sides; corners belong to no side.
A full board without any of these is a draw."""
HISTORY = "Invented by Christian Freeling in 1979. Timo Ewalds wrote *Playing and Solving Havannah* about it, 2012."
SOURCE = "T. Ewalds, *Playing and Solving Havannah*, 2012"
GROUP, RESULTS, LARGER = "Connection", {"2": "First player wins in 3"}, {"3": f"First player wins in 9: {SOURCE}"}
ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


def game(size: int = 3) -> Game:
    """The game on a hexagon with so many cells a side."""
    if not 2 <= size <= 6:
        raise BadGame(f"size must be 2 to 6, not {size}")
    far, wide = size - 1, 2 * size - 1
    # A cell is given by three coordinates from -far to far whose sum is 0.
    cells = [(x, y, -x - y) for y in range(-far, size) for x in range(-far, size) if abs(x + y) <= far]
    square = {(x, y, z): (y + far) * wide + x + far for x, y, z in cells}
    board, column = sum(1 << at for at in square.values()), sum(1 << row * wide for row in range(wide))
    corners = sum(1 << square[cell] for cell in cells if {*cell} == {-far, 0, far})
    edges = [sum(1 << square[cell] for cell in cells if cell[i] == end) for i in range(3) for end in (-far, far)]
    sides, inside = (
        tuple(edge & ~corners for edge in edges),
        sum(1 << square[c] for c in cells if max(map(abs, c)) < far),
    )

    def has_ring(stones: int) -> bool:
        """Whether a cell has stones all around it, or there are others that the border does not reach."""
        around = stones >> 1 & stones << 1 & stones >> wide & stones << wide & stones >> wide - 1 & stones << wide - 1
        others = board & ~stones
        return around & inside != 0 or hexagon_chain(others, others & ~inside, wide, column) != others

    def outcome(mine: int, theirs: int) -> int:
        rest = theirs & ~inside
        while rest:
            chain = hexagon_chain(theirs, rest & -rest, wide, column)
            touched = 0
            for side in sides:
                touched += 1 if chain & side else 0
            if touched > 2 or (chain & corners).bit_count() > 1:
                return LOSS
            rest &= ~chain
        return LOSS if has_ring(theirs) else DRAW if mine | theirs == board else ONGOING

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine | 1 << move

    ways = [(sign, turn) for sign in (1, -1) for turn in ORDERS]
    turns = [{square[c]: square[sign * c[i], sign * c[j], sign * c[k]] for c in cells} for sign, (i, j, k) in ways]
    return Game(
        moves=lambda mine, theirs: board & ~(mine | theirs),
        play=play,
        outcome=outcome,
        bits=wide * wide,
        shape=(wide, wide),
        symmetries=[tuple(turn.get(at, at) for at in range(wide * wide)) for turn in turns],
        cells=[at if board >> at & 1 else " " for at in range(wide * wide)],
        look=Look(
            title=f"Havannah, {size} a side",
            board="hexagons",
            colours=Sides("white", "black"),
            shapes=Sides(("stone",), ("stone",)),
        ),
    )
