"""Explore in a real browser: clicking through the game tree, with the game that was left behind."""

import visitors
from perfectplay.exports.page.page_export import writing
from perfectplay.rules.loading import load_game
from perfectplay.solvers.steps import finished
from visitors import expect, needs_axe, no_barriers

pytestmark = visitors.nightly


def rows(one):
    """The moves of the position on the board."""
    return one.page.locator(".tree > ul > li > .branch > .worth")


def has(one, count):
    """Waits until so many moves are listed."""
    expect(rows(one)).to_have_count(count, timeout=20_000)


def row(one, *line):
    return one.page.locator(f'[id="go-{" ".join(line)}"]')


def fold(one, *line):
    return one.page.locator(f'[id="fold-{" ".join(line)}"]')


def names(one):
    return rows(one).locator("b").all_text_contents()


def pieces(one):
    return one.page.locator(".cell .stands > *").count()


def test_all_moves_stand_best_first_and_the_best_is_marked(visit):
    one = visit("?moves=a1,b1,a2,b2&view=explore")
    has(one, 5)
    expect(rows(one).first).to_have_attribute("id", "go-a3")
    one.see("#go-a3", "X wins").see("#go-a3", "in 1")
    expect(one.page.locator(".tree > ul > li > .branch .pill")).to_have_text("best")
    ranks = [["X wins", "Draw", "O wins"].index(text) for text in rows(one).locator(".text").all_text_contents()]
    assert ranks == sorted(ranks)
    expect(one.page.locator("#origin")).to_have_text("Solved: every value is exact.")
    one.goto("?position=X:XX./XO./.OO&view=explore")
    wins = one.page.locator(".tree .worth.best.win b")
    expect(wins).to_have_count(2)
    assert sorted(wins.all_text_contents()) == ["a3", "c1"]


def test_both_sides_are_the_users_and_the_game_that_was_left_comes_back(visit):
    one = visit("?moves=b2,a1,c3&ply=2&second=perfect")
    one.page.locator("#explore").click()
    has(one, 7)
    assert one.page.locator("#players-panel").is_hidden()
    row(one, "a2").click()
    has(one, 6)
    one.page.wait_for_timeout(700)  # a player would have answered by now
    assert one.moves() == ["b2", "a1", "a2"]
    one.page.locator('[role=gridcell][aria-label^="b1,"]').click()
    has(one, 5)
    assert one.page.locator(".crumbs button").all_text_contents()[1:] == ["1. X b2", "2. O a1", "3. X a2", "4. O b1"]
    one.page.locator("#explore").click()
    expect(one.page.locator("#explore")).to_have_text("Explore")
    assert (one.moves(), one.state()["ply"], one.state().get("view")) == (["b2", "a1", "c3"], "2", None)
    assert pieces(one) == 2
    one.page.go_back()
    has(one, 5)


def test_a_computer_player_goes_on_when_the_user_comes_back(visit):
    one = visit("?second=perfect")
    one.page.locator("#explore").click()
    row(one, "b2").click()
    has(one, 8)
    one.page.locator("#explore").click()
    one.turn("Your move").square("b2").click()
    one.has_moves(2)


def test_an_address_is_the_whole_state_and_the_browser_goes_back(visit):
    one = visit("?view=explore&moves=b2,a1&played=z9")
    has(one, 7)
    one.page.locator("#crumb-0").click()
    has(one, 9)
    assert (one.state()["ply"], one.moves()) == ("0", ["b2", "a1"])
    one.page.go_back()
    has(one, 7)
    one.page.locator("#explore").click()
    one.see("#fault", "z9")  # what cannot be replayed is told and dropped
    expect(one.page.locator("#explore")).to_have_text("Explore")
    one.faults.clear()  # the browser notes that the server refused


