"""The rules of a game as source text that stands alone.

Rules are functions over integers that may use constants and other such functions, from their file or from the
function around them. Here all of that is gathered into one text in which every name is its own.
"""

import ast
import linecache
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from perfectplay.game import Game, canonical, images


class NoSource(Exception):
    """A function that was made without a file, or that uses more than integers and functions."""


class Gatherer:
    """Gathers functions, each under a name of its own, in an order in which they can be written down."""

    def __init__(self) -> None:
        self.names: dict[Callable[..., Any], str] = {}
        self.trees: list[ast.stmt] = []

    def add(self, function: object) -> str:
        """The name of the function, which is gathered with all that it uses."""
        if not isinstance(function, FunctionType):
            raise NoSource(f"{function!r} is not a plain function")
        if function not in self.names:
            name = function.__name__ if function.__name__.isidentifier() else "rule"
            self.names[function] = f"{name}_{len(self.names)}"
            tree = syntax_tree(function)
            bound = local_names(tree)
            values = {name: value for name, value in outside(function).items() if name not in bound}
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & values.keys()
            new_names = {name: self.add_value(name, values[name]) for name in sorted(used)}
            tree.name = self.names[function]
            self.trees.append(Renaming(new_names).visit(tree))
        return self.names[function]

    def add_value(self, name: str, value: object) -> str:
        """The name of a constant or function that a rule uses."""
        if isinstance(value, FunctionType):
            return self.add(value)
        if not is_plain(value):
            raise NoSource(f"{name} is {type(value).__name__}, not integers or a function")
        own = f"{name}_v{len(self.trees)}"
        self.trees.append(ast.parse(f"{own} = {literal(value)!r}").body[0])
        return own


class Renaming(ast.NodeTransformer):
    """Gives the names that a function takes from outside the names that they have in the gathered text."""

    def __init__(self, new_names: dict[str, str]) -> None:
        self.new_names = new_names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """The same name, or the new one."""
        node.id = self.new_names.get(node.id, node.id)
        return node


def syntax_tree(function: FunctionType) -> ast.FunctionDef:
    """The function's syntax tree without decoration: types, docstring."""
    name = function.__name__
    tree = deepcopy(definition(function))
    if isinstance(tree, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(tree.body), tree.body)]
        whole = ast.FunctionDef(name="rule", args=tree.args, body=body, decorator_list=[])
        tree = ast.fix_missing_locations(ast.copy_location(whole, tree))
    if tree.decorator_list or tree.args.kw_defaults:
        raise NoSource(f"{name} is not a plain function")
    if not all(is_plain(value) for value in function.__defaults__ or ()):
        raise NoSource(f"{name} has default arguments that are not integers")
    tree.args.defaults = [ast.parse(repr(literal(value)), mode="eval").body for value in function.__defaults__ or ()]
    if any(isinstance(node, ast.FunctionDef | ast.Lambda | ast.Import) for node in ast.walk(tree) if node is not tree):
        raise NoSource(f"{name} has a function inside")
    tree.returns = None
    for argument in tree.args.args:
        argument.annotation = None
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    return tree


