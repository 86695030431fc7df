"""Kings and pawns on 4x4: the first pawn on the last rank wins, a king in check that cannot escape loses.

With promotion=true a pawn on the last rank becomes a queen, and only checkmate wins.
The mover always plays up the board: after each move the board turns by 180 degrees, square s to 15 - s.
A word has the pawns in bits 0 to 15 and the king's square in bits 16 to 19. Squares as White sees them:
     0  1  2  3   rank 4
     4  5  6  7
     8  9 10 11
    12 13 14 15   rank 1
Moves by their target: king 0 to 15, pawn straight on 16 + target, taking right 28 + target, taking left 40 + target.

With queens a word has the pawns of squares 4 to 11 in bits 0 to 7, queens in bits 8 to 23, the king's square in bits 24
to 27. The king moves by its direction, 0 to 7, the i-th other piece in the order of squares by 8 + 16 * i + target.
"""

from perfectplay.game import Game, Images, Look
from perfectplay.words import DRAW, LOSS, ONGOING, BadGame, Position, Sides

RULES = """White has a king on b1 and pawns on a2, b2 and so on, Black the same by a half turn of the board of 4 × 4.
They move and take as in chess, without the pawn's double step.
A pawn on the last rank wins. So does checkmate; stalemate is a draw, and so are kings alone.
With promotion, a pawn on the last rank becomes a queen instead, and only checkmate wins.
A game that never ends is a draw."""
HISTORY = """A small relative of the chess endings that were the first games to be solved backwards from the end
(T. Stroehlein 1970, K. Thompson 1986). White wins in 5 plies; no source is known to us."""
GROUP = "Chess"
RESULTS = {"": "First player wins in 5", "pawns=1": "First player wins in 3"}
LARGER = {
    "pawns=3": "First player wins in 5",
    "pawns=4": "First player wins in 3",
    "pawns=1,promotion=true": "Draw",
    "promotion=true": "First player wins in 11",
}

BOARD, LAST_RANK, OWN_RANK = 0xFFFF, 0x000F, 0xF000
NOT_A, NOT_D = 0xEEEE, 0x7777
STEPS = (-5, -4, -3, -1, 1, 3, 4, 5)
UPWARDS, DOWNWARDS = ((1, NOT_A), (3, NOT_D), (4, BOARD), (5, NOT_A)), ((1, NOT_D), (3, NOT_A), (4, BOARD), (5, NOT_D))
MOST_PAWNS, MOST_WITH_QUEENS = 4, 3
"""A file has one pawn of each side at the start; more than three queens a side have more than 63 moves."""
NAMES = tuple(file + rank for rank in "4321" for file in "abcd")


def around(square: int) -> int:
    """The squares next to this one."""
    here = 1 << square
    row = here | (here & NOT_A) >> 1 | (here & NOT_D) << 1
    return (row | row << 4 | row >> 4) & BOARD & ~here


def checks(mine: int, theirs: int) -> int:
    """Their pawns that attack my king."""
    king = 1 << (mine >> 16)
    return theirs & BOARD & ((king & NOT_A) >> 5 | (king & NOT_D) >> 3)


def moves(mine: int, theirs: int) -> int:
    """The legal moves: nothing slides, so only the king's own step or the taking of its attacker concerns a check."""
    pawns, enemies = mine & BOARD, theirs & BOARD
    blockers = pawns | enemies | 1 << (mine >> 16) | 1 << (theirs >> 16)
    attacked = (enemies & NOT_A) << 3 | (enemies & NOT_D) << 5 | around(theirs >> 16)
    steps = around(mine >> 16) & ~pawns & ~attacked
    straight, prey = pawns >> 4 & ~blockers, enemies
    attackers = checks(mine, theirs)
    if attackers:
        straight, prey = 0, attackers if attackers & (attackers - 1) == 0 else 0
    right, left = (pawns & NOT_D) >> 3 & prey, (pawns & NOT_A) >> 5 & prey
    return steps | straight << 16 | right << 28 | left << 40


def ends(mine: int, move: int) -> tuple[int, int]:
    """The squares that the move goes from and to."""
    if move < 16:
        return mine >> 16, move
    if move < 28:
        return move - 12, move - 16
    if move < 40:
        return move - 25, move - 28
    return move - 35, move - 40


def mirrored(word: int) -> int:
    """The word with files a to d read as d to a."""
    pawns = word & BOARD
    pawns = (pawns & 0x5555) << 1 | pawns >> 1 & 0x5555
    pawns = (pawns & 0x3333) << 2 | pawns >> 2 & 0x3333
    return pawns | (word >> 16 ^ 3) << 16


