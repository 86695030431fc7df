"""What is known of rules: functions as they are called, and values as ranges of numbers."""

import ast
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from perfectplay.export.c.ranges import Range, single, widened

Value: TypeAlias = Range | tuple["Value", ...]
"""A number in a range, or a tuple of values."""
Names = dict[str, Value]
GATHERED = re.compile(r"\b([^\W\d]\w*?)_v?\d+\b")
"""A name as it is in gathered rules, and as it was before."""


class NotInC(Exception):
    """Something that is not written in C; the message says what and where."""


@dataclass(eq=False)
class Function:
    """A function of the rules as it is called: with these constants for some of its parameters."""

    name: str
    tree: ast.FunctionDef
    constants: Names
    parameters: Names = field(default_factory=dict)
    """What the other parameters can be."""
    numbers: dict[ast.expr, Range] = field(default_factory=dict)
    """What each expression that is a number can be, before a word of 64 bits cuts it off."""
    tuples: set[ast.expr] = field(default_factory=set)
    """The expressions that are tuples."""
    variables: Names = field(default_factory=dict)
    """What each variable can be."""
    calls: dict[ast.Call, "Function"] = field(default_factory=dict)
    reached: set[ast.stmt] = field(default_factory=set)
    """The statements that are ever run."""
    result: Value | None = None

    def refusal(self, node: ast.AST, why: str) -> NotInC:
        """The error for something that is not written in C."""
        where = f"line {line} of " if (line := getattr(node, "lineno", 0)) else ""
        return NotInC(f"{why}: {as_written(ast.unparse(node))}, {where}{as_written(self.tree.name)}")


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
    return value.is_single if isinstance(value, Range) else all(is_constant(part) for part in value)


def let_out(before: Value | None, after: Value) -> Value:
    """What a variable can be that grows around a loop."""
    if isinstance(before, Range) and isinstance(after, Range):
        return widened(before, after)
    if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        return tuple(let_out(a, b) for a, b in zip(before, after, strict=True))
    return after
