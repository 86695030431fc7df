"""The classroom in a real browser: searches watched step by step; what they count is tested with the requests."""

import re

import pytest

import perfectplay
import visitors
from homes import ROOT
from visitors import expect, fits, needs_axe, no_barriers

pytestmark = visitors.nightly

POSITION = "O:X.X/OO./X.."
QUERY = f"?game=tic-tac-toe&position={POSITION}&view=classroom"


def in_classroom(one):
    """The classroom, once a lesson is there."""
    expect(one.page.locator(".lesson-tree")).to_be_visible()
    return one.page.locator("#classroom")


def counted(one):
    """The numbers that the classroom shows, by name."""
    rows = one.page.locator("#classroom .counts > div")
    return {row.locator("dt").inner_text(): int(row.locator("b").inner_text()) for row in rows.all()}


def test_a_search_is_watched_by_keyboard_to_its_end(visit):
    one = visit(QUERY)
    room = in_classroom(one)
    tree = perfectplay.tree("tic-tac-toe", position=POSITION, algorithm="alpha-beta")
    one.press("2")
    expect(room.locator("[data-name=alpha-beta]")).to_have_attribute("aria-pressed", "true")
    assert counted(one) == {"Visited": 1, "Moves cut": 0}
    for key, visited in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        one.press(key)
        assert counted(one)["Visited"] == visited
    expect(room.locator(".box.now .move")).to_have_text("b1")
    room.locator(".sentence").click()  # what is clicked takes no focus
    one.press("End")
    assert counted(one) == {"Visited": tree.visited, "Moves cut": tree.cut}
    one.see(".sentence", "Done: O plays c2, worth −9: O wins. 25 of 34 positions")
    one.press("n", "End")
    assert counted(one) == {"Visited": 31, "Cache hits": 6}
    expect(one.page).to_have_url(re.compile("algorithm=cache&step=[1-9]"))  # the address follows when the steps pause
    one.page.goto(one.page.url)
    in_classroom(one)
    assert counted(one) == {"Visited": 31, "Cache hits": 6}


def test_cuts_and_hits_are_explained(visit):
    one = visit(f"{QUERY}&algorithm=alpha-beta")
    room, said = in_classroom(one), [""]
    while "Done" not in said[-1]:
        said.append(room.locator(".sentence").inner_text())
        one.press("ArrowRight")
    cut = [text for text in said if "Skip" in text]
    tree = perfectplay.tree("tic-tac-toe", position=POSITION, algorithm="alpha-beta")
    assert len(cut) == sum(step.kind == "cut" for step in tree.steps)
    assert re.search(r"already has a reply worth .* elsewhere, so [XO] (will never come|gains nothing) here\.", cut[0])
    saved = sum(int(re.search(r"(\d+) positions? saved", text)[1]) for text in cut)
    assert saved == 34 - 25  # what is cut is just what minimax visits and alpha-beta does not
    assert room.locator(".box.cut").count() == 6
    one.press("3")
    while not room.locator("#lesson-same").is_visible():
        one.press("ArrowRight")
    first = room.locator("#lesson-same").inner_text().removeprefix("Go to node ")
    assert re.search(r"from node (\d+)", room.locator(".sentence").inner_text())[1] == first
    assert room.locator(".box.now .same").text_content() == f"= {first}"
    room.locator("#lesson-same").click()
    expect(room.locator(f".box.now[data-node='{first}']")).to_have_count(1)
    expect(room.locator("#lesson-step")).to_be_focused()


def test_playing_stops_at_the_end_and_tells_a_screen_reader_little(visit):
    one = visit(QUERY)
    room = in_classroom(one)
    one.page.evaluate(
        """() => { window.heard = 0; new MutationObserver(() => window.heard++).observe(
            document.querySelector("#classroom [aria-live]"), { childList: true }); }"""
    )
    one.press(*"+" * 9, "Space")
    expect(room.get_by_role("button", name="Pause")).to_be_visible()
    one.see(".sentence", "Done:")
    expect(room.get_by_role("button", name="Play")).to_be_visible()
    assert counted(one)["Visited"] == 34
    assert one.page.evaluate("window.heard") <= 4
    one.see("#classroom [aria-live]", "Done:")


def test_the_way_in_and_out(visit):
    one = visit("?second=human").play("a1", "b2", "c3", "a3", "c1")
    one.page.get_by_role("button", name="Classroom").click()
    room = in_classroom(one)
    assert one.page.locator("main").evaluate("it => it.inert")
    expect(room.locator("h1")).to_be_focused()
    one.see("#classroom .turn", "O wants a low number")
    one.press("Escape")
    expect(room).to_have_count(0)
    assert not one.page.locator("main").evaluate("it => it.inert")
    assert one.moves() == ["a1", "b2", "c3", "a3", "c1"]
    assert "view" not in one.state()
    one.page.go_back()
    in_classroom(one)


def test_a_large_tree_is_refused_and_a_smaller_one_offered(visit):
    one = visit("?moves=a1&view=classroom")
    room = one.page.locator("#classroom")
    one.see("#classroom .fault", "too many to watch; play more moves first, or look fewer moves ahead.")
    one.faults.clear()  # the browser notes the refusal
    room.locator("#lesson-depth").select_option("2")
    in_classroom(one)
    expect(room.locator(".fault")).to_be_hidden()
    one.see(".counts", f"of {1 + 8 + 8 * 7} for minimax")
    room.locator("#lesson-depth").select_option("")
    expect(room.locator(".fault")).to_be_visible()
    one.faults.clear()
    room.get_by_role("button", name="Take a small position").click()
    in_classroom(one)
    expect(one.page).to_have_url(re.compile("small=1"))
    one.press("Escape")
    assert (one.moves(), "small" in one.state()) == (["a1"], False)


SIZES_OF_LETTERS = """[...document.querySelectorAll("#classroom :is(p, dt, dd, button, label, select, h1)")]
    .filter((it) => it.checkVisibility()).map((it) => parseFloat(getComputedStyle(it).fontSize))"""


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (390, 844)])
def test_letters_are_large_and_nothing_is_lost(visit, width, height):
    one = visit(f"{QUERY}&algorithm=flags", viewport={"width": width, "height": height})
    room = in_classroom(one)
    one.press("End", "1", "End", "4", "End", "2")
    if height == 1080:
        assert min(one.page.evaluate(SIZES_OF_LETTERS)) >= 24
        assert room.locator(".box.now .move").bounding_box()["height"] >= 24
    for button in room.get_by_role("button").all():
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    assert fits(one.page)


@needs_axe
def test_accessibility(visit):
    one = visit(f"{QUERY}&algorithm=flags&step=12")
    in_classroom(one)
    no_barriers(one.page)


def test_an_own_game_and_one_that_repeats(visit):
    room = in_classroom(visit("?game=hexapawn.py&view=classroom"))
    expect(room.locator(".ladder button")).to_have_count(6)
    one = visit("?game=tactic-toe&view=classroom&algorithm=table")
    expect(in_classroom(one).locator("#lesson-depth")).not_to_have_value("")
    one.see(".sentence", "No search at all")
    assert "view=classroom" in (ROOT / "docs/how-to/teach-with-the-classroom.md").read_text(encoding="utf-8")
