"""Drawings of boards, which come from a game's look alone: squares, pieces, squares beside the board, labels."""

import re
from dataclasses import replace
from itertools import combinations
from math import dist
from xml.etree import ElementTree

import pytest

from perfectplay import BadGame, Look, Sides, load
from perfectplay.exports.page.cards import typical_position
from perfectplay.game import BOARDS, SHAPES
from perfectplay.rules.notation import pieces_on, spots
from perfectplay.views.board_art import art_of
from perfectplay.views.game_pieces import nobodys, side_names, spoken_names
from perfectplay.views.scoped_style import STYLE, position_svg

SHOWN = ["tic-tac-toe", "connect-four", "tactic-toe", "kingpawns", "examples/hexapawn.py", "hex:4", "reversi"]
SHOWN += ["lines:19,19,5", "dots:2,1", "kalah:2,2", "morris:6"]
UNSTYLED = {"art", "first", "second", "dark", "cross", "ring", "disc", "squares", "frame", "man"}


def elements(game, turn=None, labels=True):
    """All elements of the drawing of a position, else of the start; raises if it is not XML."""
    return list(ElementTree.fromstring(position_svg(game, *(turn or (game.start, 0)), labels=labels)).iter())


def classes(found):
    return [name for one in found for name in one.get("class", "").split()]


def with_look(name, **fields):
    game = load(name)
    return replace(game, look=replace(game.look, **fields))


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_has_all_that_the_board_shows(name):
    game = load(name)
    look, art, turn = game.look, art_of(game), typical_position(game)
    assert len(art.places) == len({*art.places}) == len(art.grounds) == len(spots(game, 0))
    left, top, wide, high = art.box
    assert all(left <= x - 3.5 and x + 3.5 <= left + wide and top < y < top + high - 3.4 for x, y in art.places)
    assert [len(kinds) for kinds in art.pieces] == [len(kinds) for kinds in look.pieces]
    assert all(
        ElementTree.fromstring(piece).get("class").startswith("piece ") for kinds in art.pieces for piece in kinds
    )
    assert art.tokens.first != art.tokens.second
    found = elements(game, turn)
    pieces = [at for at in pieces_on(game, *turn) if at]
    assert classes(found).count("piece") - classes(found).count("edge") == len(pieces)
    assert {*classes(found), *classes(elements(game))} - {*re.findall(r"\.([a-z]+)", STYLE)} <= UNSTYLED
    texts = {one.text for one in found}
    assert all({label, label.capitalize()} & texts for label in look.beside if " " not in label)
    bare = {one.text for one in elements(game, labels=False) if one.text and one.get("class") is None}
    assert not bare & {*look.columns, *look.rows} - {text for kinds in look.pieces for text in kinds}


@pytest.mark.parametrize("board", BOARDS)
def test_every_kind_of_board_is_drawn(board):
    found = elements(with_look("tic-tac-toe", board=board))
    assert {board, "ground"} <= {*classes(found)}
    assert ("frame" in {one.get("class") for one in found}) == (board == "frame")


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_drawn_for_both_sides(shape):
    look = {"shapes": Sides((shape,), (shape,)), "pieces": Sides(("3",), ("5",))}
    first, second = art_of(with_look("tic-tac-toe", **look)).pieces
    assert len(list(ElementTree.fromstring(first[0]).iter())) > 1
    assert first != second


def test_marks_that_vanish_sooner_are_paler():
    game = load("tactic-toe")
    drawn = zip(game.look.pieces.first, art_of(game).pieces.first, strict=True)
    opacity = {name: float(ElementTree.fromstring(piece).get("opacity", "1")) for name, piece in drawn}
    assert opacity["X1"] < opacity["X2"] < opacity["X3"] == 1
    assert opacity["X1"] < 0.7
    first, second = art_of(load("connect-four")).pieces  # while discs differ in more than their colour
    assert re.sub("first|red", "", first[0]) != re.sub("second|yellow", "", second[0])


def test_points_lie_where_the_look_says_and_lines_join_them():
    ring = ((0, 0), (2, 0), (2, 2), (0, 2))
    look = Look(board="points", places=ring, lines=((0, 1), (1, 2), (2, 3), (3, 0)))
    art = art_of(replace(load("tic-tac-toe"), bits=4, shape=(2, 2), look=look, cells=(), move_names=(), symmetries=()))
    assert art.places == ((5, 5), (25, 5), (25, 25), (5, 25))
    assert art.under.count("L") == 4


