"""What the page looks like and says: boards, endings, the evaluation, themes, fingers on fine boards."""

import re

import pytest

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect, visit = test_page.expect, test_page.visit

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]

CONNECTED = "?game=connect-four&moves=4,3,4,3,4,3,4"


@pytest.mark.parametrize(
    ("query", "sentence", "buttons"),
    [
        (f"{CONNECTED}&second=level:3", "You won with four in a row, after 7 moves.", "Rematch Harder Swap Review"),
        (
            f"{CONNECTED}&first=level:10&second=human",
            "Level 10 won with four in a row, after 7 moves.",
            "Rematch Easier Swap Review",
        ),
        (f"{CONNECTED}&second=human", "Red won with four in a row, after 7 moves.", "Rematch Review"),
        ("?moves=b2,a1,c3,a3,a2,c2,b3,b1,c1", "You drew after 9 moves.", "Rematch Harder Swap Review"),
        ("?moves=b2,a1,c3,a3,a2,c2,b3,b1,c1&second=human", "A draw after 9 moves.", "Rematch Review"),
    ],
)
def test_an_ending_says_who_won_and_how(visit, query, sentence, buttons):
    one = visit(query)
    expect(one.page.locator("#ending h2")).to_have_text(sentence)
    shown = [text.split()[0] for text in one.page.locator("#ending button").all_inner_texts()]
    assert shown == buttons.split()
    expect(one.page.locator(".lines g")).to_have_count(0 if "dr" in sentence else 1)


def test_after_an_ending_there_is_a_rematch_a_harder_one_and_a_review(visit):
    one = visit(f"{CONNECTED}&second=level:3")
    one.page.locator("#harder").click()
    expect(one.page.locator("#ending")).to_be_hidden()
    assert one.state()["second"] == "level:4"
    assert one.moves() == []
    one.goto("?moves=a1,b1,a2,b2,a3&second=level:3")
    one.page.locator("#review").click()
    expect(one.page.locator("#guided h2")).to_have_text("No mistakes by X")
    one.goto("?moves=a1,b1,a2,b2,a3&second=level:3")
    one.page.locator("#swap-sides").click()
    one.has_moves(1)  # now the other side opens
    assert one.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    assert one.state()["first"] == "level:3"


def test_the_bar_and_the_plot_show_the_value(visit):
    one = visit("?moves=b2,b1&hints=1&second=human")
    expect(one.page.locator("#bar")).to_have_attribute("aria-label", re.compile("Evaluation: X wins in 5"))
    won = float(one.page.evaluate("document.querySelector('.pointer').style.getPropertyValue('--at')"))
    assert won < 1 / 3  # in the band at the top, which is the first side's
    expect(one.page.locator(".plot .mistake")).to_have_count(1)
    one.page.get_by_role("button", name="Distance").click()
    expect(one.page.locator(".plot .axis span")).to_have_text(["9 moves", "the end"])
    box = one.page.locator(".plot svg").bounding_box()
    one.page.mouse.click(box["x"] + 4, box["y"] + 40)  # a point need not be hit exactly
    expect(one.page.locator("#ply-0")).to_have_attribute("aria-current", "step")


def test_the_legend_explains_the_hints_that_are_there(visit):
    one = visit("?moves=b2&hints=1&second=human")
    expect(one.page.locator(".legend")).to_contain_text("draws")
    expect(one.page.locator(".legend")).to_contain_text("loses")
    expect(one.page.locator(".legend")).not_to_contain_text("wins")
    expect(one.page.locator(".badge.best")).to_have_count(4)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?", "Drawn with best play. Every move draws."),
        ("?moves=b2", "Drawn with best play. a1, c1, a3 and c3 keep the draw."),
        ("?moves=a1", "Drawn with best play. Only b2 keeps the draw."),
        ("?moves=b2,b1", "X wins in 5 with a1, c1, a2 or 3 others."),
        ("?moves=b2,b1,a1", "X wins in 4 at the latest."),
        ("?game=kingpawns", "White wins in 5 with b2b3. No other move wins."),
        ("?game=tactic-toe&moves=b2", "Drawn: best play never ends"),
        ("?game=connect-four", "Red wins in 41 with 4. No other move wins."),
    ],
)
def test_the_verdict_names_the_moves(visit, query, sentence):
    one = visit(f"{query}&hints=1&second=human".replace("?&", "?"))
    expect(one.page.locator("#verdict")).to_contain_text(sentence, timeout=60_000)


def test_a_disc_waits_above_its_column_and_keys_drop_it(visit):
    one = visit("?game=connect-four&second=human")
    one.page.locator("[data-square='10']").hover()
    expect(one.page.locator(".waits .ghost")).to_have_count(2)  # above the column, and where it will lie
    one.page.keyboard.press("4")
    one.has_moves(1)
    one.page.keyboard.press("7")
    one.has_moves(2)
    assert one.moves() == ["4", "7"]


