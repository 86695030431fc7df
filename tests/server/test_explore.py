"""Explore in a real browser: clicking through the game tree, with the game that was left behind."""

import shutil
from urllib.parse import parse_qs, urlsplit

import pytest

from homes import ROOT
from perfectplay.exporters.page.page_export import writing
from perfectplay.loading import load_game
from perfectplay.solvers.steps import finished

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: make test installs it")
expect = playwright.expect
CHROMIUM = shutil.which("chromium")
AXE = ROOT / "node_modules/axe-core/axe.min.js"
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium: apt-get install chromium"),
]


class Explorer:
    """Somebody who explores, and notes what goes wrong."""

    def __init__(self, browser, where):
        self.where, self.faults = where, []
        self.context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))

    def goto(self, query):
        self.page.goto(self.where + query)
        expect(self.page.locator("[role=grid]")).to_be_visible()
        return self

    @property
    def rows(self):
        """The moves of the position on the board."""
        return self.page.locator(".tree > ul > li > .branch > .worth")

    def row(self, *line):
        return self.page.locator(f'[id="go-{" ".join(line)}"]')

    def fold(self, *line):
        return self.page.locator(f'[id="fold-{" ".join(line)}"]')

    def names(self):
        return self.rows.locator("b").all_text_contents()

    def crumbs(self):
        return self.page.locator(".crumbs button").all_text_contents()

    def state(self):
        url = urlsplit(self.page.url)
        return {name: values[0] for name, values in parse_qs(url.query or url.fragment).items()}

    def pieces(self):
        return self.page.locator(".cell .stands > *").count()

    def has(self, locator, count):
        expect(locator).to_have_count(count, timeout=20_000)


@pytest.fixture
def explore(browser, address):
    visitors = []

    def come(query, where=f"{address}/"):
        visitors.append(Explorer(browser, where))
        return visitors[-1].goto(query)

    yield come
    for visitor in visitors:
        visitor.context.close()
        assert visitor.faults == []


def test_all_moves_stand_best_first_and_the_best_is_marked(explore):
    one = explore("?game=tic-tac-toe&moves=a1,b1,a2,b2&view=explore")
    one.has(one.rows, 5)
    first = one.rows.first
    expect(first).to_have_attribute("id", "go-a3")
    expect(first).to_contain_text("X wins")
    expect(first).to_contain_text("in 1")
    assert one.page.locator(".tree > ul > li > .branch .pill").count() == 1
    expect(first.locator(".pill")).to_have_text("best")
    results = one.rows.locator(".text").all_text_contents()
    ranks = [["X wins", "Draw", "O wins"].index(text) for text in results]
    assert ranks == sorted(ranks)
    expect(one.page.locator("#verdict")).to_contain_text("X wins in 1 with a3")
    expect(one.page.locator("#origin")).to_have_text("Solved: every value is exact.")


def test_several_winning_moves_are_all_marked(explore):
    one = explore("?game=tic-tac-toe&position=X:XX./XO./.OO&view=explore")
    wins = one.page.locator(".tree .worth.best.win")
    one.has(wins, 2)
    assert sorted(wins.locator("b").all_text_contents()) == ["a3", "c1"]


def test_both_sides_are_the_users_and_nobody_else_moves(explore):
    one = explore("?game=tic-tac-toe&view=explore&second=perfect")
    one.row("b2").click()
    one.has(one.rows, 8)
    expect(one.page.locator("#turn")).to_have_text("O to move")
    one.page.wait_for_timeout(700)  # a player would have answered by now
    assert one.state()["moves"] == "b2"
    one.page.locator('[role=gridcell][aria-label^="a1,"]').click()
    one.has(one.rows, 7)
    assert one.state()["moves"] == "b2,a1"
    assert one.crumbs() == ["Start", "1. X b2", "2. O a1"]


def test_the_game_that_was_left_comes_back(explore):
    one = explore("?game=tic-tac-toe&moves=b2,a1,c3&ply=2&second=human")
    one.page.locator("#explore").click()
    one.has(one.rows, 7)
    assert one.state()["view"] == "explore"
    assert one.page.locator("#players-panel").is_hidden()
    one.row("a2").click()
    one.has(one.rows, 6)
    one.page.locator("#explore").click()
    expect(one.page.locator("#explore")).to_have_text("Explore")
    state = one.state()
    assert (state["moves"], state["ply"], state.get("view")) == ("b2,a1,c3", "2", None)
    assert one.pieces() == 2
    one.page.go_back()
    one.has(one.rows, 6)
    assert one.state()["moves"] == "b2,a1,a2"


