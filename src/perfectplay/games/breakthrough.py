"""Breakthrough: two ranks of men step forward and take diagonally; the first man on the last rank wins."""

from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Capture", square_board
RULES = """Each side begins with men on all squares of its two nearest ranks.
A man moves one square forward, straight or diagonally, to an empty square. It takes diagonally only, and never has \
to.
Whoever gets a man to the last rank wins, and so does whoever takes all men of the other side."""
HISTORY = """Invented by Dan Troyka in 2000; it won the 8 × 8 Game Design Competition of 2001. Abdallah Saffidine,
Nicolas Jouandeau and Tristan Cazenave solved boards of up to 6 × 5 in 2011, probably the small ones here among them."""
RESULTS = {"2,4": "Second player wins in 8", "2,5": "Second player wins in 10"}
LARGER = {"2,6": "First player wins in 15", "3,4": "Second player wins in 12", "3,5": "Second player wins in 18"}
REPORTED = {"5,5": "Second player wins in 26: Tasmanian Devil, *5x5 solved*, Little Golem forum, 2006"}


def game(width: int = 3, height: int = 5) -> Game:
    """The game on width x height squares with two ranks of men a side."""
    if not (2 <= width <= 8 and 4 <= height <= 8):
        raise BadGame(f"width must be 2 to 8 and height 4 to 8, not {width} and {height}")
    # The mover always plays up: after each move the board is flipped. A move is its target, by three ways to get there.
    squares, targets, rank = width * height, width * (height - 1), (1 << width) - 1
    file_a = sum(1 << row * width for row in range(height))
    own_rank, file_h, both = rank << targets, file_a << width - 1, rank | rank << width
    steps = (width, width - 1, width + 1)

    def moves(mine: int, theirs: int) -> int:
        straight = mine >> width & ~(mine | theirs)
        right, left = (mine & ~file_h) >> width - 1 & ~mine, (mine & ~file_a) >> width + 1 & ~mine
        return straight | right << targets | left << 2 * targets

    def flipped(word: int) -> int:
        other = 0
        for _ in range(height):
            other, word = other << width | word & rank, word >> width
        return other

    def play(mine: int, theirs: int, move: int) -> Position:
        to = move % targets
        return flipped(theirs & ~(1 << to)), flipped(mine ^ (1 << to | 1 << to + steps[move // targets]))

    def outcome(mine: int, theirs: int) -> int:
        return LOSS if theirs & own_rank or mine == 0 else ONGOING

    def wins(mine: int, theirs: int) -> int:
        return moves(mine, theirs) & (rank | rank << targets | rank << 2 * targets)

    def name(names: list[str], theirs: int, move: int) -> str:
        to = move % targets
        return names[to + steps[move // targets]] + "-x"[theirs >> to & 1] + names[to]

    flip = [at % width + (height - 1 - at // width) * width for at in range(squares)]
    names = [f"{'abcdefgh'[at % width]}{height - at // width}" for at in range(squares)]
    flips, mirror = [names[at] for at in flip], tuple(at + width - 1 - 2 * (at % width) for at in range(squares))
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        wins=wins,
        bits=squares,
        shape=(width, height),
        start=(both << squares - 2 * width, both),
        symmetries=(tuple(range(squares)), mirror),
        move_names=Sides(lambda m, t, move: name(names, t, move), lambda m, t, move: name(flips, t, move)),
        cells=Sides(range(squares), flip),
        look=Look(
            sides=Sides("White", "Black"),
            pieces=Sides(("W",), ("B",)),
            title=f"Breakthrough, {width} × {height}",
            board="checks",
            shapes=Sides(("stone",), ("stone",)),
            colours=Sides("white", "black"),
            rows=tuple(str(height - row) for row in range(height)),
        ),
    )
