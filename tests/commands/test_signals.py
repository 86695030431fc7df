"""Signals that ask a command to end: it ends as by Ctrl-C, with their exit code, and leaves nothing half-made.

That no process stays is checked after every test.
"""

import os
import pty
import signal
import subprocess
import sys
from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from command_line import wait_until
from homes import ROOT
from perfectplay import load
from perfectplay.__main__ import main
from perfectplay.commands.terminal.signals import Ended, ending_by_signals, exit_code, prompt_interrupts
from perfectplay.solvers.checkpoints import CheckpointFolder, is_saved
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.table.table_folder import checkpoint_of
from rings import nightly
from web_server import READY


def command(*words, **more):
    """The command in a separate process."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-m", "perfectplay", *map(str, words)], **{**streams, **more})


SLOW = """
import os
from pathlib import Path
from signal import raise_signal
from time import sleep
from perfectplay import Game, load
calls, rules = 0, load("tic-tac-toe")
def moves(mine, theirs):
    global calls
    calls += 1
    if calls > 100:
        Path(__file__).with_name("working").touch()
        raise_signal(int(os.environ["RAISED"])) if "RAISED" in os.environ else sleep(0.02)
    return rules.moves(mine, theirs)
def game(n=3):
    return Game(moves=moves, play=rules.play, outcome=rules.outcome, bits=9, shape=(3, 3))
