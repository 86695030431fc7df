"""Checks of a solution find wrong entries, false symmetries and shared keys, and a wrong table is never saved."""

from dataclasses import replace
from random import Random

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame, BadTable, Entry, load, open_table
from perfectplay.bits import mover, turns_and_mirrors
from perfectplay.game import canonical, images, quick_canonical
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table import Table, tabulate
from perfectplay.solvers.validity import verify_compiled
from perfectplay.solvers.validity.sample_check import AFTER_SOLVE, in_table, met_in_play, size_after_solve
from perfectplay.solvers.validity.validation import check_sample
from perfectplay.solvers.validity.verify import verify_sample, verify_table
from perfectplay.solvers.validity.verify_compiled import WrongEntry
from rings import nightly
from two_heaps import two_heaps

MOVES_GIVE = r"is wrong: \(\d+, \d+\) has .*, but its moves give"


@pytest.fixture(params=[0, 10**9], ids=["compiled", "interpreted"])
def rules(request, monkeypatch):
    """Lets compiled rules verify the whole table, or interpreted ones."""
    monkeypatch.setattr("perfectplay.solvers.validity.verify.SMALL", request.param)


@pytest.fixture
def table_with(tmp_path):
    def table_with(game, entries):
        """A table with these entries."""
        with (tmp_path / "made.table").open("wb") as sink:
            tabulate(game, entries, sink)
        return open_table(tmp_path / "made.table", game)

    return table_with


def wrong_entries(game, seed):
    """The entries of the game, those of one class wrong."""
    entries, turns, rng = solved_positions(game), images(game), Random(seed)
    position = rng.choice(sorted(entries))
    value, distance = entries[position]
    wrong = rng.choice([Entry(value, distance + 2), Entry(-value or WIN, distance), Entry(DRAW, None)])
    wrong = Entry(value, distance + 1) if wrong == entries[position] else wrong
    return entries | {turns.image(*position, i): wrong for i in range(turns.count)}


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("name", ["fading:3,2", *nightly("tic-tac-toe", "kingpawns", "examples/hexapawn.py")])
def test_correct_tables_are_verified(name):
    table = perfectplay.solve(load(name), "python")
    assert finished(verify_table(table)) == len(table)
    assert finished(verify_sample(table, 50, seed=1)) == 50


@pytest.mark.parametrize("seed", range(4))
def test_every_wrong_entry_is_found(table_with, seed):
    game = load("drop:4,3,3")
    table = table_with(game, wrong_entries(game, seed))
    with pytest.raises(BadTable, match="is wrong"):
        finished(verify_table(table))
    with pytest.raises(BadTable, match=MOVES_GIVE):
        finished(verify_sample(table, len(table), seed))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Entry(DRAW, 9), r"\(0, 0\) does not follow from its children"),  # by the compiled rules alone
        (Entry(WIN, 5), r"\(0, 0\) has win in 5 plies, but its moves give draw"),
    ],
)
def test_what_the_second_compiled_check_finds_is_told_in_the_words_of_the_interpreted_rules(entry, words, monkeypatch):
    class Check:
        """A check by rules as written, which fail, or by guarded ones, which find a wrong entry."""

        def __init__(self, table, run, pool, guards=True):
            self.fault = WrongEntry(table.key_of((0, 0)), entry) if guards else IndexError()

        def wait(self):
            yield from ()
            raise self.fault

    monkeypatch.setattr(verify_compiled, "Check", Check)
    with pytest.raises(BadTable, match=words):
        finished(verify_compiled.verify_by_kernels(perfectplay.solve("tic-tac-toe", "python"), iter(())))


def test_after_a_solve_the_fault_names_the_position(table_with):
    shipped = load("drop:3,3,3")
    game = replace(shipped, moves=lambda mine, theirs: shipped.moves(mine, theirs))
    with pytest.raises(BadGame, match=f"is not solved: its solution {MOVES_GIVE}"):
        check_sample(in_table(table_with(game, wrong_entries(game, 1))))
    check_sample(in_table(perfectplay.solve(game, "python")))


def test_missing_and_superfluous_positions_are_found(table_with):
    game = load("drop:4,3,3")
    entries, turns = solved_positions(game), images(game)
    ended = [position for position in entries if game.outcome(*position) != ONGOING]
    gone = {turns.image(*ended[5], i) for i in range(turns.count)}
    with pytest.raises(BadTable, match=r"is wrong: after .* cannot be reached|does not follow"):
        finished(verify_table(table_with(game, {p: e for p, e in entries.items() if p not in gone})))
    unreachable = (0, 0b111)  # three marks of one side and none of the other
    assert game.outcome(*unreachable) == LOSS
    with pytest.raises(BadTable, match="is wrong: 1 position cannot be reached"):
        finished(verify_table(table_with(game, {**entries, unreachable: Entry(LOSS, 0)})))


