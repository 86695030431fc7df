"""Images as straight-line code: the same images and canonical forms as square by square, for every game."""

import random

import pytest

from perfectplay import load
from perfectplay.bits import turns_and_mirrors
from perfectplay.engines.board_images import check_routes, image_functions, routes_to
from perfectplay.engines.compiled import load_kernels, load_search
from perfectplay.families import names
from perfectplay.game import Images, canonical, images

BOARDS = ["lines:5,4,4", "lines:5,5,4", "lines:6,6,4", "lines:9,9,5", "hex:7", "morris:9", "y:5", "wild", "reversi:6,6"]


def permuted() -> list[str]:
    """The games whose symmetries are permutations, and some of other sizes."""
    games = {name: load(name) for name in names()}
    found = [name for name, game in games.items() if not isinstance(game.symmetries, Images) and game.symmetries]
    return [*found, *BOARDS]


@pytest.mark.parametrize("name", permuted())
def test_images_and_canonical_forms_are_those_of_the_permutations(name: str) -> None:
    game = load(name)
    made = image_functions(game)
    turns, smallest = images(game), canonical(game)
    if turns.count == 1:
        assert made == {}
        return
    random.seed(name)
    width = len(game.symmetries[0]) + 2  # type: ignore[arg-type]  # bits beyond the squares are dropped, too
    for _ in range(50):
        dense = random.random()
        mine, theirs = (sum((random.random() < dense) << bit for bit in range(width)) for _ in range(2))
        assert made["smallest"](mine, theirs) == smallest(mine, theirs)
        for i in range(turns.count):
            assert made["image"](mine, theirs, i) == turns.image(mine, theirs, i)


def test_a_half_turn_is_two_mirror_images() -> None:
    routes = routes_to(load("hex:7").symmetries, (7, 7))  # type: ignore[arg-type]
    assert [[len(stage) for stage in route.stages] for route in routes] == [[7, 7]]


def test_a_route_that_misses_a_square_is_found() -> None:
    turns = turns_and_mirrors(4, 4)
    routes = routes_to(turns, (4, 4))
    check_routes(routes, turns)
    (mask, distance), *rest = routes[2].stages[0]
    wrong = routes[2]._replace(stages=(((mask & mask - 1, distance), *rest),))
    with pytest.raises(AssertionError, match="image"):
        check_routes([*routes[:2], wrong, *routes[3:]], turns)


@pytest.mark.parametrize("name", ["lines:4,4,4", "lines:6,6,4", "morris:9"])
def test_compiled_canonical_forms_are_the_interpreted_ones(name: str) -> None:
    game = load(name)
    kernels, smallest = load_kernels(game) if game.key else load_search(game), canonical(game)
    random.seed(name)
    for _ in range(100):
        mine = random.getrandbits(game.bits)
        theirs = random.getrandbits(game.bits) & ~mine
        assert kernels.smallest(mine, theirs) == smallest(mine, theirs)
