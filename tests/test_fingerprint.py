"""The fingerprint of a game: one for the same rules in every process, another for changed data, or none at all."""

import dataclasses
import json
import subprocess
import sys

import pytest

import perfectplay
from commands import complaint, output
from perfectplay import DRAW, LOSS, ONGOING, Game, load
from perfectplay.fingerprint import NoFingerprint, fingerprint, why_no_fingerprint
from perfectplay.front.cli import main
from perfectplay.loading import load_file
from perfectplay.words import BadTable

AS_EVER = {
    "tic-tac-toe": "aa1e4e7d6195196931e3d384b588349a8618ee6b829292850647100daf989302",
    "connect-four": "abee0d712a01082d92ea5c2a878ecb83e06a243490b11d78ce12784ee0ff2217",
    "tactic-toe": "cefd055a69d66374135f13a006d84e383431bc32f86fa80363ac4c36af3f9b67",
    "kingpawns": "649cee66511ca3adcb26489324f13bb252bbee5521eef0136fc23e3c2742a18d",
    "examples/hexapawn.py": "2a81ca203e0eae50d6292e2a8836a9e14569ec0899bc784abf8f2dad52d12053",
}
"""Tables and books that people have were made with these."""

RULES = """
from perfectplay import LOSS, ONGOING, Game

{data}

def moves(mine, theirs):
    return 1

def play(mine, theirs, move):
    return mine + 1, 0

{outcome}

def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=12, shape=(1, 1))
"""
PLAIN = "def outcome(mine, theirs):\n    return LOSS if {} else ONGOING"

KINDS = {
    "a list": ("ENDS = [1, 2000]", PLAIN.format("mine == ENDS[1]")),
    "a list of lists": ("ENDS = [[], [[2000]]]", PLAIN.format("mine == ENDS[1][0][0]")),
    "a list that holds itself": ("ENDS = [2000]\nENDS.append(ENDS)", PLAIN.format("mine == ENDS[1][0]")),
    "a tuple of texts": ("ENDS = ('x' * 2000, '')", PLAIN.format("mine == len(ENDS[0])")),
    "a generator expression": ("ENDS = [2000, 3000]", PLAIN.format("any(mine == end for end in ENDS)")),
    "a comprehension": ("ENDS = [2000, 3000]", PLAIN.format("mine in [end for end in ENDS]")),
    "a dict": ("ENDS = {'last': 2000}", PLAIN.format("mine == ENDS['last']")),
    "a set": ("ENDS = {2000, 'a', 'b', 'c'}", PLAIN.format("mine in ENDS")),
    "a set of tuples": ("ENDS = {(2000, 0), ('a', 'b'), ()}", PLAIN.format("(mine, theirs) in ENDS")),
    "a frozenset": ("ENDS = frozenset([2000, 'a', 'b'])", PLAIN.format("mine in ENDS")),
    "a set in the code": ("", PLAIN.format("mine in {2000, 3000}")),
    "a text": ("END = '2000'", PLAIN.format("mine == int(END)")),
    "bytes": ("END = b'2000'", PLAIN.format("mine == int(END)")),
    "a bytearray": ("END = bytearray(b'2000')", PLAIN.format("mine == int(END)")),
    "a fraction": ("END = 2000.5", PLAIN.format("mine + 0.5 == END")),
    "a range": ("ENDS = range(2000, 3000)", PLAIN.format("mine in ENDS")),
    "a default": ("", "def outcome(mine, theirs, end=2000):\n    return LOSS if mine == end else ONGOING"),
    "a keyword default": ("", "def outcome(mine, theirs, *, end=2000):\n    return LOSS if mine == end else ONGOING"),
    "a function inside": ("", "def outcome(mine, theirs):\n    def end():\n        return 2000\n"
                              "    return LOSS if mine == end() else ONGOING"),
    "a lambda": ("END = [2000]", "outcome = lambda mine, theirs: LOSS if mine == END[0] else ONGOING"),
    "a lambda inside": ("END = [2000]", PLAIN.format("(lambda: mine == END[0])()")),
    "a closure": ("def made(ends):\n    def outcome(mine, theirs):\n"
                  "        return LOSS if mine == ends[0] else ONGOING\n    return outcome", "outcome = made([2000])"),
    "an attribute of a class": ("class Ends:\n    last = 2000", PLAIN.format("mine == Ends.last")),
    "an inherited attribute": ("class Ends:\n    last = 2000\nclass More(Ends):\n    pass",
                               PLAIN.format("mine == More.last")),
    "a method": ("class Ends:\n    @staticmethod\n    def last():\n        return [2000][0]",
                 PLAIN.format("mine == Ends.last()")),
    "an instance": ("class Ends:\n    def __init__(self, last):\n        self.last = last\nENDS = Ends(2000)",
                    PLAIN.format("mine == ENDS.last")),
    "slots": ("class Ends:\n    __slots__ = ('last',)\nENDS = Ends()\nENDS.last = 2000",
              PLAIN.format("mine == ENDS.last")),
    "a bound method": ("class Ends:\n    def __init__(self, last):\n        self.last = last\n"
                       "    def outcome(self, mine, theirs):\n        return LOSS if mine == self.last else ONGOING",
                       "outcome = Ends(2000).outcome"),
    "a dataclass": ("from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Ends:\n    last: int\n"
                    "ENDS = Ends(2000)", PLAIN.format("mine == ENDS.last")),
    "a named tuple": ("from typing import NamedTuple\nclass Ends(NamedTuple):\n    last: int\nENDS = Ends(2000)",
                      PLAIN.format("mine == ENDS.last")),
    "an enumeration": ("from enum import IntEnum\nclass Ends(IntEnum):\n    LAST = 2000",
                       PLAIN.format("mine == Ends.LAST")),
    "a name space": ("from types import SimpleNamespace\nENDS = SimpleNamespace(last=2000)",
                     PLAIN.format("mine == ENDS.last")),
    "an attribute of a function": ("", PLAIN.format("mine == outcome.last") + "\noutcome.last = 2000"),
    "a name with two meanings": ("END = 2000", PLAIN.format("mine == END and sum(END for END in (1, 2)) == 3")),
    "a partial": ("from functools import partial\ndef ended(last, mine, theirs):\n"
                  "    return LOSS if mine == last else ONGOING", "outcome = partial(ended, 2000)"),
    "a cached function": ("from functools import cache\nENDS = [2000]\n@cache\ndef last(mine):\n"
                          "    return mine == ENDS[0]", PLAIN.format("last(mine)")),
    "a decorated function": ("from functools import wraps\ndef until(end):\n    def around(rule):\n"
                             "        @wraps(rule)\n        def outcome(mine, theirs):\n"
                             "            return LOSS if mine == end else rule(mine, theirs)\n        return outcome\n"
                             "    return around", "@until(2000)\ndef outcome(mine, theirs):\n    return ONGOING"),
    "a numpy array": ("import numpy as np\nENDS = np.array([1, 2000])", PLAIN.format("mine == int(ENDS[1])")),
    "a number of numpy": ("import numpy as np\nEND = np.int64(2000)", PLAIN.format("mine == END")),
    "an array": ("from array import array\nENDS = array('l', [2000])", PLAIN.format("mine == ENDS[0]")),
    "a deque": ("from collections import deque\nENDS = deque([2000])", PLAIN.format("mine == ENDS[0]")),
    "a bound look-up": ("last = {0: 2000}.get", PLAIN.format("mine == last(0)")),
    "a helper with a list": ("ENDS = [2000]\ndef last():\n    return ENDS[0]", PLAIN.format("mine == last()")),
    "a function of a module": ("import math", PLAIN.format("mine == math.floor(2000.9)")),
}  # fmt: skip


