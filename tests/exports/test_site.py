"""The site: a gallery of solved games in a folder, whole or not at all, with links that stay inside it."""

import json
import re
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perfectplay
from command_line import complaint, output
from perfectplay import BadArgument, TooBig
from perfectplay.exporters.page.site_folder import earlier_files, site_folder
from perfectplay.exporters.page.site_pages import page_names
from perfectplay.families import shown_names
from perfectplay.loading import load_game
from perfectplay.page.cards import card
from perfectplay.page.game_data import about_game
from perfectplay.page.typical_position import typical_position
from perfectplay.pictures import png
from perfectplay.pictures.plain_style import plain_style
from perfectplay.words import ONGOING

TWO = ["tic-tac-toe", "examples/hexapawn.py"]
draws = pytest.mark.skipif(not png.draws_png(), reason="pictures need resvg-py")
LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture
def unpictured(monkeypatch):
    """No package is there to draw PNG with."""
    monkeypatch.setattr("perfectplay.exporters.page.site_pages.draws_png", lambda: False)
    monkeypatch.setattr("perfectplay.pictures.png.draws_png", lambda: False)


def test_a_site_has_an_index_and_a_page_per_game_own_files_first(tmp_path, unpictured):
    report = perfectplay.export_site(tmp_path / "games", TWO)
    assert report.pages == {"examples/hexapawn.py": "hexapawn.html", "tic-tac-toe": "tic-tac-toe.html"}
    files = {path.name: path.read_text() for path in (tmp_path / "games").iterdir()}
    assert set(files) == {"index.html", "hexapawn.html", "tic-tac-toe.html", "site.json"}
    assert report.size + len(files["site.json"]) == sum(len(text.encode()) for text in files.values())
    index = files["index.html"]
    assert re.findall(r'<li class="card" data-tags="([^"]*)"', index) == ["solved small yours", "solved small"]
    assert re.findall(r'<a href="([^"]*)">', index) == ["./hexapawn.html", "./tic-tac-toe.html"]
    assert index.count("Second player wins in 6") == index.count("Three in a row on a 3 × 3 board.") == 1
    for name, text in files.items():
        if name.endswith(".html"):
            inside = {"#board", "#cards", "./index.html", *(f"./{page}" for page in files)}
            links = [link for link in LINK.findall(text) if not link.startswith("data:image/svg+xml")]
            assert set(links) <= inside, name
            assert 'class="brand" href="./index.html"' in text
    assert "no picture" in str(report)


def test_a_page_that_is_alone_links_nowhere(tmp_path):
    perfectplay.export("tic-tac-toe", tmp_path / "one.html")
    text = (tmp_path / "one.html").read_text()
    assert "index.html" not in text
    assert "og:" not in text
    assert '<span class="brand">' in text


@pytest.mark.nightly
def test_by_default_all_built_in_games_are_there_or_left_out_for_a_reason(tmp_path, unpictured, capsys):
    facts = json.loads(output(capsys, f"site --to {tmp_path}/games --json"))
    assert {*facts["pages"], *facts["left_out"]} == set(shown_names())
    assert {"gomoku", "mancala", "dots-and-boxes", "six-mens-morris"} <= set(facts["left_out"])


def test_a_game_without_a_table_is_searched_on_its_page(tmp_path, unpictured, capsys):
    facts = json.loads(output(capsys, f"site connect-four --to {tmp_path}/games --json"))
    assert facts["pages"] == {"connect-four": "connect-four.html"}
    page = (tmp_path / "games/connect-four.html").read_text(encoding="utf-8")
    assert "wasm-unsafe-eval" in page
    assert 'href="./index.html"' in page
    assert "First player wins in 41" in (tmp_path / "games/index.html").read_text(encoding="utf-8")


def test_games_too_large_for_a_page_are_left_out(tmp_path, unpictured, capsys):
    line = f"site gomoku tic-tac-toe --to {tmp_path}/games"
    facts = json.loads(output(capsys, f"{line} --json"))
    assert facts["pages"] == {"tic-tac-toe": "tic-tac-toe.html"}
    assert "too large" in facts["left_out"]["gomoku"]
    assert facts["pictures"] is False
    assert facts == perfectplay.export_site(f"{tmp_path}/games", ["gomoku", "tic-tac-toe"]).to_dict()
    shown = output(capsys, line)
    assert shown.startswith(f"1 game, {facts['bytes']:,} bytes; open {tmp_path}/games/index.html\n")
    assert "left out: gomoku is too large" in shown


@draws
def test_links_to_the_pages_show_a_picture(tmp_path):
    report = perfectplay.export_site(tmp_path / "games", ["tic-tac-toe"], url="https://example.org/games/")
    page = (tmp_path / "games/tic-tac-toe.html").read_text()
    index = (tmp_path / "games/index.html").read_text()
    assert '<meta property="og:title" content="Tic-tac-toe">' in page
    assert 'og:description" content="Three in a row on a 3 × 3 board. Draw with best play.">' in page
    assert 'og:image" content="https://example.org/games/tic-tac-toe.png">' in page
    assert 'og:url" content="https://example.org/games/tic-tac-toe.html">' in page
    assert 'og:image" content="https://example.org/games/index.png">' in index
    for name in ("index.png", "tic-tac-toe.png"):
        picture = (tmp_path / "games" / name).read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert report.pictures
    perfectplay.export_site(tmp_path / "games", ["tic-tac-toe"])
    assert 'og:image" content="./tic-tac-toe.png">' in (tmp_path / "games/tic-tac-toe.html").read_text()


