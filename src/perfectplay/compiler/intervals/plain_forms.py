"""Rules as they are usually written, put into the few forms that are analysed, compiled and translated to C.

`a = b = 0` is two assignments, `x := y` is one before its statement, and a call hands over all arguments in order.
"""

import ast
from collections.abc import Mapping
from copy import deepcopy


def plain_forms(trees: list[ast.stmt]) -> list[ast.stmt]:
    """The same rules in plain forms; what cannot be put so is left as it is."""
    functions = {tree.name: tree for tree in trees if isinstance(tree, ast.FunctionDef)}
    plain = Plain(functions)
    return [
        ast.fix_missing_locations(plain.visit(deepcopy(tree))) if isinstance(tree, ast.FunctionDef) else tree
        for tree in trees
    ]


class Plain(ast.NodeTransformer):
    """Rewrites the statements of a function."""

    def __init__(self, functions: Mapping[str, ast.FunctionDef]) -> None:
        self.functions = functions

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call of a function of the rules with all its arguments, by their places."""
        self.generic_visit(node)
        called = self.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if called is None or len(node.args) > len(called.args.args):
            return node
        names, defaults = [argument.arg for argument in called.args.args], called.args.defaults
        given = dict(zip(names[len(names) - len(defaults) :], deepcopy(defaults), strict=True))
        given |= dict(zip(names, node.args, strict=False))
        given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
        if given.keys() != set(names):
            return node
        return ast.copy_location(ast.Call(node.func, [given[name] for name in names], []), node)

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        """One assignment for each target: first to a name, from which the others take the value."""
        before = self.before(node, "value")
        first, *others = sorted(node.targets, key=lambda target: not isinstance(target, ast.Name))
        if not others or not isinstance(first, ast.Name):
            return [*before, node]
        found: list[ast.stmt] = [*before, ast.Assign([first], node.value)]
        for target in others:
            plainly = isinstance(node.value, ast.Constant)
            found.append(ast.Assign([target], deepcopy(node.value) if plainly else ast.Name(first.id, ast.Load())))
        return [ast.copy_location(one, node) for one in found]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """The statement, and before it the assignments inside its value."""
        return [*self.before(node, "value"), node]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        """The same."""
        return [*self.before(node, "value"), node]

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        """The same."""
        return [*self.before(node, "value"), node]

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        """The same for its test."""
        return [*self.before(node, "test"), node]

    def visit_While(self, node: ast.While) -> ast.stmt:
        """A loop; with assignments inside its test, one that is left where the test fails."""
        before = [] if node.orelse else self.before(node, "test")
        if not before:
            self.generic_visit(node)
            return node
        fails = ast.UnaryOp(ast.Not(), node.test)
        leave = ast.copy_location(ast.If(ast.copy_location(fails, node.test), [ast.Break()], []), node.test)
        ever = ast.copy_location(ast.Constant(True), node.test)
        return ast.copy_location(ast.While(ever, [*before, leave, *node.body], []), node)

    def before(self, node: ast.stmt, field: str) -> list[ast.stmt]:
        """The assignments inside an expression of a statement, taken out of it."""
        self.generic_visit(node)
        inside = getattr(node, field)
        if inside is None:
            return []
        taken = TakenOut(inside)
        setattr(node, field, taken.visit(inside))
        return taken.found


class TakenOut(ast.NodeTransformer):
    """Takes those assignments out of an expression that are always made, and before their names are read."""

    def __init__(self, whole: ast.expr) -> None:
        self.whole, self.found = whole, list[ast.stmt]()

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        """The name, once it has its value."""
        self.generic_visit(node)
        where, names = (
            (node.lineno, node.col_offset),
            [one for one in ast.walk(self.whole) if isinstance(one, ast.Name)],
        )
        if any(one.id == node.target.id and (one.lineno, one.col_offset) < where for one in names):
            return node
        self.found.append(ast.copy_location(ast.Assign([node.target], node.value), node))
        return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Only its first part is always looked at."""
        node.values[0] = self.visit(node.values[0])
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Only its test is."""
        node.test = self.visit(node.test)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Only the first two parts are."""
        node.left, node.comparators[0] = self.visit(node.left), self.visit(node.comparators[0])
        return node