def written(tmp_path, name, data, outcome):
    (tmp_path / f"{name}.py").write_text(RULES.format(data=data, outcome=outcome))
    return load(f"{tmp_path}/{name}.py")


@pytest.mark.parametrize("name", AS_EVER)
def test_games_with_reference_rules_have_the_fingerprint_that_they_always_had(name):
    assert fingerprint(load(name)) == AS_EVER[name]


@pytest.mark.parametrize("kind", KINDS)
def test_changed_data_changes_the_fingerprint(kind, tmp_path):
    """The change is in position 2,000, far beyond what a sample meets."""
    data, outcome = KINDS[kind]
    before = written(tmp_path, "before", data, outcome)
    same = written(tmp_path, "same", data, f"# a comment\n{outcome}")
    after = written(tmp_path, "after", data.replace("2000", "2001"), outcome.replace("2000", "2001"))
    assert after.outcome(2000, 0) != before.outcome(2000, 0)
    assert fingerprint(before) == fingerprint(same) != fingerprint(after)


def test_another_process_finds_the_same(tmp_path):
    for number, (data, outcome) in enumerate(KINDS.values()):
        written(tmp_path, f"g{number}", data, outcome)
    names = [f"{tmp_path}/g{number}.py" for number in range(len(KINDS))]
    text = (
        "import sys; from perfectplay import load; from perfectplay.fingerprint import fingerprint\n"
        "for name in sys.argv[1:]: print(fingerprint(load(name)))"
    )
    for seed in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", text, *names],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.split() == [fingerprint(load(name)) for name in names]


def test_data_of_a_neighbouring_file_counts(tmp_path):
    (tmp_path / "neighbour_ends.py").write_text("LAST = [2000]\ndef last():\n    return LAST[0]\n")
    game = written(tmp_path, "g", "import neighbour_ends", PLAIN.format("mine == neighbour_ends.last()"))
    before = fingerprint(game)
    sys.modules["neighbour_ends"].LAST[0] = 2001
    assert fingerprint(game) != before


