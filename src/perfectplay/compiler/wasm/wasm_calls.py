"""Calls as WebAssembly."""

import ast
from collections.abc import Sequence

from perfectplay.compiler.wasm import wasm_binary as wasm
from perfectplay.compiler.wasm.wasm_binary import number, op
from perfectplay.compiler.wasm.wasm_expressions import Expressions
from perfectplay.compiler.wasm.wasm_values import CASTS, COUNTS, UNKNOWN, WRAPPING, Known, Place


class Calls(Expressions):
    """A function under translation: its calls."""

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
