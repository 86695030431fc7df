"""What a board shows: one side's squares, squares beside the board, fixed places, counts, pieces that are nobody's."""

import re
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from perfectplay import NEVER, ONGOING, BadGame, BadPosition, Game, Look, Sides, TooBig, load
from perfectplay.commands.terminal.draw_board import drawn_board
from perfectplay.exports.page.game_data import game_data
from perfectplay.exports.page.page_search import facts
from perfectplay.exports.page.page_solution import carrying
from perfectplay.game import after, legal_moves
from perfectplay.rules.notation import draw_position, parse_move, parse_position, pieces_on, show_position
from perfectplay.solvers.steps import finished
from perfectplay.views.board_art import art_of
from perfectplay.views.board_squares import changes, readers, winning_lines
from perfectplay.views.scoped_style import changed_squares

SHOWN = ["dots:4,3", "kalah:2,2", "kalah:6,4", "morris:6", "connect-four", "tactic-toe", "fading:4,4", "kingpawns"]


def turns_of(name, seed, most=60):
    """The positions of a random game, each with the side to move."""
    game, dice = load(name), Random(seed)
    turn = game.start, 0
    while True:
        yield game, turn
        moves = legal_moves(game, turn[0])
        if not moves or not most:
            return
        turn, most = after(game, *turn, dice.choice(moves)), most - 1


def played(name, moves):
    """The last two turns of a game after these moves."""
    game = load(name)
    before, turn = None, (game.start, 0)
    for move in moves.split():
        before, turn = turn, after(game, *turn, parse_move(game, *turn, move))
    return game, before, turn


def small_game(**fields):
    """A game that ends nowhere, with this look and these cells, or with other rules."""
    rules = {
        "moves": lambda mine, theirs: 1,
        "play": lambda mine, theirs, move: (theirs, mine),
        "outcome": lambda mine, theirs: ONGOING,
    }
    return Game(**rules | {"bits": 6, "shape": (2, 1)} | fields)


@pytest.mark.parametrize("name", SHOWN)
def test_positions_read_back_and_readers_see_what_is_drawn(name):
    for game, (position, side) in turns_of(name, 1):
        assert parse_position(game, show_position(game, position, side)) == (position, side)
        seen = readers(game)[side]
        mine = {square: (side, kind) for square, kind in seen[side].pieces(position[0]).items()}
        theirs = {square: (1 - side, kind) for square, kind in seen[1 - side].pieces(position[1]).items()}
        assert theirs | mine == {square: at for square, at in enumerate(pieces_on(game, position, side)) if at}
        assert winning_lines(game, position, side) == [] or game.margin is None


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("dots:2,1", "X:../.../../00"),
        ("kalah:3,2", "s:2,2,2/2,2,2/0,0"),
        ("morris:3,2", "X:.../.../..../.../.../33."),
    ],
)
def test_what_is_no_square_is_not_written(name, start):
    assert show_position(load(name), load(name).start, 0) == start


@settings(max_examples=30)
@given(st.lists(st.integers(0, 48), min_size=14, max_size=14))
def test_counts_of_several_digits_are_told_apart(counts):
    game, rows = load("kalah:6,4"), (counts[:6], counts[6:12], counts[12:])
    text = "n:" + "/".join(",".join(map(str, row)) for row in rows)
    position, side = parse_position(game, text)
    assert (side, show_position(game, position, side)) == (1, text)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("kalah:3,2", "s:222/2,2,2/0,0", "with commas between them"),
        ("kalah:3,2", "s:2,2,2/2,2,2", "rows of 3, 3, 2 squares, such as s:2,2,2/2,2,2/0,0"),
        ("kalah:3,2", "s:2,2,13/2,2,2/0,0", "row '2,2,13' has something other than"),
        ("dots:1,1", "X:|/../-/00", "cannot be"),
        ("morris:3,2", "X:.../.../..../.../.../33", "rows of 3, 3, 4, 3, 3, 3 squares"),
        ("morris:3,2", "X:3../.../..../.../.../33.", "cannot be"),
    ],
)
def test_texts_that_are_no_position_say_why(name, text, why):
    with pytest.raises(BadPosition, match=re.escape(why)):
        parse_position(load(name), text)


BOARDS = {
    "dots:2,2": """
      a b c d e
    1 + - + . +
    2 |   |   .
    3 + - + . +
    4 .   .   .
    5 + . + . +
      X 0  O 1""",
    "kalah:6,4": """
            1 2 3 4 5 6
    north   4 4 4 4 4 4
          0             1
    south   0 5 1 6 6 5""",
    "morris:6": """
      a b c d e
    1 X---X---X
    2 | O-.-. |
    3 .-.   .-.
    4 | O-.-. |
    5 .---.---.
      X in hand 3  O in hand 4  mill X""",
}
MOVES = {"dots:2,2": "b1 a2 b3 c2", "kalah:6,4": "3 1", "morris:6": "a1 b2 c1 b4 e1"}


