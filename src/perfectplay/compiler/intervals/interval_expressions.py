"""What expressions of rules can be, and what a test tells about variables."""

import ast
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from perfectplay.compiler.intervals.interval import (
    BY_ZERO,
    LONG_SHIFT,
    NEGATIVE,
    NEGATIVE_SHIFT,
    NO_ELEMENT,
    OPPOSITE,
    OVERFLOW,
    TRUTH,
    TURNED,
    WRAPS,
    Function,
    Interval,
    Names,
    Value,
    combined,
    compared,
    narrowed,
    single,
)

WRAPPING = (ast.LShift, ast.Add, ast.Sub, ast.Mult, ast.BitOr, ast.BitXor, ast.BitAnd)
"""Operations whose lower bits follow from the lower bits of what they are done with; a shift, from its first."""
METHODS = {"bit_count", "bit_length"}
BUILTINS = {"abs", "min", "max", "int", "bool", "len"}


class Library(Protocol):
    """The functions and constants that rules may name."""

    trees: dict[str, ast.FunctionDef]
    constants: Names
    turns: int
    bits: int
    """The size of a word that the rules are compiled to."""
    rounds: int
    quiet: int
    """While not 0, nothing is noted: a loop is followed until nothing changes, and only then looked at."""

    def call(self, name: str, arguments: Sequence[Value]) -> tuple[Function, Value]:
        """The function as it is called with these, and what it can return."""

    def vary(self, name: str, one: Function, other: Function) -> None:
        """Remembers that one call is of both, which differ by the tuples that they are given."""


