"""Rules in C: functions whose numbers are known to fit, written with words of 32 bits where that is enough.

Everything in rules is pure, so an expression that can only be one number is written as that number, and a variable
that is never read is not written at all.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from perfectplay.compiler.c.c_expressions import MEMBERS, OPERATORS
from perfectplay.compiler.c.c_loops import Loops
from perfectplay.compiler.c.c_syntax import (
    Part,
    array_lines,
    bits_for,
    bytes_of,
    mentions,
    plain,
    target_names,
)
from perfectplay.compiler.c.c_templates import HELPERS
from perfectplay.compiler.intervals.interval import OVERFLOW, Function, Interval, OutsideSubset, Value
from perfectplay.compiler.intervals.interval_statements import Rules
from perfectplay.compiler.intervals.plain_forms import plain_forms

STEP, WIDE = 4, 40
"""Bytes of machine code for an operator, a call or the like, and besides for a word of 64 bits on a small chip."""
Lines = Callable[[], Iterator[str]]
"""Writes some lines when it is asked to."""


class Program:
    """The functions of some rules in C, all with the same prefix."""

    def __init__(self, prefix: str, rules: Rules, roots: Iterable[Function]) -> None:
        self.prefix, self.constants = prefix, rules.constants
        roots = list(roots)
        functions = list(dict.fromkeys(callees_first(roots)))
        for function in functions:
            check_fits(function)
        self.arrays: dict[tuple[Value, ...], str] = {}
        self.helpers: set[str] = set()
        self.kept: dict[Function, list[str]] = {}
        """The parameters that a function has in C; of a tuple the numbers."""
        results = [function.result for function in functions if isinstance(function.result, tuple)]
        self.tuples = {
            len(result): bits_for(tuple(one for one in results if len(one) == len(result))) for result in results
        }
        self.called: dict[Function, set[Function]] = {}
        """The functions that a function calls in C."""
        texts = {function: Body(self, function).text() for function in functions}
        needed = set(closure(roots, self.called))
        self.texts = [text for function, text in texts.items() if function in needed]
        whole = "\n".join(line for text in self.texts for line in text)
        self.arrays = {value: name for value, name in self.arrays.items() if mentions(whole, name)}
        self.helpers = {name for name in self.helpers if mentions(whole, f"{prefix}_{name}")}

    def name(self, function: Function) -> str:
        """The function's name in C."""
        return f"{self.prefix}_{plain(function.name)}"

    def tuple_type(self, size: int) -> str:
        """The type of a tuple of that many numbers."""
        return f"{self.prefix}_{'pair' if size == 2 else f'tuple{size}'}"

    def array(self, value: tuple[Value, ...], near: str) -> str:
        """The name of an array of these constants."""
        if value not in self.arrays:
            name = f"{self.prefix}_rule_{plain(near)}"
            while name in self.arrays.values():
                name += "_more"
            self.arrays[value] = name
        return self.arrays[value]

    def size(self) -> int:
        """An upper estimate of the bytes that the functions and their constants take, compiled to be small."""
        code = "\n".join(line for text in self.texts for line in text[1:])
        steps = len(re.findall(r"\w\(|<<|>>|[-+*/%&|^~?]|[=!<>]=|[<>=]|\bif\b|\breturn\b", code))
        return STEP * steps + WIDE * code.count("int64_t") + sum(map(bytes_of, self.arrays))

    def lines(self) -> Iterator[str]:
        """The program's text: types, constants, functions."""
        for size, bits in sorted(self.tuples.items()):
            members = ", ".join(MEMBERS[:size])
            yield f"typedef struct {{ int{bits}_t {members}; }} {self.tuple_type(size)};"
        yield ""
        for value, name in self.arrays.items():
            yield from array_lines(name, value)
        for helper in sorted(self.helpers):
            yield ""
            yield HELPERS[helper].format(self.prefix).rstrip()
        for text in self.texts:
            yield ""
            yield from text


