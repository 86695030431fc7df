"""How large a whole number can get: intervals, and what Python's operators make of them."""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

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


# What is known of rules: functions as they are called, values as intervals, and what could not be proven.


Value: TypeAlias = Interval | tuple["Value", ...]
"""A number in a range, or a tuple of values."""
Names = dict[str, Value]
GATHERED = re.compile(r"\b([^\W\d]\w*?)_v?\d+\b")
"""A name as it is in gathered rules, and as it was before."""


OVERFLOW = "a number that can be wider than 63 bits"
WRAPS = "a number whose upper bits do not matter, and do not fit"
NEGATIVE_SHIFT = "a shift by a count that can be negative"
LONG_SHIFT = "a shift by a count that can be 64 or more"
BY_ZERO = "a division by what can be 0"
NO_ELEMENT = "an index that can be out of range"
NEGATIVE = "the bits of a number that can be negative"
"""Doubts: what compiled code, which counts in words of 64 bits, does otherwise than Python."""


WAYS_AROUND = {
    OVERFLOW: "cut it by & to the bits that matter, or say how large its parts get, as in: assert n < 32",
    "a call with too many or too few arguments": "hand over all of them",
    "a function that calls itself": "write a loop",
    "a function that may return nothing": "return a number at its end",
    "a loop or a look-up needs constants": "define the tuple outside the rules",
    "a loop runs over a range or over a tuple": "count with range, or define a tuple outside the rules",
    "a number here and a tuple there": "make it one or the other everywhere, and tuples of one length",
    "a number is wanted": "give the numbers of a tuple names of their own",
    "a number is wanted, and this is a tuple": "give the numbers of a tuple names of their own",
    "a number wider than 63 bits": "put the upper bits into another number",
    "a parameter that is a tuple is given another value": "use another name for it",
    "constants are numbers, or tuples of numbers of one length": "make them so, or use several tuples",
    "different tuples in turn are not handed on": "write a function for each",
    "only constants are looked through": "compare with == and or",
    "only names are given values": "make a new number, and give it a name",
    "only numbers and short tuples of numbers are returned": "return at most 8 numbers",
    "the step of a range must be a constant": "write a while loop",
    "this call is not supported": "call functions of your own, abs, min, max, len, int or bool, and count in a loop",
    "this is not done with whole numbers": "use // to divide, and << or a loop for powers",
    "this tuple is not written in C": "give the tuple a name in a line before",
    "tuples inside tuples are not taken apart at once": "take them apart in two lines",
    "what a call returns is not handed on at once": "give it a name in a line before",
}
"""What to write instead, by what is wrong."""
FORMS = {
    ast.List: ("a list", "write a tuple"),
    ast.Dict: ("a dict", "write a tuple, and look up by number"),
    ast.Set: ("a set", "write a tuple"),
    ast.ListComp: ("a comprehension", "write a loop"),
    ast.SetComp: ("a comprehension", "write a loop"),
    ast.GeneratorExp: ("a generator", "write a loop"),
    ast.NamedExpr: ("this :=", "write the assignment in a line before"),
    ast.Attribute: ("an attribute", "give its value a name outside the rules"),
    ast.Constant: ("anything but whole numbers", "use numbers"),
    ast.Match: ("match", "write if and elif"),
    ast.Try: ("try", "test with if before it can fail"),
}
"""What else Python has, by its name, and what to write instead."""


class OutsideSubset(Exception):
    """Something that rules may not use where they are compiled or written in C; the message says what and where."""


@dataclass(eq=False)
class Function:
    """A function of the rules as it is called: with these constants for some of its parameters."""

    name: str
    tree: ast.FunctionDef
    constants: Names
    parameters: Names = field(default_factory=dict)
    """What the other parameters can be."""
    numbers: dict[ast.expr, Interval] = field(default_factory=dict)
    """What each expression that is a number can be, before a word of 64 bits clips it."""
    tuples: set[ast.expr] = field(default_factory=set)
    """The expressions that are tuples."""
    variables: Names = field(default_factory=dict)
    """What each variable can be."""
    calls: dict[ast.Call, "Function"] = field(default_factory=dict)
    varied: set[ast.Call] = field(default_factory=set)
    """The calls that hand on different tuples in turn, and so are of more than one such function."""
    reached: set[ast.stmt] = field(default_factory=set)
    """The statements that are ever run."""
    doubts: dict[ast.AST, set[str]] = field(default_factory=dict)
    """What could not be proven of which operation."""
    result: Value | None = None

    def refusal(self, node: ast.AST, why: str, instead: str = "") -> OutsideSubset:
        """The error for something that rules may not use: what, where, and what to write instead."""
        way = instead or WAYS_AROUND.get(why, "")
        return OutsideSubset(place(self.tree, node, why) + (f"; {way}" if way else ""))

    def unknown(self, node: ast.AST) -> OutsideSubset:
        """The error for a form of Python's that rules do not have."""
        name, instead = FORMS.get(type(node), (type(node).__name__.lower(), ""))
        return self.refusal(node, f"{name} is not supported", instead)


def place(tree: ast.FunctionDef, node: ast.AST, why: str) -> str:
    """What is wrong, with the piece of the rules and where it stands."""
    where = f"line {line} of " if (line := getattr(node, "lineno", 0)) else ""
    return f"{why}: {as_written(ast.unparse(node))}, {where}{as_written(tree.name)}"


def as_written(text: str) -> str:
    """The beginning of a piece of gathered rules, with names as they were before."""
    return GATHERED.sub(r"\1", text.partition("\n")[0])[:60]


def constant(value: object) -> Value:
    """A constant as ranges of one number."""
    if isinstance(value, tuple):
        return tuple(constant(part) for part in value)
    assert isinstance(value, int)
    return single(int(value))


def is_constant(value: Value) -> bool:
    """Whether the value is one number all through."""
    return value.is_single if isinstance(value, Interval) else all(is_constant(part) for part in value)


def let_out(before: Value | None, after: Value) -> Value:
    """What a variable can be that grows around a loop."""
    if isinstance(before, Interval) and isinstance(after, Interval):
        return widened(before, after)
    if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        return tuple(let_out(a, b) for a, b in zip(before, after, strict=True))
    return after
