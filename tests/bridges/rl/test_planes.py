"""Positions as planes: different positions look different, and the planes show what stands where."""

import numpy as np
import pytest

import perfectplay
from perfectplay.game import levels
from perfectplay.views.planes import planes, planes_of, word_arrays

NAMES = [info.name for info in perfectplay.list_games()]
MOST = 500


FEW = ["tic-tac-toe", "kalah", "morris", "hex", "tactic-toe"]


@pytest.mark.parametrize("name", [*FEW, *(pytest.param(name, marks=pytest.mark.nightly) for name in NAMES)])
def test_different_positions_have_different_planes(name):
    game, positions = perfectplay.load(name), []
    for level in levels(game):
        positions += level
        if len(positions) > MOST:
            break
    found = planes(game, *word_arrays(game, positions[-MOST:]))
    assert found.shape == (len(positions[-MOST:]), *planes_of(game).shape)
    assert len(np.unique(np.packbits(found.reshape(len(found), -1), axis=1), axis=0)) == len(found)


def planes_after(name, *moves):
    """The planes of the position after these moves, as lists."""
    match = perfectplay.Match(name).play(*moves)
    (found,) = planes(match.game, *word_arrays(match.game, [match.position]))
    assert found.dtype == np.int8
    return found


def test_planes_show_what_stands_where_those_of_the_side_to_move_first():
    shown = planes_after("tic-tac-toe", "b2", "a1")
    assert shown.tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [0, 0, 0]]]
    assert np.argwhere(planes_after("gomoku", "h8")).tolist() == [[1, 7, 7]]  # words of more than 63 bits


def test_squares_beside_the_board_are_in_further_rows():
    game = perfectplay.load("kalah")
    assert planes_of(game).shape[1:] == (game.shape[1] + 1, game.shape[0])


def test_there_may_be_no_positions():
    game = perfectplay.load("tic-tac-toe")
    assert planes(game, *word_arrays(game, [])).shape == (0, 2, 3, 3)
