"""Tasks: they are JSON values, and any worker can run them; they read and write files.

A task that runs twice, or twice at once, writes the same files with the same bytes.
"""

import os
import socket
import time
from collections.abc import Callable
from errno import EDQUOT, ENOSPC
from typing import NamedTuple

from perfectplay import words
from perfectplay.compiler.checks.contract import does_not_compile
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.rules.loading import describe_fault
from perfectplay.solvers.out_of_core import cyclic_tasks, exchange, layered_tasks, symmetry_folding, table_sections
from perfectplay.solvers.out_of_core.worker_state import Facts, Plan, WorkerState, state_of

FULL = (ENOSPC, EDQUOT)
"""The error numbers of a full disk."""
ACTS: dict[str, Callable[[WorkerState, int, Facts], Facts]] = {
    act.__name__: act
    for act in (
        layered_tasks.begin,
        layered_tasks.grow,
        layered_tasks.settle,
        layered_tasks.answer,
        symmetry_folding.fold,
        symmetry_folding.unfold,
        cyclic_tasks.gather,
        cyclic_tasks.link,
        cyclic_tasks.lay,
        cyclic_tasks.wave,
        cyclic_tasks.finish,
        table_sections.survey,
        table_sections.deal,
        table_sections.share,
        table_sections.bind,
    )
}
ACTS |= {
    f"{act.__name__}-{what}": act
    for act in (exchange.bundle, exchange.deliver)
    for what in (
        layered_tasks.SENT,
        layered_tasks.ASKED,
        layered_tasks.REPLIES,
        symmetry_folding.FOLDED,
        cyclic_tasks.LINKS,
        cyclic_tasks.NEWS,
    )
}
"""Each kind of files is exchanged in steps of its own name."""


class Task(NamedTuple):
    """One action of a step, for one partition."""

    plan: Plan
    act: str
    part: int
    facts: Facts


def task_from(text: list[object]) -> Task:
    """The task from its JSON values."""
    plan, act, part, facts = text
    return Task(Plan(*plan), act, part, facts)  # type: ignore[misc, arg-type]


def perform(task: Task) -> Facts:
    """The result of the task, its worker and its time; or its fault, for the driver to judge."""
    begin, cpu = time.perf_counter(), time.process_time()
    try:
        workdir = state_of(task.plan).workdir
        opened, created = workdir.opened, workdir.created
        facts = ACTS[task.act](state_of(task.plan), task.part, task.facts)
    except words.PerfectplayError as fault:
        return {"part": task.part, "fault": type(fault).__name__, "why": str(fault)}
    except OSError as fault:
        full = fault.errno in FULL
        return {"part": task.part, "fault": "Full" if full else "OSError", "why": f"{task.act}: {fault}"}
    except NumbaError as fault:
        return {"part": task.part, "fault": "BadGame", "why": str(does_not_compile(task.plan.game, fault))}
    except Exception as fault:  # the driver must learn of any fault
        return {"part": task.part, "fault": type(fault).__name__, "why": f"{task.act}: {describe_fault(fault)}"}
    return {
        "part": task.part,
        **facts,
        "worker": f"{socket.gethostname()}:{os.getpid()}",
        "seconds": time.perf_counter() - begin,
        "cpu": time.process_time() - cpu,
        "opened": workdir.opened - opened,
        "created": workdir.created - created,
    }
