"""The site: a gallery of solved games in a folder, whole or not at all, with links that stay inside it."""

import json
import re
import struct

import pytest
from hypothesis import given, strategies as st

import perfectplay
from command_line import complaint, output
from perfectplay import BadArgument, TooBig
from perfectplay.exports.page.cards import card, typical_position
from perfectplay.exports.page.game_data import about_game
from perfectplay.exports.page.site_pages import earlier_files, page_names, site_folder
from perfectplay.rules.families import shown_names
from perfectplay.rules.loading import load_game
from perfectplay.views import png
from perfectplay.views.scoped_style import plain_style
from perfectplay.words import ONGOING

SMALL, LARGER = "lines:3,2,2", "drop:3,3,3"
TWO = [SMALL, "examples/hexapawn.py"]
draws = pytest.mark.skipif(not png.draws_png(), reason="pictures need resvg-py")
LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture
def unpictured(monkeypatch):
    """No package is there to draw PNG with."""
    monkeypatch.setattr("perfectplay.exports.page.site_pages.draws_png", lambda: False)
    monkeypatch.setattr("perfectplay.views.png.draws_png", lambda: False)


def test_a_site_has_an_index_and_a_page_per_game_own_files_first(tmp_path, unpictured):
    steps = []
    report = perfectplay.export_site(tmp_path / "games", TWO, progress=steps.append)
    assert report.pages == {"examples/hexapawn.py": "hexapawn.html", SMALL: "lines-3-2-2.html"}
    files = {path.name: path.read_text() for path in (tmp_path / "games").iterdir()}
    assert set(files) == {"index.html", "hexapawn.html", "lines-3-2-2.html", "site.json"}
    assert report.size + len(files["site.json"]) == sum(len(text.encode()) for text in files.values())
    index = files["index.html"]
    assert re.findall(r'<li class="card" data-tags="([^"]*)"', index) == ["solved small yours", "solved small"]
    assert re.findall(r'<a href="([^"]*)">', index) == ["./hexapawn.html", "./lines-3-2-2.html"]
    assert index.count("Second player wins in 6") == index.count(load_game(SMALL).look.summary) == 1
    for name, text in files.items():
        if name.endswith(".html"):
            inside = {"#board", "#cards", "./index.html", *(f"./{page}" for page in files)}
            links = [link for link in LINK.findall(text) if not link.startswith("data:image/svg+xml")]
            assert set(links) <= inside, name
            assert 'class="brand" href="./index.html"' in text
    assert "no picture" in str(report)
    phases = {re.match(r"(\S+) \((\d) of 2\)", step.phase).groups() for step in steps}
    assert phases == {("examples/hexapawn.py", "1"), (SMALL, "2")}
    perfectplay.export(SMALL, tmp_path / "one.html")
    alone = (tmp_path / "one.html").read_text()  # a page that is alone links nowhere
    assert "index.html" not in alone
    assert "og:" not in alone
    assert '<span class="brand">' in alone


@pytest.mark.parametrize("larger", [LARGER, pytest.param("connect-four", marks=pytest.mark.nightly)])
def test_all_games_by_default_searched_or_left_out_if_they_are_too_large(
    tmp_path, unpictured, capsys, monkeypatch, larger
):
    if larger == LARGER:
        monkeypatch.setattr("perfectplay.exports.page.page_solution.MOST_CLASSES", 100)
        perfectplay.solve(larger, keep=True)
    monkeypatch.setattr("perfectplay.rules.families.shown_names", lambda: ["gomoku", SMALL, larger])
    line = f"site --to {tmp_path}/games"
    facts = json.loads(output(capsys, f"{line} --json"))
    assert [*facts["pages"]] == [SMALL, larger]
    assert "too large" in facts["left_out"]["gomoku"]
    assert facts["pictures"] is False
    page = (tmp_path / "games" / facts["pages"][larger]).read_text(encoding="utf-8")
    assert "wasm-unsafe-eval" in page
    assert 'href="./index.html"' in page
    shown = output(capsys, f"site gomoku {SMALL} --to {tmp_path}/games")
    assert re.match(rf"1 game, [\d,]+ bytes; open {tmp_path}/games/index.html\n", shown)
    assert "left out: gomoku is too large" in shown


@draws
def test_links_to_the_pages_show_a_picture(tmp_path):
    report = perfectplay.export_site(tmp_path / "games", [SMALL], url="https://example.org/games/")
    page = (tmp_path / "games/lines-3-2-2.html").read_text()
    index = (tmp_path / "games/index.html").read_text()
    assert '<meta property="og:title" content="' in page
    assert re.search(r'og:description" content="[^"]* First player wins in \d+ with best play.">', page)
    assert 'og:image" content="https://example.org/games/lines-3-2-2.png">' in page
    assert 'og:url" content="https://example.org/games/lines-3-2-2.html">' in page
    assert 'og:image" content="https://example.org/games/index.png">' in index
    for name in ("index.png", "lines-3-2-2.png"):
        picture = (tmp_path / "games" / name).read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert report.pictures
    perfectplay.export_site(tmp_path / "games", [SMALL])
    assert 'og:image" content="./lines-3-2-2.png">' in (tmp_path / "games/lines-3-2-2.html").read_text()


