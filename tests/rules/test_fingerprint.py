"""The fingerprint of a game: one for the same rules in every process, another for changed data, or none at all."""

import json
import string
import subprocess
import sys
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, ONGOING, load
from perfectplay.fingerprint import NoFingerprint, fingerprint, reached, why_no_fingerprint
from perfectplay.front.cli import main
from perfectplay.loading import load_file
from perfectplay.words import BadTable

AS_EVER = {
    "tic-tac-toe": "000260ee67091e017ad4fddeb2138aa9cc21be56a7f7046f28ad8d4167a3a0a7",
    "connect-four": "00027d51242dbcee8a2c8edf1e8c17fbc7d086b34dc11c1458da06d9db894468",
    "tactic-toe": "000289fa20ae9629d1a05ec371ca114af026217ef0b6321e92485ffdb8ca8f18",
    "kingpawns": "0002d42cb77beee5e214e6aeaebdbc6b27018317bb272f709aec0b9532e3749c",
    "examples/hexapawn.py": "0002a48ff6b6a09e60ebe5d62eb816d147668ec581f9a877f26c92497bf621fc",
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
    "a name with two meanings": ("END = 2000", PLAIN.format("mine == END and sum(END for END in (1, 2)) == 3")),
    "a cached function": ("from functools import cache\nENDS = [2000]\n@cache\ndef last(mine):\n"
                          "    return mine == ENDS[0]", PLAIN.format("last(mine)")),
    "a decorated function": ("from functools import wraps\ndef until(end):\n    def around(rule):\n"
                             "        @wraps(rule)\n        def outcome(mine, theirs):\n"
                             "            return LOSS if mine == end else rule(mine, theirs)\n        return outcome\n"
                             "    return around", "@until(2000)\ndef outcome(mine, theirs):\n    return ONGOING"),
    "another game": ("def until(end):\n    return Game(moves=moves, play=play, bits=12, shape=(1, 1),\n"
                     "                outcome=lambda m, t: LOSS if m == end else ONGOING)",
                     "def outcome(mine, theirs):\n    return OTHER.outcome(mine, theirs)\nOTHER = until(2000)"),
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
    assert fingerprint(game) == running != after


OPAQUE = {
    "a random number": ("import random\nRNG = random.Random(1)", PLAIN.format("RNG.random() > 2"), "RNG is a Random"),
    "a random number in a helper": ("import random\nRNG = random.Random(1)\ndef far():\n    return RNG.random() > 2",
                                    PLAIN.format("far()"), "RNG in far is a Random"),
    "the clock": ("import time", PLAIN.format("time.time() < 0"), "time.time is a builtin function"),
    "a file": ("", PLAIN.format("mine > 1000 and open(__file__)"), "open is a builtin function"),
    "the environment": ("import os", PLAIN.format("'NO' in os.environ"), "os.environ is a _Environ"),
    "a generator": ("ENDS = (end for end in [2000])", PLAIN.format("ENDS is None"), "ENDS is a generator"),
    "an iterator in C": ("import itertools\nENDS = itertools.cycle([1])", PLAIN.format("ENDS is None"),
                         "ENDS is a cycle"),
    "a counter": ("CALLS = 0", "def outcome(mine, theirs):\n    global CALLS\n    CALLS += 1\n    return ONGOING",
                  "outcome has 'global CALLS' inside"),
    "a counter around": ("def made():\n    calls = 0\n    def outcome(mine, theirs):\n        nonlocal calls\n"
                         "        calls += 1\n        return ONGOING\n    return outcome", "outcome = made()",
                         "outcome has 'nonlocal calls' inside"),
    "a name of a module": ("import math", "def outcome(mine, theirs):\n    math.calls = mine\n    return ONGOING",
                           "outcome changes math.calls"),
    "a memory": ("SEEN = {}", "def outcome(mine, theirs):\n    return SEEN.setdefault(mine, ONGOING)",
                 "their data changes while they run"),
    "an import inside": ("", "def outcome(mine, theirs):\n    from math import inf\n    return ONGOING",
                         "outcome has 'from math import inf' inside"),
    "a class inside": ("", "def outcome(mine, theirs):\n    class End:\n        last = 9\n    return ONGOING",
                       "outcome has 'class End:' inside"),
    "a whole module": ("import math", PLAIN.format("vars(math) is None"), "vars is a builtin function"),
    "a module as a value": ("import math", PLAIN.format("mine == (math,)"), "math is a whole module"),
    "a name without a value": ("", PLAIN.format("mine > 4000 and END"), "outcome uses END, which has no value"),
    "a name within a class": ("__END = 1", PLAIN.format("mine == __END"), "outcome uses __END"),
    "the inside of a function": ("END = 1", PLAIN.format("mine == moves.__globals__['END']"), "moves.__globals__"),
    "the count of a cache": ("from functools import cache\n@cache\ndef last():\n    return 9",
                             PLAIN.format("last.cache_info().hits > last()"), "last.cache_info"),
    "an instance of an int": ("class Number(int):\n    pass\nEND = Number(9)\nEND.last = 9",
                              PLAIN.format("mine == END.last"), "END is a Number"),
    "an int that equals another": ("class Number(int):\n    def __eq__(self, other):\n        return other == 8\n"
                                   "END = Number(9)", PLAIN.format("END == mine"), "END is a Number"),
    "an attribute of a metaclass": ("class Kind(type):\n    last = 9\nclass Ends(metaclass=Kind):\n    pass",
                                    PLAIN.format("mine == Ends.last"), "Ends is a class"),
    "a metaclass that equals int": ("class Kind(type):\n    def __eq__(self, other):\n        return True\n"
                                    "    def __hash__(self):\n        return hash(int)\n"
                                    "class Ends(metaclass=Kind):\n    last = 9\nENDS = Ends()",
                                    PLAIN.format("mine == ENDS.last"), "ENDS is an Ends"),
    "a bound builtin method": ("last = {0: 9}.get", PLAIN.format("mine == last(0)"), "last is a builtin function or"),
    "a method of an integer": ("last = (9).__add__", PLAIN.format("mine == last(0)"), "last is a method-wrapper"),
    "an attribute of a class": ("class Ends:\n    last = 9", PLAIN.format("mine == Ends.last"), "Ends is a class"),
    "an enumeration": ("from enum import IntEnum\nclass Ends(IntEnum):\n    LAST = 9",
                       PLAIN.format("mine == Ends.LAST"), "Ends is a class"),
    "a member of an enumeration": ("from enum import IntEnum\nEND = IntEnum('Ends', 'LAST').LAST",
                                   PLAIN.format("mine == END"), "END is an Ends"),
    "an instance": ("class Ends:\n    last = 9\nENDS = Ends()", PLAIN.format("mine == ENDS.last"), "ENDS is an Ends"),
    "a method": ("class Ends:\n    def outcome(self, mine, theirs):\n        return ONGOING",
                 "outcome = Ends().outcome", "outcome is a method"),
    "a rule that is an instance": ("class Ends:\n    def __call__(self, mine, theirs):\n        return ONGOING",
                                   "outcome = Ends()", "outcome is an Ends"),
    "a class that changed": ("class Ends(tuple):\n    last = 9\nclass More(tuple):\n    last = 8\n"
                             "ENDS = Ends((1,))\nclass Box: pass\nclass Other: last = 9\n"
                             "BOX = Box()\nBOX.__class__ = Other", PLAIN.format("mine == BOX.last"), "BOX is an Other"),
    "a kind of tuple": ("class Ends(tuple):\n    last = 9\nENDS = Ends((1,))", PLAIN.format("mine == ENDS.last"),
                        "ENDS is an Ends"),
    "a named tuple": ("from collections import namedtuple\nENDS = namedtuple('Ends', 'last')(9)",
                      PLAIN.format("mine == ENDS.last"), "ENDS is an Ends"),
    "a dataclass": ("from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Ends:\n    last: int\n"
                    "ENDS = Ends(9)", PLAIN.format("mine == ENDS.last"), "ENDS is an Ends"),
    "a record of ours with more in it": ("from perfectplay import Sides\nENDS = Sides(1, 2)\n"
                                         "object.__setattr__(ENDS, 'last', 9)", PLAIN.format("mine in (ENDS,)"),
                                         "ENDS is a Sides"),
    "a descriptor": ("class End:\n    def __get__(self, ends, kind):\n        return 9\nclass Ends:\n    last = End()",
                     PLAIN.format("mine == Ends.last"), "Ends is a class"),
    "a module that makes names": ("import sys, types\nmodule = types.ModuleType('ends')\n"
                                  "module.__getattr__ = lambda name: 9", PLAIN.format("mine == module.last"),
                                  "module is a whole module"),
    "a module of another type": ("import types\nclass Ends(types.ModuleType):\n    last = 9\nends = Ends('ends')",
                                 PLAIN.format("mine == ends.last"), "ends is an Ends"),
    "a single dispatch": ("from functools import singledispatch\n@singledispatch\ndef last(n):\n    return 9",
                          PLAIN.format("mine == last(0)"), "last is a function with attributes"),
    "an attribute of a function": ("", PLAIN.format("mine == outcome.last") + "\noutcome.last = 2000",
                                   "outcome is a function with attributes"),
    "a partial": ("from functools import partial\ndef ended(last, mine, theirs):\n    return ONGOING",
                  "outcome = partial(ended, 9)", "outcome is a partial"),
    "a numpy array": ("import numpy as np\nENDS = np.array(9)", PLAIN.format("mine == ENDS"), "ENDS is a ndarray"),
    "a function of numpy": ("import numpy as np", PLAIN.format("np.abs(mine) > 4000"), "np.abs is an ufunc"),
    "a weak reference": ("import weakref\nclass Ends:\n    last = 9\nends = Ends()\nENDS = weakref.proxy(ends)",
                         PLAIN.format("mine == ENDS.last"), "ENDS is a ProxyType"),
    "a set of functions": ("ENDS = {len, lambda: 9}", PLAIN.format("mine in ENDS"), "ENDS is a set of functions"),
    "a deque": ("from collections import deque\nENDS = deque([9])", PLAIN.format("mine == ENDS[0]"), "ENDS is a deque"),
    "a value in a value": ("ENDS = [(1, {'last': bytearray(b'9')})]", PLAIN.format("mine == ENDS[0]"),
                           "ENDS is a bytearray"),
    "what is nested too deeply": ("ENDS = []\nfor _ in range(9999):\n    ENDS = [ENDS]", PLAIN.format("mine == ENDS"),
                                  "they nest code or data too deeply"),
    "a long number": ("END = 1 << 99999", PLAIN.format("mine == END"), "numbers of thousands of digits"),
}  # fmt: skip


@pytest.mark.parametrize("kind", OPAQUE)
def test_what_cannot_be_looked_into_has_no_fingerprint(kind, tmp_path):
    data, outcome, said = OPAQUE[kind]
    game = written(tmp_path, "g", data, outcome)
    with pytest.raises(NoFingerprint, match=r"no table of .*g\.py can be trusted once its rules change, since "):
        fingerprint(game)
    assert said in why_no_fingerprint(game).replace(" in outcome", "", 1)
    assert issubclass(NoFingerprint, BadTable)


def test_rules_without_a_file_have_no_fingerprint():
    space = {"ONGOING": ONGOING}
    exec("def outcome(mine, theirs): return ONGOING", space)
    assert "outcome has no source" in why_no_fingerprint(replace(load("tic-tac-toe"), outcome=space["outcome"]))
    assert why_no_fingerprint(replace(load("tic-tac-toe"), outcome=lambda mine, theirs: DRAW)) is None


def test_a_cache_is_not_taken_for_the_function_that_it_says_it_caches(tmp_path):
    cached = "from functools import cache\n@cache\ndef last():\n    return {}\nlast.__wrapped__ = moves"
    games = [
        written(tmp_path, f"g{end}", "", cached.format(end) + "\n" + PLAIN.format("mine == last()")) for end in (8, 9)
    ]
    assert digest(games[0]) != digest(games[1])


NAMES = string.Template("""
from perfectplay import LOSS, ONGOING, Game

$ends = (3, 5, 2000)
$more = [7, 11]

def $far($x, $y=2, *$rest, by=1, **$named):
    $total = $x - $y * by
    for $i, $end in enumerate($ends):
        $total += $end if $i else -$end
    def $step($n: int):
        $more_still = $total + $n
        $half: int = $n // 2
        return $far($n - 1, by=2) if $half > 1 else $more_still
    try:
        $last = [$new := $k for $k in $more][0]
    except ValueError as $fault:
        return len($fault.args) + $new
    return $step($x % 3) + $last + sum($e * $d for $e in $more for $d in $ends if $e > $d) + (lambda $a: $a - $x)($y)

def moves($m, $t):
    return 1

def play($m, $t, move):
    return $m + 1, 0

def outcome($m, $t):
    return LOSS if $far($m) == 99999 else ONGOING

def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=12, shape=(1, 1))
""")
SAME = NAMES.substitute({name: name for name in NAMES.get_identifiers()})


def digest(game):
    """What the fingerprint has of the text and the data of the rules, without the answers that they give."""
    return reached(game).digest


@pytest.fixture
def text_digest(tmp_path):
    """The digest of rules of this text."""
    numbers = count()

    def of(text):
        path = tmp_path / f"g{next(numbers)}.py"
        path.write_text(text)
        return digest(load(str(path)))

    return of


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.permutations([f"name{i}" for i in range(40)]))
def test_renaming_changes_nothing(text_digest, names):
    assert text_digest(NAMES.substitute(dict(zip(NAMES.get_identifiers(), names, strict=False)))) == text_digest(SAME)


