"""Who does the tasks: workers of a Dask cluster, one started here or one that is there.

Everything stays on this machine unless the connection is encrypted: whoever reaches an open scheduler can have it run
whatever he likes.
"""

import logging
import signal
import time
from asyncio import CancelledError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from perfectplay.solve.spread.executors import ALLOCATOR, DEATHS
from perfectplay.solve.spread.site import Facts
from perfectplay.solve.spread.tasks import Task, perform
from perfectplay.words import BadWork

PATIENCE = 30.0
"""Seconds to wait for a scheduler and for its first worker."""
MOMENT = 1.0
"""Seconds after which no more workers are expected if none has come, and from look to look whether any is there."""
STARTS = 3
"""How often a cluster is started before its failing counts."""
MISSING = "the cluster engine needs Dask: pip install 'perfectplay[cluster]'"


class OnDask:
    """Does tasks on the workers of a scheduler, or of one started here; a partition goes to the same one if it can."""

    def __init__(self, scheduler: str | None, workers: int) -> None:
        try:
            import distributed
        except ImportError:
            raise BadWork(MISSING) from None
        self.distributed: Any = distributed
        self.numbers = count()
        self.cluster: Any = None
        if scheduler is not None:
            check_address(scheduler)
        else:
            self.cluster = self.started(workers)
        for name in list(logging.root.manager.loggerDict):
            if name.startswith("distributed"):
                logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told here
        self.name = scheduler or "this machine"
        try:
            self.client: Any = self.distributed.Client(
                scheduler or self.cluster, timeout=PATIENCE, set_as_default=False
            )
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError) as fault:
            self.close()
            raise BadWork(f"no scheduler with a worker answers at {self.name}: {fault}") from None
        self.workers = len(self.addresses())
        while scheduler is not None and self.workers < len(self.later()):
            self.workers = len(self.addresses())
        count_text = f"{self.workers} worker{'' if self.workers == 1 else 's'}"
        self.note = f"{count_text}; Dask's page: {self.client.dashboard_link}"

    def later(self) -> list[str]:
        """The workers that are there a moment later: whoever starts a cluster starts them one after another."""
        time.sleep(MOMENT)
        return self.addresses()

    def started(self, workers: int) -> Any:
        """A cluster of this machine; one of whose workers ends while it starts is started again."""
        import dask

        environment = {f"distributed.nanny.pre-spawn-environ.{name}": value for name, value in ALLOCATOR.items()}
        dask.config.set({**environment, "distributed.scheduler.allowed-failures": DEATHS})
        dask.config.set({"distributed.worker.profile.enabled": False})
        for _ in range(STARTS):
            try:
                with deaf():
                    return self.distributed.LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        processes=True,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",
                        memory_limit=0,
                        silence_logs=logging.CRITICAL,
                    )
            except (OSError, RuntimeError) as fault:
                why = fault
        raise BadWork(f"a cluster on this machine does not start: {why}")

    def addresses(self) -> list[str]:
        """The workers that are there."""
        return sorted(self.client.nthreads())

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """What comes out of each task, in the order in which they are done."""
        try:
            yield from self.mapped(tasks)
        except (OSError, TimeoutError, CancelledError):
            raise self.gone() from None

    def mapped(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The same, while the scheduler is there."""
        deaths, alone, workers = 0, False, self.addresses()
        done: SimpleQueue[Any] = SimpleQueue()
        futures = {self.submit(task, workers, done): task for task in tasks}
        while futures:
            try:
                future = done.get(timeout=MOMENT)
            except Empty:
                future = None
                if self.client.status != "running":
                    raise self.gone() from None
            if alone == (future is not None or bool(self.addresses())):
                alone = not alone
                yield {"said": f"no worker is left at {self.name}; waits for one" if alone else "goes on"}
            if future is None:
                continue
            task = futures.pop(future)
            if future.status == "finished":
                yield future.result()
                continue
            deaths += 1
            if future.status == "cancelled" or self.client.status != "running":
                raise self.gone()
            if deaths > DEATHS:
                raise BadWork(f"workers ended {deaths} times, or lost what they did: {future.exception()}")
            futures[self.submit(task, self.addresses(), done)] = task

    def gone(self) -> BadWork:
        """The error for a scheduler that is not there any more."""
        return BadWork(f"the scheduler at {self.name} does not answer any more; start one, then --resume goes on")

    def submit(self, task: Task, workers: list[str], done: "SimpleQueue[Any]") -> Any:
        """Has the task done, by the worker that has had the partition before if it is free."""
        wish = {"workers": [workers[task.part % len(workers)]], "allow_other_workers": True} if workers else {}
        name = f"{task.act}-{task.part}-{next(self.numbers)}"
        future = self.client.submit(perform, task, key=name, pure=False, retries=DEATHS, **wish)
        future.add_done_callback(done.put)
        return future

    def close(self) -> None:
        """Lets go of the scheduler; ends it and its workers if they were started here."""
        if hasattr(self, "client"):
            self.client.close()
        if self.cluster is not None:
            self.cluster.close()


@contextmanager
def deaf() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, which is for whoever started them."""
    try:
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def check_address(scheduler: str) -> None:
    """Raises BadWork unless the scheduler is on this machine or the connection is encrypted."""
    parts = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    try:
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        port, host = None, ""
    if parts.scheme not in ("tcp", "tls") or port is None or not host:
        raise BadWork(f"{scheduler!r} is not a scheduler's address; write one such as tcp://127.0.0.1:8786")
    if parts.scheme == "tcp" and not is_loopback(host):
        raise BadWork(
            f"{scheduler} is another machine and the connection is not encrypted; "
            f"write tls://{host}:{port}, with Dask's TLS settings (docs/cluster.md)"
        )


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, by an address that leads nowhere else."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
