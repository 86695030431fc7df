"""How layers find their children's grades: by the other side's word, in blocks or by places, the same solution."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perfectplay import load
from perfectplay.engines.board_images import may_place
from perfectplay.engines.compiled import load_kernels
from perfectplay.game import Game
from perfectplay.solvers import layered, placing
from perfectplay.solvers.checkpoints import Saved
from perfectplay.solvers.expansion import Run
from perfectplay.solvers.grade_blocks import blocks_of, room_for
from perfectplay.solvers.retrograde import retrograde
from perfectplay.solvers.sorted_keys import place_of
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.work import Solved, Work

# Each move adds a mark for the mover, and on the last square it also takes the other side's mark on the first.
TAKES = """
from perfectplay import DRAW, ONGOING, Game

FULL = (1 << 9) - 1


def moves(mine, theirs):
    return FULL & ~(mine | theirs)


def play(mine, theirs, move):
    if move == 8 and theirs & 1:
        return theirs & ~1, mine | 1 << 8 | 1
    return theirs, mine | 1 << move


def outcome(mine, theirs):
    return DRAW if mine | theirs == FULL else ONGOING


def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=9, shape=(3, 3))
"""


def solved(game: Game, folder: Path, threads: int = 2) -> Solved:
    """The solution, computed in memory."""
    work = Work(game, load_kernels(game), ThreadPool(threads), 1 << 40, Saved(folder / "saved", "", "", 1e9))
    return finished(retrograde(work, resume=False))


def assert_same(one: Solved, other: Solved) -> None:
    """Fails unless both have the same layers, grades and counts."""
    assert (one.counts, one.start, one.scale) == (other.counts, other.start, other.scale)
    for run, same in zip(one.runs, other.runs, strict=True):
        np.testing.assert_array_equal(run.keys, same.keys)
        np.testing.assert_array_equal(run.grades, same.grades)


@pytest.mark.parametrize("name", ["lines:4,3,3", "y:4"])
def test_the_solution_is_that_of_the_general_loops(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = load(name)
    assert may_place(game)
    general = solved(game, tmp_path)
    met: list[Any] = []
    graded = placing.grade_by_children
    monkeypatch.setattr(placing, "LARGE", 1)
    monkeypatch.setattr(placing, "CHUNK", 2 << game.bits)
    monkeypatch.setattr(ThreadPool, "SMALL", 16)  # many parts, whose ends fall within groups
    monkeypatch.setattr(placing, "grade_by_children", lambda *given: met.append(graded(*given)) or met[-1])
    assert_same(solved(game, tmp_path), general)
    assert met
    assert all(met)


def test_moves_that_do_more_than_add_take_the_general_loops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "takes.py").write_text(TAKES)
    game = load(str(tmp_path / "takes.py"))
    assert may_place(game)
    general = solved(game, tmp_path)
    met: list[Any] = []
    children = placing.children
    monkeypatch.setattr(placing, "LARGE", 1)
    monkeypatch.setattr(placing, "children", lambda *given: met.append(children(*given)) or met[-1])
    assert_same(solved(game, tmp_path), general)
    assert met[-1] is None


@pytest.mark.parametrize("name", ["drop:4,4,4", "fading:3,3", "lines:5,5,4", "kalah:3,2"])
def test_other_keys_and_wide_words_are_not_tried(name: str) -> None:
    assert not may_place(load(name))


def test_grades_in_blocks_are_those_by_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = load("drop:4,4,4")
    monkeypatch.setattr(ThreadPool, "SMALL", 16)  # many parts, whose ends fall within blocks
    found = []
    blocks_of = layered.blocks_of
    monkeypatch.setattr(layered, "blocks_of", lambda *given: found.append(blocks_of(*given)) or found[-1])
    by_blocks = solved(game, tmp_path)
    assert sum(blocks is not None for blocks in found) > 5
    monkeypatch.setattr(layered, "blocks_of", lambda *given: None)
    assert_same(solved(game, tmp_path), by_blocks)


def test_keys_that_are_far_apart_get_no_blocks() -> None:
    pool = ThreadPool(1)
    earlier, grades = np.arange(256, dtype=np.uint8), np.ones(1000, np.uint8)
    near = Run(np.arange(1000, dtype=np.int64), grades)
    far = Run(np.arange(1000, dtype=np.int64) << 20, grades)
    assert blocks_of(pool, near, earlier, room_for([near])) is not None
    assert blocks_of(pool, far, earlier, room_for([far])) is None


def test_a_key_is_found_in_keys_of_a_narrower_type() -> None:
    keys = np.array([2, 3, 5], np.int32)
    assert [place_of(keys, key) for key in (0, 2, 4, 5, 6, 1 << 40)] == [0, 0, 2, 2, 3, 3]
    assert place_of(keys[:0], 7) == 0