def definition(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Where the file of the function defines it, to be read only; raises NoSource where that is not for certain."""
    code = function.__code__
    linecache.lazycache(code.co_filename, function.__globals__)
    return definition_of(code, code.co_filename)


@lru_cache(maxsize=1024)
def definition_of(code: CodeType, file: str) -> ast.FunctionDef | ast.Lambda:
    """The same for the function's code; once it is known, it stays known if the file is edited while the rules run."""
    name = code.co_name
    for _ in range(2):
        text = "".join(linecache.getlines(file))
        try:
            codes, trees = functions_in(text)
        except (SyntaxError, ValueError):
            codes, trees = frozenset(), {}
        if code in codes:
            break
        linecache.checkcache(file)
    else:
        raise NoSource(
            f"{name} is not as its file says now; load the file again"
            if text
            else f"{name} has no source; write it in a file"
        )
    there = [tree for tree in trees.get(code.co_firstlineno, ()) if getattr(tree, "name", "<lambda>") == name]
    if len(there) > 1:  # code that returns a constant does not say where in the line it stands
        columns = {(line, column) for line, _, column, _ in code.co_positions()}
        lambdas = [tree for tree in there if isinstance(tree, ast.Lambda)]
        there = [tree for tree in lambdas if (tree.body.lineno, tree.body.col_offset) in columns]
    if len(there) != 1:
        raise NoSource(f"{name} cannot be told from other functions in its line; write it with def")
    return there[0]


@lru_cache(maxsize=32)
def functions_in(text: str) -> tuple[frozenset[CodeType], dict[int, list[ast.FunctionDef | ast.Lambda]]]:
    """The code of all functions in the text of a file, and the syntax trees of these by their first line."""
    codes, waiting = set(), [compile(text, "", "exec", dont_inherit=True)]
    for code in waiting:
        inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        codes.update(inside)
        waiting.extend(inside)
    trees: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            first = (*getattr(node, "decorator_list", ()), node)[0]
            trees.setdefault(first.lineno, []).append(node)
    return frozenset(codes), trees


def local_names(tree: ast.FunctionDef) -> set[str]:
    """The names that the function binds itself."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bound | {argument.arg for argument in tree.args.args}


def outside(function: FunctionType) -> dict[str, object]:
    """What the function can see beyond its own names: its file's, and those of the function around it."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return {**function.__globals__, **{name: cell.cell_contents for name, cell in cells.items()}}


def is_plain(value: object) -> bool:
    """Whether the value is integers all through."""
    return isinstance(value, int) or (isinstance(value, tuple) and all(is_plain(part) for part in value))


def literal(value: object) -> object:
    """The value in plain numbers: what an enumeration names is one of them."""
    if isinstance(value, tuple):
        return tuple(literal(part) for part in value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def rule_functions(game: Game) -> dict[str, Callable[..., Any] | None]:
    """All rules that a table of the game depends on, by name; again and margin only where the game has them."""
    further = {"again": game.again, "margin": game.margin}
    return {
        "moves": game.moves,
        "play": game.play,
        "outcome": game.outcome,
        "key": game.key,
        "unkey": game.unkey,
        "image": images(game).image,
        "smallest": canonical(game),
        **{name: rule for name, rule in further.items() if rule is not None},
    }


def hint_functions(game: Game) -> dict[str, Callable[..., Any] | None]:
    """The rules that only make a search faster, by name."""
    order = game.order if callable(game.order) else None
    return {
        "order": order,
        "wins": game.wins,
        "safe": game.safe,
        "plies_left": game.plies_left,
        "hopeless": game.hopeless,
    }


def gather(functions: dict[str, Callable[..., Any] | None]) -> tuple[dict[str, str], list[ast.stmt]]:
    """The names that the functions have in the gathered text, and the text as syntax trees."""
    gatherer = Gatherer()
    names = {name: "None" if function is None else gatherer.add(function) for name, function in functions.items()}
    return names, gatherer.trees


def rule_text(names: dict[str, str], trees: list[ast.stmt], before_each: str = "", least: int | None = None) -> str:
    """The text of gathered rules, with the functions under the names that they were asked for by.

    `before_each` is written on the line before each function, such as a decorator. Tuples of more than `least` numbers
    that are only looked up, one number at a time, are made functions of the place, by one called `listed`.
    """
    tables = lookup_tables(trees, least) if least is not None else set()
    lines = []
    for tree in trees:
        if isinstance(tree, ast.FunctionDef):
            lines.append(before_each)
        text = ast.unparse(ast.fix_missing_locations(TableCalls(tables).visit(tree)))
        name, _, value = text.partition(" = ")
        lines.append(f"{name} = listed({value})" if name in tables else text)
    lines += [f"{name} = {own}" for name, own in names.items()]
    return "\n".join(lines) + "\n"


class TableCalls(ast.NodeTransformer):
    """Calls what is looked up in one of the tables."""

    def __init__(self, tables: set[str]) -> None:
        self.tables = tables

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """The same look-up, or a call."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.tables:
            return ast.Call(node.value, [node.slice], [])
        return node


def lookup_tables(trees: list[ast.stmt], least: int) -> set[str]:
    """The names of constants that are tuples of more than `least` numbers, used for nothing but to look a number up."""
    constants = {tree.targets[0].id: tree.value for tree in trees if isinstance(tree, ast.Assign)}  # type: ignore[attr-defined]
    tuples = {name: value for name, value in constants.items() if isinstance(value, ast.Tuple)}
    names = {name for name, value in tuples.items() if len(value.elts) > least and all_numbers(value)}
    uses: Counter[str] = Counter()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            uses[node.id] += 1
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            uses[node.value.id] -= not isinstance(node.slice, ast.Slice)
    return {name for name in names if uses[name] == 0}


def all_numbers(value: ast.Tuple) -> bool:
    """Whether the tuple is of numbers, each of 63 bits at most."""
    numbers = ast.literal_eval(value)
    return bool(numbers) and all(type(number) is int and number.bit_length() < 64 for number in numbers)
