"""Small games are solved with one compiled loop: as the larger solver does it, byte for byte."""

from collections import Counter
from io import BytesIO

import numpy as np
import pytest

from perfectplay import load
from perfectplay.compiler.compiled import LOOKING, load_kernels
from perfectplay.solvers import numba_engine
from perfectplay.solvers.complete import solve_by_engine
from perfectplay.solvers.engine import Options
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.memory.small_solve import by_child, distinct, solved_if_small, suits
from perfectplay.solvers.steps import finished
from perfectplay.words import BadGame
from rings import nightly
from turn_games import random_game

GAMES = ["fading:3,2", "nim:3,4,5", *range(4), *nightly("tic-tac-toe", "fading:3,3", "hexapawn:4")]


def assert_graded(found, game):
    """Asserts that a solution in one run has the entries of the interpreted rules, and the counts."""
    entries = solved_positions(game)
    (keys, grades), scale = found.runs[0], found.scale
    assert all(
        entries[game.unkey(key)] == scale.entry(grade)
        for key, grade in zip(keys.tolist(), grades.tolist(), strict=True)
    )
    assert found.counts == Counter(entries.values())
    assert found.start == entries[game.start]


@pytest.mark.parametrize("game", GAMES)
def test_every_position_is_graded_as_the_interpreted_rules_do_it(game):
    """Also on random graphs, where a side may move again."""
    game = load(game) if isinstance(game, str) else random_game(game)
    assert suits(game)
    assert_graded(finished(solved_if_small(game, load_kernels(game, LOOKING))), game)


def test_the_table_is_the_same_byte_for_byte(monkeypatch):
    """The small solver writes the table that all cores write."""
    game, tables = load("fading:3,2"), []
    for quick in (True, False):
        sink = BytesIO()
        monkeypatch.setattr(numba_engine, "suits", lambda game, quick=quick: quick)
        finished(numba_engine.solve_compiled(game, sink, Options()))
        tables.append(sink.getvalue())
    assert tables[0] == tables[1]


def test_a_larger_game_is_left_to_the_solver_for_all_cores(monkeypatch):
    game = load("fading:3,3")
    assert finished(solved_if_small(game, load_kernels(game, LOOKING), largest=1000)) is None


def test_rules_that_break_the_contract_are_named(tmp_path):
    path = tmp_path / "stuck.py"
    path.write_text(STUCK)
    with pytest.raises(BadGame, match="which is ONGOING"):
        finished(solve_by_engine(load(str(path)), Options(), None))


STUCK = """
from perfectplay.game import Game
from perfectplay.words import ONGOING

def game() -> Game:
    def moves(mine: int, theirs: int) -> int:
        return 3 if mine < 1000 and theirs < 1000 else 0

    def play(mine: int, theirs: int, move: int) -> tuple[int, int]:
        return theirs, mine + 1 + move

    def outcome(mine: int, theirs: int) -> int:
        return ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=16, shape=(4, 4), start=(0, 0), move_names=("a", "b"))
"""


def test_distinct_sorts_and_drops_what_is_there_twice():
    keys = np.random.default_rng(1).integers(0, 100, 500)
    assert distinct(keys).tolist() == np.unique(keys).tolist()
    assert distinct(keys[:0]).size == 0


@pytest.mark.parametrize("greatest", [1 << 20, 1 << 62])
def test_children_are_sorted_with_their_parents_however_long_their_keys_are(greatest):
    rng = np.random.default_rng(2)
    children, parents = rng.integers(0, greatest, 300), rng.integers(-100, 100, 300)
    sorted_children, their_parents = by_child(children, parents, 8)
    assert sorted_children.tolist() == sorted(children.tolist())
    assert sorted(zip(sorted_children, their_parents, strict=True)) == sorted(zip(children, parents, strict=True))
