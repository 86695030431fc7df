"""The part of Python that compiled rules may use: what means the same in words of 64 bits, checked before compiling.

Whatever is left out here would not compile, or would compile to something else than Python does: a variable that may
have no value, a function that may return nothing or that calls itself without end.
"""

import ast
from collections.abc import Iterable, Mapping

from perfectplay.intervals.facts import OutsideSubset, as_written, place

BUILTINS = frozenset({"abs", "min", "max", "len", "int", "bool", "range", "enumerate", "zip"})
LOOPS_ONLY = frozenset({"range", "enumerate", "zip"})
METHODS = frozenset({"bit_count", "bit_length"})
OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow),
    *(ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
KINDS = {ast.List: "a list", ast.Dict: "a dict", ast.Set: "a set", ast.JoinedStr: "a string", ast.Lambda: "a lambda"}

Assigned = frozenset[str] | None
"""The variables that surely have a value; None where the run does not get."""


def check_subset(trees: Iterable[ast.stmt]) -> None:
    """Raises OutsideSubset, with line and reason, if gathered rules use what is not for compiled rules."""
    trees = list(trees)
    functions = {tree.name: tree for tree in trees if isinstance(tree, ast.FunctionDef)}
    constants = {
        tree.targets[0].id: tree.value
        for tree in trees
        if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name)
    }
    for name, value in constants.items():
        if any(number.bit_length() > 63 for number in numbers_in(value)):
            raise OutsideSubset(f"{as_written(name)} has a number wider than 63 bits")
    calls: dict[str, set[str]] = {}
    for tree in functions.values():
        checked = Checked(tree, functions, constants)
        checked.check()
        calls[tree.name] = checked.called
    for tree in functions.values():
        if tree.name in reachable(tree.name, calls):
            raise OutsideSubset(place(tree, tree, "a function that calls itself"))


def numbers_in(value: ast.expr) -> Iterable[int]:
    """All numbers of a constant."""
    return (node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, int))