def test_a_file_that_changed_under_a_running_program_is_not_taken_for_its_rules(tmp_path):
    """A long solve ends with the rules that it began with, whatever their file says by then."""
    game = written(tmp_path, "g", "", PLAIN.format("mine == 2000"))
    running = fingerprint(game)
    text = (tmp_path / "g.py").read_text()
    (tmp_path / "g.py").write_text(text.replace("2000", "2001"))
    after = fingerprint(load(f"{tmp_path}/../{tmp_path.name}/g.py"))
    assert fingerprint(game) not in (running, after)


OPAQUE = {
    "a random number": ("import random\nRNG = random.Random(1)", PLAIN.format("RNG.random() > 2"), "RNG is a Random"),
    "the clock": ("import time", PLAIN.format("time.time() < 0"), "time.time is time() of time"),
    "a file": ("", PLAIN.format("mine > 1000 and open(__file__)"), "open is open() of"),
    "the environment": ("import os", PLAIN.format("'NO' in os.environ"), "os.environ is a _Environ"),
    "a generator": ("ENDS = (end for end in [2000])", PLAIN.format("ENDS is None"), "ENDS is a generator"),
    "an iterator in C": ("import itertools\nENDS = itertools.cycle([1])", PLAIN.format("ENDS is None"),
                         "ENDS is a cycle"),
    "a counter": ("CALLS = 0", "def outcome(mine, theirs):\n    global CALLS\n    CALLS += 1\n    return ONGOING",
                  "outcome changes CALLS"),
    "a memory": ("SEEN = {}", "def outcome(mine, theirs):\n    return SEEN.setdefault(mine, ONGOING)",
                 "their data changes while they run"),
    "an import inside": ("", "def outcome(mine, theirs):\n    from math import inf\n    return ONGOING",
                         "outcome imports math while it runs"),
    "a whole module": ("import math", PLAIN.format("vars(math) is None"), "vars is vars() of builtins"),
}  # fmt: skip


@pytest.mark.parametrize("kind", OPAQUE)
def test_what_cannot_be_looked_into_has_no_fingerprint(kind, tmp_path):
    data, outcome, said = OPAQUE[kind]
    game = written(tmp_path, "g", data, outcome)
    with pytest.raises(NoFingerprint, match=r"no table of .*g\.py can be trusted once its rules change, since "):
        fingerprint(game)
    assert said in why_no_fingerprint(game)
    assert issubclass(NoFingerprint, BadTable)


def test_rules_without_a_file_have_a_fingerprint_too():
    def made(end):
        space = {"LOSS": LOSS, "ONGOING": ONGOING, "ENDS": [end]}
        exec("def outcome(m, t): return LOSS if m == ENDS[0] else ONGOING", space)
        exec("def moves(m, t): return 1\ndef play(m, t, move): return m + 1, 0", space)
        return Game(moves=space["moves"], play=space["play"], outcome=space["outcome"], bits=12, shape=(1, 1))

    assert fingerprint(made(2000)) == fingerprint(made(2000)) != fingerprint(made(2001))
    assert why_no_fingerprint(dataclasses.replace(load("tic-tac-toe"), outcome=lambda m, t: DRAW)) is None


DRAWN = ", move_names=('a',), wins=None, cells=(tuple((15, n) for n in range(1, 10)),), look=Look(pieces=Sides(N, N)))"


def drawn(tmp_path, data, end):
    """The path of a game over ten plies, which can be shown."""
    text = RULES.format(data=f"from perfectplay import Look, Sides\nN = tuple('123456789')\n{data}", outcome=end)
    path = tmp_path / "ten.py"
    path.write_text(text.replace("bits=12, shape=(1, 1))", f"bits=4, shape=(1, 1){DRAWN}"))
    return path


def test_without_a_fingerprint_the_result_is_shown_and_no_table_is_kept(tmp_path, capsys, home):
    path = drawn(tmp_path, "import random\nRNG = random.Random(1)", PLAIN.format("mine == 9 or RNG.random() > 2"))
    assert main(["solve", str(path)]) == 0
    shown, told = capsys.readouterr()
    assert "wins in 9 plies" in shown
    assert "the table is not kept" in told
    assert "since RNG is a Random" in told
    assert not list(home.glob("data/**/*.table"))
    facts = json.loads(output(capsys, f"solve {path} --json"))
    assert facts["table"] is None
    assert "RNG is a Random" in facts["why"]
    assert "RNG is a Random" in complaint(capsys, f"solve {path} --table {tmp_path}/x.table")
    assert not (tmp_path / "x.table").exists()
    with pytest.raises(NoFingerprint):
        perfectplay.solve(load(str(path))).save(tmp_path / "x.table")


def test_a_table_made_before_a_list_changed_is_not_used_after_it(tmp_path, capsys):
    path = drawn(tmp_path, "ENDS = [9]", PLAIN.format("mine == ENDS[0]"))
    assert "wins in 9 plies" in output(capsys, f"solve {path} --table {tmp_path}/x.table")
    path.write_text(path.read_text().replace("[9]", "[8]"))
    load_file.cache_clear()
    assert "was made for other rules" in complaint(capsys, f"verify {tmp_path}/x.table")
