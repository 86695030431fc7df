"""Positions as planes: different positions look different, and the planes show what stands where."""

import numpy as np
import pytest

import perfectplay
from perfectplay.game import levels
from perfectplay.planes import planes, planes_of, words_of

NAMES = [info.name for info in perfectplay.list_games()]
MOST = 4000


@pytest.mark.parametrize("name", NAMES)
def test_different_positions_have_different_planes(name):
    game, positions = perfectplay.load(name), []
    for level in levels(game):
        positions += level
        if len(positions) > MOST:
            break
    found = planes(game, *words_of(game, positions[:MOST]))
    assert found.shape == (len(positions[:MOST]), *planes_of(game).shape)
    assert len(np.unique(np.packbits(found.reshape(len(found), -1), axis=1), axis=0)) == len(found)


def test_the_first_planes_are_those_of_the_side_to_move():
    game = perfectplay.load("tic-tac-toe")
    match = perfectplay.Match(game).play("b2", "a1")
    (found,) = planes(game, *words_of(game, [match.position]))
    assert found.dtype == np.int8
    assert found.tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [0, 0, 0]]]


def test_squares_beside_the_board_are_in_further_rows():
    game = perfectplay.load("kalah")
    assert planes_of(game).shape[1:] == (game.shape[1] + 1, game.shape[0])


def test_words_of_more_than_63_bits_have_planes():
    game = perfectplay.load("gomoku")
    match = perfectplay.Match(game).play("h8")
    (found,) = planes(game, *words_of(game, [match.position]))
    assert np.argwhere(found).tolist() == [[1, 7, 7]]


def test_there_may_be_no_positions():
    game = perfectplay.load("tic-tac-toe")
    assert planes(game, *words_of(game, [])).shape == (0, 2, 3, 3)
