"""Rules made safe to compile: a guard runs every operation that interval analysis does not prove to fit 64 bits.

Compiled integers wrap around, shift by the low bits of the count, and have another type of truth value; Python's do
not. So truth values become integers, and every unproven operation becomes a call of a function in int64_guards.py.
A proven operation stays as it is and costs nothing extra.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from perfectplay.compiler.intervals.interval import (
    BY_ZERO,
    LONG_SHIFT,
    NEGATIVE,
    NEGATIVE_SHIFT,
    NO_ELEMENT,
    OVERFLOW,
    WRAPS,
    Function,
    Interval,
    OutsideSubset,
    Value,
    place,
)
from perfectplay.compiler.intervals.interval_statements import Rules

# Proofs by interval analysis about gathered rules, each called within its contract.


class Contract(NamedTuple):
    """The arguments of a rule and its possible results."""

    arguments: Sequence[Interval]
    result: Value | None = None


class Proofs:
    """The doubts that intervals leave about gathered functions, each called within its contract."""

    def __init__(self, trees: Sequence[ast.stmt], roots: Mapping[str, Contract], bits: int = 64) -> None:
        self.doubts: dict[ast.AST, set[str]] = {}
        self.numbers: dict[ast.expr, Interval] = {}
        """The values of each expression."""
        self.blind: set[str] = set()
        """Functions not analysed for all their possible arguments."""
        self.broken: set[str] = set()
        """Roots whose results are not proven to keep the contract."""
        for name, contract in roots.items():
            rules = Rules(list(trees), bits=bits)
            try:
                returned = rules.call(name, contract.arguments)[1]
            except OutsideSubset:
                self.blind |= callees_of(name, rules.trees)
                self.broken.add(name)
                continue
            if not within(returned, contract.result):
                self.broken.add(name)
            for function in rules.ordered:
                self.learn(function)

    def learn(self, function: Function) -> None:
        """Adds the doubts about a function, and the values of its expressions."""
        for node, doubts in function.doubts.items():
            self.doubts.setdefault(node, set()).update(doubts)
        for expression, value in function.numbers.items():
            self.numbers[expression] = value.joined(self.numbers.get(expression, value))


def within(value: Value, limits: Value | None) -> bool:
    """Whether a value is proven to be as wanted; None accepts anything."""
    if limits is None:
        return True
    if isinstance(value, Interval) and isinstance(limits, Interval):
        return limits.holds(value)
    if isinstance(value, tuple) and isinstance(limits, tuple) and len(value) == len(limits):
        return all(within(one, other) for one, other in zip(value, limits, strict=True))
    return False


def callees_of(name: str, trees: Mapping[str, ast.FunctionDef]) -> set[str]:
    """The function and all functions that it may call."""
    callees, waiting = {name}, [name]
    while waiting:
        for node in ast.walk(trees[waiting.pop()]):
            if isinstance(node, ast.Name) and node.id in trees and node.id not in callees:
                callees.add(node.id)
                waiting.append(node.id)
    return callees


EVERYTHING = frozenset({OVERFLOW, NEGATIVE_SHIFT, BY_ZERO, NO_ELEMENT, NEGATIVE})
"""The doubts about an operation in a function that was not analysed."""
GUARDS: dict[type[ast.operator], str] = {
    ast.Add: "pp_add",
    ast.Sub: "pp_sub",
    ast.Mult: "pp_mult",
    ast.LShift: "pp_lshift",
    ast.RShift: "pp_rshift",
    ast.FloorDiv: "pp_floordiv",
    ast.Mod: "pp_mod",
    ast.Pow: "pp_pow",
}
WRAPPING: dict[type[ast.operator], str] = {
    ast.Add: "wrapping_add",
    ast.Sub: "wrapping_sub",
    ast.Mult: "wrapping_mult",
    ast.LShift: "wrapping_lshift",
}
"""The guards to use where only the low bits of a result matter."""
BITS = {"bit_count": "ones", "bit_length": "width"}


class Text(NamedTuple):
    """Rules as syntax trees, the names of the requested functions, and the reason for each guard."""

    names: dict[str, str]
    trees: list[ast.stmt]
    sites: list[str]


class GuardRewriter:
    """Rewrites a function for words of `bits` bits; `sites` has the reason for each guard."""

    bits = 64

    def __init__(
        self, tree: ast.FunctionDef, proofs: Proofs, sizes: Mapping[str, int] | None, sites: list[str]
    ) -> None:
        self.tree, self.proofs, self.sizes, self.sites = tree, proofs, sizes, sites
        names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        self.locals = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        self.locals |= {argument.arg for argument in tree.args.args}

    @staticmethod
    def constant(value: object) -> str:
        """The text of a constant."""
        return repr(value)

    @staticmethod
    def finish(tree: ast.stmt) -> ast.stmt:
        """The last change of a statement of the module."""
        return tree

    def function(self) -> ast.FunctionDef:
        """The function with guards."""
        self.tree.args.defaults = [self.value(default) for default in self.tree.args.defaults]
        self.tree.body = self.block(self.tree.body)
        return ast.fix_missing_locations(self.tree)

    def note(self, node: ast.AST, why: Iterable[str]) -> None:
        """Records the reason for a guard, before its expression is rewritten."""
        text = place(self.tree, node, " or ".join(sorted(why)))
        if text not in self.sites:
            self.sites.append(text)

    def doubts(self, node: ast.AST) -> set[str]:
        """The doubts about an operation."""
        return set(EVERYTHING) if self.tree.name in self.proofs.blind else self.proofs.doubts.get(node, set())

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A list of statements."""
        return [self.statement(statement) for statement in statements]

    def statement(self, node: ast.stmt) -> ast.stmt:
        """One statement."""
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
                result = self.operation(node, operator, ast.Name(name, ast.Load()), value)
                return ast.copy_location(ast.Assign([node.target], result), node)
            case ast.Assert(test=test):
                self.note(node, ["an assertion that fails"])
                fails = ast.UnaryOp(ast.Not(), self.test(test))
                return ast.copy_location(ast.If(fails, [ast.Expr(call_of("fault"))], []), node)
            case ast.If() | ast.While():
                node.test = self.test(node.test)
                node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            case ast.For():
                node.iter = self.value(node.iter)
                node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            case ast.Return() | ast.Assign() | ast.AnnAssign() if node.value is not None:
                node.value = self.value(node.value)
        return node

    def test(self, node: ast.expr) -> ast.expr:
        """An expression used only as a condition."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                node.operand = self.test(node.operand)
            case ast.BoolOp():
                node.values = [self.test(value) for value in node.values]
            case ast.Compare():
                node.left = self.value(node.left)
                node.comparators = [self.value(other) for other in node.comparators]
            case _:
                return self.value(node)
        return node

    def value(self, node: ast.expr) -> ast.expr:
        """An expression used as a value: 0 or 1 instead of a truth value."""
        match node:
            case ast.Constant(value=bool(truth)):
                return ast.copy_location(ast.Constant(int(truth)), node)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return ast.copy_location(zero_or_one(self.test(node)), node)
            case ast.BoolOp():
                node.values = [self.value(value) for value in node.values]
            case ast.IfExp():
                node.test, node.body, node.orelse = self.test(node.test), self.value(node.body), self.value(node.orelse)
            case ast.Tuple():
                node.elts = [self.value(part) for part in node.elts]
            case ast.NamedExpr():
                node.value = self.value(node.value)
            case ast.BinOp(op=operator):
                return self.operation(node, operator, node.left, node.right)
            case ast.UnaryOp(op=ast.USub()) if not isinstance(node.operand, ast.Constant) and self.doubts(node):
                self.note(node, [OVERFLOW])
                return call_of("pp_usub", self.value(node.operand))
            case ast.UnaryOp():
                node.operand = self.value(node.operand)
            case ast.Subscript(slice=ast.expr() as index) if not isinstance(index, ast.Slice):
                return self.element(node, index)
            case ast.Subscript():
                node.value = self.value(node.value)
            case ast.Call():
                return self.call(node)
        return node

    def operation(self, node: ast.expr | ast.stmt, operator: ast.operator, a: ast.expr, b: ast.expr) -> ast.expr:
        """A binary operation, guarded if needed."""
        doubts = self.doubts(node) & DOUBTS.get(type(operator), frozenset())
        if isinstance(operator, ast.Pow):
            doubts = {OVERFLOW}
        if not doubts:
            return ast.copy_location(ast.BinOp(self.value(a), operator, self.value(b)), node)
        if doubts == {WRAPS}:
            guard = WRAPPING[type(operator)]
        elif OVERFLOW not in doubts and isinstance(operator, ast.LShift):
            guard = "pp_wrapping_lshift"
        else:
            guard = GUARDS[type(operator)]
        if faults := doubts - {WRAPS, LONG_SHIFT}:  # the guards of these do what Python does
            self.note(node, faults)
        return call_of(guard, self.value(a), self.value(b))

    def element(self, node: ast.Subscript, index: ast.expr) -> ast.expr:
        """An element of a tuple."""
        doubtful = self.sizes is not None and NO_ELEMENT in self.doubts(node) and not is_number(index)
        if doubtful:
            self.note(node, [NO_ELEMENT])
        node.value, node.slice = self.value(node.value), self.value(index)
        if self.sizes is not None and doubtful:
            match node.value:
                case ast.Name(id=name) if name in self.sizes and name not in self.locals:
                    size: ast.expr = ast.Constant(self.sizes[name])
                case ast.Tuple(elts=parts):
                    size = ast.Constant(len(parts))
                case _:
                    size = call_of("len", node.value)
            node.slice = call_of("pp_index", node.slice, size)
        return node

    def call(self, node: ast.Call) -> ast.expr:
        """A call of another rule, of a Python builtin, or of a method of integers."""
        doubts = self.doubts(node)
        match node.func:
            case ast.Attribute(value=inner, attr=method):
                word = self.value(inner)
                return call_of(BITS[method], call_of("pp_unsigned", word) if NEGATIVE in doubts else word)
            case ast.Name(id="abs") if OVERFLOW in doubts and "abs" not in self.locals:
                self.note(node, [OVERFLOW])
                return call_of("pp_abs", self.value(node.args[0]))
            case ast.Name(id="bool") if "bool" not in self.locals:
                return zero_or_one(self.test(node.args[0]))
            case ast.Name(id="int") if "int" not in self.locals:
                return self.value(node.args[0])
            case ast.Name(id="range") if OVERFLOW in doubts:
                self.note(node, [OVERFLOW])
                guards = ("pp_end", "pp_end", "pp_step")
                ends = [call_of(guard, self.value(end)) for guard, end in zip(guards, node.args, strict=False)]
                return call_of("range", *ends)
        node.args = [self.value(argument) for argument in node.args]
        return node


DOUBTS: dict[type[ast.operator], frozenset[str]] = {
    ast.Add: frozenset({OVERFLOW, WRAPS}),
    ast.Sub: frozenset({OVERFLOW, WRAPS}),
    ast.Mult: frozenset({OVERFLOW, WRAPS}),
    ast.LShift: frozenset({OVERFLOW, WRAPS, NEGATIVE_SHIFT, LONG_SHIFT}),
    ast.RShift: frozenset({NEGATIVE_SHIFT, LONG_SHIFT}),
    ast.FloorDiv: frozenset({OVERFLOW, BY_ZERO}),
    ast.Mod: frozenset({OVERFLOW, BY_ZERO}),
}
"""The doubts that an operation must be free of."""


def call_of(name: str, *arguments: ast.expr) -> ast.Call:
    """A call of the function."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def zero_or_one(test: ast.expr) -> ast.IfExp:
    """1 where the test holds, else 0."""
    return ast.IfExp(test, ast.Constant(1), ast.Constant(0))


