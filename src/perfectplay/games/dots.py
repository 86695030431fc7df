"""Dots and boxes: draw an edge; who closes a box owns it and moves again. Most boxes win.

Edges belong to nobody. They stand in the word of the side to move, and each word counts its side's boxes above them:
    boxes | edges that lie, then edges that stand
"""

from collections.abc import Sequence

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Spot
from perfectplay.look import Look
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides


def game(width: int = 2, height: int = 2) -> Game:
    """The game on width x height boxes."""
    if not (1 <= width <= 7 and 1 <= height <= 7):
        raise BadGame(f"width and height must be 1 to 7, not {width} and {height}")
    lying, count = width * (height + 1), width * height
    edges = lying + (width + 1) * height
    everything = (1 << edges) - 1
    boxes = tuple(
        1 << box | 1 << box + width | 3 << lying + box // width * (width + 1) + box % width for box in range(count)
    )
    counts = (1 << count.bit_length()) - 1 << edges

    def closed(drawn: int, move: int) -> int:
        found = 0
        for box in boxes:
            if box >> move & 1 and box & ~(drawn | 1 << move) == 0:
                found += 1
        return found

    def moves(mine: int, theirs: int) -> int:
        return everything & ~mine

    def play(mine: int, theirs: int, move: int) -> Position:
        made = closed(mine, move)
        if made:
            return (mine | 1 << move) + (made << edges), theirs
        return theirs | mine & everything | 1 << move, mine & counts

    def again(mine: int, theirs: int, move: int) -> bool:
        return closed(mine, move) > 0

    def margin(mine: int, theirs: int) -> int:
        return (mine >> edges) - (theirs >> edges)

    def outcome(mine: int, theirs: int) -> int:
        lead = margin(mine, theirs)
        return ONGOING if everything & ~mine else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    columns, rows = 2 * width + 1, 2 * height + 1
    places = sorted((y % 2, y * columns + x) for y in range(rows) for x in range(columns) if (x + y) % 2)
    edge_at = {square: edge for edge, (_, square) in enumerate(places)}
    turns = turns_and_mirrors(columns, rows)
    above = tuple(range(edges, edges + count.bit_length()))
    never, numbers = (0, 1), tuple(str(n) for n in range(1, count + 1))
    cells: list[Sequence[Spot]] = [
        ((1 << edge_at[at], 1 << edge_at[at]),) if at in edge_at else (never,) for at in range(columns * rows)
    ]
    tallies: list[Sequence[Spot]] = [(never, *((counts, int(n) << edges, side) for n in numbers)) for side in (0, 1)]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        margin=margin,
        bits=edges + count.bit_length(),
        shape=(columns, rows + 1),
        symmetries=[(*(edge_at[turn[square]] for _, square in places), *above) for turn in turns],
        move_names=tuple(f"{chr(ord('a') + at % columns)}{at // columns + 1}" for _, at in places),
        cells=(*cells, tallies[0], *[(never,)] * (columns - 2), tallies[1]),
        look=Look(
            title=f"Dots and boxes, {width} × {height}",
            summary="Draw an edge; close a box to own it and to move again.",
            pieces=Sides(("#", *numbers), ("#", *numbers)),
            note="Below the board stand the boxes of X, on the left, and of O.",
        ),
    )
