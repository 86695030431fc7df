"""Rules in C: whatever is translated does in C what it does in Python."""

import ast
import random

import pytest

from c_functions import WORD, compiled, in_python, needs_gcc, translated
from perfectplay.compiler.intervals.interval import EXACT, Interval, OutsideSubset, combined, compared, narrowed, single
from perfectplay.compiler.intervals.interval_statements import Rules

STATEMENTS = """
ROWS = ((1, 73), (3, 7), (4, 1), (2, 4))
PLACES = (3, -1, 4, 1, -5, 9)

def loops(a, b):
    found = 0
    for step, starts in ROWS:
        run = a & starts
        for i in range(1, 3):
            run &= b >> i * step
        if run:
            found += run
        elif starts == 7:
            continue
        else:
            found ^= 1
    return found

def looks_up(a, b):
    first = PLACES[a % 6] + PLACES[-1 - b % 6]
    for i, place in enumerate(PLACES):
        if place == first:
            return i
    return (7, 5, 3)[b % 3] if first in (1, 2, 3) else 100

def two(a, b):
    return (a & 255, b & 255) if a > b else (b & 127, 3)

def uses_pairs(a, b):
    x, y = two(a, b)
    both = two(b, a)
    z = two(x, y)[1]
    return x - y * both[0] + both[1] ^ z

def chains(a, b):
    low = 3 <= a & 15 < 9 != b & 1
    some = a & 6 or b & 9 or 40
    all_of = (a & 3) and (b & 3) and 5
    return low + some * 10 + all_of * 1000 + (not a & 1) + (a in (1, 2, 3)) + (b not in (4, 5))

def helped(a, b):
    return a.bit_count() * 100 + (b - a).bit_length() + min(a, b, 77) + max(a - b, -5) + abs(a - b) + bool(a) + int(b)

def row_by_row(a, b):
    found = 0
    for row in ROWS:
        found += (a >> row[0]) & row[1]
    for shift, mask in ((0, 7), (3, 7)):
        found ^= b >> shift & mask
    return found + ROWS[a & 3][b & 1]

def names_alike(a, b):
    both = two(a, b)
    both_0 = a & 7
    int = b & 3
    int_ = a & 5
    at1_ = 3
    for place in PLACES:
        at1_ += place & a
    end1_ = 9
    for i in range(a & 3):
        end1_ += i
    INT8_MAX = a & 1
    ue9 = 1 + (b & 2)
    é = 2 + (a & 4)
    return both[0] + both_0 * 3 + int * 100 + int_ * 1000 + at1_ + end1_ + INT8_MAX * 7 + ue9 * 11 + é * 13

def far_steps(a, b):
    found = 0
    for i in range(0, (1 << 31) - 1 - (a & 1), 1 << 30):
        found += i >> 20
    return found

def shifted_away(a, b):
    return (a >> 100) + (b >> 40 + (a & 1)) + (((a << 50) & 0xFFFFF) >> 3)

"""
NAMES = [node.name for node in ast.parse(STATEMENTS).body if isinstance(node, ast.FunctionDef) and node.name != "two"]


@needs_gcc
def test_statements(tmp_path):
    functions, python = compiled(tmp_path, STATEMENTS, [WORD, WORD], NAMES), in_python(STATEMENTS)
    rng = random.Random(1)
    for name in NAMES:
        for _ in range(100):
            bits = rng.choice((3, 8, 20))
            a, b = rng.getrandbits(bits), rng.getrandbits(bits)
            wanted = python[name](a, b)
            if isinstance(wanted, tuple):
                wanted = wanted[0] + 1000 * wanted[1]
            assert functions[name](a, b) == wanted, (name, a, b)


