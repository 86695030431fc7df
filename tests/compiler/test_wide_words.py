"""Rules of words between 64 and 126 bits: compiled, they return what Python returns, or stop."""

import random

import pytest

from arithmetic import adds, floors, multiplies, remains, subtracts
from perfectplay import load
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.compiler.compiled import RuleSet, guard_sites, load_pattern, rule_set
from perfectplay.compiler.integers.guarded_rules import Contract
from perfectplay.compiler.integers.word_halves import Wide, halves, whole
from perfectplay.compiler.intervals.interval import Interval
from perfectplay.game import legal_moves
from perfectplay.rules.loading import load_file
from perfectplay.words import BadGame, NotCompiled
from random_games import Writer
from rings import nightly

WORD, SMALL = Interval(0, 2**126 - 1), Interval(0, 1000)
BOARD = Interval(0, 2**64 - 1)
FULL = 2**64 - 1
LINES = (7, 2**63, 2**100 + 5)


def fast(function, *given):
    """The compiled function, for arguments in these intervals, called with Python's integers."""
    rules = load_pattern([], RuleSet("rules", {"f": function}, {"f": Contract(given)}, 128), "").module

    def called(*arguments):
        return rules.f(
            *(Wide(one) if wanted.most >= 2**63 else one for one, wanted in zip(arguments, given, strict=True))
        )

    return called


def samples(count, bits, seed=1):
    """Words of all lengths up to so many bits, sparse ones and full ones."""
    rng = random.Random(seed)
    found = [0, 1, 2**63 - 1, 2**63, 2**64 - 1, 2**bits - 1, 1 << bits - 1]
    while len(found) < count:
        word = rng.getrandbits(rng.randint(1, bits))
        found.append(rng.choice((word, word & rng.getrandbits(bits), word | 1 << bits - 1)))
    return [word & 2**bits - 1 for word in found]


def test_a_word_is_its_two_halves():
    for word in (0, 1, 2**63 - 1, 2**63, 2**64, 2**126 - 1, -1, -(2**63), -(2**100) - 5):
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
    assert guard_sites(RuleSet("rules", {"f": tricks}, {"f": Contract((BOARD, BOARD))}, 128)) == []
    compiled = fast(tricks, BOARD, BOARD)
    for mine, theirs in zip(samples(100, 64, 1), samples(100, 64, 2), strict=True):
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
    for mine, theirs in zip(samples(100, 126, 3), samples(100, 126, 4), strict=True):
        assert compiled(mine, theirs) == loops(mine, theirs)


ALL = Interval(-(2**127), 2**127 - 1)
EDGES = [n + d for n in (0, 1 << 62, 1 << 63, 1 << 126, 1 << 127) for d in (-1, 0, 1)]
NUMBERS = sorted({n for edge in (*EDGES, 5, 100, 12345678901234567890123) for n in (edge, -edge)})


SHIFTS = [
    lambda a, b: a << b,
    lambda a, b: a >> b,
]
POWER = [lambda a, b: a**b]
GUARDED = [adds, subtracts, multiplies, floors, remains, *SHIFTS, *POWER]
GUARDED += [lambda a, b: -a - ~b]
GUARDED += [lambda a, b: abs(a).bit_count() * 1000 + a.bit_length() + (abs(b) > a) + (b < a) * 2 + (a == b) * 4]


@pytest.mark.parametrize("function", GUARDED)
def test_guards_at_the_edges_of_a_word(function):
    compiled = fast(function, ALL, ALL)
    numbers = [n for n in NUMBERS if -(2**127) <= n < 2**127]
    right = 0
    for a in numbers:
        for b in numbers:
            if function in (*SHIFTS, *POWER) and b > 1000:
                continue
            try:
                wanted = function(a, b)
            except (ZeroDivisionError, ValueError):
                wanted = None
            if function in POWER and b < 0:
                wanted = None
            try:
                assert compiled(a, b) == wanted
                right += 1
            except OverflowError:
                assert wanted is None or not -(2**126) < wanted < 2**126 or a == -(2**127) or b == -(2**127)
    assert right > len(numbers)


def answer(function, given):
    """What the function answers, or None if it raises an error of arithmetic."""
    try:
        found = function(*given)
    except (ArithmeticError, LookupError, ValueError, NotCompiled):
        return None
    return tuple(map(int, found)) if isinstance(found, tuple) else int(found)


@pytest.mark.parametrize("seed", [1, *nightly(4, 5)])
def test_random_rules_return_what_python_returns_or_stop(tmp_path, seed):
    path = tmp_path / "random_rules.py"
    path.write_text(Writer(seed, wide=True).source())
    game = load_file(path, BadGame).game()
    compiled = load_pattern([], rule_set(game, checked=True), "")
    rng, agreed = random.Random(seed), 0
    for mine, theirs in zip(samples(60, game.bits, seed), samples(60, game.bits, seed + 1)[::-1], strict=True):
        for name in ("moves", "play", "outcome"):
            given = (mine, theirs, rng.randrange(len(game.move_names))) if name == "play" else (mine, theirs)
            found = answer(getattr(compiled, name), given)
            assert found is None or found == answer(getattr(game, name), given), (name, given)
            agreed += found is not None
    assert agreed


@pytest.mark.parametrize("name", ["drop:8,7,4", *nightly("lines:8,8,5", "reversi:8,8")])
def test_games_on_large_boards_compile_as_they_are_interpreted(name):
    game = load(name)
    assert guard_sites(rule_set(game, hints=True)) == []
    compiled = load_pattern([], rule_set(game, hints=True), "")
    for position, _ in random_positions(game, walks=3, seed=1):
        assert compiled.outcome(*position) == game.outcome(*position)
        assert compiled.moves(*position) == game.moves(*position)
        for move in legal_moves(game, position):
            assert compiled.play(*position, move) == game.play(*position, move)
            assert game.again is None or compiled.again(*position, move) == game.again(*position, move)


def test_rules_beyond_126_bits_do_not_compile():
    with pytest.raises(BadGame, match="lines:12,12,5 needs 144 bits a word; up to 126 compile"):
        rule_set(load("lines:12,12,5"))


def shifts_far(mine, theirs):
    return mine << (theirs & 127)


def test_a_number_beyond_a_word_is_refused_with_its_line():
    rules = RuleSet("rules", {"f": shifts_far}, {"f": Contract((WORD, WORD))}, 128)
    compiled = load_pattern([], rules, "").f
    assert compiled(1, 126) == 1 << 126
    line = shifts_far.__code__.co_firstlineno + 1
    with pytest.raises(NotCompiled, match=f"wider than 127 bits: mine << .*, line {line} of shifts_far"):
        compiled(1, 127)
