"""The page with games in which a side moves again and points count: turns, hints, history, endings, Explore, set-up."""

import json
import re
from urllib.request import urlopen

import pytest

import perfectplay

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect, visit = test_page.expect, test_page.visit

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]

LOST = "?game=dots:2,1&moves=b1,d3,e2,a2"
"""X is to move and loses both boxes, whatever it does; the third move was wrong."""
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def asked(address, request):
    with urlopen(f"{address}/api/{request}") as answer:
        return json.load(answer)


def test_the_api_says_whose_turn_it_is_and_by_how_many_points(address):
    line = asked(address, "line?game=dots:2,1&moves=b1,d3,e2,a2,b3,c2,d1")
    assert [ply["side"] for ply in line["plies"]] == [0, 1, 0, 1, 0, 1, 1, 1]
    assert line["here"] | {"rows": []} == {
        "over": True,
        "winner": 1,
        "margin": 2,
        "rows": [],
        "going": [],
        "moves": [],
    }
    assert "margin" not in asked(address, "line?game=dots:2,1")["here"]
    found = asked(address, "analysis?game=dots:2,1")
    assert [found[name] for name in ("value", "distance", "margin")] == ["draw", None, 0]
    assert {move["move"]: move["margin"] for move in found["moves"]} == {
        "c2": 0,
        **dict.fromkeys(("a2", "b1", "b3", "d1", "d3", "e2"), -2),
    }
    assert {move["distance"] for move in found["moves"]} == {None}
    assert "margin" not in asked(address, "analysis?game=tic-tac-toe")


def test_a_person_moves_again_and_a_player_as_long_as_it_is_its_turn(visit):
    one = visit("?game=kalah:3,2&second=perfect")
    one.turn("Your move")
    one.play("south 2").turn("You move again")
    expect(one.page.locator("#said")).to_contain_text("South plays 2. South moves again.")
    one.play("south 3")
    expect(one.page.locator("#said")).to_contain_text(re.compile("North plays .*, then .*|North plays ."))
    one.turn("Your move")
    sides = one.page.evaluate(
        "async (query) => (await (await fetch('/api/line?' + query)).json()).plies.map((ply) => ply.side)",
        f"game=kalah:3,2&moves={','.join(one.moves())}",
    )
    assert sides[:3] == [0, 0, 1]
    assert sides[3:] == [1] * (len(sides) - 4) + [0]
    turns = one.page.locator("#history .played li")
    expect(turns.nth(1)).to_have_attribute("title", "1. South 2, then 3")


def test_a_game_ends_in_the_middle_of_a_turn_with_points(visit):
    one = visit(f"{LOST}&second=perfect").play("b3")
    one.turn("O wins by 2")
    assert one.moves()[5:] in (["c2", "d1"], ["d1", "c2"], ["c2"])
    expect(one.page.locator("#ending h2")).to_have_text("Perfect won by 2, after 7 moves.")
    last = one.page.locator("#history .played li").last
    expect(last.locator("button")).to_have_text(["6. O c2✓, best move", "then d1✓, best move"])
    one.page.locator("#undo").click()
    one.turn("Your move")
    assert one.state()["ply"] == "4"  # the person's last turn, not the player's


def test_hints_history_and_plot_show_points_and_no_distances(visit):
    one = visit(f"{LOST},b3&hints=1&second=human")
    expect(one.page.locator("#verdict")).to_have_text("O wins by 2 with c2. No other move wins.")
    expect(one.page.locator("#moves .worth .text")).to_have_text(["win by 2", "loss by 2"])
    expect(one.page.locator(".badge text")).to_have_text(["−2", "+2"])
    expect(one.page.locator(".legend")).to_contain_text("number: points ahead at the end")
    expect(one.page.locator(".pointer")).to_have_text("−2")  # for the first side, as in the plot
    expect(one.page.locator("#bar")).to_have_attribute("aria-label", re.compile("Evaluation: O wins by 2"))
    expect(one.page.locator(".views button")).to_have_text(["Result", "Points"])
    one.page.locator("#view-points").click()
    expect(one.page.locator(".plot .axis span")).to_have_text(["X by 2", "O by 2"])
    expect(one.page.locator(".mistakes li")).to_have_count(3)
    one.goto(f"{LOST}&hints=1&second=human")
    expect(one.page.locator("#verdict")).to_have_text("O wins by 2, whatever X plays.")
    assert "moves to the end" not in one.page.locator("main").inner_text()