def test_ranges_hold_all_results():
    rng = random.Random(3)
    for _ in range(2_000):
        ends = [sorted(rng.choice((rng.randint(-9, 9), rng.randint(-200, 200))) for _ in range(2)) for _ in range(2)]
        a, b = Interval(*ends[0]), Interval(*ends[1])
        x, y = rng.randint(a.least, a.most), rng.randint(b.least, b.most)
        for operator, exact in EXACT.items():
            found = combined(operator, a, b)
            try:
                value = exact(x, y)
            except (ArithmeticError, ValueError):
                continue
            if found is not None and isinstance(value, int):
                assert found.least <= value <= found.most, (operator, a, b, x, y)
        truths = {ast.Lt: x < y, ast.LtE: x <= y, ast.Eq: x == y, ast.NotEq: x != y, ast.Gt: x > y}
        for operator, holds in truths.items():
            truth = compared(operator, a, b)
            assert truth.least <= holds <= truth.most
            if holds:
                left = narrowed(operator, a, b)
                assert left is not None
                assert left.least <= x <= left.most


def test_numbers_that_can_only_be_one_are_written_out():
    source = """
    WIDTH = 4
    def wide(board, step):
        return board >> step * WIDTH
    def f(a, b):
        unused = a + b
        return wide(a, 2) if WIDTH > 3 else b
    """
    program, (root,) = translated(source, [WORD, WORD], ["f"])
    text = "\n".join(program.lines())
    assert "board >> 8" in text
    assert "unused" not in text
    assert program.kept[root] == ["a"]
    assert "int64_t" not in text


def test_words_are_as_wide_as_needed():
    program, _ = translated("def f(a):\n    return (a << 20) + 1", [WORD], ["f"])
    assert any("(int64_t)a << 20" in line for line in program.lines())
    program, _ = translated("def f(a):\n    return (a << 10) + 1", [WORD], ["f"])
    assert not any("int64_t" in line for line in program.lines())
    rules = Rules(ast.parse("def f(a):\n    while a > 1:\n        a = a * 3 & 0xFFFF\n    return a").body)
    assert rules.call("f", [WORD])[1] == Interval(0, 1)
    assert rules.call("f", [single(0)])[1] == single(0)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def f(a): return f(a - 1) if a else 0", "calls itself"),
        ("def f(a): return [a][0]", "not supported"),
        ("def f(a): return a / 2", "whole numbers"),
        ("def f(a): return a ** a", "whole numbers"),
        ("def f(a): return print(a)", "call is not supported"),
        ("def f(a): return 'x' * a", "not supported"),
        ("def f(a):\n    for x in ((a, 1), (2, 3, a)): a += x[0]\n    return a", "a number here and a tuple there"),
        ("def f(a):\n    if a: return 1", "may return nothing"),
        ("def f(a):\n    try: return 1\n    finally: pass", "try is not supported"),
        ("def f(a): return g(((a, 1), 2))\ndef g(x): return x[1]", "tuple of tuples"),
        ("def f(a): return (1, 2)[a + 5]", "constants"),
        ("def f(a): return 1 if a else (1, 2)", "a number here and a tuple there"),
        ("X = (1, 2)\nY = (3, 4)\ndef f(a): return g(X)\ndef g(x):\n    x = Y\n    return x[0]", "given another value"),
        ("def f(a):\n    (x, y), z = (a, 1), 2\n    return x", "tuples inside tuples"),
        ("def f(a):\n    p = (a, 1)\n    x, y = p, 3\n    return y", "this is a tuple"),
        ("def f(a): return a in ((1, 2), (3, 4))", "only constants are looked through"),
        ("ROWS = ((1, 2), (3, 4))\ndef f(a):\n    for x in ROWS[a & 1]: a += x\n    return a", "needs constants"),
        ("def f(a): return ((a << 70) >> 69) & 3", "wider than 63 bits"),
        ("def f(a): return a & 0xFFFFFFFFFFFFFFFFF", "wider than 63 bits"),
        (f"ALL = {(1 << 70) - 1}\ndef f(a): return a & ALL", "wider than 63 bits"),
        ("def f(a):\n    for s in (1, 2): a |= 2 ** s\n    return a", "shift 1 instead"),
        ("def f(a):\n    a.b = 3\n    return a", "only names"),
    ],
)
def test_what_is_not_translated(source, why):
    with pytest.raises(OutsideSubset, match=why):
        translated(source, [WORD], ["f"])
