"""Rules as they are usually written translate to C, and do there what they do in Python."""

import random
import re
from pathlib import Path

import pytest
from test_c import answers, expected

from c_functions import WORD, compiled, in_python, needs_gcc, translated
from export_files import export, truth
from perfectplay.compiler.compiled import load_kernels
from perfectplay.compiler.intervals.interval import OutsideSubset
from perfectplay.rules.loading import load_game

USUAL = """
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 4, 8))
STEPS = (1, 3, 4, 2)
LIMITS = (7, 73, 273, 84)
SIZE = 9

def first_free(a, b):
    for i in range(SIZE):
        if not a >> i & 1:
            break
    else:
        return 100 + (b & 1)
    return i

def nothing_found(a, b):
    found = 0
    for row in ROWS:
        for i in row:
            if not a >> i & 1:
                break
        else:
            found += 1
            continue
        for i in row:
            if b >> i & 1:
                found += 10
                break
        else:
            found += 100
    return found

def breaks_the_outer_loop(a, b):
    n = 0
    for i in range(5):
        for j in range(3):
            if a >> i + j & 1 == 0:
                break
        else:
            n += 40
            break
        n += 1
    else:
        n ^= b & 7
    return n

def while_else(a, b):
    x = y = place = b & 15
    while place < 12:
        if a >> place & 1:
            place += 50
            break
        while x < place:
            x += 3
        place += 1
    else:
        place -= y
    first, second = both = x, a & 7
    return place * 8 + first + second - both[1]

def sown(a, b):
    place, left = b & 7, a & 31
    found = 0
    while left > 0:
        place = place + 1 if place < 8 else 0
        found += 1 << place * 5
        left -= 1
    return found

def shifted_by_what_the_loop_counts(a, b):
    found = 0
    for i in range(b & 7):
        found |= 1 << i * 3 + (a & 1)
    for i in range(1, (a & 3) + 2):
        found ^= 3 << (i - 1) * 4
    step = 1
    while step < 9:
        found += a >> step & 1 << step
        step += 2
    for d in (-3, -1, 1, 3):
        found += (a << d if d > 0 else a >> -d) & 1023
    return found

def doubled(a, b):
    found = 1
    for _ in range(b & 15):
        found = found * 2 + (a & 1)
    return found

def lowest_first(a, b):
    total, left = 0, a & 511
    while low := left & -left:
        left ^= low
        if b & low:
            continue
        total += low.bit_length() << (b & 3)
    if (n := total & 7) > 3 and b & 1:
        return n
    elif (m := b & 3) == 2:
        return m + 10 * n
    return (k := total) + k

def weighed(word, weight=3, offset=0):
    return (word & 15) * weight + offset

def several_calls(a, b):
    return weighed(a) + weighed(b, 5) + weighed(a, offset=b & 3) + weighed(offset=1, word=b, weight=a & 3)

def is_odd(a):
    return a & 1 == 1

def sign(a):
    if a > 0:
        return 1
    elif a < 0:
        return -1
    return 0

def small_helpers(a, b):
    count = 0
    if is_odd(a) and not is_odd(b):
        count += 1
    count -= is_odd(a) * sign(a - b)
    return count + abs(sign(b - a)) + (sign(a) if is_odd(b) else sign(b) * 2)

def full(word, row):
    for i in row:
        if not word >> i & 1:
            return False
    return True

def rows_handed_on(a, b):
    count = 0
    for row in ROWS:
        if full(a, row):
            count += 1
        count += full(b, row) << 4
    return count

def swapped(pair):
    x, y = pair
    return y, x

def pairs_handed_on(a, b):
    pair = a & 255, b & 127
    pair = swapped(pair)
    for _ in range(3):
        pair = swapped((pair[0] + 1, pair[1] & 63))
    return pair[0] * 3 + swapped(pair)[0]

def side_by_side(a, b):
    found = 0
    for step, limit in zip(STEPS, LIMITS):
        found += a >> step & limit
    for i, (x, y, z) in enumerate(ROWS):
        found += (b >> x & b >> y & b >> z & 1) << i
    for row in ROWS[1:3]:
        found += row[0]
    for step in STEPS[:-1]:
        found ^= step
    return found

def over_numbers(a, b):
    found = 0
    for x in (a & 7, b & 7, 5):
        found = found * 10 + x
    for word, other in ((a, b), (b, a)):
        found += (word & ~other) & 3
    return found

def ends_by_return(a, b):
    for word in (a, b):
        for row in ROWS:
            if full(word, row):
                return 1 if word == a else 2
    return 0

def tells(a, b):
    assert 0 <= a
    return a > b

def two_words(a, b):
    if a & 1:
        return a & 255, b & 255
    mine = theirs = 0
    for i in range(4):
        bit = 1 << i
        if a & bit: mine |= bit << 1
        elif b & bit: theirs |= bit
    return (theirs, mine) if b & 1 else (mine, theirs)
"""
HELPERS = ("weighed", "is_odd", "sign", "full", "swapped")
NAMES = [name for name, value in in_python(USUAL).items() if callable(value) and name not in HELPERS]