def test_a_computer_player_goes_on_when_the_user_comes_back(explore):
    one = explore("?game=tic-tac-toe&second=perfect")
    one.page.locator("#explore").click()
    one.row("b2").click()
    one.has(one.rows, 8)
    one.page.locator("#explore").click()
    expect(one.page.locator("#turn")).to_have_text("Your move")
    one.page.locator('[role=gridcell][aria-label^="b2,"]').click()
    one.has(one.page.locator(".played button"), 3)


def test_an_address_is_the_whole_state_and_the_browser_goes_back(explore):
    one = explore("?game=tic-tac-toe&view=explore&moves=b2,a1&played=c3")
    one.has(one.rows, 7)
    assert one.crumbs() == ["Start", "1. X b2", "2. O a1"]
    one.page.locator("#crumb-0").click()
    one.has(one.rows, 9)
    assert (one.state()["ply"], one.state()["moves"]) == ("0", "b2,a1")
    one.page.go_back()
    one.has(one.rows, 7)
    one.page.locator("#explore").click()
    expect(one.page.locator("#explore")).to_have_text("Explore")
    assert one.state()["moves"] == "c3"


def test_a_game_left_that_cannot_be_replayed_is_told_and_dropped(explore):
    one = explore("?game=tic-tac-toe&view=explore&played=z9")
    one.has(one.rows, 9)
    one.page.locator("#explore").click()
    expect(one.page.locator("#explore")).to_have_text("Explore")
    expect(one.page.locator("#fault")).to_contain_text("z9")
    one.faults.clear()  # the browser notes that the server refused


def test_replies_unfold_in_place_three_deep(explore):
    one = explore("?game=tic-tac-toe&view=explore&moves=b2,a1")
    one.has(one.rows, 7)
    name, line = one.names()[0], []
    for left in (6, 5, 4):
        line.append(name)
        one.fold(*line).click()
        expect(one.fold(*line)).to_have_attribute("aria-expanded", "true")
        nested = one.page.locator(f'[id^="go-{" ".join(line)} "]')
        one.has(nested, left)
        name = nested.first.locator("b").text_content()
    one.page.locator("#fold-all").click()
    one.has(one.page.locator(".tree ul ul"), 0)
    assert one.state()["moves"] == "b2,a1"


def test_a_reply_in_the_tree_is_gone_to_at_once(explore):
    one = explore("?game=tic-tac-toe&view=explore")
    one.fold("b2").click()
    one.row("b2", "a1").click()
    one.has(one.rows, 7)
    assert one.state()["moves"] == "b2,a1"
    assert one.pieces() == 2


def test_a_move_is_previewed_on_the_board_in_the_position_before_it(explore):
    one = explore("?game=tic-tac-toe&view=explore")
    one.row("b2").hover()
    aimed = one.page.locator(".cell.aimed")
    expect(aimed).to_have_attribute("data-square", "4")
    one.fold("b2").click()
    one.row("b2", "a1").hover()
    expect(aimed).to_have_attribute("data-square", "0")
    assert one.pieces() == 1
    one.page.locator("h1").hover()
    one.has(aimed, 0)
    assert one.pieces() == 0


def test_keys_walk_unfold_and_go(explore):
    one = explore("?game=tic-tac-toe&view=explore&moves=b2")
    one.has(one.rows, 8)
    names = one.names()
    one.rows.first.focus()
    press = one.page.keyboard.press
    press("ArrowDown")
    expect(one.row(names[1])).to_be_focused()
    press("ArrowRight")
    expect(one.fold(names[1])).to_have_attribute("aria-expanded", "true")
    nested = one.page.locator(f'[id^="go-{names[1]} "]')
    one.has(nested, 7)
    expect(one.row(names[1])).to_be_focused()
    press("ArrowRight")
    expect(nested.first).to_be_focused()
    press("ArrowLeft")
    expect(one.row(names[1])).to_be_focused()
    press("ArrowLeft")
    one.has(nested, 0)
    press("Enter")
    one.has(one.rows, 7)
    expect(one.rows.first).to_be_focused()
    assert one.state()["moves"] == f"b2,{names[1]}"


