"""Expressions over 64-bit integers as WebAssembly."""

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from perfectplay.compiler.wasm import wasm_binary as wasm
from perfectplay.compiler.wasm.wasm_binary import (
    ARITHMETIC,
    BUILT_IN,
    CASTS,
    COMPARISONS,
    UNARY,
    UNKNOWN,
    Address,
    CannotTranslate,
    Known,
    Place,
    number,
    op,
    plain,
)

# Functions under translation: the code so far, the variables, and the value of whatever is known.


class Translations(Protocol):
    """The functions that are translated together."""

    @property
    def trees(self) -> Mapping[str, ast.FunctionDef]:
        """The functions by name."""

    @property
    def names(self) -> Mapping[str, object]:
        """What names mean."""

    def translated(self, name: str, given: Sequence[Known]) -> int:
        """The number of the function of that name for these arguments, UNKNOWN for those that come at run time."""

    def table(self, numbers: tuple[int, ...]) -> int:
        """Where the numbers are in memory."""

    def results(self, name: str) -> int:
        """How many numbers the function of that name returns."""

    def width(self, node: ast.expr, tree: ast.FunctionDef) -> int:
        """How many numbers an expression has."""

    def target(self, name: str) -> str:
        """The name of the function that a name means; empty for built-in ones."""


class Draft:
    """A function under translation, for some arguments that are known: its code and its constants."""

    def __init__(self, translator: Translations, tree: ast.FunctionDef, given: Sequence[Known]) -> None:
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

    def refusal(self, node: ast.AST) -> CannotTranslate:
        """The error for something without a translation."""
        return CannotTranslate(f"{self.tree.name}: {ast.unparse(node)}")

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
                unary = UNARY[type(kind)]
                return self.together([inner], lambda values: unary(*values))
            case ast.BinOp(left=left, op=kind, right=right) if type(kind) in ARITHMETIC:
                operation = ARITHMETIC[type(kind)][1]
                return self.together([left, right], lambda values: operation(*values))
            case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in COMPARISONS:
                compared = COMPARISONS[type(kind)][1]
                return self.together([left, right], lambda values: int(compared(*values)))
            case ast.BoolOp(op=kind, values=parts):
                return self.constant_bool(isinstance(kind, ast.And), parts)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known = self.constant(test)
                return UNKNOWN if known is UNKNOWN else self.constant(body if known else orelse)
            case ast.Subscript(value=inner, slice=ast.expr() as index):
                known, at = self.constant(inner), self.constant(index)
                return known[at] if isinstance(known, tuple) and at is not UNKNOWN else UNKNOWN
            case ast.Call(func=ast.Name(id=("min" | "max" | "len" | "abs") as name), args=parts):
                built_in = BUILT_IN[name]
                return self.together(parts, lambda values: built_in(*values))
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
                return None if None in several else [*zip(*several, strict=False)]
        known = self.constant(over)
        return [*known] if isinstance(known, tuple) else None


class Expressions(Draft):
    """A function under translation: its expressions."""

    @abstractmethod
    def call(self, node: ast.Call) -> int:
        """Pushes what a call returns; returns how many numbers that are."""

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
        self.emit(get_a, get_b, op(wasm.I64_XOR), number(0), op(wasm.I64_GE_S), op(wasm.I32_OR))  # or the signs agree
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
            self.emit(op(wasm.I32_WRAP), bytes([wasm.I32_CONST, 3, wasm.I32_SHL]))
            self.emit(op(wasm.I64_LOAD, 3, self.all.table(tuple(int(one) for one in known))))
        else:
            raise self.refusal(inner)

    def element(self, array: ast.expr, index: ast.expr) -> int:
        """Pushes the place of an element in memory, less the offset that is returned."""
        base = self.constant(array)
        if not isinstance(base, Address):
            raise self.refusal(array)
        known = self.constant(index)
        if known is not UNKNOWN:
            self.emit(bytes([wasm.I32_CONST]) + wasm.signed(0))
            return int(base) + 8 * int(known)
        self.value(index)
        self.emit(op(wasm.I32_WRAP), bytes([wasm.I32_CONST, 3, wasm.I32_SHL]))
        return int(base)

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
                tests = [ast.Compare(left, [ast.Eq()], [part]) for part in self.parts(right)]
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
                    self.emit(*([op(wasm.I32_AND)] if i else []))
                    before = now
            case _:
                self.value(node)
                self.emit(op(wasm.I64_EQZ), op(wasm.I32_EQZ))
        return None

    def parts(self, node: ast.expr) -> list[ast.expr]:
        """The expressions of a tuple."""
        if isinstance(node, ast.Tuple):
            return node.elts
        known = self.items(node)
        if known is None:
            raise self.refusal(node)
        return [ast.Constant(item) for item in known]

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
