"""Puzzles on the page: with a server, in the single file of a game, and in a file of puzzles; by mouse and keyboard."""

import json
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

import perfectplay
from perfectplay.exporters.page.page_export import writing
from perfectplay.loading import load_game
from perfectplay.solvers.steps import finished

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]

FORK = "O:..O/..X/XOX"
"""A puzzle of tic-tac-toe: only b1 wins, and only by a1 or b2 after the reply."""
VIEW = f"view=puzzles&puzzle={FORK}"


@pytest.fixture(scope="module")
def files(tmp_path_factory, home):
    """The single file of tic-tac-toe, and files of puzzles."""
    folder = tmp_path_factory.mktemp("pages")
    with (folder / "game.html").open("wb") as sink:
        finished(writing(load_game("tic-tac-toe"), sink))
    for game in ("tic-tac-toe", "tactic-toe", "kingpawns", "dots:2,2"):
        made = perfectplay.puzzles(game, count=4)
        (folder / f"{game.partition(':')[0]}.html").write_text(made.to_html(), encoding="utf-8")
    return folder


@pytest.fixture
def visit(browser, address, files):
    """Opens the server's page, or a file; nothing is loaded from elsewhere and nothing fails."""
    contexts, faults = [], []

    def come(where, **more):
        contexts.append(browser.new_context(**more))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(f"{address}/?{where}" if "html" not in where else f"file://{files}/{where}")
        return page

    yield come
    for context in contexts:
        context.close()
    assert faults == []


def said(page, text):
    """Waits until this is said below the board."""
    expect(page.locator("#puzzle-said")).to_contain_text(text)


def square(page, name):
    """A square of the puzzle's board."""
    return page.locator(f"#puzzle-board [role=gridcell][aria-label^='{name},']")


def kept(page):
    """What the browser remembers."""
    return json.loads(page.evaluate("localStorage.getItem('perfectplay-puzzles')") or "{}")


def test_the_answer_of_the_server(address):
    with urlopen(f"{address}/api/puzzles?{urlencode({'game': 'tic-tac-toe'})}") as response:
        found = json.load(response)
    assert set(found) == {"game", "kind", "puzzles"}
    made = perfectplay.puzzles("tic-tac-toe", count=100)
    assert found["puzzles"] == [puzzle.to_dict() for puzzle in made]


def test_a_game_without_a_table_has_none(address):
    with pytest.raises(HTTPError, match="422"):
        urlopen(f"{address}/api/puzzles?game=connect-four")


@pytest.mark.parametrize("where", [f"game=tic-tac-toe&{VIEW}", f"game.html#game=tic-tac-toe&{VIEW}"])
def test_a_shared_puzzle_is_solved(visit, where):
    page = visit(where)
    expect(page.locator("#puzzle-task")).to_contain_text("O to move: win in 3 moves")
    square(page, "a1").click()
    said(page, "Not this one. a1 gives the win away: X answers b1")
    square(page, "b1").click()
    said(page, "b1 is right. X answers")
    for name in ("a1", "b2"):
        if square(page, name).get_attribute("aria-label").endswith("empty"):
            square(page, name).click()
            break
    said(page, "Solved!")
    expect(page.locator("#puzzle-progress")).to_contain_text("Solved: 1 of")
    assert kept(page)["tic-tac-toe"]["streak"] == 0  # there was a mistake
    page.locator("#puzzle-leave").click()
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator(".puzzling")).to_be_hidden()
    assert "puzzles" not in page.url


def test_the_streak_and_the_progress_stay(visit):
    page = visit(f"game=tic-tac-toe&{VIEW}")
    square(page, "b1").click()
    said(page, "b1 is right. X answers")
    (free,) = [name for name in ("a1", "b2") if square(page, name).get_attribute("aria-label").endswith("empty")]
    square(page, free).click()
    said(page, "Solved!")
    expect(page.locator("#puzzle-streak")).to_contain_text("1")
    page.reload()
    expect(page.locator("#puzzle-streak")).to_contain_text("1")
    page.locator("#puzzle-give").click()
    said(page, "The solution: b1 ")
    expect(page.locator("#puzzle-streak")).to_contain_text("0")


