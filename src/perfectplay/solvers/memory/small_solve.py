"""Solves a game of some hundred thousand positions with a single compiled loop over its rules; numpy does the rest.

The kernels of the larger solvers are several times as fast, but take longer to compile than all of this.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game, start_is_symmetric
from perfectplay.solvers.memory.cyclic import ENDLESS, FARTHEST, SCALE, TOO_FAR
from perfectplay.solvers.memory.expansion import NO_GAME, GradeArray, Run, broken, earlier_of, ends_of, start_keys
from perfectplay.solvers.memory.sorted_keys import Keys, kind_for
from perfectplay.solvers.memory.work import Solved, entries_of
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, ONGOING, TooBig

LARGEST = 400_000
"""The most positions: beyond, compiled kernels are worth their compiler."""
AT_ONCE = 1 << 12
"""Positions looked at in one call."""
OUTCOME, COUNT, IMAGES, MARGIN, TIER = range(5)
"""The columns of what `look` finds out about a position."""
Facts = NDArray[np.int64]


class Graph(NamedTuple):
    """All positions in key order, what the rules say of them, and the parents of each, one after the other.

    A parent ~i is a position in which the same side moves again.
    """

    keys: Keys
    facts: Facts
    starts: NDArray[np.int64]
    parents: NDArray[np.int64]


def suits(game: Game) -> bool:
    """Whether the game is of the kind solved here: results, not points, in one tier, by symmetry from the start."""
    return game.margin is None and game.tier is None and start_is_symmetric(game)


def solved_if_small(game: Game, kernels: Any, largest: int = LARGEST) -> Steps[Solved | None]:
    """The solution, None if the game has more than `largest` canonical positions."""
    graph = yield from explored(kernels, start_keys(game, symmetric=True).astype(np.int64), largest)
    if graph is None:
        return None
    yield Step("backward", 0, graph.keys.size)
    run = Run(graph.keys.astype(kind_for(int(graph.keys[-1]))), graded(graph))
    counts = np.bincount(run.grades, weights=graph.facts[:, IMAGES], minlength=SCALE.size).astype(np.int64)
    first = np.searchsorted(graph.keys, start_keys(game, symmetric=True)[0])
    yield Step("counting", run.keys.size, run.keys.size)
    return Solved(SCALE, [run], entries_of(SCALE, counts), SCALE.entry(int(run.grades[first])))


def explored(kernels: Any, frontier: Keys, largest: int) -> Steps[Graph | None]:
    """The graph of all positions that can be reached from the frontier; None if there are more than `largest`."""
    known = frontier
    keys, facts, children = [], [], []
    while frontier.size:
        found, below = facts_of(kernels, frontier)
        keys.append(frontier)
        facts.append(found)
        children.append(below)
        fresh = distinct(np.where(below < 0, ~below, below))
        places = np.searchsorted(known, fresh)
        frontier = fresh[known[np.minimum(places, known.size - 1)] != fresh]
        known = np.insert(known, np.searchsorted(known, frontier), frontier)
        if known.size > largest:
            return None
        yield Step("forward", known.size, ahead=int(frontier.size))
    return linked(np.concatenate(keys), np.concatenate(facts), np.concatenate(children))


def facts_of(kernels: Any, keys: Keys) -> tuple[Facts, Keys]:
    """What the rules say of these positions, and the keys of their children; raises BadGame."""
    facts = np.empty((keys.size, 5), np.int64)
    buffer, none, found = np.empty(AT_ONCE * kernels.MOST_MOVES, np.int64), np.empty(0, np.int64), []
    for begin in range(0, keys.size, AT_ONCE):
        count = kernels.look(keys[begin : begin + AT_ONCE], facts[begin : begin + AT_ONCE], buffer, none, False)
        if count < 0:
            raise broken(kernels, int(keys[begin - 1 - count]), NO_GAME)
        found.append(buffer[:count].copy())
    return facts, np.concatenate(found)


def distinct(keys: Keys) -> Keys:
    """The keys, sorted and distinct; numpy's own function takes several times as long."""
    keys = np.sort(keys)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if keys.size else keys


def linked(keys: Keys, facts: Facts, children: Keys) -> Graph:
    """The graph of positions, in any order, and of their children."""
    order = np.argsort(keys)
    keys, number = keys[order], np.empty(keys.size, np.int64)
    number[order] = np.arange(keys.size)
    parents = np.repeat(number, facts[:, COUNT])
    again = children < 0
    parents[again] = ~parents[again]
    children, parents = by_child(np.where(again, ~children, children), parents, keys.size.bit_length() + 1)
    starts = np.searchsorted(children, np.append(keys, np.iinfo(np.int64).max))
    return Graph(keys, facts[order], starts, parents)


def by_child(children: Keys, parents: NDArray[np.int64], bits: int) -> tuple[Keys, NDArray[np.int64]]:
    """Children and parents in the order of the children; a parent has so many bits, with its sign.

    Side by side in one number they are sorted in half the time.
    """
    if int(children.max(initial=0)) >> COMPILED_BITS - bits:
        order = np.argsort(children)
        return children[order], parents[order]
    both = np.sort(children << bits | parents & (1 << bits) - 1)
    found, sign = both & (1 << bits) - 1, 1 << bits - 1
    return both >> bits, (found ^ sign) - sign


def graded(graph: Graph) -> GradeArray:
    """The grades of all positions: first wins and losses in order of distance, then draws; the rest never ends."""
    outcomes, waiting, earlier = graph.facts[:, OUTCOME], graph.facts[:, COUNT].copy(), earlier_of(SCALE)
    grades = np.where(outcomes == ONGOING, 0, ends_of(SCALE)[np.minimum(outcomes, 1) + 1]).astype(np.uint16)
    ended = outcomes != ONGOING
    for wave in (np.flatnonzero(ended & (outcomes != DRAW)), np.flatnonzero(outcomes == DRAW)):
        while wave.size:
            wave = decided_by(graph, grades, waiting, earlier, wave)
    if np.isin(FARTHEST, grades).any():
        raise TooBig(TOO_FAR)
    grades[grades == 0] = ENDLESS
    return grades


def decided_by(
    graph: Graph, grades: GradeArray, waiting: NDArray[np.int64], earlier: GradeArray, wave: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Grades the positions that these, all equally far from the end, decide one ply earlier; returns their places."""
    counts = graph.starts[wave + 1] - graph.starts[wave]
    begins = np.repeat(graph.starts[wave] - np.cumsum(counts) + counts, counts)
    parents = graph.parents[begins + np.arange(begins.size)]
    again = parents < 0
    parents = np.where(again, ~parents, parents)
    after = np.repeat(grades[wave].astype(np.int64), counts)
    found = earlier[after + again * (earlier.size // 2)]
    undecided = grades[parents] == 0
    parents, found = parents[undecided], found[undecided]
    kept = found > SCALE.longest + 1
    grades[parents[kept]] = found[kept]
    open_still = ~kept & (grades[parents] == 0)
    places, times = np.unique(parents[open_still], return_counts=True)
    waiting[places] -= times
    lost = places[waiting[places] == 0]
    if lost.size:
        grades[lost] = found[open_still][0]
    return np.concatenate([distinct(parents[kept]), lost])
