"""Chomp: bite off a square of chocolate with all below it and to its right; the corner is poisoned."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import NEVER, Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Impartial", square_board
RULES = """Bite off a square of the chocolate bar, with all squares that are not above it and not to its left.
The square at the top left is poisoned: whoever has only that one left has lost."""
HISTORY = """Frederik Schuh described it with divisors in 1952, David Gale as a bar of chocolate in 1974.
The first player wins every bar, by an argument that shows no move; winning moves are found by computers."""
FIRST = "First player wins: D. Gale, *A Curious Nim-Type Game*, 1974"
RESULTS = {"4,3": FIRST, "2,2": FIRST, "5,5": FIRST, "7,6": FIRST, "10,3": FIRST}


def game(width: int = 4, height: int = 3) -> Game:
    """The game on width x height squares."""
    if not (width >= 1 and height >= 1 and 2 <= width * height <= 62):
        raise BadGame(f"width and height must be 1 or more, with 2 to 62 squares, not {width} and {height}")
    # Squares belong to nobody, so they are always `mine`.
    squares = range(width * height)
    bites = tuple(
        sum(1 << i for i in squares if i // width >= at // width and i % width >= at % width) for at in squares
    )

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine & ~bites[move], 0

    return Game(
        moves=lambda mine, theirs: mine & ~1,
        play=play,
        outcome=lambda mine, theirs: LOSS if mine == 1 else ONGOING,
        impartial=True,
        bits=len(squares),
        shape=(width, height),
        start=((1 << len(squares)) - 1, 0),
        symmetries=[turn for turn in turns_and_mirrors(width, height) if turn[0] == 0],
        key=lambda mine, theirs: mine,
        unkey=lambda key: (key, 0),
        key_bits=len(squares),
        cells=[(NEVER, (1, 1)), *range(1, len(squares))],
        look=Look(
            sides=Sides("First", "Second"),
            pieces=Sides(("#", "x"), ("#", "x")),
            shapes=Sides(("block", "cross"), ("block", "cross")),
            title=f"Chomp on {width} × {height}",
        ),
    )
