"""Interval analysis of rules: they are run on intervals instead of numbers, every branch of them.

What holds for all numbers of the intervals needs no guard when they are compiled (integers/guarded_rules.py), and C
is written with the types that it takes (export/c). A function that is given tuples of constants, such as the rows of a
board, is looked at once for each of these. All other arguments and all variables are numbers, or tuples of numbers.
"""

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from perfectplay.compiler.intervals.interval import (
    OVERFLOW,
    WORD,
    Function,
    Interval,
    Names,
    Value,
    constant,
    is_constant,
    let_out,
    single,
)
from perfectplay.compiler.intervals.interval_expressions import Library, Values

# Loops of rules on intervals: followed turn by turn where that ends, else until nothing new comes up.


MOST_TURNS = 4_096
"""A loop over at most this many constants is followed turn by turn; a longer one as a whole."""
MOST_IN_ALL = 50_000
"""So is any loop after this many turns of all loops together."""
FEW = 64
"""A loop of unknown length is followed turn by turn for so long, in case it ends."""
MOST_ROUNDS = 10_000
"""Such turns of all loops together."""
PATIENCE = 8
"""The turns of a loop after which an interval that still grows is widened."""
TIGHTER = 2
"""The times that a widened loop is narrowed to what really comes around."""
SMALL, FAR = 1 << 20, 0x9E37_79B9_7F4A_7C1
"""A variable that loops only count up or down, by at most SMALL, goes no farther than FAR: that takes 2 ** 39 turns.

No rule has a number near FAR by accident, so what is there was counted, and stays there in the next loop.
"""


Step = Callable[[Names], Names | None]
"""What is known after something, from what was known before; None where the run does not get there."""


@dataclass
class Flow:
    """What is left when a loop's body has been run: what was known at each way out, and what does not just count."""

    broken: list[Names] = field(default_factory=list)
    continued: list[Names] = field(default_factory=list)
    jumps: set[str] = field(default_factory=set)


class Loop(NamedTuple):
    """A loop whose turns are not told apart: what is known when its body begins, and when it ends."""

    begin: Step
    node: ast.For | ast.While
    leave: Step
    most: int | None = None
    """The most turns that it takes, if that is known."""

    def stands(self, before: Names, after: Names) -> bool:
        """Whether a turn has changed no variable by which the loop ends, so that it may go on for ever."""
        if self.most is not None or isinstance(self.node, ast.For):
            return False
        ends_by = {part.id for part in ast.walk(self.node.test) if isinstance(part, ast.Name)}
        return all(before.get(name) == after.get(name) for name in ends_by)


