"""Algorithms of OpenSpiel as players of our games."""

from random import Random

import pytest

import perfectplay
from perfectplay.players.registry import may_be_served, player_maker
from perfectplay.players.seat import Seat
from perfectplay.words import BadPlayer, TooBig


def chosen(player, name, moves=(), **seat):
    match = perfectplay.Match(name, moves)
    return player_maker(player)(Seat(match.game, match.turn, Random(1), **seat))(match.position)


def test_mcts_wins_at_once_and_says_how_much_it_searched():
    nodes = []
    assert chosen("openspiel:mcts:80", "connect-four", ["4", "1"] * 3, searched=nodes.append) == 3
    assert 1 <= nodes[0] <= 80  # it may prove the win before
    for seconds in (0.05, 1e-9):  # as long as its seat says, even if that is too short for one game
        assert chosen("openspiel:mcts", "connect-four", seconds=seconds, searched=nodes.append) in range(7)
        assert nodes[-1] < 10_000


def test_the_same_seed_chooses_the_same_moves():
    one, other = (perfectplay.battle("tic-tac-toe", "openspiel:mcts:20", "random", games=2, seed=5) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("name", "margin"), [("dots:2,1", 0), ("kalah:2,2", -2)])
def test_minimax_plays_for_points_and_moves_again(name, margin):
    for seats in (("openspiel:minimax", "perfect"), ("perfect", "openspiel:minimax")):
        assert perfectplay.battle(name, *seats, games=1, seed=1).mean_margin == margin


def test_minimax_looks_as_deep_as_it_is_told():
    assert chosen("openspiel:minimax:1", "connect-four", ["4", "1"] * 3) == 3
    assert chosen("openspiel:minimax:2", "connect-four", ["1", "4"] * 2 + ["1"]) == 0  # it blocks


@pytest.mark.parametrize("name", ["connect-four", "tactic-toe"])
def test_minimax_refuses_what_it_cannot_walk(name):
    with pytest.raises(TooBig, match="use the player perfect"):
        player_maker("openspiel:minimax")(Seat(perfectplay.load(name), 0, Random(1)))


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("openspiel", "names no algorithm that plays; there are mcts, minimax"),
        ("openspiel:cfr", "there are mcts, minimax"),
        ("openspiel:mcts:0", "needs a whole number from 1 to 100,000,000, such as openspiel:mcts:1000"),
        ("openspiel:mcts:", "whole number"),
        ("openspiel:minimax:1.5", "from 1 to 100, such as openspiel:minimax:4"),
    ],
)
def test_names_that_mean_no_player(name, complaint):
    with pytest.raises(BadPlayer, match=complaint):
        player_maker(name)


def test_no_request_may_ask_for_it():
    assert not may_be_served("openspiel:mcts:10")
