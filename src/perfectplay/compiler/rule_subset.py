"""The subset of Python that compiled rules may use: it means the same on 64-bit integers; checked before compiling.

Code outside the subset would not compile, or would compile to something else: a variable that may have no value,
a function that may return nothing, unbounded recursion.
"""

import ast
from collections.abc import Iterable, Mapping

from perfectplay.compiler.intervals.interval import OutsideSubset, as_written, place

BUILTINS = frozenset({"abs", "min", "max", "len", "int", "bool", "range", "enumerate", "zip"})
LOOPS_ONLY = frozenset({"range", "enumerate", "zip"})
METHODS = frozenset({"bit_count", "bit_length"})
OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow),
    *(ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
SYNTAX_NAMES = {
    ast.List: "a list",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.JoinedStr: "a string",
    ast.Lambda: "a lambda",
}

Variables = frozenset[str] | None
"""The variables that surely have a value; None in unreachable code."""


def check_subset(trees: Iterable[ast.stmt], bits: int = 64) -> None:
    """Raises OutsideSubset, with line and reason, if gathered rules use anything outside the subset.

    `bits` is the size of a word that they are compiled to.
    """
    trees = list(trees)
    functions = {tree.name: tree for tree in trees if isinstance(tree, ast.FunctionDef)}
    constants = {
        tree.targets[0].id: tree.value
        for tree in trees
        if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name)
    }
    for name, value in constants.items():
        if any(number.bit_length() >= bits for number in numbers_in(value)):
            raise OutsideSubset(f"{as_written(name)} has a number wider than {bits - 1} bits")
    calls: dict[str, set[str]] = {}
    for tree in functions.values():
        checker = FunctionChecker(tree, functions, constants, bits)
        checker.check()
        calls[tree.name] = checker.calls
    for tree in functions.values():
        if tree.name in reachable(tree.name, calls):
            raise OutsideSubset(place(tree, tree, "a function that calls itself"))


def numbers_in(value: ast.expr) -> Iterable[int]:
    """All numbers of a constant."""
    return (node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, int))


