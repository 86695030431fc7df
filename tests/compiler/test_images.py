"""Images of positions as straight-line code, and words that images map separately: the same images and forms."""

import random

import numpy as np
import pytest

from perfectplay import load
from perfectplay.bits import bit_numbers, turns_and_mirrors
from perfectplay.compiler.board_images import check_routes, image_functions, maps_words_separately, routes_to
from perfectplay.compiler.compiled import load_kernels, load_search
from perfectplay.game import Images, canonical, images
from perfectplay.rules.families import names
from perfectplay.solvers.memory.expansion import start_keys
from perfectplay.solvers.memory.position_graph import PositionGraph
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool
from rings import nightly

BOARDS = ["lines:5,4,4", "lines:6,6,4", "lines:9,9,5", "hex:7", "morris:9", "y:5"]


def permuted():
    """The games whose symmetries are permutations, and some of other sizes."""
    games = {name: load(name) for name in names()}
    found = [name for name, game in games.items() if not isinstance(game.symmetries, Images) and game.symmetries]
    return [*found, *BOARDS]


@pytest.mark.parametrize("name", permuted())
def test_images_and_canonical_forms_are_those_of_the_permutations(name):
    game = load(name)
    made = image_functions(game)
    turns, smallest = images(game), canonical(game)
    if turns.count == 1:
        assert made == {}
        return
    random.seed(name)
    width = len(game.symmetries[0]) + 2  # bits beyond the squares are dropped, too
    for _ in range(20):
        dense = random.random()
        mine, theirs = (sum((random.random() < dense) << bit for bit in range(width)) for _ in range(2))
        assert made["smallest"](mine, theirs) == smallest(mine, theirs)
        for i in range(turns.count):
            assert made["image"](mine, theirs, i) == turns.image(mine, theirs, i)


def test_a_half_turn_is_two_mirror_images():
    routes = routes_to(load("hex:7").symmetries, (7, 7))
    assert [[len(stage) for stage in route.stages] for route in routes] == [[7, 7]]


def test_a_route_that_misses_a_square_is_found():
    turns = turns_and_mirrors(4, 4)
    routes = routes_to(turns, (4, 4))
    check_routes(routes, turns)
    (mask, distance), *rest = routes[2].stages[0]
    wrong = routes[2]._replace(stages=(((mask & mask - 1, distance), *rest),))
    with pytest.raises(AssertionError, match="image"):
        check_routes([*routes[:2], wrong, *routes[3:]], turns)


@pytest.mark.parametrize("name", ["lines:4,4,4", *nightly("lines:6,6,4", "morris:9")])
def test_compiled_canonical_forms_are_the_interpreted_ones(name):
    game = load(name)
    kernels, smallest = load_kernels(game) if game.key else load_search(game), canonical(game)
    random.seed(name)
    for _ in range(100):
        mine = random.getrandbits(game.bits)
        theirs = random.getrandbits(game.bits) & ~mine
        assert kernels.smallest(mine, theirs) == smallest(mine, theirs)


def separate(mine, theirs, i):
    found, other = 0, 0
    for at in range(3):
        found |= (mine >> at & 1) << (at + i) % 3
        other |= (theirs >> at & 1) << (at + i) % 3
    return found, other


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


SEPARATE = [separate, lambda mine, theirs, i: (mine >> i, theirs >> i)]
JOINED = [
    lambda mine, theirs, i: (theirs, mine) if i else (mine, theirs),
    lambda mine, theirs, i: (mine, theirs ^ mine if i else theirs),
    *(controlled, counted, carried, left_early),
]


@pytest.mark.parametrize("image", [*SEPARATE, *JOINED])
def test_any_way_from_one_word_to_the_other_is_found(image):
    assert maps_words_separately(image) == (image in SEPARATE)


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
