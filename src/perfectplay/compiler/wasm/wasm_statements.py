"""Statements as WebAssembly: assignments, branches and loops, those over constants written out."""

import ast
from collections.abc import Sequence

from perfectplay.compiler.wasm import wasm_binary as wasm
from perfectplay.compiler.wasm.wasm_binary import CASTS, COUNTS, UNKNOWN, WRAPPING, Function, Known, Place, number, op
from perfectplay.compiler.wasm.wasm_expressions import Expressions

# Calls as WebAssembly.


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


UNROLLED = 12
"""The most rounds of a loop that are written out."""


class Body(Calls):
    """A function under translation: its statements."""

    def function(self) -> Function:
        """The translation."""
        results = self.all.results(self.tree.name)
        self.block(self.tree.body)
        if results:
            self.emit(op(wasm.UNREACHABLE))
        return Function(self.parameters, results, self.count - self.parameters, bytes(self.code))

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
