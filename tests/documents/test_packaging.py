"""The package as strangers get it: it builds, its metadata is valid, and the wheel plays a game in an empty venv."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import perfectplay
from homes import ROOT


def run(*command, cwd=ROOT):
    """The output of a command that must succeed."""
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=alone, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """The folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder)
    return folder


@pytest.mark.nightly
def test_the_metadata_is_valid_and_the_wheel_has_what_it_needs_and_no_more(dist):
    assert run(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir()).count("PASSED") == 2
    (wheel,) = dist.glob(f"perfectplay-{perfectplay.__version__}-py3-none-any.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    own = [path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.relative_to(ROOT / "src").as_posix() for path in own} <= names
    assert not [name for name in names if name.startswith(("tests", "docs", "bench"))]


@pytest.mark.nightly
def test_the_wheel_plays_a_game_in_an_empty_environment(dist, tmp_path):
    (wheel,) = dist.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    place = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "-q", wheel)
    # Dependencies come from the environment that runs the tests, so that no network is needed.
    (place / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    shown = run(python, "-c", "import perfectplay; print(perfectplay.__file__)", cwd=tmp_path)
    assert Path(shown.strip()).is_relative_to(place)
    command = tmp_path / "venv" / "bin" / "perfectplay"
    assert run(command, "--version").strip() == f"perfectplay {perfectplay.__version__}"
    game = run(command, "play", "tic-tac-toe", "--first", "perfect", "--second", "random", "--seed", "1", cwd=tmp_path)
    assert "X (perfect) wins." in game


def test_there_is_one_version():
    version = perfectplay.__version__
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(r"^## (\S+), (\d{4}-\d{2}-\d{2})$", changelog, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert released
    assert released[1] == version
    assert f"version: {version}\n" in citation
    assert f"date-released: {released[2]}\n" in citation
