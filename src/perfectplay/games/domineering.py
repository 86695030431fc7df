"""Domineering: one side places dominoes upright, the other flat; whoever finds no room loses."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Blocking", square_board
RULES = """Vertical places a domino upright on two empty squares, then Horizontal one that lies flat, and so on.
A move names the upper or the left square. Whoever cannot place a domino has lost."""
HISTORY = """Göran Andersson invented it around 1973; Martin Gardner made it known as crosscram. Jos Uiterwijk solved
the largest square board so far: *11 × 11 Domineering Is Solved*, 2016."""
SOURCE = "D. Breuker, J. Uiterwijk, J. van den Herik, *Solving 8 × 8 Domineering*, 2000"
FIRST, SECOND = f"First player wins: {SOURCE}", f"Second player wins: {SOURCE}"
RESULTS = {"4,4": FIRST, "2,2": FIRST, "3,3": FIRST}
LARGER, REPORTED = {"5,5": SECOND}, {"6,6": FIRST, "7,7": FIRST, "8,8": FIRST}
ALIASES = {"crosscram": ""}


def game(width: int = 4, height: int = 4) -> Game:
    """The game on width x height squares."""
    if not (1 <= width <= 11 and 2 <= height <= 11):
        raise BadGame(f"width must be 1 to 11 and height 2 to 11, not {width} and {height}")
    # Covered squares are always `mine`; how many dominoes lie there tells whose turn it is.
    board, last = (1 << width * height) - 1, sum(1 << row * width + width - 1 for row in range(height))

    def moves(mine: int, theirs: int) -> int:
        free = board & ~mine
        return free & free >> 1 & ~last if mine.bit_count() & 2 else free & free >> width

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine | (3 if mine.bit_count() & 2 else 1 | 1 << width) << move, 0

    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        bits=width * height,
        shape=(width, height),
        symmetries=list(dict.fromkeys(turns_and_mirrors(width, height)[:4])),
        key=lambda mine, theirs: mine,
        unkey=lambda key: (key, 0),
        key_bits=min(width * height, 63),
        look=Look(
            sides=Sides("Vertical", "Horizontal"),
            pieces=Sides(("#",), ("#",)),
            shapes=Sides(("block",), ("block",)),
            title=f"Domineering on {width} × {height}",
        ),
    )