@pytest.mark.parametrize("view", ["result", "points"])
def test_no_line_of_the_plot_goes_through_a_label(visit, view):
    one = visit("?game=kalah:3,2&hints=1&moves=2&second=human")
    one.page.locator(f"#view-{view}").click()
    expect(one.page.locator(f"#view-{view}")).to_have_attribute("aria-pressed", "true")
    picture = one.page.locator(".plot svg")
    expect(picture).to_have_attribute("aria-label", re.compile("over 1 move; 0 mistakes"))
    lines = [line.bounding_box()["x"] for line in picture.locator(".curve, .level, .now, .point").all()]
    labels = [label.bounding_box() for label in one.page.locator(".plot .axis span").all()]
    assert max(box["x"] + box["width"] for box in labels) < min(lines)


def test_hints_beside_seeds_have_thin_rings(visit):
    one = visit("?game=kalah:3,2&hints=1&moves=2,3&second=human")
    expect(one.page.locator(".badge.small.loss.best")).not_to_have_count(0)
    widths = "(rings) => rings.map((ring) => getComputedStyle(ring).strokeWidth)"
    assert {*one.page.locator(".badge.small .halo").evaluate_all(widths)} == {"0.3px"}


def test_a_move_that_gives_points_away_is_marked(visit):
    one = visit("?game=kalah:2,2&hints=1&second=human")
    moves = one.analysis(game="kalah:2,2")["moves"]
    worse = next(move for move in moves if move["value"] == moves[0]["value"] and not move["best"])
    one.page.locator(f"#move-{worse['move']}").click()
    expect(one.page.locator(".flaw.slower")).to_have_attribute("title", re.compile("(wins by more|loses by less).$"))


def test_explore_shows_points_and_who_moves(visit):
    one = visit(f"{LOST},b3&view=explore&second=human")
    row = one.page.locator('[id="go-c2"]')
    expect(row).to_contain_text("O wins")
    expect(row.locator(".far")).to_have_text("by 2")
    one.page.locator('[id="fold-c2"]').click()
    expect(one.page.locator('[id="go-c2 d1"]')).to_contain_text("O wins")
    one.page.locator('[id="fold-c2 d1"]').click()
    expect(one.page.locator(".tree")).to_contain_text("O has won by 2.")
    one.page.locator('[id="go-c2 d1"]').click()
    expect(one.page.locator(".crumbs li").last.locator("button")).to_have_text(["6. O c2", "then d1"])


@pytest.mark.parametrize(
    ("game", "moves"), [("dots:2,2", "b1 a2 b3 c2"), ("kalah:6,4", "3 1"), ("morris:3,2", "a1 b2 c1 b4 e1")]
)
def test_boards_can_be_set_up_and_copied_as_text(visit, game, moves):
    one = visit(f"?game={game}&moves={moves.replace(' ', ',')}&second=human", **CLIPBOARD)
    match = perfectplay.Match(game).play(*moves.split())
    one.page.locator("#share-panel summary").click()
    one.page.get_by_role("button", name="Copy board as text").click()
    expect(one.page.locator("#shared")).to_have_text("The board is copied.")
    assert one.page.evaluate("navigator.clipboard.readText()") == str(match)
    one.page.locator("#position-panel summary").click()
    assert one.position() == match.text()
    one.page.locator("#set-up").click()
    one.page.locator("#clear").click()
    assert re.fullmatch("[a-zA-Z]:[.0,/]+", one.position())
    one.page.locator("#leave").click()
    one.page.locator("#set-up").click()
    one.page.locator("#use").click()
    one.turn(f"{'North' if 'kalah' in game else 'O' if 'dots' in game else 'Black'} to move")
    assert one.position() == match.text()
