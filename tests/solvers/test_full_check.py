"""Whatever is kept has been checked at every position, or a mark beside the table says how much of it was."""

import json
import pkgutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import perfectplay
from command_line import output
from perfectplay import WIN, BadGame, BadTable, load, open_table
from perfectplay.__main__ import main
from perfectplay.bits import turns_and_mirrors
from perfectplay.compiler.compiled import LOOKING, load_kernels
from perfectplay.game import Game, Images, is_group
from perfectplay.processes.folders import replacing
from perfectplay.solvers.engine import EngineResult
from perfectplay.solvers.memory.interpreted import Reached, reached_if_small, solved
from perfectplay.solvers.oracle import keep_solution
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.block_coding import pack
from perfectplay.solvers.table.table import header_for, keys_of
from perfectplay.solvers.table.table_file import Writer, mark_field, mark_of, read_mark
from perfectplay.solvers.table.table_folder import kept_table, table_path
from perfectplay.solvers.table.table_parts import PartsWriter, part_path, part_paths
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity import validation
from perfectplay.solvers.validity.full_check_compiled import facts_or_fault, fault_in_run
from perfectplay.solvers.validity.sample_check import size_after_solve
from perfectplay.solvers.validity.verify_compiled import all_blocks
from perfectplay.words import Entry
from two_heaps import two_heaps

TRUE = "return (mine >> 8 | (mine & 255) << 8, 0) if i else (mine, 0)"
SAME = "return mine, 0"
A, B, C, D = (3 | heap << 8 for heap in (30, 31, 20, 19))
"""Positions far from the start, which random games do not meet."""
SWAPPED = f"if i and (mine == {A} or mine == {B}):\n        return {A} + {B} - mine, 0\n    "
"""Nothing changes but two positions."""
ASTRAY = f"if i and mine == {C}:\n        return {D}, 0\n    "
"""The canonical form of one position is another, of which it is no image."""
AJAR = "if i and mine == 1:\n        return 256, 0\n    if i and mine == 256:\n        return 512, 0\n    "
"""An image of a position has an image that is none of the position's own."""
LIES = (TRUE, SWAPPED + ASTRAY + AJAR + SAME)
TIER = f"def tier(mine, theirs):\n    return 80 - (mine & 255) - (mine >> 8) + 5 * (mine == {A})\n\n\ndef game():"
WINS = f"def wins(mine, theirs):\n    return {{1: 1, 2: 2, 256: 4, 512: 8, {A}: 1}}.get(mine, 0)\n\n\ndef game():"


@pytest.fixture
def heaps(tmp_path):
    def path_of(*changes):
        """The path of a game of two heaps of 40, with changes of its text."""
        path = two_heaps(tmp_path)
        text = path.read_text()
        for old, new in (("TOP = 200", "TOP = 40"), *changes):
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return path

    return path_of


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([(TRUE, SWAPPED + SAME)], r"symmetries: .*\(7\d\d\d, 0\)"),
        ([(TRUE, ASTRAY + SAME)], r"symmetries: image 1 of \(5123, 0\) is \(4867, 0\), which has other moves"),
        ([("def game():", TIER), ("move_names=", "tier=tier, move_names=")], r"tier decreases .* at \(7683, 0\)"),
        ([("def game():", WINS), ("move_names=", "wins=wins, move_names=")], r"hint .*wins is 0b1.*\(7683, 0\)"),
    ],
)
def test_rules_that_lie_at_one_or_two_positions_are_refused(heaps, tmp_path, changes, said):
    game, path = load(str(heaps(*changes))), tmp_path / "a.table"
    with pytest.raises(BadGame, match=said):
        perfectplay.solve(game, "python", path=path)
    assert not path.exists()
    assert not mark_of(path).exists()


def test_compiled_rules_find_every_class_with_an_image_that_lies(heaps):
    game = load(str(heaps(LIES)))
    kernels = load_kernels(game, LOOKING)
    keys = np.array([key for key in range(41 * 256) if key & 255 <= 40 and key not in (256, B, C)])
    facts, children = np.empty((keys.size, 5), np.int64), np.empty(keys.size * 64, np.int64)
    others, found, at = np.empty(0, np.int64), [], 0
    assert kernels.look(keys, facts, children, others, False) > keys.size
    while (count := kernels.look(keys[at:], facts, children, others, True)) < 0:
        at -= count
        found.append(int(keys[at - 1]))
    assert found == [1, C + 1, C + 2, C + 256, C + 512, A]  # from four of them C is reached
    fault = facts_or_fault(game, kernels, keys[keys > 1])
    assert "symmetries: (4867, 0) is the canonical form of (5123, 0)" in fault.text


