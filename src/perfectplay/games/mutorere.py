"""Mū tōrere: move a piece to the one empty point, and leave the other side without a move."""

from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, Position, Sides

GROUP = "Blocking"
RULES = """Four pieces each stand side by side on a ring of eight points; the middle is empty.
Move a piece to the empty point: along the ring, from the middle, or to the middle if an opponent's piece is next to \
it on the ring.
Whoever cannot move has lost. The game can repeat; if it never ends, it is a draw."""
HISTORY = "A game of the Māori of New Zealand. Marcia Ascher analysed it: it is a draw, which few see at the board."
RESULTS = {"": "Draw, endless: M. Ascher, *Mu Torere: An Analysis of a Maori Game*, 1987"}
ALIASES = {"mu-torere": ""}
RING, MIDDLE, POINTS = 0xFF, 1 << 8, 0x1FF
AT = (1, 2, 5, 8, 7, 6, 3, 0, 4)  # the squares of the ring and of the middle on a board of 3 x 3
PLACES = ((0.15, 0.15), (1, -0.2), (1.85, 0.15), (-0.2, 1), (1, 1), (2.2, 1), (0.15, 1.85), (1, 2.2), (1.85, 1.85))


def game() -> Game:
    """The game."""

    def beside(points: int) -> int:
        return (points << 1 | points >> 7 | points >> 1 | points << 7) & RING

    def moves(mine: int, theirs: int) -> int:
        empty = POINTS & ~(mine | theirs)
        return mine & (beside(theirs & RING) if empty == MIDDLE else beside(empty) | MIDDLE)

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine & ~(1 << move) | POINTS & ~(mine | theirs)

    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        bits=9,
        shape=(3, 3),
        start=(0b00111100, 0b11000011),
        symmetries=[(*((step * at + turn) % 8 for at in range(8)), 8) for step in (1, -1) for turn in range(8)],
        move_names=[f"{'abc'[at % 3]}{at // 3 + 1}" for at in AT],
        cells=[AT.index(at) for at in range(9)],
        look=Look(
            board="points",
            colours=Sides("black", "white"),
            places=tuple((x + 0.5, y + 0.5) for x, y in PLACES),
            lines=(*((at, 4) for at in AT[:8]), *zip(AT[:8], (*AT[1:8], AT[0]), strict=True)),
            title="Mū tōrere",
        ),
    )
