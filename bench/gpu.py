"""Measures solves on a GPU, and compares them with the limit of its memory.

python bench/gpu.py [--record] [GAME ...]

Each game is solved twice in one process, large ones once, and the last run counts: by then kernels are compiled.
The floor is the least time with tables in global memory: every child is looked up once forward and once backward at
a random address, and every class takes its slot by a compare-and-swap, at the rates that a small kernel
reaches on this GPU; in games of any kind, the backward lookup of each child is in a bit plane that fits the cache.
"""

import argparse
import importlib.metadata
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from perfectplay.compiler.cuda import Gpu, driver, find_gpu, from_gpu, load_gpu_kernels, new_array, settle
from perfectplay.rules.loading import load_game
from perfectplay.solvers.forecast import free_memory
from perfectplay.solvers.gpu.gpu_engine import on_gpu, warm_up
from perfectplay.solvers.gpu.gpu_tables import Room
from perfectplay.solvers.steps import Clock, finished

GAMES = (
    "drop:5,5,4",
    "drop:6,5,4",
    "drop:5,7,4",
    "fading:4,4",
    "fading:6,3",
    "./examples/hexapawn.py:7,4",
    "drop:6,6,4",
    "drop:7,5,4",
)
LARGE = 20_000_000_000
"""Games with more classes are solved only once."""
GIB = 1 << 30
LOOKS = 4000
"""Accesses per thread when rates are measured."""

cuda = driver()


@cuda.jit
def read(words, looks, out):  # type: ignore[no-untyped-def]
    """Reads words at random addresses."""
    number, found = cuda.grid(1) * 2654435761 + 12345, 0
    for _ in range(looks):
        number = number * 6364136223846793005 + 1442695040888963407
        found += words[((number >> 31) & 0xFFFFFFFF) * words.size >> 32]
    if found < 0:
        out[0] = found


@cuda.jit
def swap(words, looks, out):  # type: ignore[no-untyped-def]
    """Compares and swaps words at random addresses."""
    number, found = cuda.grid(1) * 2654435761 + 12345, 0
    for _ in range(looks):
        number = number * 6364136223846793005 + 1442695040888963407
        found += cuda.atomic.cas(words, ((number >> 31) & 0xFFFFFFFF) * words.size >> 32, 0, 0)
    if found < 0:
        out[0] = found


class Rates(NamedTuple):
    """Billions per second: words read and swapped in global memory, words read in the cache."""

    read: float
    swap: float
    cached: float


def rates(gpu: Gpu) -> Rates:
    """The rates of this GPU."""
    return Rates(rate(gpu, read, 16 * GIB), rate(gpu, swap, 16 * GIB), rate(gpu, read, GIB // 32))


def rate(gpu: Gpu, kernel: Any, size: int) -> float:
    """Accesses per nanosecond to memory of that size."""
    words, out = new_array(min(size, gpu.memory) // 4, np.int32), new_array(1, np.int64)
    best = 0.0
    for _ in range(3):
        settle()
        begin = time.perf_counter()
        gpu.run(kernel, words, LOOKS, out)
        settle()
        best = max(best, gpu.blocks * gpu.threads * LOOKS / (time.perf_counter() - begin) / 1e9)
    return best


def row(gpu: Gpu, known: Rates, name: str) -> str:
    """The table row of the game."""
    game = load_game(name)
    kernels = load_gpu_kernels(game, gpu)
    for _ in range(2):
        with TemporaryDirectory() as folder:
            allowed = int(0.85 * free_memory())
            room = Room(game, gpu, kernels, allowed, Path(folder))
            warm_up(room)
            clock = Clock()
            solved, classes, _ = finished(clock.timed(on_gpu(room, False)))
            children = int(from_gpu(room.tallies)[kernels.EDGES])
            room.overflow.close()
        if classes > LARGE:
            break
    seconds = clock.seconds
    back = children / (known.cached if room.kept else known.read)
    floor = (children / known.read + classes / known.swap + back) / 1e9
    moved = f"{(allowed - room.overflow.least_left) / GIB:.0f} GiB" if room.overflow.least_left < allowed else "-"
    return (
        f"| `{name}` | {sum(solved.counts.values()):,} | {classes:,} | {children:,} | {seconds['forward']:.3f} | "
        f"{clock.solving() - seconds['forward']:.3f} | {clock.solving():.3f} | {classes / clock.solving() / 1e6:.0f} | "
        f"{children / clock.solving() / 1e9:.2f} | {floor:.3f} | {floor / clock.solving():.0%} | "
        f"{room.memory.most / GIB:.1f} GiB | {moved} |"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true")
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    options = parser.parse_args()
    gpu = find_gpu()
    known = rates(gpu)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numba-cuda", "numba", "numpy"))
    lines = [
        f"Measured by `python bench/gpu.py --record` on one {gpu.name} with {gpu.memory / GIB:.0f} GiB, {versions}.",
        f"At random: {known.read:.1f} billion words a second read, {known.swap:.1f} swapped, "
        f"{known.cached:.0f} read from the cache.",
        "",
        "| game | positions | classes | children | forward s | back s | seconds | 10^6 classes/s | 10^9 children/s | "
        "floor s | of it | on the GPU | beside it |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name in options.games:
        lines.append(row(gpu, known, name))
        print(lines[-1], flush=True)
    if options.record:
        path = Path(__file__).with_name("results") / "gpu.md"
        path.write_text("# On a GPU\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
