"""Explanations: every claim of every sentence is true, and the sentences are few and plain."""

from collections.abc import Iterator
from functools import lru_cache

import pytest

import perfectplay
from claims import Checker
from perfectplay.bits import bit_numbers
from perfectplay.game import Game, canonical, turn_levels
from perfectplay.insight.explanation import MOST, explained
from perfectplay.insight.oracle import Oracle, table_oracle
from perfectplay.insight.reasons import why_move
from perfectplay.insight.scene import Scene
from perfectplay.loading import load_game
from perfectplay.words import FIRST, Position


@lru_cache(maxsize=8)
def known(name: str) -> tuple[Game, Oracle, Checker]:
    """A game, its oracle, and what checks it."""
    game = load_game(name)
    lookup = perfectplay.solve(game).lookup
    return game, table_oracle(game, lookup), Checker(game, lookup)


def classes(game: Game) -> Iterator[tuple[Position, int]]:
    """One position of each symmetry class, with a side that can be to move."""
    smallest, met = canonical(game), set()
    for level in turn_levels(game, FIRST):
        for position, side in level:
            least = smallest(*position)
            if least not in met:
                met.add(least)
                yield position, side


def check_all(name: str, every: int = 1) -> Checker:
    """Explains one position of each class, or every so many-th, and each of its moves, and checks all claims."""
    game, oracle, checker = known(name)
    for number, (position, side) in enumerate(classes(game)):
        if number % every:
            continue
        scene = Scene(oracle, position, side)
        sentences = explained(scene)
        assert 1 <= len(sentences) <= MOST
        for sentence in sentences:
            checker.check(sentence.claims)
        for move in [] if scene.over else bit_numbers(game.moves(*position)):
            checker.check(why_move(scene, move).claims)
    return checker


@pytest.mark.parametrize(
    ("name", "every"), [("tic-tac-toe", 1), ("tactic-toe", 40), ("kingpawns", 400), ("drop:4,4,4", 400)]
)
def test_every_claim_is_true(name: str, every: int) -> None:
    checked = check_all(name, every).checked
    assert {"result", "threat", "only_move", "safe_moves", "worsens", "refutation", "line", "trap"} <= checked.keys()
