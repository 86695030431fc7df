"""Sweeps: the variants that a text asks for, the best that can be had of each, and nothing found out twice."""

import csv
import io
import json
import os
import time
from itertools import count
from pathlib import Path

import pandas
import polars
import pyarrow.parquet
import pytest

import perfectplay
from command_line import complaint, output, started, wait_until
from homes import ROOT
from perfectplay import BadArgument
from perfectplay.__main__ import main
from perfectplay.insight.sweeps import finding as kept_facts, variant_workers
from perfectplay.insight.sweeps.finding import (
    VariantLimits,
    estimates,
    finding,
    search_proof,
    searched_facts,
)
from perfectplay.insight.sweeps.measures import BOUNDS, ESTIMATED, MEASURES, SEARCHED, SOLVED, facts_in, measures_named
from perfectplay.insight.sweeps.sweeping import names_in, variants_of
from perfectplay.processes.json_processes import JsonChild
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import SearchOracle
from perfectplay.solvers.scores import bounds_of
from perfectplay.solvers.steps import finished
from perfectplay.solvers.worth import worth_of

pytestmark = pytest.mark.usefixtures("in_process")
ASKED = "lines:2..3,2,2..3,misere=false|true"
FIELDS = ("game", "how", "value", "distance", "positions")
OWN = """
import os
import time
from perfectplay import DRAW, LOSS, ONGOING, BadGame, Game

WORKER = os.environ["TESTED_IN"] != str(os.getpid())

def game(length=3, value=0):
    if length > 5:
        raise BadGame(f"length must be at most 5, not {length}")
    1 / (length - 2)
    calls = []
    def moves(mine, theirs):
        calls.append(1)
        late = WORKER and len(calls) > 12  # a random game is over before that
        if late and value == 1:
            raise RuntimeError("no moves today")
        if late and value == 2:
            os.kill(os.getpid(), 9)
        while late and value == 3:
            time.sleep(1)
        return 0b11
    def play(mine, theirs, move):
        return theirs, mine + move + 1
    def outcome(mine, theirs):
        while value == 4:
            time.sleep(1)
        if value == 5:
            os._exit(3)
        return LOSS if mine + theirs >= length else ONGOING
    return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(2, 1))
"""


@pytest.fixture
def own_file(tmp_path, monkeypatch):
    """A user's file of rules, some of which raise errors, hang or end their process."""
    monkeypatch.setenv("TESTED_IN", str(os.getpid()))
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path / "own.py"


def swept(*texts, **options):
    return {row["game"]: row for row in perfectplay.sweep(*texts, **{"jobs": 1, "measures": [], **options})}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("tic-tac-toe", "tic-tac-toe"),
        ("lines:3..4,3,3", "lines:3,3,3 lines:4,3,3"),
        ("lines:3..4|6,3,3", "lines:3,3,3 lines:4,3,3 lines:6,3,3"),
        ("lines:3|3..4,3,3", "lines:3,3,3 lines:4,3,3"),
        ("lines:3,k=2..3,height=3", "lines:3,k=2,height=3 lines:3,k=3,height=3"),
        ("./my game.py:2,x=false|true", "./my game.py:2,x=false|./my game.py:2,x=true"),
    ],
)
def test_a_text_means_all_combinations_the_last_size_fastest(text, names):
    assert names_in(text) == names.split("|" if "|" in names else " ")


