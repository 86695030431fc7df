"""The gallery in a real browser: cards, search, filters and what was played last, from a server and from a file."""

import pytest

import perfectplay
from perfectplay.families import describe_games, groups, shown_names
from perfectplay.loading import load_game
from perfectplay.pictures.png import draws_png

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]


class Guest(test_page.Visitor):
    """Somebody at the gallery."""

    def goto(self):
        self.page.goto(self.address + ("index.html" if self.address.startswith("file:") else ""))
        expect(self.page.locator("#cards")).to_be_visible()
        return self

    def titles(self):
        """The titles of the cards that can be seen."""
        return self.page.locator(".card:visible strong").all_inner_texts()

    def filter(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        return self.titles()


@pytest.fixture
def visit(browser, address):
    guests = []

    def come(where=f"{address}/", **more):
        guests.append(Guest(browser, where, **more))
        return guests[-1].goto()

    yield come
    for guest in guests:
        guest.context.close()
        assert guest.faults == []
        assert guest.abroad == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a site in a folder, opened without a server."""
    place = tmp_path_factory.mktemp("site") / "games"
    perfectplay.export_site(place, ["tic-tac-toe", "misere", "examples/hexapawn.py"])
    return f"{place.as_uri()}/"


def test_own_games_come_first_then_the_best_known(visit):
    known = [load_game(name).look.title for name in shown_names()]
    assert visit().titles() == ["hexapawn.py", *known]


def test_every_card_leads_to_its_game(visit):
    one = visit()
    links = [card.get_attribute("href") for card in one.page.locator(".card a").all()]
    assert links == [f"./?game={name}" for name in ["hexapawn.py", *shown_names()]]
    one.page.locator(".card a").nth(1).click()
    expect(one.page.locator("#title")).to_have_text("Tic-tac-toe")
    one.page.get_by_role("link", name="Games").click()
    expect(one.page.locator("#cards")).to_be_visible()


def test_search_and_filters_sift_the_cards(visit):
    one = visit()
    assert one.filter("Yours") == ["hexapawn.py"]
    assert {"Tactic-toe", "Kings and pawns", "Six men's morris"} <= {*one.filter("Endless")}
    large, small = one.filter("Large boards"), one.filter("Small boards")
    assert {"Connect four", "Gomoku"} <= {*large}
    everything = one.filter("All games")
    assert sorted(large + small) == sorted(everything)
    assert set(one.filter("Solved")) <= set(everything)
    one.filter("All games")
    one.page.get_by_label("Search games").fill("misère")
    assert "Misère tic-tac-toe" in one.titles()
    assert "Connect four" not in one.titles()
    one.page.get_by_label("Search games").fill("five in a row")
    assert "Gomoku" in one.titles()
    assert "Connect four" not in one.titles()
    for typed, title in {"tictactoe": "Tic-tac-toe", "mancala": "Kalah, 6 houses of 4", "krk": "King and rook"}.items():
        one.page.get_by_label("Search games").fill(typed)
        assert title in one.titles()
    one.page.get_by_label("Search games").fill("no such game")
    expect(one.page.get_by_text("No game matches.")).to_be_visible()


def test_cards_are_sifted_by_kind(visit):
    one = visit()
    everything = one.titles()
    kinds = [chip.inner_text() for chip in one.page.locator("#groups .chip:visible").all()]
    assert kinds == [
        "All kinds",
        *(group for group in groups() if any(known.group == group for known in describe_games())),
    ]
    found = [one.filter(kind) for kind in kinds[1:]]
    assert sorted(title for titles in found for title in titles) == sorted({*everything} - {"hexapawn.py"})
    assert {"King and rook", "Kings and pawns"} <= {*one.filter("Chess")}
    assert "King and rook" in one.filter("Large boards")
    assert "Kings and pawns" not in one.titles()
    assert "Gomoku" in one.filter("All kinds")


def test_the_game_played_last_is_offered_again(visit, address):
    one = visit()
    expect(one.page.locator("#recent")).to_be_hidden()
    one.page.goto(f"{address}/?game=tic-tac-toe&second=human")
    one.square("b2").click()
    one.has_moves(1)
    one.goto()
    expect(one.page.locator("#recent a")).to_have_text(["Tic-tac-toe"])
    one.page.locator("#recent a").click()
    one.has_moves(1)
    assert one.moves() == ["b2"]


def test_the_keyboard_alone_finds_and_opens_a_game(visit):
    one = visit()
    one.page.keyboard.press("Tab")
    expect(one.page.get_by_role("link", name="To the games")).to_be_focused()
    one.page.get_by_label("Search games").focus()
    one.page.keyboard.type("gomoku")
    for _ in range(20):
        one.page.keyboard.press("Tab")
        if one.page.evaluate("document.activeElement.closest('.card') !== null"):
            break
    one.page.keyboard.press("Enter")
    expect(one.page.locator("#title")).to_have_text("Gomoku")


@pytest.mark.skipif(not test_page.AXE.exists(), reason="checks of accessibility need axe-core")
@pytest.mark.parametrize("more", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}])
def test_no_barriers(visit, more):
    one = visit(**more)
    one.page.evaluate(test_page.AXE.read_text())
    found = one.page.evaluate("axe.run()")
    assert [f"{fault['id']}: {fault['nodes'][0]['html']}" for fault in found["violations"]] == []


def test_a_site_works_without_a_server(visit, site):
    one = visit(site)
    assert one.titles() == ["hexapawn.py", "Tic-tac-toe", "Misère tic-tac-toe"]
    assert one.filter("Yours") == ["hexapawn.py"]
    one.filter("All games")
    one.page.get_by_role("link", name="Tic-tac-toe").first.click()
    expect(one.page.locator("#title")).to_have_text("Tic-tac-toe")
    one.square("b2").click()
    expect(one.page.locator(".cell.last")).to_have_count(1)
    one.page.get_by_role("link", name="Games").click()
    expect(one.page.locator("#recent a")).to_have_text(["Tic-tac-toe"])
    one.page.locator("#recent a").click()
    expect(one.square("b2")).to_have_attribute("aria-label", "b2, X, last move")


def test_what_was_played_elsewhere_is_not_offered(visit, site):
    one = visit(site)
    played = '[{"title": "Gone", "link": "./gone.html#game=gone", "game": "gone"}]'
    one.page.evaluate("played => localStorage.setItem('perfectplay-recent', played)", played)
    one.goto()
    expect(one.page.locator("#recent")).to_be_hidden()


@pytest.mark.skipif(not draws_png(), reason="pictures need resvg-py")
def test_links_show_a_picture_that_the_server_draws(visit, address):
    one = visit()
    image = one.page.locator('meta[property="og:image"]').get_attribute("content")
    assert image == f"{address}/preview.png"
    one.page.goto(f"{address}/?game=drop:5,4,4")
    assert one.page.locator('meta[property="og:title"]').get_attribute("content") == "Connect 4, 5 × 4"
    of_game = one.page.locator('meta[property="og:image"]').get_attribute("content")
    for url in (image, of_game, f"{address}/picture/hexapawn.py.png"):
        size = "async (url) => { const i = new Image(); i.src = url; await i.decode(); return [i.width, i.height]; }"
        assert one.page.evaluate(size, url) == [1200, 630]