class Loops(Values, ABC):
    """Looks at the loops of a function."""

    def __init__(self, rules: Library, function: Function) -> None:
        super().__init__(rules, function)
        self.loops: list[Flow] = []

    @abstractmethod
    def block(self, statements: list[ast.stmt], names: Names) -> Names | None:
        """Statements one after another."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Value, names: Names) -> Names:
        """What is known after an assignment."""

    def each(self, node: ast.For, names: Names) -> Names | None:
        """A loop over a range or over constants."""
        elements = self.elements(node.iter, names)
        now: Names | None = names
        if isinstance(elements, Interval):  # not known how often: as a whole
            return self.whole(node, elements, elements.most - elements.least + 1, names)
        self.rules.turns += len(elements)
        if self.rules.turns > MOST_IN_ALL and elements:
            whole = elements[0]
            for element in elements[1:]:
                whole = self.join(whole, element)
            return self.whole(node, whole, len(elements), names)
        flow = Flow()
        for element in elements:
            if now is None:
                break
            self.loops.append(flow)
            now = self.block(node.body, self.assign(node.target, element, dict(now)))
            self.loops.pop()
            for state in flow.continued:
                now = self.either(now, state)
            flow.continued.clear()
        return self.left(node, now, flow)

    def whole(self, node: ast.For, element: Value, most: int, names: Names) -> Names | None:
        """A loop of at most so many turns, in each of which the target can be the same."""
        return self.around(
            Loop(lambda state: self.assign(node.target, element, dict(state)), node, lambda state: state, most), names
        )

    def elements(self, over: ast.expr, names: Names) -> "tuple[Value, ...] | Interval":
        """What a loop runs over: constants one by one, or the range that they are in."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]) if 1 <= len(arguments) <= 3:
                ends = [self.number(argument, names) for argument in arguments]
                if len(ends) == 1:
                    ends = [single(0), *ends]
                begin, end, step = ends if len(ends) == 3 else [*ends, single(1)]
                if not step.is_single or step.least == 0:
                    raise self.function.refusal(over, "the step of a range must be a constant")
                if not all(one.fits(63) for one in ends):
                    self.doubt(over, OVERFLOW)
                if begin.is_single and end.is_single:
                    counted = range(begin.least, end.least, step.least)
                    if len(counted) <= MOST_TURNS:
                        return tuple(single(number) for number in counted)
                if step.least > 0:
                    return Interval(begin.least, max(begin.least, end.most - 1))
                return Interval(min(begin.most, end.least + 1), begin.most)
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner], keywords=[]):
                found = self.elements(inner, names)
                if not isinstance(found, Interval):
                    return tuple((single(i), one) for i, one in enumerate(found))
            case ast.Call(func=ast.Name(id="zip"), args=[_, *_] as sources, keywords=[]):
                columns = [self.elements(source, names) for source in sources]
                if not any(isinstance(column, Interval) for column in columns):
                    return tuple(zip(*columns, strict=False))
            case ast.Name() | ast.Tuple() | ast.Subscript():
                value = self.value(over, names)
                if isinstance(value, tuple):
                    return value
        raise self.function.refusal(over, "a loop runs over a range or over a tuple")

    def repeat(self, node: ast.While, names: Names) -> Names | None:
        """A loop while something holds."""
        test = node.test
        loop = Loop(lambda state: self.branches(test, state)[0], node, lambda state: self.branches(test, state)[1])
        return self.around(loop, names)

    def around(self, loop: Loop, names: Names) -> Names | None:
        """A loop of unknown length: what is known behind it, from what holds every time around."""
        self.rules.quiet += 1
        known = self.unrolled(loop, names) or self.invariant(loop, names)
        self.rules.quiet -= 1
        flow = Flow()
        self.turn(loop, known, flow)
        return self.left(loop.node, loop.leave(known), flow)

    def left(self, node: ast.For | ast.While, now: Names | None, flow: Flow) -> Names | None:
        """What is known behind a loop, from what is known where it ends and where it is left by break."""
        if now is not None:
            now = self.block(node.orelse, now)
        for state in flow.broken:
            now = self.either(now, state)
        return now

    def turn(self, loop: Loop, names: Names, flow: Flow) -> Names | None:
        """What is known after the loop's body was run once."""
        self.loops.append(flow)
        inside = loop.begin(names)
        after = self.block(loop.node.body, inside) if inside is not None else None
        self.loops.pop()
        for state in flow.continued:
            after = self.either(after, state)
        return after

    def unrolled(self, loop: Loop, names: Names) -> Names | None:
        """What holds whenever the loop begins anew, if it surely ends after few turns; None if it may go on."""
        known, now, turns = names, names, FEW if loop.most is None else loop.most
        if turns > FEW:
            return None
        for _ in range(turns):
            self.rules.rounds += 1
            after = self.turn(loop, now, Flow())
            if after is None:
                return known
            if self.rules.rounds > MOST_ROUNDS or loop.stands(now, after):
                return None
            known, now = self.either(known, after) or known, after
        return None if loop.most is None else known

    def invariant(self, loop: Loop, names: Names) -> Names:
        """What holds whenever the loop begins anew: around until nothing new comes up."""
        known, turn, counting = dict(names), 0, set[str]()
        while True:
            flow = Flow()
            grown = self.either(known, self.turn(loop, known, flow)) or known
            if turn > PATIENCE:
                counting = {
                    name for name, value in grown.items() if name not in flow.jumps and value != names.get(name)
                }
                grown = {
                    name: far(names[name], value, self.rules.bits)
                    if name in counting
                    else let_out(known.get(name), value)
                    for name, value in grown.items()
                }
            if grown == known:
                break
            known, turn = grown, turn + 1
        for _ in range(TIGHTER):
            found = self.either(names, self.turn(loop, known, Flow())) or names
            closer = {name: known[name] if name in counting else value for name, value in found.items()}
            flow = Flow()
            again = self.either(closer, self.turn(loop, closer, flow)) or closer
            if any(again[name] != closer.get(name) for name in again if name not in counting or name in flow.jumps):
                break
            known = closer
        return known


