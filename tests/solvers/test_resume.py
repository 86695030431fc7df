"""Long solves write checkpoints: killed at any moment, they resume and make the same table bit for bit."""

import os
import signal
import subprocess
import sys

import pytest

import perfectplay
from perfectplay import load
from perfectplay.solvers.checkpoints import Saved
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.file_lock import LOCK, locked_file
from perfectplay.solvers.steps import finished
from perfectplay.table.table_folder import checkpoint_of

KILLED = """
import os, signal, sys
from pathlib import Path
from perfectplay import load
from perfectplay.solvers.checkpoints import Saved
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options

game, path, stop, resume = load(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "resume"
for number, step in enumerate(solving(game, Options("numba", path, resume=resume, saved_after=0))):
    if number == stop:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def solve_until(name, path, stop, resume=False):
    """Solves in a process that is killed at that step; returns whether it was."""
    arguments = [sys.executable, "-c", KILLED, name, str(path), str(stop), "resume" if resume else "anew"]
    code = subprocess.run(arguments, timeout=300, check=False, env=dict(os.environ)).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


def steps_of(name, path):
    return [step.phase for step in solving(load(name), Options("numba", path))]


@pytest.mark.parametrize(
    "name", ["tactic-toe", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("drop:4,4,4", "kingpawns"))]
)
def test_killed_at_several_moments_and_resumed(name, tmp_path):
    game = load(name)
    phases = steps_of(name, tmp_path / "whole.table")
    whole = (tmp_path / "whole.table").read_bytes()
    last = len(phases) - 1
    for number, stop in enumerate((4, phases.index("backward") - 1, phases.index("backward") + 1, last)):
        path = tmp_path / f"{number}.table"
        assert solve_until(name, path, stop)
        assert not path.exists()
        assert (checkpoint_of(game) / "manifest.json").exists()
        phases_left = []
        steps = solving(game, Options("numba", path, resume=True, saved_after=0))
        for step in steps:
            phases_left.append(step.phase)
        assert len(phases_left) < len(phases)
        assert path.read_bytes() == whole
        assert not checkpoint_of(game).exists()


@pytest.mark.nightly
def test_killed_repeatedly(tmp_path):
    whole = perfectplay.solve(load("drop:4,4,4"), "numba")
    path = tmp_path / "t.table"
    kills = 0
    while solve_until("drop:4,4,4", path, stop=5, resume=True):
        kills += 1
        assert kills < 20
    assert kills >= 5
    assert path.read_bytes() == bytes(whole.reader.data)


def test_a_checkpoint_of_other_rules_is_not_used(tmp_path):
    game = load("drop:4,4,4")
    assert solve_until("drop:4,4,4", tmp_path / "a.table", 8)
    folder = checkpoint_of(game)
    manifest = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(manifest.replace('"rules": "', '"rules": "0'))
    table = finished(solving(game, Options("numba", tmp_path / "a.table", resume=True)))
    assert table.header.positions == 161_029


def test_a_damaged_checkpoint_starts_from_scratch(tmp_path):
    game = load("drop:4,4,4")
    assert solve_until("drop:4,4,4", tmp_path / "a.table", 8)
    for array in checkpoint_of(game).glob("keys-3.npy"):
        array.write_bytes(array.read_bytes()[:-5] + b"wrong")
    table = finished(solving(game, Options("numba", tmp_path / "a.table", resume=True)))
    assert table.header.positions == 161_029


def test_short_solves_save_nothing(home):
    perfectplay.solve(load("drop:4,4,4"), "numba")
    assert not (home / "data" / "progress").exists()


def test_leftover_parts_of_a_killed_solve_are_not_mistaken_for_tables(tmp_path):
    assert solve_until("drop:4,4,4", tmp_path / "a.table", 30)
    assert [file.name.startswith(".") for file in tmp_path.iterdir()] in ([], [True])


@pytest.mark.parametrize("engine", ["numba", "disk"])
def test_nothing_is_thrown_away_before_the_table_is_in_its_place(engine, tmp_path, monkeypatch):
    """A crash between the last block and the file's name costs nothing but the last steps."""
    game, path, work = load("tactic-toe"), tmp_path / "a.table", tmp_path / "work"
    options = Options(engine, path, saved_after=0)
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
    other, mine = tmp_path / "nim-1", tmp_path / "nim-2"
    other.mkdir()
    (other / "manifest.json").write_text('{"game": "nim", "rules": "other"}')
    (other / LOCK).touch()
    with locked_file(other / LOCK, "another solve", str(other)):
        Saved(mine, "nim", "mine", 0.0).keep_now({}, {})
        assert other.exists()
    Saved(mine, "nim", "mine", 0.0).keep_now({}, {})
    assert not other.exists()
