"""The board in a real page of JupyterLab: a click, the opponent's answer, hints, undo, and a position set by a cell."""

import shutil

import pytest
from lab_server import LabPage, lab

CHROMIUM = shutil.which("chromium")
pytestmark = [pytest.mark.nightly, pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium")]
CELLS = (
    'import perfectplay\nboard = perfectplay.widget("tic-tac-toe", opponent="perfect", seed=1)\nboard',
    'board.position = "X:X.O/.../..."\nprint(board.moves, board.position)',
    "board.new_game().play('a1')",
)


@pytest.fixture
def page(tmp_path):
    """A page of JupyterLab with a notebook of these cells."""
    playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")
    pytest.importorskip("jupyterlab", reason="this test needs JupyterLab: make test installs it")
    with lab(tmp_path, CELLS) as where, playwright.sync_playwright() as driver:
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
