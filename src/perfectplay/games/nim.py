"""Nim: take any number of objects from one heap; whoever takes the last one wins."""

from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP = "Impartial"
RULES = """Take any number of objects from one heap, at least one: a move names an object, and takes all above it, too.
Whoever takes the last object of all wins."""
HISTORY = "Charles Bouton named and solved it: leave heaps whose binary sum without carries is zero."
SOURCE = "C. Bouton, *Nim, a Game with a Complete Mathematical Theory*, 1901"
FIRST, SECOND = f"First player wins: {SOURCE}", f"Second player wins: {SOURCE}"
RESULTS = {"": FIRST, "1,2,3": SECOND, "2,4,6": SECOND, "1,3,5,7": SECOND, "4,4": SECOND, "7": FIRST}


def game(*heaps: int) -> Game:
    """The game with heaps of these sizes; 3, 4 and 5 if none are given."""
    heaps = heaps or (3, 4, 5)
    if not (len(heaps) <= 26 and min(heaps) >= 1 and sum(heaps) <= 62):
        raise BadGame(
            f"heaps must be 1 or more each, 26 heaps and 62 objects at most, not {', '.join(map(str, heaps))}"
        )
    # A heap is as many bits as it has objects, the lowest first. Objects belong to nobody, so they are always `mine`.
    objects, tall = [(heap, at) for heap, size in enumerate(heaps) for at in range(size)], max(heaps)
    above = [[i for i, (other, up) in enumerate(objects) if other == heap and up >= at] for heap, at in objects]
    cuts = tuple(sum(1 << i for i in one) for one in above)

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine & ~cuts[move], 0

    orders: list[list[int]] = [[]]  # heaps of one size can change places
    for size in heaps if len(heaps) <= 6 else ():
        orders = [[*order, to] for order in orders for to in range(len(heaps)) if heaps[to] == size and to not in order]
    return Game(
        moves=lambda mine, theirs: mine,
        play=play,
        outcome=lambda mine, theirs: ONGOING if mine else LOSS,
        impartial=True,
        bits=len(objects),
        shape=(len(heaps), tall),
        start=((1 << len(objects)) - 1, 0),
        symmetries=[tuple(objects.index((order[heap], at)) for heap, at in objects) for order in orders if order],
        key=lambda mine, theirs: mine,
        unkey=lambda key: (key, 0),
        key_bits=len(objects),
        move_names=[f"{chr(ord('a') + heap)}{at + 1}" for heap, at in objects],
        cells=[
            objects.index((heap, at)) if at < size else " "
            for at in reversed(range(tall))
            for heap, size in enumerate(heaps)
        ],
        look=Look(
            sides=Sides("First", "Second"),
            pieces=Sides(("o",), ("o",)),
            shapes=Sides(("stone",), ("stone",)),
            rows=tuple(str(at + 1) for at in reversed(range(tall))),
            title=f"Nim, {'heaps' if len(heaps) > 1 else 'a heap'} of {', '.join(map(str, heaps))}",
        ),
    )