ANOTHER_WAY = [
    ("e * d for e in more for d in ends if e > d", "e * total for e in more for total in ends if e > total"),
    ("e * d for e in more for d in ends if e > d", "more * d for more in more for d in ends if more > d"),
    ("[new := k for k in more]", "[new := total for total in more]"),
    ("half: int = ", "half = "), ("n: int", "n"), ("m, t):", "m: int, t: int) -> int:"),
    ("    total = x - y", '    """Far."""\n    total = x - y'), ("* by\n", "* by  # a remark\n\n"),
]  # fmt: skip
"""The same rules: names used again in scopes of their own, and all that is not part of the rules."""


def test_names_in_scopes_of_their_own_and_remarks_do_not_count(text_digest):
    for old, new in ANOTHER_WAY:
        assert SAME.replace(old, new) != SAME
        assert text_digest(SAME.replace(old, new)) == text_digest(SAME), new


CHANGES = [
    ("x - y", "y - x"), ("x - y", "x + y"), ("2000", "2001"), ("(3, 5", "(5, 3"), ("y=2", "y=3"), ("by=1", "by=3"),
    ("by=2", "by=n"), ("e > d", "e >= d"), ("e > d", "d > e"), ("e * d", "e * e"), ("= total + n", "= total - n"),
    ("for e in more for d in ends", "for e in ends for d in more"), ("for k in more", "for k in ends"),
    ("else -end", "else end"), ("else -end", "else -i"), ("ValueError", "KeyError"),
    ("a - x", "x - a"), ("(lambda a: a - x)", "(lambda x: x - x)"), ("fault.args", "fault.text"), ("[0]", "[1]"),
    ("*rest, by", "by"), ("else more_still\n", "else x\n"), ("len(fault", "sum(fault"), ("[7, 11]", "(7, 11)"),
    ("far(m) ==", "moves(m, 0) =="), (", **named", ""), ("by=2)", "**{'by': 2})"), ("far(n - 1, by", "far(n - 1, y"),
    ("+ last", "+ total"), ("return LOSS if far(m)", "return LOSS if far(t)"), ("LOSS if far", "ONGOING if far"),
]  # fmt: skip


