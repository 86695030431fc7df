"""Rules in C: functions whose numbers are known to fit, written with words of 32 bits where that is enough.

Everything in rules is pure, so an expression that can only be one number is written as that number, and a variable
that nobody reads is not written at all.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from perfectplay.export.c.expressions import MEMBERS, OPERATORS, Expressions
from perfectplay.export.c.known import Function, Value
from perfectplay.export.c.meaning import Rules
from perfectplay.export.c.parts import (
    Part,
    array_lines,
    bits_for,
    bytes_of,
    literal,
    mentions,
    near,
    plain,
    target_names,
)
from perfectplay.export.c.ranges import Range

HELPERS = {
    "floor_div": """static int64_t {0}_floor_div(int64_t a, int64_t b)
{{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}}
""",
    "floor_mod": """static int64_t {0}_floor_mod(int64_t a, int64_t b)
{{
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}}
""",
    "bit_count": """static int32_t {0}_bit_count(int64_t word)
{{
    uint64_t left = (uint64_t)(word < 0 ? -word : word);
    int32_t count = 0;
    for (; left; left &= left - 1)
        count++;
    return count;
}}
""",
    "bit_length": """static int32_t {0}_bit_length(int64_t word)
{{
    uint64_t left = (uint64_t)(word < 0 ? -word : word);
    int32_t length = 0;
    for (; left; left >>= 1)
        length++;
    return length;
}}
""",
}
STEP, WIDE = 4, 40
"""Bytes of machine code for an operator, a call or the like, and besides for a word of 64 bits on a small chip."""


Lines = Callable[[], Iterator[str]]
"""Writes some lines when it is asked to."""


class Program:
    """The functions of some rules in C, all with the same prefix."""

    def __init__(self, prefix: str, rules: Rules, roots: Iterable[Function]) -> None:
        self.prefix, self.constants = prefix, rules.constants
        needed = set(closure(roots))
        functions = [function for function in rules.ordered if function in needed]
        self.arrays: dict[tuple[Value, ...], str] = {}
        self.helpers: set[str] = set()
        self.kept: dict[Function, list[str]] = {}
        """The parameters that a function has in C."""
        results = [function.result for function in functions if isinstance(function.result, tuple)]
        self.tuples = {
            len(result): bits_for(tuple(one for one in results if len(one) == len(result))) for result in results
        }
        self.texts = [Body(self, function).text() for function in functions]

    def name(self, function: Function) -> str:
        """The function's name in C."""
        return f"{self.prefix}_{plain(function.name)}"

    def tuple_type(self, size: int) -> str:
        """The type of a tuple of so many numbers."""
        return f"{self.prefix}_{'pair' if size == 2 else f'tuple{size}'}"

    def array(self, value: tuple[Value, ...], near: str) -> str:
        """The name of an array of these constants."""
        if value not in self.arrays:
            name = f"{self.prefix}_rule_{plain(near)}"
            self.arrays[value] = name + (f"_{len(self.arrays)}" if name in self.arrays.values() else "")
        return self.arrays[value]

    def size(self) -> int:
        """About how many bytes the functions and their constants take, compiled to be small; rather too many."""
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