def turned(word: int) -> int:
    """The word after the board has turned by 180 degrees."""
    word = mirrored(word)
    pawns = (word & 0x0F0F) << 4 | word >> 4 & 0x0F0F
    pawns = (pawns & 0x00FF) << 8 | pawns >> 8
    return pawns | (word >> 16 ^ 12) << 16


def play(mine: int, theirs: int, move: int) -> Position:
    """The position after the move, seen by the other side."""
    origin, target = ends(mine, move)
    if move < 16:
        mine = mine & BOARD | target << 16
    else:
        mine ^= 1 << origin | 1 << target
    return turned(theirs & ~(1 << target)), turned(mine)


def outcome(mine: int, theirs: int) -> int:
    """Lost when a pawn got through or the king cannot escape; drawn when stuck otherwise or without pawns."""
    if theirs & OWN_RANK:
        return LOSS
    if (mine | theirs) & BOARD == 0:
        return DRAW
    if moves(mine, theirs):
        return ONGOING
    return LOSS if checks(mine, theirs) else DRAW


def image(mine: int, theirs: int, i: int) -> Position:
    """The position itself, or its mirror image."""
    return (mine, theirs) if i == 0 else (mirrored(mine), mirrored(theirs))


def white_name(mine: int, theirs: int, move: int) -> str:
    """The move as White makes it, from and to: b1c2."""
    origin, target = ends(mine, move)
    return NAMES[origin] + NAMES[target]


def black_name(mine: int, theirs: int, move: int) -> str:
    """The move as Black makes it, who sees the board turned."""
    origin, target = ends(mine, move)
    return NAMES[15 - origin] + NAMES[15 - target]


def reach(square: int, blockers: int) -> int:
    """The squares that a queen goes to or takes on, up to the first that is taken in each direction."""
    rays = 0
    for step, mask in UPWARDS:
        ray = 1 << square
        for _ in range(3):
            ray = (ray & mask) >> step
            rays |= ray
            ray &= ~blockers
    for step, mask in DOWNWARDS:
        ray = 1 << square
        for _ in range(3):
            ray = (ray & mask) << step & BOARD
            rays |= ray
            ray &= ~blockers
    return rays


def occupied(word: int) -> int:
    """The squares of a side's pawns and queens."""
    return (word & 0xFF) << 4 | word >> 8 & BOARD


def attacked(mine: int, theirs: int) -> bool:
    """Whether my king stands on a square that a piece of theirs attacks."""
    king = mine >> 24
    blockers = occupied(mine) | occupied(theirs) | 1 << (theirs >> 24)
    pawns = checks(king << 16, (theirs & 0xFF) << 4)
    kings, queens = around(king) & 1 << (theirs >> 24), reach(king, blockers) & theirs >> 8 & BOARD
    return pawns | kings | queens != 0


def lowest(squares: int) -> int:
    """The number of the first of these squares; there is one."""
    return max((squares & -squares).bit_length() - 1, 0)


def queens_ends(mine: int, move: int) -> tuple[int, int]:
    """The squares that the move goes from and to, with queens on the board."""
    if move < 8:
        return mine >> 24, (mine >> 24) + STEPS[move] & 15
    pieces = occupied(mine)
    for _ in range(move - 8 >> 4):
        pieces &= pieces - 1
    return lowest(pieces), move - 8 & 15


def queens_moved(mine: int, theirs: int, origin: int, target: int) -> Position:
    """The two words after the move, not turned yet; a pawn on the last rank is a queen."""
    theirs &= ~(1 << target >> 4 & 0xFF | 1 << target + 8)
    if origin == mine >> 24:
        return mine & 0xFFFFFF | target << 24, theirs
    if mine >> 8 >> origin & 1:
        return mine ^ (1 << origin | 1 << target) << 8, theirs
    mine ^= 1 << origin >> 4
    return mine | (1 << target >> 4 if target > 3 else 1 << target + 8), theirs


def queens_legal(mine: int, theirs: int, origin: int, target: int) -> bool:
    """Whether the king is safe after the move."""
    new_mine, new_theirs = queens_moved(mine, theirs, origin, target)
    return not attacked(new_mine, new_theirs)


def queens_moves(mine: int, theirs: int) -> int:
    """The legal moves, with queens on the board."""
    king, own, enemies, legal = mine >> 24, occupied(mine), occupied(theirs), 0
    steps = around(king) & ~own
    for i, step in enumerate(STEPS):
        target = king + step & 15
        if 0 <= king + step < 16 and steps >> target & 1 and queens_legal(mine, theirs, king, target):
            legal |= 1 << i
    blockers, rest = own | enemies | 1 << king | 1 << (theirs >> 24), own
    for i in range(MOST_WITH_QUEENS):
        here, origin = rest & -rest, lowest(rest)
        targets = here >> 4 & ~blockers | ((here & NOT_D) >> 3 | (here & NOT_A) >> 5) & enemies
        if mine >> 8 & here:
            targets = reach(origin, blockers) & ~(own | 1 << king | 1 << (theirs >> 24))
        for target in range(16):
            if targets >> target & 1 and queens_legal(mine, theirs, origin, target):
                legal |= 1 << 8 + 16 * i + target
        rest &= rest - 1
    return legal


