"""Games solved on a GPU, numba's simulated one or under `make test-gpu` a real one, and on the CPU."""

from io import BytesIO

import pytest

from perfectplay import solve
from perfectplay.compiler.cuda import CONFIG
from perfectplay.solvers.engine import Options
from perfectplay.solvers.gpu.gpu_engine import solve_on_gpu
from perfectplay.solvers.steps import finished
from rings import nightly


def on_both(simulated, real, slow=()):
    """Parameters: some for the simulated GPU, slow ones nightly, more for a real one."""
    more = [pytest.param(name, marks=pytest.mark.gpu, id=f"{name}-real") for name in real]
    return [*simulated, *nightly(*slow), *more]


def gpu_table(game, memory=1 << 32):
    """The bytes of the table that the GPU writes."""
    sink = BytesIO()
    finished(solve_on_gpu(game, sink, Options("cuda", memory=memory, threads=2)))
    return sink.getvalue()


def cpu_table(game):
    """The bytes of the CPU's table; games for a simulated GPU take longer to compile than to solve."""
    return bytes(solve(game, engine="python" if CONFIG.ENABLE_CUDASIM else "numba").reader.data)