def test_the_style_of_pictures_has_no_variables():
    style = plain_style()
    assert "var(" not in style
    assert "--" not in style
    assert ".red .body { fill: #df4f39; stroke: #a83120;" in style
    assert ".piece .number { fill: #5b636c;" in style


def test_an_earlier_site_is_replaced_and_other_files_stay(tmp_path, unpictured):
    place = tmp_path / "games"
    place.mkdir()
    perfectplay.export_site(place, TWO)
    (place / "CNAME").write_text("example.org")
    perfectplay.export_site(place, ["misere"])
    assert {path.name for path in place.iterdir()} == {"index.html", "misere.html", "site.json", "CNAME"}
    (place / "tic-tac-toe.html").write_text("mine")
    with pytest.raises(BadArgument, match=r"tic-tac-toe\.html' is not a file of the site"):
        perfectplay.export_site(place, ["tic-tac-toe"])
    assert (place / "tic-tac-toe.html").read_text() == "mine"


def test_nothing_is_half_written(tmp_path, unpictured, monkeypatch):
    place = tmp_path / "games"

    def interrupted(cards, place):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("perfectplay.exporters.page.site_pages.index_page", interrupted)
        with pytest.raises(KeyboardInterrupt):
            perfectplay.export_site(place, ["tic-tac-toe"])
        assert not list(tmp_path.iterdir())
    perfectplay.export_site(place, ["tic-tac-toe"])
    before = {path: path.read_bytes() for path in place.iterdir()}
    with monkeypatch.context() as patch:
        patch.setattr("perfectplay.exporters.page.site_pages.index_page", interrupted)
        with pytest.raises(KeyboardInterrupt):
            perfectplay.export_site(place, ["misere"])
    assert {path: path.read_bytes() for path in place.iterdir()} == before


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


def test_what_cannot_be_is_said_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert "is not a folder" in complaint(capsys, f"site tic-tac-toe --to {tmp_path}/file")
    assert "there is no folder" in complaint(capsys, f"site tic-tac-toe --to {tmp_path}/a/b")
    assert "did you mean tic-tac-toe?" in complaint(capsys, f"site tic-tac-to --to {tmp_path}/new")
    assert "--url example.org is not the address" in complaint(
        capsys, f"site misere --to {tmp_path}/n --url example.org"
    )
    assert "no game is left for a site" in complaint(capsys, f"site gomoku --to {tmp_path}/new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    with pytest.raises(BadArgument, match=r"games=\[\] names no game"):
        perfectplay.export_site(tmp_path / "new", [])
    with pytest.raises(TooBig):
        perfectplay.export_site(tmp_path / "new", "gomoku")


def test_a_games_progress_says_which_one_it_is(tmp_path, unpictured):
    steps = []
    perfectplay.export_site(tmp_path / "games", TWO, progress=steps.append)
    assert {step.phase.partition(":")[0] for step in steps} == {
        "examples/hexapawn.py (1 of 2)",
        "tic-tac-toe (2 of 2)",
    }


NAMES = st.lists(
    st.sampled_from(["lines", "lines:3,3,3", "lines:3,3", "a/x.py", "b/x.py", "index.py", "é.py", "x.py:2"])
)


@given(NAMES)
def test_pages_have_plain_names_of_their_own(names):
    game = load_game("tic-tac-toe")
    found = page_names([perfectplay.Game(**{**vars(game), "name": name}) for name in names])
    assert len({*found, "index"}) == len(names) + 1
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in found)


@pytest.mark.parametrize("name", shown_names())
def test_cards_show_an_ongoing_position_and_rules_that_fit(name):
    game = load_game(name)
    position, _ = typical_position(game)
    assert game.outcome(*position) == ONGOING
    assert position != game.start
    shown = card(name, game, about_game(game), None, False)
    assert shown["about"] == game.look.summary or about_game(game)["rules"].startswith(shown["about"])
    assert "<svg" in shown["picture"]


def test_every_alias_has_rules_of_its_own():
    games = {name: load_game(name) for name in shown_names()}
    told = {name: card(name, game, about_game(game), None, False)["about"] for name, game in games.items()}
    assert all(told.values())
    assert len(set(told.values())) == len(told)
    assert "loses" in told["misere"]
    assert shown_names()[:3] == ["tic-tac-toe", "connect-four", "gomoku"]
    assert load_game("lines:4,4,3,misere=true").look.summary == "Whoever makes three in a row on a 4 × 4 board loses."
    assert load_game("lines:19,19,11").look.summary == "11 in a row on a 19 × 19 board."


def test_best_known_names_are_names():
    from perfectplay.games import BEST_KNOWN

    assert set(BEST_KNOWN) <= set(shown_names())
