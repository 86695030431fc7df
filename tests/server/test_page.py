"""The page in a real browser: what a person sees, does and hears there."""

import json
import re
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from homes import ROOT
from web_server import serving

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: make test installs it")
expect = playwright.expect
expect.set_options(timeout=15_000)

CHROMIUM = shutil.which("chromium")
AXE = ROOT / "node_modules/axe-core/axe.min.js"
HURRY = "const usual = setTimeout; window.setTimeout = (act, wait) => usual(act, wait / 10);"
"""A script with which the page waits a tenth of the time between the moves of a game that is watched."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium: apt-get install chromium")


class Visitor:
    """Somebody at the page, who notes what goes wrong there."""

    def __init__(self, browser, address, **more):
        self.address = address
        self.faults, self.abroad = [], []
        self.context = browser.new_context(
            **{"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", **more}
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("request", lambda asked: self.note(asked.url))

    def note(self, url):
        if not url.startswith((self.address, "blob:", "data:")):
            self.abroad.append(url)

    def goto(self, query=""):
        """Opens a game; tic-tac-toe if the query names none."""
        if "game=" not in query:
            query = "?game=tic-tac-toe" + query.replace("?", "&", 1)
        self.page.goto(f"{self.address}/{query}")
        expect(self.page.locator("[role=grid]")).to_be_visible()
        return self

    def square(self, name):
        return self.page.locator(f'[role=gridcell][aria-label^="{name},"]')

    def play(self, *names):
        for name in names:
            before = len(self.moves())
            self.square(name).click()
            self.has_moves(before + 1)
        return self

    def choose(self, game):
        """Opens another game by the menu behind Variant."""
        if not self.page.locator("#game").is_visible():
            self.page.locator("#variant summary").click()
        self.page.locator("#game").select_option(game)

    def turn(self, text):
        expect(self.page.locator("#turn")).to_contain_text(text, timeout=30_000)
        return self

    def state(self):
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def moves(self):
        return [move for move in self.state().get("moves", "").split(",") if move]

    def has_moves(self, least):
        """Waits until so many moves have been made."""
        count = "new URLSearchParams(location.search).get('moves')?.split(',').length"
        self.page.wait_for_function(f"least => {count} >= least", arg=least, timeout=60_000)

    def analysis(self, **values):
        """What the server says about the position on the board."""
        return self.page.evaluate(
            """async (values) => (await fetch("/api/analysis?" + new URLSearchParams(values))).json()""", values
        )

    def position(self):
        return self.page.locator("#position-text").input_value()


@pytest.fixture
def visit(browser, address):
    visitors = []

    def come(query="", script="", **more):
        visitors.append(Visitor(browser, address, **more))
        visitors[-1].page.add_init_script(script)
        return visitors[-1].goto(query)

    yield come
    for visitor in visitors:
        visitor.context.close()
        assert visitor.faults == []
        assert visitor.abroad == []


def test_tic_tac_toe_is_on_the_board_and_can_be_played_at_once(visit):
    one = visit()
    one.turn("Your move")
    expect(one.page.locator("[role=gridcell]")).to_have_count(9)
    one.square("b2").click()
    one.has_moves(2)
    one.turn("Your move")  # the other side has answered
    assert len(one.moves()) == 2
    expect(one.page.locator(".cell.last")).to_have_count(1)


def test_losing_to_the_perfect_player(visit):
    one = visit("?second=perfect")
    for _ in range(5):
        one.turn("Your move")
        known = one.analysis(game="tic-tac-toe", position=one.position())
        before = len(one.moves())
        one.square(known["moves"][-1]["move"]).click()  # the worst there is
        one.has_moves(before + 2)
        if one.page.locator("#turn").inner_text() == "O wins":
            break
    one.turn("O wins")
    expect(one.page.locator(".lines g")).to_have_count(1)
    expect(one.page.locator(".mistakes")).to_contain_text("Losing move")
    expect(one.page.locator(".mistakes")).to_contain_text("kept the draw")
    expect(one.page.locator(".plot .mistake")).not_to_have_count(0)
    expect(one.page.locator(".cell.legal")).to_have_count(0)


@pytest.mark.nightly
def test_winning_tactic_toe_by_following_the_hints(visit):
    one = visit("?game=tactic-toe&hints=1&second=perfect")
    expect(one.page.locator("#verdict")).to_have_text("X wins in 13 with b1, a2, c2 or b3. No other move wins.")
    for ply in range(0, 13, 2):
        best = one.page.locator("#moves .worth").first
        expect(best).to_contain_text(f"win in {13 - ply} mo")
        best.click()
        one.has_moves(min(13, ply + 2))
    one.turn("X wins")
    assert len(one.moves()) == 13
    expect(one.page.locator(".lines g")).to_have_count(1)
    expect(one.page.locator(".mistakes")).to_have_count(0)


def test_hints_are_more_than_colour(visit):
    one = visit("?game=tic-tac-toe&moves=b2,b1,a1&hints=1&second=human")
    expect(one.page.locator("#verdict")).to_have_text("X wins in 4 at the latest.")
    expect(one.page.locator(".cell.loss .icon.loss")).to_have_count(6)
    expect(one.square("c3")).to_have_attribute("aria-label", "c3, empty, loss in 4 moves")
    expect(one.page.locator("#moves .worth").first).to_contain_text("loss in 4 moves")
    one.page.locator("#move-c3").hover()
    expect(one.square("c3")).to_have_class(re.compile("aimed"))
    one.page.locator("#move-c3").click()
    one.has_moves(4)
    assert one.moves() == ["b2", "b1", "a1", "c3"]
    one.page.locator("#hints").click()
    expect(one.page.locator("#moves-panel")).to_be_hidden()
    assert "hints" not in one.state()


def test_win_probabilities_against_a_model(visit):
    one = visit("?hints=1&second=human")
    one.page.locator("#model").select_option("uniform")
    expect(one.page.locator("#move-a1 .share")).to_have_text("99.5% ★")
    expect(one.page.locator(".prospect")).to_contain_text("X wins 99.5%")
    assert one.state()["chance"] == "uniform"


def test_undo_redo_and_jumps(visit):
    one = visit("?second=human")
    one.play("b2", "a1", "c3")
    one.page.locator("#undo").click()
    expect(one.square("c3")).to_have_attribute("aria-label", "c3, empty")
    assert one.state()["ply"] == "2"
    one.page.locator("#redo").click()
    expect(one.square("c3")).to_have_attribute("aria-label", "c3, X, last move")
    one.page.keyboard.press("Control+z")
    expect(one.square("c3")).to_have_attribute("aria-label", "c3, empty")
    one.page.locator("#ply-0").click()
    expect(one.page.locator("#ply-0")).to_have_attribute("aria-current", "step")
    one.page.keyboard.press("ArrowRight")
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, X, last move")
    one.page.keyboard.press("End")
    expect(one.square("c3")).to_have_attribute("aria-label", "c3, X, last move")
    one.page.keyboard.press("Home")
    one.square("a3").click()  # another game from here on
    expect(one.page.locator("#history li")).to_have_count(2)
    assert one.moves() == ["a3"]


def test_undo_takes_back_both_moves_against_a_player(visit):
    one = visit("?second=perfect")
    one.square("b2").click()
    one.has_moves(2)
    one.turn("Your move")
    one.page.locator("#undo").click()
    expect(one.page.locator("#ply-0")).to_have_attribute("aria-current", "step")
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, empty")


@pytest.mark.nightly
def test_back_and_forward(visit):
    one = visit("?second=human")
    one.play("b2", "a1")
    one.page.go_back()
    expect(one.square("a1")).to_have_attribute("aria-label", "a1, empty")
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, X, last move")
    one.page.go_back()
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, empty")
    one.page.go_forward()
    one.page.go_forward()
    expect(one.square("a1")).to_have_attribute("aria-label", "a1, O, last move")


def test_a_whole_game_by_keyboard_alone(visit):
    one = visit("?second=human")
    keys = one.page.keyboard
    for _ in range(30):
        keys.press("Tab")
        if one.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    assert one.page.evaluate("document.activeElement.getAttribute('aria-label')") == "b2, empty"
    for way in (
        "Enter",
        "ArrowLeft Enter",
        "ArrowUp ArrowRight Enter",
        "ArrowLeft Enter",
        "ArrowDown ArrowDown ArrowRight Space",
    ):
        before = len(one.moves())
        for key in way.split():
            keys.press(key)
        one.has_moves(before + 1)
    one.turn("X wins")
    assert one.moves() == ["b2", "a2", "b1", "a1", "b3"]
    expect(one.page.locator("#said")).to_contain_text("X plays b3. X wins.")
    keys.press("Tab")
    assert one.page.evaluate("document.activeElement.id") == "rematch"
    keys.press("Enter")
    one.turn("X to move")
    assert one.moves() == []


def test_a_shared_address_opens_the_same_position(visit):
    one = visit("?game=kingpawns&moves=b2b3,c4d4&hints=1&first=level:3&second=human")
    expect(one.page.locator("#history li")).to_have_count(3)
    expect(one.page.locator("#more")).to_have_text("Let White move")
    where = one.page.url
    other = visit(urlsplit(where).query and "?" + urlsplit(where).query)
    expect(other.page.locator("#history li")).to_have_count(3)
    assert other.position() == one.position()
    expect(other.page.locator("#hints")).to_be_checked()
    expect(other.page.locator("#level-0")).to_have_value("3")
    other.page.locator("#more").click()
    other.has_moves(3)


def test_the_mark_that_goes_next_is_shown(visit):
    one = visit("?game=tactic-toe&moves=b1,b2,a1,c1,a3,a2&second=human")
    expect(one.page.locator(".cell.going")).to_have_count(1)
    expect(one.square("b1")).to_have_attribute("aria-label", "b1, X 1, vanishes on the next move")


@pytest.mark.nightly  # the next compiles less
def test_a_large_board_plays_and_hints_tell_what_is_proven(visit):
    one = visit("?game=gomoku&second=level:9")
    expect(one.page.locator("#verdict")).to_contain_text("Too big to solve")
    expect(one.page.locator("[role=gridcell]")).to_have_count(225)
    one.square("h8").click()
    one.has_moves(2)
    one.turn("Your move")
    one.page.locator("#hints").click()
    expect(one.page.locator("#verdict")).to_contain_text("Nothing proven yet", timeout=60_000)
    expect(one.page.locator("#moves")).to_contain_text("223 moves: not known yet")
    expect(one.page.locator(".cell .open")).to_have_count(0)


def test_a_win_in_one_a_forced_block_and_the_end_are_told_on_a_large_board(visit):
    moves = "h8,a1,h9,b1,h10,c1,h11,d1"
    one = visit(f"?game=gomoku&moves={moves}&hints=1&second=human")
    expect(one.page.locator("#verdict")).to_contain_text("Black wins in 1", timeout=60_000)
    expect(one.page.locator(".cell.win")).to_have_count(3)  # two at once, and a block that leaves both
    one = visit(f"?game=gomoku&moves={moves[3:]}&hints=1&second=human")
    expect(one.page.locator("#verdict")).to_contain_text("White must play e1")
    one = visit(f"?game=gomoku&moves={moves},h12&hints=1&second=human")
    one.turn("Black wins")
    expect(one.page.locator("#ending h2")).to_have_text("Black won with five in a row, after 9 moves.")
    expect(one.page.locator("#verdict")).to_have_text("")


def test_an_unknown_player_in_the_address_is_refused(visit):
    one = visit("?game=tic-tac-toe&moves=b2&second=foo")
    expect(one.page.locator("#fault")).to_contain_text("no player here is called 'foo'")
    expect(one.page.locator("#player-1")).to_have_value("level")
    assert one.moves() == ["b2"]
    one.faults.clear()  # the browser itself notes refused requests
    one = visit("?second=level:99")
    expect(one.page.locator("#fault")).to_contain_text("needs a whole number from 1 to 10")
    one.faults.clear()


@pytest.mark.nightly
def test_games_open_at_the_sizes_that_they_were_started_with(browser, home):
    for name in ("one", "two"):
        (home / f"{name}.py").write_text(Path("examples/hexapawn.py").read_text())
    with serving(str(home / "one.py"), f"{home / 'two.py'}:4,3", "lines:4,4,3") as address:
        visitor = Visitor(browser, address)
        visitor.goto("")
        options = visitor.page.locator("#game option")
        expect(options.nth(0)).to_have_text("one.py")
        expect(options.nth(1)).to_have_text("two.py:4,3")
        expect(options.nth(2)).to_have_text("Lines:4,4,3")
        visitor.choose("two.py:4,3")
        expect(visitor.page.locator("[role=gridcell]")).to_have_count(12)
        for link in ("?game=two.py", "?game=two.py:4,3"):
            visitor.goto(link)
            expect(visitor.page.locator("[role=gridcell]")).to_have_count(12)
            expect(visitor.page.locator("#size-width")).to_have_value("4")
        visitor.goto("?game=two.py:3,3")
        expect(visitor.page.locator("[role=gridcell]")).to_have_count(9)
        visitor.context.close()
        assert visitor.faults == []


def test_a_users_own_game_and_player(visit):
    one = visit("?game=hexapawn.py&second=human&hints=1")
    expect(one.page.locator("#verdict")).to_have_text("Black wins in 6 at the latest.")
    one.square("b1").click()  # the piece, then where it goes
    expect(one.page.locator(".cell.chosen")).to_have_count(1)
    one.square("b2").click()
    one.turn("Black to move")
    assert one.moves() == ["b1b2"]
    one.square("a3").click()
    one.square("b2").click()  # takes
    one.has_moves(2)
    assert one.moves() == ["b1b2", "a3b2"]
    bot = visit("?second=bots.py:my_ai")
    bot.square("a1").click()
    expect(bot.square("b2")).to_have_attribute("aria-label", "b2, O, last move")


def test_a_column_is_played_from_any_of_its_squares(visit):
    one = visit("?game=connect-four&second=human")
    one.page.locator("[data-square='3']").click()
    one.turn("Yellow to move")
    assert one.moves() == ["4"]
    expect(one.page.locator("[data-square='38']")).to_have_class(re.compile("last"))


def test_solving_from_the_page(visit):
    one = visit("?game=lines:4,3,3&second=human")
    one.page.locator("#solve-it").click()
    expect(one.page.locator("#solve progress")).to_be_visible()
    expect(one.page.locator("#solve-panel")).to_be_hidden(timeout=60_000)
    expect(one.page.locator("#hints")).not_to_be_checked()  # nobody asked for hints yet
    one.page.locator("#hints").click()
    expect(one.page.locator("#verdict")).to_contain_text("X wins in")


@pytest.mark.nightly
def test_a_solve_ends_with_the_game_that_it_is_about(visit):
    one = visit("?game=drop:5,5,4&second=human")
    one.page.locator("#solve-it").click()
    expect(one.page.locator("#cancel")).to_be_visible()
    one.choose("connect-four")
    expect(one.page.locator("#cancel")).to_have_count(0)


@pytest.mark.nightly
def test_players_who_cannot_play_a_game_are_replaced(visit):
    one = visit("?second=streetwise")
    one.choose("gomoku")
    expect(one.page.locator("#player-1")).to_have_value("level")
    assert one.state().get("second", "level:5") == "level:5"
    two = visit("?game=drop:19,19,4&second=streetwise")
    expect(two.page.locator("#player-1")).to_have_value("level")
    two.page.locator("[data-square='9']").click()
    two.has_moves(2)


def test_a_server_that_does_not_answer_is_asked_again(visit):
    one = visit("?second=perfect")
    one.page.route("**/api/reply?*", lambda route: route.abort())
    one.square("b2").click()
    expect(one.page.locator("#note")).to_have_text("The server does not answer. Trying again …")
    expect(one.page.locator("#fault")).to_be_hidden()
    assert one.moves() == ["b2"]
    one.page.unroute("**/api/reply?*")
    one.has_moves(2)
    expect(one.page.locator("#note")).to_be_hidden()
    one.faults.clear()  # the browser itself notes failed requests


def test_a_move_appears_at_once_and_is_taken_back_with_a_word_if_refused(visit):
    one = visit("?second=human")
    held = []
    one.page.route("**/api/line?*", lambda route: held.append(route))
    one.square("b2").click()
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, X, last move")
    assert one.moves() == []
    held[0].fulfill(status=503, json={"error": "all workers are busy; try again in a few seconds"})
    expect(one.page.locator("#fault")).to_have_text(
        "b2 is taken back: all workers are busy; try again in a few seconds"
    )
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, empty")
    one.page.unroute("**/api/line?*")
    one.play("b2")
    expect(one.page.locator("#fault")).to_be_hidden()
    one.faults.clear()


def test_quick_keys_are_all_counted(visit):
    one = visit("?second=human&moves=b2,a1,c3,a3,a2")
    one.page.locator("#ply-5").focus()
    for _ in range(3):
        one.page.keyboard.press("ArrowLeft")
    expect(one.page.locator("#ply-2")).to_have_attribute("aria-current", "step")
    one.page.locator("#redo").dblclick()
    expect(one.page.locator("#ply-4")).to_have_attribute("aria-current", "step")


def test_the_keyboard_is_never_lost(visit):
    one = visit("?second=human&hints=1")
    expect(one.page.locator("#move-b2")).to_be_visible()
    one.page.locator("#move-b2").focus()
    one.page.keyboard.press("Enter")
    one.has_moves(1)
    expect(one.page.locator("#model")).to_be_focused()
    one.page.locator("#undo").focus()
    one.page.keyboard.press("Enter")
    expect(one.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    expect(one.page.locator("#undo")).to_be_focused()
    one.page.locator(".skip").focus()
    one.page.keyboard.press("Enter")
    assert one.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    assert one.moves() == ["b2"]


def test_nobody_moves_while_a_position_is_set_up(visit):
    one = visit()
    one.page.locator("#position-panel summary").click()
    one.page.locator("#set-up").click()
    one.square("a1").click()
    one.page.locator("#swap").click()
    one.page.wait_for_timeout(1200)
    assert one.moves() == []
    expect(one.page.locator("#more")).to_be_hidden()
    expect(one.square("a1")).to_have_attribute("aria-label", "a1, X")
    one.page.locator("#clear").click()
    expect(one.square("a1")).to_have_attribute("aria-label", "a1, empty")


@pytest.mark.nightly
def test_what_is_being_typed_stays(visit):
    one = visit("?game=tactic-toe&first=random&second=random&moves=b2")
    one.page.locator("#position-panel summary").click()
    one.page.locator("#more").click()
    one.page.locator("#position-text").fill("my text")
    one.has_moves(4)
    expect(one.page.locator("#position-text")).to_have_value("my text")


def test_a_link_with_a_mistake_keeps_its_good_part(visit):
    one = visit("?game=tactic-toe&moves=b2,a1,b2,c3&second=human")
    told = "Move 3 of the link, b2, cannot be played. The game is shown up to move 2."
    expect(one.page.locator("#note")).to_have_text(told)
    expect(one.page.locator("#fault")).to_be_hidden()
    expect(one.page.locator("#title")).to_have_text("Tactic-toe")
    expect(one.page.locator("#history li")).to_have_count(3)
    one.square("c3").click()
    expect(one.page.locator("#history li")).to_have_count(4)
    assert one.moves() == ["b2", "a1", "c3"]
    expect(one.page.locator("#note")).to_be_hidden()


def test_a_click_on_a_target_chooses_the_piece_first(visit):
    one = visit("?game=kingpawns&second=human")
    one.square("a3").click()
    expect(one.page.locator(".cell.chosen")).to_have_count(1)
    expect(one.page.locator(".cell.target")).to_have_count(1)
    one.page.keyboard.press("Escape")
    expect(one.page.locator(".cell.chosen")).to_have_count(0)
    one.square("a3").click()
    one.square("a3").click()
    one.has_moves(1)
    assert one.moves() == ["a2a3"]


def test_a_solve_can_be_cancelled(visit):
    one = visit("?game=drop:5,5,4&second=human")
    one.page.locator("#solve-it").click()
    expect(one.page.locator("#solve [role=status]")).to_contain_text("positions", timeout=60_000)
    one.page.locator("#cancel").click()
    expect(one.page.locator("#solve")).to_contain_text("Cancelled")
    one.page.locator("#solve-it").click()
    expect(one.page.locator("#cancel")).to_be_visible()
    one.page.locator("#cancel").click()
    expect(one.page.locator("#solve")).to_contain_text("Cancelled")


def test_solving_is_not_offered_where_it_cannot_succeed(visit):
    one = visit("?game=drop:5,5,4&second=human")
    expect(one.page.locator("#solve-it")).to_be_visible()
    with one.page.expect_response("**/api/forecast?*") as answered:
        one.choose("connect-four")
    assert answered.value.json()["solvable"] is False
    expect(one.page.locator("#solve-panel")).to_be_hidden()
    expect(one.page.locator("#verdict")).to_have_text("No full solution yet; hints come from a search.")


def test_positions_typed_and_set_up(visit):
    one = visit("?second=human")
    one.page.locator("#position-panel summary").click()
    text = one.page.locator("#position-text")
    text.fill("X:X../.O./..X")
    text.press("Enter")
    expect(one.page.locator("#fault")).to_contain_text("it is O's turn")
    text.fill("O:XO./.../..X")
    text.press("Enter")
    one.turn("O to move")
    expect(one.square("b1")).to_have_attribute("aria-label", "b1, O")
    assert one.state()["position"] == "O:XO./.../..X"
    one.page.get_by_role("button", name="Set up by clicking").click()
    one.square("b2").click()
    one.page.get_by_role("button", name="Play from here").click()
    expect(one.page.locator("#fault")).to_contain_text("it is X's turn")
    one.page.locator("#turn-0").check()
    one.page.get_by_role("button", name="Play from here").click()
    expect(one.page.locator("#fault")).to_contain_text("cannot be reached")
    one.page.locator("#piece-1O").check()
    one.square("b2").click()
    one.page.get_by_role("button", name="Play from here").click()
    one.turn("X to move")
    assert one.position() == "X:XO./.O./..X"
    expect(one.page.locator("#fault")).to_be_hidden()
    one.faults.clear()  # the browser itself notes refused requests


def test_records_are_downloaded_and_opened(visit, tmp_path):
    one = visit("?second=human&moves=b2,a1,c3,a3,a2,c2,b3,b1,c1")
    one.turn("Drawn")
    one.page.locator("#position-panel summary").click()
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Download record").click()
    record = Path(waiting.value.path()).read_text()
    assert record == "# game: tic-tac-toe\n# first: human\n# second: human\nb2 a1 c3 a3 a2 c2 b3 b1 c1  # Drawn\n"
    other = tmp_path / "game.txt"
    other.write_text("# game: tactic-toe\n\nb1 b2 a1  # so far\n")
    one.page.locator("#record-file").set_input_files(other)
    expect(one.page.locator("#history li")).to_have_count(4)
    assert (one.state()["game"], one.moves()) == ("tactic-toe", ["b1", "b2", "a1"])
    other.write_text("# nothing but a remark")
    one.page.locator("#record-file").set_input_files(other)
    expect(one.page.locator("#fault")).to_contain_text("no moves")
    expect(one.page.locator("#history li")).to_have_count(4)
    other.write_text("b1 b1")
    one.page.locator("#record-file").set_input_files(other)
    expect(one.page.locator("#fault")).to_contain_text("not a legal move")
    one.faults.clear()


def test_a_solved_game_is_exported(visit):
    one = visit("?second=human")
    one.page.locator("#share-panel summary").click()
    one.page.locator("#position-panel summary").click()
    for kind, name in {"html": "Save offline page", "json.gz": "JSON", "h": "C"}.items():
        with one.page.expect_download() as waiting:
            one.page.get_by_role("button" if kind == "html" else "link", name=name, exact=True).click()
        assert waiting.value.suggested_filename == f"tic-tac-toe.{kind}"
        assert len(Path(waiting.value.path()).read_bytes()) > 3_000
    unsolved = visit("?game=connect-four&second=human")
    unsolved.page.locator("#position-panel summary").click()
    expect(unsolved.page.get_by_role("link", name="Position as JSON")).to_be_visible()
    expect(unsolved.page.get_by_role("link", name="JSON", exact=True)).to_have_count(0)


def test_best_play_is_played_out(visit):
    one = visit("?game=tactic-toe&second=human", HURRY)
    one.page.locator("#play-out").click()
    one.turn("X wins")
    assert len(one.moves()) == 13
    one.page.locator("#ply-0").click()
    one.page.keyboard.press("ArrowRight")
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")


def test_watching_two_players(visit):
    one = visit("?first=perfect&second=perfect", HURRY)
    one.turn("Drawn")
    assert len(one.moves()) == 9
    endless = visit("?game=tactic-toe&moves=b2&first=perfect&second=perfect")
    expect(endless.page.locator("#more")).to_have_text("Play on")
    endless.page.locator("#more").click()
    expect(endless.page.locator("#more")).to_have_text("Pause")
    endless.has_moves(9)
    endless.page.locator("#more").click()
    expect(endless.page.locator("#more")).to_have_text("Play on")


def test_choosing_game_sizes_and_players(visit):
    one = visit()
    one.choose("connect-four")
    expect(one.page.locator("[role=gridcell]")).to_have_count(42)
    one.page.locator("#size-width").fill("4")
    one.page.locator("#size-width").press("Enter")
    expect(one.page.locator("[role=gridcell]")).to_have_count(24)
    assert one.state()["game"] == "drop:4,6,4"
    one.page.locator("#size-height").fill("99")
    one.page.locator("#size-height").press("Enter")
    expect(one.page.locator("#games .wrong")).to_have_text("Height must be a whole number from 1 to 19.")
    assert one.state()["game"] == "drop:4,6,4"
    one.choose("lines")
    expect(one.page.locator("[role=gridcell]")).to_have_count(9)
    one.page.locator("#size-misere").check()
    expect(one.page.locator("#game")).to_have_value("misere")
    one.page.locator("#player-0").select_option("perfect")
    one.has_moves(1)  # it opens at once
    assert one.moves()[0] == "b2"


def test_a_game_of_any_number_of_sizes(visit):
    one = visit("?game=nim&second=human")
    heaps = one.page.locator("#size-heaps")
    expect(heaps).to_have_value("")
    one.square("a2").click()
    one.has_moves(1)
    one.page.locator("#variant summary").click()
    heaps.fill("1, 2,4")
    heaps.press("Enter")
    expect(heaps).to_have_value("1,2,4")
    assert one.state()["game"] == "nim:1,2,4"
    expect(one.page.locator("[role=gridcell]")).to_have_count(7)
    heaps.fill("1;2")
    heaps.press("Enter")
    expect(one.page.locator("#games .wrong")).to_contain_text("Heaps must be whole numbers with commas between them")


def test_games_that_cannot_be_are_refused(visit):
    one = visit("?game=nothing")
    expect(one.page.locator("#fault")).to_contain_text("no game is called")
    one.turn("Your move")
    one.choose("lines")
    expect(one.page.locator("#fault")).to_have_text("")  # the new game is there, with its fields
    one.page.locator("#size-k").fill("7")
    one.page.locator("#size-k").press("Enter")
    expect(one.page.locator("#fault")).to_contain_text("k must be 1 to 3")
    expect(one.page.locator("#size-k")).to_have_value("3")
    one.faults.clear()


@pytest.mark.parametrize(
    "query",
    [
        *("", "?game=lines:19,19,5"),
        *(
            pytest.param(query, marks=pytest.mark.nightly)
            for query in ("?game=gomoku", "?game=connect-four&hints=1", "?hints=1&moves=b2,b1")
        ),
    ],
)
def test_a_phone_shows_it_all(visit, query):
    one = visit(query, viewport={"width": 360, "height": 740})
    wide = one.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    box = one.page.locator("[role=grid]").bounding_box()
    assert box["width"] > 300
    assert box["x"] >= 0
    assert box["y"] + box["height"] < 740  # the whole board without scrolling


@pytest.mark.nightly
def test_dark_mode(visit):
    colours = [
        visit(color_scheme=scheme).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    light, dark = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert light > 600
    assert dark < 150


@pytest.mark.nightly
def test_nothing_moves_for_those_who_do_not_want_it(visit):
    calm = visit("?second=human&moves=a1,b1,b2,c1,c3")
    assert calm.page.evaluate("getComputedStyle(document.querySelector('.lines line')).animationName") == "none"
    lively = visit("?second=human&moves=a1,b1,b2,c1,c3", reduced_motion="no-preference")
    assert lively.page.evaluate("getComputedStyle(document.querySelector('.lines line')).animationName") == "draw"


@pytest.mark.nightly
def test_nothing_is_lost_while_the_server_is_gone(browser, home):
    with serving("tic-tac-toe") as where:
        one = Visitor(browser, where).goto("?second=human")
    one.square("b2").click()
    expect(one.page.locator("#note")).to_contain_text("The server does not answer")
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, X, last move")
    with serving("tic-tac-toe", "--port", where.rpartition(":")[2]):
        one.has_moves(1)
        expect(one.page.locator("#note")).to_be_hidden()
    one.context.close()


VIEWS = {
    "start": "",
    "hints": "?hints=1&moves=b2,b1&chance=uniform",
    "over": "?moves=a1,b1,b2,c1,c3&second=human",
    "pieces": "?game=kingpawns&hints=1",
    "large": "?game=gomoku&moves=h8,i8",
    "unsolved": "?game=drop:5,5,4",
}


QUICK_VIEWS = ("start", "hints")
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that dark mode can break: it changes colours only."""


