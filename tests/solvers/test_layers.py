"""How layers find their children's grades: by the other side's word, in blocks or by places, the same solution."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perfectplay import load
from perfectplay.compiler.board_images import may_place
from perfectplay.compiler.compiled import load_kernels
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.memory import layered, placing
from perfectplay.solvers.memory.expansion import Run
from perfectplay.solvers.memory.layered import blocks_of, room_for
from perfectplay.solvers.memory.sorted_keys import place_of
from perfectplay.solvers.memory.work import Solved, Work
from perfectplay.solvers.retrograde import retrograde
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool
from rings import nightly

# Each move adds a mark for the mover, and on the last square it also takes the other side's mark on the first.
TAKES = """
from dataclasses import replace
from perfectplay import load

def game():
    base = load("tic-tac-toe")
    put = base.play

    def play(mine, theirs, move):
        other, own = put(mine, theirs, move)
        return (other & ~1, own | 1) if move == 8 and theirs & 1 else (other, own)

    def outcome(mine, theirs):
        return 0 if mine | theirs == 511 else 2

    return replace(base, play=play, outcome=outcome, symmetries=())
"""


def solved(name: str, folder: Path) -> Solved:
    """The solution, computed in memory."""
    game = load(name)
    work = Work(game, load_kernels(game), ThreadPool(2), 1 << 40, CheckpointFolder(folder / "saved", "", "", 1e9))
    return finished(retrograde(work, resume=False))


def assert_same(one: Solved, other: Solved) -> None:
    """Fails unless both have the same layers, grades and counts."""
    assert (one.counts, one.start, one.scale) == (other.counts, other.start, other.scale)
    for run, same in zip(one.runs, other.runs, strict=True):
        np.testing.assert_array_equal(run.keys, same.keys)
        np.testing.assert_array_equal(run.grades, same.grades)


@pytest.mark.parametrize("name", ["tic-tac-toe", *nightly("takes", "y:4", "lines:4,3,3")])
def test_the_solution_is_that_of_the_general_loops(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where a move does more than add a mark, which shows only when children are generated."""
    (tmp_path / "takes.py").write_text(TAKES)
    name = str(tmp_path / "takes.py") if name == "takes" else name
    assert may_place(load(name))
    general = solved(name, tmp_path)
    met: dict[str, list[Any]] = {"children": [], "grade_by_children": []}
    for function, results in met.items():
        whole = getattr(placing, function)
        monkeypatch.setattr(
            placing, function, lambda *given, whole=whole, results=results: results.append(whole(*given)) or results[-1]
        )
    monkeypatch.setattr(placing, "LARGE", 1)
    monkeypatch.setattr(placing, "CHUNK", 2 << load(name).bits)
    monkeypatch.setattr(ThreadPool, "SMALL", 16)  # many parts, whose ends fall within groups
    assert_same(solved(name, tmp_path), general)
    if name.endswith("takes.py"):
        assert met["children"][-1] is None
    else:
        assert met["grade_by_children"]
        assert all(met["grade_by_children"])


@pytest.mark.parametrize("name", ["drop:4,4,4", "fading:3,3", "lines:5,5,4", "kalah:3,2"])
def test_other_keys_and_wide_words_are_not_tried(name: str) -> None:
    assert not may_place(load(name))


def test_grades_in_blocks_are_those_by_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ThreadPool, "SMALL", 16)  # many parts, whose ends fall within blocks
    found = []
    blocks_of = layered.blocks_of
    monkeypatch.setattr(layered, "blocks_of", lambda *given: found.append(blocks_of(*given)) or found[-1])
    by_blocks = solved("drop:4,3,3", tmp_path)
    assert sum(blocks is not None for blocks in found) > 5
    monkeypatch.setattr(layered, "blocks_of", lambda *given: None)
    assert_same(solved("drop:4,3,3", tmp_path), by_blocks)


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
