"""Six men's morris: place stones, then slide them along the lines; three in a line are a mill and remove a stone."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import NEVER, Game
from perfectplay.look import Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

RULES = """Place your stones, then slide them along the lines. Three in a line, a mill, remove a stone of the opponent.
A stone in a mill is safe while there are others. Whoever has two stones left, or no move, has lost."""
HISTORY = "Nine men's morris, the larger game, is a draw: Ralph Gasser, *Solving Nine Men's Morris*, 1996."
LARGER = {"3": "Draw, endless", "4": "Draw, endless", "6": "Draw, endless"}
GROUP, ALIASES = "Rows", {"six-mens-morris": "6"}
AT = (0, 2, 4, 6, 7, 8, 10, 11, 13, 14, 16, 17, 18, 20, 22, 24)  # the squares of the 16 points on a board of 5 x 5
OTHER = (6, 7, 8, 0, 2, 4, 11, 10, 14, 13, 20, 22, 24, 16, 17, 18)  # those of their neighbours on the other ring
ROWS = ((0, 2, 4), (6, 7, 8), (16, 17, 18), (20, 22, 24), (0, 10, 20), (6, 11, 16), (8, 13, 18), (4, 14, 24))
LINES = (*(pair for a, b, c in ROWS for pair in ((a, b), (b, c))), (2, 7), (10, 11), (13, 14), (17, 22))
FROM, TO = zip(*sorted((AT.index(a), AT.index(b)) for line in LINES for a, b in (line, line[::-1])), strict=True)
POINTS, HAND, REMOVES, MILLS = 0xFFFF, 7 << 16, 1 << 19, tuple(sum(1 << AT.index(at) for at in row) for row in ROWS)


def game(men: int = 6) -> Game:
    """The game with that many stones a side."""
    if not 3 <= men <= 7:
        raise BadGame(f"men must be 3 to 7, not {men}")

    def in_mills(stones: int) -> int:
        found = 0
        for mill in MILLS:
            found |= mill if stones & mill == mill else 0
        return found

    def moves(mine: int, theirs: int) -> int:
        if mine & REMOVES:
            return theirs & POINTS & ~in_mills(theirs) or theirs & POINTS
        slides, free = 0, POINTS & ~(mine | theirs)
        for slide in range(len(FROM)):
            slides |= (mine >> FROM[slide] & free >> TO[slide] & 1) << 16 + slide
        return free if mine & HAND else slides

    def play(mine: int, theirs: int, move: int) -> Position:
        if mine & REMOVES:
            return theirs & ~(1 << move), mine & ~REMOVES
        to = move if move < 16 else TO[move - 16]
        mine = (mine - (1 << 16) if move < 16 else mine & ~(1 << FROM[move - 16])) | 1 << to
        return (mine | REMOVES, theirs) if in_mills(mine) >> to & 1 else (theirs, mine)

    def left(word: int) -> int:
        return (word & POINTS).bit_count() + (word >> 16 & 7)

    def again(mine: int, theirs: int, move: int) -> bool:
        following, _ = play(mine, theirs, move)
        return following & REMOVES != 0

    names, counts = [f"{'abcde'[at % 5]}{at // 5 + 1}" for at in AT], tuple(map(str, range(men + 1)))
    hands = [[NEVER, *((HAND, n << 16, side) for n in range(men + 1))] for side in (0, 1)]
    title, beside = f"{'Six' if men == 6 else men} men's morris", ("X in hand", "O in hand", "mill")
    pieces, colours, turns = Sides(("X", *counts), ("O", *counts)), Sides("black", "white"), turns_and_mirrors(5, 5)
    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: LOSS if left(mine) < 3 or moves(mine, theirs) == 0 else ONGOING,
        again=again,
        tier=lambda mine, theirs: 4 * men - left(mine) - left(theirs) - (mine >> 16 & 7) - (theirs >> 16 & 7),
        bits=20,
        shape=(5, 5),
        start=(men << 16, men << 16),  # a word: 16 points, the stones in hand, and whether to remove a stone
        symmetries=[(*(AT.index(turn[at]) for at in ring), 16, 17, 18, 19) for ring in (AT, OTHER) for turn in turns],
        move_names=(*names, *(f"{names[a]}-{names[b]}" for a, b in zip(FROM, TO, strict=True))),
        cells=[*(AT.index(at) if at in AT else " " for at in range(25)), *hands, 19],
        look=Look(title=title, board="points", pieces=pieces, colours=colours, lines=LINES, beside=beside),
    )
