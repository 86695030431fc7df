"""Clobber: a stone moves onto a neighbouring stone of the other side and removes it; who cannot move loses."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Capture", square_board
RULES = """Black and white stones fill the board like the squares of a chessboard, with a black one on a1. Black \
begins.
Move a stone onto a neighbouring stone of your opponent, across or down, and remove that one.
Whoever cannot do so has lost."""
HISTORY = """Invented in 2001 by Michael Albert, J. P. Grossman and Richard Nowakowski, and analysed by them and David
Wolfe in *An Introduction to Clobber*, 2005. They conjectured that the first player wins all rows of even length but
one of six stones, which Xinyue Chen and others proved in 2025."""
PROOF = "X. Chen et al., *A Proof of the 2004 Albert-Grossman-Nowakowski-Wolfe Conjecture*, 2025"
RESULTS = {f"{n},1": f"{'Second' if n == 6 else 'First'} player wins: {PROOF}" for n in (2, 4, 6, 8)}
RESULTS |= {"3,2": "Second player wins in 4", "3,3": "First player wins in 5", "4,2": "First player wins in 5"}
LARGER = {"4,3": "Second player wins in 8", "4,4": "First player wins in 11", "6,2": "Second player wins in 8"}


def game(width: int = 4, height: int = 4) -> Game:
    """The game on width x height squares."""
    if not (1 <= width <= 10 and 1 <= height <= 10 and width * height > 1):
        raise BadGame(f"width and height must be 1 to 10, and not both 1, not {width} and {height}")
    # A move is the pair of neighbours that it concerns: only one of the two stones is the mover's.
    squares, names = width * height, [f"{'abcdefghij'[at % width]}{at // width + 1}" for at in range(width * height)]
    not_last = sum(1 << at for at in range(squares) if at % width < width - 1)

    def moves(mine: int, theirs: int) -> int:
        across = (mine & theirs >> 1 | theirs & mine >> 1) & not_last
        return across | (mine & theirs >> width | theirs & mine >> width) << squares

    def pair(move: int) -> int:
        return 3 << move if move < squares else (1 | 1 << width) << move - squares

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs & ~pair(move), mine ^ pair(move)

    def name(mine: int, theirs: int, move: int) -> str:
        source, target = mine & pair(move), theirs & pair(move)
        return f"{names[source.bit_length() - 1]}x{names[target.bit_length() - 1]}"

    black = sum(1 << at for at in range(squares) if (at % width + at // width) % 2 == 0)
    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        tier=lambda mine, theirs: squares - (mine | theirs).bit_count(),
        bits=squares,
        shape=(width, height),
        start=(black, (1 << squares) - 1 ^ black),
        symmetries=turns_and_mirrors(width, height),
        move_names=name,
        look=Look(
            sides=Sides("Black", "White"),
            title=f"Clobber, {width} × {height}",
            board="checks",
            shapes=Sides(("stone",), ("stone",)),
            colours=Sides("black", "white"),
        ),
    )
