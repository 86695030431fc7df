from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from perfectplay.solvers.out_of_core.chunk_files import ChunkFile, packing
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.words import BadWork

NUMBERS = st.lists(st.integers(0, 2**63 - 1), max_size=50)
SIGNED = st.lists(st.integers(-(2**61), 2**61), max_size=50)


@pytest.fixture
def workdir(tmp_path):
    found = Workdir(str(tmp_path / "work"))
    found.prepare()
    return found


@given(st.lists(st.one_of(NUMBERS, SIGNED), min_size=1, max_size=5))
def test_numbers_survive_a_round_trip(tmp_path_factory, lists):
    workdir = Workdir(str(tmp_path_factory.mktemp("work")))
    numbers = np.array([number for each in lists for number in each], np.int64)
    cuts = np.cumsum([0, *(len(each) for each in lists)])
    with packing(workdir, "some") as packer:
        packer.add_numbers(numbers, cuts)
        packer.add_array(numbers)
    with ChunkFile(workdir, "some") as chunk_file:
        assert [chunk_file.numbers(i, np.int64, i).tolist() for i in range(len(lists))] == lists
        assert chunk_file.array(len(lists), np.int64).tolist() == numbers.tolist()
        assert chunk_file.counts.tolist() == [*map(len, lists), numbers.size]


def test_any_flipped_bit_is_noticed(workdir):
    with packing(workdir, "some") as packer:
        packer.add_numbers(np.arange(0, 900, 3), np.array([0, 200, 300]), 9)
    with packing(workdir, "paged") as packer:
        for each in (np.arange(3), np.arange(5)):
            packer.add_array(each)
            packer.end_page()

    def read_all():
        with ChunkFile(workdir, "some") as chunk_file:
            [chunk_file.numbers(i, np.int64, i << 9) for i in range(2)]

    def read_page():
        with ChunkFile(workdir, "paged", 1) as chunk_file:
            chunk_file.segment(0)

    other_page = {*range(3 * 8), *range(8 * 8, 8 * 8 + 20)}  # its data and its row
    for name, read, unread in (("some", read_all, set()), ("paged", read_page, other_page)):
        file = Path(workdir.path(name))
        whole = file.read_bytes()
        for at in {*range(len(whole))} - unread:
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
            with pytest.raises(BadWork, match="damaged"):
                read()
        file.write_bytes(whole[:300])
    with pytest.raises(BadWork, match="damaged"):
        read_all()
    with pytest.raises(BadWork, match=r"none.* is missing"):
        ChunkFile(workdir, "none")


def test_a_page_alone_is_its_part_of_the_file(workdir):
    numbers = [np.arange(i, 100 * i, i + 1) for i in range(1, 7)]
    with packing(workdir, "some") as packer:
        for each in numbers:
            packer.add_array(each)
    with ChunkFile(workdir, "some") as whole, packing(workdir, "paged") as packer:
        for first, stop in ((0, 2), (2, 2), (2, 6)):
            packer.copy(whole, first, stop)
            packer.end_page()
    for page, expected in enumerate((numbers[:2], [], numbers[2:])):
        with ChunkFile(workdir, "paged", page) as chunk_file:
            found = [chunk_file.array(i, np.int64).tolist() for i in range(chunk_file.counts.size)]
            assert found == [each.tolist() for each in expected]
    with ChunkFile(workdir, "paged") as chunk_file:
        assert chunk_file.counts.tolist() == [each.size for each in numbers]


def test_an_unfinished_file_does_not_exist(workdir):
    def write():
        with packing(workdir, "some") as packer:
            packer.add_array(np.arange(100))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert workdir.names() == []
