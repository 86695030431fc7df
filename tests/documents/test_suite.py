"""The test suite: a test that leaves a process or never ends fails alone, however the tests were started."""

import os
import subprocess
import sys

import pytest

from command_line import wait_until
from homes import ROOT
from leftover_processes import PROCESSES, marked, processes_marked

TESTS = """
import os, signal, subprocess, sys
import pytest

SLEEP = [sys.executable, "-c", "import time; print('sleeps', flush=True); time.sleep(600)"]


def test_leaves_a_process():
    os.posix_spawn(sys.executable, SLEEP, os.environ)


def test_is_not_to_blame():
    pass


@pytest.mark.timeout(1)
def test_never_ends():
    with subprocess.Popen(SLEEP) as process:
        try:
            process.wait()
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_children_hear_signals(number):
    with subprocess.Popen(SLEEP, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(10) in (-number, 1)  # Python's own handler of SIGINT raises


@pytest.mark.nightly
def test_of_the_nightly_ring_has_more_time(request):
    assert request.node.get_closest_marker("timeout").args == (1800,)
"""


def run_tests(folder):
    """Runs tests with this suite's conftest, started as if in the background under nohup."""
    (folder / "test_inner.py").write_text(TESTS)
    (folder / "conftest.py").write_text("import leftover_processes\nleftover_processes.SECONDS = 0.5\n")
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "-m", "nightly or not nightly"]
    plugins = ["-p", "conftest", "-p", "pytest_timeout", "-p", "no:cacheprovider"]
    path = os.pathsep.join([str(ROOT / "tests"), *filter(None, sys.path)])
    return subprocess.run(
        ["sh", "-c", 'trap "" INT TERM HUP; exec "$@"', "sh", *command, *plugins, "--tb", "short", str(folder)],
        env={**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="processes are found in /proc")
def test_a_leftover_process_or_an_endless_test_fails_its_own_test_only(tmp_path):
    with processes_marked() as find:
        done = run_tests(tmp_path)
        assert find() == {}
    summary = done.stdout.partition("short test summary info")[2].splitlines()
    assert done.returncode == 1
    failed = [(line.split()[0], line.split()[1].partition("::")[2]) for line in summary[1:-1]]
    assert failed == [("FAILED", "test_never_ends"), ("ERROR", "test_leaves_a_process")]
    assert "this test left processes behind" in done.stdout
    assert "Timeout" in done.stdout
    assert summary[-1].startswith("1 failed, 6 passed, 1 error")


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="processes are found in /proc")
def test_processes_are_found_by_their_mark_alone():
    with processes_marked() as find, subprocess.Popen(["sleep", "60"]) as process:
        wait_until(find)  # a process that has just started has no environment yet
        assert list(find()) == [process.pid]
        assert marked("another") == {}
        process.kill()
        process.wait()
        assert find() == {}
