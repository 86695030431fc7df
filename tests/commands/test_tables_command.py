"""The table folder: one table per game whatever its name; a full disk loses and stops nothing; nothing is left over."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import complaint, output
from perfectplay import load, open_table
from perfectplay.__main__ import main
from perfectplay.compiler import code_cache
from perfectplay.processes.folders import machine, replacing
from perfectplay.rules.loading import load_file
from perfectplay.solvers.checkpoints import CheckpointFolder, checkpoints_in
from perfectplay.solvers.complete import solving_to_file, solving_to_folder
from perfectplay.solvers.engine import Options
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.out_of_core.disk_engine import run_folder
from perfectplay.solvers.search.book import Options as BookOptions, making_book, progress_of_book
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table import tabulate
from perfectplay.solvers.table.table_folder import (
    checkpoint_of,
    checkpoints,
    kept_table,
    place_of_book,
    table_path,
    tables_folder,
)
from perfectplay.words import DRAW, WIN, Entry

RULES = """
from perfectplay import DRAW, WIN, ONGOING, Game
def moves(mine, theirs): return 1
def play(mine, theirs, move): return mine + 1, 0
def outcome(mine, theirs): return DRAW if mine == 3 else ONGOING
def game(size=1): return Game(moves=moves, play=play, outcome=outcome, bits=2, shape=(1, 1))
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Two folders with different files g.py; the first is the current folder."""
    for name, text in (("a", RULES), ("b", RULES.replace("DRAW if", "WIN if"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "g.py").write_text(text)
    monkeypatch.chdir(tmp_path / "a")
    load_file.cache_clear()
    yield tmp_path
    load_file.cache_clear()


def kept_files():
    return sorted(path.name for path in tables_folder().iterdir() if not path.name.endswith(".checked"))


def change_rules(own):
    """The file g.py of the current folder gets the rules of the other one."""
    Path("g.py").write_text((own / "b" / "g.py").read_text())
    os.utime("g.py", (2**32, 2**32))
    load_file.cache_clear()


def listed(capsys):
    """What `tables` lists, in JSON."""
    return json.loads(output(capsys, "tables --json"))


def removed(capsys, words):
    """What `tables` removes."""
    return json.loads(output(capsys, f"tables {words} --json"))["removed"]


# One game, one table


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("drop:4,3,3", ["drop:width=4,height=3,k=3", "drop:4, 3, 3"]),
        ("tic-tac-toe", ["lines:3,3,3", "lines:3,3,3,misere=false", "lines"]),
    ],
)
def test_all_spellings_find_one_table(name, others):
    game = load(name)
    finished(solving_to_folder(game, Options("python")))
    for other in map(load, others):
        assert table_path(other) == table_path(game)
        assert checkpoint_of(other) == checkpoint_of(game)
        assert place_of_book(other) == place_of_book(game)
        assert run_folder(other, "/work") == run_folder(game, "/work")
        assert kept_table(other).header.game == name
    finished(solving_to_folder(other, Options("python")))
    assert len(kept_files()) == 1
    assert kept_table(game).header.game == other.name


def test_a_file_is_the_same_by_every_path(capsys, own):
    (own / "link").symlink_to(own / "a")
    spellings = ["./g.py", "../a/g.py", str(own / "link" / "g.py"), "g.py:1"]
    for name in spellings:
        output(capsys, f"solve {name}")
        assert len(kept_files()) == 1
    for name in spellings:
        assert kept_table(load(name)) is not None
        assert "is right" in output(capsys, f"verify {name}")
    assert f"\n{own / 'a' / 'g.py'}:1 " in output(capsys, "tables")


def test_two_folders_have_two_tables(capsys, own, monkeypatch):
    output(capsys, "solve ./g.py")
    monkeypatch.chdir(own / "b")
    load_file.cache_clear()
    assert kept_table(load("./g.py")) is None
    output(capsys, "solve ./g.py")
    assert len(kept_files()) == 2
    assert kept_table(load("./g.py")).header.value == -WIN
    assert kept_table(load("../a/g.py")).header.value == DRAW
    tables = [item for item in listed(capsys) if "table" in item]
    assert {item["game"] for item in tables} == {str(own / name / "g.py") for name in "ab"}
    output(capsys, "tables --remove ./g.py")
    assert listed(capsys)[0]["game"] == str(own / "a" / "g.py")


def test_a_new_checkpoint_replaces_that_of_earlier_rules(own):
    arrays = {"keys": np.zeros(3, np.int64)}
    CheckpointFolder(checkpoints() / "g-1", "./g.py", "1" * 64, 0.0).keep(arrays, {})
    CheckpointFolder(checkpoints() / "h-1", str(own / "b" / "g.py"), "1" * 64, 0.0).keep(arrays, {})
    CheckpointFolder(checkpoints() / "g-1.book", "../a/g.py", "2" * 64 + " 5", 0.0).keep(arrays, {})
    CheckpointFolder(checkpoints() / "g-2", str(own / "a" / "g.py"), "2" * 64, 0.0).keep(arrays, {})
    assert [found.folder.name for found in checkpoints_in(checkpoints())] == ["g-1.book", "g-2", "h-1"]


def test_what_lies_in_the_place_of_another_table_or_book_is_not_verified_for_the_game(capsys):
    output(capsys, "solve tic-tac-toe")
    output(capsys, "solve misere")
    table_path(load("tic-tac-toe")).write_bytes(table_path(load("misere")).read_bytes())
    assert "was made for other rules than tic-tac-toe has now" in complaint(capsys, "verify tic-tac-toe")
    assert kept_table(load("tic-tac-toe")) is None
    other = load("drop:4,4,3")
    with replacing(place_of_book(load("drop:4,4,4"))) as sink:
        tabulate(other, {other.start: Entry(WIN, 7)}, sink, plies=0)
    assert "was made for other rules than drop:4,4,4 has now" in complaint(capsys, "verify drop:4,4,4")


def test_no_fingerprint_is_computed_if_no_table_can_match(monkeypatch):
    finished(solving_to_folder(load("tic-tac-toe"), Options("python")))
    monkeypatch.setattr(
        "perfectplay.solvers.table.table_folder.rules_key_from", lambda game: pytest.fail("computes a fingerprint")
    )
    assert kept_table(load("lines:15,15,5")) is None
    assert kept_table(load("connect-four")) is None


def test_a_table_of_an_earlier_version_is_listed_refused_and_replaced(capsys, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr("perfectplay.rules.fingerprint.VERSION", "0001")
        output(capsys, "solve tic-tac-toe")
    old = kept_files()
    assert "not used: made by an earlier version of perfectplay" in output(capsys, "tables")
    assert "made by an earlier version of perfectplay; solve the game again" in complaint(capsys, "verify tic-tac-toe")
    output(capsys, "solve tic-tac-toe")
    assert len(kept_files()) == len(old) == 1
    assert kept_files() != old
    assert "earlier" not in output(capsys, "tables")
    table_path(load("tic-tac-toe")).rename(tables_folder() / "tic-tac-toe-1234abcd.table")
    assert "not used: tic-tac-toe-1234abcd.table is an old name" in output(capsys, "tables")
    assert kept_table(load("tic-tac-toe")) is None
    output(capsys, "tables --remove tic-tac-toe")
    assert kept_files() == []


def test_old_rules_are_listed_replaced_and_removed_under_the_name_of_their_file(capsys, own):
    output(capsys, "solve ./g.py")
    earlier = kept_files()
    assert "changed since" not in output(capsys, "tables")
    change_rules(own)
    assert "  file changed since\n" in output(capsys, "tables")
    assert "made for other rules" in complaint(capsys, "verify ./g.py")
    assert json.loads(output(capsys, "analyse ./g.py --json"))["value"] == "loss"
    output(capsys, "solve ./g.py")
    assert len(kept_files()) == len(earlier) == 1
    assert kept_files() != earlier
    Path("other.py").write_text((own / "a" / "g.py").read_text())  # which has equal rules, and shares the table
    assert f"the table of {own / 'a' / 'g.py'}\n" in output(capsys, "tables --remove ./other.py")
    assert kept_files() == []
    output(capsys, "solve ./g.py")
    Path("g.py").unlink()
    load_file.cache_clear()
    assert "  file is gone\n" in output(capsys, "tables")
    output(capsys, "tables --remove ./g.py")
    assert kept_files() == []


def test_the_columns_of_the_list_are_aligned_and_sorted_by_name(capsys, own):
    for name in ("lines:2,2,2", "./g.py"):
        output(capsys, f"solve {name} --engine python")
    lines = output(capsys, "tables").splitlines()[1:3]
    assert [line.split()[0] for line in lines] == [str(own / "a" / "g.py"), "lines:2,2,2"]
    for word in (" positions ", " canonical "):
        assert len({line.index(word) for line in lines}) == 1


# A full or read-only disk


def limited(line, most):
    """The command with a limit on file sizes, as on a full disk."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    command = [sys.executable, "-m", "perfectplay", *line.split()]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit, timeout=300)


