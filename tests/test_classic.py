"""The classic exercise: boards of 'X', 'O' and None, and answers (row, column)."""

import doctest
import random

import pytest

from perfectplay import BadPosition, IllegalMove, classic
from perfectplay.classic import (
    finds_winning_and_losing_moves_ai,
    finds_winning_moves_ai,
    human_player,
    minimax_ai,
    minimax_score,
    play,
    random_ai,
    repeated_battle,
)

EMPTY = [[None, None, None], [None, None, None], [None, None, None]]
O_HAS_MOVED_FIRST = [["X", "O", None], [None, "O", None], ["X", None, None]]


def board(text):
    return [[None if mark == "." else mark for mark in row] for row in text.split("/")]


@pytest.mark.parametrize("ai", [finds_winning_moves_ai, finds_winning_and_losing_moves_ai, minimax_ai])
def test_the_side_comes_from_the_argument(ai):
    assert ai(O_HAS_MOVED_FIRST, "X") == (1, 0)
    assert ai(O_HAS_MOVED_FIRST, "O") == (2, 1)


@pytest.mark.parametrize("ai", [random_ai, finds_winning_moves_ai, finds_winning_and_losing_moves_ai])
def test_answers_are_empty_squares_and_the_board_is_left_alone(ai):
    for _ in range(50):
        given = board("XO./.../..X")
        row, column = ai(given, "O")
        assert given == board("XO./.../..X")
        assert given[row][column] is None


def test_blocking():
    assert finds_winning_and_losing_moves_ai(board("XX./.O./..."), "O") == (0, 2)


def test_minimax_takes_the_win_now():
    assert minimax_ai(board("X.X/OO./X.."), "O") == (1, 2)


@pytest.mark.parametrize(
    ("text", "side", "score"),
    [
        (".../.../...", "X", 0),
        ("XX./OO./...", "X", 10),
        ("XX./OO./...", "O", -10),
        ("XXX/OO./...", "O", 10),
        ("XXX/OO./...", "X", 10),
        ("XX./OOO/...", "X", -10),
        ("XX./OOO/...", "O", -10),
        ("XOX/XOO/OXX", "O", 0),
        ("X.X/.O./X.O", "O", 10),
    ],
)
def test_minimax_score_is_for_x(text, side, score):
    assert minimax_score(board(text), side) == score


def test_play_and_battle():
    random.seed(1)
    assert {play(random_ai, random_ai) for _ in range(100)} == {0, 1, 2}
    assert play("minimax", minimax_ai) == 0
    tally = repeated_battle(random_ai, minimax_ai, 40)
    assert tally.first == tally[1] == 0
    assert tally.draws + tally.second == tally[0] + tally[2] == 40


def test_a_battle_repeats_after_the_same_seed():
    def battle():
        random.seed(5)
        return repeated_battle(random_ai, finds_winning_moves_ai, 100)

    assert battle() == battle()


def test_an_illegal_move_raises_in_a_game_and_loses_in_a_battle():
    def stubborn(board, side):
        return 0, 0

    with pytest.raises(IllegalMove, match=r"\(0, 0\) as \(row, column\) is not a legal move for X in\n"):
        play(stubborn, random_ai)
    assert repeated_battle(stubborn, random_ai, 10) == (0, 0, 10)


@pytest.mark.parametrize(
    ("text", "side", "complaint"),
    [
        (".../...", "X", "3 rows of 3"),
        ("..../.../...", "X", "3 rows of 3"),
        (".../.x./...", "X", "'X', 'O' or None"),
        (".../.../...", "Y", "neither 'X' nor 'O'"),
        ("XXX/OO./...", "O", "the game is over"),
        ("XXX/OO./...", "X", "the game is over"),
        ("XOX/XOO/OXX", "O", "the game is over"),
        ("XXX/OOO/...", "X", "both sides have three in a row"),
    ],
)
def test_bad_boards(text, side, complaint):
    with pytest.raises(BadPosition, match=complaint):
        random_ai(board(text), side)


@pytest.mark.parametrize("board", [None, 5, "XO./.../...", [1, 2, 3], [[None] * 3] * 2])
def test_things_that_are_no_board(board):
    with pytest.raises(BadPosition, match="3 rows of 3"):
        minimax_score(board, "X")


def test_rows_may_be_tuples():
    assert finds_winning_moves_ai(tuple(map(tuple, O_HAS_MOVED_FIRST)), "X") == (1, 0)


def test_a_battle_has_games():
    with pytest.raises(ValueError, match="at least 1, not -1"):
        repeated_battle(random_ai, random_ai, -1)


def test_a_person_is_asked_until_the_answer_is_an_empty_square(monkeypatch, capsys):
    typed = iter(["", "5", "3 3", "a b", "0 0", "1, 2"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert human_player(board("X../.../..."), "O") == (1, 2)
    out = capsys.readouterr().out
    assert out.startswith("  0 1 2\n0 X . .\n1 . . .\n2 . . .\n")
    assert "(0, 0) is taken" in out


def test_the_example_in_the_docstring():
    assert doctest.testmod(classic).failed == 0
