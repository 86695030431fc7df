"""Functions over 64-bit integers, from Python's syntax trees to WebAssembly.

A function is translated once for each combination of constants that it is called with: then loops over constants are
written out, and conditions that are known fall away. Functions of one line are written where they are called.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from perfectplay.compiler.wasm.wasm_binary import Function
from perfectplay.compiler.wasm.wasm_statements import Body
from perfectplay.compiler.wasm.wasm_values import Known


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


def functions_in(text: str) -> Iterator[ast.FunctionDef]:
    """The functions that a module's text defines."""
    return (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