def test_where_compiled_rules_raise_the_interpreted_ones_answer(heaps):
    game = load(str(heaps(LIES)))
    kernels, keys = load_kernels(game, LOOKING), np.arange(2, 20)

    def look(keys, facts, children, others, full):
        if full and 7 in keys:
            raise IndexError
        return kernels.look(keys, facts, children, others, full)

    failing = SimpleNamespace(look=look, MOST_MOVES=kernels.MOST_MOVES)
    both = facts_or_fault(game, kernels, keys), facts_or_fault(game, failing, keys)
    assert all(answer.tolist() == right.tolist() for right, answer in zip(*both, strict=True))
    fault = facts_or_fault(replace(game, outcome=lambda mine, theirs: [][mine]), failing, keys)
    assert "list index out of range" in fault.text
    assert fault.position == (7, 0)


def test_the_compiled_check_derives_every_entry():
    table = perfectplay.solve("nim:3,4,5", "python")
    run, scale = finished(all_blocks(table, ThreadPool(1))), table.reader.grades
    assert finished(fault_in_run(table.game, run, scale, ThreadPool(1))) is None
    for place in range(0, len(table), 9):
        grades = run.grades.copy()
        grades[place] = grades[place] % (scale.size - 1) + 1
        fault = finished(fault_in_run(table.game, run._replace(grades=grades), scale, ThreadPool(1)))
        assert "but its moves give" in fault.text


def test_a_table_that_lacks_positions_is_refused_without_walking_the_whole_game(tmp_path, monkeypatch):
    def next_ply(reached):
        assert len(reached.positions) < 100
        return walk(reached)

    walk = Reached.next_ply
    monkeypatch.setattr(Reached, "next_ply", next_ply)
    game, win = load("connect-four"), Entry(WIN, 41)
    key = keys_of(game)[0](*game.start)
    with (tmp_path / "four.table").open("wb") as sink:
        writer = Writer(sink, header_for(game, win, {win: 10**12}, 1, key))
        writer.add(key, pack([key], [writer.header.scale.grade(win)], writer.header.grade_bytes))
        writer.finish()
    with pytest.raises(BadTable, match="cannot be reached: it has no entry"):
        perfectplay.verify(tmp_path / "four.table")
    table = perfectplay.solve("nim:2,2", "python")
    table.reader.header = table.header = replace(table.header, positions=8, losses=table.header.losses - 1)
    with pytest.raises(BadTable, match="more than its 8 positions"):
        perfectplay.verify(table)


def test_a_table_of_more_classes_is_checked_in_a_sample(heaps, monkeypatch):
    game = load(str(heaps()))
    table = perfectplay.solve(game, "python")
    assert table.checked == 1
    for limit, most in (("SMALL", 0), ("FEW", 0), ("ALL", len(table) - 1)):
        monkeypatch.setattr(validation, limit, most)
    monkeypatch.setattr("perfectplay.solvers.validity.sample_check.AFTER_SOLVE", 100)
    part = finished(validation.check_table(table, EngineResult(table.header, table.counts()), 1))
    assert part == size_after_solve(game) / len(table) == 100 / len(table)
    assert mark_field(part) == pytest.approx(part, rel=0.05)
    pools, faults = [], []

    def fault_in_run(game, run, scale, pool):
        pools.append(pool)
        for fault in faults:
            raise fault
        yield from ()

    def part_of(table, threads):
        return finished(validation.check_table(table, EngineResult(table.header, table.counts()), threads))

    own = perfectplay.solve("tic-tac-toe", "python")
    monkeypatch.setattr("perfectplay.solvers.validity.full_check_compiled.fault_in_run", fault_in_run)
    assert part_of(own, 3) == 1
    monkeypatch.setattr(validation, "ALL", len(table))
    faults.append(IndexError("whatever compiled rules raise"))
    assert part_of(table, 2) == part
    assert [pool.threads for pool in pools] == [3, 2]
    for pool in pools:
        with pytest.raises(RuntimeError, match="shutdown"):
            pool.pool.submit(print)
    monkeypatch.setattr(validation, "ALL", 10)
    assert part_of(own, 1) == 0


def test_the_field_never_rounds_up_to_all():
    fields = {None: None, 1: "all", 0.0: 0.0, 0.008117: 0.0081, 0.99999: 0.99}
    assert {part: mark_field(part) for part in fields} == fields


def test_solve_analyse_tables_and_verify_tell_what_was_checked(capsys, tmp_path):
    def checked(command):
        facts = json.loads(output(capsys, f"{command} --json"))
        return (facts[0] if isinstance(facts, list) else facts).get("checked", "solved on the spot")

    assert "\nchecked completely\n" in output(capsys, f"solve tic-tac-toe --to {tmp_path / 't.table'}")
    assert checked("solve tic-tac-toe") == checked("analyse tic-tac-toe") == "all"
    kept = kept_table(load("tic-tac-toe"))
    assert (kept.checked, kept.summary().checked) == (1, 1)
    mark_of(kept.path).unlink()
    assert checked("analyse tic-tac-toe") is None
    assert "not known to be checked" in output(capsys, "tables")
    before = kept.path.read_bytes()
    for sample, part in (("--sample 7", 0.0092), ("", "all"), ("--sample 7", "all")):  # the last one lowers nothing
        output(capsys, f"verify tic-tac-toe {sample}")
        assert checked("tables") == part
    assert kept.path.read_bytes() == before
    output(capsys, "tables --remove tic-tac-toe")
    assert list(kept.path.parent.iterdir()) == []
    assert checked("analyse tic-tac-toe") == "solved on the spot"


