"""What is known of rules: functions as they are called, values as intervals, and what could not be proven."""

import ast
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from perfectplay.compiler.intervals.interval import Interval, single, widened

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
