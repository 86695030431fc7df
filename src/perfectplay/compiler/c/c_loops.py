"""Loops of rules in C: over ranges, over constants."""

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from perfectplay.compiler.c.c_expressions import Expressions, Home
from perfectplay.compiler.c.c_syntax import Part, bits_for, literal, near, target_names
from perfectplay.compiler.intervals.interval import Function, Interval, is_constant


class Array(NamedTuple):
    """What a loop runs over: an array, how many elements it has, and the lines that make it."""

    name: str
    size: int
    before: list[str]


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
        self.ends: list[str] = []
        """For each loop around what is written, the label behind its else; none if it has no else."""

    @abstractmethod
    def block(self, statements: list[ast.stmt], depth: int) -> Iterator[str]:
        """Statements one after another."""

    def loop(self, node: ast.For | ast.While, depth: int) -> Iterator[str]:
        """A loop, and what comes after it unless it is left by break: then that is jumped over."""
        edge, end = "    " * depth, self.fresh("done") if node.orelse else ""
        self.ends.append(end)
        turning = self.repeating(node, depth) if isinstance(node, ast.While) else self.each(node, depth)
        lines = list(turning)
        self.ends.pop()
        yield from lines
        if not any(line.strip() == f"goto {end};" for line in lines):
            yield from self.block(node.orelse, depth)
            return
        yield f"{edge}{{"
        yield from self.block(node.orelse, depth + 1)
        yield f"{edge}}}"
        yield f"{edge}{end}:;"

    def repeating(self, node: ast.While, depth: int) -> Iterator[str]:
        """A loop while something holds."""
        edge, holds = "    " * depth, self.decided(node.test)
        if holds is not False:
            yield f"{edge}while ({'1' if holds else self.condition(node.test).text}) {{"
            yield from self.block(node.body, depth + 1)
            yield f"{edge}}}"

    def each(self, node: ast.For, depth: int) -> Iterator[str]:
        """A loop over a range or over constants."""
        target, over, body = node.target, node.iter, node.body
        edge, inner = "    " * depth, "    " * (depth + 1)
        if body[0] not in self.function.reached:  # there is nothing to run over
            return
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            yield from self.counting(target, over.args, body, depth)
            return
        sources, at = self.sources(target, over), self.fresh("at")
        arrays = [(one, self.numbers(one, source, depth)) for one, source in sources if source is not None]
        for _, array in arrays:
            yield from array.before
        yield f"{edge}for (int32_t {at} = 0; {at} < {min(array.size for _, array in arrays)}; {at}++) {{"
        for one, source in sources:
            if source is None and not set(target_names(one)) <= self.unread:
                yield f"{inner}{self.named(target_names(one)[0])} = {at};"
        for one, array in arrays:
            for name, column in self.columns(one):
                yield f"{inner}{name} = {array.name}[{at}]{column};"
        yield from self.block(body, depth + 1)
        yield f"{edge}}}"

    def sources(self, target: ast.expr, over: ast.expr) -> list[tuple[ast.expr, ast.expr | None]]:
        """What each part of a loop's target runs over; None for the number of the turn."""
        match target, over:
            case ast.Tuple(elts=[number, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[source]):
                return [(number, None), *self.sources(inner, source)]
            case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=sources):
                return [one for part, source in zip(parts, sources, strict=True) for one in self.sources(part, source)]
        return [(target, over)]

    def numbers(self, target: ast.expr, over: ast.expr, depth: int) -> Array:
        """The array of constants that a loop runs over, or of numbers, which is then made before it."""
        if not self.changes(over):
            value = self.constants(over)
            return Array(self.program.array(value, near(over)) if self.columns(target) else "", len(value), [])
        rows = [[part] for part in self.held(over.id)] if isinstance(over, ast.Name) else self.rows(over)
        name, wide = self.fresh("these"), len(rows[0])
        if not self.columns(target):
            return Array("", len(rows), [])
        bits = max(32, *(part.bits for row in rows for part in row))
        texts = [", ".join(part.text for part in row) for row in rows]
        if isinstance(target, ast.Tuple) or wide > 1:
            texts = [f"{{{text}}}" for text in texts]
        size = f"[{len(rows)}]" + (f"[{wide}]" if isinstance(target, ast.Tuple) or wide > 1 else "")
        line = f"{'    ' * depth}const int{bits}_t {name}{size} = {{{', '.join(texts)}}};"
        return Array(name, len(rows), [line])

    def changes(self, over: ast.expr) -> bool:
        """Whether a tuple is of numbers, and not of constants."""
        if isinstance(over, ast.Name):
            return self.is_tuple(over.id) and not is_constant(self.function.variables[over.id])
        return isinstance(over, ast.Tuple) and not all(
            self.function.numbers[part].is_single for part in ast.walk(over) if part in self.function.numbers
        )

    def rows(self, over: ast.expr) -> list[list[Part]]:
        """The numbers of a tuple, each alone or in a row."""
        assert isinstance(over, ast.Tuple)
        rows = [one.elts if isinstance(one, ast.Tuple) else [one] for one in over.elts]
        if len({len(row) for row in rows}) > 1:
            raise self.function.refusal(over, "a loop runs over numbers, or tuples of numbers of one length")
        return [[self.part(one) for one in row] for row in rows]

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