def far(first: Value, grown: Value, bits: int) -> Value:
    """What a variable can be that a loop only counts up or down."""
    if not isinstance(first, Interval) or not isinstance(grown, Interval):
        return grown
    down = FAR if grown.least < first.least and not counted(-first.least) else 0
    up = FAR if grown.most > first.most and not counted(first.most) else 0
    return Interval(first.least - down, first.most + up).clipped(bits=bits)


def counted(number: int) -> bool:
    """Whether a loop has counted as far as FAR."""
    return FAR <= number < FAR + (1 << 40)


class Run(Loops):
    """One run of a function."""

    def __init__(self, rules: Library, function: Function) -> None:
        super().__init__(rules, function)
        self.returned: list[Value] = []

    def result(self, given: tuple[Value, ...]) -> Value:
        """What the function can return."""
        function = self.function
        names: Names = {}
        for argument, value in zip(function.tree.args.args, given, strict=True):
            names[argument.arg] = value
            if argument.arg not in function.constants and not self.rules.quiet:
                function.parameters[argument.arg] = self.join(function.parameters.get(argument.arg), value)
                self.bind(argument.arg, value)
        if self.block(function.tree.body, names) is not None or not self.returned:
            raise function.refusal(function.tree, "a function that may return nothing")
        found = self.returned[0]
        for value in self.returned[1:]:
            found = self.join(found, value)
        if not self.rules.quiet:
            function.result = self.join(function.result, found)
        return found

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
        if not self.rules.quiet:
            self.function.reached.add(node)
        match node:
            case ast.Return(value=ast.expr() as value):
                self.returned.append(self.value(value, names))
                return None
            case ast.Assign(targets=[ast.Tuple(elts=parts)]) if any(isinstance(part, ast.Tuple) for part in parts):
                raise self.function.refusal(node, "tuples inside tuples are not taken apart at once")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(ast.Name(id=same), operator, value)) if (
                name == same and isinstance(operator, ast.Add | ast.Sub)
            ):
                found = self.value(node.value, names)
                return self.count(node.targets[0], found, self.value(value, names), dict(names))
            case ast.Assign(targets=targets, value=value):
                found, now = self.value(value, names), dict(names)
                for target in targets:
                    now = self.assign(target, found, now)
                return now
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self.assign(target, self.value(value, names), dict(names))
            case ast.AugAssign(target=ast.Name() as target, op=operator, value=value):
                masked = isinstance(operator, ast.BitAnd) and self.is_under(value, load(target), names)
                by = self.value(value, names, masked)
                found = self.binary(operator, self.value(load(target), names), by, node)
                self.note(target, found)
                counts = by if isinstance(operator, ast.Add | ast.Sub) else WORD
                return self.count(target, found.clipped(bits=self.rules.bits), counts, dict(names))
            case ast.If(test=test, body=body, orelse=orelse):
                yes, no = self.branches(test, names)
                after = self.block(body, yes) if yes is not None else None
                return self.either(after, self.block(orelse, no) if no is not None else None)
            case ast.For():
                return self.each(node, names)
            case ast.While():
                return self.repeat(node, names)
            case ast.Break() if self.loops:
                self.loops[-1].broken.append(names)
                return None
            case ast.Continue() if self.loops:
                self.loops[-1].continued.append(names)
                return None
            case ast.Assert(test=test):
                return self.branches(test, names)[0]
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return names
        raise self.function.unknown(node)

    def count(self, target: ast.expr, value: Value, by: Value, names: Names) -> Names:
        """What is known after a variable is counted up or down."""
        if isinstance(by, Interval) and by.least >= -SMALL and by.most <= SMALL and isinstance(target, ast.Name):
            names[target.id] = value
            self.bind(target.id, value)
            return names
        return self.assign(target, value, names)

    def assign(self, target: ast.expr, value: Value, names: Names) -> Names:
        """What is known after an assignment."""
        match target, value:
            case ast.Name(id=name), _:
                for flow in self.loops:
                    flow.jumps.add(name)
                if name in self.function.constants:
                    raise self.function.refusal(target, "a parameter that is a tuple is given another value")
                names[name] = value
                self.bind(name, value)
            case ast.Tuple(elts=parts), tuple() if len(parts) == len(value):
                for part, one in zip(parts, value, strict=True):
                    self.assign(part, one, names)
            case _:
                raise self.function.refusal(target, "only names are given values")
        return names


