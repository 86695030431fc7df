"""The page of a review: every move by keyboard, what was better on the board, nothing that axe minds."""

import json

import pytest

import perfectplay
import visitors
from perfectplay.commands.matches.reviews import reviews_html
from perfectplay.rules.notation import pieces_on
from perfectplay.views.board_art import art_of
from visitors import DESK, PHONE, expect, fits, needs_axe, no_barriers

TURNED = "a1 b1 b2 c3 a3 a2 c1"


def page_of(game, *games):
    return reviews_html([perfectplay.review(game, moves.split()) for moves in games])


def test_what_is_shown_is_what_the_json_says():
    review = perfectplay.review("tic-tac-toe", TURNED.split()).to_dict()
    html = page_of("tic-tac-toe", TURNED)
    data = json.loads(html.partition('id="data"')[2].partition(">")[2].partition("</script>")[0])
    for made, told in zip(review["plies"], data["games"][0]["plies"], strict=True):
        assert made.items() <= told.items()
        assert len(told["boards"]) == len(made["line"])


@pytest.mark.nightly
@visitors.needs_browser
def test_a_review_is_stepped_through_by_keyboard_and_clicks(shown):
    page = shown(page_of("tic-tac-toe", TURNED, "b2 a1"))
    said, board = page.locator("#said"), page.locator("#board")
    expect(said).to_contain_text("The turning point is 2. O b1")
    page.keyboard.press("ArrowRight")
    expect(board).to_have_attribute("aria-label", "Board: X on a1")
    page.keyboard.press("ArrowRight")
    expect(said.locator(".mark")).to_have_text("mistake")
    expect(said).to_contain_text("b1 loses in 6 plies")
    expect(said).to_contain_text("draw in 8 plies → loss in 6 plies")
    expect(page.locator("#plies [aria-current]")).to_have_text("2. O b1?, mistake")
    page.keyboard.press("End")
    expect(said).to_contain_text("7. X c1")
    page.keyboard.press("Home")
    expect(page.locator("#back")).to_have_attribute("aria-disabled", "true")
    page.locator("#next").click()
    page.locator(".line").get_by_role("button", name="b2", exact=True).click()
    expect(board).to_have_attribute("aria-label", "Board: X on a1, O on b2")
    page.get_by_role("button", name="back to the game").click()
    expect(board).to_have_attribute("aria-label", "Board: X on a1, O on b1")
    page.locator("#plies").get_by_role("button", name="5. X a3").click()
    expect(said).to_contain_text("win in 3 plies")
    page.locator("#curve svg").click(position={"x": 80, "y": 20})
    expect(page.locator("#said h2")).to_have_text("Start")
    page.locator("#games").select_option("1")
    expect(page.locator("#heading")).to_have_text("2 plies, not finished")
    expect(page.locator("#plies button")).to_have_count(3)


@pytest.mark.nightly
@visitors.needs_browser
@pytest.mark.parametrize("game", ["tactic-toe", "kingpawns", "dots:2,2", "kalah:2,2", "hex:3", "nim"])
def test_boards_of_every_kind_are_drawn_as_elsewhere(shown, game):
    match = perfectplay.Match(game)
    while not match.is_over and len(match.moves) < 3:
        match.play(match.legal_moves()[-1])
    page = shown(page_of(game, " ".join(match.moves)))
    page.keyboard.press("End")
    art, standing = art_of(match.game), pieces_on(match.game, match.position, match.turn)
    drawn = sum(at is not None and "piece" in art.pieces[at[0]][at[1]] for at in standing)
    expect(page.locator("#board svg > g[transform^=translate] > .piece")).to_have_count(drawn)
    assert drawn > 0
    assert fits(page)


@pytest.mark.nightly
@visitors.needs_browser
@needs_axe
@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_axe_finds_nothing_wrong(shown, viewport):
    page = shown(page_of("tic-tac-toe", TURNED, "b2 a1"), viewport=viewport)
    page.locator("#next").click()
    page.locator(".line button").first.click()
    no_barriers(page)
    assert fits(page)
