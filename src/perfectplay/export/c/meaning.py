"""What rules can do: they are run on ranges instead of numbers, every branch of them, before they are written in C.

A function that is given tuples of constants, such as the rows of a board, is looked at once for each of these: in C
there is one function for each. All other arguments and all variables are numbers, or tuples of numbers.
"""

import ast
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn, TypeAlias

from perfectplay.export.c.ranges import (
    OPPOSITE,
    TRUTH,
    TURNED,
    Range,
    combined,
    compared,
    narrowed,
    single,
    widened,
)

Value: TypeAlias = Range | tuple["Value", ...]
"""A number in a range, or a tuple of values."""
Names = dict[str, Value]

MOST_TURNS = 4_096
"""A loop over constants is followed so many times, each time by itself; a longer one as a whole."""
PATIENCE = 8
"""So many times around a loop, then a range that still grows is let out."""
METHODS = {"bit_count", "bit_length"}
BUILTINS = {"abs", "min", "max", "int", "bool", "len"}


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
    variables: Names = field(default_factory=dict)
    """What each variable can be."""
    calls: dict[ast.Call, "Function"] = field(default_factory=dict)
    reached: set[ast.stmt] = field(default_factory=set)
    """The statements that are ever run."""
    result: Value | None = None

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Raises NotInC."""
        shown = ast.unparse(node).partition("\n")[0]
        raise NotInC(f"{why}, in {self.tree.name.rpartition('_')[0]}: {shown[:60]}")


@dataclass
class Flow:
    """What is left when a loop's body has been run: what was known at each way out."""

    broken: list[Names] = field(default_factory=list)
    continued: list[Names] = field(default_factory=list)


class Rules:
    """Functions of rules, each looked at with all that it can be given."""

    def __init__(self, trees: list[ast.stmt]) -> None:
        self.trees = {tree.name: tree for tree in trees if isinstance(tree, ast.FunctionDef)}
        self.constants: Names = {}
        for tree in trees:
            if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name):
                self.constants[tree.targets[0].id] = constant(ast.literal_eval(tree.value))
        self.functions: dict[tuple[str, tuple[Value | None, ...]], Function] = {}
        self.ordered: list[Function] = []
        """The functions, each after all that it calls."""
        self.running: list[Function] = []
        self.known: dict[tuple[Function, tuple[Value, ...]], Value] = {}

    def call(self, name: str, arguments: list[Value]) -> tuple[Function, Value]:
        """The function as it is called with these, and what it can return."""
        tree = self.trees[name]
        fixed = tuple(value if isinstance(value, tuple) else None for value in arguments)
        function = self.functions.get((name, fixed))
        if function is None:
            others = sum(known == name for known, _ in self.functions)
            names = [argument.arg for argument in tree.args.args]
            constants = {name: value for name, value in zip(names, fixed, strict=True) if value is not None}
            function = Function(f"{name}_{others}" if others else name, tree, constants)
            self.functions[name, fixed] = function
        if function in self.running:
            function.refuse(tree, "a function that calls itself")
        given = tuple(arguments)
        if (function, given) not in self.known:
            self.running.append(function)
            self.known[function, given] = Run(self, function).result(given)
            self.running.pop()
            if function not in self.ordered:
                self.ordered.append(function)
        return function, self.known[function, given]


