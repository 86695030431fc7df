"""Games in which every ply sets one more bit, on a GPU: forward layer by layer, then back from the last."""

import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import DeviceArray, from_gpu, to_gpu
from perfectplay.solvers.forecast import Forecast, expected_positions, refuse
from perfectplay.solvers.gpu.gpu_tables import LOAD, Room, Tabled, TooLong, even
from perfectplay.solvers.memory.expansion import ASTRAY, start_keys
from perfectplay.solvers.memory.layered import NotLayered
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import Scale, earlier_both_ways
from perfectplay.words import BadGame

AMPLE = 1 << 16
"""Below this many positions, a table gets the largest size that it could need."""
ENOUGH, SURE = 20_000_000, 1_000_000_000
"""Positions after which the first forecast is made, and after which it is trusted: about a second of work."""
MORE = 1.5
"""The factor by which a table that was too small grows."""

Taken = Callable[[Tabled, DeviceArray], None]
Graded = tuple[DeviceArray, DeviceArray]
"""The grades of finished positions, and for each grade the grade one ply earlier, on the GPU."""


def start_key(room: Room, symmetric: bool) -> int:
    """The key of the start, or of its class."""
    key = int(start_keys(room.game, symmetric)[0])
    if key >> room.kernels.KEY_BITS:
        raise BadGame(
            f"the key of the start is {key}, which has more than the {room.kernels.KEY_BITS} bits of key_bits"
        )
    return key


def start_value(room: Room, table: Tabled, values: DeviceArray) -> int:
    """The grade or code of the start; raises BadGame if its class is missing, so the symmetries are wrong."""
    value = room.value_of(table, values, start_key(room, symmetric=True))
    if value < 0:
        raise BadGame(ASTRAY)
    return value


def started(room: Room, slots: int, symmetric: bool) -> Tabled:
    """A table with the start only."""
    table = room.new(slots)
    room.gpu.run(room.kernels.put, table.table, table.shape, to_gpu(np.array([start_key(room, symmetric)])))
    table.count = 1
    return table


def expected_next(sizes: list[int], moves: int) -> float:
    """The approximate number of positions in the next layer, rather too high than too low.

    Growth from layer to layer falls smoothly, but differs between the two sides' moves, so it is extrapolated from the
    last two layers of the same side.
    """
    if len(sizes) < 6 or sizes[-1] < AMPLE:
        return float(sizes[-1]) * moves
    growth = [after / before for before, after in pairwise(sizes)]
    return sizes[-1] * min(growth[-2], growth[-2] ** 2 / growth[-4])


def forward(room: Room, symmetric: bool, layers: list[Tabled], longest: int) -> Steps[None]:
    """Appends all layers; raises NotLayered for a game without layers, TooLong for more than `longest` plies."""
    kernels, marks = room.kernels, sum(word.bit_count() for word in room.game.start)
    layers.append(started(room, room.slots_for(1), symmetric))
    begin = time.monotonic()
    while True:
        above = layers[-1]
        ply = len(layers) - 1
        slots = room.slots_for(expected_next([layer.count for layer in layers], kernels.MOVES))
        while True:
            below = room.new(slots, keep=(above,))
            tallies = expanded(room, above, marks + ply, symmetric, below)
            if tallies[kernels.UNLIKE]:
                raise NotLayered
            if not tallies[kernels.FULL]:
                break
            room.drop(below)
            slots = even(MORE * slots, up=True)
        below.count = int(tallies[kernels.FRESH])
        if below.count == 0:
            room.drop(below)
            return
        layers.append(below)
        if len(layers) > longest:
            raise TooLong
        yield foreseen(room, [layer.count for layer in layers], time.monotonic() - begin)


def foreseen(room: Room, sizes: list[int], seconds: float) -> Step:
    """The step after the last of these layers, with a forecast; raises TooBig if the rest will not fit."""
    done = sum(sizes)
    if done < ENOUGH or room.plies is None:
        return Step("forward", done)
    expected = max(done, expected_positions(sizes, room.plies, room.most))
    bytes_needed = int(expected / LOAD) * room.width
    forecast = Forecast(expected, bytes_needed, 2 * seconds * expected / done, least=False)
    if bytes_needed > max(1.5, SURE / done) * room.capacity():
        raise refuse(room.game, forecast, room.capacity())
    return Step("forward", done, expected, note="" if done - sizes[-1] >= ENOUGH else str(forecast))


def expanded(room: Room, above: Tabled, marks: int, symmetric: bool, below: Tabled) -> NDArray[np.int64]:
    """Adds the children of the positions above to the table below; returns the tallies."""
    arguments = (above.table, above.shape, marks, symmetric, below.table, below.shape, room.tallies)
    room.gpu.run(room.kernels.expand, *arguments)
    return room.tally()


def grade_by_children(
    room: Room, layer: Tabled, below: Tabled, scale: Graded, weighed: bool, counts: DeviceArray
) -> None:
    """Grades a layer by the one below; counts the grades, with all images if `weighed`."""
    tables = (layer.table, layer.shape, below.table, below.shape)
    room.gpu.run(room.kernels.grade_by_children, *tables, *scale, weighed, counts, room.tallies)


def backward(
    room: Room, symmetric: bool, layers: list[Tabled], scale: Scale, counts: NDArray[np.int64], take: Taken
) -> Steps[int]:
    """Grades all layers from the last to the first, frees each after `take`, and returns the grade of the start.

    Adds the number of positions of each grade to `counts`.
    """
    kernels, gpu = room.kernels, room.gpu
    steps = (to_gpu(np.array(scale.ends())), to_gpu(np.array(earlier_both_ways(scale))))
    counted, nothing = to_gpu(counts), to_gpu(np.zeros(0, np.uint8))
    total = sum(layer.count for layer in layers)
    done, below, layer = 0, None, None
    while layers:
        layer = layers.pop()
        keep = () if below is None else (below,)
        room.bring_back(layer, keep)
        positions = layer
        if not symmetric:
            layer = classes_of(room, positions, keep=(positions, *keep))
        lower = below or layer  # in the last layer all games are finished
        by_class = counted if symmetric else to_gpu(np.zeros_like(counts))
        grade_by_children(room, layer, lower, steps, symmetric, by_class)
        if not symmetric:
            gpu.run(
                kernels.count_positions, positions.table, positions.shape, layer.table, layer.shape, nothing, counted
            )
            room.drop(positions)
        room.check_all(int(room.tally()[kernels.FRESH]), layer.count)
        take(layer, nothing)
        if below is not None:
            room.drop(below)
        below = layer
        done += positions.count
        yield Step("backward", done, total)
    assert layer is not None
    counts[:] = from_gpu(counted)
    if not symmetric:
        room.check_all(int(counts.sum()), total)
    grade = start_value(room, layer, nothing)
    room.drop(layer)
    return grade


def classes_of(room: Room, positions: Tabled, keep: tuple[Tabled, ...]) -> Tabled:
    """A table of the classes of the positions."""
    slots = room.slots_for(positions.count)
    while True:
        classes = room.new(slots, keep)
        tables = (positions.table, positions.shape, classes.table, classes.shape)
        room.gpu.run(room.kernels.add_classes, *tables, room.tallies)
        tallies = room.tally()
        if not tallies[room.kernels.FULL]:
            classes.count = int(tallies[room.kernels.FRESH])
            return classes
        del tables
        room.drop(classes)
        slots = even(MORE * slots, up=True)
