"""Who does the tasks: workers of a Dask cluster, one started here or one that is there.

Everything stays on this machine unless the connection is encrypted: whoever reaches an open scheduler can have it run
whatever he likes.
"""

import logging
import signal
import time
from asyncio import CancelledError
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from perfectplay.solve.out_of_core.executors import ALLOCATOR, DEATHS
from perfectplay.solve.out_of_core.task_registry import Task, perform
from perfectplay.solve.out_of_core.worker_state import Facts
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
            self.check_keys(scheduler)
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

    def check_keys(self, scheduler: str) -> None:
        """Raises BadWork unless Dask's settings have what an encrypted connection needs."""
        if scheduler.startswith("tls://"):
            try:
                keys = self.distributed.Security().get_connection_args("client")["ssl_context"]
            except (OSError, ValueError) as fault:
                raise BadWork(f"Dask's TLS settings have keys that cannot be used: {fault}") from None
            if keys is None:
                raise BadWork(f"{scheduler} needs keys, and Dask's TLS settings have none; see docs/cluster.md")

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
        deaths, alone, given = 0, False, Submitted(self.client, self.numbers)
        given.give(tasks, self.addresses())
        while given.tasks:
            future = given.next_done()
            workers = [] if future is not None else self.addresses()
            if alone == (future is not None or bool(workers)):
                alone = not alone
                yield {"said": f"no worker is left at {self.name}; waits for one" if alone else "goes on"}
            if future is None:
                if self.client.status != "running":
                    raise self.gone()
                given.give_again(workers)
                continue
            task = given.taken(future)
            if task is None:
                continue
            if future.status == "finished":
                yield future.result()
                continue
            deaths += 1
            if future.status == "cancelled" or self.client.status != "running":
                raise self.gone()
            if deaths > DEATHS:
                raise BadWork(f"workers ended {deaths} times, or lost what they did: {future.exception()}")
            given.give([task], self.addresses())

    def gone(self) -> BadWork:
        """The error for a scheduler that is not there any more."""
        return BadWork(f"the scheduler at {self.name} no longer answers; start one, then resume=True continues")

    def close(self) -> None:
        """Lets go of the scheduler; ends it and its workers if they were started here."""
        if hasattr(self, "client"):
            self.client.close()
        if self.cluster is not None:
            self.cluster.close()


class Submitted:
    """The tasks of a step that are with the scheduler; each is wished to the worker that has had its partition before.

    The scheduler gives a task to another if that one is busy, or gone; but if all were gone in between, it waits for
    just that one for ever. So whoever waits looks after such tasks.
    """

    def __init__(self, client: Any, numbers: Iterator[int]) -> None:
        self.client, self.numbers = client, numbers
        self.done: SimpleQueue[Any] = SimpleQueue()
        self.tasks: dict[Any, tuple[Task, str | None]] = {}
        """By their futures, and whom each is wished to."""

    def give(self, tasks: Iterable[Task], workers: list[str]) -> None:
        """Has these done by somebody, at best by these workers."""
        for task in tasks:
            wish = workers[task.part % len(workers)] if workers else None
            wishes = {} if wish is None else {"workers": [wish], "allow_other_workers": True}
            name = f"{task.act}-{task.part}-{next(self.numbers)}"
            future = self.client.submit(perform, task, key=name, pure=False, retries=DEATHS, **wishes)
            self.tasks[future] = task, wish
            future.add_done_callback(self.done.put)

    def next_done(self) -> Any:
        """The next that is done or failed, or None when a moment has passed."""
        try:
            return self.done.get(timeout=MOMENT)
        except Empty:
            return None

    def taken(self, future: Any) -> Task | None:
        """The task, which is not waited for any more; None if it was given again."""
        task, _ = self.tasks.pop(future, (None, None))
        return task

    def give_again(self, workers: list[str]) -> None:
        """Gives to these workers, if there are any, what nobody does and is wished to one that is gone."""
        lost = [future for future, (_, wish) in self.tasks.items() if workers and wish and wish not in workers]
        if lost:
            begun = {key for keys in self.client.processing().values() for key in keys}
            again = [future for future in lost if future.key not in begun and not future.done()]
            tasks = [self.tasks.pop(future)[0] for future in again]
            self.client.cancel(again)
            self.give(tasks, workers)


@contextmanager
def signals_held() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C or that a terminal closes: whoever started them does.

    SIGINT is ignored, because Python's own helper process unblocks it; SIGHUP is put off, so that it is not lost.
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
            f"write tls://{host}:{port}, with Dask's TLS settings (docs/cluster.md)"
        )


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, by an address that leads nowhere else."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
