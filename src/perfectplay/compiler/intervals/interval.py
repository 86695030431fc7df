"""How large a whole number can get: intervals, and what Python's operators make of them."""

import ast
from collections.abc import Callable
from dataclasses import dataclass

MOST_SHIFT = 256
"""Greater shifts make no difference: nothing is left, or nothing fits."""


@dataclass(frozen=True, slots=True)
class Interval:
    """All whole numbers from `least` to `most`."""

    least: int
    most: int

    @property
    def is_single(self) -> bool:
        """Whether it is one number."""
        return self.least == self.most

    def fits(self, bits: int) -> bool:
        """Whether a signed word of that many bits holds them all."""
        return -(1 << bits - 1) <= self.least and self.most < 1 << bits - 1

    def clipped(self, wraps: bool = False, bits: int = 64) -> "Interval":
        """What of it a word of that many bits can hold; any word if what does not fit wraps around."""
        if self.fits(bits):
            return self
        word = Interval(-(1 << bits - 1), (1 << bits - 1) - 1)
        return word if wraps else self.common(word) or word

    def holds(self, other: "Interval") -> bool:
        """Whether all of the other's numbers are in this one."""
        return self.least <= other.least and other.most <= self.most

    def joined(self, other: "Interval") -> "Interval":
        """The smallest range that holds both."""
        return Interval(min(self.least, other.least), max(self.most, other.most))

    def common(self, other: "Interval") -> "Interval | None":
        """The numbers in both."""
        least, most = max(self.least, other.least), min(self.most, other.most)
        return Interval(least, most) if least <= most else None


WORD = Interval(-(1 << 63), (1 << 63) - 1)
TRUTH = Interval(0, 1)
EDGES = (-(1 << 127), -(1 << 63), -(1 << 31), -1, 0, (1 << 31) - 1, (1 << 63) - 1, (1 << 127) - 1)
"""The bounds that widening stops at."""


def single(number: int) -> Interval:
    """One number."""
    return Interval(number, number)


def corners(a: Interval, b: Interval, operation: Callable[[int, int], int]) -> Interval:
    """The range of an operation whose extremes lie at the ends of its operands."""
    found = [operation(x, y) for x in (a.least, a.most) for y in (b.least, b.most)]
    return Interval(min(found), max(found))


def width(*ranges: Interval) -> int:
    """How many bits all these numbers take, their sign aside."""
    return max((~end if end < 0 else end).bit_length() for one in ranges for end in (one.least, one.most))


def both_bits(a: Interval, b: Interval) -> Interval:
    """a & b."""
    if a.least >= 0 and b.least >= 0:
        return Interval(0, min(a.most, b.most))
    if a.least >= 0 or b.least >= 0:
        return Interval(0, a.most if a.least >= 0 else b.most)
    return Interval(-(1 << width(a, b)), max(a.most, b.most))


def any_bits(a: Interval, b: Interval) -> Interval:
    """a | b."""
    if a.least >= 0 and b.least >= 0:
        return Interval(max(a.least, b.least), (1 << width(a, b)) - 1)
    return Interval(min(a.least, b.least), (1 << width(a, b)) - 1)


def odd_bits(a: Interval, b: Interval) -> Interval:
    """a ^ b."""
    bound = 1 << width(a, b)
    return Interval(0 if a.least >= 0 and b.least >= 0 else -bound, bound - 1)


def shift_count(b: Interval) -> Interval:
    """By how much is shifted: a negative count is an error in Python, so no number comes of it."""
    return Interval(min(max(b.least, 0), MOST_SHIFT), min(max(b.most, 0), MOST_SHIFT))


def quotient(a: Interval, b: Interval) -> Interval:
    """a // b."""
    if b.least > 0 or b.most < 0:
        return corners(a, b, lambda x, y: x // y)
    largest = max(abs(a.least), abs(a.most)) + 1
    return Interval(-largest, largest)


def remainder(a: Interval, b: Interval) -> Interval:
    """a % b."""
    if b.least > 0:
        return a if a.least >= 0 and a.most < b.least else Interval(0, b.most - 1)
    if b.most < 0:
        return Interval(b.least + 1, 0)
    largest = max(abs(b.least), abs(b.most), 1)
    return Interval(1 - largest, largest - 1)


OPERATIONS: dict[type[ast.operator], Callable[[Interval, Interval], Interval]] = {
    ast.Add: lambda a, b: Interval(a.least + b.least, a.most + b.most),
    ast.Sub: lambda a, b: Interval(a.least - b.most, a.most - b.least),
    ast.Mult: lambda a, b: corners(a, b, lambda x, y: x * y),
    ast.BitAnd: both_bits,
    ast.BitOr: any_bits,
    ast.BitXor: odd_bits,
    ast.LShift: lambda a, b: corners(a, shift_count(b), lambda x, y: x << y),
    ast.RShift: lambda a, b: corners(a, shift_count(b), lambda x, y: x >> y),
    ast.FloorDiv: quotient,
    ast.Mod: remainder,
}

EXACT: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
}


def combined(operator: type[ast.operator], a: Interval, b: Interval) -> Interval | None:
    """What the operator makes of two numbers in these ranges; None if that cannot be said."""
    counts = operator in (ast.LShift, ast.RShift, ast.Pow)
    if a.is_single and b.is_single and operator in EXACT and (not counts or 0 <= b.least <= MOST_SHIFT):
        try:
            return single(EXACT[operator](a.least, b.least))
        except ArithmeticError:
            return None
    return OPERATIONS[operator](a, b) if operator in OPERATIONS else None


def compared(operator: type[ast.cmpop], a: Interval, b: Interval) -> Interval | None:
    """Whether a comparison holds: 0, 1 or either; None if it is none of numbers."""
    if operator in (ast.Gt, ast.GtE):
        return compared(ast.Lt if operator is ast.Gt else ast.LtE, b, a)
    if operator is ast.Lt:
        return single(1) if a.most < b.least else single(0) if a.least >= b.most else TRUTH
    if operator is ast.LtE:
        return single(1) if a.most <= b.least else single(0) if a.least > b.most else TRUTH
    if operator in (ast.Eq, ast.NotEq):
        same = single(1) if a.is_single and a == b else single(0) if a.common(b) is None else TRUTH
        return same if operator is ast.Eq or not same.is_single else single(1 - same.least)
    return None


def narrowed(operator: type[ast.cmpop], a: Interval, b: Interval) -> Interval | None:
    """What is left of a where the comparison with b holds; None if that is nothing."""
    if operator is ast.Lt:
        return a.common(Interval(a.least, b.most - 1)) if b.most - 1 >= a.least else None
    if operator is ast.LtE:
        return a.common(Interval(a.least, b.most)) if b.most >= a.least else None
    if operator is ast.Gt:
        return a.common(Interval(b.least + 1, a.most)) if b.least + 1 <= a.most else None
    if operator is ast.GtE:
        return a.common(Interval(b.least, a.most)) if b.least <= a.most else None
    if operator is ast.Eq:
        return a.common(b)
    if operator is ast.NotEq and b.is_single:
        if a.is_single and a == b:
            return None
        return Interval(a.least + (a.least == b.least), a.most - (a.most == b.most))
    return a


OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def widened(before: Interval, after: Interval) -> Interval:
    """A range that still grows, widened to the next bound."""
    least = before.least if after.least >= before.least else max(e for e in EDGES if e <= max(after.least, EDGES[0]))
    most = before.most if after.most <= before.most else min(e for e in EDGES if e >= min(after.most, EDGES[-1]))
    return Interval(least, most)
