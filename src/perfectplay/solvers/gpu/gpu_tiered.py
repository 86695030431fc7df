"""Games with tiers on a GPU: one tier at a time on the GPU, with the children that it has in others.

Forward from the lowest tier, back from the highest. Finished tiers move out to the host, sorted; those children of a
tier that lie in higher tiers come back with their codes.
"""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import from_gpu, to_gpu
from perfectplay.solvers.forecast import in_bytes, in_words
from perfectplay.solvers.gpu import gpu_cyclic
from perfectplay.solvers.gpu.gpu_cyclic import BESIDE, GROWTH, Graph, explored, forget, new_graph
from perfectplay.solvers.gpu.gpu_layered import start_key
from perfectplay.solvers.gpu.gpu_tables import Room, even
from perfectplay.solvers.memory.expansion import ASTRAY
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.summary import tier_count
from perfectplay.words import BadGame, TooBig

KeyArray = NDArray[np.int64]
Tiers = dict[int, KeyArray]
"""The sorted keys of each tier."""


class Coded(NamedTuple):
    """The classes of a graded tier: sorted keys, and the code of each."""

    keys: KeyArray
    codes: NDArray[np.uint16]


def reached(room: Room, symmetric: bool) -> Steps[Tiers]:
    """All reachable positions, or all classes, tier by tier from the lowest; raises BadGame if a tier decreases."""
    game, found = room.game, Tiers()
    assert game.tier is not None
    entered: dict[int, list[KeyArray]] = defaultdict(list)
    entered[int(game.tier(*game.start))].append(np.array([start_key(room, symmetric)]))
    done = 0
    while entered:
        tier = min(entered)
        graph = yield from expanded(room, np.unique(np.concatenate(entered.pop(tier))), symmetric, tier, False)
        by_tier = parted(room, graph)
        forget(room, graph)
        del graph  # frees its memory for the next
        if min(by_tier) < tier:
            wrong = f"the tier of {game.name} decreases from {tier} to {min(by_tier)}"
            raise BadGame(f"the rules break the contract: {wrong}; run perfectplay check for details")
        found[tier] = by_tier.pop(tier)
        for other, keys in by_tier.items():
            entered[other].append(keys)
        done += found[tier].size
        yield Step("forward", done, detail=f"tier {tier}")
    return found


def expanded(room: Room, keys: KeyArray, symmetric: bool, tier: int, coded: bool) -> Steps[Graph]:
    """A graph of all positions of the tier that can be reached from these keys, and of their children."""
    most = even(room.memory.limit / (room.width + BESIDE))
    slots = room.slots_for(2 * keys.size)
    while True:
        table = room.new(min(slots, max(most, room.slots_for(1))))
        table.count = keys.size
        room.gpu.run(room.kernels.put, table.table, table.shape, to_gpu(keys))
        graph = new_graph(room, table, coded)
        if (yield from explored(room, graph, symmetric, tier)):
            return graph
        forget(room, graph)
        del graph, table  # frees their memory for the next
        if slots >= most:
            raise TooBig(
                f"tier {tier} of {room.game.name} will not fit the GPU: it has more than {in_words(keys.size)} "
                f"positions, and {room.gpu.name} has {in_bytes(room.memory.limit)}; "
                'try a smaller size, or engine="numba"'
            )
        slots = min(GROWTH * slots, most)


def parted(room: Room, graph: Graph) -> Tiers:
    """The sorted keys of the positions in the table by tier."""
    table = graph.table
    tiers = room.memory.take(table.slots, np.int64)
    room.gpu.run(room.kernels.tiers_at, table.table, table.shape, tiers)
    keys, of = room.unloaded(table, tiers, np.int64)
    room.memory.give(tiers)
    return {tier: np.sort(keys[of == tier]) for tier in np.unique(of).tolist()}


def graded(room: Room, classes: Tiers, positions: Tiers | None, counts: NDArray[np.int64]) -> Steps[dict[int, Coded]]:
    """The codes of all classes, tier by tier from the highest; adds the number of positions with each to `counts`."""
    done, total = 0, sum(keys.size for keys in classes.values())
    found: dict[int, Coded] = {}
    for number, tier in reversed([*enumerate(sorted(classes), 1)]):
        detail = f"tier {tier}, {number} of {len(classes)}"
        graph = yield from expanded(room, classes[tier], True, tier, True)
        farthest = put_beyond(room, graph, found, tier)
        yield from gpu_cyclic.backward(room, graph, farthest)
        own = counted(room, graph, tier, None if positions is None else positions[tier])
        counts += own
        found[tier] = taken(room, graph, classes[tier])
        forget(room, graph)
        del graph
        done += classes[tier].size
        found_here = tier_count(tier, classes[tier].size, gpu_cyclic.entries_in(room.kernels, own))
        yield Step("backward", done, total, detail=detail, tier=found_here)
    return found


def put_beyond(room: Room, graph: Graph, found: dict[int, Coded], tier: int) -> int:
    """Gives the children in higher tiers their codes; returns the greatest distance; raises BadGame."""
    farthest = 0
    for other, keys in parted(room, graph).items():
        if other == tier:
            continue
        known = found.get(other, Coded(keys[:0], np.zeros(0, np.uint16)))
        places = np.searchsorted(known.keys, keys)
        if known.keys.size == 0 or (known.keys[np.minimum(places, known.keys.size - 1)] != keys).any():
            raise BadGame(ASTRAY)
        codes = known.codes[places]
        farthest = max(farthest, int(codes.max()) >> 2)
        codes = np.where(codes == 0, room.kernels.FREE, codes).astype(np.uint16)  # an endless draw is not to be decided
        graph_of = (graph.table.table, graph.table.shape, to_gpu(keys), to_gpu(codes), graph.codes)
        room.gpu.run(room.kernels.put_known, *graph_of)
    return farthest


def counted(room: Room, graph: Graph, tier: int, positions: KeyArray | None) -> NDArray[np.int64]:
    """The number of positions of the tier with each code: of these, or of all images of the classes."""
    kernels, table = room.kernels, graph.table
    counts = to_gpu(np.zeros(gpu_cyclic.CODES, np.int64))
    if positions is None:
        room.gpu.run(kernels.count_codes, table.table, table.shape, tier, graph.codes, True, counts, room.tallies)
        room.tally()
    else:
        own = room.new(room.slots_for(positions.size), keep=(table,))
        room.gpu.run(kernels.put, own.table, own.shape, to_gpu(positions))
        room.gpu.run(kernels.count_positions, own.table, own.shape, table.table, table.shape, graph.codes, counts)
        room.check_all(int(from_gpu(counts).sum()), positions.size)
        room.drop(own)
    return from_gpu(counts)


def taken(room: Room, graph: Graph, keys: KeyArray) -> Coded:
    """The codes of the tier's own classes."""
    all_keys, codes = room.unloaded(graph.table, graph.codes, np.uint16)
    order = np.argsort(all_keys)
    places = order[np.searchsorted(all_keys, keys, sorter=order)]
    return Coded(keys, codes[places])
