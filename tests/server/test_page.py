"""The page in a real browser: what a person sees, does and hears there. A few journeys, and at night the rest."""

import re
from pathlib import Path

import pytest

from perfectplay.exports.page import STATIC
from perfectplay.exports.page.page_export import writing
from perfectplay.rules.loading import load_game
from perfectplay.solvers.steps import finished
from visitors import HURRY, PHONE, Visitor, expect, fits, needs_axe, needs_browser, no_barriers
from web_server import dispatcher_here, serving, serving_here

pytestmark = needs_browser
nightly = pytest.mark.nightly
BOT = "examples/bots.py:my_ai"


@pytest.fixture(scope="module")
def address(home):
    """The address of a server without processes."""
    with serving_here(dispatcher=dispatcher_here(["tic-tac-toe", "examples/hexapawn.py"], [BOT])) as where:
        yield where


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The address of tic-tac-toe in one file."""
    path = tmp_path_factory.mktemp("pages") / "tic-tac-toe.html"
    with path.open("wb") as sink:
        finished(writing(load_game("tic-tac-toe"), sink))
    return path.as_uri()


def play_by_keys(one, *ways):
    """Goes to squares and plays there."""
    for way in ways:
        before = len(one.moves())
        one.press(*way.split())
        one.has_moves(before + 1)


def test_a_whole_game_by_keyboard_alone(visit):
    one = visit("?second=human")
    expect(one.page.locator("[role=gridcell]")).to_have_count(9)
    for _ in range(30):
        one.press("Tab")
        if one.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    assert one.page.evaluate("document.activeElement.getAttribute('aria-label')") == "b2, empty"
    ways = "Enter", "ArrowLeft Enter", "ArrowUp ArrowRight Enter", "ArrowLeft Enter"
    play_by_keys(one, *ways, "ArrowDown ArrowDown ArrowRight Space")
    one.turn("X wins")
    assert one.moves() == ["b2", "a2", "b1", "a1", "b3"]
    one.see("#said", "X plays b3. X wins.")
    one.press("Control+z", "Control+z")
    one.labelled("a1", "empty")
    one.page.locator("#redo").dblclick()
    one.turn("X wins")
    one.page.locator("#rematch").focus()
    one.press("Enter")
    one.turn("X to move")
    assert one.moves() == []


def test_losing_to_the_perfect_player(visit):
    one = visit("?second=perfect")
    for _ in range(5):
        one.turn("Your move")
        known = one.page.evaluate(
            "async (values) => (await fetch('/api/analysis?' + new URLSearchParams(values))).json()",
            {"game": "tic-tac-toe", "position": one.position()},
        )
        before = len(one.moves())
        one.square(known["moves"][-1]["move"]).click()  # the worst there is
        one.has_moves(before + 2)
        expect(one.page.locator("#turn")).to_have_text(re.compile("Your move|O wins"))
        if one.page.locator("#turn").inner_text() == "O wins":
            break
    one.turn("O wins")
    expect(one.page.locator(".lines g")).to_have_count(1)
    expect(one.page.locator(".mistakes")).to_contain_text(re.compile("Losing move|loses in"))
    expect(one.page.locator(".plot .mistake")).not_to_have_count(0)
    expect(one.page.locator(".cell.legal")).to_have_count(0)
    last = len(one.moves())
    one.page.locator("#undo").click()  # takes back both moves
    expect(one.page.locator(f"#ply-{last - 2}")).to_have_attribute("aria-current", "step")


def test_what_goes_wrong_is_told_and_nothing_is_lost(visit):
    one = visit("?moves=b2,a1,b2,c3&second=foo")
    one.see("#fault", "no player here is called 'foo'")
    one.faults.clear()  # the browser itself notes refused and failed requests
    one.goto("?moves=b2,a1,b2,c3&second=human")
    one.see("#note", "Move 3 of the link, b2, cannot be played. The game is shown up to move 2.")
    expect(one.page.locator("#fault")).to_be_hidden()
    one.square("c3").click()
    expect(one.page.locator("#history li")).to_have_count(4)
    assert one.moves() == ["b2", "a1", "c3"]
    expect(one.page.locator("#note")).to_be_hidden()
    held = []
    one.page.route("**/api/line?*", lambda route: held.append(route))
    with one.page.expect_request("**/api/line?*"):
        one.square("a3").click()
    one.labelled("a3", "O, last move")
    assert len(one.moves()) == 3
    held[0].fulfill(status=503, json={"error": "all workers are busy"})
    one.see("#fault", "a3 is taken back: all workers are busy")
    one.labelled("a3", "empty")
    one.page.unroute("**/api/line?*")
    one.faults.clear()
    one.page.route("**/api/line?*", lambda route: route.abort())
    one.square("a3").click()
    one.see("#note", "The server does not answer")
    one.page.unroute("**/api/line?*")
    one.has_moves(4)
    expect(one.page.locator("#note")).to_be_hidden()
    expect(one.page.locator("#fault")).to_be_hidden()
    one.faults.clear()


def test_positions_and_records(visit, tmp_path):
    one = visit("?second=human&moves=b2,a1,c3,a3,a2,c2,b3,b1,c1")
    one.turn("Drawn")
    one.page.locator("#position-panel summary").click()
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Download record").click()
    record = Path(waiting.value.path()).read_text()
    assert record == "# game: tic-tac-toe\n# first: human\n# second: human\nb2 a1 c3 a3 a2 c2 b3 b1 c1  # Drawn\n"
    other, chooser = tmp_path / "game.txt", one.page.locator("#record-file")
    for text, why in (("# nothing but a remark", "no moves"), ("b1 b1", "not a legal move")):
        other.write_text(text)
        chooser.set_input_files(other)
        one.see("#fault", why)
    other.write_text("# game: tic-tac-toe\n\nb1 b2 a1  # so far\n")
    chooser.set_input_files(other)
    expect(one.page.locator("#history li")).to_have_count(4)
    assert one.moves() == ["b1", "b2", "a1"]
    text, use = one.page.locator("#position-text"), one.page.get_by_role("button", name="Play from here")
    text.fill("O:XO./.../..X")
    text.press("Enter")
    one.labelled("b1", "O")
    assert one.state()["position"] == "O:XO./.../..X"
    one.page.get_by_role("button", name="Set up by clicking").click()
    one.square("b2").click()
    use.click()
    one.see("#fault", "it is X's turn")
    one.page.locator("#piece-1O").check()
    one.square("b2").click()
    one.page.locator("#turn-0").check()
    use.click()
    one.turn("X to move")
    assert one.position() == "X:XO./.O./..X"
    expect(one.page.locator("#fault")).to_be_hidden()
    one.faults.clear()


def test_choosing_sizes_solving_and_hints(visit):
    one = visit()
    one.page.locator("#variant summary").click()
    one.page.locator("#size-width").fill("99")
    one.page.locator("#size-width").press("Enter")
    expect(one.page.locator("#games .wrong")).to_have_text("Width must be a whole number from 1 to 19.")
    one.page.locator("#size-width").fill("4")
    one.page.locator("#size-width").press("Enter")
    expect(one.page.locator("[role=gridcell]")).to_have_count(12)
    assert one.state()["game"] == "lines:4,3,3"
    one.page.locator("#solve-it").click()
    expect(one.page.locator("#solve-panel")).to_be_hidden(timeout=60_000)
    expect(one.page.locator("#hints")).not_to_be_checked()  # nobody asked for hints yet
    one.page.locator("#hints").click()
    one.see("#verdict", "X wins in 7")
    one.page.locator("#moves .worth").first.click()
    one.has_moves(1)
    assert one.state()["hints"] == "1"


def test_a_page_in_one_file(visit, file):
    one = visit("#first=perfect&second=perfect&moves=b2,a1,c3,a3,a2,c2", file)
    one.page.locator("#more").click()
    one.turn("Drawn")
    assert len(one.moves()) == 9
    one.page.locator("#undo").click()
    one.turn("X to move")
    assert one.state()["ply"] == "8"
    where = one.position()
    one.page.reload()
    expect(one.page.locator("#history li")).to_have_count(10)
    assert one.position() == where
    one.page.go_back()
    one.turn("Drawn")


# At night


@nightly
def test_hints_are_more_than_colour(visit):
    one = visit("?moves=b2,b1,a1&hints=1&second=human").see("#verdict", "X wins in 4 at the latest.")
    expect(one.page.locator(".cell.loss .icon.loss")).to_have_count(6)
    one.labelled("c3", "empty, loss in 4 moves")
    one.page.locator("#move-c3").hover()
    expect(one.square("c3")).to_have_class(re.compile("aimed"))
    one.page.locator("#move-c3").click()
    one.has_moves(4)
    one.page.locator("#hints").click()
    expect(one.page.locator("#moves-panel")).to_be_hidden()
    assert "hints" not in one.state()
    one.goto("?hints=1&second=human")
    one.page.locator("#model").select_option("uniform")
    expect(one.page.locator("#move-a1 .share")).to_have_text("99.5% ★")
    one.see(".prospect", "X wins 99.5%")


@nightly
def test_undo_redo_jumps_and_the_browsers_history(visit):
    one = visit("?second=human").play("b2", "a1", "c3")
    one.page.go_back()
    one.labelled("c3", "empty")
    one.page.go_forward()
    one.labelled("c3", "X, last move")
    one.page.locator("#undo").click()
    expect(one.page.locator("#ply-2")).to_have_attribute("aria-current", "step")
    assert one.state().get("ply") == "2"
    one.page.locator("#ply-0").click()
    one.press("ArrowRight")
    one.labelled("b2", "X, last move")
    one.press("End")
    one.page.locator("#ply-3").focus()
    one.press("ArrowLeft", "ArrowLeft")  # quick keys are all counted
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")
    one.page.locator("#redo").dblclick()
    expect(one.page.locator("#ply-3")).to_have_attribute("aria-current", "step")
    one.press("Home")
    one.square("a3").click()  # another game from here on
    expect(one.page.locator("#history li")).to_have_count(2)
    assert one.moves() == ["a3"]


@nightly
def test_a_large_board_tells_what_is_proven(visit):
    one = visit("?game=gomoku&second=level:9").see("#verdict", "Too big to solve").play("h8")
    one.has_moves(2)
    one.turn("Your move")
    one.page.locator("#hints").click()
    one.see("#verdict", "Nothing proven yet").see("#moves", "223 moves: not known yet")
    moves = "h8,a1,h9,b1,h10,c1,h11,d1"
    one.goto(f"?game=gomoku&moves={moves}&hints=1&second=human").see("#verdict", "Black wins in 1")
    expect(one.page.locator(".cell.win")).to_have_count(3)  # two at once, and a block that leaves both
    one.goto(f"?game=gomoku&moves={moves[3:]}&hints=1&second=human").see("#verdict", "White must play e1")
    one.goto(f"?game=gomoku&moves={moves},h12&hints=1&second=human").turn("Black wins")
    expect(one.page.locator("#ending h2")).to_have_text("Black won with five in a row, after 9 moves.")
    expect(one.page.locator("#verdict")).to_have_text("")


@nightly
def test_a_users_own_game_and_player(visit):
    one = visit("?game=hexapawn.py&second=human&hints=1").see("#verdict", "Black wins in 6 at the latest.")
    one.square("b1").click()  # the piece, then where it goes
    expect(one.page.locator(".cell.chosen")).to_have_count(1)
    one.square("b2").click()
    one.turn("Black to move")
    one.square("a3").click()
    one.square("b2").click()  # takes
    one.has_moves(2)
    assert one.moves() == ["b1b2", "a3b2"]
    one.goto("?second=bots.py:my_ai").square("a1").click()
    one.labelled("b2", "O, last move")


@nightly
def test_clicks_on_columns_targets_and_heaps(visit):
    one = visit("?game=connect-four&second=human")
    one.page.locator("[data-square='3']").click()
    one.turn("Yellow to move")
    assert one.moves() == ["4"]
    expect(one.page.locator("[data-square='38']")).to_have_class(re.compile("last"))
    one.goto("?game=kingpawns&second=human").square("a3").click()  # a target chooses the piece first
    expect(one.page.locator(".cell.target")).to_have_count(1)
    one.press("Escape")
    expect(one.page.locator(".cell.chosen")).to_have_count(0)
    one.square("a3").click()
    one.square("a3").click()
    one.has_moves(1)
    assert one.moves() == ["a2a3"]
    one.goto("?game=nim&second=human").play("a2").page.locator("#variant summary").click()
    heaps = one.page.locator("#size-heaps")
    for text in ("1, 2,4", "1;2"):
        heaps.fill(text)
        heaps.press("Enter")
        expect(heaps).to_have_value(text.replace(" ", ""))
    one.see("#games .wrong", "Heaps must be whole numbers")
    assert one.state()["game"] == "nim:1,2,4"


@nightly
def test_a_solve_can_be_cancelled_ends_with_its_game_and_is_offered_where_it_can_succeed(visit, home):
    with serving_here() as address:
        one = visit("?game=drop:5,5,4&second=human", address)
        shown = one.page.locator("#solve [role=status]")
        for _ in range(2):
            one.page.locator("#solve-it").click()
            expect(shown).to_have_text(re.compile(r"^\D+ · \d+% · .*left$"), timeout=60_000)
            one.page.locator("#cancel").click()
            one.see("#solve", "Cancelled")
        one.page.locator("#solve-it").click()
        expect(one.page.locator("#cancel")).to_be_visible()
        one.choose("connect-four")
        expect(one.page.locator("#cancel")).to_have_count(0)
        expect(one.page.locator("#solve-panel")).to_be_hidden()
        expect(one.page.locator("#verdict")).to_have_text("No full solution yet; hints come from a search.")
        one.context.close()


@nightly
def test_the_keyboard_is_never_lost_and_what_is_typed_stays(visit):
    one = visit("?second=human&hints=1")
    one.page.locator("#move-b2").focus()
    one.press("Enter")
    one.has_moves(1)
    expect(one.page.locator("#model")).to_be_focused()
    one.page.locator("#undo").focus()
    one.press("Enter")
    expect(one.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    expect(one.page.locator("#undo")).to_be_focused()
    one.goto("?game=tactic-toe&first=random&second=random&moves=b2")
    one.page.locator("#position-panel summary").click()
    one.page.locator("#more").click()
    one.page.locator("#position-text").fill("my text")
    one.has_moves(4)
    expect(one.page.locator("#position-text")).to_have_value("my text")


@nightly
def test_nobody_moves_while_a_position_is_set_up(visit):
    one = visit()
    one.page.locator("#position-panel summary").click()
    one.page.locator("#set-up").click()
    one.square("a1").click()
    one.page.locator("#swap").click()
    one.page.wait_for_timeout(1200)
    assert one.moves() == []
    one.labelled("a1", "X")
    one.page.locator("#clear").click()
    one.labelled("a1", "empty")


@nightly
def test_games_are_watched_and_best_play_is_played_out(visit):
    one = visit("?game=tactic-toe&second=human", script=HURRY)
    one.page.locator("#play-out").click()
    one.turn("X wins")
    assert len(one.moves()) == 13
    one.goto("?first=perfect&second=perfect").turn("Drawn")
    assert len(one.moves()) == 9
    one.goto("?game=tactic-toe&moves=b2&first=perfect&second=perfect")
    for name in ("Play on", "Pause"):
        expect(one.page.locator("#more")).to_have_text(name)
        one.page.locator("#more").click()
        one.has_moves(9 if name == "Play on" else 1)
    expect(one.page.locator("#more")).to_have_text("Play on")


@nightly
def test_nothing_is_lost_while_the_server_is_gone(browser, home):
    with serving("tic-tac-toe") as where:
        one = Visitor(browser, where).goto("?second=human")
    one.square("b2").click()
    one.see("#note", "The server does not answer")
    one.labelled("b2", "X, last move")
    with serving("tic-tac-toe", "--port", where.rpartition(":")[2]):
        one.has_moves(1)
        expect(one.page.locator("#note")).to_be_hidden()
    one.context.close()


@nightly
@pytest.mark.parametrize("query", ["", "?game=lines:19,19,5", "?game=connect-four&hints=1", "?hints=1&moves=b2,b1"])
def test_a_phone_shows_it_all(visit, query):
    one = visit(query, viewport=PHONE)
    assert fits(one.page)
    box = one.page.locator("[role=grid]").bounding_box()
    assert box["width"] > 300
    assert box["x"] >= 0
    assert box["y"] + box["height"] < 740  # the whole board without scrolling


@nightly
def test_nothing_moves_for_those_who_do_not_want_it(visit):
    for motion, name in (("reduce", "none"), ("no-preference", "draw")):
        one = visit("?second=human&moves=a1,b1,b2,c1,c3", reduced_motion=motion)
        assert one.page.evaluate("getComputedStyle(document.querySelector('.lines line')).animationName") == name


@nightly
def test_an_address_of_a_file_that_cannot_be(visit, file):
    for address, place, why in (
        ("#position=%00%ff", "#fault", "does not say who is to move"),
        ("#game=chess&moves=e4", "#fault", "this page knows tic-tac-toe only"),
        ("#ply=-7&hints=maybe&chance=noisy:0.1&&&=", "#turn", "Your move"),
        ("#moves=b2,b2", "#note", "Move 2 of the link, b2, cannot be played. The game is shown up to move 1."),
        ("#moves=d9,b2", "#note", "Move 1 of the link, d9, cannot be played. This is the start."),
    ):
        visit(address, file).see(place, why)


VIEWS = ["", "?hints=1&moves=b2,b1&chance=uniform", "?moves=a1,b1,b2,c1,c3&second=human", "?game=kingpawns&hints=1"]
VIEWS += ["?game=gomoku&moves=h8,i8", "?game=drop:5,5,4", "#hints=1&moves=b2,b1"]


@nightly
@needs_axe
@pytest.mark.parametrize("view", VIEWS)
def test_accessibility(visit, file, view):
    one = visit(view, file if view.startswith("#") else None)
    one.page.locator("#position-panel summary").click()
    if "hints" in view:
        expect(one.page.locator("#verdict")).not_to_have_text(re.compile("Analysing|^$"))
    one.page.wait_for_load_state("networkidle")
    no_barriers(one.page)


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
OKLAB = [
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]],
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]],
]
OKLAB[0].append([0.0883024619, 0.2817188376, 0.6299787005])
OKLAB[1].append([0.0259040371, 0.7827717662, -0.8086757660])


def times(matrix, vector):
    return [sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]


def seen(colour, matrix):
    """The colour in Oklab, where distances are about what eyes see, for those who see so."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    cones = times(OKLAB[0], [max(0.0, light) for light in times(matrix, linear)])
    return times(OKLAB[1], [light ** (1 / 3) for light in cones])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eyes", BLIND)
def test_win_draw_and_loss_differ_for_the_red_green_blind(theme, eyes):
    colours = colours_in((STATIC / "page.css").read_text(), theme)
    points = [seen(colours[name], BLIND[eyes]) for name in ("win", "draw", "loss")]
    for a, b in ((0, 1), (1, 2), (0, 2)):
        apart = sum((x - y) ** 2 for x, y in zip(points[a], points[b], strict=True)) ** 0.5
        assert apart > 0.08  # 0.02 is just noticeable
