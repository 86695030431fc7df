"""Kings and pawns on 4x4: the first pawn on the last rank wins, a king in check that cannot escape loses.

The mover always plays up the board: after each move the board turns by 180 degrees, square s to 15 - s.
A word has the pawns in bits 0 to 15 and the king's square in bits 16 to 19. Squares as White sees them:
     0  1  2  3   rank 4
     4  5  6  7
     8  9 10 11
    12 13 14 15   rank 1
Moves by their target: king 0 to 15, pawn straight on 16 + target, taking right 28 + target, taking left 40 + target.
"""

from perfectplay.game import Game, Images, Look
from perfectplay.words import DRAW, LOSS, ONGOING, Position, Sides

BOARD, LAST_RANK, OWN_RANK = 0xFFFF, 0x000F, 0xF000
NOT_A, NOT_D = 0xEEEE, 0x7777
START = 0b0011 << 8 | 13 << 16  # pawns on a2 and b2, seen from below; king on b1
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
    taken = pawns | enemies | 1 << (mine >> 16) | 1 << (theirs >> 16)
    attacked = (enemies & NOT_A) << 3 | (enemies & NOT_D) << 5 | around(theirs >> 16)
    steps = around(mine >> 16) & ~pawns & ~attacked
    straight, prey = pawns >> 4 & ~taken, enemies
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


def game() -> Game:
    """The game: White has Kb1 and pawns a2 b2, Black has Kc4 and pawns c3 d3; White moves first."""
    squares = tuple(((15 << 16, square << 16), (1 << square, 1 << square)) for square in range(16))
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=20,
        shape=(4, 4),
        start=(START, turned(START)),
        symmetries=Images(2, image),
        move_names=Sides(white_name, black_name),
        cells=Sides(squares, squares[::-1]),
        look=Look(Sides("White", "Black"), Sides(("K", "P"), ("k", "p")), rows=("4", "3", "2", "1")),
    )
