"""What `make test` does to the system that it runs on, and what `make test-all` writes down."""

import importlib
import re
import shutil
import subprocess

import pytest

from homes import ROOT

USED = ("sh", "id", "touch", "echo", "env", "make")
APT_GET = """#!/bin/sh
case "$*" in
*chromium*) exit 1 ;;
*"gcc libc6-dev"*) touch "$TOOLS/gcc"; chmod +x "$TOOLS/gcc" ;;
esac
"""


@pytest.fixture
def make(tmp_path):
    """Runs make on a machine that has nothing of what tests use, and an apt-get that has gcc but no chromium."""
    tools, checkout = tmp_path / "tools", tmp_path / "checkout"
    tools.mkdir()
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").touch()
    for name in ("Makefile", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, checkout)
    for name in (*USED, "chmod"):
        (tools / name).symlink_to(shutil.which(name))
    for name, text in (("apt-get", APT_GET), ("sudo", '#!/bin/sh\nshift\nexec "$@"\n')):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    def run(*words):
        environment = {"PATH": str(tools), "TOOLS": str(tools)}
        done = subprocess.run(
            [shutil.which("make"), *words], cwd=checkout, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout + done.stderr

    return run


@pytest.mark.skipif(shutil.which("make") is None, reason="runs make")
def test_what_will_be_installed_is_said_first(make):
    assert make("types", "SYSTEM=no") == ""
    assert len(make("skips").splitlines()) == 4
    told = make("types").splitlines()  # asked for later, it is installed
    assert told[0].startswith("Will be installed with apt-get for tests of the page in a browser: chromium (")
    assert all(line.startswith("Will be installed with apt-get for ") and "SYSTEM=no" in line for line in told[:4])
    assert told[4:] == ["Could not be installed: chromium"]
    skipped = make("skips").splitlines()
    assert all(line.startswith("SKIPPED: ") for line in skipped)
    assert ["browser" in line for line in skipped] == [True, False, False]  # gcc is there now


def test_the_log_of_all_tests_names_no_place_of_a_machine(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    test_all = importlib.import_module("test_all")
    slowest = ["====== slowest 25 durations ======", "2.67s call     tests/test_suite.py::test_a[drop:4,4,4]"]
    skipped = "SKIPPED [2] tests/export/test_c.py:12: {} is missing"
    failed = "FAILED tests/test_cli.py::test_b[{}:4]"
    said = ["....s  [100%]", *slowest, skipped.format("/opt/gcc"), failed.format("/me/x.py") + " - assert '/tmp/a'"]
    assert list(test_all.summary(said)) == [*slowest, skipped.format("..."), failed.format("...")]
    head = "\n".join(test_all.head(["pytest"]))
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC, commit [0-9a-f]{40}", head)
    assert "numba " in head
    assert str(ROOT) not in head
