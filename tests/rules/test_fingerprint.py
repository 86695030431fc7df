"""The fingerprint of a game: one for the same rules in every process, another for changed data, or none at all."""

import json
import string
import subprocess
import sys
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, ONGOING, load
from perfectplay.__main__ import main
from perfectplay.rules.fingerprint import NoFingerprint, dependencies_of, fingerprint, why_no_fingerprint
from perfectplay.words import BadTable

AS_EVER = {
    "tic-tac-toe": "000260ee67091e017ad4fddeb2138aa9cc21be56a7f7046f28ad8d4167a3a0a7",
    "lines:3,3,3": "000260ee67091e017ad4fddeb2138aa9cc21be56a7f7046f28ad8d4167a3a0a7",
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

KINDS = [
    ("ENDS = [1, 2000]", "mine == ENDS[1]"),
    ("ENDS = [2000]\nENDS.append(ENDS)", "mine == ENDS[1][0]"),
    ("ENDS = ('x' * 2000, '')", "mine == len(ENDS[0])"),
    ("ENDS = [2000, 3000]", "any(mine == end for end in ENDS)"),
    ("ENDS = {'last': 2000}", "mine == ENDS['last']"),
    ("ENDS = {2000, 'a', 'b', 'c'}", "mine in ENDS"),
    ("ENDS = {(2000, 0), ('a', 'b'), ()}", "(mine, theirs) in ENDS"),
    ("ENDS = frozenset([2000, 'a', 'b'])", "mine in ENDS"),
    ("", "mine in {2000, 3000}"),
    ("END = '2000'", "mine == int(END)"),
    ("", "def outcome(mine, theirs, end=2000):\n    return LOSS if mine == end else ONGOING"),
    ("", "def outcome(mine, theirs, *, end=2000):\n    return LOSS if mine == end else ONGOING"),
    ("",
     "def outcome(mine, theirs):\n    def end():\n        return 2000\n    return LOSS if mine == end() else ONGOING"),
    ("END = [2000]", "outcome = lambda mine, theirs: LOSS if mine == END[0] else ONGOING"),
    ("def made(ends):\n    def outcome(mine, theirs):\n        return LOSS if mine == ends[0] else ONGOING\n"
     "    return outcome", "outcome = made([2000])"),
    ("END = 2000", "mine == END and sum(END for END in (1, 2)) == 3"),
    ("from functools import cache\nENDS = [2000]\n@cache\ndef last(mine):\n    return mine == ENDS[0]", "last(mine)"),
    ("from functools import wraps\ndef until(end):\n    def around(rule):\n        @wraps(rule)\n"
     "        def outcome(mine, theirs):\n            return LOSS if mine == end else rule(mine, theirs)\n"
     "        return outcome\n    return around", "@until(2000)\ndef outcome(mine, theirs):\n    return ONGOING"),
    ("def until(end):\n    return Game(moves=moves, play=play, bits=12, shape=(1, 1),\n"
     "                outcome=lambda m, t: LOSS if m == end else ONGOING)",
     "def outcome(mine, theirs):\n    return OTHER.outcome(mine, theirs)\nOTHER = until(2000)"),
    ("ENDS = [2000]\ndef last():\n    return ENDS[0]", "mine == last()"),
    ("import math", "mine == math.floor(2000.9)"),
]  # fmt: skip
"""Data of rules, and their outcome, or when it is a loss: the number 2000 is told in one of both."""


def written(tmp_path, name, data, outcome):
    """The game with this data, and this outcome or condition for a loss."""
    outcome = outcome if "outcome" in outcome else PLAIN.format(outcome)
    (tmp_path / f"{name}.py").write_text(RULES.format(data=data, outcome=outcome))
    return load(f"{tmp_path}/{name}.py")


@pytest.mark.parametrize("name", AS_EVER)
def test_games_with_reference_rules_have_the_fingerprint_that_they_always_had(name):
    assert fingerprint(load(name)) == AS_EVER[name]


@pytest.mark.parametrize(("data", "outcome"), KINDS, ids=count())
def test_changed_data_changes_the_fingerprint(data, outcome, tmp_path):
    """The change is in position 2,000, far beyond what a sample meets."""
    before = written(tmp_path, "before", data, outcome)
    same = written(tmp_path, "same", f"# a comment\n{data}", outcome)
    after = written(tmp_path, "after", data.replace("2000", "2001"), outcome.replace("2000", "2001"))
    assert after.outcome(2000, 0) != before.outcome(2000, 0)
    assert fingerprint(before) == fingerprint(same) != fingerprint(after)


def test_another_process_finds_the_same(tmp_path):
    for number, (data, outcome) in enumerate(KINDS):
        written(tmp_path, f"g{number}", data, outcome)
    names = [f"{tmp_path}/g{number}.py" for number in range(len(KINDS))]
    text = (
        "import sys; from perfectplay import load; from perfectplay.rules.fingerprint import fingerprint\n"
        "for name in sys.argv[1:]: print(fingerprint(load(name)))"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", text, *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [fingerprint(load(name)) for name in names]


def test_data_of_a_neighbouring_file_counts(tmp_path):
    (tmp_path / "neighbour_ends.py").write_text("LAST = [2000]\ndef last():\n    return LAST[0]\n")
    game = written(tmp_path, "g", "import neighbour_ends", "mine == neighbour_ends.last()")
    before = fingerprint(game)
    sys.modules["neighbour_ends"].LAST[0] = 2001
    assert fingerprint(game) != before


def test_a_file_that_changed_under_a_running_program_is_not_taken_for_its_rules(tmp_path):
    """A long solve ends with the rules that it began with, whatever their file says by then."""
    game = written(tmp_path, "g", "", "mine == 2000")
    running = fingerprint(game)
    text = (tmp_path / "g.py").read_text()
    (tmp_path / "g.py").write_text(text.replace("2000", "2001"))
    after = fingerprint(load(f"{tmp_path}/../{tmp_path.name}/g.py"))
    assert fingerprint(game) == running != after


OPAQUE = [
    ("import random\nRNG = random.Random(1)", "RNG.random() > 2", "RNG is a Random"),
    ("import random\nRNG = random.Random(1)\ndef far():\n    return RNG.random() > 2", "far()",
     "RNG in far is a Random"),
    ("import time", "time.time() < 0", "time.time is a builtin function"),
    ("CALLS = 0", "def outcome(mine, theirs):\n    global CALLS\n    CALLS += 1\n    return ONGOING",
     "outcome has 'global CALLS' inside"),
    ("import math", "def outcome(mine, theirs):\n    math.calls = mine\n    return ONGOING",
     "outcome changes math.calls"),
    ("SEEN = {}", "def outcome(mine, theirs):\n    return SEEN.setdefault(mine, ONGOING)",
     "their data changes while they run"),
    ("", "def outcome(mine, theirs):\n    from math import inf\n    return ONGOING",
     "outcome has 'from math import inf' inside"),
    ("import math", "vars(math) is None", "vars is a builtin function"),
    ("import math", "mine == (math,)", "math is a whole module"),
    ("", "mine > 4000 and END", "outcome uses END, which has no value"),
    ("__END = 1", "mine == __END", "outcome uses __END"),
    ("END = 1", "mine == moves.__globals__['END']", "moves.__globals__"),
    ("from functools import cache\n@cache\ndef last():\n    return 9", "last.cache_info().hits > last()",
     "last.cache_info"),
    ("class Kind(type):\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n"
     "        return hash(int)\nclass Ends(metaclass=Kind):\n    last = 9\nENDS = Ends()", "mine == ENDS.last",
     "ENDS is an Ends"),
    ("last = {0: 9}.get", "mine == last(0)", "last is a builtin function or"),
    ("class Ends:\n    last = 9", "mine == Ends.last", "Ends is a class"),
    ("class Ends:\n    def outcome(self, mine, theirs):\n        return ONGOING", "outcome = Ends().outcome",
     "outcome is a method"),
    ("class Ends(tuple):\n    last = 9\nENDS = Ends((1,))", "mine == ENDS.last", "ENDS is an Ends"),
    ("from perfectplay import Sides\nENDS = Sides(1, 2)\nobject.__setattr__(ENDS, 'last', 9)", "mine in (ENDS,)",
     "ENDS is a Sides"),
    ("", "def outcome(mine, theirs):\n    return LOSS if mine == outcome.last else ONGOING\noutcome.last = 2000",
     "outcome is a function with attributes"),
    ("ENDS = {len, lambda: 9}", "mine in ENDS", "ENDS is a set of functions"),
    ("ENDS = [(1, {'last': bytearray(b'9')})]", "mine == ENDS[0]", "ENDS is a bytearray"),
    ("ENDS = []\nfor _ in range(9999):\n    ENDS = [ENDS]", "mine == ENDS", "they nest code or data too deeply"),
    ("END = 1 << 99999", "mine == END", "numbers of thousands of digits"),
]  # fmt: skip
"""The same, and why there is no fingerprint."""


@pytest.mark.parametrize(("data", "outcome", "said"), OPAQUE, ids=count())
def test_what_cannot_be_looked_into_has_no_fingerprint(data, outcome, said, tmp_path):
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
    return dependencies_of(game).digest


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


PAIRS = [
    ("def f(a, b):\n    return a - b", "def f(b, a):\n    return b - a", "f(a=mine, b=1)"),
    ("E = {0, 8}", "E = {8, 0}", "next(iter(E))"),
    ("E = 1\ndef f():\n    return E, [E for E in (2,)]", "E = 3\ndef f():\n    return E, [E for E in (2,)]", "f()"),
    ("E = 1\ndef f():\n    def g(E): return E\n    return g(2) + E",
     "E = 3\ndef f():\n    def g(E): return E\n    return g(2) + E", "f()"),
    ("E = 1\ndef f():\n    return [E := 1 for i in (1,)] and E",
     "E = 1\ndef f():\n    return [D := 1 for i in (1,)] and E", "f()"),
    ("E = 1\ndef f(n):\n    return (lambda n=n: n)()", "E = 1\ndef f(n):\n    return (lambda n=E: n)()", "f(mine)"),
    ("E = (1,)", "E = (1.0,)", "str(E[0])"),
    ("E = None", "E = ()", "E"),
    ("f = min", "f = max", "f(1, mine)"),
    ("", "def min(*all):\n    return 1", "min(1, mine)"),
    ("def f(n): return n\ndef g(n): return n", "def f(n): return n\ng = f", "f is g"),
    ("def f(n):\n    match n:\n        case [a, b]: return a", "def f(n):\n    match n:\n        case [a, b]: return b",
     "f((mine, 1))"),
    ("def f(): return 1\ndef g(): return 1", "def f(): return 1\ndef g(): return 2\nf.__code__ = g.__code__", "f()"),
    ("def f(n=1): return n", "def f(n=1): return n\nf.__defaults__ = (2,)", "f()"),
    ("def f(*, n=1): return n", "def f(*, n=1): return n\nf.__kwdefaults__ = {'n': 2}", "f()"),
    ("def make(n):\n    return lambda: n\nf = make(1)", "def make(n):\n    return lambda: n\nf = make(2)", "f()"),
]  # fmt: skip
"""Two ways to define something, and how the outcome uses it."""


@pytest.mark.parametrize(("first", "second", "used"), PAIRS, ids=count())
def test_what_means_something_else_has_another_digest(first, second, used, tmp_path):
    rules = f"mine == {used}"
    assert digest(written(tmp_path, "a", first, rules)) != digest(written(tmp_path, "b", second, rules))


DRAWN = ", move_names=('a',), wins=None, cells=(tuple((15, n) for n in range(1, 10)),), look=Look(pieces=Sides(N, N)))"


def test_without_a_fingerprint_the_result_is_shown_and_no_table_is_kept(tmp_path, capsys, home):
    data = "from perfectplay import Look, Sides\nimport random\nN = tuple('123456789')\nRNG = random.Random(1)"
    text = RULES.format(data=data, outcome=PLAIN.format("mine == 9 or RNG.random() > 2"))
    path = tmp_path / "ten.py"
    path.write_text(text.replace("bits=12, shape=(1, 1))", f"bits=4, shape=(1, 1){DRAWN}"))
    assert main(["solve", str(path)]) == 0
    shown, told = capsys.readouterr()
    assert "wins in 9 plies" in shown
    assert "the table is not kept" in told
    assert "since RNG in outcome is a Random" in told
    assert not list(home.glob("data/**/*.table"))
    facts = json.loads(output(capsys, f"solve {path} --json"))
    assert facts["table"] is None
    assert "RNG in outcome is a Random" in facts["why"]
    assert "RNG in outcome is a Random" in complaint(capsys, f"solve {path} --to {tmp_path}/x.table")
    with pytest.raises(NoFingerprint):
        perfectplay.solve(load(str(path))).save(tmp_path / "x.table")
    assert not (tmp_path / "x.table").exists()
