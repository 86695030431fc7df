"""Positions up to symmetry with the sides kept apart: a board counts twice if either side can be to move on it.

A position is seen by the side to move, so a table has one entry for a board and the same board with the colours
swapped. Here they are two. In a game in which every move adds a mark, the board tells who is to move, and both counts
are the same.
"""

from collections.abc import Collection, Iterator

from perfectplay.game import Game, after, canonical, legal_moves
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, Position, Sides

INTERPRETED = 20_000
"""Classes up to which plain Python counts, about a second."""
MOST = 200_000
"""Classes that are looked at to find out who is to move."""


def counting_by_side(game: Game, classes: int) -> Steps[int]:
    """The number of pairs of a symmetry class and a side to move that can be reached in a game of so many classes."""
    if classes <= INTERPRETED or game.key is None:
        return by_interpreted_rules(game)
    return by_compiled_rules(game)


def by_interpreted_rules(game: Game) -> Steps[int]:
    """The same, by a walk from class to class: what can follow is the same for all images of a position."""
    total = 0
    for newest in classes_by_ply(game):
        total += len(newest.first) + len(newest.second)
        yield Step("counting by side", total)
    return total


def classes_by_ply(game: Game) -> Iterator[Sides[set[Position]]]:
    """The classes that can be reached, ply by ply, each when it is first met with that side to move."""
    smallest = canonical(game)
    newest: Sides[set[Position]] = Sides({smallest(*game.start)}, set())
    classes: Sides[set[Position]] = Sides(set(newest.first), set())
    while newest.first or newest.second:
        yield newest
        following: Sides[set[Position]] = Sides(set(), set())
        for side, positions in enumerate(newest):
            for position in positions:
                for move in legal_moves(game, position):
                    child, mover = after(game, position, side, move)
                    following[mover].add(smallest(*child))
        newest = Sides(following.first - classes.first, following.second - classes.second)
        classes.first.update(newest.first)
        classes.second.update(newest.second)


def sides_to_move(game: Game, positions: Collection[Position]) -> list[int]:
    """For each reachable position a side that can be to move there, the one that can be so sooner.

    In a game of many classes in which every ply adds a mark, as far as it is looked at, the marks tell the side.
    """
    smallest = canonical(game)
    classes = {smallest(*position) for position in positions}
    sides: dict[Position, int] = {}
    count, layered = 0, game.again is None
    for ply, newest in enumerate(classes_by_ply(game)):
        for side, here in enumerate(newest):
            sides |= dict.fromkeys(here & classes - sides.keys(), side)
            layered = layered and all(marks(position) == marks(game.start) + ply for position in here)
            count += len(here)
        if len(sides) == len(classes) or count > (INTERPRETED if layered else MOST):
            break
    for least in classes - sides.keys():
        sides[least] = (marks(least) - marks(game.start)) % 2 if layered else FIRST
    return [sides[smallest(*position)] for position in positions]


def marks(position: Position) -> int:
    """The bits set in both words."""
    return position[0].bit_count() + position[1].bit_count()


def by_compiled_rules(game: Game) -> Steps[int]:
    """The same with compiled rules, the classes of either side as sorted arrays of keys."""
    from perfectplay.compiler.compiled import load_kernels  # numba: only when it is wanted
    from perfectplay.solvers.engine import cores
    from perfectplay.solvers.memory import cyclic
    from perfectplay.solvers.memory.expansion import children_by_mover, start_keys
    from perfectplay.solvers.thread_pool import ThreadPool

    kernels, pool = load_kernels(game), ThreadPool(cores())
    newest = start_keys(game, symmetric=True)
    classes = (cyclic.Reached(newest, newest), cyclic.Reached(newest[:0], newest[:0]))
    while any(side.frontier.size for side in classes):
        children = [children_by_mover(kernels, pool, side.frontier) for side in classes]
        for side in (0, 1):
            cyclic.add(classes[side], cyclic.united(pool, children[1 - side].other, children[side].same))
        yield Step("counting by side", classes[0].known.size + classes[1].known.size)
    return int(classes[0].known.size + classes[1].known.size)
