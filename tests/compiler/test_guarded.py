"""Compiled rules where 64 bits do not suffice, and the subset of Python that compiles."""

import ast
import linecache
from dataclasses import replace
from enum import IntEnum
from pathlib import Path

import pytest

import perfectplay
from arithmetic import adds, floors, multiplies, remains, subtracts
from far_game import far_game
from perfectplay import DRAW, LOSS, load
from perfectplay.__main__ import main
from perfectplay.compiler.c.c_rules import Program
from perfectplay.compiler.checks.contract import compiled_agrees
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.compiler.compiled import RuleSet, guard_sites, load_pattern, rule_set
from perfectplay.compiler.integers.guarded_rules import Contract, insert_guards
from perfectplay.compiler.intervals.interval import Interval, OutsideSubset
from perfectplay.compiler.intervals.interval_statements import Rules
from perfectplay.compiler.rule_subset import check_subset
from perfectplay.rules.loading import load_file
from perfectplay.rules.source import gather
from perfectplay.solvers.steps import finished
from perfectplay.solvers.validity.verify import verify_table
from perfectplay.words import BadGame, BadTable, NotCompiled

WORD, ANY = Interval(0, 2**20 - 1), Interval(-(2**63), 2**63 - 1)


def fast(function, *given):
    """The compiled function, for arguments in these intervals."""
    return load_pattern([], RuleSet("rules", {"f": function}, {"f": Contract(given)}), "").f


@pytest.mark.parametrize("name", ["tic-tac-toe", "drop:7,6,4", "fading:4,4", "kingpawns", "lines:7,9,4"])
def test_proven_operations_have_no_guard(name):
    assert guard_sites(rule_set(load(name), hints=True)) == []


def shifts_far(mine, theirs):
    return 1 << mine


def test_a_shift_beyond_a_word_is_refused_with_its_line():
    line = shifts_far.__code__.co_firstlineno + 1
    shift = fast(shifts_far, Interval(0, 64), WORD)
    assert shift(62, 0) == 1 << 62
    for far in (63, 64):
        with pytest.raises(NotCompiled, match=f"wider than 63 bits.*1 << mine, line {line} of shifts_far.*interpreted"):
            shift(far, 0)
    assert shift(3, 0) == 8  # and later calls work


def test_a_solve_never_miscounts_silently():
    game = far_game()
    assert perfectplay.solve(game).header.positions == perfectplay.solve(game, "python").header.positions == 65
    with pytest.raises(NotCompiled, match="1 << mine, line"):
        perfectplay.solve(game, "numba")
    with pytest.raises(NotCompiled, match="1 << mine, line"):
        compiled_agrees(game, random_positions(game, walks=3, seed=1))


def truths(mine, theirs):
    same = mine == theirs
    flags = (True, False)
    found = ~same * 1000 + (~True & 63) - -(mine < theirs) * 7 + min(same, 5) + max(mine < 3, theirs)
    return found + (same << 3) + flags[theirs & 1] + abs(same) + (mine and same) + (not mine) + same.bit_length()


@pytest.mark.filterwarnings("ignore")  # newer Pythons warn about ~True
def test_truth_values_are_numbers():
    compiled_truths = fast(truths, WORD, WORD)
    for mine in range(5):
        for theirs in range(5):
            assert compiled_truths(mine, theirs) == truths(mine, theirs)


FITTING = [
    lambda mine, theirs: (mine - theirs).bit_count() * 100 + (mine - theirs).bit_length(),
    lambda mine, theirs: (mine >> theirs) + (-mine >> theirs) + ((mine << theirs) & 1023),
    lambda mine, theirs: mine // -7 * 1000 + mine % -7 + (theirs - 50) // -3 + (theirs - 50) % 3,
    lambda mine, theirs: (mine & 3) ** (theirs & 7) + 2**5,
]


