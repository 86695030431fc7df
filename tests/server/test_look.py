"""What the page looks like and says at boards of every kind: endings, values, points, themes, fingers."""

import re

import pytest

import perfectplay
import visitors
from perfectplay.rules.notation import draw_position, parse_position
from visitors import HURRY, expect, fits

pytestmark = visitors.nightly
CONNECTED = "?game=connect-four&moves=4,3,4,3,4,3,4"
DRAWN = "?moves=b2,a1,c3,a3,a2,c2,b3,b1,c1"
LOST = "?game=dots:2,1&moves=b1,d3,e2,a2"
"""X is to move and loses both boxes, whatever it does; the third move was wrong."""
GROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize(
    ("query", "sentence", "buttons"),
    [
        (f"{CONNECTED}&second=level:3", "You won with four in a row, after 7 moves.", "Rematch Harder Swap Review"),
        (f"{CONNECTED}&first=level:10&second=human", "Level 10 won with four in a row", "Rematch Easier Swap Review"),
        (f"{CONNECTED}&second=human", "Red won with four in a row, after 7 moves.", "Rematch Review"),
        (DRAWN, "You drew after 9 moves.", "Rematch Harder Swap Review"),
        (f"{DRAWN}&second=human", "A draw after 9 moves.", "Rematch Review"),
    ],
)
def test_an_ending_says_who_won_and_how(visit, query, sentence, buttons):
    one = visit(query).see("#ending h2", sentence)
    shown = [text.split()[0] for text in one.page.locator("#ending button").all_inner_texts()]
    assert shown == buttons.split()
    expect(one.page.locator(".lines g")).to_have_count(0 if "dr" in sentence else 1)


def test_after_an_ending_there_is_a_harder_game_and_one_with_sides_swapped(visit):
    one = visit(f"{CONNECTED}&second=level:3")
    one.page.locator("#harder").click()
    expect(one.page.locator("#ending")).to_be_hidden()
    assert (one.state()["second"], one.moves()) == ("level:4", [])
    one.goto("?moves=a1,b1,a2,b2,a3&second=level:3")
    one.page.locator("#swap-sides").click()
    one.has_moves(1)  # now the other side opens
    assert one.state()["first"] == "level:3"


def test_the_bar_the_plot_and_the_legend_show_the_value(visit):
    one = visit("?moves=b2,b1&hints=1&second=human")
    expect(one.page.locator("#bar")).to_have_attribute("aria-label", re.compile("Evaluation: X wins in 5"))
    won = float(one.page.evaluate("document.querySelector('.pointer').style.getPropertyValue('--at')"))
    assert won < 1 / 3  # in the band at the top, which is the first side's
    expect(one.page.locator(".plot .mistake")).to_have_count(1)
    one.page.get_by_role("button", name="Distance").click()
    expect(one.page.locator(".plot .axis span")).to_have_text(["9 moves", "the end"])
    one.goto("?moves=b2&hints=1&second=human").see(".legend", "draws").see(".legend", "loses")
    expect(one.page.locator(".legend")).not_to_contain_text("wins")
    expect(one.page.locator(".badge.best")).to_have_count(4)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?", "Drawn with best play. Every move draws."),
        ("?moves=b2", "Drawn with best play. a1, c1, a3 and c3 keep the draw."),
        ("?moves=b2,b1", "X wins in 5 with a1, c1, a2 or 3 others."),
        ("?moves=b2,b1,a1", "X wins in 4 at the latest."),
        ("?game=kingpawns", "White wins in 5 with b2b3. No other move wins."),
        ("?game=tactic-toe&moves=b2", "Drawn: best play never ends"),
        ("?game=connect-four", "Red wins in 41 with 4. No other move wins."),
    ],
)
def test_the_verdict_names_the_moves(visit, query, sentence):
    visit(f"{query}&hints=1&second=human".replace("?&", "?")).see("#verdict", sentence)


def test_a_disc_waits_above_its_column_and_keys_drop_it(visit):
    one = visit("?game=connect-four&second=human")
    one.page.locator("[data-square='10']").hover()
    expect(one.page.locator(".waits .ghost")).to_have_count(2)  # above the column, and where it will lie
    for count, key in enumerate("47", 1):
        one.press(key)
        one.has_moves(count)
    assert one.moves() == ["4", "7"]


