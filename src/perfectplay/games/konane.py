"""Konane, or Hawaiian checkers: jump over stones of the other side and remove them; who cannot jump loses."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, DEFAULTS = "Capture", square_board
RULES = """Black and white stones fill the board like the squares of a chessboard, with a black one on a1.
Black removes a black stone in the middle or in a corner, then White a white stone beside that gap, across or down.
Then jump with a stone over a neighbouring stone of your opponent, across or down, to the empty square behind it, \
and remove that one.
More jumps of the same stone in the same direction may follow. Whoever cannot jump has lost."""
HISTORY = """An old game of Hawaii. In *Solving Narrow Konane Boards*, 2021, Jos Uiterwijk names four places for the \
first two gaps. He solved boards of one and two rows, those of three rows for three of these places, and those of four \
rows for one. Here the players choose the place, so his results alone do not tell who wins."""
RESULTS = {"3,3": "Second player wins in 4", "4,3": "Second player wins in 4", "4,4": "Second player wins in 6"}
LARGER, ALIASES = {"5,4": "Second player wins in 6"}, {"hawaiian-checkers": ""}


def game(width: int = 4, height: int = 4) -> Game:
    """The game on width x height squares."""
    if not (1 <= width <= 8 and 1 <= height <= 8 and width * height > 1):
        raise BadGame(f"width and height must be 1 to 8, and not both 1, not {width} and {height}")
    squares = width * height
    board, last = (1 << squares) - 1, sum(1 << at for at in range(squares) if at % width == width - 1)
    black = sum(1 << at for at in range(squares) if (at % width + at // width) % 2 == 0)
    middle = [y * width + x for y in {(height - 1) // 2, height // 2} for x in {(width - 1) // 2, width // 2}]
    opening = sum(1 << at for at in {0, width - 1, squares - width, squares - 1, *middle})
    # All jumps as the squares that they pass: those of black stones first, then as many places for white ones. What
    # counts of each is the square that it leaves, the one that it reaches, what it takes, and what must be empty.
    lines = [range(y, y + width) for y in range(0, squares, width)] + [range(x, squares, width) for x in range(width)]
    ahead = [line[a : b + 1] for line in lines for a in range(len(line)) for b in range(a + 2, len(line), 2)]
    sides = [[way for path in ahead for way in (path, path[::-1]) if black >> way[0] & 1 == side] for side in (1, 0)]
    count = max(map(len, sides))
    jumps = [way for side in sides for way in (*side, *[range(0)] * (count - len(side)))]
    parts = (slice(1), slice(-1, None), slice(1, None, 2), slice(2, None, 2))
    leaves, reaches, takes, clear = (tuple(sum(1 << at for at in way[part]) for way in jumps) for part in parts)

    def moves(mine: int, theirs: int) -> int:
        free, legal = board & ~(mine | theirs), 0
        if free == 0:
            return mine & opening
        if free & free - 1 == 0:
            return mine & (free >> width | free << width | free >> 1 & ~last | (free & ~last) << 1)
        first = 0 if mine & black else count
        for i in range(first, first + count):
            if mine & leaves[i] and theirs & takes[i] == takes[i] and free & clear[i] == clear[i]:
                legal |= 1 << i - first
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        if (mine | theirs).bit_count() > squares - 2:
            return theirs, mine & ~(1 << move)
        jump = move if mine & black else count + move
        return theirs & ~takes[jump], mine & ~leaves[jump] | reaches[jump]

    def name(mine: int, theirs: int, move: int) -> str:
        if (mine | theirs).bit_count() > squares - 2:
            return names[move]
        way = jumps[move if mine & black else count + move]
        return f"{names[way[0]]}x{names[way[-1]]}"

    names = [f"{'abcdefgh'[at % width]}{at // width + 1}" for at in range(squares)]
    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        tier=lambda mine, theirs: squares - (mine | theirs).bit_count(),
        bits=squares,
        shape=(width, height),
        start=(black, board ^ black),
        symmetries=turns_and_mirrors(width, height),
        move_names=name,
        look=Look(
            sides=Sides("Black", "White"),
            title=f"Konane, {width} × {height}",
            shapes=Sides(("stone",), ("stone",)),
            colours=Sides("black", "white"),
        ),
    )
