"""A large table in several files."""

import shutil
from pathlib import Path

import pytest
from runs import compiled_table, driver_for

from command_line import output
from perfectplay import load, open_table
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.out_of_core import disk_solution
from perfectplay.solvers.out_of_core.executors import Here
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table import table_parts
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.table.table_file import Reader, TableSink
from perfectplay.solvers.validity.verify import verify_sample, verify_table
from perfectplay.words import BadTable

GAME = "drop:4,3,3"


@pytest.fixture(scope="module")
def whole():
    return compiled_table(load(GAME))


@pytest.fixture(scope="module")
def solved_in_parts(tmp_path_factory):
    """The folder with a table in some parts, solved once."""
    folder = tmp_path_factory.mktemp("parts")
    path, driver = folder / "some.table", driver_for(GAME, tmp_path_factory.mktemp("work"), 2, 2000, Here())
    with pytest.MonkeyPatch.context() as patch, table_parts.replacing(path) as sink:
        patch.setattr(table_parts, "PART_BYTES", 1000)
        finished(
            disk_solution.bound(driver, load(GAME), finished(disk_solution.graded(driver, load(GAME))), sink, path)
        )
    return folder


@pytest.fixture
def parted(tmp_path, solved_in_parts):
    """The path of a table in two parts."""
    for file in solved_in_parts.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / "some.table"


def test_parts_together_are_the_table(parted, whole, tmp_path):
    table = open_table(parted)
    assert len(table.header.parts) == 2
    assert sorted(found.name for found in tmp_path.glob("some.table.*")) == ["some.table.0000", "some.table.0001"]
    table.save(tmp_path / "joined.table")
    assert (tmp_path / "joined.table").read_bytes() == whole
    assert finished(verify_table(table)) == len(table)
    assert finished(verify_sample(table, 20, 1)) == 20
    assert dict(table.entries()) == dict(open_table(tmp_path / "joined.table").entries())


def test_a_missing_part_is_unknown_and_never_guessed(parted, whole):
    table_parts.part_path(parted, 1).unlink()
    table, unknown = open_table(parted), 0
    begin, count, *_ = table.header.parts[1]
    for position, entry in Table(load(GAME), Reader(whole, "some")).entries():
        if table.key_of(position) < begin:
            assert table.lookup(position) == entry
        else:
            unknown += 1
            with pytest.raises(BadTable, match=r"some\.table\.0001 is missing, so that part of the table is unknown"):
                table.lookup(position)
    assert unknown == count


def test_a_part_alone_or_of_another_table_is_refused(parted):
    first, second = table_parts.part_path(parted, 0), table_parts.part_path(parted, 1)
    with pytest.raises(BadTable, match=r"is a part of a table; write the name of the table without \.0000"):
        open_table(first)
    first.write_bytes(second.read_bytes())
    with pytest.raises(BadTable):
        open_table(parted).lookup(load(GAME).start)


def test_commands_treat_parts_as_one_table(capsys, parted, home):
    assert "verified" in output(capsys, f"verify {parted}")
    table_folder = home / "data" / "tables"
    table_folder.mkdir(parents=True)
    for found in parted.parent.glob("some.table*"):
        found.rename(table_folder / found.name)
    assert f"\n{GAME} " in output(capsys, "tables")
    output(capsys, f"tables --remove {GAME}")
    assert list(table_folder.iterdir()) == []


def test_a_table_in_one_file_replaces_one_in_parts(parted, whole):
    finished(solving(load(GAME), Options("numba", parted)))
    assert parted.read_bytes() == whole
    assert list(parted.parent.glob("some.table.0*")) == []


def test_unfinished_parts_do_not_exist(tmp_path, whole):
    with (tmp_path / "head").open("wb") as sink:
        writer = table_parts.PartsWriter(sink, Reader(whole, "some").header, tmp_path / "some.table", 10)
        writer.add(1, b"block")
        writer.abandon(KeyboardInterrupt())
    assert [found.name for found in tmp_path.iterdir()] == ["head"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("most", [1000, 1 << 40], ids=["in-parts", "whole"])
def test_a_solution_on_disk_is_not_lost(tmp_path, monkeypatch, most, whole):
    game, path = load(GAME), tmp_path / "none" / "some.table"
    monkeypatch.setattr(table_parts, "PART_BYTES", most)
    path.parent.write_text("a file")
    driver = driver_for(GAME, tmp_path / "work", 2, 2000, Here())
    with open("/dev/full", "wb", buffering=0) as full:
        sink = TableSink(full)
        header = finished(disk_solution.bound(driver, game, finished(disk_solution.graded(driver, game)), sink, path))
    assert isinstance(sink.fault, OSError)
    assert header.positions == Reader(whole, "some").header.positions
