"""Who does the tasks: processes of this machine. An executor is anything that maps tasks to what came out of them."""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from perfectplay.json_processes import ChildEnded, JsonChild
from perfectplay.solve.out_of_core import task_worker
from perfectplay.solve.out_of_core.task_registry import Task, perform
from perfectplay.solve.out_of_core.worker_state import Facts
from perfectplay.words import BadWork

ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "268435456"}
"""Large arrays come and go: memory that is not given back at once halves the time of a worker on Linux."""
LONGEST_LINE = 1 << 28
"""Bytes of what comes out of a task."""
DEATHS = 20
"""How often workers may end while they do tasks of one step; more is not bad luck any more."""


class Executor(Protocol):
    """Does tasks; what a worker was doing when it ended is done again by another."""

    workers: int
    note: str

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """What comes out of each task, in the order in which they are done; what is `said` between is for a person."""

    def close(self) -> None:
        """Ends all workers."""


class Here:
    """Does tasks in this process, one after another."""

    workers = 1
    note = ""

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """What comes out of each task, in order."""
        return map(perform, tasks)

    def close(self) -> None:
        """Nothing to end."""


class Worker:
    """A process that does tasks, one at a time; it ends when this one does, since its input ends then."""

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
    """Does tasks in so many processes of this machine; a partition goes to the same one where that costs no time."""

    note = ""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.said: SimpleQueue[tuple[Worker, Facts | None]] = SimpleQueue()
        self.pool = [Worker(self.said) for _ in range(workers)]

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """What comes out of each task, in the order in which they are done."""
        left, deaths = deque(tasks), 0
        for number, worker in enumerate(self.pool):
            self.give_next(number, worker, left)
        done = 0
        while done < len(tasks):
            worker, facts = self.said.get()
            if worker not in self.pool:
                continue  # the last word of one that was replaced
            number = self.pool.index(worker)
            if facts is not None:
                worker.task = None
                done += 1
            else:
                deaths += 1
                if deaths > DEATHS:
                    raise BadWork(
                        f"workers ended {deaths} times, the last {worker.process.end_text()}; "
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
        """Gives the worker a task that is left: one of its own partitions, or else any."""
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
