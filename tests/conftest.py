"""Tests run in the root of the checkout, with tables of their own and compiled code shared by all of them."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from homes import ROOT, shared_home
from leftover_processes import nobody_left

gc.set_threshold(100_000, 50, 100)  # compiling makes many objects that stay: to look for others took 7 % of its time
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # colours take 3 % of compiling
os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")  # numba simulates a GPU, unless `make test-gpu` says no
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
SLOW_SECONDS = 1800
"""The time limit of a test that is marked slow; that of the others is in pyproject.toml."""


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


LONGEST = (
    "test_readme",
    "test_tournament_page",
    "test_page",
    "test_why",
    "test_contract",
    "test_gpu_tables",
    "test_api",
    "test_look",
    "test_puzzles",
    "test_classroom",
    "test_puzzles_page",
    "test_safe",
    "test_depth_players",
    "test_gpu_solving",
    "test_explore",
    "test_bots",
    "test_families",
    "test_single_page",
    "test_gpu_turns",
    "test_searched_page",
    "test_share",
    "test_win_probability",
    "test_solve_cli",
    "test_tournament",
    "test_strategy",
    "test_gallery",
    "test_solve",
    "test_disk_solution",
    "test_bot_faults",
    "test_cli",
    "test_line_games",
    "test_site",
)
"""Files that take longest and so come first: then no worker is left alone with one of them at the end."""


SLOW = frozenset((ROOT / "tests/slow_tests.txt").read_text(encoding="utf-8").splitlines())
"""Single cases that take long, beside the tests that are marked where they stand: they are left to `make test-all`."""


@pytest.hookimpl(tryfirst=True)  # before the slow ones are left out
def pytest_collection_modifyitems(items):
    ranks = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path.stem, len(LONGEST)))
    for item in items:
        if item.nodeid in SLOW:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


@pytest.fixture(autouse=True)
def no_process_stays():
    """Fails the test that leaves a process behind, and ends that process, so that no other test suffers from it."""
    with nobody_left("this test"):
        yield


@pytest.fixture(scope="session")
def compiled_code(tmp_path_factory):
    """The folder of compiled code, one for all processes that run tests."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "compiled"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path_factory, compiled_code):
    """The folder below which this test's tables are kept."""
    with shared_home(tmp_path_factory, compiled_code) as folder:
        yield folder


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
