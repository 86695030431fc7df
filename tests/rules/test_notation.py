"""Text to positions and moves and back; what is wrong gets an error that says what would be right."""

import pytest
from hypothesis import given, settings, strategies as st

from perfectplay import BadPosition, IllegalMove, load
from perfectplay.rules.notation import draw_position, move_name, parse_move, parse_position, show_position

TIC_TAC_TOE = load("tic-tac-toe")


def test_a_position_reads_as_it_looks():
    position, side = parse_position(TIC_TAC_TOE, "O:X../.O./..X")
    assert (position, side) == ((0b000_010_000, 0b100_000_001), 1)
    assert show_position(TIC_TAC_TOE, position, side) == "O:X../.O./..X"
    assert draw_position(TIC_TAC_TOE, position, side) == "  a b c\n1 X . .\n2 . O .\n3 . . X"


def test_blanks_and_small_letters_for_the_side_are_fine():
    assert parse_position(TIC_TAC_TOE, " o: X . . / . O . / . . X ") == parse_position(TIC_TAC_TOE, "O:X../.O./..X")
    kings = load("kingpawns")
    assert parse_position(kings, "white:..k./..pp/PP../.K..") == (kings.start, 0)


def test_a_fading_mark_shows_the_moves_it_has_left():
    game = load("tactic-toe")
    position = game.start
    for move in (0, 1, 4):
        position = game.play(*position, move)
    assert show_position(game, position, 1) == "O:X2O3./.X3./..."


def test_black_sees_the_board_from_the_same_side_as_white():
    game = load("kingpawns")
    after = game.play(*game.start, parse_move(game, game.start, 0, "a2a3"))
    assert show_position(game, after, 1) == "B:..k./P.pp/.P../.K.."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("X../.O./..X", "begin it with X: or O:"),
        ("Z:X../.O./..X", "begin it with X: or O:"),
        ("", "begin it with X: or O:"),
        ("X:X../.O.", "3 rows of 3 squares"),
        ("X:X.../.O./..X", "3 rows of 3 squares"),
        ("X:X?./.O./..X", "something other than"),
    ],
)
def test_bad_positions_say_what_would_be_right(text, complaint):
    with pytest.raises(BadPosition, match=complaint):
        parse_position(TIC_TAC_TOE, text)


def test_every_side_has_one_king():
    for text in ("W:..k./..pp/PP../....", "W:..k./..pp/PP../KK..", "B:..../..pp/PP../.K.."):
        with pytest.raises(BadPosition, match="cannot be"):
            parse_position(load("kingpawns"), text)


@given(st.text("XOWBKkPp.123/: é\n", max_size=40))
@settings(max_examples=30)
def test_no_text_breaks_the_parser(text):
    for name in ("tic-tac-toe", "tactic-toe", "kingpawns"):
        with pytest.raises(BadPosition):
            parse_position(load(name), text + "?")


def test_moves_by_name_or_number():
    start = TIC_TAC_TOE.start
    assert parse_move(TIC_TAC_TOE, start, 0, " B2 ") == parse_move(TIC_TAC_TOE, start, 0, "5") == 4
    assert move_name(TIC_TAC_TOE, start, 0, 5) == "c2"
    four = load("connect-four")
    assert parse_move(four, four.start, 0, "4") == 3


def test_bad_moves_are_answered_with_the_legal_ones():
    for text in ("d1", "0", "10", "", "a11", "²"):
        with pytest.raises(IllegalMove, match="legal are a1 b1 c1 a2"):
            parse_move(TIC_TAC_TOE, TIC_TAC_TOE.start, 0, text)


def test_columns_go_on_after_z():
    game = load("lines:28,1,3")
    assert game.move_names[25:28] == ("z1", "aa1", "ab1")
