"""Functions over 64-bit integers, from Python's syntax trees to WebAssembly.

A function is translated once for each combination of constants that it is called with: then loops over constants are
written out, and conditions that are known fall away. Functions of one line are written where they are called.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from perfectplay.exporters.wasm import wasm_binary as wasm
from perfectplay.exporters.wasm.wasm_binary import Function, number, op

UNROLLED = 12
"""The most rounds of a loop that are written out."""
I32_SHL, I32_ADD = 0x74, 0x6A
ARITHMETIC: dict[type[ast.operator], tuple[int, Callable[[Any, Any], Any]]] = {
    ast.Add: (wasm.I64_ADD, operator.add),
    ast.Sub: (wasm.I64_SUB, operator.sub),
    ast.Mult: (wasm.I64_MUL, operator.mul),
    ast.BitAnd: (wasm.I64_AND, operator.and_),
    ast.BitOr: (wasm.I64_OR, operator.or_),
    ast.BitXor: (wasm.I64_XOR, operator.xor),
    ast.LShift: (wasm.I64_SHL, operator.lshift),
    ast.RShift: (wasm.I64_SHR_S, operator.rshift),
}
COMPARISONS: dict[type[ast.cmpop], tuple[int, Callable[[Any, Any], Any]]] = {
    ast.Eq: (wasm.I64_EQ, operator.eq),
    ast.NotEq: (wasm.I64_NE, operator.ne),
    ast.Lt: (wasm.I64_LT_S, operator.lt),
    ast.LtE: (wasm.I64_LE_S, operator.le),
    ast.Gt: (wasm.I64_GT_S, operator.gt),
    ast.GtE: (wasm.I64_GE_S, operator.ge),
}
WRAPPING = {
    "wrapping_add": wasm.I64_ADD,
    "wrapping_sub": wasm.I64_SUB,
    "wrapping_mult": wasm.I64_MUL,
    "wrapping_lshift": wasm.I64_SHL,
}
COUNTS = {"ones": wasm.I64_POPCNT, "lowest": wasm.I64_CTZ}
CASTS = ("int64", "uint64")

Known = Any
"""A constant: a number, or a tuple of constants."""


class Address(int):
    """Where an array of 64-bit numbers begins in memory."""


class Unknown:
    """What is not known before the code runs."""


UNKNOWN = Unknown()


class Place(NamedTuple):
    """Where a variable is: its locals, several for a tuple."""

    locals: tuple[int, ...]


class CannotTranslate(Exception):
    """A function uses what has no translation."""


class Translator:
    """Functions by name, and those that have been translated so far, each for certain constants."""

    def __init__(self, trees: Mapping[str, ast.FunctionDef], names: Mapping[str, object], begin: int = 0) -> None:
        self.trees, self.names = trees, names
        self.functions: list[Function | None] = []
        self.known: dict[tuple[str, tuple[Known, ...]], int] = {}
        self.tables: dict[tuple[int, ...], int] = {}
        self.begin = begin
        """Where tables begin in memory."""

    def translated(self, name: str, given: Sequence[Known]) -> int:
        """The number of the function of that name for these arguments, UNKNOWN for those that come at run time."""
        wanted = (name, tuple(given))
        if wanted not in self.known:
            self.known[wanted] = len(self.functions)
            self.functions.append(None)
            self.functions[self.known[wanted]] = Body(self, self.trees[name], given).function()
        return self.known[wanted]

    def table(self, numbers: tuple[int, ...]) -> int:
        """Where the numbers are in memory."""
        if numbers not in self.tables:
            self.tables[numbers] = self.begin + 8 * sum(map(len, self.tables))
        return self.tables[numbers]

    def data(self) -> bytes:
        """The tables as they are in memory."""
        numbers = [one for table in self.tables for one in table]
        return bytes(self.begin) + b"".join(one.to_bytes(8, "little", signed=True) for one in numbers)

    def results(self, name: str) -> int:
        """How many numbers the function of that name returns."""
        for node in ast.walk(self.trees[name]):
            if isinstance(node, ast.Return) and node.value is not None:
                return self.width(node.value, self.trees[name])
        return 0

    def width(self, node: ast.expr, tree: ast.FunctionDef) -> int:
        """How many numbers an expression has."""
        match node:
            case ast.Tuple(elts=parts):
                return len(parts)
            case ast.IfExp(body=body):
                return self.width(body, tree)
            case ast.Call(func=ast.Name(id=name)) if name in self.trees or callable(self.names.get(name)):
                target = self.target(name)
                return self.results(target) if target else 1
            case ast.Name(id=name):
                bound = (one for one in ast.walk(tree) if isinstance(one, ast.Assign))
                values = [one.value for one in bound if [name] == [getattr(to, "id", "") for to in one.targets]]
                return max(
                    (self.width(one, tree) for one in values if isinstance(one, ast.Call | ast.Tuple)), default=1
                )
        return 1

    def target(self, name: str) -> str:
        """The name of the function that a name means; empty for built-in ones."""
        value = self.names.get(name)
        own = getattr(value, "__name__", name)
        return own if own in self.trees else ""


class Body:
    """A function under translation, for some arguments that are known."""

    def __init__(self, translator: Translator, tree: ast.FunctionDef, given: Sequence[Known]) -> None:
        self.all, self.tree = translator, tree
        self.code = bytearray()
        self.labels: list[str] = []
        self.where: dict[str, Place | Known] = {}
        self.count = 0
        stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        names = [argument.arg for argument in tree.args.args]
        taken = [name for name, value in zip(names, given, strict=True) if value is UNKNOWN]
        self.parameters = len(taken)
        for name in taken:
            self.where[name] = Place((self.fresh(),))
        for name, value in zip(names, given, strict=True):
            if value is not UNKNOWN:
                self.where[name] = value
                if name in stored:
                    self.where[name] = place = Place((self.fresh(),))
                    self.emit(number(value), op(wasm.LOCAL_SET, *place.locals))

    def function(self) -> Function:
        """The translation."""
        results = self.all.results(self.tree.name)
        self.block(self.tree.body)
        if results:
            self.emit(op(wasm.UNREACHABLE))
        return Function(self.parameters, results, self.count - self.parameters, bytes(self.code))

    def emit(self, *instructions: bytes) -> None:
        """Writes instructions."""
        for one in instructions:
            self.code += one

    def fresh(self) -> int:
        """A new local."""
        self.count += 1
        return self.count - 1

    def kept(self) -> int:
        """A new local with the number on the stack."""
        local = self.fresh()
        self.emit(op(wasm.LOCAL_SET, local))
        return local

    def refusal(self, node: ast.AST) -> CannotTranslate:
        """The error for something without a translation."""
        return CannotTranslate(f"{self.tree.name}: {ast.unparse(node)}")

    # What is known

    def constant(self, node: ast.expr) -> Known:
        """The value of an expression that is known, else UNKNOWN."""
        match node:
            case ast.Constant(value=int() | bool() as value):
                return int(value)
            case ast.Name(id=name):
                return self.constant_name(name)
            case ast.Tuple(elts=parts):
                return self.together(parts, tuple)
            case ast.UnaryOp(op=kind, operand=inner):
                ways = {ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: lambda value: int(not value)}
                return self.together([inner], lambda values: ways[type(kind)](values[0]))
            case ast.BinOp(left=left, op=kind, right=right) if type(kind) in ARITHMETIC:
                return self.together([left, right], lambda values: ARITHMETIC[type(kind)][1](*values))
            case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in COMPARISONS:
                return self.together([left, right], lambda values: int(COMPARISONS[type(kind)][1](*values)))
            case ast.BoolOp(op=kind, values=parts):
                return self.constant_bool(isinstance(kind, ast.And), parts)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known = self.constant(test)
                return UNKNOWN if known is UNKNOWN else self.constant(body if known else orelse)
            case ast.Subscript(value=inner, slice=ast.expr() as index):
                known, at = self.constant(inner), self.constant(index)
                return known[at] if isinstance(known, tuple) and at is not UNKNOWN else UNKNOWN
            case ast.Call(func=ast.Name(id=("min" | "max" | "len" | "abs") as name), args=parts):
                way = {"min": min, "max": max, "len": len, "abs": abs}[name]
                return self.together(parts, lambda values: way(*values))
            case ast.Call(func=ast.Attribute(attr=kind), args=[inner]) if kind in CASTS:
                return self.constant(inner)
        return UNKNOWN

    def together(self, parts: Sequence[ast.expr], way: Callable[[list[Known]], Known]) -> Known:
        """What comes of several values if all are known."""
        values = [self.constant(part) for part in parts]
        return UNKNOWN if any(value is UNKNOWN for value in values) else way(values)

    def constant_bool(self, every: bool, parts: Sequence[ast.expr]) -> Known:
        """The value of conditions joined by `and` or `or`, as far as it is known."""
        unknown = False
        for part in parts:
            value = self.constant(part)
            if value is UNKNOWN:
                unknown = True
            elif bool(value) != every:
                return int(not every)
        return UNKNOWN if unknown else int(every)

    def constant_name(self, name: str) -> Known:
        """The value of a name if it is a constant."""
        if name in self.where:
            value = self.where[name]
            return UNKNOWN if isinstance(value, Place) else value
        return plain(self.all.names.get(name))

    def is_unsigned(self, node: ast.expr) -> bool:
        """Whether an expression is of numpy's unsigned numbers."""
        match node:
            case ast.Call(func=ast.Attribute(attr="uint64")):
                return True
            case ast.BinOp(left=left, right=right):
                return self.is_unsigned(left) or self.is_unsigned(right)
            case ast.Name(id=name):
                return type(self.all.names.get(name)).__name__ == "uint64"
        return False

    # Statements

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """A list of statements, up to one that certainly leaves it."""
        for statement in statements:
            self.statement(statement)
            if self.leaves(statement):
                break

    def leaves(self, node: ast.stmt) -> bool:
        """Whether nothing after the statement is ever reached, as far as constants show."""
        if isinstance(node, ast.If) and self.constant(node.test) is not UNKNOWN:
            return any(map(self.leaves, node.body if self.constant(node.test) else node.orelse))
        return isinstance(node, ast.Return | ast.Break | ast.Continue)

    def statement(self, node: ast.stmt) -> None:
        """One statement."""
        match node:
            case ast.Return(value=None):
                self.emit(op(wasm.RETURN))
            case ast.Return(value=ast.expr() as value):
                self.values(value)
                self.emit(op(wasm.RETURN))
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.Assign(targets=targets, value=value):
                self.value(value)
                local = self.kept()
                for target in targets:
                    self.store(target, lambda: self.emit(op(wasm.LOCAL_GET, local)))
            case ast.AugAssign(target=target, op=kind, value=value):
                read = ast.parse(ast.unparse(target), mode="eval").body
                self.assign(target, ast.BinOp(read, kind, value))
            case ast.If(test=test, body=body, orelse=orelse):
                self.branch(test, lambda: self.block(body), lambda: self.block(orelse))
            case ast.While(test=test, body=body, orelse=[]):
                self.loop(test, body)
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                self.rounds(node, target, over, body)
            case ast.Expr(value=ast.Call() as call):
                self.emit(op(wasm.DROP) * self.call(call))
            case ast.Assert(test=test):
                self.branch(test, lambda: None, lambda: self.emit(op(wasm.UNREACHABLE)))
            case ast.Break() | ast.Continue():
                self.jump("break" if isinstance(node, ast.Break) else "continue")
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                raise self.refusal(node)

    def branch(self, test: ast.expr, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """One of two parts; only that one if the condition is known."""
        known = self.constant(test)
        if known is not UNKNOWN:
            return then() if known else otherwise()
        self.condition(test)
        self.open(wasm.IF, "if")
        then()
        begin = len(self.code)
        self.emit(op(wasm.ELSE))
        otherwise()
        if len(self.code) == begin + 1:
            del self.code[begin:]
        self.close()
        return None

    def open(self, kind: int, label: str, result: int = wasm.NOTHING) -> None:
        """Opens a block; a jump to its label leaves it, or begins a loop again."""
        self.emit(bytes([kind, result]))
        self.labels.append(label)

    def close(self) -> None:
        """Closes the block that was opened last."""
        self.emit(op(wasm.END))
        self.labels.pop()

    def jump(self, label: str, code: int = wasm.BR) -> None:
        """Jumps to the innermost block with that label."""
        depth = self.labels[::-1].index(label)
        self.emit(op(code, depth))

    def loop(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        """A loop as long as a condition holds."""
        known = self.constant(test)
        if known is not UNKNOWN and not known:
            return
        self.open(wasm.BLOCK, "break")
        self.open(wasm.LOOP, "continue")
        if known is UNKNOWN:
            self.condition(test)
            self.emit(op(wasm.I32_EQZ))
            self.jump("break", wasm.BR_IF)
        self.block(body)
        self.jump("continue")
        self.close()
        self.close()

    def rounds(self, node: ast.For, target: ast.expr, over: ast.expr, body: Sequence[ast.stmt]) -> None:
        """A loop over constants, written out round by round, or over a range."""
        items = self.items(over)
        ranged = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"
        if items is None or (ranged and len(items) > UNROLLED):
            return self.counting(target, over, body)
        names = {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}
        fixed = not names & self.used_outside(node, names)
        self.open(wasm.BLOCK, "break")
        for item in items:
            self.open(wasm.BLOCK, "continue")
            self.bind(target, item, fixed)
            self.block(body)
            self.close()
        self.close()
        for name in names if fixed else ():
            self.where.pop(name, None)
        return None

    def used_outside(self, loop: ast.For, names: set[str]) -> set[str]:
        """Which of the names are used beyond the loop, or changed within it."""
        inside = [one for part in loop.body for one in ast.walk(part) if isinstance(one, ast.Name)]
        within = {id(one) for one in ast.walk(loop)}
        changed = {one.id for one in inside if isinstance(one.ctx, ast.Store)}
        beyond = {one.id for one in ast.walk(self.tree) if isinstance(one, ast.Name) and id(one) not in within}
        return names & (changed | beyond)

    def bind(self, target: ast.expr, item: Known, fixed: bool) -> None:
        """Gives the names of a target their values: as constants if these never change."""
        if isinstance(target, ast.Tuple):
            for part, value in zip(target.elts, item, strict=True):
                self.bind(part, value, fixed)
        elif fixed and isinstance(target, ast.Name):
            self.where[target.id] = item
        else:
            self.store(target, lambda: self.emit(number(item)))

    def items(self, over: ast.expr) -> list[Known] | None:
        """The items of an iterable that is known, else None."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=parts):
                ends = self.together(parts, tuple)
                return None if ends is UNKNOWN else [*range(*ends)]
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner]):
                items = self.items(inner)
                return None if items is None else [*enumerate(items)]
            case ast.Call(func=ast.Name(id="zip"), args=parts):
                several = [self.items(part) for part in parts]
                return None if None in several else [*zip(*several, strict=False)]  # type: ignore[arg-type]
        known = self.constant(over)
        return [*known] if isinstance(known, tuple) else None

    def counting(self, target: ast.expr, over: ast.expr, body: Sequence[ast.stmt]) -> None:
        """A loop over a range, counted while the code runs."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=parts) if isinstance(target, ast.Name):
                begin = parts[0] if len(parts) > 1 else ast.Constant(0)
                end = parts[1] if len(parts) > 1 else parts[0]
                step = self.constant(parts[2]) if len(parts) > 2 else 1
            case _:
                raise self.refusal(over)
        if step is UNKNOWN or not step:
            raise self.refusal(over)
        self.value(end)
        last = self.kept()
        self.value(begin)
        now = self.kept()
        self.open(wasm.BLOCK, "break")
        self.open(wasm.LOOP, "again")
        self.emit(op(wasm.LOCAL_GET, now), op(wasm.LOCAL_GET, last))
        self.emit(op(wasm.I64_GE_S if step > 0 else wasm.I64_LE_S))
        self.jump("break", wasm.BR_IF)
        self.store(target, lambda: self.emit(op(wasm.LOCAL_GET, now)))
        self.open(wasm.BLOCK, "continue")
        self.block(body)
        self.close()
        self.emit(op(wasm.LOCAL_GET, now), number(step), op(wasm.I64_ADD), op(wasm.LOCAL_SET, now))
        self.jump("again")
        self.close()
        self.close()

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """An assignment to a name, an element, or several of them."""
        if isinstance(target, ast.Tuple):
            count = self.values(value)
            if count != len(target.elts):
                raise self.refusal(value)
            locals_ = [self.kept() for _ in range(count)][::-1]
            for part, local in zip(target.elts, locals_, strict=True):
                self.store(part, lambda local=local: self.emit(op(wasm.LOCAL_GET, local)))  # type: ignore[misc]
            return
        if isinstance(target, ast.Name) and self.all.width(value, self.tree) > 1:
            count = self.values(value)
            place = self.where.get(target.id)
            if not (isinstance(place, Place) and len(place.locals) == count):
                self.where[target.id] = place = Place(tuple(self.fresh() for _ in range(count)))
            for local in reversed(place.locals):
                self.emit(op(wasm.LOCAL_SET, local))
            return
        self.store(target, lambda: self.value(value))

    def store(self, target: ast.expr, push: Callable[[], None]) -> None:
        """Stores what is pushed in a variable or in an element of an array."""
        match target:
            case ast.Name(id=name):
                push()
                place = self.where.get(name)
                if not isinstance(place, Place):
                    self.where[name] = place = Place((self.fresh(),))
                self.emit(op(wasm.LOCAL_SET, *place.locals))
            case ast.Subscript(value=array, slice=ast.expr() as index):
                offset = self.element(array, index)
                push()
                self.emit(op(wasm.I64_STORE, 3, offset))
            case _:
                raise self.refusal(target)

    def element(self, array: ast.expr, index: ast.expr) -> int:
        """Pushes the place of an element in memory, less the offset that is returned."""
        base = self.constant(array)
        if not isinstance(base, Address):
            raise self.refusal(array)
        known = self.constant(index)
        if known is not UNKNOWN:
            self.emit(bytes([wasm.I32_CONST]) + wasm.signed(0))
            return int(base) + 8 * known
        self.value(index)
        self.emit(op(wasm.I32_WRAP), bytes([wasm.I32_CONST, 3, I32_SHL]))
        return int(base)

    # Expressions

    def values(self, node: ast.expr) -> int:
        """Pushes the numbers of an expression; returns how many."""
        known = self.constant(node)
        if isinstance(known, tuple):
            self.emit(*(number(one) for one in known))
            return len(known)
        match node:
            case ast.Tuple(elts=parts):
                return sum(self.values(part) for part in parts)
            case ast.Call():
                return self.call(node)
            case ast.Name(id=name) if isinstance(self.where.get(name), Place):
                place = self.where[name]
                self.emit(*(op(wasm.LOCAL_GET, local) for local in place.locals))
                return len(place.locals)
            case ast.IfExp(test=test, body=body, orelse=orelse) if self.all.width(body, self.tree) > 1:
                locals_ = [self.fresh() for _ in range(self.all.width(body, self.tree))]

                def into(part: ast.expr) -> Callable[[], None]:
                    def write() -> None:
                        self.values(part)
                        self.emit(*(op(wasm.LOCAL_SET, local) for local in reversed(locals_)))

                    return write

                self.branch(test, into(body), into(orelse))
                self.emit(*(op(wasm.LOCAL_GET, local) for local in locals_))
                return len(locals_)
        self.value(node)
        return 1

    def value(self, node: ast.expr) -> None:
        """Pushes the number that an expression is."""
        known = self.constant(node)
        if known is not UNKNOWN:
            if isinstance(known, tuple):
                raise self.refusal(node)
            return self.emit(number(known))
        match node:
            case ast.Name(id=name):
                place = self.where.get(name)
                if not isinstance(place, Place) or len(place.locals) != 1:
                    raise self.refusal(node)
                self.emit(op(wasm.LOCAL_GET, *place.locals))
            case ast.BinOp():
                self.operation(node)
            case ast.UnaryOp(op=ast.Invert(), operand=inner):
                self.value(inner)
                self.emit(number(-1), op(wasm.I64_XOR))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                self.emit(number(0))
                self.value(inner)
                self.emit(op(wasm.I64_SUB))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.chosen(test, lambda: self.value(body), lambda: self.value(orelse), wasm.I64)
            case ast.BoolOp(op=kind, values=[first, *others]):
                self.either(isinstance(kind, ast.Or), first, others)
            case ast.Subscript(value=inner, slice=ast.expr() as index):
                self.looked_up(inner, index)
            case ast.Call():
                if self.call(node) != 1:
                    raise self.refusal(node)
            case ast.NamedExpr(target=target, value=value):
                self.store(target, lambda: self.value(value))
                self.value(ast.Name(target.id, ast.Load()))
            case _:
                self.condition(node)
                self.emit(op(wasm.I64_EXTEND_U))
        return None

    def chosen(self, test: ast.expr, then: Callable[[], None], otherwise: Callable[[], None], kind: int) -> None:
        """Pushes one of two numbers of this kind."""
        known = self.constant(test)
        if known is not UNKNOWN:
            return then() if known else otherwise()
        self.condition(test)
        self.open(wasm.IF, "if", kind)
        then()
        self.emit(op(wasm.ELSE))
        otherwise()
        self.close()
        return None

    def either(self, some: bool, first: ast.expr, others: Sequence[ast.expr]) -> None:
        """Pushes the first value that is not 0, or with `and` the first that is, else the last."""
        if not others:
            return self.value(first)
        self.value(first)
        local = self.kept()
        get = op(wasm.LOCAL_GET, local)
        self.emit(get, op(wasm.I64_EQZ), *([op(wasm.I32_EQZ)] if some else []))
        self.open(wasm.IF, "if", wasm.I64)
        self.emit(get, op(wasm.ELSE))
        self.either(some, others[0], others[1:])
        return self.close()

    def operation(self, node: ast.BinOp) -> None:
        """Pushes what comes of an operation."""
        kind = type(node.op)
        if kind in (ast.FloorDiv, ast.Mod):
            return self.divided(node.left, node.right, kind is ast.Mod)
        if kind not in ARITHMETIC:
            raise self.refusal(node)
        self.value(node.left)
        self.value(node.right)
        unsigned = kind is ast.RShift and self.is_unsigned(node.left)
        return self.emit(op(wasm.I64_SHR_U if unsigned else ARITHMETIC[kind][0]))

    def divided(self, left: ast.expr, right: ast.expr, rest: bool) -> None:
        """Pushes the quotient, rounded down, or the rest that goes with it."""
        self.value(left)
        a = self.kept()
        self.value(right)
        b = self.kept()
        get_a, get_b = op(wasm.LOCAL_GET, a), op(wasm.LOCAL_GET, b)
        self.emit(get_a, get_b, op(wasm.I64_DIV_S))
        q = self.kept()
        get_q = op(wasm.LOCAL_GET, q)
        self.emit(get_q, get_q, number(1), op(wasm.I64_SUB))  # the quotient as it is, and one less
        self.emit(get_a, get_q, get_b, op(wasm.I64_MUL), op(wasm.I64_EQ))  # nothing is left
        self.emit(get_a, get_b, op(wasm.I64_XOR), number(0), op(wasm.I64_GE_S), bytes([0x72]))  # or the signs agree
        self.emit(op(wasm.SELECT))
        if rest:
            found = self.kept()
            self.emit(get_a, op(wasm.LOCAL_GET, found), get_b, op(wasm.I64_MUL), op(wasm.I64_SUB))

    def looked_up(self, inner: ast.expr, index: ast.expr) -> None:
        """Pushes an element of an array, of a tuple variable, or of a table."""
        known, at = self.constant(inner), self.constant(index)
        place = self.where.get(inner.id) if isinstance(inner, ast.Name) else None
        if isinstance(known, Address):
            self.emit(op(wasm.I64_LOAD, 3, self.element(inner, index)))
        elif isinstance(place, Place) and at is not UNKNOWN:
            self.emit(op(wasm.LOCAL_GET, place.locals[at]))
        elif isinstance(known, tuple) and all(isinstance(one, int) for one in known):
            self.value(index)
            local = self.kept()
            get = op(wasm.LOCAL_GET, local)
            self.emit(get, get, number(63), op(wasm.I64_SHR_S), number(len(known)), op(wasm.I64_AND), op(wasm.I64_ADD))
            self.emit(op(wasm.I32_WRAP), bytes([wasm.I32_CONST, 3, I32_SHL]))
            self.emit(op(wasm.I64_LOAD, 3, self.all.table(tuple(int(one) for one in known))))
        else:
            raise self.refusal(inner)

    def condition(self, node: ast.expr) -> None:
        """Pushes 1 or 0 as 32 bits: whether the condition holds."""
        known = self.constant(node)
        if known is not UNKNOWN:
            return self.emit(bytes([wasm.I32_CONST, int(bool(known))]))
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                self.condition(inner)
                self.emit(op(wasm.I32_EQZ))
            case ast.BoolOp(op=kind, values=parts):
                self.joined(isinstance(kind, ast.And), parts)
            case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in COMPARISONS:
                if isinstance(kind, ast.Eq | ast.NotEq) and self.constant(right) == 0:
                    self.value(left)
                    self.emit(op(wasm.I64_EQZ))
                    return self.emit(op(wasm.I32_EQZ)) if isinstance(kind, ast.NotEq) else None
                self.value(left)
                self.value(right)
                self.emit(op(COMPARISONS[type(kind)][0]))
            case ast.Compare(left=left, ops=[kind], comparators=[right]) if isinstance(kind, ast.In | ast.NotIn):
                items = self.items(right) or []
                tests = [ast.Compare(left, [ast.Eq()], [ast.Constant(item)]) for item in items]
                self.condition(ast.BoolOp(ast.Or(), [*tests]) if tests else ast.Constant(0))
                if isinstance(kind, ast.NotIn):
                    self.emit(op(wasm.I32_EQZ))
            case ast.Compare(left=left, ops=kinds, comparators=parts):
                self.value(left)
                before = self.kept()
                for i, (kind, part) in enumerate(zip(kinds, parts, strict=True)):
                    self.value(part)
                    now = self.kept()
                    self.emit(op(wasm.LOCAL_GET, before), op(wasm.LOCAL_GET, now), op(COMPARISONS[type(kind)][0]))
                    self.emit(*([bytes([0x71])] if i else []))
                    before = now
            case _:
                self.value(node)
                self.emit(op(wasm.I64_EQZ), op(wasm.I32_EQZ))
        return None

    def joined(self, every: bool, parts: Sequence[ast.expr]) -> None:
        """Pushes whether all, or some, of the conditions hold; later ones are looked at only if that matters."""
        rest = [part for part in parts if self.constant(part) is UNKNOWN]
        for part in rest[:-1]:
            self.condition(part)
            self.open(wasm.IF, "if", wasm.I32)
            if not every:
                self.emit(bytes([wasm.I32_CONST, 1]), op(wasm.ELSE))
        self.condition(rest[-1])
        for _ in rest[:-1]:
            self.emit(*([op(wasm.ELSE), bytes([wasm.I32_CONST, 0])] if every else []))
            self.close()

    def call(self, node: ast.Call) -> int:
        """Pushes what a call returns; returns how many numbers that are."""
        match node:
            case ast.Call(func=ast.Attribute(attr=kind), args=[inner]) if kind in CASTS:
                self.value(inner)
                return 1
            case ast.Call(func=ast.Attribute(value=inner, attr=("bit_count" | "bit_length") as kind), args=[]):
                return self.counted("ones" if kind == "bit_count" else "width", inner)
            case ast.Call(func=ast.Name(id=name), args=parts):
                return self.called(node, name, parts)
        raise self.refusal(node)

    def called(self, node: ast.Call, name: str, parts: Sequence[ast.expr]) -> int:
        """The same for a function by name."""
        target = self.all.target(name)
        if target:
            return self.call_own(target, parts)
        if name in WRAPPING:
            self.value(parts[0])
            self.value(parts[1])
            self.emit(op(WRAPPING[name]))
        elif name in ("ones", "lowest", "width"):
            self.counted(name, parts[0])
        elif name in ("min", "max"):
            self.extreme(name, parts)
        elif name in ("int", "bool"):
            self.value(parts[0])
        elif name == "fault":
            self.emit(op(wasm.UNREACHABLE))
            return 0
        elif name == "fetch":
            return 0
        else:
            raise self.refusal(node)
        return 1

    def counted(self, name: str, inner: ast.expr) -> int:
        """Pushes how many bits are set, where the lowest is, or how many bits a number has."""
        if name == "width":
            self.emit(number(64))
        self.value(inner)
        self.emit(op(wasm.I64_CLZ), op(wasm.I64_SUB)) if name == "width" else self.emit(op(COUNTS[name]))
        return 1

    def extreme(self, name: str, parts: Sequence[ast.expr]) -> None:
        """Pushes the least or the greatest of some numbers."""
        self.value(parts[0])
        best = self.kept()
        for part in parts[1:]:
            self.value(part)
            other = self.kept()
            pair = (op(wasm.LOCAL_GET, best), op(wasm.LOCAL_GET, other))
            self.emit(*pair, *pair, op(wasm.I64_LE_S if name == "min" else wasm.I64_GE_S), op(wasm.SELECT))
            self.emit(op(wasm.LOCAL_SET, best))
        self.emit(op(wasm.LOCAL_GET, best))

    def call_own(self, name: str, parts: Sequence[ast.expr]) -> int:
        """Calls a function that is translated, too; one of a single line is written here."""
        tree = self.all.trees[name]
        known = [self.constant(part) for part in parts]
        defaults = [ast.literal_eval(one) for one in tree.args.defaults]
        missing = len(tree.args.args) - len(parts)
        known += defaults[len(defaults) - missing :] if missing else []
        lines = [one for one in tree.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
        if len(lines) == 1 and isinstance(lines[0], ast.Return) and lines[0].value is not None:
            return self.written_here(tree, lines[0].value, parts, known)
        for part, value in zip(parts, known, strict=False):
            if value is UNKNOWN:
                self.value(part)
        self.emit(op(wasm.CALL, self.all.translated(name, known)))
        return self.all.results(name)

    def written_here(
        self, tree: ast.FunctionDef, value: ast.expr, parts: Sequence[ast.expr], known: Sequence[Known]
    ) -> int:
        """The value of a function of one line, in place."""
        where: dict[str, Place | Known] = {}
        for i, argument in enumerate(tree.args.args):
            if known[i] is UNKNOWN:
                self.value(parts[i])
                where[argument.arg] = Place((self.kept(),))
            else:
                where[argument.arg] = known[i]
        outer, self.where, around, self.tree = self.where, where, self.tree, tree
        count = self.values(value)
        self.where, self.tree = outer, around
        return count


def plain(value: object) -> Known:
    """A value of a module as a constant: numbers of any kind, and tuples of them; UNKNOWN for all else."""
    if isinstance(value, tuple):
        parts = tuple(plain(part) for part in value)
        return UNKNOWN if UNKNOWN in parts else parts
    if isinstance(value, Address):
        return value
    try:
        return int(operator.index(value))  # type: ignore[call-overload]
    except TypeError:
        return UNKNOWN


def functions_in(text: str) -> Iterator[ast.FunctionDef]:
    """The functions that a module's text defines."""
    return (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
