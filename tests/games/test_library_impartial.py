"""Impartial games: Grundy values agree with theory, with what has been published, and with a second, plain version."""

import json
from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

import perfectplay
from perfectplay import LOSS, ONGOING, BadGame, Game
from perfectplay.__main__ import main
from perfectplay.compiler.checks.contract import both_may_move
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.players.models import grundy

KAYLES = (0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1)
"""The Grundy values of rows of 0 to 13 pins: R. Guy, C. Smith, *The G-Values of Various Games*, 1956; OEIS A002186."""
DAWSON = (0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5)
"""Those of Dawson's chess with 0 to 15 files, from the same paper; OEIS A002187."""


def mex(numbers):
    return min({*range(len(numbers) + 1)} - {*numbers})


def analysed(name, **more):
    """The Grundy value of the start, which is lost exactly if that is 0; those of the moves agree with it."""
    found = perfectplay.analyse(name, **more)
    assert (found.grundy == 0) == (found.value == LOSS)
    assert all((move.grundy == 0) == (move.value == perfectplay.WIN) for move in found.moves)
    assert found.grundy == mex([move.grundy for move in found.moves])
    return found.grundy


def test_nim_is_the_sum_without_carries():
    for heaps in ((5,), (2, 2), (1, 2, 3), (1, 1, 1, 1, 1), (2, 4, 3)):
        assert analysed(f"nim:{','.join(map(str, heaps))}") == reduce(xor, heaps)


def test_kayles_and_node_kayles_in_a_row_which_is_dawsons_chess_as_published():
    assert [analysed(f"kayles:{pins}") for pins in range(1, 10)] == list(KAYLES[1:10])
    assert analysed("kayles:3,5,2") == KAYLES[3] ^ KAYLES[5] ^ KAYLES[2]
    assert [analysed(f"nodekayles:{points},1") for points in range(2, 13)] == list(DAWSON[2:13])


@cache
def cram(free):
    x_and_y = ((1, 0), (0, 1))
    pairs = [frozenset({(x, y), (x + dx, y + dy)}) for x, y in free for dx, dy in x_and_y]
    return mex([cram(free - pair) for pair in pairs if pair <= free])


@cache
def node_kayles(left):
    near = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    return mex([node_kayles(left - {(x + dx, y + dy) for dx, dy in near}) for x, y in left])


@cache
def chomp(rows):
    """The Grundy value of rows that get no longer downwards."""
    bites = [(row, at) for row, length in enumerate(rows) for at in range(length) if (row, at) != (0, 0)]
    return mex([chomp((*rows[:row], *(min(length, at) for length in rows[row:]))) for row, at in bites])


@pytest.mark.parametrize(("width", "height"), [(2, 1), (3, 2), (3, 3), pytest.param(4, 3, marks=pytest.mark.nightly)])
def test_boards_written_twice(width, height):
    board = frozenset(product(range(width), range(height)))
    assert analysed(f"cram:{width},{height}") == cram(board)
    assert analysed(f"nodekayles:{width},{height}") == node_kayles(board)
    assert analysed(f"chomp:{width},{height}") == chomp((width,) * height)


def test_cram_by_symmetry():
    """The second player wins if both sides are even, the first if one is: by turning the other's move around."""
    assert [analysed(f"cram:{size}") for size in ("2,2", "4,2")] == [0, 0]
    assert all(analysed(f"cram:{size}") for size in ("2,1", "2,3", "6,1"))


def test_chomp_is_won_and_a_square_by_the_second_diagonal():
    for size in (2, 3, 4):
        found = perfectplay.analyse(f"chomp:{size},{size}")
        assert [move.move for move in found.moves if move.grundy == 0] == ["b2"]
    assert all(analysed(f"chomp:{width},2") for width in range(1, 8))


def test_an_analysis_shows_grundy_values(capsys):
    assert main(["analyse", "nim:3,4,5"]) == 0
    out = capsys.readouterr().out
    assert "Its Grundy value is 2." in out
    assert "  a2    win in 11 plies              0" in out
    assert main(["analyse", "nim:3,4,5", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["grundy"] == 2
    assert {move["move"]: move["grundy"] for move in facts["moves"]}["a2"] == 0
    assert "grundy" not in perfectplay.analyse("tic-tac-toe").to_dict()


def test_a_finished_position_is_worth_nothing():
    assert analysed("nim:3", position="S:././.") == 0


def test_too_many_positions_are_told(capsys, monkeypatch):
    monkeypatch.setattr(grundy, "MOST_MOVES", 100)
    found = perfectplay.analyse("nim:3,4,5")
    assert found.value == perfectplay.WIN
    assert (found.grundy, found.to_dict()["grundy"]) == (None, None)
    assert "No Grundy values: they need more than 100 moves" in str(found)


def heap(**fields):
    """One heap of three bits, from which one or two are taken."""
    digits = tuple("1234567")
    rules = {
        "moves": lambda mine, theirs: min(mine, 1) | min(mine // 2, 1) << 1,
        "play": lambda mine, theirs, move: (mine - move - 1, 0),
        "outcome": lambda mine, theirs: ONGOING if mine else LOSS,
        "look": perfectplay.Look(pieces=perfectplay.Sides(digits, digits)),
        "cells": [[(7, n) for n in range(1, 8)]],
    }
    shown = {"shape": (1, 1), "bits": 3, "start": (7, 0), "move_names": ["one", "two"]}
    return Game(**{"impartial": True, **shown, **rules, **fields})


def faults(game):
    return both_may_move(game, random_positions(game, 20, 1))


def test_a_file_of_ones_own_may_be_impartial():
    assert perfectplay.analyse(heap()).grundy == 7 % 3
    assert faults(heap()) is None


def test_what_is_not_impartial_is_refused():
    with pytest.raises(BadGame, match="impartial"):
        heap(again=lambda mine, theirs, move: True)
    with pytest.raises(BadGame, match="impartial"):
        heap(start=(0, 7))
    assert "theirs is not 0" in faults(heap(play=lambda mine, theirs, move: (mine - move - 1, 1)))
    assert "otherwise than by a LOSS" in faults(heap(outcome=lambda mine, theirs: ONGOING if mine else 1))


def test_grundy_values_are_for_games_that_end():
    game = heap(play=lambda mine, theirs, move: (mine ^ 1 if mine > 3 else mine - move - 1, 0))
    with pytest.raises(perfectplay.TooBig, match="can repeat"):
        grundy.grundy_values(game, game.start)