def test_a_fine_board_takes_a_second_tap(visit):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    one = visit("?game=lines:19,19,5&second=human", **phone)
    for name in ("j10", "k10"):  # the second is a better aim
        one.square(name).tap()
        expect(one.page.locator("#more")).to_have_text(f"Play {name}")
    assert one.moves() == []
    one.page.locator("#more").tap()
    one.has_moves(1)
    one.square("a1").tap()
    one.square("a1").tap()  # or the same square again
    one.has_moves(2)
    assert one.moves() == ["k10", "a1"]


def test_themes_are_chosen_and_stay(visit):
    one = visit(color_scheme="dark")
    seen = [one.page.evaluate(GROUND)]
    for _ in range(3):
        one.page.locator("#theme").click()
        seen.append(one.page.evaluate(GROUND))
    assert len({*seen}) == 3  # the system's is dark, too
    one.goto()
    expect(one.page.locator("html")).to_have_attribute("data-theme", "contrast")
    assert one.page.evaluate(GROUND) == "rgb(255, 255, 255)"


def test_every_game_has_its_rules_and_what_is_known(visit):
    one = visit("?game=gomoku").see("#about", "First player wins with best play.")
    expect(one.page.locator("#about cite")).to_have_text("Searching for Solutions in Games and Artificial Intelligence")
    one.goto("?game=lines:10,10,5")
    expect(one.page.locator("#about .rules li")).not_to_have_count(0)
    expect(one.page.locator("#about")).not_to_contain_text("with best play.")


@pytest.mark.parametrize(
    ("query", "square", "label"),
    [
        ("?game=connect-four&moves=4,4", 31, "column 4, row 2, Yellow, last move"),
        ("?game=kingpawns", 2, "c4, Black king"),
        ("?game=tactic-toe&moves=b1,b2,a1,c1,a3,a2", 1, "b1, X 1, vanishes on the next move"),
        ("?game=gomoku&moves=h8", 112, "h8, Black, last move"),
    ],
)
def test_squares_say_whose_piece_it_is(visit, query, square, label):
    one = visit(f"{query}&second=human")
    expect(one.page.locator(f"[data-square='{square}']")).to_have_attribute("aria-label", label)


def test_notes_tell_what_could_not_be_done(visit):
    one = visit("?game=lines:15,15,5&second=perfect")
    one.see("#note", "Perfect cannot play this game; another player takes the seat.")
    one.goto("?moves=b2&second=human").square("b2").click(force=True)
    one.see("#note", "That cannot be played now: b2.").play("a1")
    expect(one.page.locator("#note")).to_be_hidden()
    one = visit("?game=tactic-toe&moves=b2&second=human", script=HURRY)
    one.page.locator("#play-out").click()
    one.see("#note", "Best play goes on; 12 moves are shown.")


def test_a_narrow_phone_shows_it_all(visit):
    assert fits(visit("?game=connect-four", viewport={"width": 320, "height": 640}).page)


# Boards of other kinds, extra turns and points


def labels(one):
    """What the squares are called, aloud."""
    return [cell.get_attribute("aria-label") for cell in one.page.locator('[role="gridcell"]').all()]


def test_dots_and_boxes(visit):
    one = visit("?game=dots:1,1&second=human&moves=b1,a2,c2")
    assert labels(one) == ["b1, edge", "a2, edge", "c2, edge, last move", "b3, empty", "X, 0", "O, 0"]
    expect(one.page.locator(".dot")).to_have_count(4)
    one.page.evaluate("document.querySelector('.grid path.bar').setAttribute('data-mark', 'same')")
    one.play("b3").turn("O wins by 1")
    assert labels(one)[-2:] == ["X, 0", "O, 1"]
    expect(one.page.locator('.grid .stands .bar[data-mark="same"]')).to_have_count(1)  # edges that stand stay


def test_a_person_moves_again_and_a_player_as_long_as_it_is_its_turn(visit):
    one = visit("?game=kalah:3,2&second=perfect").turn("Your move")
    one.play("south 2").turn("You move again").see("#said", "South plays 2. South moves again.").play("south 3")
    expect(one.page.locator("#said")).to_contain_text(re.compile("North plays .*, then .*|North plays ."))
    one.turn("Your move")
    expect(one.page.locator("#history .played li").nth(1)).to_have_attribute("title", "1. South 2, then 3")
    left, right = (one.page.locator(f'[data-square="{square}"]').bounding_box() for square in (6, 7))
    assert left["height"] > 1.8 * left["width"]  # the stores
    assert left["x"] < right["x"]