@pytest.mark.parametrize("words", ["", "--to {}/t.table"])
def test_a_solution_is_shown_though_the_disk_is_full(words, tmp_path, home, capsys, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(f"solve tic-tac-toe {words.format(tmp_path)}".split()) == 2
    shown, told = capsys.readouterr()
    assert "draws, in 9 plies" in shown
    assert "the table could not be written: No space left on device" in told
    assert [*tmp_path.iterdir(), *(home / "data").rglob("*.t*")] == []


def test_a_folder_that_cannot_be_made_stops_nothing(capsys, home):
    (home / "data").write_text("a file")
    assert main(["solve", "tic-tac-toe"]) == 2
    shown, told = capsys.readouterr()
    assert "draws, in 9 plies" in shown
    assert "the table could not be written: Not a directory" in told
    assert "--no-table solves without one" in told
    assert "draws" in output(capsys, "analyse tic-tac-toe")
    assert output(capsys, "tables").startswith("no tables yet")
    book = finished(making_book(load("drop:4,4,4"), BookOptions(1, place_of_book(load("drop:4,4,4")), 1, slot_bits=16)))
    assert isinstance(book.unwritten, OSError)
    assert book.lookup((0, 0)).distance == 16


@pytest.mark.nightly
def test_code_that_cannot_be_cached_stops_nothing(own_code):
    positions = len(solved_positions(load("drop:4,3,3")))
    for most in (0, 50_000):
        done = limited("solve drop:4,3,3 --engine numba --no-table --json", most)
        assert (done.returncode, json.loads(done.stdout)["positions"]) == (0, positions)
        assert done.stderr == ""
    assert limited("solve drop:4,3,3 --engine numba --no-table", -1).returncode == 0
    damaged = list(own_code.glob("cache/kernels/__pycache__/*.nb?"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:7])
    done = limited("solve drop:4,3,3 --engine numba --no-table --json", -1)
    assert (done.returncode, json.loads(done.stdout)["positions"]) == (0, positions)


def test_a_checkpoint_that_cannot_be_written_stops_nothing(home):
    (home / "data").write_text("a file")
    steps = list(solving_to_file(load("drop:4,4,4"), Options("numba", save_after=0), home / "t.table"))
    assert [step.note for step in steps if step.note] == ["checkpoints cannot be written: Not a directory"]
    assert open_table(home / "t.table").header.positions == 161_029


# Everything is listed and can be removed


@pytest.fixture
def own_code(home):
    """A home folder without what other tests have compiled, or know of rules, which is spared."""
    for link in (home / "cache").iterdir():
        link.unlink()
    return home


@pytest.fixture
def full_house(own_code):
    """A home folder with a file of each kind."""
    finished(solving_to_folder(load("tic-tac-toe"), Options("python")))
    game = load("drop:4,4,4")
    with replacing(place_of_book(game)) as sink:
        sink.write(table_path(load("tic-tac-toe")).read_bytes())
    arrays = {"keys": np.zeros(1000, np.int64)}
    CheckpointFolder(checkpoint_of(game), game.name, "1" * 64, 0.0).keep(arrays, {})
    CheckpointFolder(progress_of_book(game), game.name, "1" * 64 + " 3", 0.0).keep(arrays, {})
    on_disk = Path(run_folder(game, None))
    on_disk.mkdir(parents=True)
    plan = json.dumps({"plan": {"game": game.name, "rules": "1" * 64}})
    (on_disk / "manifest.json").write_text(f"12345678\n{plan}\n")
    made_module("rules_1")
    return own_code


def made_module(name):
    """A compiled module with numba's files."""
    (code_cache.modules_folder() / "__pycache__").mkdir(parents=True, exist_ok=True)
    (code_cache.modules_folder() / f"{name}.py").write_text("ANSWER = 42\n")
    (code_cache.modules_folder() / "__pycache__" / f"{name}.kernel-1.py311.1.nbc").write_bytes(bytes(500))


def test_everything_is_listed_with_its_size(capsys, full_house):
    items = listed(capsys)
    assert [next(iter(item)) for item in items] == ["table", "book", *["checkpoint"] * 3, "code"]
    assert [item["game"] for item in items] == [*["tic-tac-toe"] * 2, *["drop:4,4,4"] * 3, None]
    assert all(item["bytes"] > 8000 for item in items[2:4])
    assert items[-1]["bytes"] == 512
    lines = output(capsys, "tables")
    for words in ("765 canonical", "1 table, ", "1 book, ", "3 checkpoints, ", "1 compiled module, 512 bytes"):
        assert words in lines
    (checkpoint_of(load("drop:4,4,4")) / "manifest.json").unlink()
    assert len([item for item in listed(capsys) if "checkpoint" in item]) == 3


def test_a_game_a_kind_or_everything_is_removed(capsys, full_house):
    assert len(removed(capsys, "--remove drop:width=4,height=4,k=4")) == 4
    assert [next(iter(item)) for item in listed(capsys)] == ["table", "code"]
    output(capsys, "tables --remove code books")
    assert [next(iter(item)) for item in listed(capsys)] == ["table"]
    assert not list(full_house.glob("cache/**/rules_*"))
    assert "no table of 'drop:4,4,4' is kept" in complaint(capsys, "tables --remove drop:4,4,4")
    made_module("rules_2")
    (tables_folder() / "folder.table").mkdir()
    assert len(removed(capsys, "--remove-all")) == 2
    assert listed(capsys) == []
    assert output(capsys, "tables").startswith("no tables yet in ")
    assert [path for path in full_house.rglob("*") if path.is_file()] == []


def test_modules_unused_for_long_are_pruned(own_code, monkeypatch):
    monkeypatch.setattr(code_cache, "MOST", 3)
    for number in range(4):
        made_module(f"rules_{number}")
        os.utime(code_cache.modules_folder() / f"rules_{number}.py", (1000 + number, 1000 + number))
    for _ in range(2):  # the second time Python reads its bytecode, and not the module
        os.utime(code_cache.modules_folder() / "rules_0.py", (1000, 1000))
        assert code_cache.load_module("rules_0", lambda: "").ANSWER == 42
    code_cache.load_module("rules_9", lambda: "ANSWER = 43\n")
    left = {path.name.partition(".")[0] for path in code_cache.modules_folder().rglob("rules_*")}
    assert left == {"rules_9", "rules_0", "rules_3"}


# Leftovers of killed processes


@pytest.fixture
def dead():
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize("line", ["analyse tic-tac-toe", "solve lines:2,2,2", "tables"])
def test_the_next_run_cleans_up_after_a_kill(capsys, dead, line):
    with replacing(table_path(load("tic-tac-toe"))):
        (unfinished,) = tables_folder().iterdir()
        killed = unfinished.with_name(unfinished.name.replace(f".{os.getpid()}.", f".{dead}."))
        killed.write_bytes(b"half")
        assert killed != unfinished
        output(capsys, line)
        assert list(tables_folder().glob(".*")) == [unfinished]


def test_unfinished_files_are_removed_when_their_writer_has_ended(capsys, own_code, dead):
    made_module("rules_1")
    places = [tables_folder(), own_code / "data" / "books", checkpoints() / "g-1", code_cache.modules_folder()]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
        for writer in (f"{machine()}.{dead}", f"{machine()}.{os.getpid()}", f"elsewhere.{dead}"):
            (place / f".x.{writer}.tmp").write_bytes(b"half")
    half = code_cache.modules_folder() / "__pycache__" / "rules_1.f-1.py311.nbi.tmp.1234"
    half.write_bytes(b"half")
    code_cache.prune(9)
    assert half.exists()
    os.utime(half, (0, 0))
    output(capsys, "tables")
    code_cache.prune(9)
    assert not half.exists()
    for place in places:
        left = {path.name for path in place.glob(".*")}
        assert left == {f".x.{machine()}.{os.getpid()}.tmp", f".x.elsewhere.{dead}.tmp"}
