"""Words that images map separately: what the source shows, and the canonical forms that follow from it."""

import numpy as np
import pytest

from perfectplay import load
from perfectplay.bits import bit_numbers
from perfectplay.engines.compiled import load_kernels
from perfectplay.engines.separate_images import maps_words_separately
from perfectplay.game import canonical
from perfectplay.solvers.expansion import start_keys
from perfectplay.solvers.position_graph import PositionGraph
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool


def separate(mine, theirs, i):
    found, other = 0, 0
    for at in range(3):
        found |= (mine >> at & 1) << (at + i) % 3
        other |= (theirs >> at & 1) << (at + i) % 3
    return found, other


def by_tuples(mine, theirs, i):
    a, b = mine >> i, theirs >> i
    return a, b


def swapped(mine, theirs, i):
    return (theirs, mine) if i else (mine, theirs)


def crossed(mine, theirs, i):
    return mine, theirs ^ mine if i else theirs


def controlled(mine, theirs, i):
    found = mine
    if theirs & 1:
        found = mine >> i
    return found, theirs


def counted(mine, theirs, i):
    found = mine
    for _ in range(theirs):
        found >>= i
    return found, theirs


def carried(mine, theirs, i):
    first, second = 0, 0
    for _ in range(3):
        first = second
        second = theirs
    return mine | first, theirs


def left_early(mine, theirs, i):
    if theirs & 1:
        return mine, theirs
    return mine >> i, theirs


@pytest.mark.parametrize("image", [separate, by_tuples])
def test_separate_words_are_found(image):
    assert maps_words_separately(image)


@pytest.mark.parametrize("image", [swapped, crossed, controlled, counted, carried, left_early])
def test_any_way_from_one_word_to_the_other_is_found(image):
    assert not maps_words_separately(image)


def test_children_have_the_same_canonical_forms():
    game = load("tactic-toe")
    kernels, smallest = load_kernels(game), canonical(game)
    assert kernels.SEPARATE
    graph = PositionGraph(kernels, ThreadPool(1), symmetric=True)
    graph.add(start_keys(game, symmetric=True))
    finished(graph.explore())
    keys = np.sort(graph.found())
    grades = np.zeros(1, np.uint8)
    for number in keys[:: max(1, keys.size // 500)].tolist():
        position = game.unkey(number)
        expected = [game.key(*smallest(*game.play(*position, move))) for move in bit_numbers(game.moves(*position))]
        found = np.empty(len(expected), keys.dtype)
        kernels.expand(np.array([number], keys.dtype), grades, True, found)
        assert found.tolist() == expected
