"""Runs the steps of a solve, one after another, and records their results, a file for each beside the manifest.

A step is committed when all its tasks have returned. A resumed solve takes the same path again: committed steps return
their recorded results, and only the interrupted step is repeated.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from perfectplay import words
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.out_of_core.executors import Executor
from perfectplay.solvers.out_of_core.task_registry import FULL, Task
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.out_of_core.worker_state import Facts, Plan, bundle_of, inbox_of, name_of
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import BadWork

MANIFEST = "manifest.json"
FORMAT = 2
TRIES = 3
"""How often to try a task that fails because of its machine."""
OPEN_COST = 512
"""Bytes sent, over the cube of the number of partitions, from which on all receivers open the files of all senders.

Partitions open the square of their number of files, each with an index as long as they are many, and share one file
system; bandwidth grows with the machines. Combining files writes and reads all bytes twice more.
"""


class Progress:
    """The progress so far, for display and forecasts."""

    def __init__(self) -> None:
        self.phase = ""
        self.done = 0
        self.total: int | None = None
        self.kept = 0
        """The bytes that stay until the table is written."""
        self.written = self.last = 0
        """The bytes written, in all and in the last step."""
        self.busy: dict[str, float] = {}
        """The seconds of each worker."""

    def balance(self) -> float:
        """The busiest worker's time over the mean."""
        return max(self.busy.values()) * len(self.busy) / sum(self.busy.values()) if sum(self.busy.values()) else 1.0


