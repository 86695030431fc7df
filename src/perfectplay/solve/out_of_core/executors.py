"""Who does the tasks: processes of this machine. An executor is anything that maps tasks to what came out of them."""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from perfectplay.solve.out_of_core.task_registry import Task, perform
from perfectplay.solve.out_of_core.worker_state import Facts
from perfectplay.words import BadWork

ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "268435456"}
"""Large arrays come and go: memory that is not given back at once halves the time of a worker on Linux."""
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

    def __init__(self, said: "SimpleQueue[tuple[Worker, str]]") -> None:
        command = [sys.executable, "-m", "perfectplay.solve.out_of_core.task_worker"]
        path = os.pathsep.join(folder for folder in sys.path if folder)
        environment = {**os.environ, **ALLOCATOR, "PYTHONPATH": path}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
        )
        self.task: Task | None = None
        self.listener = Thread(target=self.listen, args=(said,), daemon=True)
        self.listener.start()

    def listen(self, said: "SimpleQueue[tuple[Worker, str]]") -> None:
        """Passes on what the process says, and an empty line when it has ended."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said.put((self, line))
        said.put((self, ""))

    def give(self, task: Task) -> None:
        """Gives it a task; if it has ended, that will be heard."""
        self.task = task
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.wait()
        self.listener.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()


class Processes:
    """Does tasks in so many processes of this machine; a partition goes to the same one where that costs no time."""

    note = ""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.said: SimpleQueue[tuple[Worker, str]] = SimpleQueue()
        self.pool = [Worker(self.said) for _ in range(workers)]

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """What comes out of each task, in the order in which they are done."""
        left, deaths = deque(tasks), 0
        for number, worker in enumerate(self.pool):
            self.give_next(number, worker, left)
        done = 0
        while done < len(tasks):
            worker, line = self.said.get()
            if worker not in self.pool:
                continue  # the last word of one that was replaced
            number = self.pool.index(worker)
            if line:
                worker.task = None
                done += 1
            else:
                deaths += 1
                if deaths > DEATHS:
                    raise BadWork(
                        f"workers ended {deaths} times, the last with {worker.process.wait()}; "
                        "if memory ran out, give fewer workers=... or less memory=..."
                    )
                if worker.task is not None:
                    left.appendleft(worker.task)
                worker.end()
                worker = self.pool[number] = Worker(self.said)
            self.give_next(number, worker, left)
            if line:
                yield json.loads(line)

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
