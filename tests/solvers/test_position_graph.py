"""The graph of all positions: the same, however positions and edges are divided among threads and blocks."""

import numpy as np
import pytest

from perfectplay import load
from perfectplay.compiler.compiled import load_kernels
from perfectplay.solvers.memory import cyclic, position_graph
from perfectplay.solvers.memory.expansion import Run, start_keys
from perfectplay.solvers.memory.interpreted import Reached
from perfectplay.solvers.memory.position_graph import PositionGraph
from perfectplay.solvers.memory.sorted_keys import kind_for, sorted_pairs
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import BadGame
from rings import nightly


def explored(name, threads=2, symmetric=True):
    game = load(name)
    graph = PositionGraph(load_kernels(game), ThreadPool(threads), symmetric)
    graph.add(start_keys(game, symmetric))
    finished(graph.explore())
    return graph


def solved(name, threads=2):
    graph = explored(name, threads)
    grades = finished(cyclic.graded(graph, {}))
    return Run(*sorted_pairs(graph.pool, *graph.positions(grades)))


@pytest.fixture
def in_small_parts(monkeypatch):
    """Every table grows, every block fills up, and threads take turns often."""
    monkeypatch.setattr(position_graph, "NUMBERS", 16)
    monkeypatch.setattr(position_graph, "LEAST", 64)
    monkeypatch.setattr(position_graph, "CHILDREN", 256)
    monkeypatch.setattr(position_graph, "BLOCK", 1 << 13)
    monkeypatch.setattr(ThreadPool, "SMALL", 8)
    monkeypatch.setattr(cyclic, "ROOM", 8)
    monkeypatch.setattr(cyclic, "AT_ONCE", 100)


@pytest.mark.nightly
def test_the_positions_are_those_that_interpreted_rules_reach():
    game = load("dodgem:3")
    reached = Reached(game)
    while reached.next_ply():
        pass
    graph = explored("dodgem:3")
    assert graph.count == len(reached.positions)
    assert graph.sizes[:-1] == reached.sizes
    assert sorted(graph.found().tolist()) == sorted(mine << game.bits | theirs for mine, theirs in reached.positions)


@pytest.mark.parametrize("name", ["dodgem:3", *nightly("tactic-toe")])
def test_small_parts_and_many_threads_change_nothing(name, in_small_parts, monkeypatch):
    small = solved(name, threads=4)
    monkeypatch.undo()
    large = solved(name, threads=1)
    assert (small.keys == large.keys).all()
    assert (small.grades == large.grades).all()


def test_each_child_has_each_of_its_parents(in_small_parts):
    graph = explored("dodgem:3", threads=3)
    waiting, keys = graph.waiting[: graph.top].copy(), graph.keys[: graph.top].copy()
    starts, bases, parents = finished(graph.parents())
    children = {number: [] for number in range(graph.top)}
    for bucket, base in enumerate(bases.tolist()):
        for number in range(bucket << 16, min((bucket + 1) << 16, graph.top)):
            begin, end = starts[number + bucket : number + bucket + 2].tolist()
            for parent in parents[base + begin : base + end].tolist():
                children[parent].append(number)
    lost = set(np.flatnonzero(keys < 0).tolist())
    for begin, stop in graph.used():
        for number in range(begin, stop):
            assert len(children[number]) == waiting[number]
            assert not lost & set(children[number])
    assert sum(map(len, children.values())) == graph.edges


def test_keys_too_wide_for_32_bits_stay_whole():
    graph = PositionGraph(load_kernels(load("dodgem:3")), ThreadPool(1), symmetric=True)
    for keys in ([5, 7], [1 << 40, 5 | 1 << 40]):
        graph.add(np.array(keys, kind_for(keys[-1])), known=True)
    assert graph.found().tolist() == [5, 7, 1 << 40, 5 | 1 << 40]


def test_a_closed_set_has_no_other_children():
    graph = explored("dodgem:3")
    keys = np.sort(graph.found())
    with pytest.raises(BadGame, match="symmetries are wrong"):
        finished(cyclic.backward(graph.kernels, graph.pool, keys[1:]))
