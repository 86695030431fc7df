"""Checkers on small boards: men move diagonally and take by jumping; on the last rank they become kings."""

from perfectplay.game import NEVER, Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

RULES = """Each side begins with men on the dark squares, such as a1, of its nearest ranks. Black is below and begins.
Men move one square diagonally forward, kings forward or back. In these directions they also jump over a piece of \
the opponent next to them to the empty square behind it, and take it at once.
Whoever can take must, and goes on taking with the same piece as long as it can.
A man on the last rank becomes a king, which ends its move.
Whoever cannot move has lost. A game that never ends is a draw."""
HISTORY = "English draughts, whose full board took from 1989 to 2007 to solve."
GROUP, REPORTED = "Capture", {"8,8,3": "Draw: J. Schaeffer et al., *Checkers Is Solved*, 2007"}
ALIASES, DEFAULTS = {"draughts": ""}, lambda n, *h: (n, *(h or (n, n // 2 - 1)))
RESULTS, LARGER = {"4,4": "Draw, endless"}, {"4,6": "Second player wins in 34"}


def game(width: int = 4, height: int = 6, ranks: int = 1) -> Game:
    """The game on the dark squares of width x height, with that many ranks of men a side."""
    if not (width in (4, 6, 8) and height in (4, 6, 8) and 0 < 2 * ranks < height):
        raise BadGame(f"sizes are 4, 6 or 8, and ranks below half the height, not {width}, {height} and {ranks}")
    # The mover always plays up: after a turn the board turns. A word: men and kings in the low bits, in the high ones
    # kings and the piece that must go on taking, and whether that is a king. A move: a square and one next to it.
    grid = [(x, y) for y in range(height) for x in range(width)]
    dark = {(x, y): 1 << i for i, (x, y) in enumerate((x, y) for x, y in grid if (x + y) % 2)}
    ways = [(x, y, a, b) for b in (-1, 1) for x, y in dark for a in (-1, 1) if (x + a, y + b) in dark]
    source, near = tuple(dark[x, y] for x, y, a, b in ways), tuple(dark[x + a, y + b] for x, y, a, b in ways)
    far, n = tuple(dark.get((x + 2 * a, y + 2 * b), 0) for x, y, a, b in ways), len(dark)
    board, both, king, last = (1 << n) - 1, 1 | 1 << n, 1 << 2 * n, (1 << width // 2) - 1

    def goes_on(word: int) -> int:
        return word >> n & ~word & board

    def moves(mine: int, theirs: int) -> int:
        steps, takes, free = 0, 0, board & ~(mine | mine >> n | theirs | theirs >> n)
        pieces, kings = goes_on(mine) or mine & board, goes_on(mine) if mine & king else mine & mine >> n
        for i in range(len(source)):
            if pieces & source[i] and (i < len(source) // 2 or kings & source[i]):
                steps |= 1 << i if free & near[i] else 0
                takes |= 1 << i if theirs & near[i] and free & far[i] else 0
        return takes if takes or goes_on(mine) else steps

    def turned(word: int) -> int:
        other = 0
        for i in range(n):
            other |= (word >> i & 1) << n - 1 - i | (word >> n + i & 1) << 2 * n - 1 - i
        return other

    def play(mine: int, theirs: int, move: int) -> Position:
        here, over, was_king = source[move], theirs & near[move], mine & king or mine & mine >> n & source[move]
        mine, theirs, to = mine & ~(here * both | king), theirs & ~(over * both), far[move] if over else near[move]
        more = mine | to << n | (king if was_king else 0)
        if over and (was_king or to & last == 0) and moves(more, theirs):
            return more, theirs
        return turned(theirs), turned(mine | to | (to << n if was_king or to & last else 0))

    def name(names: list[str], theirs: int, move: int) -> str:
        to, sign = (far, "x") if theirs & near[move] else (near, "-")
        return sign.join(names[end[move].bit_length() - 1] for end in (source, to))

    names, start = [f"{'abcdefgh'[x]}{height - y}" for x, y in dark], (1 << width // 2 * ranks) - 1
    bits, shapes = [(xy, a, a << n, a * both) for xy, a in dark.items()], ("stone", "text", "text", "text")
    spots = {xy: [(ab, a), (ab, ab), (ab | king, b), (ab | king, b | king)] for xy, a, b, ab in bits}
    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        again=lambda mine, theirs, move: goes_on(play(mine, theirs, move)[0]) > 0,
        bits=2 * n + 1,
        shape=(width, height),
        start=(turned(start), start),
        move_names=Sides(lambda m, t, move: name(names, t, move), lambda m, t, move: name(names[::-1], t, move)),
        cells=Sides(*([spots.get(xy, [NEVER]) for xy in way] for way in (grid, grid[::-1]))),
        look=Look(
            sides=Sides("Black", "White"),
            pieces=Sides(("b", "B", "b!", "B!"), ("w", "W", "w!", "W!")),
            rows=(*"87654321"[-height:],),
            title=f"Checkers, {width} × {height}",
            board="checks",
            shapes=Sides(shapes, shapes),
            colours=Sides("black", "white"),
        ),
    )
