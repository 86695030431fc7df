"""The functions of gathered rules, each analysed with all that it is given."""

import ast
from collections.abc import Sequence

from perfectplay.compiler.intervals.facts import Function, Names, Value, constant, is_constant
from perfectplay.compiler.intervals.interval_statements import Run


class Rules:
    """Functions of rules, each looked at with all that it can be given, for words of that many bits."""

    def __init__(self, trees: list[ast.stmt], loose: frozenset[tuple[str, str]] = frozenset(), bits: int = 64) -> None:
        self.bits, self.loose = bits, loose
        """Parameters, by function and name, whose tuples are numbers like others, and not constants of the function."""
        self.varied: set[tuple[str, str]] = set()
        """The parameters that are given different tuples by one call."""
        self.trees = {tree.name: tree for tree in trees if isinstance(tree, ast.FunctionDef)}
        self.constants: Names = {}
        for tree in trees:
            if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name):
                self.constants[tree.targets[0].id] = constant(ast.literal_eval(tree.value))
        self.functions: dict[tuple[str, tuple[Value | None, ...]], Function] = {}
        self.ordered: list[Function] = []
        """The functions, each after all that it calls."""
        self.running: list[Function] = []
        self.turns = 0
        """How often loops over constants were followed."""
        self.rounds = 0
        """How often other loops were, turn by turn."""
        self.quiet = 0
        self.known: dict[tuple[Function, tuple[Value, ...], bool], Value] = {}
        """What functions return, by what they are given and by whether they were only tried."""

    def call(self, name: str, arguments: Sequence[Value]) -> tuple[Function, Value]:
        """The function as it is called with these, and what it can return."""
        tree = self.trees[name]
        given = zip((argument.arg for argument in tree.args.args), arguments, strict=True)
        fixed = tuple(value if self.is_fixed(name, parameter, value) else None for parameter, value in given)
        function = self.functions.get((name, fixed))
        if function is None:
            others = sum(known == name for known, _ in self.functions)
            names = [argument.arg for argument in tree.args.args]
            constants: Names = {name: value for name, value in zip(names, fixed, strict=True) if value is not None}
            function = Function(f"{name}_{others}" if others else name, tree, constants)
            self.functions[name, fixed] = function
        if function in self.running:
            raise function.refusal(tree, "a function that calls itself")
        asked = function, tuple(arguments), self.quiet > 0
        if asked not in self.known:
            self.running.append(function)
            self.known[asked] = Run(self, function).result(asked[1])
            self.running.pop()
            if function not in self.ordered and not self.quiet:
                self.ordered.append(function)
        return function, self.known[asked]

    def is_fixed(self, name: str, parameter: str, value: Value) -> bool:
        """Whether the parameter is a tuple of constants of the function."""
        return isinstance(value, tuple) and is_constant(value) and (name, parameter) not in self.loose

    def vary(self, name: str, one: Function, other: Function) -> None:
        """Remembers that one call is of both, which differ by the tuples that they are given."""
        parameters = one.constants.keys() | other.constants.keys()
        different = {key for key in parameters if one.constants.get(key) != other.constants.get(key)}
        self.varied |= {(name, parameter) for parameter in different}
