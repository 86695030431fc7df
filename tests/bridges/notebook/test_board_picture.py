"""Pictures of boards: complete, alone or among others, in light and dark, with hints that need no colour."""

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest

from homes import ROOT
from perfectplay import DRAW, LOSS, WIN, Match, analyse, load
from perfectplay.commands.know.analysing import hints_of
from perfectplay.game import after, legal_moves
from perfectplay.rules.families import shown_names
from perfectplay.views.board_picture import ALIKE, board_picture, hint_svg
from perfectplay.views.document import Hint
from perfectplay.views.png import png_of
from perfectplay.views.scoped_style import DARK, PAPER, changed_squares

SVG = "{http://www.w3.org/2000/svg}"
PAGE_STYLE = ROOT / "src" / "perfectplay" / "exports" / "page" / "static" / "page.css"


def picture(match, **how):
    """The picture of a match, read as XML."""
    return ElementTree.fromstring(board_picture(match.game, match.position, match.turn, **how))


def kinds(root):
    """The classes of the picture's elements, without their prefix."""
    return [name.removeprefix("pp-") for one in root.iter() for name in one.get("class", "").split()]


FEW = ["tic-tac-toe", "connect-four", "kalah", "hex", "morris", "dots"]


@pytest.mark.parametrize("name", [*FEW, *(pytest.param(name, marks=pytest.mark.nightly) for name in shown_names())])
def test_every_shipped_game_is_drawn_with_its_last_move_and_hints(name):
    game = load(name)
    move = legal_moves(game, game.start)[0]
    begin, turn = (game.start, 0), after(game, game.start, 0, move)
    hints = {one: (one % 3 - 1, str(one)) for one in legal_moves(game, turn[0])}
    for dark in (None, True, False):
        text = board_picture(game, *turn, changed=changed_squares(game, begin, turn), hints=hints, dark=dark)
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert root[0].tag == f"{SVG}title"
        assert root[0].text
        assert root[1].text
        assert not [one for one in root.iter() if one.get("id")]  # so no two in a page can be the same
        assert "var(" not in text
        used = {f".{one}" for element in root.iter() for one in element.get("class", "").split()}
        assert used <= {*re.findall(r"\.pp-[\w-]+", text)}


def test_dark_differs_from_light_and_none_has_both():
    match = Match("tic-tac-toe").play("b2")
    texts = {dark: board_picture(match.game, match.position, match.turn, dark=dark) for dark in (None, True, False)}
    assert PAPER[1] in texts[True]
    assert PAPER[0] not in texts[True]
    assert PAPER[0] in texts[False]
    assert PAPER[1] not in texts[False]
    assert f"light-dark({PAPER[0]},{PAPER[1]})" in texts[None]
    assert "data-jp-theme-light=false" in texts[None]
    assert "vscode-dark" in texts[None]
    assert "theme=dark" in texts[None]
    assert "light-dark" not in texts[True] + texts[False]


@pytest.mark.nightly
def test_dark_colours_are_those_of_the_page():
    told = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", PAGE_STYLE.read_text())
    page = {name: dark for name, light, dark in told if name not in ("on-accent", "paper")}
    assert {**page, "hole": PAPER[1]} == DARK
    assert PAPER[1] == next(dark for name, light, dark in told if name == "paper")


def test_rules_touch_nothing_but_the_picture():
    match = Match("connect-four").play(*"4453")
    text = board_picture(match.game, match.position, match.turn, hints={0: (WIN, "3", True)})
    root = re.search(r'class="(pp-\w{6})[ "]', text)[1]
    style = re.search("<style>(.*)</style>", text)[1].replace("@supports (color:light-dark(#000,#fff)){", "")
    style = re.sub(r":is\(.*?\) \.", ".", style)
    heads = [head for rule in style.split("}") if "{" in rule for head in rule.split("{")[0].split(",")]
    assert len(heads) > 20
    assert all(head.startswith(f".{root}") for head in heads)


def test_the_same_style_has_one_name_and_another_style_another():
    names = {}
    for name, lines in (("tic-tac-toe", (["a1", "b1"], ["c3", "a2"])), ("connect-four", (["1", "2"], ["2", "1"]))):
        for dark in (None, True):
            texts = [
                board_picture(match.game, match.position, match.turn, dark=dark)
                for match in (Match(name, moves) for moves in lines)
            ]
            (names[name, dark],) = {re.search(r'class="(pp-\w{6})[ "]', text)[1] for text in texts}
    assert len({*names.values()}) == len(names)


