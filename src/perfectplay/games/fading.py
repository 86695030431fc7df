"""Marks fade: each side keeps its newest few, and those in a row win; tactic-toe is fading:3,3.

Nothing else ends the game: it can repeat; endless games are drawn.
A move fills a square that is empty before anything goes; then the mover's oldest mark goes if there is one too many.
A word is the list of a side's squares, newest in the lowest bits; a place holds square + 1, or 0 for none:
    oldest | ... | newest
A new mark pushes the list up by one place, and the oldest mark falls out at the top.
"""

from perfectplay.bits import has_run, runs, turns_and_mirrors
from perfectplay.game import Game, Images, Look, row_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides, spelled

ALIASES = {"tactic-toe": "3,3"}
RULES = """Players take turns to put a mark on a square that is empty before the move.
Each side keeps its newest few marks, three in tactic-toe: with a fourth, its oldest vanishes.
Whoever then has all these marks in a row, next to each other, wins: across, down or diagonally.
Games can repeat; a game that never ends is a draw."""
HISTORY = {
    "3,3": "An electronic game whose author solved it and published how: the first player wins in 13 plies with best"
    " play. perfectplay finds the same.",
}
GROUP, DEFAULTS = "Rows", lambda size: row_board(size)[1:]
RESULTS = {
    "3,3": "First player wins in 13: article by the game's author",
    "3,2": "First player wins in 3",
}
LARGER = {
    "4,2": "First player wins in 3",
    "5,2": "First player wins in 3",
    "4,3": "First player wins in 5",
}


def game(size: int = 3, marks: int = 3) -> Game:
    """The game on size x size squares with the given number of marks a side, that many in a row to win."""
    if not 2 <= size <= 64:
        raise BadGame(f"size must be 2 to 64, not {size}")
    if not (1 <= marks <= size and 2 * marks < size * size):
        raise BadGame(f"marks must be 1 to {max(1, size if size > 2 else 1)} on this board, not {marks}")
    squares = size * size
    everywhere = (1 << squares) - 1
    place_bits = squares.bit_length()
    place = (1 << place_bits) - 1
    bits = marks * place_bits
    rows = runs(size, size, marks)
    turns = turns_and_mirrors(size, size)
    turned = tuple(place for turn in turns for place in (0, *(square + 1 for square in turn)))

    def board(word: int) -> int:
        occupied = 0
        for shift in range(0, bits, place_bits):
            occupied |= 1 << (word >> shift & place) >> 1
        return occupied

    def moves(mine: int, theirs: int) -> int:
        return everywhere & ~(board(mine) | board(theirs))

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, (mine << place_bits | (move + 1)) & ((1 << bits) - 1)

    def outcome(mine: int, theirs: int) -> int:
        return LOSS if has_run(board(theirs), rows, marks) else ONGOING

    def image(mine: int, theirs: int, i: int) -> Position:
        new_mine, new_theirs = 0, 0
        for shift in range(0, bits, place_bits):
            new_mine |= turned[i * (squares + 1) + (mine >> shift & place)] << shift
            new_theirs |= turned[i * (squares + 1) + (theirs >> shift & place)] << shift
        return new_mine, new_theirs

    shifts = range(0, bits, place_bits)
    left = range(marks, 0, -1)  # own moves until the mark goes, the newest mark first
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=bits,
        shape=(size, size),
        symmetries=Images(len(turns), image),
        cells=tuple(tuple((place << s, (square + 1) << s) for s in shifts) for square in range(squares)),
        look=Look(
            title="Tactic-toe" if (size, marks) == (3, 3) else f"Fading marks, {size} × {size}, {marks} each",
            summary=f"{spelled(marks).capitalize()} in a row on a {size} × {size} board; each side keeps its newest "
            f"{spelled(marks)} marks.",
            pieces=Sides(tuple(f"X{n}" for n in left), tuple(f"O{n}" for n in left)),
            board="paper",
            colours=Sides("red", "blue"),
            fades=True,
            note="A mark numbered 1 vanishes on its owner's next move.",
        ),
    )
