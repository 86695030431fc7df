"""Hare and hounds: three hounds, which never go back, hunt a hare."""

from perfectplay.game import NEVER, Game, Look
from perfectplay.words import LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """The board has three rows of points; the middle one is longer by a point at each end. In it every second \
point, from the ends on, has diagonal lines, too. \
The hounds begin on a2, b1 and b3, the hare at the right end; the hounds move first. Nothing is taken.
All move one step along a line to an empty point: the hare in any direction, a hound up, down or to the right, \
straight or diagonally, never to the left.
The hounds win when the hare is to move and cannot.
The hare wins when the hounds are to move and it is to the left of all of them, or they cannot move.
It also wins when it is to move, and can, and the last ten moves of the hounds all went straight up or down."""
HISTORY = """The French military game, said to have been played by officers in the war of 1870. Martin Gardner told its
story in *Scientific American*, 1963."""
GROUP, ALIASES, STALLS = "Capture", {"hare-and-hounds": "3", "french-military-game": ""}, 10
LARGER = {"3": "First player wins in 23", "5": "First player wins in 39"}


def game(columns: int = 3) -> Game:
    """The game with that many columns of three points between the two at the ends."""
    if columns not in (3, 5, 7):
        raise BadGame(f"columns must be 3, 5 or 7, not {columns}")
    # A word has a bit for each place of the drawn board; above them, that of the hounds counts steps up or down.
    # A move is the line that it takes, from a piece to an empty point. The side with one piece is the hare.
    width = columns + 2
    squares, row, corners = 3 * width, (1 << width) - 1, {0, width - 1, 2 * width, 3 * width - 1}
    lines = [(at, at + 1) for at in range(squares) if (at + 1) % width] + [(at, at + width) for at in range(2 * width)]
    lines += [(at, at + 1 + up) for at in range(width, 2 * width - 1, 2) for up in (-width, width)]
    lines += [(at - 1 + up, at) for at in range(width + 2, 2 * width, 2) for up in (-width, width)]
    lines = [line for line in lines if not {*line} & corners]
    left, right = tuple(1 << at for at, _ in lines), tuple(1 << at for _, at in lines)
    upright, board = tuple(to - at == width for at, to in lines), (1 << squares) - 1

    def is_hare(word: int) -> bool:
        return word & word - 1 == 0

    def moves(mine: int, theirs: int) -> int:
        legal, free, hare = 0, board & ~(mine | theirs), is_hare(mine)
        for i in range(len(left)):
            if (mine & left[i] and free & right[i]) or ((hare or upright[i]) and mine & right[i] and free & left[i]):
                legal |= 1 << i
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        steps = (mine >> squares) + 1 if upright[move] and not is_hare(mine) else 0
        return theirs, mine & board ^ (left[move] | right[move]) | steps << squares

    def nearest(word: int) -> int:
        files = (word | word >> width | word >> 2 * width) & row
        return files & -files

    def outcome(mine: int, theirs: int) -> int:
        if is_hare(mine) and moves(mine, theirs):
            return WIN if theirs >> squares == STALLS else ONGOING
        return LOSS if moves(mine, theirs) == 0 or nearest(theirs) < nearest(mine & board) else ONGOING

    def name(mine: int, theirs: int, move: int) -> str:
        ends = lines[move] if mine & left[move] else lines[move][::-1]
        return "-".join(f"{'abcdefghi'[at % width]}{at // width + 1}" for at in ends)

    top, flip = range(squares, squares + 4), [at + 2 * width * (1 - at // width) for at in range(squares)]
    points, counts = [" " if at in corners else at for at in range(squares)], [str(n) for n in range(STALLS + 1)]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=squares + 4,
        shape=(width, 3),
        start=(1 << 1 | 1 << width | 1 << 2 * width + 1, 1 << 2 * width - 1),
        symmetries=[(*range(squares), *top), (*flip, *top)],
        move_names=name,
        cells=[*points, [NEVER, *((15 << squares, n << squares, 0) for n in range(STALLS + 1))]],
        look=Look(
            sides=Sides("Pack", "Hare"),
            pieces=Sides(("x", *counts), ("H", *counts)),
            title=f"Hare and hounds, {squares - 4} points",
            board="points",
            colours=Sides("black", "red"),
            lines=tuple(lines),
            beside=("steps up or down",),
        ),
    )
