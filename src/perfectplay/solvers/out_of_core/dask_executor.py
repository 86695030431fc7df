"""The executor for a Dask cluster, started here or already running.

Connections stay on this machine unless they are encrypted: anyone who reaches an open scheduler can run any code on it.
"""

import logging
import signal
import time
from asyncio import CancelledError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from perfectplay.solvers.out_of_core.executors import ALLOCATOR, DEATHS
from perfectplay.solvers.out_of_core.task_registry import Task, perform
from perfectplay.solvers.out_of_core.worker_state import Facts
from perfectplay.words import BadWork

PATIENCE = 30.0
"""Seconds to wait for a scheduler and its first worker."""
MOMENT = 1.0
"""Seconds to wait for more workers before starting, and between checks that any is left."""
STARTS = 3
"""How often to try to start a cluster."""
MISSING = "the cluster engine needs Dask: pip install 'perfectplay[cluster]'"


class OnDask:
    """Runs tasks on a scheduler's workers, its own or a given one's; a partition stays with its worker if possible."""

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
            self.check_keys(scheduler)
        else:
            self.cluster = self.started(workers)
        for name in list(logging.root.manager.loggerDict):
            if name.startswith("distributed"):
                logging.getLogger(name).setLevel(logging.CRITICAL)  # this class reports failures
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
        self.note = f"{count_text}; Dask dashboard: {self.client.dashboard_link}"

    def check_keys(self, scheduler: str) -> None:
        """Raises BadWork if an encrypted connection lacks keys in Dask's settings."""
        if scheduler.startswith("tls://"):
            try:
                keys = self.distributed.Security().get_connection_args("client")["ssl_context"]
            except (OSError, ValueError) as fault:
                raise BadWork(f"the keys in Dask's TLS settings cannot be used: {fault}") from None
            if keys is None:
                raise BadWork(
                    f"{scheduler} needs keys, and Dask's TLS settings have none; see docs/how-to/solve-on-a-cluster.md"
                )

    def later(self) -> list[str]:
        """The workers a moment later: a cluster's workers start one after another."""
        time.sleep(MOMENT)
        return self.addresses()

    def started(self, workers: int) -> Any:
        """A cluster on this machine; tries again if a worker dies while it starts."""
        import dask

        environment = {f"distributed.nanny.pre-spawn-environ.{name}": value for name, value in ALLOCATOR.items()}
        dask.config.set({**environment, "distributed.scheduler.allowed-failures": DEATHS})
        dask.config.set({"distributed.worker.profile.enabled": False})
        for _ in range(STARTS):
            try:
                with signals_held():
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
        raise BadWork(f"cannot start a cluster on this machine: {why}")

    def addresses(self) -> list[str]:
        """The addresses of the live workers."""
        return sorted(self.client.nthreads())

    def map(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The result of each task, in order of completion."""
        try:
            yield from self.mapped(tasks)
        except (OSError, TimeoutError, CancelledError):
            raise self.gone() from None

    def mapped(self, tasks: Sequence[Task]) -> Iterator[Facts]:
        """The same; network errors pass through."""
        deaths, alone, submitted = 0, False, Submitted(self.client, self.numbers)
        submitted.submit(tasks, self.addresses())
        while submitted.tasks:
            done = submitted.next_done()
            workers = [] if done else self.addresses()
            if alone == bool(done or workers):
                alone = not alone
                yield {"said": f"no worker is left at {self.name}; waiting for one" if alone else "a worker is back"}
            if not done:
                if self.client.status != "running":
                    raise self.gone()
                submitted.resubmit(workers)
                continue
            taken = [(future, task) for future in done if (task := submitted.taken(future)) is not None]
            failed = [(future, task) for future, task in taken if future.status != "finished"]
            unfinished = {future for future, _ in failed}
            yield from self.client.gather([future for future, _ in taken if future not in unfinished])
            for future, task in failed:
                deaths += 1
                if future.status == "cancelled" or self.client.status != "running":
                    raise self.gone()
                if deaths > DEATHS:
                    raise BadWork(f"workers died {deaths} times, or lost their results: {future.exception()}")
                submitted.submit([task], self.addresses())

    def gone(self) -> BadWork:
        """The error for a scheduler that no longer answers."""
        return BadWork(f"the scheduler at {self.name} no longer answers; start one, then resume=True continues")

    def close(self) -> None:
        """Disconnects from the scheduler; ends it and its workers if they were started here."""
        if hasattr(self, "client"):
            self.client.close()
        if self.cluster is not None:
            self.cluster.close()


class Submitted:
    """The tasks of a step that the scheduler has; each prefers the worker that had its partition before.

    The scheduler gives a task to another worker if the preferred one is busy or gone; but if all workers were gone in
    between, it waits for the preferred one forever. Such tasks are resubmitted.
    """

    def __init__(self, client: Any, numbers: Iterator[int]) -> None:
        self.client, self.numbers = client, numbers
        self.done: SimpleQueue[Any] = SimpleQueue()
        self.tasks: dict[Any, tuple[Task, str | None]] = {}
        """Tasks and their preferred workers, by future."""

    def submit(self, tasks: Sequence[Task], workers: list[str]) -> None:
        """Submits the tasks, with these workers preferred, all at once: one by one took four times as long."""
        if not tasks:
            return
        from dask.base import annotate

        names = [f"{task.act}-{task.part}-{next(self.numbers)}" for task in tasks]
        places = [workers[task.part % len(workers)] for task in tasks] if workers else []
        preferred = dict(zip(names, places, strict=False))
        preference = {"workers": preferred.get, "allow_other_workers": True} if workers else {}
        with annotate(retries=DEATHS, **preference):
            futures = self.client.map(perform, tasks, key=names, pure=False)
        for name, task, future in zip(names, tasks, futures, strict=True):
            self.tasks[future] = task, preferred.get(name)
            future.add_done_callback(self.done.put)

    def next_done(self) -> list[Any]:
        """The futures that are done or failed since the last call, or none after a moment."""
        done: list[Any] = []
        with suppress(Empty):
            done.append(self.done.get(timeout=MOMENT))
            while True:
                done.append(self.done.get_nowait())
        return done

    def taken(self, future: Any) -> Task | None:
        """The task of the future, removed; None if it was resubmitted."""
        task, _ = self.tasks.pop(future, (None, None))
        return task

    def resubmit(self, workers: list[str]) -> None:
        """Resubmits to these workers, if any, the waiting tasks whose preferred worker is gone."""
        lost = [
            future
            for future, (_, preferred) in self.tasks.items()
            if workers and preferred and preferred not in workers
        ]
        if lost:
            begun = {key for keys in self.client.processing().values() for key in keys}
            again = [future for future in lost if future.key not in begun and not future.done()]
            tasks = [self.tasks.pop(future)[0] for future in again]
            self.client.cancel(again)
            self.submit(tasks, workers)


@contextmanager
def signals_held() -> Iterator[None]:
    """Processes started meanwhile ignore Ctrl-C and the closing of a terminal; their parent handles both.

    SIGINT is ignored, because Python's resource tracker unblocks it; SIGHUP is blocked, so that it is not lost.
    """
    try:
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread
        yield
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
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
            f"write tls://{host}:{port}, with Dask's TLS settings (docs/how-to/solve-on-a-cluster.md)"
        )


def is_loopback(host: str) -> bool:
    """Whether the host is a loopback address of this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