def reachable(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    """The functions that this one calls, directly or not."""
    found: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += calls[one]
    return found


class Checked:
    """One function, looked through statement by statement; each gives the variables that have a value after it."""

    def __init__(
        self, tree: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], constants: Mapping[str, ast.expr]
    ) -> None:
        self.tree, self.functions, self.constants = tree, functions, constants
        self.called: set[str] = set()
        self.locals = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        self.exits: list[tuple[list[Assigned], list[Assigned]]] = []
        """What has a value at each break and each continue of the loops around."""

    def refusal(self, node: ast.AST, why: str) -> OutsideSubset:
        """The error for this piece of the function."""
        return OutsideSubset(place(self.tree, node, why))

    def check(self) -> None:
        """Raises OutsideSubset if the function is not for compiled rules."""
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise self.refusal(self.tree, "parameters other than plain ones do not compile")
        names = {argument.arg for argument in arguments.args}
        self.locals |= names
        if self.block(self.tree.body, frozenset(names)) is not None:
            raise self.refusal(self.tree, "a function that may return nothing")

    def block(self, statements: Iterable[ast.stmt], now: Assigned) -> Assigned:
        """Statements one after another."""
        for statement in statements:
            now = self.statement(statement, now)
        return now

    def statement(self, node: ast.stmt, now: Assigned) -> Assigned:
        """One statement; of what is never run, only the form is looked at."""
        match node:
            case ast.Return(value=ast.expr() as value):
                self.value(value, now)
                return None
            case ast.Assign(targets=targets, value=value):
                now = self.value(value, now)
                for target in targets:
                    now = self.bound(target, now)
                return now
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                return self.bound(target, self.value(value, now))
            case ast.AugAssign(target=ast.Name() as target, op=operator, value=value):
                self.operator(node, operator)
                self.known(target, now)
                return self.value(value, now)
            case ast.If(test=test, body=body, orelse=orelse):
                now = self.value(test, now)
                return both(self.block(body, now), self.block(orelse, now))
            case ast.For(target=target, iter=over, body=body, orelse=orelse):
                now = self.iterable(over, now)
                return self.loop(body, orelse, self.bound(target, now), now, self.runs(over))
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
        raise self.refusal(node, f"{name_of(node)} does not compile")

    def loop(
        self, body: list[ast.stmt], orelse: list[ast.stmt], inside: Assigned, skipped: Assigned, runs: bool
    ) -> Assigned:
        """A loop: what is known behind it, given what is known if its body is never run, and whether it surely is."""
        self.exits.append(([], []))
        end = self.block(body, inside)
        broken, continued = self.exits.pop()
        for one in continued:
            end = both(end, one)
        after = self.block(orelse, end if runs else skipped)
        for one in broken:
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
        """The number that this is, or nothing if that cannot be seen."""
        value = self.constants.get(node.id, node) if isinstance(node, ast.Name) else node
        return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, int) else []

    def bound(self, target: ast.expr, now: Assigned) -> Assigned:
        """What is known after something is put into a target."""
        match target:
            case ast.Name(id=name):
                return None if now is None else now | {name}
            case ast.Tuple(elts=parts):
                for part in parts:
                    now = self.bound(part, now)
                return now
        raise self.refusal(target, "only names are given values")

    def known(self, node: ast.Name, now: Assigned) -> None:
        """Raises OutsideSubset for a name that may have no value."""
        name = node.id
        if name in self.locals:
            if now is not None and name not in now:
                raise self.refusal(node, f"{name} may have no value here")
        elif name not in self.constants and name not in self.functions:
            raise self.refusal(node, f"{name} does not compile")

    def iterable(self, node: ast.expr, now: Assigned) -> Assigned:
        """What a loop runs over."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if self.is_builtin(name, LOOPS_ONLY):
                for argument in arguments:
                    now = self.value(argument, now) if name == "range" else self.iterable(argument, now)
                return now
        return self.value(node, now)

    def is_builtin(self, name: str, names: frozenset[str]) -> bool:
        """Whether this is one of these functions of Python's own."""
        return name in names and name not in self.locals

    def value(self, node: ast.expr, now: Assigned) -> Assigned:
        """An expression; gives what has a value after it."""
        match node:
            case ast.Constant(value=int(number)):
                if not -(1 << 63) <= number < 1 << 63:
                    raise self.refusal(node, "a number wider than 63 bits")
            case ast.Name():
                self.known(node, now)
            case ast.NamedExpr(target=target, value=value):
                now = self.bound(target, self.value(value, now))
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
                raise self.refusal(node, f"{name_of(node)} does not compile")
        return now

    def values(self, nodes: Iterable[ast.expr], now: Assigned) -> Assigned:
        """Expressions one after another."""
        for node in nodes:
            now = self.value(node, now)
        return now

    def call(self, node: ast.Call, now: Assigned) -> Assigned:
        """A call of another rule, of a function of Python's own, or of a method of numbers."""
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr=method), args=[], keywords=[]) if method in METHODS:
                return self.value(inner, now)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                if name in self.functions and name not in self.locals:
                    self.called.add(name)
                    return self.values(arguments, now)
                if self.is_builtin(name, BUILTINS - LOOPS_ONLY):
                    return self.values(arguments, now)
        raise self.refusal(node, "this call does not compile")

    def operator(self, node: ast.AST, operator: ast.operator | ast.cmpop) -> None:
        """Raises OutsideSubset for an operator that whole numbers do not have."""
        if not isinstance(operator, OPERATORS + COMPARISONS):
            why = "use // for whole numbers" if isinstance(operator, ast.Div) else "not an operator of whole numbers"
            raise self.refusal(node, why)


def both(a: Assigned, b: Assigned) -> Assigned:
    """What has a value where two ways meet."""
    return b if a is None else a if b is None else a & b


def name_of(node: ast.AST) -> str:
    """What to call a piece of Python in a message."""
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__} {node.value!r}"
    return KINDS.get(type(node), type(node).__name__.lower())