def test_a_mark_vouches_for_its_own_table_alone(tmp_path):
    one, other = tmp_path / "one.table", tmp_path / "other.table"
    perfectplay.solve("tic-tac-toe", path=one)
    perfectplay.solve("lines:3,3,2", path=other)
    assert read_mark(other) == 1
    mark_of(other).unlink()
    table = open_table(other)
    assert table.checked is None
    one.replace(other)
    assert read_mark(other) is open_table(other).checked is None
    assert "another table" in perfectplay.verify(table).unmarked
    for text in ("", "{}", "[1]", '{"table": 1, "checked": NaN}', '{"table": "x"}'):
        mark_of(other).write_text(text)
        assert read_mark(other) is None
    mark_of(other).write_text("notes")
    assert "another file" in perfectplay.verify(other).unmarked
    assert mark_of(other).read_text() == "notes"
    open_table(other).save(tmp_path / "copy.table")
    assert read_mark(tmp_path / "copy.table") is None


@pytest.fixture
def racing(tmp_path, monkeypatch):
    """Lets another process replace or remove a file when a function runs: just before, or just after."""
    other = tmp_path / "other.table"
    with monkeypatch.context() as patch:
        patch.setattr("perfectplay.solvers.table.table.SIZE", 100)
        perfectplay.solve("tic-tac-toe", path=other)

    def set_up(name, path, before=False, remove=False):
        function = pkgutil.resolve_name(name)

        def run(*arguments, **named):
            answer = None if before else function(*arguments, **named)
            path.unlink(missing_ok=True)  # who has it open still reads the earlier one
            if not remove:
                path.write_bytes(other.read_bytes())
            return function(*arguments, **named) if before else answer

        monkeypatch.setattr(name, run)

    return set_up


def test_a_table_that_takes_the_place_of_a_checked_one_is_not_marked(tmp_path, racing):
    path, kept, game = tmp_path / "t.table", tmp_path / "kept.table", load("tic-tac-toe")
    table = perfectplay.solve(game, path=kept)
    mark_of(kept).unlink()
    racing("perfectplay.solvers.complete.table_in_file", path, before=True)
    assert "another table" in perfectplay.solve(game, path=path).unmarked
    racing("perfectplay.solvers.table.table.remove_parts", path)
    table.save(path)
    reached = reached_if_small(game)
    racing("perfectplay.solvers.oracle.remove_outdated", table_path(game))
    keep_solution(game, reached, solved(reached))
    racing("perfectplay.solvers.table.table.reader_of", kept)
    assert "another table" in perfectplay.verify(kept).unmarked
    assert [read_mark(place) for place in (path, kept, table_path(game))] == [None] * 3
    racing("perfectplay.solvers.table.table.reader_of", table_path(game), remove=True)
    assert kept_table(game).lookup(game.start).distance == 9


def test_parts_of_an_earlier_table_do_not_cost_the_mark(tmp_path):
    path, table = tmp_path / "t.table", perfectplay.solve("tic-tac-toe", "python")
    with replacing(path) as sink:
        writer = PartsWriter(sink, table.header, path, 600)
        for number, first in enumerate(table.reader.firsts):
            writer.add(first, table.reader.block_bytes(number))
        writer.finish()
    parts = open_table(path)
    assert parts.checked is None
    assert perfectplay.verify(parts).unmarked is None
    assert open_table(path).checked == read_mark(path) == 1
    mark_of(path).unlink()
    table.save(path)
    assert not list(part_paths(path))
    assert read_mark(path) == 1
    part_path(path, 0).write_bytes(b"notes")  # no part of this table
    assert perfectplay.verify(path).unmarked is None
    assert read_mark(path) == 1


def test_a_folder_that_cannot_be_written_costs_a_line(capsys, tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("perfectplay.solvers.table.table.write_mark", refused)
    for command, told in (("solve tic-tac-toe --to", "checked completely"), ("verify", "is right")):
        assert main([*command.split(), str(tmp_path / "t.table")]) == 0
        out, err = capsys.readouterr()
        assert told in out
        assert err.count("\n") == 1
        assert "could not be saved beside the table: Permission denied" in err


@pytest.mark.parametrize(
    ("turns", "bits", "are"),
    [
        (turns_and_mirrors(3, 3), 9, True),
        ((), 9, True),
        (turns_and_mirrors(3, 3)[:3], 9, False),
        (turns_and_mirrors(3, 3), 10, False),
        (Images(1, lambda mine, theirs, i: (mine, theirs)), 9, False),
    ],
)
def test_permutations_of_all_bits_are_a_group_and_no_others(turns, bits, are):
    assert is_group(Game(moves=max, play=max, outcome=max, bits=bits, shape=(3, 3), symmetries=turns)) == are
