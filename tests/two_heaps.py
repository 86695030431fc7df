"""Two heaps of 200, in which some rule is wrong in a few positions, far from the start."""

RULES = """
from perfectplay import LOSS, ONGOING, Game, Images, Look, Sides

TOP = 200


def moves(mine, theirs):
    a, b = mine & 255, mine >> 8
    return (a > 0) | (a > 1) << 1 | (b > 0) << 2 | (b > 1) << 3


def play(mine, theirs, move):
    a, b = mine & 255, mine >> 8
    if move < 2:
        a -= move + 1 + LAME * (a == 50) * (move == 1)
    else:
        b -= move - 1
    return a | b << 8, 0


def outcome(mine, theirs):
    return LOSS if mine == 0 else ONGOING


def image(mine, theirs, i):
    return (mine >> 8 | (mine & 255) << 8, 0) if i else (mine, 0)


def key(mine, theirs):
    return mine - (mine == SHARED)


def unkey(number):
    return number, 0


def game():
    names = tuple(str(n) for n in range(1, TOP + 1))
    spots = tuple(tuple((255 << at, n << at) for n in range(1, TOP + 1)) for at in (0, 8))
    return Game(
        moves=moves, play=play, outcome=outcome, bits=16, shape=(2, 1), start=(TOP | TOP << 8, 0), key=key,
        unkey=unkey, key_bits=16, symmetries=Images(2, image) if TURNS else (), move_names=("a1", "a2", "b1", "b2"),
        cells=spots, look=Look(pieces=Sides(names, names)),
    )
"""


def two_heaps(folder, name="heaps", lame=0, shared=-1, turns=True):
    """The path of the game: with `lame`, heap a is not like heap b; `shared` has the key of its neighbour."""
    path = folder / f"{name}.py"
    path.write_text(f"LAME, SHARED, TURNS = {lame}, {shared}, {turns}\n{RULES}")
    return path
