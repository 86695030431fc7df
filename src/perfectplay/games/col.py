"""Col: put a stone on a point, but never next to one of your own; whoever cannot has lost."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Sides

GROUP, DEFAULTS = "Blocking", square_board
RULES = """Put a stone on an empty point that has no stone of your own next to it along a line.
Whoever cannot has lost."""
HISTORY = """Colin Vout invented it as the colouring of a map; John Conway analyses it in *On Numbers and Games*, 1976.
With an even number of points the second player replies by a half turn of the board, and wins."""
RESULTS = {"3,3": "Second player wins", "4,3": "Second player wins", "2,2": "Second player wins"}
LARGER = {"5,3": "Second player wins", "5,5": "Second player wins"}


def game(width: int = 4, height: int = 3) -> Game:
    """The game on width x height points."""
    if not (1 <= width <= 15 and 1 <= height <= 15 and width * height <= 126):
        raise BadGame(f"width and height must be 1 to 15, with at most 126 points, not {width} and {height}")
    board, left = (1 << width * height) - 1, sum(1 << row * width for row in range(height))

    def moves(mine: int, theirs: int) -> int:
        beside = (mine & ~left) >> 1 | mine << 1 & ~left | mine >> width | mine << width
        return board & ~(mine | theirs | beside)

    return Game(
        moves=moves,
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        bits=width * height,
        shape=(width, height),
        symmetries=turns_and_mirrors(width, height),
        look=Look(
            shapes=Sides(("stone",), ("stone",)),
            colours=Sides("blue", "red"),
            board="points",
            title=f"Col on {width} × {height}",
        ),
    )