class Body(Loops):
    """One function, written."""

    def __init__(self, program: Program, function: Function) -> None:
        super().__init__(program, function)
        self.home = program

    def text(self) -> list[str]:
        """The function's lines."""
        function, program = self.function, self.home
        arrays = dict(program.arrays)
        while True:
            self.read, self.counted, self.called_here, self.temporary = set(), set(), set(), 0
            program.arrays = dict(arrays)
            body = list(self.block(function.tree.body, 1))
            unread = function.variables.keys() - self.read - self.counted
            if unread <= self.unread:
                break
            self.unread |= unread
        types: dict[str, str] = {}
        for name, value in function.variables.items():
            if name in self.unread:
                continue
            if isinstance(value, tuple):
                types |= dict.fromkeys(self.flat(name, value), f"int{bits_for(value)}_t")
            else:
                types[self.named(name)] = f"int{bits_for(value)}_t"
        lines = pruned(body, [*types])
        parameters = {
            name: own for name, own in self.parameters().items() if any(mentions(line, own) for line in lines)
        }
        program.kept[function] = [*parameters]
        program.called[function] = {
            called for called in self.called_here if any(mentions(line, program.name(called)) for line in lines)
        }
        given = ", ".join(f"{types.pop(own)} {own}" for own in parameters.values())
        names = ", ".join(argument.arg for argument in function.tree.args.args)
        return [
            f"/* {function.tree.name.rpartition('_')[0]}({names}) */",
            f"static {self.result_type()} {program.name(function)}({given or 'void'})",
            "{",
            *declared(types, lines),
            *self.after(lines[-1]),
            "}",
        ]

    def parameters(self) -> dict[str, str]:
        """What the parameters are called in C; a tuple is handed over number by number: as x[0], x[1], ..."""
        found: dict[str, str] = {}
        for name, value in self.function.parameters.items():
            if isinstance(value, tuple):
                found |= {f"{name}[{i}]": own for i, own in enumerate(self.flat(name, value))}
            else:
                found[name] = self.named(name)
        return found

    def after(self, last: str) -> list[str]:
        """What a compiler wants to see where it cannot tell that a function never gets to its end."""
        if last.startswith("    return "):
            return []
        result = self.function.result
        zeros = ", ".join("0" * len(result)) if isinstance(result, tuple) else ""
        return [f"    return {f'({self.result_type()}){{{zeros}}}' if zeros else 0};"]

    def result_type(self) -> str:
        """The type that the function returns."""
        result = self.function.result
        if isinstance(result, tuple):
            if len(result) > len(MEMBERS) or not all(isinstance(part, Interval) for part in result):
                raise self.function.refusal(self.function.tree, "only numbers and short tuples of numbers are returned")
            return self.program.tuple_type(len(result))
        assert result is not None
        return f"int{bits_for(result)}_t"

    # Statements.

    def block(self, statements: list[ast.stmt], depth: int) -> Iterator[str]:
        """Statements one after another, as far as they are ever run."""
        for statement in statements:
            if statement in self.function.reached:
                yield from self.statement(statement, depth)

    def statement(self, node: ast.stmt, depth: int) -> Iterator[str]:
        """One statement."""
        edge = "    " * depth
        match node:
            case ast.Return(value=ast.expr() as value):
                yield from self.give(value, depth)
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from self.assign(target, value, depth)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
                if name not in self.unread:
                    a, b = self.variable(name), self.part(value)
                    ranges = self.number(ast.Name(name)), self.number(value)
                    found = self.operation(operator, a, b, ranges, self.function.numbers[target])
                    start = f"{a.text} {OPERATORS[type(operator)]} "
                    if found.text.startswith(start):
                        yield f"{edge}{start.rstrip()}= {found.text.removeprefix(start)};"
                    else:
                        yield f"{edge}{a.text} = {found.text};"
            case ast.If(test=test, body=body, orelse=orelse):
                yield from self.branch(
                    test, lambda: self.block(body, depth + 1), lambda: self.block(orelse, depth + 1), depth
                )
            case ast.For() | ast.While():
                yield from self.loop(node, depth)
            case ast.Break():
                yield f"{edge}{f'goto {self.ends[-1]}' if self.ends[-1] else 'break'};"
            case ast.Continue():
                yield f"{edge}continue;"
            case ast.Assert() | ast.Pass() | ast.Expr():
                return
            case _:
                raise self.function.refusal(node, "this is not written in C")

    def branch(self, test: ast.expr, yes: Lines, no: Lines, depth: int) -> Iterator[str]:
        """Either of two, or the one that it always is."""
        edge, holds = "    " * depth, self.decided(test)
        if holds is not None:
            yield from (line.removeprefix("    ") for line in (yes() if holds else no()))
            return
        taken, other = list(yes()), list(no())
        if not taken and not other:
            return
        condition = self.condition(test).text if taken else f"!({self.condition(test).text})"
        yield f"{edge}if ({condition}) {{"
        yield from taken or other
        if taken and other:
            yield f"{edge}}} else {{"
            yield from other
        yield f"{edge}}}"

    def give(self, value: ast.expr, depth: int) -> Iterator[str]:
        """Returns a value."""
        edge = "    " * depth
        if not isinstance(self.function.result, tuple):
            yield f"{edge}return {self.part(value).text};"
        elif isinstance(value, ast.IfExp):
            yield from self.branch(
                value.test, lambda: self.give(value.body, depth + 1), lambda: self.give(value.orelse, depth + 1), depth
            )
        else:
            before, parts = self.parts(value, depth)
            yield from before
            kind = self.program.tuple_type(len(parts))
            yield f"{edge}return ({kind}){{{', '.join(part.text for part in parts)}}};"

    def assign(self, target: ast.expr, value: ast.expr, depth: int) -> Iterator[str]:
        """Gives a variable a value, or several variables the parts of a tuple."""
        edge = "    " * depth
        wanted = target_names(target)
        if all(name in self.unread for name in wanted):
            return
        if isinstance(value, ast.IfExp) and (isinstance(target, ast.Tuple) or self.is_tuple(wanted[0])):
            yield from self.branch(
                value.test,
                lambda: self.assign(target, value.body, depth + 1),
                lambda: self.assign(target, value.orelse, depth + 1),
                depth,
            )
            return
        if isinstance(target, ast.Name) and not self.is_tuple(target.id):
            yield f"{edge}{self.named(target.id)} = {self.part(value).text};"
            return
        before, parts = self.parts(value, depth)
        yield from before
        if isinstance(target, ast.Name):
            known = self.function.variables[target.id]
            assert isinstance(known, tuple)
            pairs = list(zip(self.flat(target.id, known), parts, strict=True))
        else:
            pairs = [
                (self.named(name), part) for name, part in zip(wanted, parts, strict=True) if name not in self.unread
            ]
        pairs = [(name, part) for name, part in pairs if name != part.text]
        for i, (name, _) in enumerate(pairs):
            later = [j for j in range(i + 1, len(pairs)) if mentions(pairs[j][1].text, name)]
            for j in later:  # keeps what it was
                kept = self.fresh("was")
                yield f"{edge}const int{max(32, pairs[j][1].bits)}_t {kept} = {pairs[j][1].text};"
                pairs[j] = (pairs[j][0], Part(kept, pairs[j][1].bits, True))
        for name, part in pairs:
            yield f"{edge}{name} = {part.text};"


