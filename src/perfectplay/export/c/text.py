"""Rules in C: functions whose numbers are known to fit, written with words of 32 bits where that is enough.

Everything in rules is pure, so an expression that can only be one number is written as that number, and a variable
that nobody reads is not written at all. Nothing here is left undefined by C but for the right shift of a negative
number, which all compilers do as Python does.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from perfectplay.export.c.meaning import Function, Rules, Value, is_constant
from perfectplay.export.c.ranges import Range, combined, single

KEYWORDS = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    bool true false asm main""".split()  # noqa: SIM905
)
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.USub: "-",
    ast.Invert: "~",
}
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
MEMBERS = "abcdefgh"
STEP, WIDE = 4, 40
"""Bytes of machine code for an operator, a call or the like, and besides for a word of 64 bits on a small chip."""


class Part(NamedTuple):
    """An expression in C, the bits of its type, and whether it can stand beside an operator as it is."""

    text: str
    bits: int = 32
    alone: bool = False

    def inside(self) -> str:
        """The expression as a part of another."""
        return self.text if self.alone else f"({self.text})"


class Program:
    """The functions of some rules in C, all with the same prefix."""

    def __init__(self, prefix: str, rules: Rules, roots: Iterable[Function]) -> None:
        self.prefix, self.rules = prefix, rules
        needed = set(closure(roots))
        functions = [function for function in rules.ordered if function in needed]
        self.arrays: dict[Value, str] = {}
        self.helpers: set[str] = set()
        self.kept: dict[Function, list[str]] = {}
        """The parameters that a function has in C."""
        results = [function.result for function in functions if isinstance(function.result, tuple)]
        self.tuples = {
            len(result): 32 if all(fits_all(one, 32) for one in results if len(one) == len(result)) else 64
            for result in results
        }
        self.texts = [Body(self, function).text() for function in functions]

    def name(self, function: Function) -> str:
        """The function's name in C."""
        return f"{self.prefix}_{plain(function.name)}"

    def tuple_type(self, size: int) -> str:
        """The type of a tuple of so many numbers."""
        return f"{self.prefix}_{'pair' if size == 2 else f'tuple{size}'}"

    def array(self, value: Value, near: str) -> str:
        """The name of an array of these constants."""
        if value not in self.arrays:
            name = f"{self.prefix}_{plain(near)}"
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