@pytest.mark.skipif(not AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize(
    "view", [pytest.param(view, marks=() if view in QUICK_VIEWS else pytest.mark.nightly) for view in VIEWS]
)
def test_accessibility(visit, view):
    one = visit(VIEWS[view], color_scheme="light")
    one.page.locator("#position-panel summary").click()
    if "hints" in VIEWS[view]:
        expect(one.page.locator("#verdict")).not_to_have_text(re.compile("Analysing|^$"))
    one.page.wait_for_load_state("networkidle")
    one.page.evaluate(AXE.read_text(encoding="utf-8"))
    for scheme, rules in (("light", {}), ("dark", {"runOnly": COLOURS})):  # else the same
        one.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = one.page.evaluate("(rules) => axe.run(rules)", rules)
        faults = [(fault["id"], [node["html"][:200] for node in fault["nodes"][:3]]) for fault in found["violations"]]
        assert (scheme, faults) == (scheme, [])
        assert found["passes"]


def colours_in(text, theme):
    """The values of the page's colours, by name."""
    which = ("light", "dark").index(theme)
    pairs = re.findall(r"--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);", text)
    found = {name: colours[which] for name, *colours in pairs}
    return {name: [int(value[i : i + 2], 16) / 255 for i in (0, 2, 4)] for name, value in found.items()}


# What people without one kind of cones see, as matrices on linear light (Machado, Oliveira, Fernandes 2009).
BLIND = {
    "nobody": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def seen(colour, matrix):
    """The colour in Oklab, where distances are about what eyes see, for those who see so."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    r, g, b = (max(0.0, sum(m * c for m, c in zip(row, linear, strict=True))) for row in matrix)
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)  # noqa: E741
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eyes", BLIND)
def test_win_draw_and_loss_differ_for_the_red_green_blind(theme, eyes):
    from perfectplay.page import STATIC

    colours = colours_in((STATIC / "page.css").read_text(), theme)
    points = [seen(colours[name], BLIND[eyes]) for name in ("win", "draw", "loss")]
    for a, b in ((0, 1), (1, 2), (0, 2)):
        apart = sum((x - y) ** 2 for x, y in zip(points[a], points[b], strict=True)) ** 0.5
        assert apart > 0.08  # 0.02 is just noticeable


@pytest.mark.nightly
def test_the_record_of_a_game_teaches_a_model(home, tmp_path, capsys):
    """What the page writes, `learned:` reads."""
    from command_line import output

    record = tmp_path / "games.txt"
    record.write_text("# game: tic-tac-toe\n# first: human\n# second: human\nb2 a1 c3 a3 a2 c2 b3 b1 c1  # Drawn\n")
    found = json.loads(output(capsys, f"analyse tic-tac-toe --against learned:{record} --json"))
    assert set(found["chance"]) == {"win", "draw", "loss"}