def test_replies_unfold_in_place_and_are_gone_to_at_once(visit):
    one = visit("?view=explore&moves=b2,a1")
    has(one, 7)
    name, line = names(one)[0], []
    for left in (6, 5, 4):
        line.append(name)
        fold(one, *line).click()
        nested = one.page.locator(f'[id^="go-{" ".join(line)} "]')
        expect(nested).to_have_count(left)
        name = nested.first.locator("b").text_content()
    row(one, *line[:2]).hover()
    assert pieces(one) == 3  # the position before the move
    row(one, *line[:2]).click()
    has(one, 5)
    assert one.moves() == ["b2", "a1", *line[:2]]
    one.page.locator("#fold-all").click()
    expect(one.page.locator(".tree ul ul")).to_have_count(0)


def test_keys_walk_unfold_and_go(visit):
    one = visit("?view=explore&moves=b2")
    has(one, 8)
    name = names(one)[1]
    rows(one).first.focus()
    one.press("ArrowDown", "ArrowRight")
    nested = one.page.locator(f'[id^="go-{name} "]')
    expect(nested).to_have_count(7)
    one.press("ArrowRight")
    expect(nested.first).to_be_focused()
    one.press("ArrowLeft")
    expect(row(one, name)).to_be_focused()
    one.press("ArrowLeft")
    expect(nested).to_have_count(0)
    one.press("Enter")
    has(one, 7)
    expect(rows(one).first).to_be_focused()
    assert one.moves() == ["b2", name]


def test_win_probabilities_reorder_the_moves_best_first(visit):
    one = visit("?view=explore")
    one.page.locator("#model").select_option("uniform")
    expect(one.page.locator(".tree .chance")).to_have_count(9)
    expect(rows(one).first).to_contain_text("99.5%")
    shares = [float(text.split("%")[0]) for text in one.page.locator(".tree .share").all_text_contents()]
    assert shares == sorted(shares, reverse=True)


def test_the_opening_book_is_named_and_beyond_it_the_search(visit):
    one = visit("?game=connect-four&view=explore").see("#origin", "Opening book: exact to move 8.")
    assert names(one)[0] == "4"
    expect(rows(one).first).to_contain_text("in 41")
    one.page.locator("#unfold").click()
    expect(one.page.locator('[id^="go-4 4 4 4 "]')).to_have_count(7)
    one.goto("?game=connect-four&view=explore&moves=4,4,4,4,4,2,2,1,7,7")
    one.see("#origin", "Beyond the opening book, which ends at move 8.")


def test_on_a_large_board_a_forced_move_is_told_everywhere(visit):
    one = visit("?game=gomoku&view=explore&moves=h8,g8,i8,c3,j8,e3,k8")
    one.see("#verdict", "White must play l8: all other moves lose.")
    assert names(one) == ["l8"]
    expect(one.page.locator(".cell .badge.only")).to_have_count(1)
    one.labelled("l8", "empty, may hold")
    one.see(".more", "217 more moves: loss in 2 moves")


def test_without_an_analysis_the_moves_are_there(visit):
    one = visit()
    one.page.route("**/api/analysis?*", lambda route: route.fulfill(status=422, json={"error": "this takes too long"}))
    one.page.locator("#explore").click()
    has(one, 9)
    fold(one, "a1").click()
    one.see(".tree li > p", "this takes too long")
    row(one, "b2").click()
    has(one, 8)
    one.faults.clear()  # the browser notes that the answers were refused


@needs_axe
def test_axe_finds_nothing_wrong(visit):
    one = visit("?view=explore&moves=b2,a1&chance=uniform")
    fold(one, one.page.locator(".tree b").first.text_content()).click()
    expect(one.page.locator(".tree ul ul")).to_have_count(1)
    no_barriers(one.page)


def test_the_single_file_page_explores_its_own_data(visit, tmp_path):
    file = tmp_path / "page.html"
    with file.open("wb") as sink:
        finished(writing(load_game("tic-tac-toe"), sink))
    one = visit("", file.as_uri())
    one.page.locator("#explore").click()
    fold(one, "b2").click()
    row(one, "b2", "a1").click()
    has(one, 7)
    assert (one.state()["view"], one.moves()) == ("explore", ["b2", "a1"])
    one.page.locator("#explore").click()
    expect(one.page.locator("#explore")).to_have_text("Explore")
    assert one.moves() == []