"""
"""Tic-tac-toe that takes long, whatever is done with it, and tells when it is in the middle of that."""
KEEPS = {
    "solve": "nothing is kept",
    "analyse": "nothing is kept",
    "explain": "nothing is kept",
    "puzzles": "nothing is kept",
    "review a1 b2 c3 a3 c1": "nothing is kept",
    "strategy --to a.html": "nothing is kept",
    "sweep": "nothing is kept",
    "compare": "nothing is kept",
    "draw --values --to a.svg": "nothing is written",
    "tree --to a.html": "nothing is written",
    "export --to a.json": "nothing is written",
    "site --to a": "nothing is written",
    "perft 9": "nothing is kept",
    "check": "nothing is kept",
    "battle random random": "of 1,000 games played; not recorded",
    "tournament random minimax": "0 of 100 games played; not recorded",
    "certify minimax": "nothing is kept",
    "odds minimax random": "nothing is kept",
    "play --first minimax --second minimax": "nothing is kept",
}
"""What each command keeps when it is interrupted in the middle of its work."""


@pytest.mark.parametrize(("words", "number"), [*zip(KEEPS, cycle((signal.SIGTERM, signal.SIGINT)))])
def test_a_signal_ends_a_command_that_says_in_one_line_what_it_keeps(words, number, tmp_path, capsys, monkeypatch):
    (tmp_path / "slow.py").write_text(SLOW)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAISED", str(int(number)))
    name, *more = words.split()
    assert main([name, "./slow.py", *more]) == 128 + number
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("perfectplay: interrupted; ")
    assert said.endswith(KEEPS[words]) or name in (
        "battle",
        "tournament",
    )  # where it depends on what is known of the rules already
    assert {path.name for path in tmp_path.iterdir()} <= {"slow.py", "working", "__pycache__"}


@pytest.mark.parametrize("words", ["solve", *nightly("sweep", "battle random random", "tournament random minimax")])
@pytest.mark.parametrize("number", [signal.SIGINT, *nightly(signal.SIGTERM)])
def test_an_interrupted_process_says_in_one_line_what_is_kept(words, number, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    name, *more = words.split()
    with command(name, "./slow.py", *more, cwd=tmp_path) as process:
        wait_until((tmp_path / "working").exists)
        process.send_signal(number)
        process.send_signal(number)  # a hasty person
        _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert err.splitlines()[-1].startswith("perfectplay: interrupted; ")
    assert err.endswith(KEEPS[words] + "\n")


@pytest.mark.nightly
def test_a_command_in_the_background_ends_by_sigterm_alone(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    ignoring = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    with command("perft", "./slow.py", 9, cwd=tmp_path, preexec_fn=ignoring) as process:
        wait_until((tmp_path / "working").exists)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (143, "perfectplay: interrupted; nothing is kept\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, *nightly(signal.SIGINT, signal.SIGHUP)])
def test_an_export_leaves_the_old_file_alone(number, tmp_path):
    target, old = tmp_path / "a.json", '{"perfectplay": "0.1", "game": "old"}'
    target.write_text(old)
    with command("export", "drop:4,4,4", "--to", target, "--all") as process:
        wait_until(lambda: list(tmp_path.glob(".a.json.*.tmp")))
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (128 + number, "", "perfectplay: interrupted; nothing is written\n")
    assert target.read_text() == old
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.nightly
def test_a_solve_on_disk_that_is_interrupted_again_and_again_resumes(tmp_path):
    work, table = tmp_path / "some" / "work", tmp_path / "a.table"
    options = ("solve", "drop:4,4,4", "--engine", "disk", "--workers", 2, "--workdir", work, "--to", table)
    for number, size in ((signal.SIGINT, 2_000), (signal.SIGTERM, 6_000), (signal.SIGHUP, 12_000)):
        with command(*options, "--resume", start_new_session=True) as process:
            wait_until(lambda size=size: sum(file.stat().st_size for file in work.glob("*/*.json")) > size)
            os.killpg(process.pid, number)  # a terminal signals the workers, too
            out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (128 + number, "")
        assert "; progress is saved; resume with: perfectplay solve drop:4,4,4" in err
        assert err.endswith("--resume\n")
        assert list(tmp_path.rglob("*.tmp")) == []
        assert not table.exists()
    last = command(*options, "--resume")
    assert last.communicate(timeout=120)[1] == ""
    left = {path.name for path in tmp_path.iterdir()}  # not the work directory, which was made for the solve
    assert left == {table.name, f"{table.name}.checked"}


@pytest.mark.parametrize("there", [False, True])
def test_an_unused_work_directory_is_removed_if_the_solve_made_it(there, tmp_path):
    work = tmp_path / "some" / "work"
    if there:
        work.mkdir(parents=True)
    steps = solving(load("drop:4,4,4"), Options("disk", workdir=str(work), workers=1))
    next(steps)
    assert list(work.iterdir())
    with pytest.raises(KeyboardInterrupt):
        steps.throw(KeyboardInterrupt())
    assert (list(work.iterdir()) if there else list(tmp_path.iterdir())) == []


def test_foreign_files_stay_and_leftovers_of_a_killed_solve_are_not_used(tmp_path):
    workdir = Workdir(str(tmp_path / "a" / "b" / "c"))
    workdir.prepare()
    for name in ("keys-1-0", "keys-1-0.host.1.tmp", "lock"):
        Path(workdir.path(name)).touch()
    workdir.empty()
    assert {*workdir.names()} == {"lock", "made"}
    (tmp_path / "a" / "mine").touch()
    workdir.clear()
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "a", tmp_path / "a" / "mine"]


def test_arrays_without_a_manifest_are_removed(tmp_path):
    class Interrupted:
        """Facts that are not written because Ctrl-C comes first."""

        def keys(self):
            raise KeyboardInterrupt

    saved = CheckpointFolder(tmp_path / "progress", "drop:4,4,4", "rules", after=0)
    with pytest.raises(KeyboardInterrupt):
        saved.keep({"keys": np.arange(3)}, Interrupted())
    assert not (tmp_path / "progress").exists()
    saved.keep({"keys": np.arange(3)}, {})
    with pytest.raises(KeyboardInterrupt):
        saved.keep({"keys": np.arange(3), "more": np.arange(2)}, Interrupted())
    assert is_saved(tmp_path / "progress")
    assert CheckpointFolder(tmp_path / "progress", "drop:4,4,4", "rules", after=0).load()


def test_an_empty_folder_is_no_checkpoint(capsys):
    checkpoint_of(load("lines:2,2,2")).mkdir(parents=True)
    assert main("solve lines:2,2,2 --engine python --resume".split()) == 0
    assert "no saved progress for lines:2,2,2" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, *nightly(signal.SIGHUP)])
def test_a_server_ends_with_its_workers(number, home):
    with command("serve", "--port", 0, "--no-browser", "examples/hexapawn.py") as process:
        assert READY.match(process.stdout.readline())
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    said = "perfectplay: interrupted; tables that were solved from the page are kept\n"
    assert (process.returncode, err) == (128 + number, said)


@pytest.mark.parametrize("number", nightly(signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
def test_a_game_that_waits_for_a_move_ends_with_its_program(number):
    program = f"cmd:{sys.executable} {ROOT / 'examples/bots/tictactoe.py'}"
    with command("play", "tic-tac-toe", "--second", program, stdin=subprocess.PIPE) as process:
        process.stdin.write("b2\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith("O ("):
            assert process.poll() is None
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert "Traceback" not in err


@pytest.mark.nightly
def test_a_closed_terminal_ends_a_solve_cleanly(tmp_path):
    mine, theirs = pty.openpty()
    work = tmp_path / "work"
    options = ("--engine", "disk", "--workers", 1, "--workdir", work, "--to", tmp_path / "a.table")
    with command("solve", "drop:4,4,4", *options, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        wait_until(lambda: list(work.glob("*/manifest.json")))
        process.send_signal(signal.SIGHUP)
        os.close(mine)
        assert process.wait(60) == 128 + signal.SIGHUP
    assert list(tmp_path.rglob("*.tmp")) == []


def test_several_signals_act_as_one():
    cleaned = []

    def work():
        with ending_by_signals():
            try:
                signal.raise_signal(signal.SIGTERM)
            finally:
                signal.raise_signal(signal.SIGHUP)
                signal.raise_signal(signal.SIGTERM)
                cleaned.append(True)

    with pytest.raises(Ended) as end:
        work()
    assert (exit_code(end.value), cleaned) == (143, [True])


def test_an_interrupt_where_python_ignores_it_is_raised_again():
    class Deleted:
        def __del__(self):
            signal.raise_signal(signal.SIGTERM)

    def work():
        with ending_by_signals(), prompt_interrupts(str):
            Deleted()
            wait_until(lambda: False)

    with pytest.raises(Ended) as end:
        work()
    assert exit_code(end.value) == 143


def test_ignored_signals_stay_ignored_and_handlers_are_restored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_by_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
