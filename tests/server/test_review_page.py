"""The page of a review: every move by keyboard, what was better on the board, nothing that axe minds."""

import json

import pytest

import perfectplay
from perfectplay.api.reviews import reviews_html
from perfectplay.notation import pieces_on
from perfectplay.pictures.board_art import art_of

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]

TURNED = "a1 b1 b2 c3 a3 a2 c1"
DESK, PHONE = {"width": 1200, "height": 850}, {"width": 360, "height": 740}


@pytest.fixture
def shown(browser, tmp_path):
    """Opens the page of these games of a game, and checks that nothing went wrong on it."""
    faults, contexts = [], []

    def show(game, *games, scheme="light", viewport=DESK):
        file = tmp_path / "review.html"
        file.write_text(reviews_html([perfectplay.review(game, moves.split()) for moves in games]), encoding="utf-8")
        contexts.append(browser.new_context(offline=True, color_scheme=scheme, viewport=viewport))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(file.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert faults == []


def test_a_review_is_stepped_through_by_keyboard(shown):
    page = shown("tic-tac-toe", TURNED)
    said, board = page.locator("#said"), page.locator("#board")
    expect(said).to_contain_text("The turning point is 2. O b1")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("1. X a1")
    expect(board).to_have_attribute("aria-label", "Board: X on a1")
    page.keyboard.press("ArrowRight")
    expect(said.locator(".mark")).to_have_text("mistake")
    expect(said).to_contain_text("b1 loses in 6 plies")
    expect(said).to_contain_text("draw in 8 plies → loss in 6 plies")
    expect(page.locator("#plies [aria-current]")).to_have_text("2. O b1?, mistake")
    page.keyboard.press("End")
    expect(said).to_contain_text("7. X c1")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("Start")
    expect(page.locator("#back")).to_have_attribute("aria-disabled", "true")


def test_mistakes_and_better_lines_are_shown(shown):
    page = shown("tic-tac-toe", TURNED)
    page.locator("#next").click()
    page.locator(".line").get_by_role("button", name="b2", exact=True).click()
    expect(page.locator("#board")).to_have_attribute("aria-label", "Board: X on a1, O on b2")
    page.get_by_role("button", name="back to the game").click()
    expect(page.locator("#board")).to_have_attribute("aria-label", "Board: X on a1, O on b1")
    page.locator("#plies").get_by_role("button", name="5. X a3").click()
    expect(page.locator("#said")).to_contain_text("win in 3 plies")
    page.locator("#curve svg").click(position={"x": 80, "y": 20})
    expect(page.locator("#said h2")).to_have_text("Start")


def test_several_games_are_chosen_from_a_list(shown):
    page = shown("tic-tac-toe", TURNED, "b2 a1")
    page.locator("#games").select_option("1")
    expect(page.locator("#heading")).to_have_text("2 plies, not finished")
    expect(page.locator("#plies button")).to_have_count(3)


@pytest.mark.parametrize("game", ["tactic-toe", "kingpawns", "dots:2,2", "kalah:2,2", "hex:3", "nim"])
def test_boards_of_every_kind_are_drawn_as_elsewhere(shown, game):
    match = perfectplay.Match(game)
    while not match.is_over and len(match.moves) < 3:
        match.play(match.legal_moves()[-1])
    page = shown(game, " ".join(match.moves))
    page.keyboard.press("End")
    art, standing = art_of(match.game), pieces_on(match.game, match.position, match.turn)
    drawn = sum(at is not None and "piece" in art.pieces[at[0]][at[1]] for at in standing)
    expect(page.locator("#board svg > g[transform^=translate] > .piece")).to_have_count(drawn)
    assert drawn > 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize(("scheme", "viewport"), [("light", DESK), ("dark", PHONE)])
def test_axe_finds_nothing_wrong(shown, scheme, viewport):
    page = shown("tic-tac-toe", TURNED, "b2 a1", scheme=scheme, viewport=viewport)
    page.locator("#next").click()
    page.locator(".line button").first.click()
    page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_shown_is_what_the_json_says(shown):
    review = perfectplay.review("tactic-toe", "b1 a1 b2 c3 a3".split()).to_dict()
    page = shown("tactic-toe", "b1 a1 b2 c3 a3")
    data = json.loads(page.locator("#data").text_content())
    for made, told in zip(review["plies"], data["games"][0]["plies"], strict=True):
        assert made.items() <= told.items()
        assert len(told["boards"]) == len(made["line"])