class Body:
    """One function, written."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program, self.function = program, function
        self.unread = {
            name for name, value in function.variables.items() if isinstance(value, Range) and value.is_single
        }
        """Variables that nobody reads: those that are one number, and what turns out so."""
        self.read: set[str] = set()
        self.counted: set[str] = set()
        """Variables that count the turns of a loop."""
        self.temporary = 0

    def text(self) -> list[str]:
        """The function's lines."""
        function, program = self.function, self.program
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
        types = {}
        for name in variables:
            value = function.variables[name]
            if isinstance(value, tuple):
                types |= dict.fromkeys(self.flat(name, value), f"int{32 if fits_all(value, 32) else 64}_t")
            else:
                types[plain(name)] = self.type_of(name)
        names = ", ".join(argument.arg for argument in function.tree.args.args)
        return [
            f"/* {function.tree.name.rpartition('_')[0]}({names}) */",
            f"static {self.result_type()} {program.name(function)}({given or 'void'})",
            "{",
            *declared(types, body),
            "}",
        ]

    def result_type(self) -> str:
        """The type that the function returns."""
        result = self.function.result
        if isinstance(result, tuple):
            if len(result) > len(MEMBERS) or not all(isinstance(part, Range) for part in result):
                self.function.refuse(self.function.tree, "only numbers and short tuples of numbers are returned")
            return self.program.tuple_type(len(result))
        assert result is not None
        return f"int{bits_for(result)}_t"

    def type_of(self, name: str) -> str:
        """The type of a variable."""
        value = self.function.variables[name]
        assert isinstance(value, Range)
        return f"int{bits_for(value)}_t"

    def flat(self, name: str, value: tuple[Value, ...]) -> list[str]:
        """The variables that hold a tuple's parts."""
        if not all(isinstance(part, Range) for part in value):
            self.function.refuse(self.function.tree, f"{name} is a tuple of tuples")
        return [f"{plain(name)}_{i}" for i in range(len(value))]

    def fresh(self, kind: str) -> str:
        """A name that nothing else has."""
        self.temporary += 1
        return f"{kind}{self.temporary}_"

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
                    yield f"{edge}while ({'1' if holds else self.truth(test)}) {{"
                    yield from self.block(body, depth + 1)
                    yield f"{edge}}}"
            case ast.Break():
                yield f"{edge}break;"
            case ast.Continue():
                yield f"{edge}continue;"

    def branch(self, test: ast.expr, yes, no, depth: int) -> Iterator[str]:  # type: ignore[no-untyped-def]
        """Either of two, or the one that it always is."""
        edge, holds = "    " * depth, self.decided(test)
        if holds is not None:
            yield from (line.removeprefix("    ") for line in (yes() if holds else no()))
            return
        taken, other = list(yes()), list(no())
        if not taken and not other:
            return
        condition = self.truth(test) if taken else f"!({self.truth(test)})"
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
                yield f"{edge}const int{pairs[j][1].bits}_t {kept} = {pairs[j][1].text};"
                pairs[j] = (pairs[j][0], Part(kept, pairs[j][1].bits, True))
        for name, part in pairs:
            yield f"{edge}{name} = {part.text};"

    def is_tuple(self, name: str) -> bool:
        """Whether the variable holds a tuple."""
        return isinstance(self.function.variables.get(name), tuple)

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
        begin = self.part(ends[0]) if len(ends) > 1 else Part("0")
        end = self.part(ends[0] if len(ends) == 1 else ends[1])
        if not re.fullmatch(r"\d+", end.text):
            last = self.fresh("end")
            yield f"{edge}const int{end.bits}_t {last} = {end.text};"
            end = Part(last, end.bits, True)
        bits = max(begin.bits, end.bits)
        own = self.counts_alone(name, body)
        counter = plain(name) if own else self.fresh("at")
        if own:
            self.counted.add(name)
        pace = f"{counter}++" if step == 1 else f"{counter} += {step}" if step > 0 else f"{counter} -= {-step}"
        declared = "" if own else f"int{bits}_t "
        yield f"{edge}for ({declared}{counter} = {begin.text}; {counter} {'<' if step > 0 else '>'} {end.text}; {pace}) {{"
        if not own and name not in self.unread:
            yield f"{edge}    {plain(name)} = {counter};"
        yield from self.block(body, depth + 1)
        yield f"{edge}}}"

    def counts_alone(self, name: str, body: list[ast.stmt]) -> bool:
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

    # Expressions.

    def number(self, node: ast.expr) -> Range:
        """What the expression can be, in a word of 64 bits."""
        if isinstance(node, ast.Name) and node not in self.function.numbers:
            value = self.function.variables[node.id]
            assert isinstance(value, Range)
            return value
        return self.function.numbers[node].clipped()

    def decided(self, test: ast.expr) -> bool | None:
        """Whether a test always holds or never does."""
        found = self.function.numbers[test]
        if found == single(0):
            return False
        return True if found.least > 0 or found.most < 0 else None

    def variable(self, name: str) -> Part:
        """A variable that is read."""
        self.read.add(name)
        value = self.function.variables[name]
        assert isinstance(value, Range)
        return Part(plain(name), bits_for(value), True)

    def constants(self, node: ast.expr) -> tuple[Value, ...]:
        """A tuple of constants."""
        value: Value | None = None
        if isinstance(node, ast.Name):
            value = self.function.constants.get(node.id, self.program.rules.constants.get(node.id))
        elif isinstance(node, ast.Tuple):
            value = tuple(self.number(part) for part in node.elts)
        if not isinstance(value, tuple) or not value or not is_constant(value):
            self.function.refuse(node, "a loop or a look-up needs constants")
        shapes = {len(part) if isinstance(part, tuple) else 0 for part in value}
        if len(shapes) > 1 or any(isinstance(one, tuple) for part in value if isinstance(part, tuple) for one in part):
            self.function.refuse(node, "constants are numbers, or tuples of numbers of one length")
        return value

    def parts(self, node: ast.expr, depth: int) -> tuple[list[str], list[Part]]:
        """The parts of a tuple, and lines that come before."""
        match node:
            case ast.Tuple(elts=elements):
                return [], [self.part(one) for one in elements]
            case ast.Name(id=name) if self.is_tuple(name):
                self.read.add(name)
                known = self.function.variables[name]
                assert isinstance(known, tuple)
                bits = 32 if fits_all(known, 32) else 64
                return [], [Part(part, bits, True) for part in self.flat(name, known)]
            case ast.Name():
                return [], [Part(literal(one.least, 64), bits_for(one)) for one in leaves(self.constants(node))]
            case ast.Call():
                called, kept = self.function.calls[node], self.fresh("made")
                size = len(called.result) if isinstance(called.result, tuple) else 0
                kind, bits = self.program.tuple_type(size), self.program.tuples[size]
                line = f"{'    ' * depth}const {kind} {kept} = {self.called(node).text};"
                return [line], [Part(f"{kept}.{MEMBERS[i]}", bits, True) for i in range(size)]
            case ast.Subscript(value=inner, slice=index):
                value = self.constants(inner)
                array, at = self.program.array(value, "these"), self.index(index, len(value))
                width = len(list(leaves(value))) // len(value)
                return [], [Part(f"{array}[{at}][{i}]", 64, True) for i in range(width)]
        self.function.refuse(node, "this tuple is not written in C")

    def part(self, node: ast.expr) -> Part:
        """An expression that is a number."""
        known = self.function.numbers.get(node)
        if known is None:  # never looked at: nothing gets here
            return Part("0", 32, True)
        if known.is_single and known.fits(64):
            return Part(
                literal(known.least, 32 if known.fits(32) else 64), 32 if known.fits(32) else 64, known.least >= 0
            )
        found = self.expression(node, known)
        if found.bits == 64 and known.fits(32):
            return Part(f"(int32_t){found.inside()}", 32)
        return found

    def expression(self, node: ast.expr, known: Range) -> Part:
        """The same, of whatever type."""
        match node:
            case ast.Name(id=name):
                return self.variable(name)
            case ast.BinOp(left=left, op=operator, right=right):
                ranges = self.number(left), self.number(right)
                return self.operation(operator, self.part(left), self.part(right), ranges, known)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return Part(f"!{self.condition(inner).inside()}")
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.part(inner)
            case ast.UnaryOp(op=operator, operand=inner):
                a = self.part(inner)
                bits = 32 if known.fits(32) else 64
                return Part(
                    f"{OPERATORS[type(operator)]}{cast(a, bits) if bits > a.bits else a.inside()}", max(bits, a.bits)
                )
            case ast.BoolOp(op=operator, values=values):
                return self.chain(operator, values)
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self.comparison([left, *others], operators)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                holds = self.decided(test)
                if holds is not None:
                    return self.part(body if holds else orelse)
                a, b = self.part(body), self.part(orelse)
                return Part(f"{self.condition(test).inside()} ? {a.inside()} : {b.inside()}", max(a.bits, b.bits))
            case ast.Subscript(value=inner, slice=index):
                return self.element(inner, index)
            case ast.Call(func=ast.Attribute(value=inner, attr=method)):
                self.program.helpers.add(method)
                return Part(f"{self.program.prefix}_{method}({self.part(inner).text})", 32, True)
            case ast.Call(func=ast.Name(id=name), args=arguments) if node not in self.function.calls:
                return self.builtin(name, [self.part(argument) for argument in arguments])
            case ast.Call():
                return self.called(node)
        self.function.refuse(node, "this is not written in C")

    def called(self, node: ast.Call) -> Part:
        """A call of another function of the rules."""
        called = self.function.calls[node]
        names = [argument.arg for argument in called.tree.args.args]
        given = [
            self.part(argument).text
            for name, argument in zip(names, node.args, strict=True)
            if name in self.program.kept[called]
        ]
        bits = bits_for(called.result) if isinstance(called.result, Range) else 32
        return Part(f"{self.program.name(called)}({', '.join(given)})", bits, True)

    def builtin(self, name: str, values: list[Part]) -> Part:
        """A call of a function of Python's own."""
        a = values[0]
        if name == "bool":
            return Part(f"{a.inside()} != 0")
        if name == "abs":
            return Part(f"{a.inside()} < 0 ? -{a.inside()} : {a.inside()}", a.bits)
        for b in values[1:]:
            sign = "<" if name == "min" else ">"
            text = f"{a.inside()} {sign} {b.inside()} ? {a.inside()} : {b.inside()}"
            a = Part(text, max(a.bits, b.bits))
        return a

    def element(self, inner: ast.expr, index: ast.expr) -> Part:
        """An element of a tuple."""
        if isinstance(inner, ast.Subscript):
            value = self.constants(inner.value)
            array = self.program.array(value, "these")
            width = len(list(leaves(value))) // len(value)
            return Part(f"{array}[{self.index(inner.slice, len(value))}][{self.index(index, width)}]", 64, True)
        if isinstance(inner, ast.Name) and self.is_tuple(inner.id):
            known = self.function.variables[inner.id]
            assert isinstance(known, tuple)
            self.read.add(inner.id)
            bits = 32 if fits_all(known, 32) else 64
            return Part(self.flat(inner.id, known)[self.number(index).least % len(known)], bits, True)
        if isinstance(inner, ast.Call):
            _, parts = self.parts(inner, 0)
            called = self.called(inner)
            member = MEMBERS[self.number(index).least % len(parts)]
            return Part(f"{called.text}.{member}", parts[0].bits, True)
        value = self.constants(inner)
        array = self.program.array(value, near(inner))
        bits = 32 if fits_all(value, 32) else 64
        return Part(f"{array}[{self.index(index, len(value))}]", bits, True)

    def index(self, node: ast.expr, size: int) -> str:
        """The number of an element, counted from the end if it is negative."""
        at = self.part(node)
        return (
            at.text if self.number(node).least >= 0 else f"{at.inside()} < 0 ? {at.inside()} + {size} : {at.inside()}"
        )

    def operation(self, operator: ast.operator, a: Part, b: Part, ranges: tuple[Range, Range], known: Range) -> Part:
        """An operation on two numbers."""
        sign, (left, right) = OPERATORS[type(operator)], ranges
        exact = combined(type(operator), left, right) or known
        if isinstance(operator, ast.FloorDiv | ast.Mod) and (left.least < 0 or right.least <= 0):
            helper = "floor_div" if isinstance(operator, ast.FloorDiv) else "floor_mod"
            self.program.helpers.add(helper)
            return Part(f"{self.program.prefix}_{helper}({a.text}, {b.text})", 64, True)
        if isinstance(operator, ast.RShift):
            found = Part(f"{a.inside()} >> {b.inside()}", a.bits)
            if right.most < a.bits:
                return found
            rest = "0" if left.least >= 0 else f"({a.inside()} < 0 ? -1 : 0)"
            return Part(f"{b.inside()} < {a.bits} ? {found.text} : {rest}", a.bits)
        shift = isinstance(operator, ast.LShift)
        bits = max(a.bits, 32 if shift else b.bits, 32 if exact.fits(32) else 64)
        wraps = isinstance(operator, ast.Add | ast.Sub | ast.Mult | ast.LShift) and not exact.fits(bits)
        if wraps or (shift and left.least < 0):
            other = b.inside() if shift else f"(uint{bits}_t){b.inside()}"
            text = f"(int{bits}_t)((uint{bits}_t){a.inside()} {sign} {other})"
            return Part(f"{b.inside()} < {bits} ? {text} : 0" if shift and right.most >= bits else text, bits)
        wide = a.bits == bits or (b.bits == bits and not shift)
        first = a.inside() if wide and not (shift and re.fullmatch(r"\d+|.*[=<>!&|]=?.*", a.text)) else cast(a, bits)
        return Part(f"{first} {sign} {b.inside()}", bits)

    def chain(self, operator: ast.boolop, values: list[ast.expr]) -> Part:
        """`and` and `or`: the part that decides."""
        if all(
            self.number(value) in (Range(0, 1), single(0), single(1))
            for value in values
            if value in self.function.numbers
        ):
            sign = " && " if isinstance(operator, ast.And) else " || "
            return Part(sign.join(self.condition(value).inside() for value in values))
        found = self.part(values[-1])
        for value in reversed(values[:-1]):
            test, a = self.condition(value).inside(), self.part(value)
            if isinstance(operator, ast.And):
                found = Part(f"{test} ? {found.inside()} : 0", found.bits)
            else:
                found = Part(f"{test} ? {a.inside()} : {found.inside()}", max(a.bits, found.bits))
        return found

    def comparison(self, parts: list[ast.expr], operators: list[ast.cmpop]) -> Part:
        """Comparisons, one or a chain; or whether a number is among constants."""
        if isinstance(operators[0], ast.In | ast.NotIn):
            a = self.part(parts[0]).inside()
            among = [f"{a} == {literal(one.least, 64)}" for one in leaves(self.constants(parts[1]))]
            found = Part(" || ".join(among))
            return found if isinstance(operators[0], ast.In) else Part(f"!{found.inside()}")
        texts = [
            f"{self.part(a).inside()} {OPERATORS[type(operator)]} {self.part(b).inside()}"
            for (a, b), operator in zip(pairwise(parts), operators, strict=True)
        ]
        return Part(texts[0] if len(texts) == 1 else " && ".join(f"({text})" for text in texts))

    def condition(self, node: ast.expr) -> Part:
        """An expression of which only matters whether it is 0."""
        known = self.function.numbers.get(node)
        if isinstance(node, ast.BoolOp) and known is not None and not known.is_single:
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return Part(sign.join(self.condition(value).inside() for value in node.values))
        return self.part(node)

    def truth(self, node: ast.expr) -> str:
        """A condition as it stands in an `if`."""
        return self.condition(node).text