@pytest.mark.parametrize("function", FITTING)
def test_operations_that_fit_64_bits_are_accepted(function):
    compiled_function = fast(function, WORD, WORD)
    for mine in (0, 1, 7, 1023, 99_999, 2**20 - 1):
        for theirs in (0, 1, 5, 62, 63, 64, 65, 100, 1000):
            assert compiled_function(mine, theirs) == function(mine, theirs)


GUARDED = [adds, subtracts, multiplies, floors, remains, lambda a, b: -a + (b & 0), lambda a, b: abs(a) + (b & 0)]
EDGES = (0, 1, -1, 2, 7, -7, 2**31, -(2**31), 2**32 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63) + 1, -(2**63))


@pytest.mark.parametrize("function", GUARDED)
def test_guards_at_the_edges_of_a_word(function):
    """The least number divided by -1 traps on some CPUs, but not here."""
    guarded_function, refused = fast(function, ANY, ANY), 0
    for a in EDGES:
        for b in EDGES:
            try:
                right = function(a, b)
            except ZeroDivisionError:
                right = None
            if right is None or not ANY.holds(Interval(right, right)):
                refused += 1
                with pytest.raises(NotCompiled):
                    guarded_function(a, b)
            else:
                assert guarded_function(a, b) == right
    assert refused or function is remains


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def f(a):\n    return [a][0]", "a list does not compile"),
        ("def f(a):\n    return a / 2", "use // for whole numbers"),
        ("def f(a):\n    return a * 1.5", "float 1.5 does not compile"),
        ("def f(a):\n    if a:\n        x = 1\n    return x", "x may have no value here"),
        ("def f(a):\n    for i in range(a):\n        pass\n    return i", "i may have no value here"),
        ("def f(a):\n    if a:\n        return 1", "may return nothing"),
        ("def f(a):\n    return f(a - 1) if a else 0", "calls itself"),
        ("def f(a):\n    return g(a)\ndef g(a):\n    return f(a) if a else 0", "calls itself"),
        ("def f(a):\n    return print(a)", "this call does not compile"),
        ("def f(a):\n    return sum(x for x in (1, a))", "this call does not compile"),
        ("def f(a):\n    global B\n    B = a\n    return a", "global does not compile"),
        ("def f(a):\n    from math import gcd\n    return a", "importfrom does not compile"),
        ("def f(a, *more):\n    return a", "plain ones"),
        ("def f(a):\n    return a & 99999999999999999999", "wider than 63 bits"),
        ("B = 99999999999999999999\ndef f(a):\n    return a & B", "B has a number wider than 63 bits"),
        ("def f(a):\n    return a is a", "not an operator.*: a is a, line 2 of f"),
    ],
)
def test_code_outside_the_subset_is_named(source, why):
    with pytest.raises(OutsideSubset, match=why):
        check_subset(ast.parse(source).body)


@pytest.mark.parametrize(
    "source",
    [
        "def f(a):\n    for i in range(4):\n        x = i\n    return i + x",
        "R = (1, 2)\ndef f(a):\n    for i, r in enumerate(R):\n        if r == a:\n            break\n    return i",
        "def f(a):\n    while True:\n        a += 1\n        if a > 9:\n            return a",
        "def f(a):\n    if a:\n        x = 1\n    else:\n        x = 2\n    return x",
        "def f(a):\n    x = y = a\n    (x, y), z = (1, 2), 3\n    return x if (w := a + y) else w + z",
        "def f(a, b=3):\n    assert a >= 0\n    return a[1:][0] if b else len(a)",
    ],
)
def test_code_inside_the_subset_compiles(source):
    check_subset(ast.parse(source).body)


def grows(mine, theirs):
    x = 1
    for _ in range(theirs):
        x *= 3
    return x


def test_values_that_grow_in_a_loop_are_not_proven():
    grown = fast(grows, WORD, WORD)
    assert grown(0, 39) == 3**39
    with pytest.raises(NotCompiled, match=r"x \*= 3, line"):
        grown(0, 40)
    rules = Rules(gather({"f": grows})[1])
    root = rules.call("grows_0", [WORD, WORD])[0]
    with pytest.raises(OutsideSubset, match="wider than 63 bits"):
        Program("t", rules, [root])