def test_switches_that_are_off_are_not_named_and_the_same_variant_is_swept_once():
    variants, skipped = variants_of([ASKED, "lines:3,2,3", "lines:width=3,height=2,k=3,misere=false"])
    names = [variant.game for variant, _ in variants]
    assert names.count("lines:3,2,3") == 1
    assert "lines:3,2,3,misere=true" in names
    assert not [name for name in names if "misere=false" in name]
    assert {one.game: one.why for one in skipped}["lines:2,2,3"] == "k must be 1 to 2, the longer side, not 3"
    assert variants[0][0].sizes == {"width": 2, "height": 2, "k": 2, "misere": False}
    left_out, _ = variants_of(["lines:3..4"])  # sizes that are left out follow the first
    assert [(variant.game, variant.sizes["k"]) for variant, _ in left_out] == [("lines:3,3,3", 3), ("lines:4,4,4", 4)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("lines:5..3,3,3", "range 5..3 is empty; write the least first: 3..5"),
        ("lines:3..,3,3", "'3..' is not a range"),
        ("lines:1..99999,3,3", "99,999 sizes; at most 10,000"),
        ("lines:1..999,1..999,3", "998,001 variants; ask for at most 10,000"),
        ("lines:", "names no sizes"),
        ("nope:3..4", "no game is called 'nope'"),
        ("connect-four:3..4", "has its sizes already"),
        ("openspiel:tic_tac_toe", "cannot be swept"),
        ("lines:1..2,1..2,5", "each of the 4 variants is impossible; lines:1,1,5: k must be 1"),
        ("lines:3-4,3,3", "'3-4' is not a range of sizes; write 3..5"),
        ("lines:3,3,3,misere=true..false", "or false|true for a switch"),
        ("lines:2|3|,3,3", "a size is missing between commas or bars"),
        ("tic-tac-toe --measure fun", "no measure is called 'fun'; there are classes"),
        ("tic-tac-toe --to page.pdf", "'page.pdf' does not end in .csv, .json, .parquet, .html or .htm"),
        ("lines:3..4,3,3 --map width,k", "k is the same for all variants; these sizes differ: width"),
        ("tic-tac-toe --map depth,width", "no size is called 'depth'; there are width, height, k, misere"),
    ],
)
def test_bad_input_gets_one_line(capsys, line, words):
    assert words in complaint(capsys, f"sweep {line}")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"measures": "depth"}, "not a list of names"),
        ({"seconds": 0}, "not a time"),
        ({"jobs": 0}, "jobs=0"),
        ({"memory": "5"}, "200M"),
    ],
)
def test_bad_arguments_are_refused(given, words):
    with pytest.raises(BadArgument, match=words):
        perfectplay.sweep("tic-tac-toe", **given)
    with pytest.raises(BadArgument, match="no variants"):
        perfectplay.sweep()


def test_json_is_a_list_of_rows_with_the_fields_of_the_contract(capsys):
    assert main(["sweep", ASKED, "--measure", "fairness,depth", "--json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert [row["game"] for row in rows] == [variant.game for variant, _ in variants_of([ASKED])[0]]
    keys = [*FIELDS[:1], "width", "height", "k", "misere", *FIELDS[1:]]
    keys += ["fairness", "fairness_random", "fairness_levels", "depth", "seconds"]
    assert [*rows[0]] == keys
    assert all([*row] == keys for row in rows)
    drawn = next(row for row in rows if row["game"] == "lines:3,2,3")
    assert [drawn[name] for name in FIELDS] == ["lines:3,2,3", "solved", "draw", 6, 265]
    assert "6 variants, 2 more are impossible; about" in err
    assert "lines:3,2,3: draw in 6 plies (solved), 265 positions" in err
    assert main(["sweep", ASKED, "--measure", "fairness,depth", "--json"]) == 0
    again, err = capsys.readouterr()
    assert json.loads(again) == rows  # seconds, too: nothing was found out again
    assert "6 known already; nothing to do" in err


def test_the_terminal_shows_what_stands_out_a_table_and_maps(capsys):
    shown = output(capsys, f"sweep {ASKED} --measure value --map k,width")
    assert "6 variants of lines, all solved\n" in shown
    assert "the first player wins 2, 2 are drawn and the second player wins 2." in shown
    assert "lines:3,2,3,misere=true  draw in 6 plies  ● solved        265\n" in shown
    assert "lines, misere: width by k\n" in shown
    assert "W the first player wins; D draw; L the first player loses" in shown
    assert "skipped: lines:2,2,3 and 1 other: k must be 1 to 2, the longer side, not 3" in shown
    rows = [line.split() for line in shown.splitlines() if line.startswith("3 ")]
    assert rows == [["3", "W3", "D6"], ["3", "L5", "D6"]]
    assert [line for line in shown.splitlines() if line != line.rstrip()] == []


def test_rows_are_taken_by_pandas_polars_and_files(tmp_path):
    found = perfectplay.sweep("lines:2..3,2,2", "hexapawn:3,3", measures=["fairness"], jobs=1)
    for frame in (pandas.DataFrame(found), polars.DataFrame(found)):
        assert [*frame.columns] == [*found[0]]
        assert [*frame["positions"]] == [29, 129, 131]
    assert "Sweep: 3 variants of lines and hexapawn, all solved" in repr(found)
    for ending in ("csv", "json", "parquet", "html"):
        found.save(tmp_path / f"rows.{ending}")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text())))
    assert [row["game"] for row in rows] == ["lines:2,2,2", "lines:3,2,2", "hexapawn:3,3"]
    assert rows[1]["misere"] == "false"
    assert [float(number) for number in rows[1]["fairness_levels"].split()] == found[1]["fairness_levels"]
    assert json.loads((tmp_path / "rows.json").read_text()) == found
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").to_pylist() == found
    assert "lines:3,2,2" in (tmp_path / "rows.html").read_text()


