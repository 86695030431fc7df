"""What a board shows on the page: edges between dots, pits with stores, men on lines, and squares beside the board."""

import pytest

import perfectplay
from perfectplay.notation import draw_position, parse_position

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect, visit = test_page.expect, test_page.visit

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]

ALONE = "first=human&second=human"
TEXT = """async ([name, position]) => {
    const here = document.querySelector('script[type="module"]').src;
    const { asText } = await import(new URL("share.js", here));
    return asText(await (await fetch(`/api/game?game=${name}`)).json(), { position });
}"""


def labels(one):
    """What the squares are called, aloud."""
    return [cell.get_attribute("aria-label") for cell in one.page.locator('[role="gridcell"]').all()]


def test_dots_and_boxes(visit):
    one = visit(f"?game=dots:1,1&{ALONE}&moves=b1,a2,c2")
    assert labels(one) == ["b1, edge", "a2, edge", "c2, edge, last move", "b3, empty", "X, 0", "O, 0"]
    expect(one.page.locator(".dot")).to_have_count(4)
    one.page.locator('[aria-label^="b3"]').hover()
    expect(one.page.locator(".ghost path.bar")).to_have_attribute("d", "M-8.6 0H8.6")
    one.play("b3")
    one.turn("O wins by 1")
    assert labels(one)[-2:] == ["X, 0", "O, 1"]


def test_edges_that_stand_stay_as_they_are_when_the_turn_changes(visit):
    one = visit(f"?game=dots:2,2&{ALONE}&moves=b1")
    one.page.evaluate("document.querySelector('.grid path.bar').setAttribute('data-mark', 'same')")
    one.play("a2")
    expect(one.page.locator('.grid .stands .bar[data-mark="same"]')).to_have_count(1)


def test_kalah(visit):
    one = visit(f"?game=kalah:6,4&{ALONE}")
    one.page.locator('[data-square="8"]').click()
    one.turn("South moves again")
    assert [label.partition(",")[2] for label in labels(one)[-2:]] == [" 0", " 1"]
    left, right = (one.page.locator(f'[data-square="{square}"]').bounding_box() for square in (12, 13))
    assert left["height"] > 1.8 * left["width"]
    assert left["x"] < right["x"]


def test_keys_pass_over_places_that_are_no_squares(visit):
    one = visit(f"?game=morris:3,2&{ALONE}")
    focus = "document.activeElement.getAttribute('data-square')"
    one.page.locator('[data-square="7"]').focus()
    found = []
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "End", "Home"):
        one.page.keyboard.press(key)
        found.append(one.page.evaluate(focus))
    assert found == ["2", "0", "10", "11", "14", "10"]


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("dots:2,2", "O:-./||./-./.../../01"),
        ("kalah:6,4", "n:4,4,12,4,0,4/0,5,1,6,6,5/0,1"),
        ("morris:6", "X:XXX/O../..../O../.../34X"),
        ("tactic-toe", "O:X3../.O2./X2.."),
    ],
)
def test_the_text_to_share_is_the_drawing_of_the_terminal(visit, name, position):
    game = perfectplay.load(name)
    assert visit("?game=tic-tac-toe").page.evaluate(TEXT, [name, position]) == draw_position(
        game, *parse_position(game, position)
    )
