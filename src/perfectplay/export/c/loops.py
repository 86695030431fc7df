"""Loops of rules in C: over ranges, over constants."""

import ast
import re
from collections.abc import Iterator

from perfectplay.export.c.expressions import Expressions, Home
from perfectplay.export.c.known import Function
from perfectplay.export.c.parts import Part, literal, near, plain, target_names
from perfectplay.export.c.ranges import Range


class Loops(Expressions):
    """Writes the loops of a function."""

    def __init__(self, program: Home, function: Function) -> None:
        super().__init__(program, function)
        self.unread = {
            name for name, value in function.variables.items() if isinstance(value, Range) and value.is_single
        }
        """Variables that nobody reads: those that are one number, and what turns out so."""
        self.counted: set[str] = set()
        """Variables that count the turns of a loop."""

    def block(self, statements: list[ast.stmt], depth: int) -> Iterator[str]:
        """Statements one after another."""
        raise NotImplementedError

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
            yield f"{inner}{plain(target_names(numbered)[0])} = {at};"
        names = target_names(target)
        for i, name in enumerate(names):
            if name not in self.unread:
                array = self.program.array(value, near(over))
                yield f"{inner}{plain(name)} = {array}[{at}]{f'[{i}]' if isinstance(target, ast.Tuple) else ''};"
        yield from self.block(body, depth + 1)
        yield f"{edge}}}"

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
        bits = max(32, begin.bits, end.bits)
        own = bits == 32 and self.counts_alone(name)
        counter = plain(name) if own else self.fresh("at")
        if own:
            self.counted.add(name)
        pace = f"{counter}++" if step == 1 else f"{counter} += {step}" if step > 0 else f"{counter} -= {-step}"
        declared = "" if own else f"int{bits}_t "
        holds = f"{counter} {'<' if step > 0 else '>'} {end.text}"
        yield f"{edge}for ({declared}{counter} = {begin.text}; {holds}; {pace}) {{"
        if not own and name not in self.unread:
            yield f"{edge}    {plain(name)} = {counter};"
        yield from self.block(body, depth + 1)
        yield f"{edge}}}"

    def counts_alone(self, name: str) -> bool:
        """Whether the variable of a loop can count its turns: nobody else changes it, or reads it after the loop."""
        if name in self.unread:
            return False
        loops = [node for node in ast.walk(self.function.tree) if isinstance(node, ast.For)]
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
