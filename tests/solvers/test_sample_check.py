"""The interpreted rules check solutions: they find wrong entries, false symmetries and shared keys."""

import random
from dataclasses import replace
from random import Random

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay import load, open_table
from perfectplay.bits import mover, turns_and_mirrors
from perfectplay.game import Images, canonical, images, quick_canonical
from perfectplay.solvers import sample_check
from perfectplay.solvers.complete import solving, without_table
from perfectplay.solvers.engine import Options
from perfectplay.solvers.interpreted import solved_positions
from perfectplay.solvers.sample_check import in_table, met_in_play, size_after_solve
from perfectplay.solvers.steps import finished
from perfectplay.solvers.validation import check_sample
from perfectplay.solvers.verify import sampled, verified
from perfectplay.table.table import tabulate
from perfectplay.words import BadGame, BadTable, Entry
from two_heaps import two_heaps

SHARED = 150 | 3 << 8
"""A position with 150 and 3 in the heaps."""


def unchecked_table(path, monkeypatch):
    """The compiled engine's table of a game, before any check."""
    with monkeypatch.context() as patch:
        patch.setattr("perfectplay.solvers.complete.check_table", lambda table, solved, threads: iter(()))
        return finished(solving(load(str(path)), Options("numba")))


@pytest.mark.parametrize("more", ["", " --no-table"])
def test_the_compiled_engine_refuses_a_false_symmetry(tmp_path, capsys, more):
    """The symmetry holds at 99 of 100 positions."""
    path = two_heaps(tmp_path, lame=1)
    said = complaint(capsys, f"solve {path} --engine numba{more}")
    assert "symmetries: image 1 of (" in said
    assert "which has other moves" in said


def test_a_wrong_table_is_not_saved_and_a_correct_one_stays(tmp_path, capsys):
    right, kept = two_heaps(tmp_path), tmp_path / "kept.table"
    assert "20,301 up to symmetry" in output(capsys, f"solve {right} --engine numba --table {kept}")
    assert "verified 20,301 canonical positions, all of them" in output(capsys, f"verify {kept}")
    before = kept.read_bytes()
    complaint(capsys, f"solve {two_heaps(tmp_path, 'lame', lame=1)} --engine numba --table {kept}")
    assert kept.read_bytes() == before
    assert sorted(found.name for found in tmp_path.glob("*kept*")) == ["kept.table", "kept.table.checked"]


@pytest.mark.parametrize("small", [0, 10**9])
def test_verify_finds_a_false_symmetry(tmp_path, monkeypatch, small):
    """It finds an entry that contradicts the moves at some position, or images that differ in a sample."""
    table = unchecked_table(two_heaps(tmp_path, lame=1), monkeypatch)
    monkeypatch.setattr("perfectplay.solvers.verify.SMALL", small)
    with pytest.raises(BadTable, match=r"is wrong: .*symmetries: image 1 of|but its moves give"):
        finished(verified(table))


@pytest.mark.parametrize("turns", [True, False])
def test_the_compiled_engine_finds_a_key_that_two_positions_share(tmp_path, capsys, turns):
    """The key inverts at all positions but one."""
    path = two_heaps(tmp_path, shared=SHARED, turns=turns)
    said = complaint(capsys, f"solve {path} --engine numba")
    assert "share the key" in said
    assert "after (" in said


def test_the_compiled_engine_finds_a_symmetry_that_is_false_at_a_finished_position(tmp_path, capsys):
    path = two_heaps(tmp_path)
    path.write_text(path.read_text().replace("LOSS if mine == 0", "LOSS if mine == 0 or mine == 7 | 20 << 8"))
    said = complaint(capsys, f"solve {path} --engine numba")
    assert "symmetries: image 1 of (" in said
    assert "another outcome" in said


def wrong_table(tmp_path, game, seed):
    """A table of the game in which one class has a wrong entry, and a position of that class."""
    entries, turns = solved_positions(game), images(game)
    position = Random(seed).choice(sorted(entries))
    value, distance = entries[position]
    for i in range(turns.count):
        entries[turns.image(*position, i)] = Entry(value, distance + 2)
    with (tmp_path / "made.table").open("wb") as sink:
        tabulate(game, entries, sink)
    return open_table(tmp_path / "made.table", game)


@pytest.mark.parametrize("seed", range(5))
def test_a_sample_as_large_as_the_table_finds_any_wrong_entry(tmp_path, seed):
    table = wrong_table(tmp_path, load("drop:4,3,3"), seed)
    with pytest.raises(BadTable, match=r"is wrong: \(\d+, \d+\) has .*, but its moves give"):
        finished(sampled(table, len(table), seed))


def test_the_interpreted_sample_is_at_least_20000_positions_in_every_verify(monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.verify.SMALL", 0)
    table = perfectplay.solve(load("drop:4,4,4"), "numba")
    asked = []
    found = in_table(table)
    watched = found._replace(keys_at=lambda places: asked.extend(places) or found.keys_at(places))
    monkeypatch.setattr("perfectplay.solvers.verify.in_table", lambda table: watched)
    assert finished(verified(table)) == len(table)
    assert len(set(asked)) == len(asked) == 20_000
    for tenth in range(10):  # spread over the whole table
        begin, end = len(table) * tenth // 10, len(table) * (tenth + 1) // 10
        assert sum(begin <= place < end for place in asked) == pytest.approx(2_000, abs=1)


def test_after_a_solve_the_fault_names_the_position(tmp_path):
    shipped = load("drop:3,3,3")
    game = replace(shipped, moves=lambda mine, theirs: shipped.moves(mine, theirs))
    table = wrong_table(tmp_path, game, 1)
    assert len(table) < size_after_solve(game)
    with pytest.raises(BadGame, match=r"is not solved: its solution is wrong: \(\d+, \d+\) has .*, but its moves give"):
        check_sample(in_table(table))
    check_sample(in_table(perfectplay.solve(game, "python")))


def test_a_sample_after_a_solve_is_small():
    assert size_after_solve(load("drop:4,3,3")) == sample_check.AFTER_SOLVE
    assert 50 <= size_after_solve(load("lines:7,9,4")) <= 100


def test_unwritten_solutions_are_checked_by_their_rules(tmp_path):
    game = load(str(two_heaps(tmp_path, lame=1)))
    with pytest.raises(BadGame, match="symmetries: image 1"):
        check_sample(sample_check.none_of(game))
    finished(without_table(load(str(two_heaps(tmp_path, "right"))), Options("numba")))


def test_sampled_positions_are_reachable():
    game = load("drop:4,3,3")
    reachable = solved_positions(game)
    met = met_in_play(game, 300, random.Random(1))
    assert len(met) == 300
    assert set(met) <= reachable.keys()


@pytest.mark.parametrize("name", ["tic-tac-toe", "lines:5,3,3", "lines:7,9,4", "drop:4,3,3", "kingpawns"])
def test_the_fast_canonical_form_is_the_canonical_form(name):
    game, rng = load(name), random.Random(1)
    quick, right = quick_canonical(game), canonical(game)
    for mine, theirs in met_in_play(game, 200, rng):
        assert quick(mine, theirs) == right(mine, theirs)


def test_permuting_eight_bits_at_a_time_equals_permuting_one_by_one():
    for permutation in turns_and_mirrors(5, 5):
        move = mover(permutation)
        for word in (0, 1, 1 << 24, (1 << 25) - 1, 0b10110_00101_11000_00011_01010):
            assert move(word) == sum(1 << permutation[square] for square in range(25) if word >> square & 1)
    assert isinstance(load("drop:4,3,3").symmetries, Images)
