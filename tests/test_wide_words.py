"""Rules of words between 64 and 126 bits: compiled, they return what Python returns, or stop."""

import linecache
import random

import pytest

from perfectplay import load
from perfectplay.engines.compiled import RuleSet, guarded_places, load_pattern, load_search, rule_set
from perfectplay.engines.contract import compiled_agrees
from perfectplay.engines.range_proofs import Contract
from perfectplay.engines.sample_positions import random_positions
from perfectplay.engines.word_halves import Wide, halves, whole
from perfectplay.intervals.interval import Interval
from perfectplay.words import NotCompiled

WORD, SMALL = Interval(0, 2**126 - 1), Interval(0, 1000)
BOARD = Interval(0, 2**64 - 1)
FULL = 2**64 - 1
LINES = (7, 2**63, 2**100 + 5)


def fast(function, *given):
    """The compiled function, for arguments in these intervals, called with Python's integers."""
    rules = load_pattern([], RuleSet("rules", {"f": function}, {"f": Contract(given)}, 128), "").module

    def called(*arguments):
        return rules.f(*(Wide(one) if wanted.most >= 2**63 else one for one, wanted in zip(arguments, given)))

    return called


def samples(count, bits, seed=1):
    """Words of all lengths up to so many bits, sparse ones and full ones."""
    rng = random.Random(seed)
    found = [0, 1, 2**63 - 1, 2**63, 2**64 - 1, 2**bits - 1, 1 << bits - 1]
    while len(found) < count:
        word = rng.getrandbits(rng.randint(1, bits))
        found.append(rng.choice((word, word & rng.getrandbits(bits), word | 1 << bits - 1)))
    return [word & 2**bits - 1 for word in found]


@pytest.mark.parametrize("word", [0, 1, 2**63 - 1, 2**63, 2**64, 2**126 - 1, -1, -(2**63), -(2**100) - 5])
def test_a_word_is_its_two_halves(word):
    assert whole(Wide(word).low, Wide(word).high) == word
    low, high = halves(word)
    assert high << 63 | low == word
    assert low >= 0


def tricks(mine, theirs):
    """Bit tricks as they stand in rules of boards of 64 squares."""
    empty = ~(mine | theirs) & FULL
    low = mine & -mine
    rest = mine & mine - 1
    up = (mine << 8) & FULL
    down = theirs >> 7
    flood = empty & (up | mine << 1 | theirs << 9)
    high = (1 << mine.bit_length()) >> 1
    return empty, low, rest, up, down, flood, high, mine.bit_count() - theirs.bit_length(), -theirs, mine ^ theirs


def test_bit_tricks_on_64_squares():
    assert guarded_places(RuleSet("rules", {"f": tricks}, {"f": Contract((BOARD, BOARD))}, 128)) == []
    compiled = fast(tricks, BOARD, BOARD)
    for mine, theirs in zip(samples(300, 64, 1), samples(300, 64, 2)):
        assert compiled(mine, theirs) == tricks(mine, theirs)


def loops(mine, theirs):
    """Loops, tuples and choices whose variables begin small and end wide."""
    board, count, worst = 0, 0, 5
    for square in range(0, 126, 7):
        board |= (theirs >> square & 1) << 125 - square
        count += mine >> square & 3
    while mine:
        lowest = mine & -mine
        mine ^= lowest
        if lowest in (2, 2**70, 2**120):
            worst = min(worst, lowest, 7) if count else max(worst, theirs)
    for line in LINES:
        board ^= line if theirs & line == line else 0
    taken = LINES[count % 3] + (theirs, 1)[count & 1]
    return board, count, worst, taken, abs(board - theirs), theirs or 3, theirs and 3, not theirs


def test_variables_that_become_wide():
    compiled = fast(loops, WORD, WORD)
    for mine, theirs in zip(samples(200, 126, 3), samples(200, 126, 4)):
        assert compiled(mine, theirs) == loops(mine, theirs)


def adds(a, b):
    return a + b


def subtracts(a, b):
    return a - b


def multiplies(a, b):
    return a * b


def floors(a, b):
    return a // b


def remains(a, b):
    return a % b


def shifts(a, b):
    return a << b


def shifts_back(a, b):
    return a >> b


def powers(a, b):
    return a**b


def negates(a, b):
    return -a - ~b


def sizes(a, b):
    return abs(a).bit_count() * 1000 + a.bit_length() + (abs(b) > a) + (b < a) * 2 + (a == b) * 4


ALL = Interval(-(2**127), 2**127 - 1)
EDGES = [n + d for n in (0, 1 << 31, 1 << 62, 1 << 63, 1 << 64, 1 << 126, 1 << 127) for d in (-2, -1, 0, 1)]
NUMBERS = sorted({n for edge in (*EDGES, 3, 5, 7, 100, 12345678901234567890123) for n in (edge, -edge)})


@pytest.mark.parametrize(
    "function",
    [adds, subtracts, multiplies, floors, remains, shifts, shifts_back, powers, negates, sizes],
)
def test_guards_at_the_edges_of_a_word(function):
    compiled = fast(function, ALL, ALL)
    numbers = [n for n in NUMBERS if -(2**127) <= n < 2**127]
    right = 0
    for a in numbers:
        for b in numbers:
            if function in (shifts, shifts_back, powers) and b > 1000:
                continue
            try:
                wanted = function(a, b)
            except (ZeroDivisionError, ValueError):
                wanted = None
            if function is powers and b < 0:
                wanted = None
            try:
                assert compiled(a, b) == wanted
                right += 1
            except OverflowError:
                assert wanted is None or not -(2**126) < wanted < 2**126 or a == -(2**127) or b == -(2**127)
    assert right > len(numbers)
