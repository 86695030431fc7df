"""The tables of positions on a card: what goes in comes out, at every size, packed or not."""

import dataclasses
import os
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import numpy as np
import pytest

from perfectplay import load
from perfectplay.engines import cuda
from perfectplay.engines.cuda import driver, from_card, least_slots, load_card_kernels, rest_needed, shape_of, to_card
from perfectplay.solve.card import tables
from perfectplay.solve.card.tables import Room, even

ON_BOTH = [pytest.param("simulated"), pytest.param("real", marks=pytest.mark.gpu)]


def game_of_bits(key_bits):
    """Some game whose keys have so many bits; its rules are not asked."""
    return dataclasses.replace(load("tic-tac-toe"), key_bits=key_bits)


def new_room(card, key_bits, wide, folder, memory=1 << 30):
    game = game_of_bits(key_bits)
    return Room(game, card, load_card_kernels(game, card, wide), memory, folder)


def keys_in(room, table):
    keys, grades = room.unloaded(table, to_card(np.zeros(0, np.uint8)), np.uint16)
    assert not grades.any()
    return sorted(keys.tolist())


@pytest.mark.parametrize("where", ON_BOTH)
@pytest.mark.parametrize("part_bits", [28, 7])
@pytest.mark.parametrize(("key_bits", "wide"), [(10, False), (24, False), (24, True), (41, True), (50, True)])
def test_keys_come_back_from_their_places(where, card, key_bits, wide, part_bits, tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "PART_BITS", part_bits)
    monkeypatch.setattr(tables, "AT_ONCE", 128)
    room = new_room(card, key_bits, wide, tmp_path)
    keys = sorted(some_keys(key_bits, 250))
    table = room.new(room.slots_for(len(keys)))
    table.count = len(keys)
    room.card.run(room.kernels.put, table.table, table.shape, to_card(np.array(keys)))
    assert keys_in(room, table) == keys
    before = from_card(table.table).tolist()
    room.move_out(table)
    assert table.table is None
    assert room.memory.taken == 0
    assert from_card(room.bring_back(table)).tolist() == before


@pytest.mark.parametrize("where", ON_BOTH)
def test_the_lowest_bit_is_found_in_words_of_63_bits(where, card):
    kernels = load_card_kernels(load("tic-tac-toe"), card)
    find = kernels.lowest

    @driver().jit
    def ask(words, answers):
        for i in range(words.size):
            answers[i] = find(int(words[i]))

    words = np.array([1 << bit | above for bit in range(63) for above in (0, 1 << 62)])
    answers = to_card(np.zeros(words.size, np.int64))
    ask[1, 1](to_card(words), answers)
    assert from_card(answers).tolist() == [bit for bit in range(63) for _ in range(2)]


class Meeting:
    """A size that is not told before two threads have asked for it."""

    def __init__(self):
        self.both = Barrier(2, timeout=10)

    def __index__(self):
        self.both.wait()
        return 3


def test_simulated_threads_that_ask_at_once_share_their_memory(card):
    from numba import int64
    from numba.cuda.simulator.kernelapi import FakeCUDAShared

    shared, size = FakeCUDAShared(0), Meeting()
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: shared.array(size, int64), range(2))
    assert one is other
    assert one.shape == (3,)


def some_keys(key_bits, count):
    """Different keys, some of them neighbours."""
    rng = Random(key_bits)
    first = [rng.randrange(1 << key_bits) for _ in range(count // 2)]
    return {key ^ i for key in first for i in range(2)}


@pytest.mark.parametrize("where", ON_BOTH)
def test_a_full_table_says_so_and_still_knows_all_it_has(where, card, tmp_path):
    room = new_room(card, 24, True, tmp_path)
    table = room.new(even(64))
    keys = sorted(some_keys(24, 300))
    room.card.run(room.kernels.put, table.table, table.shape, to_card(np.array(keys)))
    table.count = table.slots
    assert set(keys_in(room, table)) < set(keys)
    assert (from_card(table.table) > 0).all()


def test_what_was_moved_out_and_is_not_needed_frees_its_memory(card, tmp_path):
    for memory in (1 << 20, 100):
        room = new_room(card, 24, True, tmp_path, memory)
        table = room.new(256)
        room.move_out(table)
        assert room.host_left < memory or len(list(tmp_path.rglob("*"))) == 2
        room.drop(table)
        assert room.host_left == memory
        room.close()
        assert not list(tmp_path.rglob("*"))


def test_what_does_not_fit_memory_goes_to_disk_and_is_removed(card, tmp_path):
    room = new_room(card, 24, True, tmp_path, memory=100)
    table = room.new(256)
    keys = sorted(some_keys(24, 100))
    room.card.run(room.kernels.put, table.table, table.shape, to_card(np.array(keys)))
    table.count = len(keys)
    room.move_out(table)
    assert len(list(tmp_path.rglob("*"))) == 2  # a folder and a file in it
    room.bring_back(table)
    assert keys_in(room, table) == keys
    room.close()
    assert not list(tmp_path.rglob("*"))


def test_files_of_a_killed_process_are_removed_and_those_of_others_stay(card, tmp_path):
    with subprocess.Popen(["sleep", "0"]) as ended:
        pass
    host = socket.gethostname()
    names = [f"card-{host}-{ended.pid}-x_y", f"card-{host}-{os.getpid()}-xyz", f"card-else.where-{ended.pid}-xyz"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "0-0").touch()
    new_room(card, 24, True, tmp_path).close()
    assert {folder.name for folder in tmp_path.iterdir()} == set(names[1:])


def test_the_folder_of_a_solve_does_not_outlast_it(card, tmp_path):
    room = new_room(card, 24, True, tmp_path / "game", memory=100)
    room.move_out(room.new(256))
    assert list((tmp_path / "game").glob(f"card-{socket.gethostname()}-{os.getpid()}-*/*"))
    room.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("key_bits", "rest_bits"), [(12, 17), (24, 17), (36, 17), (42, 17), (42, 40), (63, 40)])
def test_no_two_keys_share_a_place_and_a_rest(key_bits, rest_bits):
    rng = Random(key_bits)
    least = least_slots(key_bits, rest_bits)
    for _ in range(200):
        slots = even(least * 2 ** rng.uniform(0, 8), up=True)
        parts, top = shape_of(key_bits, slots)
        assert rest_needed(key_bits, slots) <= rest_bits
        assert slots % (1 << parts) == 0
        assert (slots >> parts).bit_length() + top <= 63
