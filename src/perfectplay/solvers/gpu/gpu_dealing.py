"""From tables on a GPU to ranges of keys in host memory, in which threads sort them: the way to a table's file."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import DeviceArray, from_gpu, new_array, to_gpu
from perfectplay.solvers.gpu import gpu_tables
from perfectplay.solvers.gpu.gpu_tables import Room, Tabled, host_array
from perfectplay.solvers.memory.expansion import Run
from perfectplay.solvers.memory.packing import AT_ONCE, piece_of
from perfectplay.solvers.memory.sorted_keys import kind_for

BUCKET_BITS = 16
"""Keys are dealt into buckets by at most this many of their highest bits."""


class Dealt(NamedTuple):
    """The positions of a table by buckets, in any order within one; key >> shift is the bucket, `starts` its start."""

    run: Run
    greatest: int
    shift: int
    starts: NDArray[np.int64]


def dealt(room: Room, table: Tabled, values: DeviceArray, kind: Any) -> Dealt:
    """The positions of a table in host memory; values come from the entries, or from `values` by slot."""
    gpu, kernels = room.gpu, room.kernels
    out = to_gpu(np.zeros(1, np.int64))
    gpu.run(kernels.greatest, table.table, table.shape, out)
    greatest = int(from_gpu(out)[0])
    shift = max(0, greatest.bit_length() - BUCKET_BITS)
    counts = to_gpu(np.zeros((greatest >> shift) + 1, np.int64))
    gpu.run(kernels.count_buckets, table.table, table.shape, shift, counts)
    starts = np.concatenate(([0], np.cumsum(from_gpu(counts))))
    room.check_all(int(starts[-1]), table.count)
    run = Run(host_array(table.count, kind_for(greatest)), host_array(table.count, kind))
    most = max(gpu_tables.AT_ONCE, room.memory.left // sum(array.itemsize for array in run))
    first = 0
    while first < counts.size:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + most, side="right")) - 1)
        begin, end = int(starts[first]), int(starts[last])
        if begin < end:
            parts = [new_array(end - begin, array.dtype) for array in run]
            places = to_gpu(starts[first:last] - begin)
            gpu.run(kernels.deal, table.table, table.shape, values, shift, first, places, *parts)
            for array, part in zip(run, parts, strict=True):
                from_gpu(part, array[begin:end])
            del parts, part
        first = last
    return Dealt(run, greatest, shift, starts)


def key_ranges(tables: list[Dealt]) -> Iterator[list[Run]]:
    """The positions of all tables in ranges of keys, from the lowest, each with what the tables have in it."""
    shift = max(table.shift for table in tables)
    buckets = (max(table.greatest for table in tables) >> shift) + 1
    edges = [
        table.starts[np.minimum(np.arange(buckets + 1) << (shift - table.shift), table.starts.size - 1)]
        for table in tables
    ]
    before = np.sum(edges, axis=0)
    inner = np.searchsorted(before, np.arange(AT_ONCE, before[-1], AT_ONCE))
    cuts = np.unique([0, *inner.tolist(), buckets])
    places = [edge[cuts].tolist() for edge in edges]
    for i in range(cuts.size - 1):
        pieces = [
            piece_of(table.run, at[i], at[i + 1]) for table, at in zip(tables, places, strict=True) if at[i] < at[i + 1]
        ]
        if pieces:
            yield pieces