class Body(Expressions):
    """One function, written."""

    def __init__(self, program: Program, function: Function) -> None:
        super().__init__(program, function)
        self.home = program
        self.unread = {
            name for name, value in function.variables.items() if isinstance(value, Range) and value.is_single
        }
        """Variables that nobody reads: those that are one number, and what turns out so."""
        self.counted: set[str] = set()
        """Variables that count the turns of a loop."""

    def text(self) -> list[str]:
        """The function's lines."""
        function, program = self.function, self.home
        arrays = dict(program.arrays)
        while True:
            self.read, self.counted, self.temporary = set(), set(), 0
            program.arrays = dict(arrays)
            body = list(self.block(function.tree.body, 1))
            unread = function.variables.keys() - self.read - self.counted
            if unread <= self.unread:
                break
            self.unread |= unread
        parameters = [name for name in function.parameters if name not in self.unread]
        program.kept[function] = parameters
        given = ", ".join(f"{self.type_of(name)} {plain(name)}" for name in parameters)
        variables = [name for name in function.variables if name not in self.unread and name not in parameters]
        types: dict[str, str] = {}
        for name in variables:
            value = function.variables[name]
            if isinstance(value, tuple):
                types |= dict.fromkeys(self.flat(name, value), f"int{bits_for(value)}_t")
            else:
                types[plain(name)] = self.type_of(name)
        names = ", ".join(argument.arg for argument in function.tree.args.args)
        return [
            f"/* {function.tree.name.rpartition('_')[0]}({names}) */",
            f"static {self.result_type()} {program.name(function)}({given or 'void'})",
            "{",
            *declared(types, body),
            *self.after(function.tree.body[-1]),
            "}",
        ]

    def after(self, last: ast.stmt) -> list[str]:
        """What a compiler wants to see after a loop that never ends without a return."""
        if not isinstance(last, ast.For | ast.While):
            return []
        result = self.function.result
        zeros = ", ".join("0" * len(result)) if isinstance(result, tuple) else ""
        return [f"    return {f'({self.result_type()}){{{zeros}}}' if zeros else 0};"]

    def result_type(self) -> str:
        """The type that the function returns."""
        result = self.function.result
        if isinstance(result, tuple):
            if len(result) > len(MEMBERS) or not all(isinstance(part, Range) for part in result):
                raise self.function.refusal(self.function.tree, "only numbers and short tuples of numbers are returned")
            return self.program.tuple_type(len(result))
        assert result is not None
        return f"int{bits_for(result)}_t"

    def type_of(self, name: str) -> str:
        """The type of a variable."""
        value = self.function.variables[name]
        assert isinstance(value, Range)
        return f"int{bits_for(value)}_t"

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
            case ast.For(target=target, iter=over, body=body):
                yield from self.loop(target, over, body, depth)
            case ast.While(test=test, body=body):
                holds = self.decided(test)
                if holds is not False:
                    yield f"{edge}while ({'1' if holds else self.condition(test).text}) {{"
                    yield from self.block(body, depth + 1)
                    yield f"{edge}}}"
            case ast.Break():
                yield f"{edge}break;"
            case ast.Continue():
                yield f"{edge}continue;"

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
            yield f"{edge}{plain(target.id)} = {self.part(value).text};"
            return
        before, parts = self.parts(value, depth)
        yield from before
        if isinstance(target, ast.Name):
            known = self.function.variables[target.id]
            assert isinstance(known, tuple)
            pairs = list(zip(self.flat(target.id, known), parts, strict=True))
        else:
            pairs = [(plain(name), part) for name, part in zip(wanted, parts, strict=True) if name not in self.unread]
        pairs = [(name, part) for name, part in pairs if name != part.text]
        for i, (name, _) in enumerate(pairs):
            later = [j for j in range(i + 1, len(pairs)) if mentions(pairs[j][1].text, name)]
            for j in later:  # keeps what it was
                kept = self.fresh("was")
                yield f"{edge}const int{max(32, pairs[j][1].bits)}_t {kept} = {pairs[j][1].text};"
                pairs[j] = (pairs[j][0], Part(kept, pairs[j][1].bits, True))
        for name, part in pairs:
            yield f"{edge}{name} = {part.text};"

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


def closure(roots: Iterable[Function]) -> Iterator[Function]:
    """The functions and all that they call."""
    for root in roots:
        yield root
        yield from closure(root.calls.values())


def declared(types: dict[str, str], body: list[str]) -> list[str]:
    """The lines with variables declared: where they first get a value, or if that is deep inside, at the top."""
    lines, top = list(body), []
    for name, kind in types.items():
        first = next(i for i, line in enumerate(lines) if mentions(line, name))
        if lines[first].startswith(f"    {name} = "):
            lines[first] = f"    {kind} {lines[first].strip()}"
        else:
            top.append(f"    {kind} {name} = 0;")
    return [*top, *lines]