def test_the_style_of_pictures_has_no_variables():
    style = plain_style()
    assert "var(" not in style
    assert "--" not in style
    assert ".red .body { fill: #df4f39; stroke: #a83120;" in style
    assert ".piece .number { fill: #5b636c;" in style


def test_an_earlier_site_is_replaced_whole_and_other_files_stay(tmp_path, unpictured, monkeypatch):
    place = tmp_path / "games"

    def interrupted(cards, place):
        raise KeyboardInterrupt

    def interrupt(game):
        with monkeypatch.context() as patch:
            patch.setattr("perfectplay.exports.page.site_pages.index_page", interrupted)
            with pytest.raises(KeyboardInterrupt):
                perfectplay.export_site(place, [game])

    interrupt(SMALL)
    assert not list(tmp_path.iterdir())
    perfectplay.export_site(place, [SMALL])
    (place / "CNAME").write_text("example.org")
    before = {path: path.read_bytes() for path in place.iterdir()}
    interrupt("nim:1,2")
    assert {path: path.read_bytes() for path in place.iterdir()} == before
    perfectplay.export_site(place, ["nim:1,2"])
    assert {path.name for path in place.iterdir()} == {"index.html", "nim-1-2.html", "site.json", "CNAME"}
    (place / "lines-3-2-2.html").write_text("mine")
    with pytest.raises(BadArgument, match=r"lines-3-2-2\.html' is not a file of the site"):
        perfectplay.export_site(place, [SMALL])
    assert (place / "lines-3-2-2.html").read_text() == "mine"


def test_a_manifest_reaches_no_file_outside(tmp_path):
    outside, place = tmp_path / "outside", tmp_path / "games"
    outside.write_text("mine")
    place.mkdir()
    (place / "old.html").write_text("")
    (place / "site.json").write_text('{"made_by": "perfectplay 0.1", "files": ["old.html", "../outside"]}')
    earlier = earlier_files(place)
    with site_folder(place, earlier) as unfinished:
        (unfinished / "index.html").write_text("new")
    assert outside.read_text() == "mine"
    assert {path.name for path in place.iterdir()} == {"index.html", "site.json"}


@pytest.mark.parametrize(
    "manifest", [None, "", "[]", "{}", '{"made_by": 3, "files": 3}', '{"made_by": "x", "files": []}']
)
def test_somebody_elses_folder_is_refused(tmp_path, capsys, manifest):
    if manifest is not None:
        (tmp_path / "site.json").write_text(manifest)
    (tmp_path / "holiday.jpg").write_text("")
    assert "holds no site of perfectplay" in complaint(capsys, f"site tic-tac-toe --to {tmp_path}")
    assert (tmp_path / "holiday.jpg").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tic-tac-toe --to {0}/file", "is not a folder"),
        ("tic-tac-toe --to {0}/a/b", "there is no folder"),
        ("tic-tac-to --to {0}/new", "did you mean tic-tac-toe?"),
        ("misere --to {0}/n --url example.org", "--url example.org is not the address"),
        ("gomoku --to {0}/new", "no game is left for a site"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(tmp_path, capsys, line, words):
    (tmp_path / "file").write_text("")
    assert words in complaint(capsys, f"site {line.format(tmp_path)}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_no_game_and_no_game_that_is_left(tmp_path):
    with pytest.raises(BadArgument, match=r"games=\[\] names no game"):
        perfectplay.export_site(tmp_path / "new", [])
    with pytest.raises(TooBig):
        perfectplay.export_site(tmp_path / "new", "gomoku")


NAMES = st.lists(
    st.sampled_from(["lines", "lines:3,3,3", "lines:3,3", "a/x.py", "b/x.py", "index.py", "é.py", "x.py:2"])
)


@given(NAMES)
def test_pages_have_plain_names_of_their_own(names):
    game = load_game("tic-tac-toe")
    found = page_names([perfectplay.Game(**{**vars(game), "name": name}) for name in names])
    assert len({*found, "index"}) == len(names) + 1
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in found)


def test_cards_show_an_ongoing_position_and_rules_of_their_own():
    told = {}
    for name in shown_names():
        game = load_game(name)
        position, _ = typical_position(game)
        assert game.outcome(*position) == ONGOING
        assert position != game.start
        shown = card(name, game, about_game(game), None, False)
        assert shown["about"] == game.look.summary or about_game(game)["rules"].startswith(shown["about"])
        assert "<svg" in shown["picture"]
        told[shown["about"]] = name
    assert "" not in told
    assert len(told) == len(shown_names())
    assert next(about for about, name in told.items() if name == "misere").endswith("loses.")
    assert load_game("lines:4,4,3,misere=true").look.summary == "Whoever makes three in a row on a 4 × 4 board loses."
    assert load_game("lines:19,19,11").look.summary == "11 in a row on a 19 × 19 board."
