"""What a function's variables and constants are called in C, and what is known of them."""

import ast
from typing import Protocol

from perfectplay.compiler.c.c_syntax import Part, bits_for, plain
from perfectplay.compiler.intervals.facts import Function, Names, Value, is_constant
from perfectplay.compiler.intervals.interval import Interval, single


class Home(Protocol):
    """The program that a function is a part of."""

    prefix: str
    constants: Names
    helpers: set[str]
    kept: dict[Function, list[str]]
    tuples: dict[int, int]

    def name(self, function: Function) -> str:
        """The function's name in C."""

    def tuple_type(self, size: int) -> str:
        """The type of a tuple of that many numbers."""

    def array(self, value: tuple[Value, ...], near: str) -> str:
        """The name of an array of these constants."""


class Scope:
    """The names of a function."""

    def __init__(self, program: Home, function: Function) -> None:
        self.program, self.function = program, function
        self.read: set[str] = set()
        """Variables that are read."""
        self.called_here: set[Function] = set()
        """Functions that are called in what is written."""
        self.temporary = 0
        self.names: dict[tuple[str, int], str] = {}
        for name, value in function.variables.items():
            self.named(name)
            for i in range(len(value) if isinstance(value, tuple) else 0):
                self.named(name, i)

    def named(self, name: str, part: int = -1) -> str:
        """The name in C of a variable, or of a part of the tuple that it holds: no two have the same."""
        if (name, part) not in self.names:
            found = plain(name) if part < 0 else f"{plain(name)}_{part}"
            while found in self.names.values():
                found += "_"
            self.names[name, part] = found
        return self.names[name, part]

    def fresh(self, kind: str) -> str:
        """A name that nothing else has."""
        self.temporary += 1
        return self.named(f"{kind}{self.temporary}_", -2)

    def flat(self, name: str, value: tuple[Value, ...]) -> list[str]:
        """The variables that hold a tuple's parts."""
        if not all(isinstance(part, Interval) for part in value):
            raise self.function.refusal(self.function.tree, f"{name} is a tuple of tuples")
        return [self.named(name, i) for i in range(len(value))]

    def is_tuple(self, name: str) -> bool:
        """Whether the variable holds a tuple."""
        return isinstance(self.function.variables.get(name), tuple)

    def number(self, node: ast.expr) -> Interval:
        """What the expression can be, in a word of 64 bits."""
        if isinstance(node, ast.Name) and node not in self.function.numbers:
            value = self.function.variables[node.id]
            assert isinstance(value, Interval)
            return value
        return self.function.numbers[node].clipped()

    def decided(self, test: ast.expr) -> bool | None:
        """Whether a test always holds or never does."""
        found = self.function.numbers[test]
        if found == single(0):
            return False
        return True if found.least > 0 or found.most < 0 else None

    def variable(self, name: str) -> Part:
        """A variable that is read."""
        self.read.add(name)
        return Part(self.named(name), bits_for(self.function.variables[name]), True)

    def held(self, name: str) -> list[Part]:
        """The parts of a variable that holds a tuple."""
        self.read.add(name)
        value = self.function.variables[name]
        assert isinstance(value, tuple)
        return [Part(part, bits_for(value), True) for part in self.flat(name, value)]

    def constants(self, node: ast.expr) -> tuple[Value, ...]:
        """A tuple of constants."""
        value: Value | None = None
        if isinstance(node, ast.Name):
            places = (self.function.variables, self.function.constants, self.program.constants)
            value = next((place[node.id] for place in places if node.id in place), None)
        elif isinstance(node, ast.Tuple):
            value = tuple(
                self.constants(part) if part in self.function.tuples else self.number(part) for part in node.elts
            )
        elif isinstance(node, ast.Call) and node in self.function.calls:
            value = self.function.calls[node].result
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            ends = [None if end is None else self.number(end).least for end in (node.slice.lower, node.slice.upper)]
            value = self.constants(node.value)[slice(*ends)]
        if not isinstance(value, tuple) or not value or not is_constant(value):
            raise self.function.refusal(node, "a loop or a look-up needs constants")
        shapes = {len(part) if isinstance(part, tuple) else 0 for part in value}
        if len(shapes) > 1 or any(isinstance(one, tuple) for part in value if isinstance(part, tuple) for one in part):
            raise self.function.refusal(node, "constants are numbers, or tuples of numbers of one length")
        return value
