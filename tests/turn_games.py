"""Small games with extra turns, for points or not: random graphs, and tic-tac-toe with a centre that moves again."""

from perfectplay import DRAW, LOSS, ONGOING, WIN, Game
from perfectplay.bits import turns_and_mirrors


def number(place, seed, move):
    """A number that looks random."""
    found = (place * 1009 + seed * 7919 + move * 331 + 17) % 65521
    return found * found % 65521 // 7


def some_moves(mine, theirs):
    return 1 + number(mine, theirs, 9) % 7


def some_again(mine, theirs, move):
    return number(mine, theirs, move + 20) % 5 < 2


def wander(mine, theirs, move):
    """Anywhere among 24 places, whoever moves next; the seed stays."""
    return number(mine, theirs, move) % 24, theirs


def wander_on(mine, theirs, move):
    """To a place one to five farther on."""
    return mine + 1 + number(mine, theirs, move) % 5, theirs


def some_ends(mine, theirs):
    return number(mine, theirs, 40) % 3 - 1 if number(mine, theirs, 41) % 4 == 0 else ONGOING


def some_points(mine, theirs):
    return 0 if mine < 30 else number(mine, theirs, 42) % 2001 - 1000


def ends_with_points(mine, theirs):
    if mine < 30:
        return ONGOING
    points = some_points(mine, theirs)
    return WIN if points > 0 else LOSS if points < 0 else DRAW


def random_game(seed, bits=12, **more):
    """A game with cycles and extra turns on a random graph; the seed is part of the positions."""
    rules = {"moves": some_moves, "play": wander, "outcome": some_ends, "again": some_again, **more}
    return Game(bits=bits, shape=(bits, 1), start=(0, seed), move_names=("a", "b", "c"), **rules)


def random_points(seed, **more):
    """A game for points with extra turns on a random graph without cycles."""
    return random_game(seed, **{"play": wander_on, "outcome": ends_with_points, "margin": some_points, **more})


ROWS = (7, 56, 448, 73, 146, 292, 273, 84)
CENTRE = 4


def has_row(word):
    """Whether three squares in a row are taken."""
    found = False
    for row in ROWS:
        found |= word & row == row
    return found


def free(mine, theirs):
    return 511 & ~(mine | theirs)


def take(mine, theirs, move):
    return (mine | 1 << move, theirs) if move == CENTRE else (theirs, mine | 1 << move)


def is_centre(mine, theirs, move):
    return move == CENTRE


def row_or_full(mine, theirs):
    if has_row(mine):
        return WIN
    if has_row(theirs):
        return LOSS
    return ONGOING if mine | theirs != 511 else DRAW


def makes_row(mine, theirs):
    """The moves that win at once."""
    found = 0
    for move in range(9):
        if free(mine, theirs) >> move & 1 and has_row(mine | 1 << move):
            found |= 1 << move
    return found


def holds_off(mine, theirs):
    """The moves after which the other side cannot win at once: the centre, since it moves again, and what blocks."""
    found = 0
    for move in range(9):
        if free(mine, theirs) >> move & 1 and (move == CENTRE or not makes_row(theirs, mine | 1 << move)):
            found |= 1 << move
    return found


def left(mine, theirs):
    return 9 - (mine | theirs).bit_count()


def blocked(mine, theirs):
    """Whether the other side has a stone in every row."""
    found = True
    for row in ROWS:
        found &= theirs & row != 0
    return found


def centre_game(hints):
    """Tic-tac-toe in which whoever takes the centre moves again, with or without hints."""
    given = {"wins": makes_row, "safe": holds_off, "plies_left": left, "hopeless": blocked} if hints else {}
    symmetries = turns_and_mirrors(3, 3)
    return Game(
        moves=free,
        play=take,
        outcome=row_or_full,
        again=is_centre,
        bits=9,
        shape=(3, 3),
        symmetries=symmetries,
        **given,
    )
