"""Sweeps: the variants that a text asks for, the best that can be had of each, and nothing found out twice."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas
import polars
import pyarrow.parquet
import pytest

import perfectplay
from command_line import complaint, output, wait_until
from homes import ROOT
from perfectplay import BadArgument, BadGame
from perfectplay.front.cli import main
from perfectplay.loading import load_game
from perfectplay.solvers.scores import bounds_of
from perfectplay.solvers.steps import finished
from perfectplay.sweeps import kept_facts, variant_workers
from perfectplay.sweeps.facts import BOUNDS, ESTIMATED, SEARCHED, SOLVED, facts_in
from perfectplay.sweeps.finding import Limits, finding, searched_facts
from perfectplay.sweeps.measures import MEASURES, measures_named
from perfectplay.sweeps.random_estimates import estimates
from perfectplay.sweeps.searched_value import proven_by, searched
from perfectplay.sweeps.variants import names_in, variants_of

ASKED = "lines:2..3,2..3,2..3,misere=false|true"
FIELDS = ("game", "how", "value", "distance", "positions")
OWN = """
import os
from perfectplay import DRAW, LOSS, ONGOING, BadGame, Game

WORKER = os.environ["TESTED_IN"] != str(os.getpid())

def game(n=3, how=0):
    if n > 5:
        raise BadGame(f"n must be at most 5, not {n}")
    calls = []
    def moves(mine, theirs):
        calls.append(1)
        late = WORKER and len(calls) > 12  # a random game is over before that
        if late and how == 1:
            raise RuntimeError("no moves today")
        if late and how == 2:
            os.kill(os.getpid(), 9)
        while late and how == 3:
            pass
        return 0b11
    def play(mine, theirs, move):
        return theirs, mine + move + 1
    def outcome(mine, theirs):
        return LOSS if mine + theirs >= n else ONGOING
    return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(2, 1))
