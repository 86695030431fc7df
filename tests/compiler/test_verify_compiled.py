"""The compiled check of a table finds by itself whatever is wrong, without the sample that runs beside it."""

import random

import numpy as np
import pytest

import perfectplay
from perfectplay import ONGOING, WIN, BadTable, load, open_table
from perfectplay.compiler.kernels.block_kernels import decode_block, fill_starts
from perfectplay.game import canonical
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.block_coding import Block, pack, unpack
from perfectplay.solvers.table.table import tabulate
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.verify import verify_table
from perfectplay.solvers.validity.verify_compiled import (
    WrongEntry,
    all_blocks,
    bucket_starts,
    first_check,
    verify_by_kernels,
)
from perfectplay.words import LOSS, Entry
from rings import nightly

GAME = load("drop:4,3,3")


@pytest.fixture(scope="module")
def entries():
    smallest = canonical(GAME)
    return {position: entry for position, entry in solved_positions(GAME).items() if smallest(*position) == position}


@pytest.fixture
def made(tmp_path):
    def table(entries):
        with (tmp_path / "made.table").open("wb") as sink:
            tabulate(GAME, entries, sink)
        return open_table(tmp_path / "made.table", GAME)

    return table


def compiled_check(table):
    """All faults that the first check finds, by rules as written and nothing else."""
    pool = ThreadPool(2)
    finished(first_check(table, finished(all_blocks(table, pool)), pool).wait())


def test_a_correct_table_passes(made):
    table = made(solved_positions(GAME))
    compiled_check(table)
    finished(verify_by_kernels(table, iter(())))


@pytest.mark.parametrize("seed", range(4))
def test_any_wrong_entry_is_found_without_a_sample(made, entries, seed):
    rng = random.Random(seed)
    position = rng.choice(sorted(entries))
    value, distance = entries[position]
    other = rng.choice([Entry(value, distance + 1), Entry(-value or WIN, distance)])
    table = made({**entries, position: other})
    with pytest.raises(WrongEntry):
        compiled_check(table)
    with pytest.raises(BadTable, match="is wrong"):
        finished(verify_by_kernels(table, iter(())))


def test_missing_superfluous_and_miscounted_positions_are_found_without_a_sample(made, entries):
    ended = next(position for position in entries if GAME.outcome(*position) != ONGOING)
    with pytest.raises(WrongEntry):
        compiled_check(made({position: entry for position, entry in entries.items() if position != ended}))
    with pytest.raises(BadTable, match="1 position cannot be reached"):
        compiled_check(made({**entries, (0, 0b111): Entry(LOSS, 0)}))
    with pytest.raises(BadTable, match="its header has"):
        compiled_check(made(entries))  # counts classes, not positions


def test_a_fault_in_the_sample_is_told_even_if_the_compiled_check_finds_none(made):
    def sample():
        yield None
        raise BadTable("the sample is wrong")

    with pytest.raises(BadTable, match="the sample is wrong"):
        finished(verify_by_kernels(made(solved_positions(GAME)), sample()))


@pytest.mark.parametrize("name", ["kalah:2,2", *nightly("fading:3,2")])
def test_extra_turns_points_and_cycles_are_checked(name, monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.validity.verify.SMALL", 0)
    table = perfectplay.solve(load(name), "python")
    compiled_check(table)
    assert finished(verify_table(table)) == len(table)
    scale = table.reader.grades
    pool = ThreadPool(1)
    run = finished(all_blocks(table, pool))
    for place in random.Random(2).sample(range(len(table)), 20):
        grades = run.grades.copy()
        grades[place] = grades[place] % (scale.size - 1) + 1
        with pytest.raises(WrongEntry):
            finished(first_check(table, run._replace(grades=grades), pool).wait())


@pytest.mark.parametrize(("bits", "grade_bytes"), [(1, 1), (8, 2), (20, 1), (40, 2)])
def test_the_kernel_decodes_blocks_as_the_reader_does(bits, grade_bytes):
    rng = random.Random(bits)
    for count in (1, 2, 256, 777):
        keys = sorted({rng.getrandbits(bits + 10) for _ in range(count)})
        grades = [rng.randrange(1, 250 if grade_bytes == 1 else 9000) for _ in keys]
        text = unpack(pack(keys, grades, grade_bytes), len(keys), 8, grade_bytes)
        data, block = np.frombuffer(text, np.uint8), Block(text, keys[0], len(keys))
        found, graded = np.empty(len(keys), np.int64), np.empty(len(keys), np.uint32)
        assert decode_block(data, keys[0], keys[-1], max(grades), found, graded)
        assert found.tolist() == block.keys() == keys
        assert graded.tolist() == list(block.all_grades()) == grades
        assert not decode_block(data, keys[0], keys[-1] - 1, max(grades), found, graded)
        assert not decode_block(data, keys[0], keys[-1], max(grades) - 1, found, graded)


def test_a_block_that_the_kernel_refuses_is_refused_in_the_words_of_the_reader(made, monkeypatch):
    table = made(solved_positions(GAME))
    last, scale = table.reader.block(1), table.reader.grades
    monkeypatch.setattr(table.reader, "grades", scale._replace(longest=scale.longest - 1))
    unpatched = table.reader.block
    monkeypatch.setattr(table.reader, "block", lambda number: last if number == 1 else unpatched(number))
    with pytest.raises(BadTable, match="block 0 has an invalid grade"):
        finished(all_blocks(table, ThreadPool(1)))


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_buckets_hold_all_keys_between_their_starts(kind):
    keys = np.unique(np.random.default_rng(1).integers(0, 2**30, 5000)).astype(kind)
    starts, shift = bucket_starts(keys)
    assert starts[0] == 0
    assert starts[-1] == keys.size
    assert starts.size <= keys.size + 2
    for bucket in range(starts.size - 1):
        assert (keys[starts[bucket] : starts[bucket + 1]] >> shift == bucket).all()
    one = np.empty(2, np.int64)
    fill_starts(keys[:1], 40, one)
    assert one.tolist() == [0, 1]