def array_lines(name: str, value: Value) -> Iterator[str]:
    """The definition of an array."""
    assert isinstance(value, tuple)
    size, kind = f"[{len(value)}]", kind_of(value)
    if isinstance(value[0], tuple):
        size += f"[{len(value[0])}]"
        rows = [f"{{{', '.join(literal(one.least, kind) for one in leaves(row))}}}" for row in value]
    else:
        rows = [literal(one.least, kind) for one in leaves(value)]
    yield f"static const int{kind}_t {name}{size} = {{"
    yield from wrapped(rows)
    yield "};"


def kind_of(value: Value) -> int:
    """The bits of the words that hold constants."""
    return next(bits for bits in (8, 16, 32, 64) if fits_all(value, bits))


def bytes_of(value: Value) -> int:
    """The bytes that constants take."""
    return len(list(leaves(value))) * kind_of(value) // 8


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


def near(node: ast.expr) -> str:
    """What to call the constants that stand here."""
    return re.sub(r"_v\d+$", "", node.id) if isinstance(node, ast.Name) else "these"


def plain(name: str) -> str:
    """A name that C accepts."""
    ascii_name = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
    return f"{ascii_name}_" if ascii_name in KEYWORDS or ascii_name.endswith("_t") else ascii_name


def literal(number: int, bits: int) -> str:
    """A number as C writes it."""
    if number == -(1 << 63):
        return "INT64_MIN"
    if number < 0:
        return f"-{literal(-number, bits)}"
    text = str(number) if number < 1000 else hex(number)
    return text if number < 1 << 31 else f"INT64_C({text})"


def cast(part: Part, bits: int) -> str:
    """The expression as a word of so many bits."""
    return f"(int{bits}_t){part.inside()}"


def bits_for(value: Range) -> int:
    """The bits of the word that holds the numbers."""
    return 32 if value.fits(32) else 64


def leaves(value: Value) -> Iterator[Range]:
    """All numbers of a value."""
    if isinstance(value, Range):
        yield value
    else:
        for part in value:
            yield from leaves(part)


def fits_all(value: Value, bits: int) -> bool:
    """Whether words of so many bits hold all numbers of the value."""
    return all(one.fits(bits) for one in leaves(value))


def target_names(target: ast.expr) -> list[str]:
    """The names that an assignment gives values to."""
    if isinstance(target, ast.Name):
        return [target.id]
    return [name for part in getattr(target, "elts", []) for name in target_names(part)]


def mentions(text: str, name: str) -> bool:
    """Whether the text uses the name."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def wrapped(items: Iterable[str], width: int = 96) -> Iterator[str]:
    """Items with commas between them, in lines of at most so many characters."""
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > width and line.strip():
            yield line
            line = "   "
        line += f" {item},"
    if line.strip():
        yield line
