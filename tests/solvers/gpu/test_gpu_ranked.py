"""Games with tiers and keys without gaps on a GPU: tables equal those of the CPU, and faults are found."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from both_gpus import cpu_table, gpu_table, on_both
from perfectplay import BadGame, Game, TooBig, load
from perfectplay.compiler import cuda
from perfectplay.solvers.gpu import gpu_engine, gpu_ranked
from tier_games import one

SIZE = 12
"""Positions in each tier of a random game."""


def random_game(seed, again=True, falling=False):
    """A game of three tiers of places: each place ends the game, or leads to two others of its tier or higher ones."""
    chance = random.Random(seed)
    places = 3 * SIZE
    ends = tuple(chance.choice((-1, 0, 1)) if place and chance.random() < 0.2 else 2 for place in range(places))
    lowest = [0 if falling else place // SIZE * SIZE for place in range(places)]
    children = tuple(chance.randrange(lowest[place], places) for place in range(places) for _ in range(2))
    kept = tuple(int(chance.random() < 0.3) for _ in children)

    def moves(mine, theirs):
        return 3

    def play(mine, theirs, move):
        return children[2 * mine + move], 0

    def outcome(mine, theirs):
        return ends[mine]

    def same(mine, theirs, move):
        return kept[2 * mine + move] != 0

    def tier(mine, theirs):
        return mine // SIZE

    def key(mine, theirs):
        return mine // SIZE * 1024 + mine % SIZE

    def unkey(number):
        return number // 1024 * SIZE + number % 1024 % SIZE, 0

    rules = {"moves": moves, "play": play, "outcome": outcome, "again": same if again else None, "tier": tier}
    return Game(**rules, key=key, unkey=unkey, keys=3072, bits=6, shape=(6, 1), name=f"random {seed}")


@pytest.fixture(autouse=True)
def only_by_ranks(monkeypatch):
    """The solvers that use hash tables are not called."""
    monkeypatch.setattr(gpu_engine, "solved_by_layers", None)
    monkeypatch.setattr(gpu_engine, "solved_cyclic", None)
    monkeypatch.setattr(gpu_engine, "solved_by_tiers", None)


@pytest.mark.parametrize("seed", on_both([2], range(6), [0, 1, 3, 4, 5]))
def test_random_games_with_cycles_and_draws(seed):
    for again in (True, False):
        game = random_game(seed, again)
        assert gpu_table(game) == cpu_table(game)


@pytest.mark.parametrize("name", on_both([], ["tic-tac-toe", "tactic-toe"], ["lines:3,2,2", "fading:3,2"]))
def test_any_key_will_do(name):
    game = load(name)
    keys = max(1 << game.key_bits, 1024)
    assert gpu_table(replace(game, tier=one, keys=keys)) == cpu_table(game)


@pytest.mark.parametrize("name", on_both([], ["morris:3", "morris:3,2", "morris:4,2", "morris:5"], ["morris:3"]))
def test_morris(name):
    assert gpu_table(load(name)) == cpu_table(load(name))


@pytest.mark.usefixtures("gpu")
def test_pages_come_and_go(monkeypatch):
    monkeypatch.setattr(cuda, "LEAST_PAGE", 10)
    monkeypatch.setattr(cuda, "PAGE_NUMBER", 3)
    game = random_game(1)
    added = []
    add = gpu_ranked.Pages.add
    monkeypatch.setattr(gpu_ranked.Pages, "add", lambda self, pages: (added.extend(pages), add(self, pages))[1])
    assert gpu_table(game) == cpu_table(game)
    assert sorted(added) == [0, 1, 2]


@pytest.mark.usefixtures("gpu")
def test_a_pool_that_is_full_is_told(monkeypatch):
    monkeypatch.setattr(cuda, "LEAST_PAGE", 10)
    monkeypatch.setattr(cuda, "PAGE_NUMBER", 3)
    monkeypatch.setattr(gpu_ranked, "POOLED", 0.0)
    with pytest.raises(TooBig, match=r"random 1 has pages of .*, too much for"):
        gpu_table(random_game(1))
    if cuda.CONFIG.ENABLE_CUDASIM:
        monkeypatch.setattr(gpu_ranked, "POOLED", 1.5 * 128 / cuda.SIMULATED)
        with pytest.raises(TooBig, match="keys are in use at once"):
            gpu_table(random_game(1))


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (random_game(3, falling=True), "tier of random 3 decreases"),
        (replace(random_game(1), keys=3000), "not in blocks of 1024"),
        (replace(random_game(1), keys=2048), "a key of random 1 is not below keys = 2,048"),
        (replace(random_game(1), keys=2048, start=(2 * SIZE, 0)), "the key of the start is 2,048, not below keys ="),
    ],
)
def test_tiers_and_keys_that_cannot_be_are_refused(game, fault, where):
    with pytest.raises(BadGame, match=fault):
        gpu_table(game)


def test_tiers_are_found_by_bisection():
    assert list(gpu_ranked.tier_ranges(random_game(1))) == [(0, 0, 1024), (1, 1024, 2048), (2, 2048, 3072)]
    ranges = list(gpu_ranked.tier_ranges(load("morris:9")))
    assert ranges[0][:2] == (0, 0)
    assert all(one[2] == other[1] and one[0] < other[0] for one, other in pairwise(ranges))