def test_wrong_counts_are_found():
    solved = perfectplay.solve("tic-tac-toe", "python")
    table = Table(solved.game, solved.reader)
    table.header = replace(table.header, wins=table.header.wins + 2, losses=table.header.losses - 2)
    with pytest.raises(BadTable, match="its header has"):
        finished(verify_table(table))
    table.header = replace(table.header, value=WIN)
    with pytest.raises(BadTable, match="the start differs from its header"):
        finished(verify_table(table))


@pytest.mark.nightly
def test_the_interpreted_sample_is_at_least_20000_positions_in_every_verify(monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.validity.verify.SMALL", 0)
    table = perfectplay.solve(load("drop:4,4,4"), "numba")
    asked = []
    found = in_table(table)
    watched = found._replace(keys_at=lambda places: asked.extend(places) or found.keys_at(places))
    monkeypatch.setattr("perfectplay.solvers.validity.verify.in_table", lambda table: watched)
    assert finished(verify_table(table)) == len(table)
    assert len(set(asked)) == len(asked) == 20_000
    for tenth in range(10):  # spread over the whole table
        begin, end = len(table) * tenth // 10, len(table) * (tenth + 1) // 10
        assert sum(begin <= place < end for place in asked) == pytest.approx(2_000, abs=1)


def test_a_sample_after_a_solve_is_small():
    assert size_after_solve(load("drop:4,3,3")) == AFTER_SOLVE
    assert 50 <= size_after_solve(load("lines:7,9,4")) <= 100


# Rules that are wrong in a few positions, far from the start


FALSE_WHEN_OVER = ("LOSS if mine == 0", "LOSS if mine == 0 or mine == 7 | 20 << 8")
SHARED = 150 | 3 << 8
"""A position with 150 and 3 in the heaps."""


@pytest.mark.parametrize(
    ("faults", "change", "option", "words"),
    [
        ({"lame": 1}, None, "--no-table", ("symmetries: image 1 of (", "which has other moves")),
        *nightly(
            ({"shared": SHARED}, None, "", ("share the key", "after (")),
            ({"lame": 1}, None, "", ("symmetries: image 1 of (", "which has other moves")),
            ({"shared": SHARED, "turns": False}, None, "", ("share the key", "after (")),
            ({}, FALSE_WHEN_OVER, "", ("symmetries: image 1 of (", "another outcome")),
        ),
    ],
)
def test_the_compiled_engine_refuses_symmetries_and_keys_that_are_false_anywhere(
    faults, change, option, words, tmp_path, capsys
):
    path = two_heaps(tmp_path, **faults)
    if change:
        path.write_text(path.read_text().replace(*change))
    said = complaint(capsys, f"solve {path} --engine numba {option}")
    assert all(word in said for word in words)


def test_a_wrong_table_is_not_saved_and_a_correct_one_stays(tmp_path, capsys):
    right, kept = two_heaps(tmp_path), tmp_path / "kept.table"
    assert "20,301 up to symmetry" in output(capsys, f"solve {right} --engine numba --to {kept}")
    assert "verified 20,301 canonical positions, all of them" in output(capsys, f"verify {kept}")
    before = kept.read_bytes()
    complaint(capsys, f"solve {two_heaps(tmp_path, 'lame', lame=1)} --engine numba --to {kept}")
    assert kept.read_bytes() == before
    assert sorted(found.name for found in tmp_path.glob("*kept*")) == ["kept.table", "kept.table.checked"]


@pytest.mark.usefixtures("rules")
def test_verify_finds_a_false_symmetry(tmp_path, monkeypatch):
    """It finds an entry that contradicts the moves at some position, or images that differ in a sample."""
    with monkeypatch.context() as patch:
        patch.setattr("perfectplay.solvers.complete.check_table", lambda table, solved, threads: iter(()))
        table = finished(solving(load(str(two_heaps(tmp_path, lame=1))), Options("numba")))
    with pytest.raises(BadTable, match=r"is wrong: .*symmetries: image 1 of|but its moves give"):
        finished(verify_table(table))


# What samples are made of


def test_sampled_positions_are_reachable():
    game = load("drop:4,3,3")
    met = met_in_play(game, 300, Random(1))
    assert len(met) == 300
    assert set(met) <= solved_positions(game).keys()


@pytest.mark.parametrize("name", ["lines:5,3,3", "lines:7,9,4", "drop:4,3,3", "kingpawns"])
def test_the_fast_canonical_form_is_the_canonical_form(name):
    game = load(name)
    quick, right = quick_canonical(game), canonical(game)
    assert all(quick(*position) == right(*position) for position in met_in_play(game, 200, Random(1)))


def test_permuting_eight_bits_at_a_time_equals_permuting_one_by_one():
    for permutation in turns_and_mirrors(5, 5):
        move = mover(permutation)
        for word in (0, 1, 1 << 24, (1 << 25) - 1, 0b10110_00101_11000_00011_01010):
            assert move(word) == sum(1 << permutation[square] for square in range(25) if word >> square & 1)
