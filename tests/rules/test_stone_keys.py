"""Keys without gaps of games of stones: every number below `keys` is a position, and tiers follow each other."""

from dataclasses import replace
from itertools import combinations, pairwise
from math import comb

import pytest

from perfectplay import load
from perfectplay.compiler.checks.contract import keys_invert, tier_rises
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.game import levels
from perfectplay.games.morris import ring_board
from perfectplay.rules.stone_keys import GRAIN, rank, unrank
from rings import nightly


@pytest.mark.parametrize(("points", "stones", "taken"), [(5, 2, 0), (9, 4, 0b1010), (24, 2, 0b111), (7, 0, 1)])
def test_sets_are_numbered_one_by_one(points, stones, taken):
    free = [point for point in range(points) if not taken >> point & 1]
    words = sorted(sum(1 << point for point in chosen) for chosen in combinations(free, stones))
    assert [rank(word, taken, points) for word in words] == list(range(comb(len(free), stones)))
    assert [unrank(number, stones, points, taken) for number in range(len(words))] == words


@pytest.mark.parametrize("name", ["morris:3", *nightly("morris:4")])
def test_every_position_has_a_key_of_its_own(name):
    game = load(name)
    met = {position for level in levels(game) for position in level}
    keys = {game.key(*position) for position in met}
    assert len(keys) == len(met)
    assert {game.unkey(key) for key in keys} == met
    assert max(keys) < game.keys < 8 * len(met) + 40 * GRAIN


@pytest.mark.parametrize("name", ["morris:3", "morris:12"])
def test_tiers_follow_each_other_in_blocks(name):
    game = load(name)
    spread = max(1, game.keys // GRAIN // 3000)
    tiers = [game.tier(*game.unkey(block * GRAIN)) for block in range(0, game.keys // GRAIN, spread)]
    assert tiers == sorted(tiers)
    ends = [game.tier(*game.unkey(block * GRAIN + GRAIN // 2)) for block in range(0, game.keys // GRAIN, spread)]
    assert len({*tiers}) > 5
    assert sum(one != other for one, other in zip(tiers, ends, strict=True)) == 0


def test_boards_of_rings():
    nine, six, three = ring_board(3, slanted=False), ring_board(2, slanted=False), ring_board(1, slanted=True)
    assert [len(board.squares) for board in (nine, six, three)] == [24, 16, 9]
    assert [len(board.lines) for board in (nine, six, three)] == [32, 20, 16]
    assert [sum(row.bit_count() == 3 for row in board.rows) for board in (nine, six, three)] == [16, 8, 8]
    assert [len(set(board.turns)) for board in (nine, six, three)] == [16, 16, 8]
    assert len(ring_board(3, slanted=True).lines) == 40
    for board in (nine, six, three):
        lines = {frozenset(line) for line in board.lines}
        for turn in board.turns:
            moved = {board.squares[point]: board.squares[turn[point]] for point in range(len(board.squares))}
            assert {frozenset(moved[square] for square in line) for line in lines} == lines
        assert all(one < other for one, other in pairwise(board.squares))


def test_check_finds_keys_out_of_order():
    game = load("morris:3")
    met = random_positions(game, walks=2, seed=1)
    assert tier_rises(game, met) is None
    assert keys_invert(game, met) is None
    assert "not below keys = 1,024" in keys_invert(replace(game, keys=1024), met)
    assert "must be a multiple of 1,024" in tier_rises(replace(game, keys=game.keys - 1), met)
    mixed = replace(game, unkey=lambda number: game.unkey(number ^ 1024))
    assert "keys of lower tiers must come first" in tier_rises(mixed, met)
