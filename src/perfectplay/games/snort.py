"""Snort: put a stone on a point, but never next to one of the opponent; whoever cannot has lost."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Sides

GROUP, DEFAULTS = "Blocking", square_board
RULES = """Put a stone on an empty point that has no stone of the opponent next to it along a line.
Whoever cannot has lost."""
HISTORY = """Simon Norton invented it; John Conway describes it in *On Numbers and Games*, 1976. With an odd
number of points each way, the first player takes the middle and then replies by a half turn of the board."""
RESULTS = {"4,3": "First player wins", "3,3": "First player wins", "4,2": "Second player wins"}
LARGER = {"4,4": "Second player wins", "5,4": "First player wins"}
ALIASES = {"cats-and-dogs": ""}


def game(width: int = 4, height: int = 3) -> Game:
    """The game on width x height points."""
    if not (1 <= width <= 15 and 1 <= height <= 15 and width * height <= 126):
        raise BadGame(f"width and height must be 1 to 15, with at most 126 points, not {width} and {height}")
    board, left = (1 << width * height) - 1, sum(1 << row * width for row in range(height))

    def moves(mine: int, theirs: int) -> int:
        beside = (theirs & ~left) >> 1 | theirs << 1 & ~left | theirs >> width | theirs << width
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
            title=f"Snort on {width} × {height}",
        ),
    )
