"""Positions written row by row read as `show_position` and `parse_position` have it, in every game of the library."""

from dataclasses import replace
from random import Random

import pytest

from perfectplay import load
from perfectplay.exports.json_export import PositionTexts
from perfectplay.game import after, legal_moves
from perfectplay.rules.families import family_names
from perfectplay.rules.notation import parse_position, show_position
from perfectplay.words import FIRST, SECOND, BadPosition, Sides


def met(game, count, seed=1):
    """Positions of random games, with the side to move."""
    rng, found = Random(seed), []
    while len(found) < count:
        position, side = game.start, FIRST
        for _ in range(60):
            found.append((position, side))
            legal = legal_moves(game, position)
            if not legal:
                break
            position, side = after(game, position, side, rng.choice(legal))
    return found


def reads_back(game, position, side):
    text = show_position(game, position, side)
    try:
        return text, parse_position(game, text) == (position, side)
    except BadPosition:
        return text, False


FEW = ["tic-tac-toe", "gomoku", "tactic-toe", "kalah", "checkers", "hex", "krk"]
MORE = [pytest.param(name, marks=pytest.mark.nightly) for name in family_names()]


@pytest.mark.parametrize("name", [*FEW, *MORE])
def test_every_game_is_written_and_read_as_one_by_one(name):
    game = load(name)
    texts = [PositionTexts(game, side) for side in (FIRST, SECOND)]
    for position, side in met(game, 100):
        assert texts[side].text_of(position) == reads_back(game, position, side)
        strange = (position[0] ^ 1 << position[1] % game.bits, position[1])  # perhaps two pieces on a square
        assert texts[side].text_of(strange) == reads_back(game, strange, side)


@pytest.mark.parametrize("pieces", [(("X",), ("X",)), (("/",), ("O",)), (("X ",), ("O",)), (("X",), ("XX",))])
def test_pieces_that_cannot_be_told_apart_are_noticed(pieces):
    game = load("tic-tac-toe")
    game = replace(game, look=replace(game.look, pieces=Sides(*pieces)))
    texts = [PositionTexts(game, side) for side in (FIRST, SECOND)]
    for position, side in met(game, 100):
        assert texts[side].text_of(position) == reads_back(game, position, side)


def test_sides_that_cannot_be_told_apart_are_noticed():
    game = load("tic-tac-toe")
    game = replace(game, look=replace(game.look, sides=Sides("Xerxes", "Xenia")))
    assert PositionTexts(game, FIRST).text_of(game.start) == (show_position(game, game.start, FIRST), False)


def test_rows_that_are_filled_in_many_ways_are_forgotten_in_time(monkeypatch):
    monkeypatch.setattr("perfectplay.exports.json_export.MOST", 3)
    game = load("tic-tac-toe")
    texts = PositionTexts(game, FIRST)
    for position, side in met(game, 200):
        if side == FIRST:
            assert texts.text_of(position) == (show_position(game, position, FIRST), True)
            assert all(len(known) <= 3 for _, _, known in texts.rows)