@pytest.mark.parametrize("name", BOARDS)
def test_boards_as_text_are_as_people_know_them(name):
    board = [line[4:] for line in BOARDS[name].splitlines()[1:]]
    game, before, turn = played(name, MOVES[name])
    assert draw_position(game, *turn).splitlines() == board
    shown = drawn_board(game, *turn, before).plain.translate(str.maketrans("─│·", "-|."))
    assert [line.split() for line in shown.splitlines()] == [line.split() for line in board]


@pytest.mark.parametrize(
    ("name", "moves", "move", "to"),
    [
        ("dots:2,2", "b1 a2 b3 c2", "d1", [3]),
        ("kalah:6,4", "3 1", "1", [0]),
        ("kalah:2,9", "", "1", [2]),  # its seeds go round and one falls into the house again
        ("morris:6", "a1 b2 c1 b4 e1", "b4", [16]),
    ],
)
def test_the_squares_to_click(name, moves, move, to):
    game, _, turn = played(name, moves)
    found = changes(game, *turn)[parse_move(game, *turn, move)]
    assert (found.to, found.left) == (to, {})


def test_a_handed_over_edge_is_not_new():
    game, before, turn = played("dots:2,2", "b1 a2")
    assert changed_squares(game, before, turn) == [5]


def test_the_page_is_told_what_is_no_square():
    data = game_data("dots:1,1", load("dots:1,1"), False, [])
    assert (data["fixed"], data["beside"], data["nobodys"]) == ([0, 2, 4, 6, 8], ["X", "O"], [0, 1])
    assert data["text"]["rows"] == [[1], [3, 5], [7], [9, 10]]
    assert game_data("tic-tac-toe", load("tic-tac-toe"), False, [])["text"]["lines"] == []
    first = [square[-1] for square in facts(load("kalah:2,2"))["spots"][0]]
    assert [only for _, _, only in first] == [1, 1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("cells", "pieces", "position", "text"),
    [
        ([[NEVER, (1, 1)], [(2, 2), NEVER]], Sides(("a", "b"), ("c", "d")), (3, 0), "X:ba"),
        ([[(1, 1), NEVER], [NEVER, (2, 2)]], Sides(("x", "x"), ("o", "o")), (2, 1), "X:ox"),
    ],
)
def test_a_kind_that_never_stands_on_a_square_may_have_the_text_of_another(cells, pieces, position, text):
    game = small_game(cells=cells, look=Look(pieces=pieces, shapes=Sides(("cross", "disc"), ("ring", "disc"))))
    assert show_position(game, position, 0) == text
    assert parse_position(game, text) == (position, 0)
    with pytest.raises(BadPosition):
        parse_position(game, "X:ab")


def test_walls_dots_and_texts_are_drawn():
    game = small_game(shape=(2, 2), cells=["#", "+", "wall", 0])
    words = ("wall", "dot", ">wall</text>")
    assert all(word in ground for word, ground in zip(words, art_of(game).grounds, strict=False))
    assert draw_position(game, (1, 0), 0).splitlines()[1:] == ["1  #    +", "2 wall  X"]


def test_cells_that_do_not_fit_are_refused():
    with pytest.raises(BadGame, match=r"must have 3 entries, not 0, since shape \(2, 1\) has 2 squares and 1"):
        small_game(look=Look(beside=("hand",)))
    with pytest.raises(BadGame, match=r"must have 2 entries, not 3, since shape \(2, 1\) has 2 squares"):
        small_game(cells=[0, 1, 2])


def test_rows_of_hexagons_are_shifted_and_columns_have_labels_at_their_ends():
    slanted, triangle, hexagon = (draw_position(load(name), (0, 0), 0) for name in ("hex:3", "y:3", "havannah:2"))
    assert slanted.splitlines() == ["  a b c", " 1 . . .", "  2 . . .", "   3 . . ."]
    assert triangle.splitlines() == ["   1 .", "  2 . .", " 3 . . .", "    a b c"]
    assert hexagon.splitlines() == ["  1 . .", " 2 . . .", "  3 . . c", "     a b"]


def heaps(*names):
    """Take one from either heap, which belong to nobody; whoever takes the last one wins."""
    return small_game(
        moves=lambda mine, theirs: (mine & 3 > 0) | (mine >> 2 > 0) << 1,
        play=lambda mine, theirs, move: (mine - (4 if move else 1), 0),
        outcome=lambda mine, theirs: -1 if mine == 0 else ONGOING,
        bits=4,
        start=(10, 0),
        move_names=("a", "b"),
        cells=[[(3, n) for n in (1, 2)], [(12, n << 2) for n in (1, 2)]],
        look=Look(pieces=Sides(names, names)),
    )


def test_a_single_file_page_needs_positions_that_differ_and_few_kinds_of_pieces():
    assert len(finished(carrying(heaps("1", "2"))).positions) == 9
    with pytest.raises(BadGame, match="two of its positions look alike"):
        finished(carrying(heaps("1", "1")))
    with pytest.raises(TooBig, match="has 163 kinds of pieces, too many for one page; it takes 127"):
        finished(carrying(load("kalah:9,9")))
