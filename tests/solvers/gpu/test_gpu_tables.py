"""Hash tables of positions on a GPU: keys survive a round trip at every size, packed or not."""

import os
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from random import Random
from threading import Barrier

import numpy as np
import pytest

from perfectplay import load
from perfectplay.compiler import cuda
from perfectplay.compiler.cuda import (
    array_bytes,
    driver,
    find_gpu,
    from_gpu,
    least_slots,
    load_gpu_kernels,
    rest_width,
    shape_of,
    to_gpu,
)
from perfectplay.solvers.gpu import gpu_tables
from perfectplay.solvers.gpu.gpu_tables import Room, even
from rings import nightly


def new_room(gpu, key_bits, wide, folder, memory=1 << 30):
    """A room for tables of a game with keys of this many bits, whose rules are not called."""
    game = replace(load("tic-tac-toe"), key_bits=key_bits, symmetries=())
    return Room(game, gpu, load_gpu_kernels(game, gpu, wide), memory, folder)


def keys_in(room, table):
    keys, grades = room.unloaded(table, to_gpu(np.zeros(0, np.uint8)), np.uint16)
    assert not grades.any()
    return sorted(keys.tolist())


@pytest.mark.parametrize(
    ("key_bits", "wide", "part_bits"),
    [
        (24, False, 7),
        *nightly(*product((10, 24), (False,), (28, 7)), *product((24, 41, 50), (True,), (28, 7))),
    ],
)
def test_keys_are_recovered_from_their_slots(gpu, key_bits, wide, part_bits, tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "PART_BITS", part_bits)
    monkeypatch.setattr(gpu_tables, "AT_ONCE", 128)
    room = new_room(gpu, key_bits, wide, tmp_path)
    keys = sorted(some_keys(key_bits, 150))
    table = room.new(room.slots_for(len(keys)))
    table.count = len(keys)
    room.gpu.run(room.kernels.put, table.table, table.shape, to_gpu(np.array(keys)))
    assert keys_in(room, table) == keys
    before = from_gpu(table.table).tolist()
    room.pack(table)
    assert table.table is None
    packed = room.memory.taken
    assert 0 < packed < array_bytes(table_in(room, table, before))
    room.pack(table)
    assert room.memory.taken == packed
    room.move_out(table)
    assert room.memory.taken == 0
    assert room.overflow.left == (1 << 30) - packed
    table_in(room, table, before)
    assert room.overflow.left == 1 << 30
    assert room.memory.taken == array_bytes(table.table)


def table_in(room, table, entries):
    """The table, unpacked, with these entries."""
    found = room.bring_back(table)
    assert from_gpu(found).tolist() == entries
    return found


@pytest.mark.parametrize("wide", [True, *nightly(False)])
def test_entries_with_any_number_of_tries_are_packed(wide, gpu, tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_tables, "AT_ONCE", 96)
    room = new_room(gpu, 16, wide, tmp_path)
    kernels, rng, table = room.kernels, Random(5), room.new(even(256))
    tries = np.array([rng.randrange(kernels.TRIES + 1) for _ in range(table.slots)])
    rests = np.array([rng.randrange(1 << room.rest_bits(table)) for _ in range(table.slots)])
    find, rest_bits, shape = kernels.mixed_at, room.rest_bits(table), table.shape

    @driver().jit
    def ask(tries, rests, answers):
        for at in range(tries.size):
            answers[at] = find(int(rests[at]), rest_bits, int(tries[at]), at, shape, tries.size)

    answers = to_gpu(np.zeros(table.slots, np.int64))
    ask[1, 1](to_gpu(tries), to_gpu(rests), answers)
    entries = np.where(tries > 0, from_gpu(answers) & kernels.REST | tries << kernels.REST_BITS, 0)
    table.table.copy_to_device(entries.astype(kernels.ENTRY))
    room.pack(table)
    table_in(room, table, entries.tolist())


