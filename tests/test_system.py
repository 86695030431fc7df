"""On unsupported systems perfectplay reports it and touches nothing."""

import os
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import pytest

from command_line import complaint
from homes import ROOT
from perfectplay.processes import folders as system
from perfectplay.processes.folders import is_running
from perfectplay.words import WrongSystem


@pytest.fixture
def on_windows(monkeypatch):
    monkeypatch.setattr(system, "os", SimpleNamespace(name="nt"))


@pytest.mark.parametrize("line", ["games", "solve tic-tac-toe", "--help", "nonsense"])
def test_a_command_on_another_system_is_refused_in_one_line(line, capsys, on_windows):
    assert "runs on Linux and macOS" in complaint(capsys, line)


def test_no_process_is_probed_on_systems_where_that_would_end_it(on_windows, monkeypatch):
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("this ends a process on Windows"))
    with pytest.raises(WrongSystem):
        is_running(os.getpid())


def test_a_work_directory_needs_file_locks():
    code = "import sys; sys.modules['fcntl'] = None; import perfectplay.solvers.out_of_core.workdir"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "fcntl" in done.stderr.splitlines()[-1]


def test_the_package_names_the_systems_that_the_readme_names():
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    systems = [line for line in classifiers if line.startswith("Operating System")]
    assert systems == ["Operating System :: MacOS", "Operating System :: POSIX :: Linux"]
    assert "runs on Linux and macOS" in (ROOT / "README.md").read_text(encoding="utf-8")
