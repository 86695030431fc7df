"""The grades of a layer where its parents find them: in blocks of 32 consecutive keys."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import array_kernels
from perfectplay.solvers.memory.expansion import GradeArray, Run
from perfectplay.solvers.memory.sorted_keys import place_of
from perfectplay.solvers.thread_pool import ThreadPool

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
