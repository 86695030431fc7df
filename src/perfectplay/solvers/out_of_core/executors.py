"""Executors map tasks to their results; the ones here run them in this process or in worker processes."""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from perfectplay.processes.json_processes import ChildEnded, JsonChild
from perfectplay.solvers.out_of_core import task_worker
from perfectplay.solvers.out_of_core.task_registry import Task, perform
from perfectplay.solvers.out_of_core.worker_state import Facts
from perfectplay.words import BadWork

ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "268435456"}
"""Workers allocate and free large arrays: keeping freed memory halves their time on Linux."""
LONGEST_LINE = 1 << 28
"""Bytes of what comes out of a task."""
DEATHS = 20
"""The most worker deaths in one step; more than this is an error."""


class Executor(Protocol):
    """Runs tasks; another worker repeats the task of a worker that died."""

    workers: int
    note: str

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The result of each task, in order of completion; facts with `said` in between are messages to show."""

    def close(self) -> None:
        """Ends all workers."""


class Here:
    """Runs tasks in this process, one after another."""

    workers = 1
    note = ""

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The result of each task, in order."""
        return map(perform, tasks)

    def close(self) -> None:
        """Nothing to end."""


class Worker:
    """A process that runs tasks, one at a time; it ends with this one, since its input ends then."""

    def __init__(self, said: "SimpleQueue[tuple[Worker, Facts | None]]") -> None:
        self.process = JsonChild(task_worker.__name__, LONGEST_LINE, {**os.environ, **ALLOCATOR})
        self.task: Task | None = None
        self.listener = Thread(target=self.listen, args=(said,), daemon=True)
        self.listener.start()

    def listen(self, said: "SimpleQueue[tuple[Worker, Facts | None]]") -> None:
        """Passes on what comes out of tasks, and None when the process has ended."""
        with suppress(ChildEnded, ValueError):
            while True:
                said.put((self, self.process.receive()))
        said.put((self, None))

    def give(self, task: Task) -> None:
        """Gives it a task; if it has ended, the listener says so."""
        self.task = task
        self.process.send(task)

    def end(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.listener.join()
        self.process.end()


class Processes:
    """Runs tasks in worker processes of this machine; a partition stays with its worker unless that means waiting."""

    note = ""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.said: SimpleQueue[tuple[Worker, Facts | None]] = SimpleQueue()
        self.pool = [Worker(self.said) for _ in range(workers)]

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The result of each task, in order of completion."""
        left, deaths = deque(tasks), 0
        for number, worker in enumerate(self.pool):
            self.give_next(number, worker, left)
        done = 0
        while done < len(tasks):
            worker, facts = self.said.get()
            if worker not in self.pool:
                continue  # from a worker that was replaced
            number = self.pool.index(worker)
            if facts is not None:
                worker.task = None
                done += 1
            else:
                deaths += 1
                if deaths > DEATHS:
                    raise BadWork(
                        f"workers died {deaths} times, the last {worker.process.end_text()}; "
                        "if memory ran out, give fewer workers=... or less memory=..."
                    )
                if worker.task is not None:
                    left.appendleft(worker.task)
                worker.end()
                worker = self.pool[number] = Worker(self.said)
            self.give_next(number, worker, left)
            if facts is not None:
                yield facts

    def give_next(self, number: int, worker: Worker, left: deque[Task]) -> None:
        """Sends the worker a remaining task: of its own partitions first, or else any."""
        if left:
            own = (i for i, task in enumerate(left) if task.part % self.workers == number)
            i = next(own, 0)
            task = left[i]
            del left[i]
            worker.give(task)

    def close(self) -> None:
        """Ends all workers."""
        for worker in self.pool:
            worker.end()
