"""Tests of the page share one home in each file, since they share a server, which is started once."""

import shutil

import pytest
from starlette.testclient import TestClient

from homes import shared_home
from leftover_processes import nobody_left
from perfectplay.server.app import build_app
from web_server import dispatcher_here, serving_here

OWN = (["tic-tac-toe", "examples/hexapawn.py"], ["examples/bots.py:my_ai"])
"""What servers are started with: a game and a player of the user's own."""
QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
"""Options of a browser that asks nobody but the page's server."""


@pytest.fixture(autouse=True, scope="module")
def no_process_stays():
    """Fails the file that leaves a process behind: a server's workers come and go with all of its tests."""
    with nobody_left("this file"):
        yield


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory, known_rules):
    """The folder below which the tables of all tests in a file are kept."""
    with shared_home(tmp_path_factory, known_rules) as folder:
        yield folder


@pytest.fixture(scope="module")
def client(home):
    """The application without a network and without processes."""
    with TestClient(build_app(dispatcher_here(*OWN)), base_url="http://127.0.0.1") as one:
        yield one


@pytest.fixture(scope="module")
def address(home):
    """The address of a server."""
    with serving_here(*OWN) as where:
        yield where


@pytest.fixture(scope="module")
def browser():
    """Chromium, for all tests in a file: as long as one is open, Python's own event loops cannot run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        yield one
        one.close()


@pytest.fixture
def visit(browser, request):
    """Opens the page of the server, or a file; nothing is loaded from elsewhere and nothing fails."""
    from visitors import Visitor

    visitors = []

    def come(query="", where=None, see="[role=grid]", script="", **more):
        visitors.append(Visitor(browser, where or request.getfixturevalue("address"), **more))
        visitors[-1].page.add_init_script(script)
        return visitors[-1].goto(query, see)

    yield come
    for visitor in visitors:
        visitor.context.close()
        assert visitor.faults == []
        assert visitor.abroad == []


@pytest.fixture
def shown(visit, tmp_path):
    """Opens a report in a file."""

    def show(text, at="", **look):
        file = tmp_path / "shown.html"
        file.write_text(text, encoding="utf-8")
        return visit(at, where=file.as_uri(), see="body", **look).page

    return show
