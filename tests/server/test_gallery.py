"""The gallery in a real browser: search, filters and what was played last, from a server and from a file."""

import pytest

import perfectplay
import visitors
from perfectplay.rules.families import describe_games, groups
from visitors import expect, needs_axe, no_barriers

pytestmark = visitors.nightly


@pytest.fixture
def gallery(visit):
    """Opens the gallery of a server, or of a site in a folder."""

    def come(where=None, **more):
        return visit("index.html" if where else "/", where, see="#cards", **more)

    return come


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a site in a folder, opened without a server."""
    place = tmp_path_factory.mktemp("site") / "games"
    perfectplay.export_site(place, ["tic-tac-toe", "misere", "examples/hexapawn.py"])
    return f"{place.as_uri()}/"


def titles(one):
    """The titles of the cards that can be seen."""
    return one.page.locator(".card:visible strong").all_inner_texts()


def sifted(one, name):
    one.page.get_by_role("button", name=name, exact=True).click()
    return titles(one)


def test_search_and_filters_sift_the_cards(gallery):
    one = gallery()
    everything = titles(one)
    assert sifted(one, "Yours") == ["hexapawn.py"]
    assert {"Tactic-toe", "Kings and pawns", "Six men's morris"} <= {*sifted(one, "Endless")}
    large, small = sifted(one, "Large boards"), sifted(one, "Small boards")
    assert {"Connect four", "Gomoku"} <= {*large}
    assert sorted(large + small) == sorted(everything) == sorted(sifted(one, "All games"))
    kinds = [chip.inner_text() for chip in one.page.locator("#groups .chip:visible").all()]
    used = [group for group in groups() if any(known.group == group for known in describe_games())]
    assert kinds == ["All kinds", *used]
    found = [title for kind in kinds[1:] for title in sifted(one, kind)]
    assert sorted(found) == sorted({*everything} - {"hexapawn.py"})
    sifted(one, "All kinds")
    for typed, title in {
        "misère": "Misère tic-tac-toe",
        "five in a row": "Gomoku",
        "tictactoe": "Tic-tac-toe",
        "mancala": "Kalah, 6 houses of 4",
        "krk": "King and rook",
    }.items():
        one.page.get_by_label("Search games").fill(typed)
        assert title in titles(one)
        assert "Connect four" not in titles(one)
    one.page.get_by_label("Search games").fill("no such game")
    expect(one.page.get_by_text("No game matches.")).to_be_visible()


def test_the_game_played_last_is_offered_again(gallery):
    one = gallery()
    expect(one.page.locator("#recent")).to_be_hidden()
    one.page.locator(".card a").nth(1).click()
    expect(one.page.locator("#title")).to_have_text("Tic-tac-toe")
    one.goto("?second=human").play("b2").goto("/", see="#cards")
    expect(one.page.locator("#recent a")).to_have_text(["Tic-tac-toe"])
    one.page.locator("#recent a").click()
    one.has_moves(1)
    assert one.moves() == ["b2"]


def test_the_keyboard_alone_finds_and_opens_a_game(gallery):
    one = gallery()
    one.press("Tab")
    expect(one.page.get_by_role("link", name="To the games")).to_be_focused()
    one.page.get_by_label("Search games").focus()
    one.page.keyboard.type("gomoku")
    for _ in range(20):
        one.press("Tab")
        if one.page.evaluate("document.activeElement.closest('.card') !== null"):
            break
    one.press("Enter")
    one.see("#title", "Gomoku")


@needs_axe
@pytest.mark.parametrize("more", [{}, {"viewport": {"width": 390, "height": 800}}])
def test_no_barriers(gallery, more):
    no_barriers(gallery(**more).page)


def test_a_site_works_without_a_server(gallery, site):
    one = gallery(site)
    assert titles(one) == ["hexapawn.py", "Tic-tac-toe", "Misère tic-tac-toe"]
    assert sifted(one, "Yours") == ["hexapawn.py"]
    sifted(one, "All games")
    one.page.get_by_role("link", name="Tic-tac-toe").first.click()
    one.square("b2").click()
    expect(one.page.locator(".cell.last")).to_have_count(1)
    one.page.get_by_role("link", name="Games").click()
    one.page.locator("#recent a").click()
    one.labelled("b2", "X, last move")
    played = '[{"title": "Gone", "link": "./gone.html#game=gone", "game": "gone"}]'
    one.page.evaluate("played => localStorage.setItem('perfectplay-recent', played)", played)
    one.goto("index.html", see="#cards")
    expect(one.page.locator("#recent")).to_be_hidden()  # what was played elsewhere is not offered
