"""Hexapawn: pawns only, which move and take as in chess; reach the last rank or leave the other side without a move."""

from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Capture", square_board
RULES = """Pawns move and take as in chess, without the double step: one square straight on, or diagonally to take.
Whoever gets a pawn to the last rank wins. So does a side that leaves the other one without a move."""
HISTORY = """Invented by Martin Gardner for his column in *Scientific American*, March 1962, to show how 24 matchboxes
learn to play. On 4 × 4 it is called octopawn."""
GARDNER = "Second player wins in 6: M. Gardner, *Scientific American*, March 1962"
RESULTS = {"3,3": GARDNER, "3,4": "Second player wins in 8", "4,3": "First player wins in 5"}
LARGER = {"4,4": "First player wins in 11", "4,5": "Second player wins in 16", "5,4": "Second player wins in 14"}


def game(width: int = 3, height: int = 3) -> Game:
    """The game on width x height squares with a rank of pawns a side."""
    if not (1 <= width <= 8 and 3 <= height <= 8):
        raise BadGame(f"width must be 1 to 8 and height 3 to 8, not {width} and {height}")
    # The mover always plays up: after each move the board is flipped. A move is its target, by three ways to get there.
    squares, targets, rank = width * height, width * (height - 1), (1 << width) - 1
    file_a = sum(1 << row * width for row in range(height))
    own_rank, file_h = rank << targets, file_a << width - 1
    steps = (width, width - 1, width + 1)

    def moves(mine: int, theirs: int) -> int:
        straight = mine >> width & ~(mine | theirs)
        right, left = (mine & ~file_h) >> width - 1 & theirs, (mine & ~file_a) >> width + 1 & theirs
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
        return LOSS if theirs & own_rank or moves(mine, theirs) == 0 else ONGOING

    def name(names: list[str], move: int) -> str:
        to, way = move % targets, move // targets
        return names[to + steps[way]] + "-xx"[way] + names[to]

    flip = [at % width + (height - 1 - at // width) * width for at in range(squares)]
    names = [f"{'abcdefgh'[at % width]}{height - at // width}" for at in range(squares)]
    flips, mirror = [names[at] for at in flip], tuple(at + width - 1 - 2 * (at % width) for at in range(squares))
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=squares,
        shape=(width, height),
        start=(own_rank, rank),
        symmetries=(tuple(range(squares)), mirror),
        move_names=Sides(lambda m, t, move: name(names, move), lambda m, t, move: name(flips, move)),
        cells=Sides(range(squares), flip),
        look=Look(
            sides=Sides("White", "Black"),
            pieces=Sides(("P",), ("p",)),
            title="Hexapawn" if squares == 9 else f"Hexapawn, {width} × {height}",
            board="checks",
            colours=Sides("white", "black"),
            rows=tuple(str(height - row) for row in range(height)),
        ),
    )