def test_a_fine_board_takes_a_second_tap(visit):
    one = visit(
        "?game=lines:19,19,5&second=human", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    one.square("j10").tap()
    expect(one.page.locator("#more")).to_have_text("Play j10")
    expect(one.page.locator(".crosshair")).to_have_count(2)
    assert one.moves() == []
    one.square("k10").tap()  # a better aim
    expect(one.page.locator("#more")).to_have_text("Play k10")
    one.page.locator("#more").tap()
    one.has_moves(1)
    one.square("a1").tap()
    one.square("a1").tap()  # or the same square again
    one.has_moves(2)
    assert one.moves() == ["k10", "a1"]


def test_themes_are_chosen_and_stay(visit):
    one = visit(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = [one.page.evaluate(ground)]
    for _ in range(3):
        one.page.locator("#theme").click()
        seen.append(one.page.evaluate(ground))
    assert len({*seen}) == 3  # the system's is dark, too
    expect(one.page.locator("html")).to_have_attribute("data-theme", "contrast")
    one.goto()
    expect(one.page.locator("html")).to_have_attribute("data-theme", "contrast")
    assert one.page.evaluate(ground) == "rgb(255, 255, 255)"


def test_the_menu_of_variants_closes(visit):
    one = visit()
    one.page.locator("#variant summary").click()
    expect(one.page.locator("#game")).to_be_visible()
    one.page.keyboard.press("Escape")
    expect(one.page.locator("#game")).to_be_hidden()
    expect(one.page.locator("#variant summary")).to_be_focused()
    one.page.locator("#variant summary").click()
    one.page.locator("#title").click()
    expect(one.page.locator("#game")).to_be_hidden()


def test_solving_tells_the_phase_the_share_and_the_time_left(visit):
    one = visit("?game=drop:5,5,4&second=human")
    one.page.locator("#solve-it").click()
    shown = one.page.locator("#solve [role=status]")
    expect(shown).to_have_text(re.compile(r"^\D+ · \d+% · .*left$"), timeout=60_000)
    expect(one.page.locator("#solve progress")).to_have_attribute("value", re.compile(r"^0(\.\d+)?$"))
    one.page.locator("#cancel").click()


def test_nothing_is_said_about_the_value_of_a_finished_game(visit):
    one = visit("?game=gomoku&moves=h8,a1,h9,b1,h10,c1,h11,d1,h12&hints=1&second=human")
    one.turn("Black wins")
    expect(one.page.locator("#verdict")).to_have_text("")
    expect(one.page.locator("#moves-panel")).to_be_hidden()


def test_every_game_has_its_rules_and_what_is_known(visit):
    one = visit("?game=gomoku")
    expect(one.page.locator("#about")).to_contain_text("First player wins with best play.")
    expect(one.page.locator("#about cite")).to_have_text("Searching for Solutions in Games and Artificial Intelligence")
    one.goto("?game=lines:10,10,5")
    expect(one.page.locator("#about .rules li")).not_to_have_count(0)
    expect(one.page.locator("#about")).not_to_contain_text("with best play.")


@pytest.mark.parametrize(
    ("query", "square", "label"),
    [
        ("?game=connect-four&moves=4,4", 31, "column 4, row 2, Yellow, last move"),
        ("?game=kingpawns", 2, "c4, Black king"),
        ("?game=tactic-toe&moves=b2", 4, "b2, X 3, last move"),
        ("?game=gomoku&moves=h8", 112, "h8, Black, last move"),
    ],
)
def test_squares_say_whose_piece_it_is(visit, query, square, label):
    one = visit(f"{query}&second=human")
    expect(one.page.locator(f"[data-square='{square}']")).to_have_attribute("aria-label", label)


def test_enter_plays_the_square_that_has_the_focus(visit):
    one = visit("?second=human")
    one.page.evaluate("document.querySelector('[data-square=\"1\"]').focus()")
    one.page.keyboard.press("Enter")
    one.has_moves(1)
    assert one.moves() == ["b1"]


def test_a_player_who_cannot_play_is_replaced_with_a_word(visit):
    one = visit("?game=lines:15,15,5&second=perfect")
    expect(one.page.locator("#note")).to_have_text("Perfect cannot play this game; another player takes the seat.")


def test_a_narrow_phone_shows_it_all(visit):
    one = visit("?game=connect-four", viewport={"width": 320, "height": 640})
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_square_that_is_taken_says_so(visit):
    one = visit("?moves=b2&second=human")
    one.square("b2").click(force=True)
    expect(one.page.locator("#note")).to_have_text("That cannot be played now: b2.")
    one.play("a1")
    expect(one.page.locator("#note")).to_be_hidden()


def test_best_play_without_an_end_is_a_note(visit):
    one = visit("?game=tactic-toe&moves=b2&second=human", test_page.HURRY)
    one.page.locator("#play-out").click()
    expect(one.page.locator("#note")).to_have_text("Best play goes on; 12 moves are shown.", timeout=60_000)
    expect(one.page.locator("#fault")).to_be_hidden()
