"""Invent a game: k in a row on a board of any size, with three switches that make other games of it.

Players take turns to put a mark on an empty square. The first with k in a row wins: across, down or diagonally.
A full board is a draw, and so is a game that never ends.

gravity: a mark goes into a column and falls to its lowest empty square, as in connect four.
fading: each side keeps its newest k marks. When a move makes one too many, the oldest of that side vanishes; only
    then are rows looked for. With gravity, marks above it stay where they are, and the next mark there fills the gap.
misere: whoever makes k in a row loses.

A word is a board: bit row * width + column, the top left square first. With fading it is the list of a side's squares,
newest in the lowest bits; a place holds square + 1, or 0 for none:
    oldest | ... | newest
"""

from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame, Game, Images, Look, Sides
from perfectplay.bits import has_run, runs, turns_and_mirrors


def game(
    width: int = 3, height: int = 3, k: int = 3, gravity: bool = False, fading: bool = False, misere: bool = False
) -> Game:
    if not (1 <= width <= 7 and 1 <= height <= 7):
        raise BadGame(f"width and height must be 1 to 7, not {width} and {height}")
    if not 1 <= k <= max(width, height):
        raise BadGame(f"k must be 1 to {max(width, height)}, the longer side, not {k}")
    squares = width * height
    full = (1 << squares) - 1
    rows = runs(width, height, k)
    place_bits = squares.bit_length()
    place = (1 << place_bits) - 1
    shifts = tuple(place_bits * n for n in range(k))
    bits = place_bits * k if fading else squares
    turns = [turn for turn in turns_and_mirrors(width, height) if not gravity or min(turn[-width:]) == squares - width]
    turned = tuple(target for turn in turns for target in (0, *(square + 1 for square in turn)))

    def board(word):
        if not fading:
            return word
        marks = 0
        for shift in shifts:
            marks |= 1 << (word >> shift & place) >> 1
        return marks

    def moves(mine, theirs):
        empty = full & ~(board(mine) | board(theirs))
        landing = empty
        if gravity:
            for row in range(1, height):
                landing &= ~(empty >> row * width)  # nothing lands above an empty square
        return landing

    def play(mine, theirs, move):
        if fading:
            return theirs, (mine << place_bits | move + 1) & (1 << bits) - 1
        return theirs, mine | 1 << move

    def outcome(mine, theirs):
        if has_run(board(theirs), rows, k):
            return WIN if misere else LOSS
        return DRAW if board(mine) | board(theirs) == full else ONGOING

    def image(mine, theirs, i):  # with fading
        new_mine, new_theirs = 0, 0
        for shift in shifts:
            new_mine |= turned[i * (squares + 1) + (mine >> shift & place)] << shift
            new_theirs |= turned[i * (squares + 1) + (theirs >> shift & place)] << shift
        return new_mine, new_theirs

    switches = {"gravity": gravity, "fading": fading, "misère": misere}
    left = range(k, 0, -1)  # own moves until the mark vanishes, the newest mark first
    shapes = ("text",) * k if fading else ("disc",)  # in an upright frame
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=bits,
        shape=(width, height),
        symmetries=Images(len(turns), image) if fading else turns,
        move_names=["abcdefg"[square % width] for square in range(squares)] if gravity else (),
        cells=[[(place << s, square + 1 << s) for s in shifts] if fading else square for square in range(squares)],
        look=Look(
            title=", ".join([f"{k} in a row on {width} × {height}", *(name for name in switches if switches[name])]),
            pieces=Sides([f"X{n}" for n in left], [f"O{n}" for n in left]) if fading else Sides(("X",), ("O",)),
            board="frame" if gravity else "paper",
            shapes=Sides(shapes, shapes) if gravity else None,
            colours=Sides("red", "yellow" if gravity else "blue"),
            fades=fading,
            note="A mark numbered 1 vanishes on its owner's next move." if fading else "",
        ),
    )