"""


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    """A data folder of its own, with the compiled code of all tests."""
    shared = os.environ["PERFECTPLAY_HOME"]
    monkeypatch.setenv("PERFECTPLAY_HOME", str(tmp_path))
    monkeypatch.setenv("TESTED_IN", str(os.getpid()))
    (tmp_path / "cache").symlink_to(Path(shared) / "cache")
    (Path(shared) / "cache").mkdir(exist_ok=True)
    return tmp_path


def swept(*texts, **options):
    return {row["game"]: row for row in perfectplay.sweep(*texts, **{"jobs": 1, "measures": [], **options})}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("tic-tac-toe", "tic-tac-toe"),
        ("lines:3..4,3,3", "lines:3,3,3 lines:4,3,3"),
        ("lines:3|5,3,3", "lines:3,3,3 lines:5,3,3"),
        ("lines:3..4|6,3,3", "lines:3,3,3 lines:4,3,3 lines:6,3,3"),
        ("lines:3|3..4,3,3", "lines:3,3,3 lines:4,3,3"),
        ("lines:3,k=2..3,height=3", "lines:3,k=2,height=3 lines:3,k=3,height=3"),
        (
            "./my game.py:1..2,x=false|true",
            "./my game.py:1,x=false|./my game.py:1,x=true|./my game.py:2,x=false|./my game.py:2,x=true",
        ),
    ],
)
def test_a_text_means_all_combinations_the_last_size_fastest(text, names):
    assert names_in(text) == names.split("|" if "|" in names else " ")


def test_switches_that_are_off_are_not_named_and_the_same_variant_is_swept_once():
    variants, skipped = variants_of([ASKED, "lines:3,3,3", "lines:width=3,height=3,k=3,misere=false"])
    names = [variant.game for variant, _ in variants]
    assert names.count("lines:3,3,3") == 1
    assert "lines:3,3,3,misere=true" in names
    assert not [name for name in names if "misere=false" in name]
    assert {one.game: one.why for one in skipped}["lines:2,2,3"] == "k must be 1 to 2, the longer side, not 3"
    assert variants[0][0].sizes == {"width": 2, "height": 2, "k": 2, "misere": False}


def test_sizes_that_are_left_out_follow_the_first():
    variants, _ = variants_of(["lines:3..4"])
    assert [(variant.game, variant.sizes["k"]) for variant, _ in variants] == [("lines:3,3,3", 3), ("lines:4,4,4", 4)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("lines:5..3,3,3", "range 5..3 is empty; write the least first: 3..5"),
        ("lines:3..,3,3", "'3..' is not a range"),
        ("lines:1..99999,3,3", "99,999 sizes; at most 10,000"),
        ("lines:1..999,1..999,3", "998,001 variants; ask for at most 10,000"),
        ("lines:3..4,x,3", "'x' is not a size"),
        ("lines:3,3,3,4,5", "wrong sizes"),
        ("lines:", "names no sizes"),
        ("nope:3..4", "no game is called 'nope'"),
        ("connect-four:3..4", "has its sizes already"),
        ("openspiel:tic_tac_toe", "cannot be swept"),
        ("./none.py:3..4", "there is no file './none.py'"),
        ("lines:1..2,1..2,5", "each of the 4 variants is impossible; lines:1,1,5: k must be 1"),
        ("lines:3,3,4", "the only variant is impossible; lines:3,3,4: k must be 1"),
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
        ({"seconds_each": 0}, "not a time"),
        ({"jobs": 0}, "jobs=0"),
        ({"memory": "5"}, "200M"),
    ],
)
def test_bad_arguments_are_refused(given, words):
    with pytest.raises(BadArgument, match=words):
        perfectplay.sweep("tic-tac-toe", **given)
    with pytest.raises(BadArgument, match="no variants"):
        perfectplay.sweep()


def test_json_is_a_list_of_rows_with_the_fields_of_the_contract(capsys, own_home):
    assert main(["sweep", ASKED, "--measure", "fairness,depth", "--json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert [row["game"] for row in rows] == [variant.game for variant, _ in variants_of([ASKED])[0]]
    keys = [*FIELDS[:1], "width", "height", "k", "misere", *FIELDS[1:]]
    keys += ["fairness", "fairness_random", "fairness_levels", "depth", "seconds"]
    assert [*rows[0]] == keys
    assert all([*row] == keys for row in rows)
    tic_tac_toe = next(row for row in rows if row["game"] == "lines:3,3,3")
    assert [tic_tac_toe[name] for name in FIELDS] == ["lines:3,3,3", "solved", "draw", 9, 5478]
    assert "14 variants, 2 more are impossible; about" in err
    assert "lines:3,3,3: draw in 9 plies (solved), 5,478 positions" in err
    assert main(["sweep", ASKED, "--measure", "fairness,depth", "--json"]) == 0
    again, err = capsys.readouterr()
    assert json.loads(again) == rows  # seconds, too: nothing was found out again
    assert "14 known already; nothing to do" in err


def test_the_terminal_shows_what_stands_out_a_table_and_maps(capsys, own_home):
    shown = output(capsys, f"sweep {ASKED} --measure value --map height,width")
    assert "14 variants of lines, all solved." in shown
    assert "the first player wins 4, 6 are drawn and the second player wins 4." in shown
    assert "lines:3,3,3,misere=true  solved      D9      5,478" in shown
    assert "result, lines, k=2: width by height" in shown
    assert "skipped: lines:2,2,3 and 1 other: k must be 1 to 2, the longer side, not 3" in shown
    assert next(line.split() for line in shown.splitlines() if line.startswith("3 ")) == ["3", "W3", "W3"]


def test_rows_are_taken_by_pandas_and_polars_as_they_are(own_home):
    rows = perfectplay.sweep("lines:2..3,3,3", "hexapawn:3,3", measures=["fairness"], jobs=1)
    frame, other = pandas.DataFrame(rows), polars.DataFrame(rows)
    assert list(frame.columns) == other.columns == [*rows[0]]
    assert frame["positions"].tolist() == other["positions"].to_list() == [265, 5478, 131]
    assert frame.set_index("game").loc["hexapawn:3,3", "value"] == "loss"
    assert other.filter(polars.col("width") == 2)["value"].to_list() == ["draw"]
    assert "Sweep: 3 variants of lines and hexapawn, all solved" in repr(rows)


def test_files_have_all_rows(own_home, tmp_path):
    found = perfectplay.sweep("lines:2..3,3,3", measures=["fairness"], jobs=1)
    for ending in ("csv", "json", "parquet", "html"):
        found.save(tmp_path / f"rows.{ending}")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text())))
    assert [row["game"] for row in rows] == ["lines:2,3,3", "lines:3,3,3"]
    assert rows[1]["misere"] == "false"
    assert [float(number) for number in rows[1]["fairness_levels"].split()] == found[1]["fairness_levels"]
    assert json.loads((tmp_path / "rows.json").read_text()) == found
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").to_pylist() == found
    assert "lines:3,3,3" in (tmp_path / "rows.html").read_text()


def test_measures_that_are_asked_for_later_are_added_and_the_rest_is_kept(own_home):
    first = swept("lines:3,3,3", measures=["fairness"])["lines:3,3,3"]
    game = load_game("lines:3,3,3")
    kept = kept_facts.read(kept_facts.place_of(game))
    kept_facts.write(kept_facts.place_of(game), game, facts_in({**kept.facts.to_dict(), "distance": 7}), Limits(60.0))
    second = swept("lines:3,3,3", measures=["depth"])["lines:3,3,3"]
    assert (first["distance"], second["distance"]) == (9, 7)  # solved once
    third = swept("lines:3,3,3", measures=["fairness", "depth"])["lines:3,3,3"]
    assert (third["fairness"], third["depth"]) == (first["fairness"], second["depth"])


def test_a_kept_table_is_used(own_home, capsys):
    perfectplay.solve("lines:3,3,3", keep=True)
    facts = finished(finding(load_game("lines:3,3,3"), (), Limits(60.0)))
    assert (facts.how, facts.value, facts.distance, facts.positions) == (SOLVED, "draw", 9, 5478)
    assert facts.measures == {"classes": 765, "longest": 9}


def test_a_damaged_file_is_found_out_again(own_home):
    swept("lines:2,2,2")
    (path,) = kept_facts.files()
    path.write_text('{"game": "x"}')
    assert swept("lines:2,2,2")["lines:2,2,2"]["value"] == "win"


def test_more_time_is_worth_another_try_less_is_not():
    facts = facts_in({**searched_facts(proven(1, 1)).to_dict(), "how": SOLVED, "tried": ["fairness"]})
    fairness, depth = measures_named(["fairness"]), measures_named(["depth"])
    kept = kept_facts.Kept("x", facts, 60.0, None)
    assert kept_facts.complete(kept, fairness, Limits(60.0))
    assert kept_facts.complete(kept, fairness, Limits(10.0, 1 << 30))
    assert not kept_facts.complete(kept, fairness, Limits(61.0))
    assert not kept_facts.complete(kept, depth, Limits(60.0))
    assert kept_facts.complete(kept._replace(facts=searched_facts(proven(1, 1))), depth, Limits(60.0))
    limited = kept._replace(memory=1 << 30)
    assert not kept_facts.complete(limited, fairness, Limits(60.0))
    assert not kept_facts.complete(limited, fairness, Limits(60.0, 2 << 30))


def proven(low, high):
    return proven_by(load_game("connect-four"), bounds_of(load_game("connect-four"), low, high))


def test_what_is_not_solved_is_searched_then_bounded_then_estimated():
    game = load_game("connect-four")
    assert searched_facts(searched(game, time.monotonic(), 1)).how == SEARCHED  # its book has the start
    win = searched_facts(proven(1, 90))
    assert (win.how, win.value, win.distance, win.bounds) == (SEARCHED, "win", None, None)
    bounded = searched_facts(proven(0, 90))
    assert (bounded.how, bounded.value, bounded.bounds) == (BOUNDS, None, ("draw", "win"))
    assert proven(-90, 90) is None
    drawn = searched_facts(proven(0, 0))
    assert (drawn.value, drawn.distance) == ("draw", 42)


def test_random_games_estimate_what_the_odds_say_exactly():
    found = estimates(load_game("tic-tac-toe"), 0.0)
    odds = perfectplay.odds("tic-tac-toe", "random", "random").probability
    assert found["fairness_random"].low < odds.win + odds.draw / 2 < found["fairness_random"].high
    assert found["decisiveness_random"].low < odds.win + odds.loss < found["decisiveness_random"].high
    (row,) = perfectplay.sweep("tic-tac-toe", measures=["length", "branching"], jobs=1)
    for column in ("length_random", "branching_random"):
        value, low, high = found[column]
        assert low < row[column] < high
        assert low < value < high
    assert estimates(load_game("lines:1,1,1"), 0.0)["fairness_random"].low == pytest.approx(0.9)  # not certain


def test_an_estimate_never_looks_like_a_proof(own_home, monkeypatch):
    monkeypatch.setattr("perfectplay.sweeps.finding.searched", lambda *_: None)
    facts = finished(finding(load_game("drop:9,9,4"), measures_named(["fairness"]), Limits(0.5)))
    assert facts.how == ESTIMATED
    assert (facts.value, facts.distance, facts.positions, facts.measures) == (None, None, None, {})
    assert {*facts.estimates} == {f"{name}_random" for name in ("fairness", "decisiveness", "length", "branching")}
    assert facts.why
    assert facts.tried == ("fairness",)


def test_variants_that_fail_say_why_and_the_others_go_on(own_home, tmp_path, monkeypatch):
    monkeypatch.setattr(variant_workers, "GRACE", 1.0)
    (tmp_path / "own.py").write_text(OWN)
    asked = f"{tmp_path}/own.py:4..6,how=0..3"
    found = perfectplay.sweep(asked, measures=[], seconds_each=2, jobs=2)
    rows = {row["game"].rpartition(":")[2]: row for row in found}
    assert [*found.skipped.values()] == ["n must be at most 5, not 6"] * 4
    assert rows["4,how=0"]["how"] == rows["5,how=0"]["how"] == "solved"
    for number, words in (
        (1, "RuntimeError: no moves today"),
        (2, "SIGKILL: out of memory?"),
        (3, "still running after 3 s"),
    ):
        assert {rows[f"{n},how={number}"]["how"] for n in (4, 5)} == {"failed"}
        assert all(words in rows[f"{n},how={number}"]["why"] for n in (4, 5)), number
    assert rows["4,how=0"]["why"] is None


def test_a_size_that_is_called_like_a_column_keeps_its_own(own_home, tmp_path):
    (tmp_path / "own.py").write_text(
        "from perfectplay import LOSS, ONGOING, Game\n\ndef game(length=3, value=0):\n"
        "    return Game(moves=lambda mine, theirs: 3, play=lambda mine, theirs, move: (theirs, mine + move + 1),\n"
        "        outcome=lambda mine, theirs: LOSS if mine + theirs >= length else ONGOING, bits=4, shape=(2, 1))\n"
    )
    found = perfectplay.sweep(f"{tmp_path}/own.py:3..4,0", measures=["length"], jobs=1)
    assert [row["size_length"] for row in found] == [3, 4]
    assert [row["size_value"] for row in found] == [0, 0]
    assert [row["value"] for row in found] == ["loss", "win"]
    assert found[0]["length"] == 2


def test_rules_that_hang_or_end_the_process_cost_only_their_variant(own_home, tmp_path, monkeypatch):
    monkeypatch.setattr("perfectplay.sweeps.sweeping.TO_PROBE", 2.0)
    hanging = "        while how == 1:\n            pass\n        if how == 2:\n            os._exit(3)\n"
    text = OWN.replace("late and how", "False and how")
    (tmp_path / "own.py").write_text(
        text.replace("    def outcome(mine, theirs):\n", "    def outcome(mine, theirs):\n" + hanging)
    )
    rows = [*perfectplay.sweep(f"{tmp_path}/own.py:4,how=0..2", measures=[], jobs=1)]
    assert [row["how"] for row in rows] == ["solved", "failed", "failed"]
    assert "still running after 2 s" in rows[1]["why"]
    assert "its process ended with exit code 3" in rows[2]["why"]


def test_a_folder_that_cannot_be_written_is_told_once(own_home, monkeypatch):
    def refused(*_):
        raise PermissionError(13, "Permission denied", "there")

    monkeypatch.setattr(kept_facts, "write", refused)
    notes = []
    rows = perfectplay.sweep("nim:1..2,2", measures=[], jobs=1, progress=lambda step: notes.append(step.note))
    assert [row["how"] for row in rows] == ["solved", "solved"]
    assert sum("results cannot be kept: Permission denied: there" in note for note in notes) == 1


def test_a_file_that_fails_for_some_sizes_costs_only_these(own_home, tmp_path, capsys):
    (tmp_path / "own.py").write_text(OWN.replace("if n > 5:", "1 / (n - 4)\n    if n > 5:"))
    found = perfectplay.sweep(f"{tmp_path}/own.py:3..5", measures=[], jobs=1)
    assert [row["how"] for row in found] == ["solved", "failed", "solved"]
    assert "ZeroDivisionError" in found[1]["why"]
    assert main(["sweep", f"{tmp_path}/own.py:4"]) == 2
    assert "perfectplay: no variant works; " in capsys.readouterr().err


def started(*arguments, home):
    """A sweep in a process of its own, with Ctrl-C as a shell leaves it."""
    return subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "sweep", "lines:2..3,2..3,2..3", "drop:3..4,3..4,3", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PERFECTPLAY_HOME": str(home)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def children_of(process):
    return [int(one) for one in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks /proc for processes")
def test_a_killed_sweep_resumes_without_doing_anything_twice(own_home):
    process = started("--jobs", "1", home=own_home)
    wait_until(lambda: len(kept_facts.files()) >= 3)
    workers = children_of(process)
    process.kill()
    process.communicate()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    before = {path: path.stat().st_mtime_ns for path in kept_facts.files()}
    assert 3 <= len(before) < 11
    again = started("--jobs", "1", "--resume", "--json", home=own_home)
    out, err = again.communicate()
    assert again.returncode == 0
    assert len(json.loads(out)) == 11
    assert f"11 variants, 1 more is impossible; {len(before)} known already" in err
    assert err.count(" (solved), ") == 11 - len(before)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(kept_facts.files()) == 11


def test_ctrl_c_keeps_what_is_done(own_home, tmp_path):
    process = started("--jobs", "1", "--to", str(tmp_path / "page.html"), home=own_home)
    wait_until(lambda: len(kept_facts.files()) >= 2)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert "of 11 variants are done and kept, " in err
    assert "page.html not written; the same command resumes" in err
    assert "variants of lines" in out
    assert not (tmp_path / "page.html").exists()
    assert len(kept_facts.files()) >= 2


def test_results_are_listed_and_removed(own_home, capsys):
    swept("lines:2..3,3,3")
    assert "2 variants from sweeps" in output(capsys, "tables")
    output(capsys, "tables --remove sweeps")
    assert kept_facts.files() == []
    assert "sweeps" not in output(capsys, "tables")


def test_each_measure_is_defined_in_the_documentation():
    page = (ROOT / "docs" / "explanation" / "measures.md").read_text()
    for one in MEASURES:
        assert one.sentence in page
        assert all(f"`{column}`" in page for column in one.columns), one.name


INVENTED = "./examples/invent.py"
PAGE = ROOT / "docs" / "how-to" / "sweep-over-variants.md"
QUICK = ("3,3,3", "3,3,3,misere=true", "3,3,3,gravity=true", "3,3,3,gravity=true,misere=true")


def told_of_invented():
    """The rows of the page about invented games, by their sizes."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| `3,3,3")]
    return {row[0].split("`")[1]: row[1:] for row in rows}


def found_of(name):
    """The same cells, computed."""
    (row,) = perfectplay.sweep(f"{INVENTED}:{name}", jobs=1)
    shares = [f"{row['fairness']:.1%}", f"{row['decisiveness']:.1%}"]
    return [row["value"], *shares, str(row["depth"]), f"{row['length_random']:.1f}"]


@pytest.mark.parametrize("name", QUICK)
def test_the_page_tells_of_invented_games_what_is_true(name):
    assert told_of_invented()[name] == found_of(name)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name",
    [f"3,3,3{gravity},fading=true{misere}" for gravity in ("", ",gravity=true") for misere in ("", ",misere=true")],
)
def test_the_page_tells_of_fading_games_what_is_true(name):
    assert told_of_invented()[name] == found_of(name)


def test_unknown_games_are_refused_by_python_too():
    with pytest.raises(BadGame, match="no game is called"):
        perfectplay.sweep("nope:3..4")
