"""`perfectplay export` as a user types it: what it says, what it refuses, and that nothing is half written."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import complaint, output
from export_files import export
from perfectplay.exporters.formats import ENDINGS


def test_what_it_says(tmp_path, capsys):
    path = tmp_path / "tactic.h"
    out = output(capsys, f"export kingpawns --to {path} --budget 2900")
    stored, table, *_ = out.splitlines()
    told = r"kingpawns: [\d,]+ of 11,509 canonical positions are stored; a search of 2 plies finds the rest"
    assert re.fullmatch(told, stored)
    sizes = r"[\d,]+ bytes of table, \d\.\d\d bits per position, and at most about [\d,]+ bytes of code"
    assert re.fullmatch(sizes, table)
    assert out.endswith(f"{path.stat().st_size:,} bytes in {path}\n")
    again = tmp_path / "again.h"
    facts = export(capsys, "kingpawns", again, "--budget", "2900")
    assert again.read_bytes() == path.read_bytes()
    wanted = ["game", "format", "to", "bytes", "plies", "rows", "classes", "table_bytes", "code_bytes", "looked_at"]
    assert list(facts) == wanted


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("export tic-tac-toe --to {0}/a.txt", "a.txt'; write .json, .json.gz, .h, .c, .html or .parquet"),
        ("export tic-tac-toe --to {0}/json", "cannot tell the format"),
        ("export tic-tac-toe --to {0}/a.json --budget 100", "is for C, .h or .c, and"),
        ("export tic-tac-toe --to {0}/a.c --all", "is for JSON, .json or .json.gz, and"),
        ("export tic-tac-toe --to {0}", "cannot tell the format"),
        ("export tic-tac-toe --to {0}/new.json/", "cannot tell the format"),
        ("export tic-tac-toe --to {0}/new/ --format json", "is the name of a folder"),
        ("export tic-tac-toe --to {0} --format json", "is there already and is not a file"),
        ("export tic-tac-toe --to /dev/full --format json", "is there already and is not a file"),
        ("export nonsense --to {0}/a.json", "nonsense"),
        ("export connect-four --to {0}/a.json", "are allowed; search it with perfectplay analyse"),
        ("export gomoku --to {0}/a.json", "gomoku is too large to solve"),
        ("export gomoku --to {0}/a.html", "gomoku is too large to solve"),
        ("export gomoku --to {0}/a.c", "gomoku is too large to solve"),
        ("export lines:8,8,1 --to {0}/a.c", "lines:8,8,1 has words of 64 bits"),
    ],
)
def test_what_cannot_be(tmp_path, capsys, line, why):
    assert why in complaint(capsys, line.format(tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("line", ["--budget 0", "--budget x", "--budget 4X", "--budget -5", "--format xml", ""])
def test_options_that_cannot_be(tmp_path, line):
    target = f"--to {tmp_path / 'a.c'}" if line else ""
    command = [sys.executable, "-m", "perfectplay", "export", "tic-tac-toe", *target.split(), *line.split()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "see perfectplay export --help" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_may_not_be_written(tmp_path, capsys):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o500)
    assert "Permission denied" in complaint(capsys, f"export tic-tac-toe --to {tmp_path / 'a.json'}")


def test_games_are_solved_first(tmp_path, capsys):
    facts = export(capsys, "drop:4,4,3", tmp_path / "a.json.gz")
    assert facts["rows"] == json.loads(output(capsys, "solve drop:4,4,3 --json"))["classes"]


def test_a_game_beyond_the_memory_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.engine.free_memory", lambda: 300 << 20)
    line = complaint(capsys, f"export drop:6,5,4 --to {tmp_path / 'a.json'}")
    assert "memory" in line
    assert not list(tmp_path.iterdir())


def test_links_and_what_lies_about(tmp_path, capsys):
    """A link stays a link, and strange files beside the target do no harm."""
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    link.symlink_to(real)
    for name in (".real.json.foo.tmp", ".real.json.99999999999999999999.tmp"):
        (tmp_path / name).write_text("")
    export(capsys, "tic-tac-toe", link)
    export(capsys, "tic-tac-toe", link)
    assert link.is_symlink()
    assert json.loads(real.read_text())["count"] == 765
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("kind", ["json", "h", "html", "parquet"])
def test_a_game_that_is_over_at_the_start(tmp_path, capsys, kind):
    source = Path("examples/tictactoe.py").read_text().replace("def outcome(mine, theirs):", ROUND_THE_START)
    file = tmp_path / "over.py"
    file.write_text(source)
    assert export(capsys, str(file), tmp_path / f"over.{kind}")["bytes"] > 0


ROUND_THE_START = """def outcome(mine, theirs):
    return DRAW


def other_outcome(mine, theirs):"""


def test_games_whose_boards_do_not_tell_all(tmp_path, capsys):
    source = Path("examples/tictactoe.py").read_text().replace("shape=(3, 3))", "shape=(3, 3), cells=(0,) * 9)")
    file = tmp_path / "alike.py"
    file.write_text(source)
    assert "does not tell the whole position" in complaint(capsys, f"export {file} --to {tmp_path / 'alike.json'}")
    assert "two of its positions look alike" in complaint(capsys, f"export {file} --to {tmp_path / 'alike.html'}")
    assert list(tmp_path.iterdir()) == [file]


def test_what_solve_refuses_is_not_exported(tmp_path, capsys):
    source = Path("examples/tictactoe.py").read_text()
    turned = "symmetries=[range(9), (1, 2, 0, 3, 4, 5, 6, 7, 8)])"
    file = tmp_path / "odd.py"
    file.write_text(source.replace("shape=(3, 3))", f"shape=(3, 3), {turned}"))
    for kind in ("json", "h", "html"):
        assert "break the contract" in complaint(capsys, f"export {file} --to {tmp_path / 'odd'}.{kind}")


def test_progress(tmp_path):
    """On a terminal there is a bar."""
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "perfectplay", "export", "kingpawns", "--to", tmp_path / "a.h"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(mine, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
        assert process.wait(60) == 0
    os.close(mine)
    assert b"packing" in shown


def test_every_format_is_in_the_help(capsys):
    with pytest.raises(SystemExit):
        output(capsys, "export --help")
    said = capsys.readouterr().out
    assert all(f".{kind}" in said for kind in ENDINGS)
