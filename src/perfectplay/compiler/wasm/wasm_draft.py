"""Functions under translation: the code so far, the variables, and the value of whatever is known."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from perfectplay.compiler.wasm import wasm_binary as wasm
from perfectplay.compiler.wasm.wasm_binary import number, op
from perfectplay.compiler.wasm.wasm_values import (
    ARITHMETIC,
    BUILT_IN,
    CASTS,
    COMPARISONS,
    UNARY,
    UNKNOWN,
    CannotTranslate,
    Known,
    Place,
    plain,
)


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
