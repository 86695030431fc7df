"""Pong hau k'i: two pieces each on five points; move to the empty one, and leave the other side without a move."""

from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, Position, Sides

GROUP = "Blocking"
RULES = """Each side begins with the two corners at its end: Red, who moves first, at the bottom.
Move one of your two pieces along a line to the one empty point. There is no line at the top.
Whoever cannot move has lost. The game can repeat; if it never ends, it is a draw."""
HISTORY = (
    "A children's game of China; in Korea, from another start, it is umul gonu. Philip Straffin drew all its positions."
)
RESULTS = {"": "Draw, endless: P. Straffin, *Position Graphs for Pong Hau K'i and Mu Torere*, 1995"}
ALIASES = {"pong-hau-ki": ""}
AT = (0, 2, 4, 6, 8)  # the squares of the five points on a board of 3 x 3
LINES = ((0, 6), (2, 8), (6, 8), (0, 4), (2, 4), (4, 6), (4, 8))
NEXT = tuple(sum(1 << i for i, to in enumerate(AT) if (at, to) in LINES or (to, at) in LINES) for at in AT)


def game() -> Game:
    """The game."""

    def moves(mine: int, theirs: int) -> int:
        empty = 31 & ~(mine | theirs)
        return mine & NEXT[empty.bit_length() - 1]

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine & ~(1 << move) | 31 & ~(mine | theirs)

    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        bits=5,
        shape=(3, 3),
        start=(0b11000, 0b00011),
        symmetries=[(0, 1, 2, 3, 4), (1, 0, 2, 4, 3)],
        move_names=[f"{'abc'[at % 3]}{at // 3 + 1}" for at in AT],
        cells=[AT.index(at) if at in AT else " " for at in range(9)],
        look=Look(board="points", colours=Sides("red", "blue"), lines=LINES, title="Pong hau k'i"),
    )