def test_measures_that_are_asked_for_later_are_added_and_the_rest_is_kept():
    first = swept("lines:3,2,3", measures=["fairness"])["lines:3,2,3"]
    game = load_game("lines:3,2,3")
    kept = kept_facts.read(kept_facts.facts_path(game))
    kept_facts.write(
        kept_facts.facts_path(game), game, facts_in({**kept.facts.to_dict(), "distance": 7}), VariantLimits(60.0)
    )
    second = swept("lines:3,2,3", measures=["depth"])["lines:3,2,3"]
    assert (first["distance"], second["distance"]) == (6, 7)  # solved once
    third = swept("lines:3,2,3", measures=["fairness", "depth"])["lines:3,2,3"]
    assert (third["fairness"], third["depth"]) == (first["fairness"], second["depth"])


def test_a_kept_table_is_used(capsys):
    perfectplay.solve("lines:3,3,3", keep=True)
    facts = finished(finding(load_game("lines:3,3,3"), (), VariantLimits(60.0)))
    assert (facts.how, facts.value, facts.distance, facts.positions) == (SOLVED, "draw", 9, 5478)
    assert facts.measures == {"classes": 765, "longest": 9}


def test_a_damaged_file_is_found_out_again():
    swept("lines:2,2,2")
    (path,) = kept_facts.files()
    path.write_text('{"game": "x"}')
    assert swept("lines:2,2,2")["lines:2,2,2"]["value"] == "win"


def test_more_time_is_worth_another_try_less_is_not():
    facts = facts_in({**searched_facts(proven(1, 1)).to_dict(), "how": SOLVED, "tried": ["fairness"]})
    fairness, depth = measures_named(["fairness"]), measures_named(["depth"])
    kept = kept_facts.StoredFacts("x", facts, 60.0, None)
    assert kept_facts.complete(kept, fairness, VariantLimits(60.0))
    assert kept_facts.complete(kept, fairness, VariantLimits(10.0, 1 << 30))
    assert not kept_facts.complete(kept, fairness, VariantLimits(61.0))
    assert not kept_facts.complete(kept, depth, VariantLimits(60.0))
    assert kept_facts.complete(kept._replace(facts=searched_facts(proven(1, 1))), depth, VariantLimits(60.0))
    limited = kept._replace(memory=1 << 30)
    assert not kept_facts.complete(limited, fairness, VariantLimits(60.0))
    assert not kept_facts.complete(limited, fairness, VariantLimits(60.0, 2 << 30))


def proven(low, high):
    return worth_of(bounds_of(load_game("connect-four"), low, high), 42)


def test_what_is_not_solved_is_searched_then_bounded_then_estimated(monkeypatch):
    game = load_game("connect-four")
    assert searched_facts(search_proof(game, time.monotonic(), 1)).how == SEARCHED  # its book has the start
    win = searched_facts(proven(1, 90))
    assert (win.how, win.value, win.distance, win.bounds) == (SEARCHED, "win", None, None)
    bounded = searched_facts(proven(0, 90))
    assert (bounded.how, bounded.value, bounded.bounds) == (BOUNDS, None, ("draw", "win"))
    monkeypatch.setattr(SearchOracle, "worth", lambda *_: proven(-90, 90))
    assert search_proof(game, time.monotonic(), 1) is None
    drawn = searched_facts(proven(0, 0))
    assert (drawn.value, drawn.distance) == ("draw", 42)


def test_random_games_estimate_what_the_odds_say_exactly():
    found = estimates(load_game("drop:3,3,3"), 0.0)
    odds = perfectplay.odds("drop:3,3,3", "random", "random").probability
    assert found["fairness_random"].low < odds.win + odds.draw / 2 < found["fairness_random"].high
    assert found["decisiveness_random"].low < odds.win + odds.loss < found["decisiveness_random"].high
    (row,) = perfectplay.sweep("drop:3,3,3", measures=["length", "branching"], jobs=1)
    for column in ("length_random", "branching_random"):
        value, low, high = found[column]
        assert low < row[column] < high
        assert low < value < high
    assert estimates(load_game("lines:1,1,1"), 0.0)["fairness_random"].low == pytest.approx(0.9)  # not certain


def test_an_estimate_never_looks_like_a_proof(monkeypatch):
    monkeypatch.setattr("perfectplay.insight.sweeps.finding.search_proof", lambda *_: None)
    facts = finished(finding(load_game("drop:9,9,4"), measures_named(["fairness"]), VariantLimits(0.5)))
    assert facts.how == ESTIMATED
    assert (facts.value, facts.distance, facts.positions, facts.measures) == (None, None, None, {})
    assert {*facts.estimates} == {f"{name}_random" for name in ("fairness", "decisiveness", "length", "branching")}
    assert facts.why
    assert facts.tried == ("fairness",)