def test_the_title_says_who_is_to_move_or_won_and_the_description_where_pieces_stand():
    match = Match("tic-tac-toe").play("b2", "a1")
    root = picture(match)
    assert root.get("role") == "img"
    assert root[0].text == "Tic-tac-toe: X to move"
    assert "X on b2." in root[1].text
    assert "O on a1." in root[1].text
    assert picture(match.play("a3", "a2", "c1"))[0].text == "Tic-tac-toe: X wins"
    assert "row" in kinds(picture(match))
    red = Match("connect-four").play("4")
    assert picture(red)[0].text == "Connect four: Yellow to move"
    assert picture(red)[1].text == "Red on 4 row 1."


def test_hints_carry_a_shape_a_pattern_and_a_number():
    match = Match("tic-tac-toe")
    root = picture(match, hints={0: (WIN, "7", True), 1: (DRAW, "9"), 2: (LOSS, "6"), 3: (None, "")}, dark=False)
    style = root.find(f"{SVG}style").text
    groups = [one for one in root.iter(f"{SVG}g") if "pp-hint" in one.get("class", "")]
    shapes = [one.find(f"{SVG}path").get("d") for one in groups if one.find(f"{SVG}path") is not None]
    assert len(set(shapes)) == len(shapes) == 3
    assert [one.find(f"{SVG}text").text for one in groups] == ["7", "9", "6", "?"]
    assert ["best" in one.get("class") for one in groups] == [True, False, False, False]
    dashes = {
        value: re.search(rf"\.pp-hint\.pp-{value} \.pp-halo{{[^}}]*stroke-dasharray:([^;}}]*)", style)
        for value in ("win", "draw", "loss")
    }
    assert dashes["win"] is None
    assert dashes["draw"][1] != dashes["loss"][1]
    assert "a1 win 7" in root[1].text
    assert "c1 loss 6" in root[1].text


def test_hints_of_an_analysis_have_the_number_and_the_best():
    found = hints_of(analyse("tic-tac-toe", "a1", "b1"))
    match = Match("tic-tac-toe", ["a1", "b1"])
    assert {match.name_of(move): hint for move, hint in found.items()} == {
        **{name: Hint(WIN, "5", True) for name in ("a2", "b2", "a3")},
        **{name: Hint(DRAW, "7") for name in ("c1", "c2", "c3", "b3")},
    }
    assert {hint.text for hint in hints_of(analyse("dots:1,2")).values()} == {"0", "−2"}
    assert {hint.text for hint in hints_of(analyse("ponghauki")).values()} == {"∞"}


def test_a_move_from_square_to_square_is_hinted_on_its_piece_with_an_arrow_if_it_is_best():
    analysis = analyse("hexapawn", "a1-a2")
    assert "arrow" in kinds(picture(analysis.match, hints=hints_of(analysis)))
    match = Match("connect-four").play("4")
    hints = {move: Hint(LOSS, "40") for move in range(7)}
    assert "arrow" not in kinds(picture(match, hints=hints))
    at = [one.get("transform") for one in picture(match, hints=hints).iter(f"{SVG}g") if one.get("transform")]
    assert at.count("translate(35 45)") == 2  # the hole and the hint of the move that falls onto the piece in column 4


def test_very_many_moves_that_are_worth_the_same_show_no_hints():
    match = Match("gomoku")
    hints = {move: Hint(DRAW, "") for move in range(ALIKE + 1)}
    assert "hint" not in kinds(picture(match, hints=hints))
    assert "hint" in kinds(picture(match, hints={move: hints[move] for move in range(ALIKE)}))
    for small in (False, True):
        assert "&lt;b&gt;" in hint_svg(Hint(WIN, "<b>"), 1.0, small=small)  # a number is text, not markup


def test_size_is_the_longer_side_and_labels_can_be_left_out():
    match = Match("connect-four")
    root = picture(match, size=200)
    assert max(int(root.get("width")), int(root.get("height"))) == 200
    assert "labels" in kinds(root)
    assert "labels" not in kinds(picture(match, labels=False))


def test_the_last_move_and_what_it_left_are_marked():
    game = load("hexapawn")
    before = (game.start, 0)
    following = after(game, *before, legal_moves(game, game.start)[0])
    arrived = changed_squares(game, before, following)
    left = [square for square in range(9) if square not in arrived][-3:]
    text = board_picture(game, *following, changed=[*arrived, *left])
    assert kinds(ElementTree.fromstring(text)).count("new") + text.count('<rect class="pp-vacated"') == 4


def test_programs_without_a_browser_draw_it():
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    match = Match("tic-tac-toe").play("b2")
    for dark, corner in ((False, (255, 255, 255)), (True, (0x14, 0x17, 0x1C))):
        drawn = image.open(BytesIO(png_of(board_picture(match.game, match.position, match.turn, size=300, dark=dark))))
        assert max(drawn.size) == 300
        assert drawn.convert("RGB").getpixel((20, 5)) == corner