def test_whatever_else_changes_changes_the_digest(text_digest):
    texts = [SAME, *(SAME.replace(old, new) for old, new in CHANGES)]
    assert len({text_digest(text) for text in texts}) == len(set(texts)) == len(CHANGES) + 1


PAIRS = {
    "parameters that are named in a call": ("def f(a, b):\n    return a - b", "def f(b, a):\n    return b - a",
                                            "f(a=mine, b=1)"),
    "parameters that are named in a dictionary": ("def f(a, b):\n    return a - b", "def f(b, a):\n    return b - a",
                                                  "f(**{'a': mine, 'b': 1})"),
    "the order of a set of numbers": ("E = {0, 8}", "E = {8, 0}", "next(iter(E))"),
    "a name of the file or of a comprehension": ("E = 1\ndef f():\n    return E, [E for E in (2,)]",
                                                 "E = 3\ndef f():\n    return E, [E for E in (2,)]", "f()"),
    "a name of the file or of a function inside": ("E = 1\ndef f():\n    def g(E): return E\n    return g(2) + E",
                                                   "E = 3\ndef f():\n    def g(E): return E\n    return g(2) + E",
                                                   "f()"),
    "a name of the file or assigned inside": ("E = 1\ndef f():\n    return [E := 1 for i in (1,)] and E",
                                              "E = 1\ndef f():\n    return [D := 1 for i in (1,)] and E", "f()"),
    "a default that is the same name": ("E = 1\ndef f(n):\n    return (lambda n=n: n)()",
                                        "E = 1\ndef f(n):\n    return (lambda n=E: n)()", "f(mine)"),
    "a number, a truth and a fraction": ("E = (1,)", "E = (True,)", "str(E[0])"),
    "a number and a fraction": ("E = (1,)", "E = (1.0,)", "str(E[0])"),
    "none and nothing": ("E = None", "E = ()", "E"),
    "a builtin and another": ("f = min", "f = max", "f(1, mine)"),
    "a builtin that is not what it was": ("", "def min(*all):\n    return 1", "min(1, mine)"),
    "two functions and one": ("def f(n): return n\ndef g(n): return n", "def f(n): return n\ng = f", "f is g"),
    "the second of two functions": ("def f(): return 1\ndef g(): return 2", "def f(): return 2\ndef g(): return 1",
                                    "f()"),
    "a pattern": ("def f(n):\n    match n:\n        case [a, b]: return a", "def f(n):\n    match n:\n"
                  "        case [a, b]: return b", "f((mine, 1))"),
    "a swapped code": ("def f(): return 1\ndef g(): return 1", "def f(): return 1\ndef g(): return 2\n"
                       "f.__code__ = g.__code__", "f()"),
    "swapped defaults": ("def f(n=1): return n", "def f(n=1): return n\nf.__defaults__ = (2,)", "f()"),
    "swapped keyword defaults": ("def f(*, n=1): return n", "def f(*, n=1): return n\nf.__kwdefaults__ = {'n': 2}",
                                 "f()"),
    "a cell": ("def make(n):\n    return lambda: n\nf = make(1)", "def make(n):\n    return lambda: n\nf = make(2)",
               "f()"),
}  # fmt: skip


