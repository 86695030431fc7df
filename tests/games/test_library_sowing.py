"""Oware and kalah: sowing, captures, feeding and the end."""

from perfectplay import DRAW, LOSS, ONGOING, WIN, load
from perfectplay.families import load_family
from perfectplay.game import after, legal_moves
from perfectplay.notation import move_name, parse_move, parse_position, show_position


def sown(name, text, move):
    game = load(name)
    position, side = parse_position(game, text)
    return show_position(game, *after(game, position, side, parse_move(game, position, side, move)))


def test_twos_and_threes_are_captured_from_the_last_one_back():
    assert sown("oware", "s:4,1,1/1,0,2/2,1", "3") == "n:4,0,0/1,0,0/2,5"
    assert sown("oware", "s:1,1,3/1,0,2/3,1", "3") == "n:1,0,4/1,0,0/3,3"
    assert sown("oware", "s:4,2,1/1,0,3/1,0", "3") == "n:5,3,2/1,0,0/1,0"


def test_a_move_that_would_take_all_takes_nothing():
    assert sown("oware", "s:0,1,1/3,0,2/3,2", "3") == "n:0,2,2/3,0,0/3,2"


def test_the_house_itself_is_left_out():
    assert sown("oware:2,2", "s:01/60/10", "1") == "n:23/02/10"


def test_the_opponent_must_be_fed():
    game = load("oware")
    position, side = parse_position(game, "s:0,0,0/3,1,1/4,3")
    names = [move_name(game, position, side, move) for move in legal_moves(game, position)]
    assert names == ["1", "3"]
    position, side = parse_position(game, "s:0,0,0/2,1,0/4,5")
    assert game.outcome(*position) == WIN  # south keeps three: eight against four
    position, _ = parse_position(game, "s:0,0,0/1,1,0/6,4")
    assert game.outcome(*position) == DRAW


def test_more_than_half_of_the_seeds_wins():
    game = load("oware")
    for text, outcome in (("s:0,0,1/1,1,0/6,3", ONGOING), ("s:0,0,1/1,1,0/7,2", LOSS), ("s:0,0,1/1,1,0/2,7", WIN)):
        assert game.outcome(*parse_position(game, text)[0]) == outcome


def test_kalah_captures_only_with_seeds_opposite():
    assert sown("kalah", "s:2,0,1/1,0,2/0,0", "1") == "n:2,0,1/0,1,2/0,0"
    assert sown("kalah", "s:2,1,1/1,0,2/0,0", "1") == "n:2,0,1/0,0,2/0,2"
    assert "seeds in the house opposite" in load_family("kalah").RULES
