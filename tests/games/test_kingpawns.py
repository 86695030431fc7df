"""Kings and pawns with more pawns, and with pawns that become queens."""

import json
from functools import cache

import pytest

from command_line import output
from perfectplay import load, odds, perft
from perfectplay.engines.sample_positions import random_positions
from perfectplay.fingerprint import fingerprint
from perfectplay.game import images, legal_moves
from perfectplay.notation import board_rows, move_name, parse_move, parse_position, show_position
from perfectplay.words import LOSS, ONGOING
from reference_rules import TWINS, Kingpawns

VARIANTS = {
    **{f"kingpawns:pawns={pawns}": Kingpawns(pawns) for pawns in (1, 2, 3, 4)},
    **{f"kingpawns:{pawns},true": Kingpawns(pawns, promotion=True) for pawns in (1, 2, 3)},
}


def sequences(twin, plies):
    """How many sequences of each length there are, by the plain rules."""

    @cache
    def count(state, left):
        if left == 0:
            return 1
        return (
            0 if twin.result(state) is not None else sum(count(after, left - 1) for after in twin.moves(state).values())
        )

    return [count(twin.start(), left) for left in range(plies + 1)]


@pytest.mark.parametrize("name", VARIANTS)
def test_sequences_are_those_of_the_plain_rules(name):
    assert perft(load(name), 6) == sequences(VARIANTS[name], 6)


def test_two_pawns_are_the_usual_game():
    usual, said = load("kingpawns"), load("kingpawns:pawns=2,promotion=false")
    assert fingerprint(usual) == fingerprint(said)
    assert load("kingpawns:3").start != usual.start


@pytest.mark.parametrize("name", ["kingpawns:pawns=4", "kingpawns:3,true"])
def test_a_mirrored_position_has_the_mirrored_moves(name):
    game = load(name)
    mirror = str.maketrans("abcd", "dcba")
    turned = images(game)
    for position, side in random_positions(game, walks=10, seed=3):
        there = turned.image(*position, 1)
        assert board_rows(game, there, side) == [row[::-1] for row in board_rows(game, position, side)]
        names = {move_name(game, position, side, move).translate(mirror) for move in legal_moves(game, position)}
        assert names == {move_name(game, there, side, move) for move in legal_moves(game, there)}
        assert turned.image(*there, 1) == position


def after(game, text, *moves):
    """The position after these moves, as text."""
    position, side = parse_position(game, text)
    for move in moves:
        position, side = game.play(*position, parse_move(game, position, side, move)), 1 - side
    return show_position(game, position, side)


def test_a_pawn_becomes_a_queen_and_moves_like_one():
    game = load("kingpawns:promotion=true")
    assert after(game, "W:..k./P..p/..../.K..", "a3a4") == "B:Q.k./...p/..../.K.."
    position, side = parse_position(game, "W:Q.../..../k.../..K.")
    names = {move_name(game, position, side, move) for move in legal_moves(game, position)}
    assert {"a4d4", "a4d1", "a4a3"} <= names
    assert "a4a2" not in names  # no piece takes a king
    assert after(game, "B:..K./..../...p/.k..", "d2d1") == "W:..K./..../..../.k.q"


def test_only_checkmate_wins_with_queens():
    game = load("kingpawns:promotion=true")
    position, _ = parse_position(game, "B:k.../..../KQ../....")
    assert game.outcome(*position) == 0  # stalemate
    position, _ = parse_position(game, "B:k.../Q.../.K../....")
    assert game.outcome(*position) == LOSS
    position, _ = parse_position(game, "B:k..Q/..../..K./....")
    assert game.outcome(*position) == ONGOING


def test_a_piece_that_shields_its_king_is_pinned():
    game = load("kingpawns:promotion=true")
    position, side = parse_position(game, "W:...k/q.../Q..p/K...")
    names = {move_name(game, position, side, move) for move in legal_moves(game, position)}
    assert "a2a3" in names
    assert not any(name.startswith("a2") and name != "a2a3" for name in names)


@pytest.mark.nightly
def test_the_game_with_queens(capsys):
    solved = json.loads(output(capsys, "solve kingpawns:promotion=true --json"))
    assert [solved[fact] for fact in ("value", "distance", "positions", "classes", "longest")] == [
        *("win", 11, 768_777, 641_591, 36)
    ]
    found = odds("kingpawns:promotion=true", "dawdling", "perfect").probability
    assert (found.win, found.draw) == (0, 1)  # won, and never finished


def test_twins_of_variants_are_compared_elsewhere_too():
    assert {"kingpawns:pawns=4", "kingpawns:promotion=true", "kingpawns:3,true"} <= set(TWINS)
