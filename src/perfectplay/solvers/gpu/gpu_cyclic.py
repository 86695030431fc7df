"""Retrograde analysis on a GPU for games of any kind: all positions in one table, one pass per distance."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import DeviceArray
from perfectplay.solvers.forecast import in_bytes, in_words
from perfectplay.solvers.gpu.gpu_layered import classes_of, started
from perfectplay.solvers.gpu.gpu_tables import LOAD, Room, Tabled, even
from perfectplay.solvers.memory.expansion import ASTRAY
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, LOSS, WIN, BadGame, Entry, PointsEntry, TooBig

FIRST_SHARE = 512
"""The first table takes 1/512 of the GPU's memory."""
BESIDE = 2.5
"""Bytes per slot beside its entry: a code and the bit planes."""
GROWTH = 4
"""The factor by which a full table grows."""
LONGEST = (1 << 14) - 2
"""The greatest distance that a code can hold."""
CODES = 1 << 16


def code_of(value: int, distance: int) -> int:
    """An entry as a number: the distance, and below it the value in two bits."""
    return distance << 2 | value + 2


def entry_of(kernels: Any, code: int) -> Entry:
    """The entry of the code; 0, never decided, is an endless draw."""
    if kernels.POINTS:
        return PointsEntry(code - kernels.EVEN)
    return Entry(code % 4 - 2, code // 4) if code else Entry(DRAW, None)


def entries_in(kernels: Any, numbers: NDArray[np.int64]) -> Counter[Entry]:
    """How many positions have each entry, given how many have each code."""
    return Counter({entry_of(kernels, int(code)): int(numbers[code]) for code in np.flatnonzero(numbers)})


class Graph(NamedTuple):
    """Positions, a code for each slot, the slots of all children, and for each slot where its own children begin.

    Only classes have codes, and the children are there only if they fit.
    """

    table: Tabled
    codes: DeviceArray
    edges: DeviceArray
    firsts: DeviceArray


def reached(room: Room, symmetric: bool) -> Steps[Graph]:
    """All reachable positions, or all classes; starts again with a larger table whenever one is full."""
    most = even(room.memory.limit / (room.width + BESIDE))
    slots = room.slots_for(LOAD * room.memory.limit / room.width / FIRST_SHARE)
    while True:
        graph = new_graph(room, started(room, slots, symmetric), symmetric)
        if (yield from explored(room, graph, symmetric)):
            return graph
        forget(room, graph)
        del graph  # frees its memory for the next
        if slots >= most:
            raise TooBig(
                f"{room.game.name} will not fit the GPU: it has more than {in_words(int(LOAD * slots))} positions, "
                f"and {room.gpu.name} has {in_bytes(room.memory.limit)}; "
                'try a smaller size, or engine="numba"'
            )
        slots = min(GROWTH * slots, most)


def reached_classes(room: Room, positions: Tabled) -> Steps[Graph]:
    """All classes of the positions; raises BadGame if a child is not among them."""
    graph = new_graph(room, classes_of(room, positions, keep=(positions,)), True, keep=(positions,))
    count = graph.table.count
    had_room = yield from explored(room, graph, True)
    if not had_room or graph.table.count != count:
        raise BadGame(ASTRAY)
    return graph


def new_graph(room: Room, table: Tabled, coded: bool, keep: tuple[Tabled, ...] = ()) -> Graph:
    """The graph of a table, with empty arrays; the children's array has its maximal size if that fits."""
    memory, slots = room.memory, table.slots if coded else 0
    room.make_room(slots * 5 // 2, (table, *keep))  # codes and bit planes
    codes = memory.take(slots, np.uint16)
    room.gpu.run(room.kernels.fill, codes, room.kernels.FREE)
    left = (memory.left - slots // 2 - 8 * slots) // 4
    edges = min(left, table.slots * room.kernels.MOVES) if table.slots < 1 << (31 if room.kernels.AGAIN else 32) else 0
    if edges <= 0 or not coded:
        edges = slots = 0
    return Graph(table, codes, memory.take(edges, np.uint32), memory.take(slots, np.int64))


def forget(room: Room, graph: Graph) -> None:
    """Frees all memory of the graph."""
    for array in (graph.codes, graph.edges, graph.firsts):
        room.memory.give(array)
    room.drop(graph.table)


def explored(room: Room, graph: Graph, symmetric: bool, tier: int = 0) -> Steps[bool]:
    """Expands positions, of that tier if there are tiers, until all are expanded; returns whether there was room."""
    kernels, table = room.kernels, graph.table
    room.reset()
    while True:
        arguments = (table.table, table.shape, symmetric, tier, graph.codes, graph.edges, graph.firsts, room.tallies)
        room.gpu.run(kernels.spread, *arguments)
        tallies = room.tally()
        if tallies[kernels.FULL]:
            return False
        fresh = int(tallies[kernels.FRESH])
        table.count += fresh
        room.kept = not room.tallied[kernels.SHORT]
        yield Step("forward", table.count)
        if fresh == 0:
            return True


def backward(room: Room, graph: Graph, farthest: int = 0) -> Steps[int]:
    """Gives a code to every decided class: wins and losses in order of distance, then draws; or margins.

    `farthest` is the greatest distance of those that have a code. Returns the greatest distance of all.
    """
    if room.kernels.POINTS:
        return (yield from by_margins(room, graph))
    pull = puller(room, graph)
    size = -(-graph.table.slots // 32)
    won, lost = room.memory.take(size, np.uint32), room.memory.take(size, np.uint32)
    longest, done = 0, 0
    for planes in ({WIN: won, LOSS: lost}, {DRAW: lost}):
        for plane in planes.values():
            room.gpu.run(room.kernels.fill, plane, 0)
        newest = dict.fromkeys(planes, 1)
        for distance in range(LONGEST + 2):
            if distance:
                check_length(distance)
                newest = pulled(room, pull, planes, newest, distance)
                done += sum(newest.values())
                yield Step("backward", done, graph.table.count)
            if not any(newest.values()) and distance > farthest:
                break
            longest = max(longest, distance) if any(newest.values()) and distance else longest
            for value, plane in planes.items():
                if newest[value] or distance <= farthest:
                    room.gpu.run(room.kernels.mark, graph.codes, code_of(value, distance), plane)
                    newest[value] = 1
    for plane in (won, lost):
        room.memory.give(plane)
    return max(longest, farthest)


def pulled(
    room: Room, pull: "Pull", planes: dict[int, DeviceArray], newest: dict[int, int], distance: int
) -> dict[int, int]:
    """How many positions are decided at that distance, by value; `newest` tells which values have new positions."""
    if DRAW in planes:
        plane = planes[DRAW]
        return {DRAW: pull(plane, plane, False, code_of(DRAW, distance)) if newest[DRAW] else 0}
    again = room.kernels.AGAIN
    by_loss, by_win = planes[LOSS], planes[WIN]
    return {
        LOSS: pull(by_win, by_loss, True, code_of(LOSS, distance)) if newest[WIN] or again else 0,
        WIN: pull(by_loss, by_win, False, code_of(WIN, distance)) if newest[LOSS] or again else 0,
    }


def by_margins(room: Room, graph: Graph) -> Steps[int]:
    """Gives a code to every class once all its children have one; those that can repeat stay without."""
    kernels, table, codes = room.kernels, graph.table, graph.codes
    done = 0
    while True:
        if room.kept:
            room.gpu.run(kernels.pull_margins, codes, graph.edges, graph.firsts, room.tallies)
        else:
            room.gpu.run(kernels.pull_margins_again, table.table, table.shape, codes, room.tallies)
        fresh = int(room.tally()[kernels.FRESH])
        done += fresh
        yield Step("backward", done, table.count)
        if fresh == 0:
            break
    return 0


def check_length(distance: int) -> None:
    """Raises TooBig if there is no code for the distance."""
    if distance > LONGEST:
        raise TooBig(f"some positions are {LONGEST:,} plies or more from the end, more than a GPU's solver can hold")


Pull = Callable[[DeviceArray, DeviceArray, bool, int], int]
"""Gives a code to undecided positions with some or every child in a plane, and counts them."""


def puller(room: Room, graph: Graph) -> Pull:
    """The way to pull: by stored children, or by generating them again."""
    kernels, table, codes = room.kernels, graph.table, graph.codes

    def pull(plane: DeviceArray, same: DeviceArray, every: bool, code: int) -> int:
        if room.kept:
            room.gpu.run(kernels.pull, codes, graph.edges, graph.firsts, plane, same, every, code, room.tallies)
        else:
            room.gpu.run(kernels.pull_again, table.table, table.shape, codes, plane, same, every, code, room.tallies)
        return int(room.tally()[kernels.FRESH])

    return pull
