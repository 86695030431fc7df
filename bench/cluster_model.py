"""The cost of a solve on a cluster, extrapolated from what bench/disk_cost.py measures on one machine."""

from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple

from perfectplay.solvers.forecast import in_bytes, in_time
from perfectplay.solvers.out_of_core.disk_engine import CELLS_EACH, CHILD_ARRAYS, HELD, LEAST_CELL_BITS, MOST_CELL_BITS
from perfectplay.solvers.out_of_core.disk_solution import MOST_RANGES
from perfectplay.solvers.out_of_core.driver import OPEN_COST

LARGE = {"6x6": (34_586_522_319, 36), "7x6": (2_265_994_000_000, 42)}
"""Classes, the second about half of 4,531,985,219,092 positions, and layers."""
CORES, DISK, NETWORK, BARRIER = 16, 1.0e9, 3.0e9, 0.5
"""A machine: cores like these, bytes per second to disk and network; seconds that a step waits for all workers."""
OPENS = 20_000
"""Files that a shared file system opens or creates per second."""
MEMORY, MOVES, KEY_BYTES = 3 << 30, 7, 8
"""Bytes of memory of a worker, and moves and bytes of a key in connect four."""


class Constants(NamedTuple):
    """What was measured: CPU seconds and bytes per position, seconds per segment, copied byte and range, and task.

    `exchanged` are the bytes written for other partitions, `open` is the CPU time of an open whose index is read
    whole, `joined` the driver's time per position of a table.
    """

    cpu: float
    written: float
    exchanged: float
    peak: float
    segment: float
    copied: float
    ranged: float
    task: float
    open: float
    joined: float


class Estimate(NamedTuple):
    """Seconds of a solve up to joining its table, and whether partitions combine what they send."""

    computing: float
    moving: float
    exchanging: float
    waiting: float
    combined: bool

    def total(self) -> float:
        """Computing and moving bytes overlap; copying and waiting do not."""
        return max(self.computing, self.moving) + self.exchanging + self.waiting


def estimate(classes: int, levels: int, machines: int, measured: Constants) -> Estimate:
    """The time on so many machines, two partitions per core, three exchanges per layer."""
    workers = CORES * machines
    partitions, exchanges = 2 * workers, 3 * levels
    groups, each = 2 * isqrt(partitions), classes * measured.exchanged / exchanges
    combined = partitions >= 32 and each <= OPEN_COST * partitions**3 and machines > 1
    cells = 1 << min(max(LEAST_CELL_BITS, (CELLS_EACH * partitions - 1).bit_length()), MOST_CELL_BITS)
    sections = levels * partitions + classes * MOVES * CHILD_ARRAYS * (KEY_BYTES + 4) / (MEMORY - HELD)
    per_byte = (1 / DISK + (1 / NETWORK if machines > 1 else 1 / DISK)) / machines
    computing = (classes * measured.cpu + 2 * sections * cells * measured.segment) / workers
    moving = classes * measured.written * per_byte
    exchanging = 0.0
    if combined:
        ranges = (2 * sections + levels * partitions) * (partitions + groups)
        copying = 2 * each * exchanges * measured.copied + ranges * measured.ranged
        exchanging = max(2 * each * exchanges * per_byte, copying / min(groups, workers))
        opens = 3 * (2 * partitions + groups**2) + 10 * partitions + 6 * groups
        tasks = 3 * partitions + 6 * groups
    else:
        opens, tasks = 3 * partitions**2 + 10 * partitions, 3 * partitions
        computing += 0 if machines == 1 else 3 * levels * partitions**2 * measured.open / workers
    steps = (9 if combined else 3) * levels
    outer = isqrt(MOST_RANGES) + 1  # the table is dealt to groups of ranges, then to ranges
    opens, tasks = levels * opens + outer * partitions + 2 * MOST_RANGES, levels * tasks + partitions + MOST_RANGES
    waiting = steps * BARRIER + tasks * measured.task + (opens / OPENS if machines > 1 else 0.0)
    return Estimate(computing, moving, exchanging, waiting, combined)


def estimates(measured: Constants) -> Iterator[str]:
    """The estimates for large boards, as a table."""
    yield (
        "| connect four | canonical positions | machines | files | computing | I/O | copying | waiting | total | "
        "disk per machine |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name, (classes, levels) in LARGE.items():
        for machines in (1, 10, 100):
            found = estimate(classes, levels, machines, measured)
            cells = (
                name,
                f"{classes:,}",
                str(machines),
                "combined" if found.combined else "direct",
                in_time(found.computing),
                in_time(found.moving),
                in_time(found.exchanging) if found.combined else "-",
                in_time(found.waiting),
                in_time(found.total()),
                in_bytes(classes * measured.peak / machines),
            )
            yield f"| {' | '.join(cells)} |"


def text(measured: Constants) -> Iterator[str]:
    """The model in words and as a table."""
    classes, _ = LARGE["7x6"]
    yield (
        f"With long keys, a position takes {1e6 * measured.cpu:.2f} µs of one core, writes {measured.written:.0f} "
        f"bytes in total, {measured.exchanged:.0f} of them for other partitions, and occupies at most "
        f"{measured.peak:.1f} bytes of disk. With a shared work directory all of that crosses the network."
    )
    yield ""
    yield (
        "Every partition sends to every other one. If each receiver opened the file of each sender, a step would open "
        "as many files as the square of the number of partitions. With many partitions, groups of them combine what "
        "they send: one task per group bundles the files of its members, one task per group collects what was sent to "
        "it, and each receiver opens one file. With P partitions in 2 √P groups, an exchange opens 6 P "
        "files. All that is sent is copied twice for it, so a step with much to send and few partitions is still read "
        "directly."
    )
    yield ""
    yield (
        "Measured here besides: writing and reading a segment of a file takes "
        f"{1e6 * measured.segment:.1f} µs, copying {1e9 * measured.copied:.1f} ns per byte and "
        f"{1e6 * measured.ranged:.1f} µs per range, opening a file and reading its whole index "
        f"{1e6 * measured.open:.0f} µs of CPU time, and Dask's scheduler and client {1e3 * measured.task:.1f} ms per "
        f"task. Assumed, not measured: machines with {CORES} such cores, {DISK / 1e9:.0f} GB/s of disk and "
        f"{NETWORK / 1e9:.0f} GB/s of network bandwidth, a shared file system that opens or creates {OPENS:,} files "
        f"per second, {BARRIER} s that each step waits for its slowest task, {in_bytes(MEMORY)} of memory per worker "
        "(`--memory`), and two partitions per core. Computing and I/O overlap, copying and waiting do not:"
    )
    yield ""
    yield from estimates(measured)
    yield ""
    yield (
        "None of these runs has been made; the largest game solved this way has 1.4 billion positions, on two cores. "
        "The times include what workers do to write a table, but not its last step, which does not scale: the driver "
        f"joins the table alone, {1e9 * measured.joined:.0f} ns per position here, which is "
        f"{in_time(classes * measured.joined)} for 7x6. `--no-table` needs none of it. "
        "Keys of larger boards lie farther apart than the measured ones, so expect about one byte more per key."
    )