def test_the_puzzle_of_the_day_is_the_same_for_all(visit):
    days = []
    for where in ("game=tic-tac-toe", "game.html"):
        page = visit(where)
        page.locator("#solve-puzzles").click()
        expect(page.locator("#puzzle-task")).to_contain_text("Puzzle of the day")
        days.append(page.locator("#puzzle-task").inner_text())
        assert "view=puzzles" in page.url
    assert days[0] == days[1]


def test_difficulties_hints_and_skipping(visit):
    page = visit("game=tic-tac-toe&view=puzzles")
    expect(page.locator("#puzzle-task")).to_contain_text("difficulty")
    grades = [option.get_attribute("value") for option in page.locator("#puzzle-difficulty option").all()]
    assert grades[0] == "0"
    assert len(grades) > 3
    page.locator("#puzzle-difficulty").select_option(grades[-1])
    expect(page.locator("#puzzle-task")).to_contain_text(f"difficulty {grades[-1]}")
    page.locator("#puzzle-hint").click()
    said(page, "A hint")
    page.locator("#puzzle-hint").click()
    said(page, "Play ")
    before = page.url
    page.locator("#puzzle-difficulty").select_option("0")
    page.wait_for_function("before => location.href !== before", arg=before)


def test_by_keyboard_alone(visit):
    page = visit(f"game=tic-tac-toe&{VIEW}")
    expect(page.locator("#puzzle-title")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#puzzle-board') !== null"):
            break
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    said(page, "b1 is right")


def test_a_link_that_is_no_puzzle_shows_the_one_of_the_day(visit):
    page = visit("game=tic-tac-toe&view=puzzles&puzzle=X:.../.../...")
    expect(page.locator("#puzzle-task")).to_contain_text("Puzzle of the day")


@pytest.mark.parametrize("game", ["tic-tac-toe", "tactic-toe", "kingpawns"])
def test_a_file_of_puzzles_is_solved_to_the_last(visit, game):
    page = visit(f"{game}.html")
    for puzzle in perfectplay.puzzles(game, count=4):
        expect(page.locator("#puzzle-task")).to_contain_text(f"difficulty {puzzle.difficulty}")
        for move in puzzle.line[::2]:
            names = [move] if len(move) == 2 else [move[:2], move[2:]]
            for name in names:
                if square(page, name).get_attribute("aria-disabled") is None:  # a piece that moves alone is not chosen
                    square(page, name).click()
            begins = rf"/^Solved|^{move} is right\. \S+ answers/"
            page.wait_for_function(f"() => {begins}.test(document.getElementById('puzzle-said').textContent)")
            page.wait_for_function("() => document.querySelector('#puzzle-board .legal, #puzzle-again') !== null")
        said(page, "Solved")
        page.locator("#puzzle-next").click()
    expect(page.locator("#puzzle-progress")).to_contain_text("Solved: 4 of 4")
    expect(page.locator("#puzzle-streak")).to_contain_text("4")
    page.reload()
    expect(page.locator("#puzzle-progress")).to_contain_text("Solved: 4 of 4")


def test_wrong_moves_in_a_file(visit):
    page = visit("tactic-toe.html")
    (puzzle, *_) = perfectplay.puzzles("tactic-toe", count=4)
    known = perfectplay.analyse("tactic-toe", position=puzzle.position)
    for move in known.moves:
        if move.move not in puzzle.solution:
            square(page, move.move).click()
            said(page, f"Not this one. {move.move} ")


def test_points_in_a_file(visit):
    page = visit("dots.html")
    page.locator("#puzzle-hint").click()
    said(page, "A hint")


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize(
    ("where", "more"),
    [
        (f"game=tic-tac-toe&{VIEW}", {}),
        ("tactic-toe.html", {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}, "has_touch": True}),
    ],
)
def test_accessibility(visit, where, more):
    page = visit(where, **more)
    expect(page.locator("#puzzle-task")).to_contain_text("to move")
    page.locator("#puzzle-hint").click()
    said(page, "A hint")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    assert [(fault["id"], [node["html"][:200] for node in fault["nodes"][:3]]) for fault in found["violations"]] == []
