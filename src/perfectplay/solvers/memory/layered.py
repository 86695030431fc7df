"""Games in which every ply sets one more bit: positions form layers, solved from the last to the first."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import array_kernels
from perfectplay.game import Game
from perfectplay.solvers.memory import placing
from perfectplay.solvers.memory.expansion import (
    GradeArray,
    Run,
    earlier_of,
    ends_of,
    expanded,
    judged,
    scale_of,
    start_keys,
    ungraded,
)
from perfectplay.solvers.memory.sorted_keys import index_of, place_of
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import BYTE, TWO_BYTES, Scale
from perfectplay.solvers.thread_pool import ThreadPool


class NotLayered(Exception):
    """A child does not have exactly one more bit than its parent."""


def forward(game: Game, kernels: Any, pool: ThreadPool, symmetric: bool, layers: list[Run]) -> Steps[None]:
    """Appends all layers to those given; grades the finished positions; raises NotLayered.

    Layer p has exactly the positions with p bits more than the start, so no position is in two layers.
    """
    scale = scale_of(kernels, narrow=True)
    ends = ends_of(scale)
    marks = sum(word.bit_count() for word in game.start)
    keys = layers.pop().keys if layers else start_keys(game, symmetric)
    done = sum(layer.keys.size for layer in layers)
    adds = symmetric and kernels.PLACING
    while keys.size:
        layer = ungraded(scale, keys)
        children, alike = judged(kernels, pool, layer, ends, marks + len(layers))
        if not alike:
            raise NotLayered
        layers.append(layer)
        done += keys.size
        ahead = sum(children)
        yield Step("forward", done, ahead=min(ahead, placing.AHEAD * keys.size) if adds else ahead)
        found = placing.children(kernels, pool, layer) if adds and keys.size >= placing.LARGE else None
        adds = adds and (found is not None or keys.size < placing.LARGE)
        keys = expanded(kernels, pool, layer, children, symmetric) if found is None else found


def scale_for(kernels: Any, layers: list[Run]) -> Scale:
    """The narrowest grades that suffice for these layers."""
    return scale_of(kernels, narrow=len(layers) <= BYTE.longest)


def backward(kernels: Any, pool: ThreadPool, layers: list[Run], solved: int = 1) -> Steps[None]:
    """Grades all layers but the last `solved` ones; in the last layer all games are finished."""
    scale = scale_for(kernels, layers)
    if scale == TWO_BYTES:
        wider = np.array([0, *map(scale.grade, map(BYTE.entry, range(1, BYTE.size)))], np.uint16)
        layers[:] = [Run(keys, wider[grades] if grades.dtype == np.uint8 else grades) for keys, grades in layers]
    earlier = earlier_of(scale)
    room = room_for(layers)
    total = sum(layer.keys.size for layer in layers)
    done = sum(layer.keys.size for layer in layers[-solved:])
    for ply in range(len(layers) - solved - 1, -1, -1):
        grade_by_children(kernels, pool, layers[ply], layers[ply + 1], earlier, room)
        done += layers[ply].keys.size
        yield Step("backward", done, total)


def grade_by_children(
    kernels: Any, pool: ThreadPool, layer: Run, below: Run, earlier: GradeArray, room: GradeArray | None = None
) -> None:
    """Grades the ongoing positions by their children in the layer below; `room` is for its blocks."""
    adds = kernels.PLACING and layer.keys.size >= placing.LARGE
    if adds and placing.grade_by_children(kernels, pool, layer, below, earlier):
        return
    parts = pool.parts(layer.keys.size)
    blocks = None if kernels.AGAIN else blocks_of(pool, below, earlier, room if room is not None else room_for([below]))
    if blocks is not None:
        pool.map(lambda part: kernels.grade_by_blocks(layer.keys[part], layer.grades[part], *blocks), parts)
        return
    index = index_of(pool, below.keys)
    pool.map(
        lambda part: kernels.grade_by_children(layer.keys[part], layer.grades[part], below.grades, earlier, *index),
        parts,
    )


# The grades of a layer where its parents find them: in blocks of 32 consecutive keys.


EMPTY = 20
"""The most places for each key, so that blocks take less than the children of a layer did."""
FEW_BRANCHES = 1 << 19
"""Up to this number, branches take no more than a second-level cache or two."""


class Blocks(NamedTuple):
    """Finds the grade of a key, one ply earlier; the fields are the kernels' arguments, in order."""

    branches: NDArray[np.int64]
    grades: NDArray[Any]


def room_for(layers: list[Run]) -> GradeArray:
    """Room for the blocks of any of these layers; what is not used takes no memory."""
    return np.empty(EMPTY * max(layer.keys.size for layer in layers), layers[0].grades.dtype)


def blocks_of(pool: ThreadPool, run: Run, earlier: GradeArray, room: GradeArray) -> Blocks | None:
    """The grades of these positions in blocks; None if keys are so far apart that the room does not suffice."""
    keys = run.keys
    branches = (int(keys[-1]) >> 11) + 1
    if branches > max(FEW_BRANCHES, keys.size):
        return None
    cuts = [place_of(keys, int(keys[part.start]) >> 11 << 11) for part in pool.parts(keys.size)]
    parts = [slice(begin, end) for begin, end in pairwise([*cuts, keys.size])]
    counts = pool.map(lambda part: int(array_kernels.count_blocks(keys[part])), parts)
    if sum(counts) << 5 > room.size:
        return None
    blocks = Blocks(np.empty(2 * branches, np.int64), room)

    def fill(i: int) -> None:
        array_kernels.fill_blocks(keys[parts[i]], run.grades[parts[i]], earlier, sum(counts[:i]), *blocks)

    pool.map(fill, range(len(parts)))
    return blocks
