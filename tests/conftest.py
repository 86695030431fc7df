"""Tests run in the root of the checkout, with tables of their own and compiled code shared by all of them."""

import gc
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

from homes import shared_home
from leftover_processes import nobody_left

gc.set_threshold(100_000, 50, 100)  # compiling makes many objects that stay: to look for others took 7 % of its time
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # colours take 3 % of compiling
os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")  # numba simulates a GPU, unless `make test-gpu` says no
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
NIGHTLY_SECONDS = 1800
"""The time limit of a test of the nightly ring; that of the others is in pyproject.toml."""


def pytest_configure():
    """Lets children hear signals that these tests are not to hear, as under nohup or in the background of a script.

    A signal that is ignored stays ignored in children; one that a handler takes does not.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.hookimpl(optionalhook=True)  # xdist may not be there
def pytest_xdist_auto_num_workers():
    """A worker more than there are cores: a fifth of the time tests wait for browsers and other processes."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)  # before those of the nightly ring are left out
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.timeout(NIGHTLY_SECONDS))


@pytest.fixture(autouse=True)
def no_process_stays():
    """Fails the test that leaves a process behind, and ends that process, so that no other test suffers from it."""
    with nobody_left("this test"):
        yield


@pytest.fixture(scope="session")
def known_rules(tmp_path_factory):
    """The folder of what is known of rules, one for all processes that run tests."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "known"


@pytest.fixture(autouse=True)
def home(tmp_path_factory, known_rules):
    """The folder below which this test's tables are kept."""
    with shared_home(tmp_path_factory, known_rules) as folder:
        yield folder


@pytest.fixture(autouse=True)
def neighbours_forgotten(monkeypatch):
    """Lets the files of each test import modules of their folder, whatever other tests have imported by these names."""
    folders = {}
    monkeypatch.setattr("perfectplay.rules.loading.FOLDERS", folders)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    places = {str(file) for names in folders.values() for file in names.values()}
    for name in [name for name, module in sys.modules.items() if getattr(module, "__file__", None) in places]:
        del sys.modules[name]


@pytest.fixture
def makers():
    """Makes isolated makers, which are closed in the end."""
    from perfectplay.arena.bot_makers import close, isolated_maker

    made = []

    def make(name):
        made.append(isolated_maker(name, []))
        return made[-1]

    yield make
    for maker in made:
        close(maker)
