"""Rules of games with words or moves of more than 63 bits: compiled on words of 128 bits where 64 may not do.

Interval analysis says which numbers fit 64 bits: these stay numba's own integers, so that counting and indexing cost
what they always do. An operation whose result may be wider is done with words (wide_words.py); one that may not even
fit 128 bits is guarded (int128_guards.py).
"""

import ast
from collections.abc import Iterable

from perfectplay.compiler.integers.guarded_rules import GUARDS, GuardRewriter, call_of, is_number
from perfectplay.compiler.integers.word_halves import halves
from perfectplay.compiler.intervals.interval import OVERFLOW, WORD

REASONS = {OVERFLOW: "a number that can be wider than 127 bits"}
"""Doubts, in the words for words of 128 bits."""
CHOICES = {"min": "pp_min", "max": "pp_max"}


class WideGuardRewriter(GuardRewriter):
    """Rewrites a function for words of 128 bits."""

    bits = 128

    @staticmethod
    def constant(value: object) -> str:
        """The text of a constant: of words throughout, if one of its numbers does not fit 64 bits."""
        return as_words(value) if is_wide(value) else repr(value)

    @staticmethod
    def finish(tree: ast.stmt) -> ast.stmt:
        """A statement of the module, with words for literals that do not fit 64 bits."""
        return Literals().visit(tree) if isinstance(tree, ast.FunctionDef) else tree

    def note(self, node: ast.AST, why: Iterable[str]) -> None:
        """Records the reason for a guard."""
        super().note(node, [REASONS.get(one, one) for one in why])

    def fits(self, node: ast.expr | ast.stmt) -> bool:
        """Whether all values of the expression surely fit 64 bits."""
        target = node.target if isinstance(node, ast.AugAssign) else node
        value = self.proofs.numbers.get(target) if isinstance(target, ast.expr) else None
        return self.tree.name not in self.proofs.blind and value is not None and value.fits(64)

    def statement(self, node: ast.stmt) -> ast.stmt:
        """One statement."""
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            node.iter = self.alike(node.iter)
        return super().statement(node)

    def test(self, node: ast.expr) -> ast.expr:
        """An expression used only as a condition."""
        match node:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as operator], comparators=[among]):
                among = self.alike(among) if isinstance(among, ast.Tuple) else among
                membership = call_of("pp_in", self.value(left), self.value(among))
                return ast.UnaryOp(ast.Not(), membership) if isinstance(operator, ast.NotIn) else membership
        return super().test(node)

    def value(self, node: ast.expr) -> ast.expr:
        """An expression used as a value."""
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=inner) if not is_number(inner) and not self.fits(node):
                if self.doubts(node):
                    return super().value(node)
                return ast.UnaryOp(ast.USub(), call_of("wide", self.value(inner)))
            case ast.Call(func=ast.Name(id=name), args=[first, *others]) if name in CHOICES and name not in self.locals:
                choice = self.value(first)
                for other in others:
                    choice = call_of(CHOICES[name], choice, self.value(other))
                return choice
        return super().value(node)

    def operation(self, node: ast.expr | ast.stmt, operator: ast.operator, a: ast.expr, b: ast.expr) -> ast.expr:
        """A binary operation: with words unless the result fits 64 bits, guarded if needed."""
        is_expression, narrow = not isinstance(node, ast.AugAssign), self.fits(node)
        small = is_expression and self.fits(a) and self.fits(b)
        if isinstance(operator, ast.FloorDiv | ast.Mod) and not small:
            if doubts := self.doubts(node):
                self.note(node, doubts)
            return call_of(GUARDS[type(operator)], self.value(a), self.value(b))
        shifts = isinstance(operator, ast.LShift | ast.RShift) and not self.counts_little(b)
        result = super().operation(node, operator, a, b)
        if not isinstance(result, ast.BinOp):
            return result
        if isinstance(operator, ast.FloorDiv | ast.Mod):
            result.left, result.right = call_of("narrow", result.left), call_of("narrow", result.right)
        elif shifts or not (narrow or isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor)):
            result.left = call_of("wide", result.left)
        return call_of("narrow", result) if narrow and not small else result

    def counts_little(self, b: ast.expr) -> bool:
        """Whether a shift by this is known to be by less than 64."""
        value = self.proofs.numbers.get(b)
        return value is not None and value.most < 64

    def element(self, node: ast.Subscript, index: ast.expr) -> ast.expr:
        """An element of a tuple."""
        if isinstance(node.value, ast.Tuple):
            node.value = self.alike(node.value)
        result = super().element(node, index)
        if isinstance(result, ast.Subscript) and not is_number(result.slice):
            result.slice = call_of("narrow", result.slice)
        return result

    def call(self, node: ast.Call) -> ast.expr:
        """A call of another rule, of a Python builtin, or of a method of integers."""
        match node.func:
            case ast.Name(id="abs") if "abs" not in self.locals:
                if OVERFLOW in self.doubts(node):
                    self.note(node, [OVERFLOW])
                return call_of("pp_abs", self.value(node.args[0]))
            case ast.Name(id="range") if OVERFLOW not in self.doubts(node):
                return call_of("range", *(call_of("narrow", self.value(end)) for end in node.args))
        return super().call(node)

    def alike(self, node: ast.Tuple) -> ast.Tuple:
        """A tuple whose parts have one type: words, if one of them may not fit 64 bits."""
        if all(self.fits(part) for part in node.elts):
            return node
        return ast.copy_location(ast.Tuple([call_of("wide", part) for part in node.elts], ast.Load()), node)


class Literals(ast.NodeTransformer):
    """Replaces literals that do not fit 64 bits with words."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """The function; Python itself runs the defaults of its parameters."""
        defaults = [ast.literal_eval(default) for default in node.args.defaults]
        node.args.defaults = []
        self.generic_visit(node)
        node.args.defaults = [ast.parse(WideGuardRewriter.constant(value), mode="eval").body for value in defaults]
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """The literal, or a call that returns it."""
        if not isinstance(node.value, int) or not is_wide(node.value):
            return node
        if not -(1 << 126) <= node.value < 1 << 126:
            half = self.visit_Constant(ast.Constant(node.value >> 1))
            doubled = ast.BinOp(half, ast.LShift(), ast.Constant(1))
            return ast.BinOp(doubled, ast.BitOr(), ast.Constant(node.value & 1))
        return call_of("joined", *map(ast.Constant, halves(node.value)))


def is_wide(value: object) -> bool:
    """Whether a number, or one in the tuple, does not fit 64 bits."""
    if isinstance(value, tuple):
        return any(is_wide(part) for part in value)
    return isinstance(value, int) and not WORD.least <= value <= WORD.most


def as_words(value: object) -> str:
    """The text of a constant of words."""
    if isinstance(value, tuple):
        return f"({''.join(as_words(part) + ', ' for part in value)})"
    return f"Wide({value!r})"
