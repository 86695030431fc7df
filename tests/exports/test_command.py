"""`perfectplay export` as a user types it: what it says, what it refuses, and that nothing is half written."""

import errno
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from command_line import complaint, output
from export_files import export
from perfectplay.exports.formats import ENDINGS

PAWNS = "examples/hexapawn.py:4,4"
TURNED = "symmetries=[range(9), (1, 2, 0, 3, 4, 5, 6, 7, 8)]"
"""No symmetry of tic-tac-toe."""


def test_what_it_says(tmp_path, capsys):
    path, again = tmp_path / "pawns.h", tmp_path / "again.h"
    out = output(capsys, f"export {PAWNS} --to {path} --budget 1900")
    told = r"\S+: [\d,]+ of [\d,]+ canonical positions are stored; a search of \d pl\w+ finds the rest"
    sizes = r"[\d,]+ bytes of table, \d\.\d\d bits per position, and at most about [\d,]+ bytes of code"
    assert re.match(rf"{told}\n{sizes}\n", out)
    assert out.endswith(f"{path.stat().st_size:,} bytes in {path}\n")
    facts = export(capsys, PAWNS, again, "--budget", "1900")
    assert again.read_bytes() == path.read_bytes()
    assert {"plies", "rows", "classes", "table_bytes", "code_bytes", "looked_at", "bytes"} <= facts.keys()


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
def test_options_that_cannot_be(tmp_path, capsys, line):
    target = f"--to {tmp_path / 'a.c'}" if line else ""
    assert "see perfectplay export --help" in complaint(capsys, f"export tic-tac-toe {target} {line}")
    assert not list(tmp_path.iterdir())


def test_on_a_full_disk_nothing_is_half_written(tmp_path, capsys, monkeypatch):
    export(capsys, "lines:3,2,2", tmp_path / "a.json")

    def full(number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("perfectplay.processes.folders.os.fsync", full)
    line = complaint(capsys, f"export lines:3,2,2 --to {tmp_path / 'b.json'}")
    assert "No space left" in line
    assert "b.json" in line
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_game_beyond_the_memory_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.engine.free_memory", lambda: 300 << 20)
    line = complaint(capsys, f"export connect-four --to {tmp_path / 'a.json'}")
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


@pytest.mark.parametrize(
    ("more", "kind", "words"),
    [
        ("cells=(0,) * 9", "json", "does not tell the whole position"),
        ("cells=(0,) * 9", "html", "two of its positions look alike"),
        *(
            ("symmetries=[range(9), (1, 2, 0, 3, 4, 5, 6, 7, 8)]", kind, "break the contract")
            for kind in ("json", "h", "html")
        ),
    ],
)
def test_games_that_cannot_be_written_so(tmp_path, capsys, more, kind, words):
    file = tmp_path / "odd.py"
    file.write_text(Path("examples/tictactoe.py").read_text().replace("shape=(3, 3))", f"shape=(3, 3), {more})"))
    assert words in complaint(capsys, f"export {file} --to {tmp_path / 'odd'}.{kind}")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.nightly
def test_on_a_terminal_there_is_a_bar(tmp_path):
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "perfectplay", "export", "kingpawns", "--to", tmp_path / "a.h"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):
            while data := os.read(mine, 4096):
                shown += data
        assert process.wait(60) == 0
    os.close(mine)
    assert b"packing" in shown


def test_every_format_is_in_the_help(capsys):
    with pytest.raises(SystemExit):
        output(capsys, "export --help")
    said = capsys.readouterr().out
    assert all(f".{kind}" in said for kind in ENDINGS)
