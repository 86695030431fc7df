"""A thread pool for compiled kernels."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")
P = TypeVar("P")


class ThreadPool:
    """A thread pool; the kernels that it runs release the GIL."""

    SMALL = 1 << 14
    """Fewer items than this do not justify a second thread."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads)

    def parts(self, size: int, each: int = 4) -> list[slice]:
        """The range up to `size` in slices, several for each thread to balance the load."""
        count = max(1, min(self.threads * each, size // self.SMALL))
        cuts = [size * i // count for i in range(count + 1)]
        return [slice(a, b) for a, b in pairwise(cuts)]

    def map(self, work: Callable[[P], T], parts: Iterable[P]) -> list[T]:
        """The result for each part, in order."""
        parts = list(parts)
        if len(parts) == 1 or self.threads == 1:
            return [work(part) for part in parts]
        return list(self.pool.map(work, parts))

    def stream(self, work: Callable[[P], T], parts: Iterable[P]) -> Iterator[T]:
        """The result for each part, in order, while the next few are worked on."""
        waiting: deque[Future[T]] = deque()
        for part in parts:
            waiting.append(self.pool.submit(work, part))
            if len(waiting) > self.threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
