"""Cram: place dominoes on a board, upright or flat; whoever finds no room loses."""

from perfectplay.bits import bit_numbers, turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Impartial", square_board
RULES = """Place a domino on two empty squares side by side, upright or flat. Both players have the same dominoes.
Whoever cannot place one has lost."""
HISTORY = """Geoffrey Mott-Smith called it plugg; Martin Gardner made it known. Symmetric replies win boards with an
even side. Julien Lemoine and Simon Viennot computed boards up to 7 × 7: *Nimbers Are Inevitable*, 2010."""
SYMMETRY = "M. Gardner, *Cram, crosscram and quadraphage*, 1974"
FIRST, SECOND = f"First player wins: {SYMMETRY}", f"Second player wins: {SYMMETRY}"
RESULTS = {
    "4,4": SECOND,
    "2,2": SECOND,
    "3,2": FIRST,
    "4,3": FIRST,
    "3,3": "Second player wins",
    "5,3": "First player wins",
}
ALIASES = {"plugg": ""}


def game(width: int = 4, height: int = 4) -> Game:
    """The game on width x height squares."""
    flat = [3 << row * width + at for row in range(height) for at in range(width - 1)]
    upright = [(1 | 1 << width) << at for at in range(width * (height - 1))]
    if not (width >= 1 and height >= 1 and 1 <= len(flat) + len(upright) <= 63):
        raise BadGame(f"width and height must be 1 or more, with 1 to 63 places for a domino, not {width} and {height}")
    # Squares that are covered belong to nobody, so they are always `mine`.
    squares, dominoes = width * height, (*flat, *upright)
    names = [f"{chr(ord('a') + at % width)}{at // width + 1}" for at in range(squares)]

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for move, domino in enumerate(dominoes):
            legal |= (mine & domino == 0) << move
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine | dominoes[move], 0

    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        impartial=True,
        bits=squares,
        shape=(width, height),
        symmetries=turns_and_mirrors(width, height),
        key=lambda mine, theirs: mine,
        unkey=lambda key: (key, 0),
        key_bits=squares,
        move_names=["".join(names[at] for at in bit_numbers(domino)) for domino in dominoes],
        look=Look(
            sides=Sides("First", "Second"),
            pieces=Sides(("#",), ("#",)),
            shapes=Sides(("block",), ("block",)),
            title=f"Cram on {width} × {height}",
        ),
    )