@needs_gcc
def test_usual_rules(tmp_path):
    functions, python = compiled(tmp_path, USUAL, [WORD, WORD], NAMES), in_python(USUAL)
    rng = random.Random(1)
    for name in NAMES:
        for _ in range(300):
            a, b = rng.getrandbits(rng.choice((3, 8, 20))), rng.getrandbits(rng.choice((3, 8, 20)))
            wanted = python[name](a, b)
            if isinstance(wanted, tuple):
                wanted = wanted[0] + 1000 * wanted[1]
            assert functions[name](a, b) == wanted, (name, a, b)


@pytest.mark.parametrize(
    ("body", "line", "instead"),
    [
        ("n = a\nwhile b:\n    b -= 1\n    n *= 3\nreturn n", 5, "cut it by & to the bits that matter"),
        ("return 1 << a", 2, "assert n < 32"),
        ("return sum((a, b))", 2, "count in a loop"),
        ("return max(x for x in (a, b))", 2, "write a loop"),
        ("return [a, b][0]", 2, "write a tuple"),
        ("if a:\n    return b\n", 1, "return a number at its end"),
        ("return a / 2", 2, "use //"),
        ("x = 0\nreturn x if a or (x := b) else 1", 3, "in a line before"),
        ("for x in a:\n    b += x\nreturn b", 2, "count with range"),
        ("a.low = 3\nreturn a", 2, "make a new number"),
        ("match a:\n    case 0: return 1\nreturn 2", 2, "write if and elif"),
        ("return f(a, b)", 1, "write a loop"),
        ("for i in range(0, a, b):\n    a -= i\nreturn a", 2, "write a while loop"),
        ("return 2 ** a if a < 5 else 0", 2, "<<"),
        ("return g(g((a, b)))[0]", 2, "give it a name in a line before"),
    ],
)
def test_a_message_says_the_line_and_the_way_around(body, line, instead):
    source = "def f(a, b):\n" + "".join(f"    {part}\n" for part in body.split("\n"))
    with pytest.raises(OutsideSubset, match=rf"line {line} of f; .*{re.escape(instead)}"):
        translated(source + "def g(x):\n    return x[1], x[0]\n", [WORD, WORD], ["f"])


USUAL_GAME = """
def full(word, row, wanted=3):
    count = 0
    for i in row:
        count += word >> i & 1
    return count == wanted

def moves(mine, theirs):
    legal = taken = 0
    for i in range(9):
        if (both := mine | theirs) >> i & 1:
            taken += 1
            continue
        legal |= 1 << i
    return legal if taken < 9 else 0

def outcome(mine, theirs):
    for int in data:
        if full(theirs, int):
            break
    else:
        return ONGOING if moves(mine, theirs) else DRAW
    return LOSS

def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=9, shape=(3, 3))
"""
"""Rules of tic-tac-toe, put behind those of the example, with names that are words of C."""


@needs_gcc
def test_a_game_of_usual_rules_and_names_compiles_and_translates(tmp_path, capsys):
    file, header = tmp_path / "odd *_names.py", tmp_path / "usual.h"
    rows = "data = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))\n"
    file.write_text(Path("examples/tictactoe.py").read_text() + rows + USUAL_GAME)
    game, kernels = load_game(str(file)), load_kernels(load_game(str(file)))
    known = truth("tic-tac-toe")
    for position in known:
        assert kernels.moves(*position) == game.moves(*position)
        assert kernels.outcome(*position) == game.outcome(*position)
    export(capsys, str(file), header)
    said = answers(tmp_path, header, str(file), list(known))
    assert said == [expected(game, position, *known[position]) for position in known]
