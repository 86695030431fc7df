"""PopOut: connect four in which you drop a disc, or pop one of your own out of the bottom of a column."""

from perfectplay.bits import has_run, runs
from perfectplay.game import Game, Images, Look, check_sizes, connect_board
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides, spelled

RULES = """Drop a disc into a column, or pop one of your own out of the bottom; the discs above it fall by one.
The first with enough discs in a row wins: across, down or diagonally.
If a move makes such rows for both sides, the side that moved wins.
A player without a move, on a full board, draws. A game that never ends is a draw, too."""
HISTORY = "Sold since 2009. Jukka Pekkala solved the usual 7 × 6 board: *Computer analysis of Connect-4 PopOut*, 2014."
GROUP, DEFAULTS = "Rows", connect_board
RESULTS = {"3,3,3": "Second player wins in 16", "4,3,3": "First player wins in 9"}
LARGER = {"4,4,4": "Second player wins in 24"}


def game(width: int = 4, height: int = 3, k: int = 3) -> Game:
    """The game on width columns of the given height; the first with k in a row wins."""
    check_sizes(width, height, k)
    tall, rows = height + 1, runs(width, height, k, across=height + 1, down=1)
    if width * tall > 63:
        raise BadGame(f"width times one more than height must be at most 63, not {width * tall}")
    column = (1 << tall) - 1  # a word: column by column from the left, each from the bottom up, one free bit on top

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for c in range(width):
            legal |= (1 - ((mine | theirs) >> c * tall + height - 1 & 1)) << c
            legal |= (mine >> c * tall & 1) << width + c
        return legal

    def popped(word: int, c: int) -> int:
        above = word >> c * tall & column
        return word & ~(column << c * tall) | above >> 1 << c * tall

    def play(mine: int, theirs: int, move: int) -> Position:
        if move >= width:
            return popped(theirs, move - width), popped(mine, move - width)
        marks = mine | theirs
        return theirs, mine | (marks + (1 << move * tall)) & ~marks & (column << move * tall)

    def outcome(mine: int, theirs: int) -> int:
        if has_run(theirs, rows, k):
            return LOSS
        return WIN if has_run(mine, rows, k) else ONGOING if moves(mine, theirs) else DRAW

    def image(mine: int, theirs: int, i: int) -> Position:
        if i == 0:
            return mine, theirs
        new_mine, new_theirs = 0, 0
        for c in range(width):
            place = (width - 1 - c) * tall
            new_mine |= (mine >> c * tall & column) << place
            new_theirs |= (theirs >> c * tall & column) << place
        return new_mine, new_theirs

    names = tuple(str(c + 1) for c in range(width))
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=width * tall,
        shape=(width, height),
        symmetries=Images(2 if width > 1 else 1, image),
        move_names=(*names, *(f"pop{name}" for name in names)),
        cells=tuple(c * tall + row for row in reversed(range(height)) for c in range(width)),
        look=Look(
            title=f"PopOut, {width} × {height}",
            summary=f"{spelled(k).capitalize()} in a row; drop a disc, or pop one of yours out of the bottom.",
            columns=names,
            rows=("",) * height,
            board="frame",
            shapes=Sides(("disc",), ("disc",)),
            colours=Sides("red", "yellow"),
        ),
    )
