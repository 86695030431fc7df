"""Isolation: move your pawn one square, then remove a tile; whoever cannot move has lost."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import NEVER, Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Blocking", square_board
RULES = """The pawns begin in the middle of opposite edges; if there are two middles, each on the left as its player \
sees it.
Move your pawn one square in any direction, to a free square that is still there; then remove a free square.
The two squares on which the pawns begin cannot be removed. If there is nothing left to remove, only move.
Whoever cannot move has lost."""
HISTORY = "Bernd Kienitz designed it as *Isola*, published in 1972 on 6 × 8 squares; it was also sold as *Stranded*."
RESULTS = {"3,3": "First player wins", "2,4": "First player wins"}
LARGER = {"3,4": "First player wins", "4,3": "First player wins"}
ALIASES = {"isola": ""}


def game(width: int = 3, height: int = 4) -> Game:
    """The game on width x height squares."""
    if not (2 <= width <= 7 and 2 <= height <= 8):
        raise BadGame(f"width must be 2 to 7 and height 2 to 8, not {width} and {height}")
    # A word: the pawn; for the side to move also the squares that are gone, and whether it has moved its pawn.
    squares, moved = width * height, 1 << 2 * width * height
    board, left = (1 << squares) - 1, sum(1 << row * width for row in range(height))
    near, far = 1 << squares - width + (width - 1) // 2, 1 << width - 1 - (width - 1) // 2
    turns = [
        turn
        for turn in turns_and_mirrors(width, height)
        if {near, far} >= {1 << turn[at.bit_length() - 1] for at in (near, far)}
    ]

    def removable(pawns: int, gone: int) -> int:
        return board & ~(pawns | gone | near | far)

    def moves(mine: int, theirs: int) -> int:
        pawn, gone = mine & board, mine >> squares & board
        if mine & moved:
            return removable(pawn | theirs, gone)
        three = pawn | (pawn & ~left) >> 1 | pawn << 1 & board & ~left
        return (three | three >> width | three << width) & board & ~(pawn | theirs | gone)

    def play(mine: int, theirs: int, move: int) -> Position:
        gone = mine >> squares & board
        if mine & moved:
            return theirs | (gone | 1 << move) << squares, mine & board
        if removable(1 << move | theirs, gone):
            return 1 << move | gone << squares | moved, theirs
        return theirs | gone << squares, 1 << move

    def again(mine: int, theirs: int, move: int) -> bool:
        return mine & moved == 0 and removable(1 << move | theirs, mine >> squares & board) != 0

    whole = 3 * squares + 1  # the bits of both words
    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        again=again,
        bits=2 * squares + 1,
        shape=(width, height),
        start=(near, far),
        symmetries=[(*turn, *(squares + at for at in turn), 2 * squares) for turn in turns],
        key=(lambda mine, theirs: mine << squares | theirs) if whole <= 63 else None,
        unkey=(lambda key: (key >> squares, key & board)) if whole <= 63 else None,
        key_bits=min(whole, 63),
        cells=[
            *(((1 << at, 1 << at), (1 << squares + at, 1 << squares + at)) for at in range(squares)),
            (NEVER, NEVER, (moved, moved)),
        ],
        look=Look(
            sides=Sides("Blue", "Red"),
            pieces=Sides(("B", "#", "+"), ("R", "#", "+")),
            shapes=Sides(("pawn", "block", "text"), ("pawn", "block", "text")),
            colours=Sides("blue", "red"),
            beside=("moved",),
            title=f"Isolation on {width} × {height}",
        ),
    )