def test_rules_that_fail_hang_or_end_the_process_cost_only_their_variant(own_file, monkeypatch):
    monkeypatch.setattr(variant_workers, "JsonChild", JsonChild)
    monkeypatch.setattr(variant_workers, "GRACE", 1.0)
    monkeypatch.setattr("perfectplay.insight.sweeps.sweeping.TO_PROBE", 4.0)
    found = perfectplay.sweep(f"{own_file}:5..6,0..5", measures=[], seconds=2, jobs=2)
    assert [*found.skipped.values()] == ["length must be at most 5, not 6"] * 6
    assert [row["how"] for row in found] == ["solved"] + 5 * ["failed"]
    reasons = ("no moves today", "SIGKILL: out of memory?", "running after 3 s", "running after 4 s", "exit code 3")
    assert all(words in row["why"] for row, words in zip(found[1:], reasons, strict=True))


def test_a_file_that_fails_for_some_sizes_costs_only_these(own_file, capsys):
    found = perfectplay.sweep(f"{own_file}:2..4", measures=["length"], jobs=1)
    assert [row["how"] for row in found] == ["failed", "solved", "solved"]
    assert "ZeroDivisionError" in found[0]["why"]
    assert [(row["size_length"], row["size_value"]) for row in found] == [(2, 0), (3, 0), (4, 0)]
    assert [(row["value"], row["length"]) for row in found[1:]] == [("loss", 2), ("win", 3)]
    assert main(["sweep", f"{own_file}:2"]) == 2
    assert "no variant works; " in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_told_once(monkeypatch):
    def refused(*_):
        raise PermissionError(13, "Permission denied", "there")

    monkeypatch.setattr(kept_facts, "write", refused)
    notes = []
    rows = perfectplay.sweep("nim:1..2,2", measures=[], jobs=1, progress=lambda step: notes.append(step.note))
    assert [row["how"] for row in rows] == ["solved", "solved"]
    assert sum("results cannot be kept: Permission denied: there" in note for note in notes) == 1


SWEEP = "sweep lines:2..3,2..3,2..3 --jobs 1"
"""Of 7 variants, and one that is impossible."""


def resumed(capsys):
    """Does the sweep once more; nothing that is kept is done twice."""
    before = {path: path.stat().st_mtime_ns for path in kept_facts.files()}
    assert main(f"{SWEEP} --resume --json".split()) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 7
    assert f"7 variants, 1 more is impossible; {len(before)} known already" in err
    assert err.count(" (solved), ") == 7 - len(before)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(kept_facts.files()) == 7


def test_an_interrupted_sweep_keeps_what_is_done_and_resumes(capsys, tmp_path, monkeypatch):
    answer, numbers = variant_workers.answer, count(1)

    def interrupted(message, parent):
        if next(numbers) == 3:
            raise KeyboardInterrupt
        return answer(message, parent)

    with monkeypatch.context() as patch:
        patch.setattr(variant_workers, "answer", interrupted)
        assert main([*SWEEP.split(), "--to", str(tmp_path / "page.html")]) == 130
    out, err = capsys.readouterr()
    assert "2 of 7 variants are done and kept, " in err
    assert "page.html not written; the same command resumes" in err
    assert "variants of lines" in out
    assert not (tmp_path / "page.html").exists()
    assert len(kept_facts.files()) == 2
    resumed(capsys)


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks /proc for processes")
def test_a_killed_sweep_resumes_without_doing_anything_twice(capsys):
    process = started(*SWEEP.split())
    wait_until(lambda: len(kept_facts.files()) >= 2)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.communicate()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    assert 2 <= len(kept_facts.files()) < 7
    resumed(capsys)


def test_results_are_listed_and_removed(capsys):
    swept("lines:2..3,3,3")
    assert "2 variants from sweeps" in output(capsys, "tables")
    output(capsys, "tables --remove sweeps")
    assert kept_facts.files() == []
    assert "sweeps" not in output(capsys, "tables")


@pytest.mark.nightly
def test_each_measure_is_defined_in_the_documentation():
    page = (ROOT / "docs" / "explanation" / "measures.md").read_text()
    for one in MEASURES:
        assert one.sentence in page
        assert all(f"`{column}`" in page for column in one.columns), one.name


PAGE = ROOT / "docs" / "how-to" / "sweep-over-variants.md"
INVENTED = [line.split("`")[1] for line in PAGE.read_text().splitlines() if line.startswith("| `3,3,3")]


@pytest.mark.nightly
@pytest.mark.parametrize("name", INVENTED)
def test_the_page_tells_of_invented_games_what_is_true(name):
    (told,) = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{name}` ")]
    (row,) = perfectplay.sweep(f"./examples/invent.py:{name}", jobs=1)
    shares = [f"{row['fairness']:.1%}", f"{row['decisiveness']:.1%}"]
    cells = [row["value"], *shares, str(row["depth"]), f"{row['length_random']:.1f}"]
    assert told.strip("| ").split(" | ")[1:] == cells
