"""Loops of rules in C: over ranges, over constants."""

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator

from perfectplay.exporters.c.c_expressions import Expressions
from perfectplay.exporters.c.c_scope import Home
from perfectplay.exporters.c.c_syntax import Part, bits_for, literal, near, target_names
from perfectplay.intervals.facts import Function
from perfectplay.intervals.interval import Interval


class Loops(Expressions, ABC):
    """Writes the loops of a function."""

    def __init__(self, program: Home, function: Function) -> None:
        super().__init__(program, function)
        self.unread = {
            name for name, value in function.variables.items() if isinstance(value, Interval) and value.is_single
        }
        """Variables that are never read: those that are one number, and what turns out so."""
        self.counted: set[str] = set()
        """Variables that count the turns of a loop."""

    @abstractmethod
    def block(self, statements: list[ast.stmt], depth: int) -> Iterator[str]:
        """Statements one after another."""

    def loop(self, target: ast.expr, over: ast.expr, body: list[ast.stmt], depth: int) -> Iterator[str]:
        """A loop over a range or over constants."""
        edge, inner = "    " * depth, "    " * (depth + 1)
        if body[0] not in self.function.reached:  # there is nothing to run over
            return
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            yield from self.counting(target, over.args, body, depth)
            return
        numbered = None
        if isinstance(over, ast.Call) and isinstance(target, ast.Tuple):  # enumerate
            numbered, target, over = target.elts[0], target.elts[1], over.args[0]
        value = self.constants(over)
        at = self.fresh("at")
        yield f"{edge}for (int32_t {at} = 0; {at} < {len(value)}; {at}++) {{"
        if numbered is not None and not set(target_names(numbered)) <= self.unread:
            yield f"{inner}{self.named(target_names(numbered)[0])} = {at};"
        for name, column in self.columns(target):
            yield f"{inner}{name} = {self.program.array(value, near(over))}[{at}]{column};"
        yield from self.block(body, depth + 1)
        yield f"{edge}}}"

    def columns(self, target: ast.expr) -> list[tuple[str, str]]:
        """The variables that an element of constants is put into, and which part of it."""
        if isinstance(target, ast.Tuple):
            names = [(name, i) for i, name in enumerate(target_names(target)) if name not in self.unread]
            return [(self.named(name), f"[{i}]") for name, i in names]
        (name,) = target_names(target)
        value = self.function.variables[name]
        if name in self.unread:
            return []
        if isinstance(value, tuple):
            return [(part, f"[{i}]") for i, part in enumerate(self.flat(name, value))]
        return [(self.named(name), "")]

    def counting(self, target: ast.expr, ends: list[ast.expr], body: list[ast.stmt], depth: int) -> Iterator[str]:
        """A loop over a range."""
        edge = "    " * depth
        (name,) = target_names(target)
        step = self.number(ends[2]).least if len(ends) == 3 else 1
        begin = self.part(ends[0]) if len(ends) > 1 else literal(0)
        end = self.part(ends[0] if len(ends) == 1 else ends[1])
        if not re.fullmatch(r"\d+", end.text):
            last = self.fresh("end")
            yield f"{edge}const int{max(32, end.bits)}_t {last} = {end.text};"
            end = Part(last, end.bits, True)
        ends_at = self.number(ends[0] if len(ends) == 1 else ends[1])
        beyond = Interval(ends_at.least - abs(step), ends_at.most + abs(step))  # where it stops counting
        if not beyond.fits(64):
            raise self.function.refusal(target, "a loop that counts beyond 63 bits")
        bits = max(32, begin.bits, end.bits, bits_for(beyond))
        own = bits == 32 and self.counts_alone(name)
        counter = self.named(name) if own else self.fresh("at")
        if own:
            self.counted.add(name)
        pace = f"{counter}++" if step == 1 else f"{counter} += {step}" if step > 0 else f"{counter} -= {-step}"
        declared = "" if own else f"int{bits}_t "
        holds = f"{counter} {'<' if step > 0 else '>'} {end.text}"
        yield f"{edge}for ({declared}{counter} = {begin.text}; {holds}; {pace}) {{"
        if not own and name not in self.unread:
            yield f"{edge}    {self.named(name)} = {counter};"
        yield from self.block(body, depth + 1)
        yield f"{edge}}}"

    def counts_alone(self, name: str) -> bool:
        """Whether the variable of a loop can count its turns: nothing else changes it, or reads it after the loop."""
        if name in self.unread:
            return False
        loops = [node for node in ast.walk(self.function.tree) if isinstance(node, ast.For)]
        mine = [loop for loop in loops if name in target_names(loop.target)]
        if any(other is not loop and other in ast.walk(loop) for loop in mine for other in mine):
            return False  # one inside the other
        inside = {
            id(node)
            for one in loops
            if name in target_names(one.target)
            for statement in one.body
            for node in ast.walk(statement)
        }
        uses = [node for node in ast.walk(self.function.tree) if isinstance(node, ast.Name) and node.id == name]
        read_after = any(isinstance(node.ctx, ast.Load) and id(node) not in inside for node in uses)
        changed = sum(isinstance(node.ctx, ast.Store) for node in uses)
        return not read_after and changed == sum(name in target_names(one.target) for one in loops)