class Run:
    """One run of a function."""

    def __init__(self, rules: Rules, function: Function) -> None:
        self.rules, self.function = rules, function
        self.returned: list[Value] = []
        self.loops: list[Flow] = []

    def result(self, given: tuple[Value, ...]) -> Value:
        """What the function can return."""
        function = self.function
        names: Names = {}
        for argument, value in zip(function.tree.args.args, given, strict=True):
            names[argument.arg] = value
            if argument.arg not in function.constants:
                function.parameters[argument.arg] = self.join(function.parameters.get(argument.arg), value)
                self.bind(argument.arg, value)
        self.block(function.tree.body, names)
        if not self.returned:
            function.refuse(function.tree, "a function that returns nothing")
        found = self.returned[0]
        for value in self.returned[1:]:
            found = self.join(found, value)
        function.result = self.join(function.result, found)
        return found

    def join(self, a: Value | None, b: Value) -> Value:
        """What holds both."""
        if a is None or a == b:
            return b
        if isinstance(a, Range) and isinstance(b, Range):
            return a.joined(b)
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return tuple(self.join(x, y) for x, y in zip(a, b, strict=True))
        self.function.refuse(self.function.tree, "a number here and a tuple there")

    def either(self, a: Names | None, b: Names | None) -> Names | None:
        """What is known where two ways meet."""
        if a is None or b is None:
            return b if a is None else a
        return {name: self.join(a.get(name), b[name]) if name in b else a[name] for name in (a | b)}

    def bind(self, name: str, value: Value) -> None:
        """Remembers what the variable can be."""
        self.function.variables[name] = self.join(self.function.variables.get(name), value)

    # Statements: each gives what is known after it, None where the run does not get there.

    def block(self, statements: list[ast.stmt], names: Names) -> Names | None:
        """Statements one after another."""
        now: Names | None = names
        for statement in statements:
            if now is None:
                break
            now = self.statement(statement, now)
        return now

    def statement(self, node: ast.stmt, names: Names) -> Names | None:
        """One statement."""
        self.function.reached.add(node)
        match node:
            case ast.Return(value=ast.expr() as value):
                self.returned.append(self.value(value, names))
                return None
            case ast.Assign(targets=[target], value=value):
                return self.assign(target, self.value(value, names), dict(names))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self.assign(target, self.value(value, names), dict(names))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
                found = self.binary(operator, self.value(load(target), names), self.value(value, names), node)
                self.note(target, found)
                return self.assign(target, found.clipped(), dict(names))
            case ast.If(test=test, body=body, orelse=orelse):
                yes, no = self.branches(test, names)
                after = self.block(body, yes) if yes is not None else None
                return self.either(after, self.block(orelse, no) if no is not None else None)
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                return self.each(target, over, body, names)
            case ast.While(test=test, body=body, orelse=[]):
                return self.repeat(test, body, names)
            case ast.Break() if self.loops:
                self.loops[-1].broken.append(names)
                return None
            case ast.Continue() if self.loops:
                self.loops[-1].continued.append(names)
                return None
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return names
        self.function.refuse(node, f"{type(node).__name__.lower()} is not written in C")

    def assign(self, target: ast.expr, value: Value, names: Names) -> Names:
        """What is known after an assignment."""
        match target, value:
            case ast.Name(id=name), _:
                names[name] = value
                self.bind(name, value)
            case ast.Tuple(elts=parts), tuple() if len(parts) == len(value):
                for part, one in zip(parts, value, strict=True):
                    self.assign(part, one, names)
            case _:
                self.function.refuse(target, "only names are given values")
        return names

    def each(self, target: ast.expr, over: ast.expr, body: list[ast.stmt], names: Names) -> Names | None:
        """A loop over a range or over constants."""
        elements = self.elements(over, names)
        now: Names | None = names
        if isinstance(elements, Range):  # not known how often: as a whole
            return self.around(
                lambda state: self.assign(target, elements, dict(state)), body, names, lambda state: state
            )
        flow = Flow()
        for element in elements:
            if now is None:
                break
            self.loops.append(flow)
            now = self.block(body, self.assign(target, element, dict(now)))
            self.loops.pop()
            for state in flow.continued:
                now = self.either(now, state)
            flow.continued.clear()
        for state in flow.broken:
            now = self.either(now, state)
        return now

    def elements(self, over: ast.expr, names: Names) -> "tuple[Value, ...] | Range":
        """What a loop runs over: constants one by one, or the range that they are in."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]) if 1 <= len(arguments) <= 3:
                ends = [self.number(argument, names) for argument in arguments]
                if len(ends) == 1:
                    ends = [single(0), *ends]
                begin, end, step = ends if len(ends) == 3 else [*ends, single(1)]
                if not step.is_single or step.least == 0:
                    self.function.refuse(over, "the step of a range must be a constant")
                if begin.is_single and end.is_single:
                    counted = range(begin.least, end.least, step.least)
                    if len(counted) <= MOST_TURNS:
                        return tuple(single(number) for number in counted)
                if step.least > 0:
                    return Range(begin.least, max(begin.least, end.most - 1))
                return Range(min(begin.most, end.least + 1), begin.most)
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner], keywords=[]):
                found = self.elements(inner, names)
                if not isinstance(found, Range):
                    return tuple((single(i), one) for i, one in enumerate(found))
            case ast.Name() | ast.Tuple():
                value = self.value(over, names)
                if isinstance(value, tuple) and is_constant(value):
                    return value
        self.function.refuse(over, "a loop runs over a range or over constants")

    def repeat(self, test: ast.expr, body: list[ast.stmt], names: Names) -> Names | None:
        """A loop while something holds."""
        return self.around(
            lambda state: self.branches(test, state)[0], body, names, lambda state: self.branches(test, state)[1]
        )

    def around(self, begin, body, names, leave):  # type: ignore[no-untyped-def]
        """A loop of unknown length: around until nothing new comes up."""
        known, out = dict(names), None
        for turn in range(10**6):
            flow = Flow()
            self.loops.append(flow)
            inside = begin(known)
            after = self.block(body, inside) if inside is not None else None
            self.loops.pop()
            for state in flow.continued:
                after = self.either(after, state)
            out = leave(known)
            for state in flow.broken:
                out = self.either(out, state)
            grown = self.either(known, after)
            if grown == known:
                return out
            if turn >= PATIENCE:
                grown = {name: let_out(known.get(name), value) for name, value in grown.items()}
            known = grown
        return out

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
        if operator not in OPPOSITE or not isinstance(value, Range) or not isinstance(bound, Range):
            return names
        left = narrowed(operator if holds else OPPOSITE[operator], value, bound)
        return None if left is None else {**names, name.id: left}

    # Expressions.

    def number(self, node: ast.expr, names: Names) -> Range:
        """What an expression can be that must be a number."""
        value = self.value(node, names)
        if not isinstance(value, Range):
            self.function.refuse(node, "a number is wanted")
        return value

    def note(self, node: ast.expr, value: Range) -> None:
        """Remembers what the expression can be."""
        before = self.function.numbers.get(node)
        self.function.numbers[node] = value if before is None else before.joined(value)

    def value(self, node: ast.expr, names: Names) -> Value:
        """What an expression can be."""
        value = self.found(node, names)
        if isinstance(value, Range):
            self.note(node, value)
            return value.clipped()
        return value

    def found(self, node: ast.expr, names: Names) -> Value:
        """The same, not cut off at 64 bits."""
        match node:
            case ast.Constant(value=int(number)):
                return single(int(number))
            case ast.Name(id=name):
                if name in names or name in self.rules.constants:
                    return names[name] if name in names else self.rules.constants[name]
            case ast.Tuple(elts=parts):
                return tuple(self.value(part, names) for part in parts)
            case ast.BinOp(left=left, op=operator, right=right):
                return self.binary(operator, self.value(left, names), self.value(right, names), node)
            case ast.UnaryOp(op=operator, operand=inner):
                return self.unary(operator, self.number(inner, names))
            case ast.BoolOp(values=parts):
                return self.chain(node, parts, names)
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self.comparison(node, [left, *others], operators, names)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, no = self.branches(test, names)
                if yes is None or no is None:
                    return self.value(body if no is None else orelse, yes or no or names)
                return self.join(self.value(body, yes), self.value(orelse, no))
            case ast.Subscript(value=inner, slice=index):
                return self.element(node, self.value(inner, names), self.number(index, names))
            case ast.Call(args=arguments, keywords=[]):
                return self.call(node, arguments, names)
        self.function.refuse(node, f"{type(node).__name__.lower()} is not written in C")

    def binary(self, operator: ast.operator, a: Value, b: Value, node: ast.AST) -> Range:
        """What an operator makes of two numbers."""
        found = combined(type(operator), a, b) if isinstance(a, Range) and isinstance(b, Range) else None
        if found is None:
            self.function.refuse(node, "this is not done with whole numbers in C")
        return found

    def unary(self, operator: ast.unaryop, a: Range) -> Range:
        """What an operator makes of a number."""
        match operator:
            case ast.USub():
                return Range(-a.most, -a.least)
            case ast.Invert():
                return Range(~a.most, ~a.least)
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

    def comparison(self, node: ast.expr, parts: list[ast.expr], operators: list[ast.cmpop], names: Names) -> Range:
        """Whether comparisons hold, one or a chain of them; or whether a number is among constants."""
        if isinstance(operators[0], ast.In | ast.NotIn) and len(operators) == 1:
            among = self.value(parts[1], names)
            self.number(parts[0], names)
            if isinstance(among, tuple) and is_constant(among):
                return TRUTH
            self.function.refuse(node, "only constants are looked through")
        values = [self.number(part, names) for part in parts]
        found = single(1)
        for (a, b), operator in zip(pairwise(values), operators, strict=True):
            truth = compared(type(operator), a, b)
            if truth is None:
                self.function.refuse(node, "this is not a comparison of numbers")
            found = Range(min(found.least, truth.least), min(found.most, truth.most))
        return found

    def element(self, node: ast.Subscript, value: Value, index: Range) -> Value:
        """An element of a tuple."""
        if isinstance(value, Range):
            self.function.refuse(node, "only tuples have elements")
        if index.is_single:
            if not -len(value) <= index.least < len(value):
                self.function.refuse(node, f"there are only {len(value)} elements")
            return value[index.least]
        there = range(max(index.least, -len(value)), min(index.most, len(value) - 1) + 1)
        if not there or not is_constant(value):
            self.function.refuse(node, "only constants are looked up by number")
        found: Value = value[there[0]]
        for i in there[1:]:
            found = self.join(found, value[i])
        return found

    def call(self, node: ast.Call, arguments: list[ast.expr], names: Names) -> Value:
        """What a call returns."""
        match node.func:
            case ast.Attribute(value=inner, attr=method) if method in METHODS and not arguments:
                a = self.number(inner, names)
                return Range(0, max(abs(a.least).bit_length(), abs(a.most).bit_length()))
            case ast.Name(id=name) if name in self.rules.trees:
                values = [self.value(argument, names) for argument in arguments]
                if any(isinstance(one, tuple) and not is_constant(one) for one in values):
                    self.function.refuse(node, "a tuple of numbers is not handed on")
                if len(values) != len(self.rules.trees[name].args.args):
                    self.function.refuse(node, "a call with too many or too few arguments")
                called, value = self.rules.call(name, values)
                if self.function.calls.setdefault(node, called) is not called:
                    self.function.refuse(node, "different tuples in turn are not handed on")
                return value
            case ast.Name(id=name) if name in BUILTINS:
                return self.builtin(name, [self.value(argument, names) for argument in arguments], node)
        self.function.refuse(node, "this is not called in C")

    def builtin(self, name: str, values: list[Value], node: ast.Call) -> Range:
        """What a function of Python's own returns."""
        if name == "len" and len(values) == 1 and isinstance(values[0], tuple):
            return single(len(values[0]))
        numbers = [value for value in values if isinstance(value, Range)]
        if len(numbers) == len(values):
            if name in ("min", "max") and len(numbers) > 1:
                choose = min if name == "min" else max
                return Range(choose(one.least for one in numbers), choose(one.most for one in numbers))
            if name in ("abs", "int", "bool") and len(numbers) == 1:
                a = numbers[0]
                if name == "abs":
                    least = 0 if a.least <= 0 <= a.most else min(abs(a.least), abs(a.most))
                    return Range(least, max(abs(a.least), abs(a.most)))
                return a if name == "int" else compared(ast.NotEq, a, single(0)) or TRUTH
        self.function.refuse(node, "this is not called in C")


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
    if before is None or before == after or not isinstance(before, Range) or not isinstance(after, Range):
        return after
    return widened(before, after)


def load(name: ast.Name) -> ast.Name:
    """The name as an expression."""
    return ast.Name(name.id, ast.Load())
