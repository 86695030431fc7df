"""Several processes that find out about variants: their results come in as they are done, in any order.

A process that ends, or does not stop long after its time is over, costs its variant and is replaced.

{"game": NAME, "measures": [NAME, ...], "limits": [...], "known": FACTS or null}
    -> any number of {"phase": TEXT}, then {"facts": FACTS} or {"failed": TEXT}
{"probe": NAME}
    -> {"works": true} or {"failed": TEXT, "impossible": BOOL}
"""

import select
import signal
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from perfectplay.insight.sweeps.finding import VariantLimits, finding
from perfectplay.insight.sweeps.measures import FAILED, SOLVED, Facts, facts_in, measures_named
from perfectplay.processes.json_processes import JsonChild, JsonParent, LineTooLong
from perfectplay.rules.loading import describe_fault, line_of, load_game, split_game
from perfectplay.solvers.steps import Step, finished
from perfectplay.words import BadGame, PerfectplayError

LONGEST = 1 << 24
"""The most bytes of a message."""
GRACE = 30.0
"""Seconds after its time that a process has to stop: compiling, and one call of compiled code, are not interrupted."""
TICK = 0.5
"""Seconds between two looks at the time."""
KILLED = "was ended by SIGKILL"


class VariantTask(NamedTuple):
    """A variant to find out about: its number, what the worker is told, and the seconds that it may take."""

    number: int
    message: dict[str, Any]
    seconds: float


class TaskResult(NamedTuple):
    """The result of a task; of a probe only whether it failed, and whether the variant is `impossible`."""

    number: int
    facts: Facts
    impossible: bool = False


class Worker:
    """A process, and the task that it has."""

    def __init__(self) -> None:
        self.child = JsonChild(__name__, LONGEST)
        self.task: VariantTask | None = None
        self.begin = 0.0
        self.phase = ""

    def give(self, task: VariantTask) -> None:
        """Gives it a task."""
        self.task, self.begin, self.phase = task, time.monotonic(), "starting"
        self.child.send(task.message)

    def fail(self, why: str) -> TaskResult:
        """Ends the process; the result of its task, which failed."""
        assert self.task is not None
        number, self.task = self.task.number, None
        self.child.kill()
        return TaskResult(number, Facts(how=FAILED, why=why, seconds=time.monotonic() - self.begin))


class VariantWorkers:
    """Processes that work for this one; to be used in a `with` block, which ends them."""

    def __init__(self, jobs: int, grace: float | None = None) -> None:
        self.workers = [Worker() for _ in range(jobs)]
        self.grace = GRACE if grace is None else grace

    def __enter__(self) -> "VariantWorkers":
        return self

    def __exit__(self, *fault: object) -> None:
        for worker in self.workers:
            worker.child.kill()
            worker.child.end()

    def running(self) -> list[Worker]:
        """The processes that have a task."""
        return [worker for worker in self.workers if worker.task is not None]

    def spent(self) -> dict[int, float]:
        """The seconds that each task under way has taken so far, by its number."""
        now = time.monotonic()
        return {worker.task.number: now - worker.begin for worker in self.workers if worker.task is not None}

    def work(self, tasks: Sequence[VariantTask]) -> Iterator[TaskResult | None]:
        """The results of the tasks, which are begun in this order; None now and then, while there is none."""
        queue = list(reversed(tasks))
        while True:
            for number, worker in enumerate(self.workers):
                if queue and worker.task is None:
                    if worker.child.ended:
                        worker.child.end()
                        self.workers[number] = worker = Worker()
                    worker.give(queue.pop())
            if not self.running():
                return
            results = [result for worker in self.ready() if (result := result_of(worker)) is not None]
            allowed = {worker: worker.task.seconds + self.grace for worker in self.workers if worker.task is not None}
            late = {one: most for one, most in allowed.items() if time.monotonic() - one.begin > most}
            yield from results
            yield from (one.fail(f"still running after {most:g} s, so it was stopped") for one, most in late.items())
            if not results and not late:
                yield None

    def ready(self) -> list[Worker]:
        """The processes that have sent something or have ended, after at most a moment."""
        poll, by_file = select.poll(), {worker.child.source.fileno(): worker for worker in self.running()}
        for file in by_file:
            poll.register(file, select.POLLIN)
        return [by_file[file] for file, _ in poll.poll(1_000 * TICK)]


def result_of(worker: Worker) -> TaskResult | None:
    """The result from a process; None if it only tells how far it is."""
    try:
        more = worker.child.read()
    except LineTooLong:
        more = False
    while worker.child.has_line:
        message = worker.child.next_value()
        if "phase" in message:
            worker.phase = message["phase"]
            continue
        assert worker.task is not None
        number, worker.task = worker.task.number, None
        if "facts" in message:
            return TaskResult(number, facts_in(message["facts"]))
        how, spent = (SOLVED if "works" in message else FAILED), time.monotonic() - worker.begin
        return TaskResult(
            number, Facts(how=how, why=message.get("failed"), seconds=spent), message.get("impossible", False)
        )
    if more:
        return None
    how = worker.child.end_text()
    return worker.fail(f"its process {how}" + (": out of memory?" if how == KILLED else ""))


# What a process does: it finds out about variants for another, one at a time.


OFTEN = 0.5
"""Seconds between two reports."""


def main() -> None:
    """Does what it is told to, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = JsonParent()
    while True:
        parent.send(answer(parent.receive(), parent))


def answer(message: dict[str, Any], parent: JsonParent) -> dict[str, object]:
    """The answer to a message: the facts about the variant, or why there are none; tells the parent how far it is."""
    last = time.monotonic()

    def tell(step: Step) -> None:
        nonlocal last
        if time.monotonic() - last > OFTEN:
            last = time.monotonic()
            parent.send({"phase": step.phase})

    try:
        if "probe" in message:
            load_game(message["probe"])
            return {"works": True}
        game = load_game(message["game"])
        earlier = None if message["known"] is None else facts_in(message["known"])
        steps = finding(game, measures_named(message["measures"]), VariantLimits(*message["limits"]), earlier)
        return {"facts": finished(steps, tell).to_dict()}
    except PerfectplayError as fault:
        return {"failed": str(fault), "impossible": isinstance(fault, BadGame) and fault.impossible}
    except (Exception, SystemExit) as fault:  # a user's own file may do anything
        path = split_game(message.get("game", ""))[0]
        line = "" if path is None else line_of(fault, path)
        return {"failed": f"{describe_fault(fault)}{line}", "impossible": False}
