"""Interval analysis of rules: they are run on intervals instead of numbers, every branch of them.

What holds for all numbers of the intervals needs no guard when they are compiled (integers/guarded_rules.py), and C
is written with the types that it takes (export/c). A function that is given tuples of constants, such as the rows of a
board, is looked at once for each of these. All other arguments and all variables are numbers, or tuples of numbers.
"""

import ast

from perfectplay.compiler.intervals.facts import Function, Names, Value
from perfectplay.compiler.intervals.interval import WORD, Interval
from perfectplay.compiler.intervals.interval_expressions import Library
from perfectplay.compiler.intervals.interval_loops import SMALL, Loops


class Run(Loops):
    """One run of a function."""

    def __init__(self, rules: Library, function: Function) -> None:
        super().__init__(rules, function)
        self.returned: list[Value] = []

    def result(self, given: tuple[Value, ...]) -> Value:
        """What the function can return."""
        function = self.function
        names: Names = {}
        for argument, value in zip(function.tree.args.args, given, strict=True):
            names[argument.arg] = value
            if argument.arg not in function.constants and not self.rules.quiet:
                function.parameters[argument.arg] = self.join(function.parameters.get(argument.arg), value)
                self.bind(argument.arg, value)
        if self.block(function.tree.body, names) is not None or not self.returned:
            raise function.refusal(function.tree, "a function that may return nothing")
        found = self.returned[0]
        for value in self.returned[1:]:
            found = self.join(found, value)
        if not self.rules.quiet:
            function.result = self.join(function.result, found)
        return found

    # Statements: each gives what is known after it, None where the run does not get there.

    def block(self, statements: list[ast.stmt], names: Names) -> Names | None:
        """Statements one after another."""
        now: Names | None = names
        for statement in statements:
            if now is None:
                break
            now = self.statement(statement, now)
        return now

    def statement(self, node: ast.stmt, names: Names) -> Names | None:
        """One statement."""
        if not self.rules.quiet:
            self.function.reached.add(node)
        match node:
            case ast.Return(value=ast.expr() as value):
                self.returned.append(self.value(value, names))
                return None
            case ast.Assign(targets=[ast.Tuple(elts=parts)]) if any(isinstance(part, ast.Tuple) for part in parts):
                raise self.function.refusal(node, "tuples inside tuples are not taken apart at once")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(ast.Name(id=same), operator, value)) if (
                name == same and isinstance(operator, ast.Add | ast.Sub)
            ):
                found = self.value(node.value, names)
                return self.count(node.targets[0], found, self.value(value, names), dict(names))
            case ast.Assign(targets=targets, value=value):
                found, now = self.value(value, names), dict(names)
                for target in targets:
                    now = self.assign(target, found, now)
                return now
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self.assign(target, self.value(value, names), dict(names))
            case ast.AugAssign(target=ast.Name() as target, op=operator, value=value):
                masked = isinstance(operator, ast.BitAnd) and self.is_under(value, load(target), names)
                by = self.value(value, names, masked)
                found = self.binary(operator, self.value(load(target), names), by, node)
                self.note(target, found)
                counts = by if isinstance(operator, ast.Add | ast.Sub) else WORD
                return self.count(target, found.clipped(bits=self.rules.bits), counts, dict(names))
            case ast.If(test=test, body=body, orelse=orelse):
                yes, no = self.branches(test, names)
                after = self.block(body, yes) if yes is not None else None
                return self.either(after, self.block(orelse, no) if no is not None else None)
            case ast.For():
                return self.each(node, names)
            case ast.While():
                return self.repeat(node, names)
            case ast.Break() if self.loops:
                self.loops[-1].broken.append(names)
                return None
            case ast.Continue() if self.loops:
                self.loops[-1].continued.append(names)
                return None
            case ast.Assert(test=test):
                return self.branches(test, names)[0]
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return names
        raise self.function.unknown(node)

    def count(self, target: ast.expr, value: Value, by: Value, names: Names) -> Names:
        """What is known after a variable is counted up or down."""
        if isinstance(by, Interval) and by.least >= -SMALL and by.most <= SMALL and isinstance(target, ast.Name):
            names[target.id] = value
            self.bind(target.id, value)
            return names
        return self.assign(target, value, names)

    def assign(self, target: ast.expr, value: Value, names: Names) -> Names:
        """What is known after an assignment."""
        match target, value:
            case ast.Name(id=name), _:
                for flow in self.loops:
                    flow.jumps.add(name)
                if name in self.function.constants:
                    raise self.function.refusal(target, "a parameter that is a tuple is given another value")
                names[name] = value
                self.bind(name, value)
            case ast.Tuple(elts=parts), tuple() if len(parts) == len(value):
                for part, one in zip(parts, value, strict=True):
                    self.assign(part, one, names)
            case _:
                raise self.function.refusal(target, "only names are given values")
        return names


def load(name: ast.Name) -> ast.Name:
    """The name as an expression."""
    return ast.Name(name.id, ast.Load())