def queens_turned(word: int) -> int:
    """The word with queens after the board has turned by 180 degrees."""
    return turned(word >> 8) << 8 | (turned((word & 0xFF) << 4) & BOARD) >> 4


def queens_play(mine: int, theirs: int, move: int) -> Position:
    """The position after the move, with queens, seen by the other side."""
    origin, target = queens_ends(mine, move)
    new_mine, new_theirs = queens_moved(mine, theirs, origin, target)
    return queens_turned(new_theirs), queens_turned(new_mine)


def queens_outcome(mine: int, theirs: int) -> int:
    """Lost by checkmate; drawn when stuck otherwise or with kings alone."""
    if (mine | theirs) & 0xFFFFFF == 0:
        return DRAW
    if queens_moves(mine, theirs):
        return ONGOING
    return LOSS if attacked(mine, theirs) else DRAW


def queens_image(mine: int, theirs: int, i: int) -> Position:
    """The position itself, or its mirror image."""
    if i == 0:
        return mine, theirs
    return (
        mirrored(mine >> 8) << 8 | (mirrored((mine & 0xFF) << 4) & BOARD) >> 4,
        mirrored(theirs >> 8) << 8 | (mirrored((theirs & 0xFF) << 4) & BOARD) >> 4,
    )


def queens_white_name(mine: int, theirs: int, move: int) -> str:
    """The move as White makes it, with queens on the board."""
    origin, target = queens_ends(mine, move)
    return NAMES[origin] + NAMES[target]


def queens_black_name(mine: int, theirs: int, move: int) -> str:
    """The move as Black makes it, with queens on the board."""
    origin, target = queens_ends(mine, move)
    return NAMES[15 - origin] + NAMES[15 - target]


def game(pawns: int = 2, promotion: bool = False) -> Game:
    """The game: White has Kb1 and pawns on a2, b2 and so on, Black the same turned round; White moves first."""
    most = MOST_WITH_QUEENS if promotion else MOST_PAWNS
    if not isinstance(promotion, bool):
        raise BadGame(f"promotion must be true or false, not {promotion}")
    if isinstance(pawns, bool) or not 1 <= pawns <= most:
        raise BadGame(f"pawns must be 1 to {most}{' with promotion' * promotion}, not {pawns}")
    row = (1 << pawns) - 1
    return with_queens(row) if promotion else without_queens(row)


def look(kinds: str) -> Look:
    """The board with pieces of these kinds."""
    pieces, colours = Sides((*kinds,), (*kinds.lower(),)), Sides("white", "black")
    return Look(
        Sides("White", "Black"),
        pieces,
        rows=("4", "3", "2", "1"),
        title="Kings, pawns and queens" if "Q" in kinds else "Kings and pawns",
        summary="A small chess of kings and pawns; pawns become queens, and only checkmate wins."
        if "Q" in kinds
        else "A small chess of kings and pawns; the first pawn across the board wins.",
        board="checks",
        colours=colours,
    )


def without_queens(row: int) -> Game:
    """The game with these pawns of the second rank, in which a pawn on the last rank wins."""
    squares = tuple(((15 << 16, square << 16), (1 << square, 1 << square)) for square in range(16))
    start = row << 8 | 13 << 16  # the king on b1
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=20,
        shape=(4, 4),
        start=(start, turned(start)),
        symmetries=Images(2, image),
        move_names=Sides(white_name, black_name),
        cells=Sides(squares, squares[::-1]),
        look=look("KP"),
    )


def with_queens(row: int) -> Game:
    """The game with these pawns of the second rank, in which a pawn on the last rank becomes a queen."""
    nowhere = (0, 1)  # no word has this
    pawns = [(1 << square - 4, 1 << square - 4) if 4 <= square < 12 else nowhere for square in range(16)]
    squares = tuple(
        ((15 << 24, square << 24), pawns[square], (1 << square + 8, 1 << square + 8)) for square in range(16)
    )
    start = row << 4 | 13 << 24
    return Game(
        moves=queens_moves,
        play=queens_play,
        outcome=queens_outcome,
        bits=28,
        shape=(4, 4),
        start=(start, queens_turned(start)),
        symmetries=Images(2, queens_image),
        move_names=Sides(queens_white_name, queens_black_name),
        cells=Sides(squares, squares[::-1]),
        look=look("KPQ"),
    )