def test_hexagons_touch_each_other_and_columns_run_down_to_the_right():
    art = art_of(load("hex:4"))
    at = art.places
    assert all(dist(at[5], at[square]) == pytest.approx(10) for square in (1, 2, 4, 6, 8, 9))
    assert all(dist(at[5], at[square]) > 15 for square in (0, 3, 7, 10, 12, 13))
    assert at[5][0] - at[1][0] == pytest.approx(5)
    edges = re.findall(r'class="piece (\w+)"><path class="edge" d="M([^"]*)"', art.under)
    assert [colour for colour, _ in edges] == ["red", "red", "blue", "blue"]
    numbers = [[float(number) for number in path.split()] for _, path in edges]
    assert max(numbers[0][1::2]) < at[0][1] < at[15][1] < min(numbers[1][1::2])


def test_a_hexagon_whose_corners_are_cut_off_takes_no_more_room_than_it_needs():
    art = art_of(load("havannah:3"), labels=False)
    assert art.box[2:] == pytest.approx((5 * 10 + 2, 4 * 8.66 + 11.55 + 0.5), abs=0.2)
    assert {*"abcde12345"} <= {one.text for one in elements(load("havannah:3"))}


def test_edges_have_nobodys_colour_and_the_tallies_their_sides():
    art = art_of(load("dots:2,2"))
    assert nobodys(load("dots:2,2")) == {0, 1}
    assert art.pieces.first[:2] == art.pieces.second[:2]
    assert {re.search("piece bar \\w+ (\\w+)", piece)[1] for side in art.pieces for piece in side[:2]} == {"ink"}
    assert "plum" in art.pieces.second[2]
    assert nobodys(load("kalah:3,2")) == nobodys(load("morris:3,2")) == nobodys(load("tic-tac-toe")) == frozenset()
    assert ["V8.6" in piece for piece in art.pieces.first[:2]] == [False, True]


def test_what_stands_for_a_side_is_its_own():
    assert "cross" in art_of(load("dots:1,1")).tokens.first
    assert ">N</text>" in art_of(load("kalah:3,2")).tokens.second
    assert side_names(load("morris:6").look) == ("Black", "White")
    assert spoken_names(load("morris:6").look, 1)[:2] == ["White", "0"]
    assert spoken_names(load("dots:1,1").look, 0)[:2] == ["edge", "edge"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"board": "wood"}, "board='wood' is not one of squares, paper,"),
        ({"colours": Sides("red", "pink")}, "colours: 'pink' is not one of ink,"),
        ({"shapes": Sides(("cross",), ("egg",))}, "shapes: 'egg' is not one of cross,"),
        ({"shapes": Sides(("cross", "ring"), ("ring",))}, "shapes has 2 entries for 1 kinds of pieces"),
        ({"places": ((0, 0),)}, "places must have 9 entries, not 1"),
        ({"lines": ((0, 9),)}, "lines must join squares 0 to 8"),
    ],
)
def test_a_look_that_cannot_be_is_refused(fields, why):
    with pytest.raises(BadGame, match=re.escape(why)):
        with_look("tic-tac-toe", **fields)


def test_texts_of_pieces_cannot_break_the_drawing():
    game = with_look("tic-tac-toe", pieces=Sides(("<b>&",), ('"',)), columns=("<", "&", '"'))
    assert {"<", "&", '"'} <= {one.text for one in elements(game)}


def test_the_longer_a_text_on_a_piece_the_smaller_its_letters():
    looks = [Sides((text,), ("O",)) for text in ("K", "K2", "K21")]
    drawn = [art_of(with_look("tic-tac-toe", pieces=one, shapes=Sides(("text",), ("text",)))) for one in looks]
    sizes = [float(re.search('font-size="([^"]*)"', art.pieces.first[0])[1]) for art in drawn]
    assert sizes == sorted({*sizes}, reverse=True)


@pytest.mark.parametrize("width", [1, 9])
@pytest.mark.parametrize("labels", [("X", "O"), ("X captured", "O captured", "X in hand", "O in hand"), ("hand",) * 7])
def test_squares_beside_the_board_and_their_labels_do_not_overlap(width, labels):
    game = load("tic-tac-toe")
    cells = [*range(width), *([(511, 1)] for _ in labels)]
    art = art_of(replace(game, bits=9, shape=(width, 1), cells=cells, move_names=(), look=Look(beside=labels)))
    places = art.places[width:]
    assert all(dist(a, b) > 2 * 3.6 + 0.3 for a, b in combinations(places, 2))
    drawn = [one for one in ElementTree.fromstring(f"<g>{art.under}</g>").iter("text") if one.text in labels]
    boxes = [(float(one.get("x")), float(one.get("y")), 0.53 * 2.2 * len(one.text)) for one in drawn]
    assert len(boxes) == len(labels)
    for (x, y, long), (u, v, other) in combinations(boxes, 2):
        assert abs(y - v) > 2 or abs(x - u) > (long + other) / 2
    left, top, across, down = art.box
    assert all(left < x < left + across and top < y < top + down for x, y in [*places, *(box[:2] for box in boxes)])