def test_the_lowest_bit_is_found_in_words_of_63_bits(gpu):
    kernels = load_gpu_kernels(load("tic-tac-toe"), gpu)
    find = kernels.lowest

    @driver().jit
    def ask(words, answers):
        for i in range(words.size):
            answers[i] = find(int(words[i]))

    words = np.array([1 << bit | above for bit in range(63) for above in (0, 1 << 62)])
    answers = to_gpu(np.zeros(words.size, np.int64))
    ask[1, 1](to_gpu(words), answers)
    assert from_gpu(answers).tolist() == [bit for bit in range(63) for _ in range(2)]


class Meeting:
    """A size that blocks until two threads have asked for it."""

    def __init__(self):
        self.both = Barrier(2, timeout=10)

    def __index__(self):
        self.both.wait()
        return 3


def test_simulated_threads_that_allocate_together_share_memory():
    find_gpu()  # repairs the simulator
    from numba import int64
    from numba.cuda.simulator.kernelapi import FakeCUDAShared

    shared, size = FakeCUDAShared(0), Meeting()
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: shared.array(size, int64), range(2))
    assert one is other
    assert one.shape == (3,)


def some_keys(key_bits, count):
    """Distinct keys, some of them neighbours."""
    rng = Random(key_bits)
    first = [rng.randrange(1 << key_bits) for _ in range(count // 2)]
    return {key ^ i for key in first for i in range(2)}


def test_a_full_table_reports_it_and_keeps_all_keys(gpu, tmp_path):
    room = new_room(gpu, 24, True, tmp_path)
    table = room.new(even(64))
    keys = sorted(some_keys(24, 150))
    room.gpu.run(room.kernels.put, table.table, table.shape, to_gpu(np.array(keys)))
    table.count = table.slots
    assert set(keys_in(room, table)) < set(keys)
    assert (from_gpu(table.table) > 0).all()


@pytest.mark.parametrize("memory", [1 << 20, 10])
def test_arrays_move_out_to_memory_or_beyond_it_to_disk_and_free_it(gpu, memory, tmp_path):
    room = new_room(gpu, 24, True, tmp_path / "game", memory)
    table, keys = room.new(256), sorted(some_keys(24, 100))
    room.gpu.run(room.kernels.put, table.table, table.shape, to_gpu(np.array(keys)))
    table.count = len(keys)
    room.pack(table)
    room.move_out(table)
    files = [*tmp_path.glob(f"game/gpu-{socket.gethostname()}-{os.getpid()}-*/*")]
    assert (room.overflow.left < memory) == (not files) == (memory > 10)
    room.bring_back(table)
    assert keys_in(room, table) == keys
    room.pack(table)
    room.move_out(table)
    room.drop(table)
    assert room.overflow.left == memory
    assert room.memory.taken == 0
    room.overflow.close()
    assert list(tmp_path.iterdir()) == [], "the folder of a solve does not outlast it"


def test_files_of_a_killed_process_are_removed_and_those_of_others_stay(gpu, tmp_path):
    with subprocess.Popen(["sleep", "0"]) as ended:
        pass
    host = socket.gethostname()
    names = [f"gpu-{host}-{ended.pid}-x_y", f"gpu-{host}-{os.getpid()}-xyz", f"gpu-else.where-{ended.pid}-xyz"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "0-0").touch()
    new_room(gpu, 24, True, tmp_path).overflow.close()
    assert {folder.name for folder in tmp_path.iterdir()} == set(names[1:])


@pytest.mark.parametrize(("key_bits", "rest_bits"), [(12, 17), (24, 17), (36, 17), (42, 17), (42, 40), (63, 40)])
def test_no_two_keys_share_a_slot_and_a_rest(key_bits, rest_bits):
    rng = Random(key_bits)
    least = least_slots(key_bits, rest_bits)
    for _ in range(200):
        slots = even(least * 2 ** rng.uniform(0, 8), up=True)
        parts, top = shape_of(key_bits, slots)
        assert rest_width(key_bits, slots) <= rest_bits
        assert slots % (1 << parts) == 0
        assert (slots >> parts).bit_length() + top <= 63
