"""Games in which every ply sets one bit more: positions fall into levels, solved from the last to the first."""

from typing import Any

import numpy as np

from perfectplay.game import Game
from perfectplay.solve.expansion import Run, expanded, judged, start_keys
from perfectplay.solve.sorted_keys import index_of
from perfectplay.solve.steps import Step, Steps
from perfectplay.solve.thread_pool import ThreadPool
from perfectplay.table.grades import BYTE, TWO_BYTES, Grades


class NotLayered(Exception):
    """A position does not have one bit more than those before it."""


def forward(game: Game, kernels: Any, pool: ThreadPool, symmetric: bool, levels: list[Run]) -> Steps[None]:
    """Appends all levels to those that are known; grades the ended positions; raises NotLevelled.

    That level p has just the positions with p bits more than the start also proves that no position is on two levels.
    """
    ends = np.array(BYTE.ends(), np.uint8)
    marks = sum(word.bit_count() for word in game.start)
    keys = levels.pop().keys if levels else start_keys(game, symmetric)
    done = sum(level.keys.size for level in levels)
    while keys.size:
        level = Run(keys, np.empty(keys.size, np.uint8))
        children, alike = judged(kernels, pool, level, ends, marks + len(levels))
        if not alike:
            raise NotLayered
        levels.append(level)
        done += keys.size
        yield Step("forward", done, ahead=sum(children))
        keys = expanded(kernels, pool, level, children, symmetric)


def scale_for(levels: list[Run]) -> Grades:
    """The grades that are enough for so many levels."""
    return BYTE if len(levels) <= BYTE.longest else TWO_BYTES


def backward(kernels: Any, pool: ThreadPool, levels: list[Run], solved: int = 1) -> Steps[None]:
    """Grades all levels but the last few, which are solved already: on the last all games have ended."""
    scale = scale_for(levels)
    if scale != BYTE:
        wider = np.array([0, *map(scale.grade, map(BYTE.entry, range(1, BYTE.size)))], np.uint16)
        levels[:] = [Run(keys, wider[grades] if grades.dtype == np.uint8 else grades) for keys, grades in levels]
    earlier = np.array(scale.earlier(), levels[0].grades.dtype)
    total = sum(level.keys.size for level in levels)
    done = sum(level.keys.size for level in levels[-solved:])
    for ply in range(len(levels) - solved - 1, -1, -1):
        take_back(kernels, pool, levels[ply], levels[ply + 1], earlier)
        done += levels[ply].keys.size
        yield Step("backward", done, total)


def take_back(kernels: Any, pool: ThreadPool, level: Run, below: Run, earlier: Any) -> None:
    """Grades the positions that have not ended by their children on the level below."""
    index = index_of(pool, below.keys)
    pool.map(
        lambda part: kernels.take_back(level.keys[part], level.grades[part], below.grades, earlier, *index),
        pool.parts(level.keys.size),
    )