def test_the_search_notices_words_that_are_too_wide():
    game = load("lines:5,5,4")

    def play(mine, theirs, move):
        return theirs, mine | 1 << move + 40 * (mine == 0b111)

    odd = replace(game, play=play, order=(), wins=None, safe=None, plies_left=None, hopeless=None)
    rules = rule_set(odd, hints=True, checked=True)
    text = insert_guards(*gather(rules.functions), rules.contracts)
    assert "play returned a value outside its contract" in text.sites


def test_enumerations_default_arguments_and_lambdas_compile():
    king = IntEnum("piece", {"KING": 5}).KING

    def shifted(a, by=3):
        return a << by

    def f(a):
        return shifted(a) + shifted(a, 1) + a * king

    assert fast(f, WORD)(5) == f(5) == 75
    first, second = (lambda a: a + 1), (lambda a: a * 5 - 2)
    assert [fast(one, WORD)(7) for one in (first, second)] == [8, 33]
    made = [lambda a: a, lambda a: a]
    assert fast(made[0], WORD)(7) == fast(made[1], WORD)(7) == 7


def function_in(path, text):
    path.write_text(text)
    return load_file(path, BadGame).f


def test_a_failed_assertion_ends_compiled_code(tmp_path):
    f = function_in(tmp_path / "asserts.py", "def f(a):\n    assert a < 5\n    return a\n")
    assert fast(f, WORD)(4) == 4
    with pytest.raises(NotCompiled, match="assertion that fails: assert a < 5, line 2 of f"):
        fast(f, WORD)(5)


def test_rules_that_differ_from_their_file_are_not_compiled(tmp_path):
    f = function_in(tmp_path / "rules.py", "def f(a):\n    return a + 1\n")
    (tmp_path / "rules.py").write_text("def f(a):\n    return a + 2\n")
    linecache.checkcache()
    with pytest.raises(NotCompiled, match="not as its file says now"):
        fast(f, WORD)


def test_line_numbers_are_those_of_the_current_file(tmp_path):
    for above in ("", "# one line more\n"):
        f = function_in(tmp_path / f"far{len(above)}.py", f"{above}def f(a):\n    return 1 << a\n")
        with pytest.raises(NotCompiled, match=f"line {2 + bool(above)} of f"):
            fast(f, WORD)(64)


@pytest.mark.nightly
def test_a_fault_in_the_rewriting_of_rules_passes_neither_check_nor_verify(tmp_path, capsys, home, monkeypatch):
    """Rules that never return DRAW once rewritten: their table is consistent, but wrong."""

    def rewritten(names, trees, contracts, bounds=True):
        text = insert_guards(names, trees, contracts, bounds)
        for node in (node for tree in text.trees for node in ast.walk(tree)):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
                node.value.body = ast.Constant(LOSS)
        return text

    path = tmp_path / "own.py"
    rules = Path("examples/tictactoe.py").read_text()
    path.write_text(rules.replace("(mine | theirs)", "(theirs | mine | theirs)"))  # compiled nowhere else
    monkeypatch.setattr("perfectplay.compiler.compiled.insert_guards", rewritten)
    assert main(["check", str(path)]) == 2
    assert "when compiled" in capsys.readouterr().out
    monkeypatch.setattr("perfectplay.solvers.complete.check_rules", lambda game, compiled: None)
    monkeypatch.setattr("perfectplay.solvers.complete.check_table", lambda table, solved, threads: iter(()))
    table = perfectplay.solve(load(str(path)), engine="numba")
    assert table.lookup((0, 0)).value != DRAW
    monkeypatch.setattr("perfectplay.solvers.validity.verify.SMALL", 0)
    monkeypatch.setattr("perfectplay.solvers.validity.verify.check_random_classes", lambda table, size, seed: iter(()))
    with pytest.raises(BadTable, match="its moves give draw"):
        finished(verify_table(table))
