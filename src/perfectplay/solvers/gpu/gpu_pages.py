"""Keys as bits on a GPU, in pages that come as they are needed and go when their tiers are finished."""

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import from_gpu, settle, to_gpu
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.gpu.gpu_tables import Room
from perfectplay.words import TooBig

POOLED = 0.72
"""The fraction of the GPU's memory for pages."""


class Pages:
    """The pages of keys that are in use, in a pool."""

    def __init__(self, room: Room, keys: int) -> None:
        self.room, self.bits = room, room.kernels.PAGE_BITS
        self.words = 1 << self.bits - 5
        self.numbers = np.full((keys >> self.bits) + 1, -1, np.int32)
        size = min(int(room.memory.left * POOLED) // (4 * self.words), self.numbers.size)
        if size < 1:
            raise TooBig(f"{room.game.name} has pages of {in_bytes(4 * self.words)}, too much for {room.gpu.name}")
        self.pool = room.fresh(size * self.words, np.uint32)
        self.free = list(range(size))
        self.needed = to_gpu(np.zeros(self.numbers.size, np.uint8))
        self.upload()

    def upload(self) -> None:
        """Brings the pages' places to the GPU."""
        self.places = to_gpu(self.numbers)

    def add(self, pages: NDArray[np.int64]) -> None:
        """Empty pages; raises TooBig if the pool is full."""
        for page in pages:
            if not self.free:
                raise TooBig(
                    f"{self.room.game.name} will not fit the GPU: more than {in_bytes(self.pool.size * 4)} of keys "
                    f'are in use at once, and {self.room.gpu.name} has no more; try engine="disk"'
                )
            place = self.numbers[page] = self.free.pop()
            self.room.gpu.run(self.room.kernels.fill, self.pool[place * self.words : (place + 1) * self.words], 0)
        self.upload()

    def add_needed(self) -> None:
        """The pages that the last kernel asked for."""
        self.add(np.flatnonzero(from_gpu(self.needed)))
        self.needed = to_gpu(np.zeros(self.numbers.size, np.uint8))

    def drop_below(self, key: int) -> None:
        """Frees all pages whose keys are below."""
        for page in np.flatnonzero(self.numbers[: key >> self.bits] >= 0):
            self.free.append(int(self.numbers[page]))
            self.numbers[page] = -1

    def in_use(self, begin: int, end: int) -> bool:
        """Whether some page of these keys is in use."""
        return bool((self.numbers[begin >> self.bits : (end - 1 >> self.bits) + 1] >= 0).any())

    def close(self) -> None:
        """Frees the pool."""
        self.room.memory.give(self.pool)
        del self.pool
        settle()
