"""The board in a real page of JupyterLab: a click, the opponent's answer, hints, undo, and a position set by a cell."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from command_line import wait_until

CHROMIUM = shutil.which("chromium")
pytestmark = [pytest.mark.nightly, pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium")]
CELLS = (
    'import perfectplay\nboard = perfectplay.widget("tic-tac-toe", opponent="perfect", seed=1)\nboard',
    'board.position = "X:X.O/.../..."\nprint(board.moves, board.position)',
    "board.new_game().play('a1')",
)
FOLDERS = ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTERLAB_SETTINGS_DIR", "IPYTHONDIR")
"""Where JupyterLab keeps what is the user's otherwise."""
QUIET = {"fetchNews": "false", "checkForUpdates": False}
"""Settings of JupyterLab that asks nobody outside."""
TOKEN = "board"


@contextmanager
def lab(folder):
    """The address of a page of JupyterLab, a process of its own on loopback, with a notebook of the cells."""
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = [{**code, "id": f"cell-{i}", "source": cell} for i, cell in enumerate(CELLS)]
    for path, content in (
        ("notebooks/board.ipynb", {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}),
        ("JUPYTERLAB_SETTINGS_DIR/@jupyterlab/apputils-extension/notification.jupyterlab-settings", QUIET),
    ):
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text(json.dumps(content), encoding="utf-8")
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={TOKEN}", "--allow-root"]
    command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder / 'notebooks'}"]
    private = {name: str(folder / name) for name in FOLDERS}
    with open(folder / "lab.log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **private})

    def about_server():
        assert process.poll() is None, (folder / "lab.log").read_text(encoding="utf-8")
        return [path for path in (folder / FOLDERS[0]).glob("jpserver-*.json") if path.stat().st_size]

    try:
        wait_until(about_server)
        yield f"{json.loads(about_server()[0].read_text(encoding='utf-8'))['url']}doc/tree/board.ipynb?token={TOKEN}"
    finally:
        process.terminate()
        process.wait(timeout=20)


class LabPage:
    """A page of JupyterLab in a browser."""

    def __init__(self, browser, where):
        self.page = browser.new_page(viewport={"width": 1000, "height": 800})
        self.page.set_default_timeout(60_000)
        self.faults = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.goto(where)
        self.page.get_by_text("| Idle").wait_for()  # the kernel is there

    def run(self, cell):
        """Runs a cell by its number, as people do: a click into it, then Shift-Enter."""
        self.page.locator(".jp-Cell .cm-content").nth(cell).click()
        self.page.keyboard.press("Shift+Enter")

    def board(self):
        """The first board on the page."""
        return self.page.locator(".perfectplay-board").first

    def square(self, number):
        """A square of the board."""
        return self.board().locator(f'[data-square="{number}"]')


@pytest.fixture
def page(tmp_path):
    """A page of JupyterLab with a notebook of these cells."""
    playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")
    pytest.importorskip("jupyterlab", reason="this test needs JupyterLab: make test installs it")
    with lab(tmp_path) as where, playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        one = LabPage(browser, where)
        yield one
        assert one.faults == []
        browser.close()


def test_a_board_in_jupyterlab(page, tmp_path):
    from playwright.sync_api import expect

    page.run(0)
    turn = page.board().locator(".turn-text")
    expect(turn).to_have_text("Your move")

    page.square(0).click()  # a1: only the centre holds the draw
    expect(page.square(4)).to_have_attribute("aria-label", "b2, O, last move")
    expect(page.square(0)).to_have_attribute("aria-label", "a1, X")
    expect(page.board().locator(".played [aria-current]")).to_have_text("2. O b2")

    page.board().get_by_label("Hints").check()
    expect(page.square(8).locator(".badge.draw text")).to_have_text("7")
    expect(page.board().locator(".verdict")).to_have_text("Drawn with best play. Every move draws.")
    page.page.screenshot(path=tmp_path / "board.png")

    page.board().get_by_role("button", name="Undo").click()
    expect(page.square(4)).to_have_attribute("aria-label", "b2, empty, draw in 9 moves")
    page.board().get_by_role("button", name="2. O b2").click()  # forward again, by the list
    expect(page.square(4)).to_have_attribute("aria-label", "b2, O, last move")

    page.square(8).focus()  # by keys alone; JupyterLab's own shortcuts do nothing meanwhile
    for key in ("ArrowUp", "ArrowLeft", "d", "d", "Enter"):
        page.page.keyboard.press(key)
    expect(page.page.locator(".jp-Cell")).to_have_count(len(CELLS))
    expect(turn).to_have_text("Your move")  # the focus was on b2, which is taken
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("Enter")
    expect(page.square(1)).to_have_attribute("aria-label", "b1, X")
    expect(page.board().locator(".played li")).to_have_count(5)

    page.run(1)  # Python sets the position
    expect(page.square(2)).to_have_attribute("aria-label", "c1, O")
    expect(page.page.locator(".jp-OutputArea-output pre")).to_have_text("() X:X.O/.../...\n")
    expect(page.square(6).locator(".badge.win.best text")).to_have_text("5")

    page.run(2)  # a second view of the same board
    boards = page.page.locator(".perfectplay-board")
    expect(boards).to_have_count(2)
    for one in boards.all():
        expect(one.locator(".played li")).to_have_count(3)
    scheme = "getComputedStyle(document.querySelector('.perfectplay-board')).colorScheme"
    assert page.page.evaluate(scheme) == "light"
    page.page.evaluate("document.body.setAttribute('data-jp-theme-light', 'false')")
    assert page.page.evaluate(scheme) == "dark"
