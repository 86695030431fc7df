"""Plain minimax, and the estimate that refuses trees that are too large or infinite."""

from math import factorial

import pytest

from perfectplay import DRAW, LOSS, WIN, Entry, TooBig, load
from perfectplay.notation import parse_position
from perfectplay.solvers.minimax import minimax, minimax_moves
from perfectplay.solvers.tree_size import check_walkable, counted_tree, estimated_tree

TIC_TAC_TOE = load("tic-tac-toe")


def entry_of(text, name="tic-tac-toe"):
    game = load(name)
    return minimax(game, parse_position(game, text)[0])


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("X:XX./OO./...", Entry(WIN, 1)),
        ("O:XX./OO./X..", Entry(WIN, 1)),
        ("O:XXX/OO./...", Entry(LOSS, 0)),
        ("O:X.X/.O./X..", Entry(LOSS, 2)),
        ("X:XOX/XOO/OX.", Entry(DRAW, 1)),
        ("O:X../.../...", Entry(DRAW, 8)),
    ],
)
def test_value_and_distance(text, entry):
    assert entry_of(text) == entry


@pytest.mark.nightly
def test_every_first_move_draws():
    assert set(minimax_moves(TIC_TAC_TOE, TIC_TAC_TOE.start).values()) == {Entry(DRAW, 9)}


def test_the_second_side_wins_three_by_three_hexapawn():
    game = load("examples/hexapawn.py")
    assert minimax(game, game.start).value == LOSS


def test_small_trees_are_counted_exactly():
    assert counted_tree(TIC_TAC_TOE, "") == 549_946


def test_the_estimate_is_right_where_the_tree_is_known():
    game = load("lines:1,7,7")  # nobody can win before the end: 7! games
    nodes = sum(factorial(7) // factorial(left) for left in range(8))
    assert counted_tree(game, "") == estimated_tree(game) == nodes
    assert estimated_tree(TIC_TAC_TOE, walks=2000) == pytest.approx(549_946, rel=0.1)


@pytest.mark.parametrize("name", ["tactic-toe", "kingpawns", "fading:6,3"])
def test_endless_games_are_refused(name):
    with pytest.raises(TooBig, match=r"has cycles.*use blocks"):
        check_walkable(load(name), "blocks")


@pytest.mark.parametrize("name", ["connect-four", "lines:4,4,3", "gomoku", "lines:19,19,5"])
def test_big_games_are_refused_with_their_size(name):
    with pytest.raises(TooBig, match=r"a game tree of (about|over) 10\^[0-9]+ nodes.*use blocks"):
        check_walkable(load(name), "blocks")