@pytest.mark.parametrize("kind", PAIRS)
def test_what_means_something_else_has_another_digest(kind, tmp_path):
    first, second, used = PAIRS[kind]
    games = [
        written(tmp_path, name, data, PLAIN.format(f"mine == {used}"))
        for name, data in zip("ab", (first, second), strict=True)
    ]
    assert digest(games[0]) != digest(games[1])


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
    assert "since RNG in outcome is a Random" in told
    assert not list(home.glob("data/**/*.table"))
    facts = json.loads(output(capsys, f"solve {path} --json"))
    assert facts["table"] is None
    assert "RNG in outcome is a Random" in facts["why"]
    assert "RNG in outcome is a Random" in complaint(capsys, f"solve {path} --table {tmp_path}/x.table")
    assert not (tmp_path / "x.table").exists()
    with pytest.raises(NoFingerprint):
        perfectplay.solve(load(str(path))).save(tmp_path / "x.table")


def test_a_table_made_before_a_list_changed_is_not_used_after_it(tmp_path, capsys):
    path = drawn(tmp_path, "ENDS = [9]", PLAIN.format("mine == ENDS[0]"))
    assert "wins in 9 plies" in output(capsys, f"solve {path} --table {tmp_path}/x.table")
    path.write_text(path.read_text().replace("[9]", "[8]"))
    load_file.cache_clear()
    assert "was made for other rules" in complaint(capsys, f"verify {tmp_path}/x.table")