class Driver:
    """A solve in steps in a work directory."""

    def __init__(
        self, plan: Plan, workdir: Workdir, executor: Executor, log: dict[str, list[Facts]], kind: str
    ) -> None:
        self.plan, self.workdir, self.executor = plan, workdir, executor
        self.log, self.kind = log, kind
        self.progress = Progress()
        self.stale: list[str] = []
        """Files to remove once the current step is committed."""
        self.replayed = False
        """Whether the last step was read from its record."""
        self.saying: list[str] = []
        """Messages to show with the next step."""

    def say(self, note: str) -> None:
        """Shows a message with the next step."""
        if note:
            self.saying.append(note)

    def step(
        self, act: str, number: int, tasks: Sequence[Facts], phase: str, sent: int | None = None
    ) -> Steps[list[Facts]]:
        """The results of all tasks of a step, in order; committed if as much was received as was `sent`."""
        name, progress = f"{act}-{number}", self.progress
        if phase != progress.phase:
            progress.phase, progress.done = phase, 0
        self.replayed = name in self.log
        if self.replayed:
            found = self.log[name]
        else:
            self.check_room()
            found = yield from self.run(act, number, tasks)
            if sent is not None and sent != added(found, "received"):
                raise BadWork(
                    f"{sent:,} numbers were sent and {added(found, 'received'):,} received in {name}: "
                    f"{self.workdir.url!r} loses files; resume=True tries again"
                )
            self.commit(name, found)
        self.workdir.remove(self.stale)
        self.stale = []
        progress.done += sum(facts.get("positions", 0) for facts in found)
        progress.kept += sum(facts.get("kept", 0) for facts in found)
        progress.last = sum(facts.get("bytes", 0) for facts in found)
        progress.written += progress.last
        yield self.shown(number, progress.done)
        return found

    def run(self, act: str, number: int, tasks: Sequence[Facts]) -> Steps[list[Facts]]:
        """Runs all tasks, and repeats those that failed because of their machine."""
        found: dict[int, Facts] = {}
        done = self.progress.done
        for attempt in range(1, TRIES + 1):
            left = [Task(self.plan, act, i, facts) for i, facts in enumerate(tasks) if i not in found]
            for facts in self.executor.map(left):
                if "said" in facts:
                    self.say(facts["said"])
                    yield self.shown(number, done)
                    continue
                if "fault" in facts:
                    self.judge(facts, last=attempt == TRIES)
                    continue
                found[facts["part"]] = facts
                busy = self.progress.busy
                busy[facts["worker"]] = busy.get(facts["worker"], 0.0) + facts["seconds"]
                done += facts.get("positions", 0)
                yield self.shown(number, done)
            if len(found) == len(tasks):
                return [found[i] for i in range(len(tasks))]
        raise AssertionError("the last failure is raised")

    def check_room(self) -> None:
        """Raises BadWork, while nothing is lost, if twice the last step's bytes no longer fit on disk."""
        free = self.workdir.free()
        if free is not None and 2 * self.progress.last > free:
            raise BadWork(
                f"{in_bytes(free)} are free in {self.workdir.url!r}, too little for the next step; "
                "free some space, then resume=True continues from here"
            )

    def judge(self, facts: Facts, last: bool) -> None:
        """Raises the task's fault, unless another try may succeed."""
        fault, why = facts["fault"], facts["why"]
        if fault == "Full":
            raise self.full()
        kind = getattr(words, fault, None)
        if kind is not None:
            raise kind(why)
        if last:
            raise BadWork(f"a task failed {TRIES} times: {why}; when that is fixed, resume=True continues")

    def shown(self, number: int, done: int) -> Step:
        """The progress as a step."""
        progress = self.progress
        detail = f"step {number}, {in_bytes(progress.written)}, balance {progress.balance():.2f}"
        note, self.saying = "\n".join(self.saying), []
        return Step(progress.phase, done, progress.total, note=note, detail=detail)

    def commit(self, name: str, found: list[Facts]) -> None:
        """Records the results of a step, and before the first step the plan."""
        if not self.log:
            self.save(MANIFEST, {"format": FORMAT, "plan": self.plan._asdict(), "kind": self.kind})
        self.save(record_of(self.kind, len(self.log)), {name: found})
        self.log[name] = found

    def save(self, name: str, facts: Facts) -> None:
        """Writes facts to a file; raises BadWork if that fails."""
        try:
            self.workdir.save(name, facts)
        except OSError as fault:
            if fault.errno not in FULL:
                raise BadWork(f"{self.workdir.url!r} can no longer be written to: {fault.strerror}") from None
            raise self.full() from None

    def full(self) -> BadWork:
        """The error for a full disk."""
        return BadWork(f"the work directory {self.workdir.url!r} is full; free some space, then resume=True continues")

    def restart(self, kind: str) -> None:
        """Forgets all steps, to solve as another kind of game."""
        self.workdir.remove(name for name in self.workdir.names() if name.count("-") == 2)
        old, self.log, self.kind = self.kind, dict[str, list[Facts]](), kind
        self.progress.done, self.progress.total, self.progress.kept = 0, None, 0
        self.save(MANIFEST, {"format": FORMAT, "plan": self.plan._asdict(), "kind": kind})
        self.workdir.remove(name for name in self.workdir.names() if name.startswith(f"{old}."))

    def drop(self, what: str, number: int, parts: int | None = None) -> None:
        """Marks a step's files, of all partitions or of `parts`, for removal once the next step is committed."""
        self.stale += [name_of(what, number, part) for part in range(parts or self.plan.partitions)]

    def exchange(self, what: str, step: int, borders: list[int], sent: int, keep: bool = False) -> Steps[bool]:
        """Combines the files with the `sent` bytes if that is cheaper, and says so; `keep` keeps the senders' files.

        Of each block of segments, those from borders[i] to borders[i + 1] go to partition i.
        """
        groups = self.plan.groups
        if not groups or sent > OPEN_COST * self.plan.partitions**3:
            return False
        tasks = [{"what": what, "step": step, "borders": borders}] * groups
        if not keep:
            self.drop(what, step)
        yield from self.step(f"bundle-{what}", step, tasks, self.progress.phase)
        self.drop(bundle_of(what), step, groups)
        yield from self.step(f"deliver-{what}", step, tasks, self.progress.phase)
        return True

    def drop_received(self, what: str, step: int, combined: bool) -> None:
        """Marks the files from which partitions receive for removal once the next step is committed."""
        if combined:
            self.drop(inbox_of(what), step, self.plan.groups)
        else:
            self.drop(what, step)

    def for_all(self, **facts: Any) -> list[Facts]:
        """The same task for all partitions."""
        return [facts] * self.plan.partitions


def record_of(kind: str, number: int) -> str:
    """The name of the file with the results of a step; steps of another kind of solve have other names."""
    return f"{kind}.{number:05}.json"


def committed(workdir: Workdir, kind: str) -> dict[str, list[Facts]]:
    """The results of all committed steps, in order."""
    log: dict[str, list[Facts]] = {}
    while (found := workdir.load(record_of(kind, len(log)))) is not None:
        log.update(found)
    return log


def added(found: Iterable[Facts], field: str) -> int:
    """The sum over all tasks."""
    return sum(facts[field] for facts in found)


def bytes_sent(found: Iterable[Facts]) -> int:
    """The bytes that a step wrote for receivers."""
    return sum(facts["bytes"] - facts.get("kept", 0) for facts in found)
