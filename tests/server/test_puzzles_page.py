"""Puzzles on the page: with a server, in the single file of a game, and in a file of puzzles; by mouse and keyboard."""

import json

import pytest

import perfectplay
import visitors
from perfectplay.exports.page.page_export import writing
from perfectplay.rules.loading import load_game
from perfectplay.solvers.steps import finished
from visitors import PHONE, expect, fits, needs_axe, no_barriers

pytestmark = visitors.nightly

FORK = "O:..O/..X/XOX"
"""A puzzle of tic-tac-toe: only b1 wins, and only by a1 or b2 after the reply."""
VIEW = f"game=tic-tac-toe&view=puzzles&puzzle={FORK}"
GAMES = ("tic-tac-toe", "tactic-toe", "kingpawns", "dots:2,2")


@pytest.fixture(scope="module")
def files(tmp_path_factory, home):
    """The single file of tic-tac-toe, and files of puzzles."""
    folder = tmp_path_factory.mktemp("pages")
    with (folder / "game.html").open("wb") as sink:
        finished(writing(load_game("tic-tac-toe"), sink))
    for game in GAMES:
        made = perfectplay.puzzles(game, count=4)
        (folder / f"{game.partition(':')[0]}.html").write_text(made.to_html(), encoding="utf-8")
    return folder


@pytest.fixture
def puzzle(visit, files):
    """Opens puzzles of the server, or of a file."""

    def come(where, **more):
        file, mark, query = where.partition(".html")
        at = (f"/?{where}", None) if not mark else (query, (files / f"{file}.html").as_uri())
        return visit(*at, see="body", **more)

    return come


def square(one, name):
    """A square of the puzzle's board."""
    return one.page.locator(f"#puzzle-board [role=gridcell][aria-label^='{name},']")


def free(one, *names):
    return [name for name in names if square(one, name).get_attribute("aria-label").endswith("empty")]


@pytest.mark.parametrize("where", [VIEW, f"game.html#{VIEW}"])
def test_a_shared_puzzle_is_solved(puzzle, where):
    one = puzzle(where).see("#puzzle-task", "O to move: win in 3 moves")
    square(one, "a1").click()
    one.see("#puzzle-said", "Not this one. a1 gives the win away: X answers b1")
    square(one, "b1").click()
    one.see("#puzzle-said", "b1 is right. X answers")
    square(one, free(one, "a1", "b2")[0]).click()
    one.see("#puzzle-said", "Solved!").see("#puzzle-progress", "Solved: 1 of")
    kept = json.loads(one.page.evaluate("localStorage.getItem('perfectplay-puzzles')"))
    assert kept["tic-tac-toe"]["streak"] == 0  # there was a mistake
    one.page.locator("#puzzle-leave").click()
    expect(one.page.locator("#board")).to_be_visible()
    assert "puzzles" not in one.page.url


def test_the_streak_and_the_progress_stay(puzzle):
    one = puzzle(VIEW)
    expect(one.page.locator("#puzzle-title")).to_be_focused()
    for _ in range(3):
        one.press("Tab")
        if one.page.evaluate("document.activeElement.closest('#puzzle-board') !== null"):
            break
    one.press("ArrowUp", "Enter")
    one.see("#puzzle-said", "b1 is right. X answers")
    (name,) = free(one, "a1", "b2")
    square(one, name).click()
    one.see("#puzzle-said", "Solved!").see("#puzzle-streak", "1")
    one.page.reload()
    one.see("#puzzle-streak", "1").page.locator("#puzzle-give").click()
    one.see("#puzzle-said", "The solution: b1 ").see("#puzzle-streak", "0")


def test_the_puzzle_of_the_day_is_the_same_for_all(puzzle):
    days = []
    for where in ("game=tic-tac-toe", "game.html"):
        one = puzzle(where)
        one.page.locator("#solve-puzzles").click()
        days.append(one.see("#puzzle-task", "Puzzle of the day").page.locator("#puzzle-task").inner_text())
        assert "view=puzzles" in one.page.url
    assert days[0] == days[1]
    puzzle("game=tic-tac-toe&view=puzzles&puzzle=X:.../.../...").see("#puzzle-task", "Puzzle of the day")


def test_difficulties_hints_and_skipping(puzzle):
    one = puzzle("game=tic-tac-toe&view=puzzles").see("#puzzle-task", "difficulty")
    grades = [option.get_attribute("value") for option in one.page.locator("#puzzle-difficulty option").all()]
    assert grades[0] == "0"
    assert len(grades) > 3
    one.page.locator("#puzzle-difficulty").select_option(grades[-1])
    one.see("#puzzle-task", f"difficulty {grades[-1]}")
    for said in ("A hint", "Play "):
        one.page.locator("#puzzle-hint").click()
        one.see("#puzzle-said", said)
    before = one.page.url
    one.page.locator("#puzzle-difficulty").select_option("0")
    one.page.wait_for_function("before => location.href !== before", arg=before)


@pytest.mark.parametrize("game", GAMES[:3])
def test_a_file_of_puzzles_is_solved_to_the_last(puzzle, game):
    one = puzzle(f"{game}.html")
    for found in perfectplay.puzzles(game, count=4):
        one.see("#puzzle-task", f"difficulty {found.difficulty}")
        for move in found.line[::2]:
            for name in [move] if len(move) == 2 else [move[:2], move[2:]]:
                if square(one, name).get_attribute("aria-disabled") is None:  # a piece that moves alone is not chosen
                    square(one, name).click()
            begins = rf"/^Solved|^{move} is right\. \S+ answers/"
            one.page.wait_for_function(f"() => {begins}.test(document.getElementById('puzzle-said').textContent)")
            one.page.wait_for_function("() => document.querySelector('#puzzle-board .legal, #puzzle-again') !== null")
        one.see("#puzzle-said", "Solved").page.locator("#puzzle-next").click()
    one.see("#puzzle-progress", "Solved: 4 of 4").see("#puzzle-streak", "4")


def test_wrong_moves_in_a_file(puzzle):
    one = puzzle("tactic-toe.html")
    (first, *_) = perfectplay.puzzles("tactic-toe", count=4)
    for known in perfectplay.analyse("tactic-toe", position=first.position).moves:
        if known.move not in first.solution:
            square(one, known.move).click()
            one.see("#puzzle-said", f"Not this one. {known.move} ")


@needs_axe
@pytest.mark.parametrize(("where", "more"), [(VIEW, {}), ("dots.html", {"viewport": PHONE, "has_touch": True})])
def test_accessibility(puzzle, where, more):
    one = puzzle(where, **more).see("#puzzle-task", "to move")
    one.page.locator("#puzzle-hint").click()
    one.see("#puzzle-said", "A hint")
    assert fits(one.page)
    no_barriers(one.page)
