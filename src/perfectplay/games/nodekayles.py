"""Node Kayles: take a point of a grid, and with it all its neighbours; whoever takes the last point wins."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Impartial", square_board
RULES = """Take a point that is left. Its neighbours along the lines go with it.
Whoever takes the last point wins."""
HISTORY = """Kayles on a graph, named by Thomas Schaefer in 1978, who showed that it is hard on graphs in general.
In a single row it is Thomas Dawson's chess with pawns, solved by Richard Guy and Cedric Smith."""
SOURCE = "R. Guy, C. Smith, *The G-Values of Various Games*, 1956"
FIRST, SECOND = f"First player wins: {SOURCE}", f"Second player wins: {SOURCE}"
RESULTS = {
    "3,3": "First player wins",
    "4,4": "Second player wins",
    "5,4": "Second player wins",
    "8,1": SECOND,
    "9,1": FIRST,
    "14,1": SECOND,
}


def game(width: int = 4, height: int = 4) -> Game:
    """The game on a grid of width x height points."""
    if not (1 <= width <= 26 and 1 <= height <= 26 and 2 <= width * height <= 62):
        raise BadGame(f"width and height must be 1 to 26, with 2 to 62 points, not {width} and {height}")
    # Points belong to nobody, so they are always `mine`.
    points = range(width * height)
    lines = [(at, at + 1) for at in points if (at + 1) % width] + [(at, at + width) for at in points[:-width]]
    near = tuple(sum(1 << i for i in points if i == at or (at, i) in lines or (i, at) in lines) for at in points)

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine & ~near[move], 0

    return Game(
        moves=lambda mine, theirs: mine,
        play=play,
        outcome=lambda mine, theirs: ONGOING if mine else LOSS,
        impartial=True,
        bits=len(points),
        shape=(width, height),
        start=((1 << len(points)) - 1, 0),
        symmetries=turns_and_mirrors(width, height),
        key=lambda mine, theirs: mine,
        unkey=lambda key: (key, 0),
        key_bits=len(points),
        look=Look(
            sides=Sides("First", "Second"),
            pieces=Sides(("o",), ("o",)),
            shapes=Sides(("man",), ("man",)),
            board="points",
            lines=tuple(lines),
            title=f"Node Kayles on {width} × {height}",
        ),
    )