def load(name: ast.Name) -> ast.Name:
    """The name as an expression."""
    return ast.Name(name.id, ast.Load())


# The functions of gathered rules, each analysed with all that it is given.


class Rules:
    """Functions of rules, each looked at with all that it can be given, for words of that many bits."""

    def __init__(self, trees: list[ast.stmt], loose: frozenset[tuple[str, str]] = frozenset(), bits: int = 64) -> None:
        self.bits, self.loose = bits, loose
        """Parameters, by function and name, whose tuples are numbers like others, and not constants of the function."""
        self.varied: set[tuple[str, str]] = set()
        """The parameters that are given different tuples by one call."""
        self.trees = {tree.name: tree for tree in trees if isinstance(tree, ast.FunctionDef)}
        self.constants: Names = {}
        for tree in trees:
            if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name):
                self.constants[tree.targets[0].id] = constant(ast.literal_eval(tree.value))
        self.functions: dict[tuple[str, tuple[Value | None, ...]], Function] = {}
        self.ordered: list[Function] = []
        """The functions, each after all that it calls."""
        self.running: list[Function] = []
        self.turns = 0
        """How often loops over constants were followed."""
        self.rounds = 0
        """How often other loops were, turn by turn."""
        self.quiet = 0
        self.known: dict[tuple[Function, tuple[Value, ...], bool], Value] = {}
        """What functions return, by what they are given and by whether they were only tried."""

    def call(self, name: str, arguments: Sequence[Value]) -> tuple[Function, Value]:
        """The function as it is called with these, and what it can return."""
        tree = self.trees[name]
        given = zip((argument.arg for argument in tree.args.args), arguments, strict=True)
        fixed = tuple(value if self.is_fixed(name, parameter, value) else None for parameter, value in given)
        function = self.functions.get((name, fixed))
        if function is None:
            others = sum(known == name for known, _ in self.functions)
            names = [argument.arg for argument in tree.args.args]
            constants: Names = {name: value for name, value in zip(names, fixed, strict=True) if value is not None}
            function = Function(f"{name}_{others}" if others else name, tree, constants)
            self.functions[name, fixed] = function
        if function in self.running:
            raise function.refusal(tree, "a function that calls itself")
        asked = function, tuple(arguments), self.quiet > 0
        if asked not in self.known:
            self.running.append(function)
            self.known[asked] = Run(self, function).result(asked[1])
            self.running.pop()
            if function not in self.ordered and not self.quiet:
                self.ordered.append(function)
        return function, self.known[asked]

    def is_fixed(self, name: str, parameter: str, value: Value) -> bool:
        """Whether the parameter is a tuple of constants of the function."""
        return isinstance(value, tuple) and is_constant(value) and (name, parameter) not in self.loose

    def vary(self, name: str, one: Function, other: Function) -> None:
        """Remembers that one call is of both, which differ by the tuples that they are given."""
        parameters = one.constants.keys() | other.constants.keys()
        different = {key for key in parameters if one.constants.get(key) != other.constants.get(key)}
        self.varied |= {(name, parameter) for parameter in different}
