"""What the README shows is what happens: every example in it is run, every number computed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the README shows."""
    folder = tmp_path_factory.mktemp("readme")
    for kind, block in BLOCKS:
        name = re.match(r"# (\w+\.py)\n", block)
        if kind == "python" and name:
            (folder / name[1]).write_text(block)
    return folder


def shell(command, folder):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stderr == ""
    return done.stdout


CONSOLE = [
    tuple(part.split("\n", 1))
    for kind, block in BLOCKS
    if kind == "console"
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_commands(command, output, folder):
    assert shell(command, folder) == output


@pytest.mark.parametrize("block", [block for kind, block in BLOCKS if kind == "python"], ids=lambda b: b[:20].strip())
def test_python(block):
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


def test_there_is_something_to_run():
    assert len(CONSOLE) >= 6
    assert sum(kind == "python" for kind, _ in BLOCKS) >= 4


def test_the_table_of_games_is_computed():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        from tables import written
    finally:
        sys.path.pop(0)
    assert written(TEXT) == TEXT


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_the_two_commands_are_there():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", TEXT, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert "make test" in (ROOT / ".ci/run").read_text()
