"""Extra turns, points and tiers on a GPU: the tables equal those of the CPU byte for byte, and faults are found."""

from dataclasses import replace

import pytest
from test_gpu_solving import cpu_table, gpu_table, on_both

from perfectplay import BadGame, load, solve
from perfectplay.engines import cuda
from perfectplay.engines.cuda import fault_on_gpu, load_gpu_kernels
from perfectplay.engines.sample_positions import random_positions
from perfectplay.solvers.gpu import gpu_cyclic, gpu_tiered
from tier_games import endless_above, from_two, half, marks, one
from turn_game_files import written


def coins(folder, **fields):
    """The game of coins, which has layers, with other fields."""
    return replace(load(written(folder, "coins")), **fields)


def alternating(mine, theirs, move):
    """The next position where nobody moves again."""
    return theirs, mine | 1 << move


@pytest.mark.parametrize(
    "name",
    on_both(
        ["dots:1,1", "dots:2,1", "kalah:2,2"],
        ["dots:2,2", "dots:3,2", "kalah:3,2", "kalah:4,2", "morris:3,2", "morris:4,2"],
        ["dots:2,2", "kalah:3,2"],
    ),
)
def test_tables_equal_those_of_the_cpu(name, tmp_path):
    game = load(name)
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_layers_with_extra_turns_and_points(where, tmp_path):
    for fields in ({}, {"margin": None}, {"again": None, "play": alternating}):
        game = coins(tmp_path, **fields)
        assert gpu_table(game, tmp_path) == cpu_table(game)


CASES = [("lines:3,2,2", marks), ("lines:3,2,2", half), ("fading:3,2", one), ("dots:2,1", one)]


@pytest.mark.parametrize(("name", "tier"), CASES, ids=[f"{name}-{tier.__name__}" for name, tier in CASES])
def test_tiers_change_no_byte(name, tier, tmp_path):
    game = load(name)
    assert gpu_table(replace(game, tier=tier), tmp_path) == cpu_table(game)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
@pytest.mark.parametrize("stored", [True, False])
def test_an_endless_draw_in_a_higher_tier(where, stored, tmp_path, monkeypatch):
    if not stored:
        store_nothing(monkeypatch)
    assert gpu_table(endless_above(from_two), tmp_path) == cpu_table(endless_above())


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_cycles_with_extra_turns(where, tmp_path):
    game = load(written(tmp_path, "centre"))
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.parametrize("name", on_both([], ["morris:3,2", "morris:4,2"]))
def test_tiers_change_no_byte_of_morris(name, tmp_path):
    game = load(name)
    assert gpu_table(game, tmp_path) == gpu_table(replace(game, tier=None), tmp_path)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_a_start_that_is_not_symmetric(where, tmp_path):
    game = replace(load("lines:3,2,2"), start=(0, 1))
    assert gpu_table(replace(game, tier=marks), tmp_path) == cpu_table(game)


def store_nothing(monkeypatch):
    """No room for the slots of children."""
    new_graph = gpu_cyclic.new_graph

    def without_edges(room, *arguments):
        graph = new_graph(room, *arguments)
        room.memory.give(graph.edges)
        return graph._replace(edges=room.memory.take(0, graph.edges.dtype))

    monkeypatch.setattr(gpu_cyclic, "new_graph", without_edges)
    monkeypatch.setattr(gpu_tiered, "new_graph", without_edges)


@pytest.mark.parametrize("name", on_both(["dots:2,1"], ["dots:3,2", "morris:3,2"]))
def test_children_that_are_not_stored_are_generated_again(name, tmp_path, monkeypatch):
    store_nothing(monkeypatch)
    game = load(name)
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_points_with_cycles_are_refused(where, tmp_path):
    with pytest.raises(BadGame, match="can repeat"):
        gpu_table(replace(load("fading:3,2"), margin=lambda mine, theirs: -1), tmp_path)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_faults_of_the_new_fields_are_refused(where, tmp_path):
    with pytest.raises(BadGame, match="contract"):
        gpu_table(coins(tmp_path, margin=lambda mine, theirs: 1), tmp_path)
    with pytest.raises(BadGame, match="decreases from 0 to -1"):
        gpu_table(coins(tmp_path, tier=lambda mine, theirs: -(mine | theirs).bit_count()), tmp_path)


@pytest.mark.parametrize("name", on_both(["dots:2,1", "kalah:2,2"], ["dots:3,3", "kalah:4,3", "morris:6"]))
def test_rules_answer_alike(name, gpu):
    game = load(name)
    positions = [met.position for met in random_positions(game, 10, seed=1)[:100]]
    assert fault_on_gpu(game, gpu, load_gpu_kernels(game, gpu), positions) is None


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["kalah:4,3", "morris:6"])
def test_large_games_equal_those_of_the_cpu(name, tmp_path):
    game = load(name)
    assert not cuda.CONFIG.ENABLE_CUDASIM
    assert gpu_table(game, tmp_path, memory=1 << 36) == bytes(solve(game, engine="numba").reader.data)
