"""Loops of rules on intervals: followed turn by turn where that ends, else until nothing new comes up."""

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from perfectplay.compiler.intervals.facts import OVERFLOW, Function, Names, Value, let_out
from perfectplay.compiler.intervals.interval import Interval, single
from perfectplay.compiler.intervals.interval_expressions import Library, Values

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
