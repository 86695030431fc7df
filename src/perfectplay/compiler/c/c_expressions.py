"""Expressions of rules in C, of types that hold them.

Nothing here is left undefined by C but for the right shift of a negative number, which all compilers do as Python
does. An `int` may have 16 bits.
"""

import ast
from itertools import pairwise
from typing import Protocol

from perfectplay.compiler.c.c_syntax import (
    PLAIN,
    Part,
    bits_for,
    either,
    element_bits,
    leaves,
    literal,
    near,
    plain,
    row_width,
)
from perfectplay.compiler.intervals.interval import (
    TRUTH,
    Function,
    Interval,
    Names,
    Value,
    combined,
    compared,
    is_constant,
    single,
)

# What a function's variables and constants are called in C, and what is known of them.


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


OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.USub: "-",
    ast.Invert: "~",
}
MEMBERS = "abcdefgh"
"""The parts of a tuple that a function returns."""


class Expressions(Scope):
    """Writes the expressions of a function."""

    def parts(self, node: ast.expr, depth: int) -> tuple[list[str], list[Part]]:
        """The parts of a tuple, and lines that come before."""
        match node:
            case ast.Tuple(elts=elements):
                return [], [self.part(one) for one in elements]
            case ast.Name(id=name) if self.is_tuple(name):
                return [], self.held(name)
            case ast.Name():
                return [], [literal(one.least) for one in leaves(self.constants(node))]
            case ast.Call():
                called, kept = self.function.calls[node], self.fresh("made")
                size = len(called.result) if isinstance(called.result, tuple) else 0
                line = f"{'    ' * depth}const {self.program.tuple_type(size)} {kept} = {self.called(node).text};"
                return [line], [Part(f"{kept}.{MEMBERS[i]}", self.program.tuples[size], True) for i in range(size)]
            case ast.Subscript(value=inner, slice=index):
                value = self.constants(inner)
                row = f"{self.program.array(value, near(inner))}[{self.index(index, len(value))}]"
                return [], [Part(f"{row}[{i}]", element_bits(value), True) for i in range(row_width(value))]
        raise self.function.refusal(node, "this tuple is not written in C")

    def part(self, node: ast.expr) -> Part:
        """An expression that is a number."""
        known = self.function.numbers.get(node)
        if node in self.function.tuples:
            raise self.function.refusal(node, "a number is wanted, and this is a tuple")
        if known is None:  # never looked at: nothing gets here
            return literal(0)
        if known.is_single and known.fits(64):
            return literal(known.least)
        found = self.expression(node, known)
        return found.cast(32) if found.bits == 64 and known.fits(32) else found

    def expression(self, node: ast.expr, known: Interval) -> Part:
        """The same, of whatever type."""
        match node:
            case ast.Name(id=name):
                return self.variable(name)
            case ast.BinOp(op=ast.Pow()):
                raise self.function.refusal(
                    node, "powers of numbers that change are not written in C", "shift 1 instead"
                )
            case ast.BinOp(left=left, op=operator, right=right):
                ranges = self.number(left), self.number(right)
                return self.operation(operator, self.part(left), self.part(right), ranges, known)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return Part(f"!{self.condition(inner).inside()}", PLAIN)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.part(inner)
            case ast.UnaryOp(op=operator, operand=inner):
                a = self.part(inner)
                if a.bits == PLAIN and isinstance(
                    operator, ast.Invert
                ):  # of a truth compilers suspect that ! was meant
                    return Part(f"-1 - {a.inside()}", PLAIN)
                a = a if known.fits(a.bits) else a.cast(bits_for(known))
                return Part(f"{OPERATORS[type(operator)]}{a.inside()}", a.bits)
            case ast.BoolOp(op=operator, values=values):
                return self.chain(operator, values)
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self.comparison([left, *others], operators)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                holds = self.decided(test)
                if holds is not None:
                    return self.part(body if holds else orelse)
                return either(self.condition(test), self.part(body), self.part(orelse))
            case ast.Subscript(value=inner, slice=index):
                return self.element(inner, index)
            case ast.Call(func=ast.Attribute(value=inner, attr=method)):
                self.program.helpers.add(method)
                return Part(f"{self.program.prefix}_{method}({self.part(inner).text})", 32, True)
            case ast.Call(func=ast.Name(id=name), args=arguments) if node not in self.function.calls:
                return self.builtin(name, [self.part(argument) for argument in arguments], known)
            case ast.Call():
                return self.called(node)
        raise self.function.refusal(node, "this is not written in C")

    def called(self, node: ast.Call) -> Part:
        """A call of another function of the rules."""
        called = self.function.calls[node]
        self.called_here.add(called)
        names, kept = [argument.arg for argument in called.tree.args.args], self.program.kept[called]
        given = []
        for name, argument in zip(names, node.args, strict=True):
            if isinstance(called.parameters.get(name), tuple):
                before, parts = self.parts(argument, 0)
                if before:
                    raise self.function.refusal(node, "what a call returns is not handed on at once")
                given += [part.text for i, part in enumerate(parts) if f"{name}[{i}]" in kept]
            elif name in kept:
                given.append(self.part(argument).text)
        bits = bits_for(called.result) if isinstance(called.result, Interval) else 32
        return Part(f"{self.program.name(called)}({', '.join(given)})", bits, True)

    def builtin(self, name: str, values: list[Part], known: Interval) -> Part:
        """A call of a function of Python's own."""
        a = values[0]
        if name == "bool":
            return Part(f"{a.inside()} != 0", PLAIN)
        if name == "abs":
            a = a if known.fits(a.bits) else a.cast(bits_for(known))
            return either(Part(f"{a.inside()} < 0", PLAIN), Part(f"-{a.inside()}", a.bits), a)
        for b in values[1:]:
            a = either(Part(f"{a.inside()} {'<' if name == 'min' else '>'} {b.inside()}", PLAIN), a, b)
        return a

    def element(self, inner: ast.expr, index: ast.expr) -> Part:
        """An element of a tuple."""
        if isinstance(inner, ast.Subscript):
            value = self.constants(inner.value)
            row = f"{self.program.array(value, near(inner.value))}[{self.index(inner.slice, len(value))}]"
            return Part(f"{row}[{self.index(index, row_width(value))}]", element_bits(value), True)
        fixed = self.number(index).is_single
        if isinstance(inner, ast.Name) and self.is_tuple(inner.id) and fixed:
            parts = self.held(inner.id)
            return parts[self.number(index).least % len(parts)]
        if isinstance(inner, ast.Call) and fixed:
            result = self.function.calls[inner].result
            assert isinstance(result, tuple)
            member = MEMBERS[self.number(index).least % len(result)]
            return Part(f"{self.called(inner).text}.{member}", self.program.tuples[len(result)], True)
        value = self.constants(inner)
        array = self.program.array(value, near(inner))
        return Part(f"{array}[{self.index(index, len(value))}]", element_bits(value), True)

    def index(self, node: ast.expr, size: int) -> str:
        """The number of an element, counted from the end if it is negative."""
        at = self.part(node)
        if self.number(node).least >= 0:
            return at.text
        return f"{at.inside()} < 0 ? {at.inside()} + {size} : {at.inside()}"

    def operation(
        self, operator: ast.operator, a: Part, b: Part, ranges: tuple[Interval, Interval], known: Interval
    ) -> Part:
        """An operation on two numbers."""
        (left, right), sign = ranges, OPERATORS[type(operator)]
        exact = combined(type(operator), left, right) or known
        shift = isinstance(operator, ast.LShift)
        if isinstance(operator, ast.FloorDiv | ast.Mod) and (left.least < 0 or right.least <= 0):
            helper = "floor_div" if isinstance(operator, ast.FloorDiv) else "floor_mod"
            self.program.helpers.add(helper)
            return Part(f"{self.program.prefix}_{helper}({a.text}, {b.text})", 64, True)
        if isinstance(operator, ast.RShift):
            rest = literal(0) if left.least >= 0 else either(Part(f"{a.inside()} < 0", PLAIN), literal(-1), literal(0))
            if right.most < a.bits:
                return Part(f"{a.inside()} >> {b.inside()}", a.bits)
            if right.least >= a.bits:
                return rest
            near_by = Part(f"{a.inside()} >> ({b.inside()} & {a.bits - 1})", a.bits)
            return either(Part(f"{b.inside()} < {a.bits}", PLAIN), near_by, rest)
        bits = a.bits if shift else max(a.bits, b.bits)
        bits = bits if exact.fits(bits) else bits_for(exact)
        wraps = isinstance(operator, ast.Add | ast.Sub | ast.Mult | ast.LShift) and not exact.fits(64)
        if wraps or (shift and left.least < 0):
            bits = max(32, bits)
            other = f"({b.inside()} & {bits - 1})" if shift else f"(uint{bits}_t){b.inside()}"
            found = Part(f"(int{bits}_t)((uint{bits}_t){a.inside()} {sign} {other})", bits)
            fits = Part(f"{b.inside()} < {bits}", PLAIN)
            return either(fits, found, literal(0)) if shift and right.most >= bits else found
        first = a if a.bits == bits or (b.bits == bits and not shift) else a.cast(bits)
        return Part(f"{first.inside() if first is a else first.text} {sign} {b.inside()}", bits)

    def chain(self, operator: ast.boolop, values: list[ast.expr]) -> Part:
        """`and` and `or`: the part that decides."""
        looked_at = [value for value in values if value in self.function.numbers]
        if all(self.number(value) in (TRUTH, single(0), single(1)) for value in looked_at):
            return self.all_or_any(operator, values)
        found = self.part(values[-1])
        for value in reversed(values[:-1]):
            test, a = self.condition(value), self.part(value)
            found = either(test, found, literal(0)) if isinstance(operator, ast.And) else either(test, a, found)
        return found

    def all_or_any(self, operator: ast.boolop, values: list[ast.expr]) -> Part:
        """`and` and `or` where it only matters whether they hold."""
        sign = " && " if isinstance(operator, ast.And) else " || "
        return Part(sign.join(self.condition(value).inside() for value in values), PLAIN)

    def comparison(self, parts: list[ast.expr], operators: list[ast.cmpop]) -> Part:
        """Comparisons, one or a chain; or whether a number is among constants."""
        if isinstance(operators[0], ast.In | ast.NotIn):
            a = self.part(parts[0]).inside()
            found = " || ".join(f"{a} == {literal(one.least).inside()}" for one in leaves(self.constants(parts[1])))
            return Part(found if isinstance(operators[0], ast.In) else f"!({found})", PLAIN)
        texts = [
            f"{self.part(a).inside()} {OPERATORS[type(operator)]} {self.part(b).inside()}"
            for (a, b), operator in zip(pairwise(parts), operators, strict=True)
            if compared(type(operator), self.number(a), self.number(b)) != single(1)
        ]
        return Part(texts[0] if len(texts) == 1 else " && ".join(f"({text})" for text in texts), PLAIN)

    def condition(self, node: ast.expr) -> Part:
        """An expression of which only matters whether it is 0."""
        known = self.function.numbers.get(node)
        if isinstance(node, ast.BoolOp) and known is not None and not known.is_single:
            return self.all_or_any(node.op, node.values)
        found = self.part(node)
        operator = getattr(node, "op", None)
        plainly = isinstance(node, ast.Compare | ast.Name | ast.Call | ast.Constant) or isinstance(
            operator, ast.BitAnd | ast.Not
        )
        return found if plainly else Part(f"{found.inside()} != 0", PLAIN)
