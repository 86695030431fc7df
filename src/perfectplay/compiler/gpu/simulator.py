# mypy: ignore-errors
"""numba's GPU simulator, with a race repaired that loses positions.

Threads of a block that request shared memory at the same time must get the same array. In numba 0.68, the first two
threads can each get an array of their own, and then one waits for work that the other has queued elsewhere.
"""

import sys

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAShared
from numba.np.numpy_support import as_dtype


def shared_array(shared, shape, dtype):
    """The block's shared array for the calling line; the first one stored is shared by all threads."""
    caller = sys._getframe(1)
    place = (caller.f_code.co_filename, caller.f_lineno)
    return shared._allocations.setdefault(place, np.empty(shape, as_dtype(dtype)))


def repair_simulator() -> None:
    """Makes shared memory of simulated threads safe."""
    FakeCUDAShared.array = shared_array