class Values:
    """Looks at the expressions of a function."""

    def __init__(self, rules: Library, function: Function) -> None:
        self.rules, self.function = rules, function
        self.least = -(1 << rules.bits - 1)

    def join(self, a: Value | None, b: Value) -> Value:
        """What holds both."""
        if a is None or a == b:
            return b
        if isinstance(a, Interval) and isinstance(b, Interval):
            return a.joined(b)
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return tuple(self.join(x, y) for x, y in zip(a, b, strict=True))
        raise self.function.refusal(self.function.tree, "a number here and a tuple there")

    def either(self, a: Names | None, b: Names | None) -> Names | None:
        """What is known where two ways meet."""
        if a is None or b is None:
            return b if a is None else a
        return {name: self.join(a.get(name), b[name]) if name in b else a[name] for name in (a | b)}

    def bind(self, name: str, value: Value) -> None:
        """Remembers what the variable can be."""
        if self.rules.quiet:
            return
        self.function.variables[name] = self.join(self.function.variables.get(name), value)

    def branches(self, test: ast.expr, names: Names) -> tuple[Names | None, Names | None]:
        """What is known where the test holds, and where it does not."""
        truth = self.number(test, names)
        yes = None if truth == single(0) else self.assume(test, names, True)
        no = None if truth.least > 0 or truth.most < 0 else self.assume(test, names, False)
        return yes, no

    def assume(self, test: ast.expr, names: Names, holds: bool) -> Names | None:
        """What is known if the test holds, or if it does not."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self.assume(inner, names, not holds)
            case ast.BoolOp(op=operator, values=parts) if isinstance(operator, ast.And) == holds:
                now: Names | None = names
                for part in parts:
                    now = now and self.assume(part, now, holds)
                return now
            case ast.Compare(left=left, ops=operators, comparators=parts) if holds and len(operators) > 1:
                now = names
                for (a, b), operator in zip(pairwise([left, *parts]), operators, strict=True):
                    now = now and self.assume(ast.Compare(a, [operator], [b]), now, True)
                return now
            case ast.Compare(left=ast.Name() as left, ops=[operator], comparators=[right]):
                return self.limit(left, type(operator), right, names, holds)
            case ast.Compare(left=left, ops=[operator], comparators=[ast.Name() as right]):
                return self.limit(right, TURNED.get(type(operator), ast.In), left, names, holds)
            case ast.Name():
                return self.limit(test, ast.NotEq, ast.Constant(0), names, holds)
        return names

    def limit(
        self, name: ast.Name, operator: type[ast.cmpop], other: ast.expr, names: Names, holds: bool
    ) -> Names | None:
        """What is known of a variable by a comparison."""
        value, bound = names.get(name.id), self.value(other, names)
        if operator not in OPPOSITE or not isinstance(value, Interval) or not isinstance(bound, Interval):
            return names
        left = narrowed(operator if holds else OPPOSITE[operator], value, bound)
        return None if left is None else {**names, name.id: left}

    def number(self, node: ast.expr, names: Names) -> Interval:
        """What an expression can be that must be a number."""
        value = self.value(node, names)
        if not isinstance(value, Interval):
            raise self.function.refusal(node, "a number is wanted")
        return value

    def note(self, node: ast.expr, value: Interval) -> None:
        """Remembers what the expression can be."""
        if self.rules.quiet:
            return
        before = self.function.numbers.get(node)
        self.function.numbers[node] = value if before is None else before.joined(value)

    def doubt(self, node: ast.AST, *why: str) -> None:
        """Remembers what could not be proven of an operation."""
        if not self.rules.quiet and why:
            self.function.doubts.setdefault(node, set()).update(why)

    def value(self, node: ast.expr, names: Names, masked: bool = False) -> Value:
        """What an expression can be; `masked` if only its lower bits matter, so that it may wrap around."""
        value = self.found(node, names, masked)
        if isinstance(value, Interval):
            self.note(node, value)
            return value.clipped(masked, self.rules.bits)
        if not self.rules.quiet:
            self.function.tuples.add(node)
        return value

    def found(self, node: ast.expr, names: Names, masked: bool) -> Value:
        """The same, not cut off at the size of a word."""
        match node:
            case ast.Constant(value=int(number)):
                if not single(int(number)).fits(self.rules.bits):
                    raise self.function.refusal(node, f"a number wider than {self.rules.bits - 1} bits")
                return single(int(number))
            case ast.Name(id=name):
                if name in names or name in self.rules.constants:
                    value = names[name] if name in names else self.rules.constants[name]
                    if isinstance(value, Interval) and not value.fits(self.rules.bits):
                        raise self.function.refusal(node, f"a number wider than {self.rules.bits - 1} bits")
                    return value
            case ast.Tuple(elts=parts):
                return tuple(self.value(part, names) for part in parts)
            case ast.BinOp(left=left, op=operator, right=right):
                wraps = masked and isinstance(operator, WRAPPING), masked and isinstance(operator, WRAPPING[1:])
                if isinstance(operator, ast.BitAnd):
                    wraps = masked or self.is_under(left, right, names), masked or self.is_under(right, left, names)
                a, b = self.value(left, names, wraps[0]), self.value(right, names, wraps[1])
                return self.binary(operator, a, b, node, masked)
            case ast.UnaryOp(op=ast.Invert(), operand=inner) if masked:
                return self.unary(node, ast.Invert(), self.wrapped(inner, names))
            case ast.UnaryOp(op=operator, operand=inner):
                return self.unary(node, operator, self.number(inner, names))
            case ast.BoolOp(values=parts):
                return self.chain(node, parts, names)
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self.comparison(node, [left, *others], operators, names)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, no = self.branches(test, names)
                if yes is None or no is None:
                    return self.value(body if no is None else orelse, yes or no or names)
                return self.join(self.value(body, yes), self.value(orelse, no))
            case ast.Subscript(value=inner, slice=ast.Slice(step=None) as cut):
                return self.slice(node, self.value(inner, names), cut, names)
            case ast.Subscript(value=inner, slice=index):
                return self.element(node, self.value(inner, names), self.number(index, names))
            case ast.Call(args=arguments, keywords=[]):
                return self.call(node, arguments, names)
        raise self.function.unknown(node)

    def binary(self, operator: ast.operator, a: Value, b: Value, node: ast.AST, masked: bool = False) -> Interval:
        """What an operator makes of two numbers."""
        if not isinstance(a, Interval) or not isinstance(b, Interval):
            raise self.function.refusal(node, "this is not done with whole numbers")
        found = combined(type(operator), a, b)
        if found is None:
            raise self.function.refusal(node, "this is not done with whole numbers")
        if not found.fits(self.rules.bits):
            self.doubt(node, WRAPS if masked else OVERFLOW)
        if isinstance(operator, ast.LShift | ast.RShift):
            long = b.most >= self.rules.bits
            self.doubt(node, *([NEGATIVE_SHIFT] if b.least < 0 else []), *([LONG_SHIFT] if long else []))
        if isinstance(operator, ast.FloorDiv | ast.Mod):
            self.doubt(node, *([BY_ZERO] if b.least <= 0 <= b.most else []))
            if a.least == self.least and b.least <= -1 <= b.most:
                self.doubt(node, OVERFLOW)  # some processors stop at the remainder, too
        return found

    def is_under(self, node: ast.expr, mask: ast.expr, names: Names) -> bool:
        """Whether only the lower bits of a calculation are left by `&`: the mask is never negative."""
        if not isinstance(node, ast.BinOp | ast.UnaryOp):
            return False
        self.rules.quiet += 1
        try:
            return self.wrapped(mask, names).least >= 0
        finally:
            self.rules.quiet -= 1

    def wrapped(self, node: ast.expr, names: Names) -> Interval:
        """What an expression can be that must be a number and may wrap around."""
        value = self.value(node, names, masked=True)
        if not isinstance(value, Interval):
            raise self.function.refusal(node, "a number is wanted")
        return value

    def unary(self, node: ast.expr, operator: ast.unaryop, a: Interval) -> Interval:
        """What an operator makes of a number."""
        match operator:
            case ast.USub():
                if a.least == self.least:
                    self.doubt(node, OVERFLOW)
                return Interval(-a.most, -a.least)
            case ast.Invert():
                return Interval(~a.most, ~a.least)
            case ast.Not():
                return compared(ast.Eq, a, single(0)) or TRUTH
        return a

    def chain(self, node: ast.BoolOp, parts: list[ast.expr], names: Names) -> Value:
        """`and` and `or`: the part that decides."""
        found: Value | None = None
        now: Names | None = names
        for i, part in enumerate(parts):
            if now is None:
                break
            value = self.number(part, now)
            last = i == len(parts) - 1
            if isinstance(node.op, ast.And):
                ends = value if last else value.common(single(0))
            else:
                ends = value if last else narrowed(ast.NotEq, value, single(0))
            if ends is not None:
                found = self.join(found, ends)
            now = self.branches(part, now)[0 if isinstance(node.op, ast.And) else 1]
        return TRUTH if found is None else found

    def comparison(self, node: ast.expr, parts: list[ast.expr], operators: list[ast.cmpop], names: Names) -> Interval:
        """Whether comparisons hold, one or a chain of them; or whether a number is among constants."""
        if isinstance(operators[0], ast.In | ast.NotIn) and len(operators) == 1:
            among = self.value(parts[1], names)
            self.number(parts[0], names)
            if isinstance(among, tuple) and all(isinstance(one, Interval) and one.is_single for one in among):
                return TRUTH
            raise self.function.refusal(node, "only constants are looked through")
        values = [self.number(part, names) for part in parts]
        found = single(1)
        for (a, b), operator in zip(pairwise(values), operators, strict=True):
            truth = compared(type(operator), a, b)
            if truth is None:
                raise self.function.refusal(node, "this is not a comparison of numbers")
            found = Interval(min(found.least, truth.least), min(found.most, truth.most))
        return found

    def element(self, node: ast.Subscript, value: Value, index: Interval) -> Value:
        """An element of a tuple."""
        if isinstance(value, Interval):
            raise self.function.refusal(node, "only tuples have elements")
        if index.is_single:
            if not -len(value) <= index.least < len(value):
                raise self.function.refusal(node, f"there are only {len(value)} elements")
            return value[index.least]
        there = range(max(index.least, -len(value)), min(index.most, len(value) - 1) + 1)
        if not there:
            raise self.function.refusal(node, f"there are only {len(value)} constants")
        if index.least < -len(value) or index.most >= len(value):
            self.doubt(node, NO_ELEMENT)
        found: Value = value[there[0]]
        for i in there[1:]:
            found = self.join(found, value[i])
        return found

    def slice(self, node: ast.Subscript, value: Value, cut: ast.Slice, names: Names) -> Value:
        """Some elements of a tuple that follow each other."""
        ends = [None if end is None else self.number(end, names) for end in (cut.lower, cut.upper)]
        if isinstance(value, Interval) or any(end is not None and not end.is_single for end in ends):
            raise self.function.refusal(node, "a slice is of a tuple, and its ends are constants")
        return value[slice(*(None if end is None else end.least for end in ends))]

    def call(self, node: ast.Call, arguments: list[ast.expr], names: Names) -> Value:
        """What a call returns."""
        match node.func:
            case ast.Attribute(value=inner, attr=method) if method in METHODS and not arguments:
                a = self.number(inner, names)
                if a.least < 0:
                    self.doubt(node, NEGATIVE)
                return Interval(0, max(abs(a.least).bit_length(), abs(a.most).bit_length()))
            case ast.Name(id=name) if name in self.rules.trees:
                values = [self.value(argument, names) for argument in arguments]
                if len(values) != len(self.rules.trees[name].args.args):
                    raise self.function.refusal(node, "a call with too many or too few arguments")
                called, value = self.rules.call(name, values)
                first = called if self.rules.quiet else self.function.calls.setdefault(node, called)
                if first is not called:
                    self.function.varied.add(node)
                    self.rules.vary(name, first, called)
                return value
            case ast.Name(id=name) if name in BUILTINS:
                return self.builtin(name, [self.value(argument, names) for argument in arguments], node)
        raise self.function.refusal(node, "this call is not supported")

    def builtin(self, name: str, values: list[Value], node: ast.Call) -> Interval:
        """What a function of Python's own returns."""
        if name == "len" and len(values) == 1 and isinstance(values[0], tuple):
            return single(len(values[0]))
        numbers = [value for value in values if isinstance(value, Interval)]
        if len(numbers) == len(values):
            if name in ("min", "max") and len(numbers) > 1:
                choose = min if name == "min" else max
                return Interval(choose(one.least for one in numbers), choose(one.most for one in numbers))
            if name in ("abs", "int", "bool") and len(numbers) == 1:
                a = numbers[0]
                if name == "abs":
                    if a.least == self.least:
                        self.doubt(node, OVERFLOW)
                    least = 0 if a.least <= 0 <= a.most else min(abs(a.least), abs(a.most))
                    return Interval(least, max(abs(a.least), abs(a.most)))
                return a if name == "int" else compared(ast.NotEq, a, single(0)) or TRUTH
        raise self.function.refusal(node, "this call is not supported")