def callees_first(functions: Iterable[Function]) -> Iterator[Function]:
    """The functions and all that they call, each after what it calls; some more than once."""
    for function in functions:
        yield from callees_first(function.calls.values())
        yield function


def closure(roots: Iterable[Function], called: dict[Function, set[Function]]) -> Iterator[Function]:
    """The functions and all that they call."""
    for root in roots:
        yield root
        yield from closure(called[root], called)


# Rules analysed for C: called with all that positions and moves can be, and with numbers that C's words hold.


T = TypeVar("T")


def analysed(trees: list[ast.stmt], calls: Callable[[Rules], T]) -> tuple[Rules, T]:
    """Rules as some calls of them use them, and what came of these.

    A function has the tuples that it is given as constants, until one call gives it different ones.
    """
    plain, loose = plain_forms(trees), frozenset[tuple[str, str]]()
    while True:
        rules = Rules(plain, loose)
        found = calls(rules)
        if rules.varied <= loose:
            return rules, found
        loose |= rules.varied


def check_fits(function: Function) -> None:
    """Raises OutsideSubset for numbers that C's words may not hold, and for calls of more than one function."""
    for node, doubts in function.doubts.items():
        if OVERFLOW in doubts:
            raise function.refusal(node, OVERFLOW)
    for node in function.varied:
        raise function.refusal(node, "different tuples in turn are not handed on")


def called_as_played(rules: Rules, names: Mapping[str, str], bits: int) -> Interval:
    """Calls the rules with all that positions and moves can be; returns how large a word of moves can get."""
    word = Interval(0, (1 << bits) - 1)
    _, legal = rules.call(names["moves"], [word, word])
    if not isinstance(legal, Interval):
        raise OutsideSubset("moves returns a tuple")
    moves = Interval(0, max(legal.most, 1))
    move = Interval(0, moves.most.bit_length() - 1)
    _, after = rules.call(names["play"], [word, word, move])
    if not isinstance(after, tuple) or len(after) != 2:
        raise OutsideSubset("play does not return a position")
    for name in names.keys() - {"moves", "play"}:
        rules.call(names[name], [word, word, move][: 3 if name == "again" else 2])
    return moves


# The lines of a function in C, put in order: what is never read is left out, what is left is declared.


KEPT = re.compile(r"\s*const \w+ (\w+) = ")
"""A line that keeps something for the next lines."""


def pruned(body: list[str], variables: list[str]) -> list[str]:
    """The lines without values that are never read: all is pure."""
    lines = list(body)
    while True:
        kept = [found[1] for line in lines if (found := KEPT.match(line))]
        for name in (*variables, *kept):
            here = [line for line in lines if mentions(line, name)]
            only = re.compile(rf"\s*(?:const \w+ )?{name} =(?!=) (?!.*\b{name}\b).*;$")
            if here and all(only.match(line) for line in here):
                lines = [line for line in lines if line not in here]
                break
        else:
            return lines


def declared(types: dict[str, str], body: list[str]) -> list[str]:
    """The lines with variables declared: where they first get a value, or if that is deep inside, at the top."""
    lines, top = list(body), []
    for name, kind in types.items():
        first = next((i for i, line in enumerate(lines) if mentions(line, name)), None)
        if first is None:
            continue
        if lines[first].startswith(f"    {name} = "):
            lines[first] = f"    {kind} {lines[first].strip()}"
        else:
            top.append(f"    {kind} {name} = 0;")
    return [*top, *lines]