def test_win_probabilities_reorder_the_moves_best_first(explore):
    one = explore("?game=tic-tac-toe&view=explore")
    one.has(one.rows, 9)
    one.page.locator("#model").select_option("uniform")
    one.has(one.page.locator(".tree .chance"), 9)
    first = one.rows.first
    expect(first).to_contain_text("99.5%")
    expect(first.locator(".pill")).to_have_text("best")
    shares = [float(text.split("%")[0]) for text in one.page.locator(".tree .share").all_text_contents()]
    assert shares == sorted(shares, reverse=True)
    assert one.state()["chance"] == "uniform"


def test_the_opening_book_is_named_and_exact_and_beyond_it_the_search(explore):
    one = explore("?game=connect-four&view=explore")
    expect(one.page.locator("#origin")).to_have_text("Opening book: exact to move 8.", timeout=60_000)
    assert one.names()[0] == "4"
    expect(one.rows.first).to_contain_text("Red wins")
    expect(one.rows.first).to_contain_text("in 41")
    assert one.page.locator(".tree .worth.open").count() == 0
    one.page.locator("#unfold").click()
    one.has(one.page.locator('[id^="go-4 4 4 4 "]'), 7)
    one.goto("?game=connect-four&view=explore&moves=4,4,4,4,4,2,2,1,7,7")
    expect(one.page.locator("#origin")).to_contain_text(
        "Beyond the opening book, which ends at move 8.", timeout=60_000
    )


def test_on_a_large_board_a_forced_move_is_told_everywhere(explore):
    one = explore("?game=gomoku&view=explore&moves=h8,g8,i8,c3,j8,e3,k8")
    verdict = one.page.locator("#verdict")
    expect(verdict).to_have_text("White must play l8: all other moves lose.", timeout=90_000)
    assert one.names() == ["l8"]
    expect(one.page.locator(".cell .badge.only")).to_have_count(1)
    expect(one.page.locator('[role=gridcell][aria-label^="l8,"]')).to_have_attribute(
        "aria-label", "l8, empty, may hold"
    )
    expect(one.page.locator(".more")).to_have_text("217 more moves: loss in 2 moves")
    one.goto("?game=gomoku&view=explore&moves=h8,g8,i8,c3,j8,e3,k8,c5")
    expect(verdict).to_have_text("Black wins in 1 with l8.")
    expect(one.rows.first).to_contain_text("in 1")


def test_without_an_analysis_the_moves_are_there(explore):
    one = explore("?game=tic-tac-toe")
    one.page.route("**/api/analysis?*", lambda route: route.fulfill(status=422, json={"error": "this takes too long"}))
    one.page.locator("#explore").click()
    one.has(one.rows, 9)
    expect(one.rows.first).to_contain_text("not known yet")
    one.fold("a1").click()
    expect(one.page.locator(".tree li > p")).to_have_text("this takes too long")
    one.row("b2").click()
    one.has(one.rows, 8)
    one.faults.clear()  # the browser notes that the answers were refused


def test_axe_finds_nothing_wrong(explore):
    one = explore("?game=tic-tac-toe&view=explore&moves=b2,a1&chance=uniform")
    one.fold(one.page.locator(".tree b").first.text_content()).click()
    one.has(one.page.locator(".tree ul ul"), 1)
    one.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = one.page.evaluate("axe.run()")
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []


def test_the_single_file_page_explores_its_own_data(explore, tmp_path):
    file = tmp_path / "page.html"
    with file.open("wb") as sink:
        finished(writing(load_game("tic-tac-toe"), sink))
    one = explore("", where=file.as_uri())
    one.page.locator("#explore").click()
    one.has(one.rows, 9)
    one.fold("b2").click()
    one.row("b2", "a1").click()
    one.has(one.rows, 7)
    assert (one.state()["view"], one.state()["moves"]) == ("explore", "b2,a1")
    one.page.locator("#explore").click()
    expect(one.page.locator("#explore")).to_have_text("Explore")
    assert "moves" not in one.state()
