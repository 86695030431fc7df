"""Long solves write checkpoints: killed at any moment, they resume and make the same table bit for bit."""

import signal
import subprocess
import sys
from contextlib import closing

import pytest

import perfectplay
from perfectplay import load
from perfectplay.solvers.checkpoints import LOCK, CheckpointFolder, locked_file
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import checkpoint_of
from rings import nightly

KILLED = """
import os, signal, sys
from pathlib import Path
from perfectplay import load
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options

game, path, stop, resume = load(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "True"
for number, step in enumerate(solving(game, Options("numba", path, resume=resume, save_after=0))):
    if number == stop:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def solve_until(name, path, stop, resume=False):
    """Solves in a process that is killed at that step; returns whether it was."""
    arguments = [sys.executable, "-c", KILLED, name, str(path), str(stop), str(resume)]
    code = subprocess.run(arguments, timeout=300, check=False).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


def interrupted(name, path, stop):
    """The checkpoint of a solve that ended at that step."""
    with closing(solving(load(name), Options("numba", path, save_after=0))) as steps:
        for _ in zip(range(stop + 1), steps, strict=False):
            pass
    assert not path.exists()
    assert (checkpoint_of(load(name)) / "manifest.json").exists()
    return checkpoint_of(load(name))


@pytest.mark.parametrize("name", ["tactic-toe", *nightly("drop:4,4,4", "kingpawns")])
def test_ended_at_several_moments_and_resumed(name, tmp_path):
    game = load(name)
    phases = [step.phase for step in solving(game, Options("numba", tmp_path / "whole.table"))]
    whole = (tmp_path / "whole.table").read_bytes()
    for stop in (4, phases.index("backward") - 1, phases.index("backward") + 1, len(phases) - 1):
        path = tmp_path / f"{stop}.table"
        folder = interrupted(name, path, stop)
        again = list(solving(game, Options("numba", path, resume=True, save_after=0)))
        assert len(again) < len(phases)
        assert path.read_bytes() == whole
        assert not folder.exists()


def test_a_killed_solve_leaves_a_checkpoint_and_nothing_that_looks_like_a_table(tmp_path):
    path = tmp_path / "a.table"
    assert solve_until("drop:4,4,4", path, 30)
    assert [file.name.startswith(".") for file in tmp_path.iterdir()] in ([], [True])
    assert (checkpoint_of(load("drop:4,4,4")) / "manifest.json").exists()


@pytest.mark.nightly
def test_killed_repeatedly(tmp_path):
    whole = perfectplay.solve(load("drop:4,4,4"), "numba")
    path = tmp_path / "t.table"
    kills = 0
    while solve_until("drop:4,4,4", path, stop=9, resume=True):
        kills += 1
        assert kills < 20
    assert kills >= 4
    assert path.read_bytes() == bytes(whole.reader.data)


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("manifest.json", lambda data: data.replace(b'"rules": "', b'"rules": "0')),
        ("keys-3.npy", lambda data: data[:-5] + b"wrong"),
    ],
)
def test_a_checkpoint_of_other_rules_or_a_damaged_one_is_not_used(file, change, tmp_path):
    path = tmp_path / "a.table"
    [found] = interrupted("drop:4,4,4", path, 8).glob(file)
    found.write_bytes(change(found.read_bytes()))
    table = finished(solving(load("drop:4,4,4"), Options("numba", path, resume=True)))
    assert table.header.positions == 161_029


def test_short_solves_save_nothing(home):
    perfectplay.solve(load("drop:4,4,4"), "numba")
    assert not (home / "data" / "progress").exists()


@pytest.mark.parametrize(("engine", "name"), [("numba", "tactic-toe"), ("disk", "tic-tac-toe")])
def test_nothing_is_thrown_away_before_the_table_is_in_its_place(engine, name, tmp_path, monkeypatch):
    """A crash between the last block and the file's name costs nothing but the last steps."""
    game, path, work = load(name), tmp_path / "a.table", tmp_path / "work"
    options = Options(engine, path, save_after=0)
    if engine == "disk":
        options = options._replace(workdir=str(work), workers=1)

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("perfectplay.solvers.complete.check_table", interrupted)
        with pytest.raises(KeyboardInterrupt):
            finished(solving(game, options))
    assert not path.exists()
    left = work if engine == "disk" else checkpoint_of(game)
    assert list(left.rglob("manifest.json"))
    finished(solving(game, options._replace(resume=True)))
    assert path.exists()
    assert not left.exists()


def test_a_checkpoint_of_other_rules_stays_while_somebody_works_in_it(tmp_path):
    other, mine = tmp_path / "nim-1", CheckpointFolder(tmp_path / "nim-2", "nim", "mine", 0.0)
    other.mkdir()
    (other / "manifest.json").write_text('{"game": "nim", "rules": "other"}')
    (other / LOCK).touch()
    with locked_file(other / LOCK, "another solve", str(other)):
        mine.keep_now({}, {})
        assert other.exists()
    mine.keep_now({}, {})
    assert not other.exists()
