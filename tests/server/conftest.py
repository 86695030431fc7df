"""Tests of the page share one home in each file, since they share a server, which is started once."""

import shutil

import pytest

from homes import shared_home
from leftover_processes import nobody_left
from web_server import serving

QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
"""Options of a browser that asks nobody but the page's server."""


@pytest.fixture(autouse=True, scope="module")
def no_process_stays():
    """Fails the file that leaves a process behind: a server's workers come and go with all of its tests."""
    with nobody_left("this file"):
        yield


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory, known):
    """The folder below which the tables of all tests in a file are kept."""
    with shared_home(tmp_path_factory, known) as folder:
        yield folder


@pytest.fixture(scope="module")
def address(home):
    """The address of a server that has a game and a player of the user's own."""
    with serving("tic-tac-toe", "examples/hexapawn.py", "--player", "examples/bots.py:my_ai") as where:
        yield where


@pytest.fixture(scope="module")
def browser():
    """Chromium, for all tests in a file: as long as one is open, Python's own event loops cannot run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        yield one
        one.close()
