"""Executors map tasks to their results; the ones here run them in this process or in worker processes."""

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
"""Workers allocate and free large arrays: keeping freed memory halves their time on Linux."""
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
        """Queues the lines that the process writes, and an empty one when it has ended."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said.put((self, line))
        said.put((self, ""))

    def give(self, task: Task) -> None:
        """Sends it a task; if it has ended, `listen` reports that."""
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
    """Runs tasks in worker processes of this machine; a partition stays with its worker unless that means waiting."""

    note = ""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.said: SimpleQueue[tuple[Worker, str]] = SimpleQueue()
        self.pool = [Worker(self.said) for _ in range(workers)]

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The result of each task, in order of completion."""
        left, deaths = deque(tasks), 0
        for number, worker in enumerate(self.pool):
            self.give_next(number, worker, left)
        done = 0
        while done < len(tasks):
            worker, line = self.said.get()
            if worker not in self.pool:
                continue  # from a worker that was replaced
            number = self.pool.index(worker)
            if line:
                worker.task = None
                done += 1
            else:
                deaths += 1
                if deaths > DEATHS:
                    raise BadWork(
                        f"workers died {deaths} times, the last with exit status {worker.process.wait()}; "
                        "if memory ran out, lower workers=... or memory=..."
                    )
                if worker.task is not None:
                    left.appendleft(worker.task)
                worker.end()
                worker = self.pool[number] = Worker(self.said)
            self.give_next(number, worker, left)
            if line:
                yield json.loads(line)

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