def reachable(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    """The functions that this one calls, directly or indirectly."""
    names: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        one = waiting.pop()
        if one not in names:
            names.add(one)
            waiting += calls[one]
    return names


class FunctionChecker:
    """Checks one function, statement by statement; each method returns the variables with a value after it."""

    def __init__(
        self,
        tree: ast.FunctionDef,
        functions: Mapping[str, ast.FunctionDef],
        constants: Mapping[str, ast.expr],
        bits: int,
    ) -> None:
        self.tree, self.functions, self.constants, self.bits = tree, functions, constants, bits
        self.calls: set[str] = set()
        self.locals = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        self.exits: list[tuple[list[Variables], list[Variables]]] = []
        """The variables with a value at each break and each continue of the enclosing loops."""

    def refusal(self, node: ast.AST, why: str) -> OutsideSubset:
        """The error for this node."""
        return OutsideSubset(place(self.tree, node, why))

    def check(self) -> None:
        """Raises OutsideSubset if the function is outside the subset."""
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise self.refusal(self.tree, "parameters other than plain ones do not compile")
        names = {argument.arg for argument in arguments.args}
        self.locals |= names
        if self.block(self.tree.body, frozenset(names)) is not None:
            raise self.refusal(self.tree, "a function that may return nothing")

    def block(self, statements: Iterable[ast.stmt], now: Variables) -> Variables:
        """A list of statements."""
        for statement in statements:
            now = self.statement(statement, now)
        return now

    def statement(self, node: ast.stmt, now: Variables) -> Variables:
        """One statement; unreachable ones are only checked for their form."""
        match node:
            case ast.Return(value=ast.expr() as value):
                self.value(value, now)
                return None
            case ast.Assign(targets=targets, value=value):
                now = self.value(value, now)
                for target in targets:
                    now = self.assign(target, now)
                return now
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                return self.assign(target, self.value(value, now))
            case ast.AugAssign(target=ast.Name() as target, op=operator, value=value):
                self.operator(node, operator)
                self.check_name(target, now)
                return self.value(value, now)
            case ast.If(test=test, body=body, orelse=orelse):
                now = self.value(test, now)
                return both(self.block(body, now), self.block(orelse, now))
            case ast.For(target=target, iter=over, body=body, orelse=orelse):
                now = self.iterable(over, now)
                return self.loop(body, orelse, self.assign(target, now), now, self.runs(over))
            case ast.While(test=test, body=body, orelse=orelse):
                now = self.value(test, now)
                endless = isinstance(test, ast.Constant) and bool(test.value)
                return self.loop(body, orelse, now, None if endless else now, False)
            case ast.Assert(test=test):
                return self.value(test, now)
            case ast.Break() | ast.Continue():
                self.exits[-1][isinstance(node, ast.Continue)].append(now)
                return None
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return now
        raise self.refusal(node, f"{syntax_name(node)} does not compile")

    def loop(
        self, body: list[ast.stmt], orelse: list[ast.stmt], inside: Variables, outside: Variables, runs: bool
    ) -> Variables:
        """A loop: the variables after it, given those if its body never runs, and whether it surely runs."""
        self.exits.append(([], []))
        end = self.block(body, inside)
        breaks, continues = self.exits.pop()
        for one in continues:
            end = both(end, one)
        after = self.block(orelse, end if runs else outside)
        for one in breaks:
            after = both(after, one)
        return after

    def runs(self, over: ast.expr) -> bool:
        """Whether a loop surely runs at least once."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=arguments):
                ends = [number for argument in arguments for number in self.number(argument)]
                return len(ends) == len(arguments) < 4 and 0 not in ends[2:] and len(range(*ends)) > 0
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner]):
                return self.runs(inner)
            case ast.Name(id=name) if name in self.constants:
                return self.runs(self.constants[name])
            case ast.Tuple(elts=parts):
                return bool(parts)
        return False

    def number(self, node: ast.expr) -> list[int]:
        """The value of a constant integer expression, or None."""
        value = self.constants.get(node.id, node) if isinstance(node, ast.Name) else node
        return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, int) else []

    def assign(self, target: ast.expr, now: Variables) -> Variables:
        """The variables after an assignment to a target."""
        match target:
            case ast.Name(id=name):
                return None if now is None else now | {name}
            case ast.Tuple(elts=parts):
                for part in parts:
                    now = self.assign(part, now)
                return now
        raise self.refusal(target, "only names can be assigned")

    def check_name(self, node: ast.Name, now: Variables) -> None:
        """Raises OutsideSubset for a name that may have no value."""
        name = node.id
        if name in self.locals:
            if now is not None and name not in now:
                raise self.refusal(node, f"{name} may have no value here")
        elif name not in self.constants and name not in self.functions:
            raise self.refusal(node, f"{name} does not compile")

    def iterable(self, node: ast.expr, now: Variables) -> Variables:
        """The iterable of a loop."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if self.is_builtin(name, LOOPS_ONLY):
                for argument in arguments:
                    now = self.value(argument, now) if name == "range" else self.iterable(argument, now)
                return now
        return self.value(node, now)

    def is_builtin(self, name: str, names: frozenset[str]) -> bool:
        """Whether this is one of these Python builtins."""
        return name in names and name not in self.locals

    def value(self, node: ast.expr, now: Variables) -> Variables:
        """An expression; returns the variables with a value after it."""
        match node:
            case ast.Constant(value=int(number)):
                if not -(1 << self.bits - 1) <= number < 1 << self.bits - 1:
                    raise self.refusal(node, f"a number wider than {self.bits - 1} bits")
            case ast.Name():
                self.check_name(node, now)
            case ast.NamedExpr(target=target, value=value):
                now = self.assign(target, self.value(value, now))
            case ast.Tuple(elts=parts):
                now = self.values(parts, now)
            case ast.BinOp(left=left, op=operator, right=right):
                self.operator(node, operator)
                now = self.values([left, right], now)
            case ast.UnaryOp(operand=inner):
                now = self.value(inner, now)
            case ast.BoolOp(values=[first, *others]):
                now = self.value(first, now)
                self.values(others, now)
            case ast.Compare(left=left, ops=operators, comparators=parts):
                for comparison in operators:
                    self.operator(node, comparison)
                now = self.values([left, *parts], now)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                now = self.value(test, now)
                now = both(self.value(body, now), self.value(orelse, now))
            case ast.Subscript(value=inner, slice=ast.Slice(step=None) as cut):
                for end in (cut.lower, cut.upper):
                    if end is not None and not isinstance(end, ast.Constant):
                        raise self.refusal(node, "a slice must have constants")
                now = self.value(inner, now)
            case ast.Subscript(value=inner, slice=index):
                now = self.values([inner, index], now)
            case ast.Call():
                now = self.call(node, now)
            case _:
                raise self.refusal(node, f"{syntax_name(node)} does not compile")
        return now

    def values(self, nodes: Iterable[ast.expr], now: Variables) -> Variables:
        """A list of expressions."""
        for node in nodes:
            now = self.value(node, now)
        return now

    def call(self, node: ast.Call, now: Variables) -> Variables:
        """A call of another rule, of a Python builtin, or of a method of integers."""
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr=method), args=[], keywords=[]) if method in METHODS:
                return self.value(inner, now)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                if name in self.functions and name not in self.locals:
                    self.calls.add(name)
                    return self.values(arguments, now)
                if self.is_builtin(name, BUILTINS - LOOPS_ONLY):
                    return self.values(arguments, now)
        raise self.refusal(node, "this call does not compile")

    def operator(self, node: ast.AST, operator: ast.operator | ast.cmpop) -> None:
        """Raises OutsideSubset for an operator that integers lack."""
        if not isinstance(operator, OPERATORS + COMPARISONS):
            why = "use // for whole numbers" if isinstance(operator, ast.Div) else "not an operator of whole numbers"
            raise self.refusal(node, why)


def both(a: Variables, b: Variables) -> Variables:
    """The variables with a value where two paths meet."""
    return b if a is None else a if b is None else a & b


def syntax_name(node: ast.AST) -> str:
    """The name of a syntax node in a message."""
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__} {node.value!r}"
    return SYNTAX_NAMES.get(type(node), type(node).__name__.lower())
