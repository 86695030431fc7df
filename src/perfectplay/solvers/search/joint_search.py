"""A hard search on several threads: all run the same null-window test, each with its own stack, and share the table.

A test is proven by whichever thread ends it first, so bounds and answers do not depend on the threads. They run in
rounds of some thousandths of a second and wait for each other in between: then what one has settled, the others give
up, and a search can be paused, limited and interrupted as on one thread.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

Work = NDArray[np.int64]

HARD = 1 << 18
"""Nodes after which a search is hard, so that further threads pay."""
ROUND = 1 << 16
"""Nodes of a thread in a round."""


def search_together(kernels: Any, slots: Work, slot_bits: int, team: list[Work], nodes: int) -> bool:
    """Searches for about `nodes` more nodes, the first of the team leads; returns whether the search is done."""
    leader = team[0]
    last = nodes_of(kernels, team) + nodes
    with ThreadPoolExecutor(len(team)) as pool:  # it waits for all, whatever happens
        while (left := last - nodes_of(kernels, team)) > 0:
            if not kernels.aim(leader):
                return True
            for thread, work in enumerate(team):
                kernels.join(work, leader, thread, len(team))
            budget = min(ROUND, -(-left // len(team)))
            running = [pool.submit(resumed, kernels, work, slots, slot_bits, budget) for work in team]
            for work, score in zip(team, [thread.result() for thread in running], strict=True):
                if score != kernels.PAUSE:
                    work[kernels.TESTING] = 0
                    kernels.settle(leader, score)
    return not kernels.aim(leader)


def resumed(kernels: Any, work: Work, slots: Work, slot_bits: int, budget: int) -> int:
    """The result of the paused test as one thread runs it further, or PAUSE."""
    kernels.catch_up(work, slots, slot_bits)
    score: int = kernels.test(work, slots, slot_bits, budget)
    return score


def nodes_of(kernels: Any, team: list[Work]) -> int:
    """The nodes searched by all threads."""
    return sum(int(work[kernels.NODES]) for work in team)
