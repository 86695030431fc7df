"""A block gives back what was packed, key by key and all at once; the cache keeps within its room."""

import random

import pytest

import perfectplay
from perfectplay import load, open_table
from perfectplay.solvers.table.block_coding import STRIDE, Block, byte_sum, pack, unpack
from perfectplay.solvers.table.table_file import BlockCache

COUNTS = [1, 2, 3, STRIDE - 1, STRIDE, STRIDE + 1, STRIDE + 2, 2 * STRIDE, 2 * STRIDE + 1, 800]


def block_of(keys, grades, grade_bytes):
    key_bytes = max(1, (keys[-1].bit_length() + 7) // 8)
    return Block(unpack(pack(keys, grades, grade_bytes), len(keys), key_bytes, grade_bytes), keys[0], len(keys))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(
    ("bits", "grade_bytes"), [(1, 1), (8, 2), (9, 1), (17, 2), (62, 1), (64, 2), (65, 1), (200, 2)]
)
def test_a_block_gives_back_its_keys_and_grades(count, bits, grade_bytes):
    rng = random.Random(count * 1000 + bits)
    steps = [rng.choice([1, 1, 256, rng.getrandbits(bits) + 1]) for _ in range(count)]
    keys = [sum(steps[: i + 1]) for i in range(count)]
    grades = [rng.randrange(1, 200 if grade_bytes == 1 else 60_000) for _ in keys]
    block = block_of(keys, grades, grade_bytes)
    assert block.keys() == [block.key(place) for place in range(count)] == keys
    assert list(block.all_grades()) == [block.grade(key) for key in keys] == grades
    assert block.end == keys[-1]
    assert not any(block.grade(key) for key in {key + 1 for key in keys} - {*keys})
    assert block.grade(keys[-1] + 10**70) == 0
    assert block.has_grades_below(max(grades) + 1)
    assert not block.has_grades_below(max(grades))


@pytest.mark.parametrize("place", [0, 1, STRIDE, 700])
@pytest.mark.parametrize("step", [1, 256, 1 << 40])
def test_a_key_that_stands_twice_is_refused(place, step):
    keys = [i * step for i in range(701)]
    keys.insert(place, keys[place])
    with pytest.raises(ValueError, match="twice"):
        block_of(keys, [1] * len(keys), 1)


@pytest.mark.parametrize("grades", [b"\0", b"\x01\0\x02", b"\x05\x07\x06"])
def test_a_grade_out_of_range_is_noticed(grades):
    assert not block_of(range(len(grades)), grades, 1).has_grades_below(7)


def test_the_greatest_sum_of_bytes_is_exact():
    assert byte_sum(b"\xff" * STRIDE) == 255 * STRIDE
    assert byte_sum(b"") == 0


def test_the_cache_keeps_within_its_room_and_answers_stay_the_same(tmp_path):
    perfectplay.solve(load("drop:4,3,3"), "python").save(tmp_path / "a.table")
    table = open_table(tmp_path / "a.table")
    entries = list(table.entries())
    random.Random(3).shuffle(entries)
    room = table.reader.block(0).memory + 10
    table.reader.cache = cache = BlockCache(room)
    assert len(table.reader.firsts) == 2
    for position, entry in entries:
        assert table.lookup(position) == entry
        held = sum(block.memory for block in cache.blocks.values())
        assert 0 < held == room - cache.room <= room
        assert list(cache.order) == list(cache.blocks)