def test_a_game_ends_in_the_middle_of_a_turn_with_points(visit):
    one = visit(f"{LOST}&second=perfect").play("b3").turn("O wins by 2")
    assert one.moves()[5:] in (["c2", "d1"], ["d1", "c2"], ["c2"])
    one.see("#ending h2", "Perfect won by 2, after 7 moves.")
    last = one.page.locator("#history .played li").last
    expect(last.locator("button")).to_have_text(["6. O c2✓, best move", "then d1✓, best move"])
    one.page.locator("#undo").click()
    one.turn("Your move")
    assert one.state()["ply"] == "4"  # the person's last turn, not the player's


def test_hints_history_plot_and_tree_show_points_and_no_distances(visit):
    one = visit(f"{LOST},b3&hints=1&second=human").see("#verdict", "O wins by 2 with c2. No other move wins.")
    expect(one.page.locator("#moves .worth .text")).to_have_text(["win by 2", "loss by 2"])
    expect(one.page.locator(".badge text")).to_have_text(["−2", "+2"])
    one.see(".legend", "number: points ahead at the end").see(".pointer", "−2")  # for the first side, as in the plot
    one.page.locator("#view-points").click()
    expect(one.page.locator(".plot .axis span")).to_have_text(["X by 2", "O by 2"])
    expect(one.page.locator(".mistakes li")).to_have_count(3)
    one.goto(f"{LOST}&hints=1&second=human").see("#verdict", "O wins by 2, whatever X plays.")
    assert "moves to the end" not in one.page.locator("main").inner_text()
    one.goto(f"{LOST},b3&view=explore&second=human")
    expect(one.page.locator('[id="go-c2"]').locator(".far")).to_have_text("by 2")
    for line in ("c2", "c2 d1"):
        one.page.locator(f'[id="fold-{line}"]').click()
    one.see(".tree", "O has won by 2.")
    one.page.locator('[id="go-c2 d1"]').click()
    expect(one.page.locator(".crumbs li").last.locator("button")).to_have_text(["6. O c2", "then d1"])


@pytest.mark.parametrize("view", ["result", "points"])
def test_no_line_of_the_plot_goes_through_a_label(visit, view):
    one = visit("?game=kalah:3,2&hints=1&moves=2&second=human")
    one.page.locator(f"#view-{view}").click()
    picture = one.page.locator(".plot svg")
    expect(picture).to_have_attribute("aria-label", re.compile("over 1 move; 0 mistakes"))
    lines = [line.bounding_box()["x"] for line in picture.locator(".curve, .level, .now, .point").all()]
    boxes = [label.bounding_box() for label in one.page.locator(".plot .axis span").all()]
    assert max(box["x"] + box["width"] for box in boxes) < min(lines)


def test_keys_pass_over_places_that_are_no_squares(visit):
    one = visit("?game=morris:3,2&second=human")
    one.page.locator('[data-square="7"]').focus()
    found = []
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "End", "Home"):
        one.press(key)
        found.append(one.page.evaluate("document.activeElement.getAttribute('data-square')"))
    assert found == ["2", "0", "10", "11", "14", "10"]


TEXT = """async ([name, position]) => {
    const here = document.querySelector('script[type="module"]').src;
    const { asText } = await import(new URL("share.js", here));
    return asText(await (await fetch(`/api/game?game=${name}`)).json(), { position });
}"""
TEXTS = {
    "dots:2,2": "O:-./||./-./.../../01",
    "kalah:6,4": "n:4,4,12,4,0,4/0,5,1,6,6,5/0,1",
    "morris:6": "X:XXX/O../..../O../.../34X",
    "tactic-toe": "O:X3../.O2./X2..",
}


def test_the_text_to_share_is_the_drawing_of_the_terminal(visit):
    one = visit()
    for name, position in TEXTS.items():
        game = perfectplay.load(name)
        assert one.page.evaluate(TEXT, [name, position]) == draw_position(game, *parse_position(game, position))


@pytest.mark.parametrize(
    ("game", "moves", "side"),
    [("dots:2,2", "b1 a2 b3 c2", "O"), ("kalah:6,4", "3 1", "North"), ("morris:3,2", "a1 b2 c1 b4 e1", "Black")],
)
def test_boards_can_be_set_up(visit, game, moves, side):
    one, match = visit(f"?game={game}&moves={moves.replace(' ', ',')}&second=human"), perfectplay.Match(game)
    match.play(*moves.split())
    one.page.locator("#position-panel summary").click()
    assert one.position() == match.text()
    for name in ("#set-up", "#clear"):
        one.page.locator(name).click()
    assert re.fullmatch("[a-zA-Z]:[.0,/]+", one.position())
    for name in ("#leave", "#set-up", "#use"):
        one.page.locator(name).click()
    one.turn(f"{side} to move")
    assert one.position() == match.text()