def is_number(node: ast.expr) -> bool:
    """Whether this is a literal integer."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))


def insert_guards(
    names: Mapping[str, str],
    trees: Sequence[ast.stmt],
    contracts: Mapping[str, Contract],
    bounds: bool = True,
    kind: type[GuardRewriter] = GuardRewriter,
) -> Text:
    """The gathered rules with guards where needed, and with checks of unproven results.

    Without `bounds`, the compiler itself must check lookups. `kind` does the rewriting.
    """
    roots = {names[name]: contract for name, contract in contracts.items() if names.get(name, "None") != "None"}
    proofs = Proofs(trees, roots, kind.bits)
    sizes = {name: len(value.elts) for name, value in constants_in(trees) if isinstance(value, ast.Tuple)}
    sites: list[str] = []
    statements: list[ast.stmt] = []
    for tree in trees:
        if isinstance(tree, ast.FunctionDef):
            statements.append(kind(tree, proofs, sizes if bounds else None, sites).function())
        elif isinstance(tree, ast.Assign):
            value = ast.parse(kind.constant(numbers_only(ast.literal_eval(tree.value))), mode="eval").body
            statements.append(ast.Assign(tree.targets, value))
    entry_names = dict(names)
    for name, contract in contracts.items():
        if names.get(name) in proofs.broken and contract.result is not None:
            entry_names[name] = f"checked_{name}"
            sites.append(f"{name} returned a value outside its contract")
            statements.append(result_check(entry_names[name], names[name], contract))
    return Text(entry_names, [kind.finish(tree) for tree in statements], sites)


def replace_methods(names: Mapping[str, str], trees: Sequence[ast.stmt]) -> Text:
    """The gathered rules as written; only methods of integers, which numba lacks, become calls."""
    return Text(dict(names), [MethodCalls().visit(tree) for tree in trees], [])


class MethodCalls(ast.NodeTransformer):
    """Replaces methods of integers with function calls."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """The same call, of a function."""
        self.generic_visit(node)
        return call_of(BITS[node.func.attr], node.func.value) if isinstance(node.func, ast.Attribute) else node


def result_check(name: str, own: str, contract: Contract) -> ast.stmt:
    """A function that calls a rule and checks its result."""
    arguments = ", ".join("abc"[: len(contract.arguments)])
    parts = contract.result if isinstance(contract.result, tuple) else (contract.result,)
    results = [f"result[{i}]" for i in range(len(parts))] if isinstance(contract.result, tuple) else ["result"]
    tests = [
        f"{one} < {interval.least} or {one} > {interval.most}"
        for one, interval in zip(results, parts, strict=True)
        if isinstance(interval, Interval)
    ]
    lines = [f"def {name}({arguments}):", f"    result = {own}({arguments})", f"    if {' or '.join(tests)}:"]
    return ast.parse("\n".join([*lines, "        fault()", "    return result"])).body[0]


def numbers_only(value: object) -> object:
    """The constant with 0 and 1 for truth values."""
    if isinstance(value, tuple):
        return tuple(numbers_only(part) for part in value)
    return int(value) if isinstance(value, bool) else value


def constants_in(trees: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The names and values of gathered constants."""
    for tree in trees:
        if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name):
            yield tree.targets[0].id, tree.value
