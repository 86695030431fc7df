"""The rules of a game as source text that stands alone.

Rules are functions over integers that may use constants and other such functions, from their file or from the
function around them. Here all of that is gathered into one text in which every name is its own.
"""

import ast
import inspect
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any

from perfectplay.game import Game, canonical, images


class NoSource(Exception):
    """A function that was made without a file, or that uses more than integers and functions."""


class Gathered:
    """Functions found so far, each under a name of its own, in an order in which they can be written down."""

    def __init__(self) -> None:
        self.names: dict[Callable[..., Any], str] = {}
        self.trees: list[ast.stmt] = []

    def add(self, function: object) -> str:
        """The name of the function, which is gathered with all that it uses."""
        if not isinstance(function, FunctionType):
            raise NoSource(f"{function!r} is not a plain function")
        if function not in self.names:
            named = function.__name__ if function.__name__.isidentifier() else "rule"
            self.names[function] = f"{named}_{len(self.names)}"
            tree = syntax_tree(function)
            bound = local_names(tree)
            known = {name: value for name, value in outside(function).items() if name not in bound}
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & known.keys()
            new_names = {name: self.add_value(name, known[name]) for name in sorted(used)}
            tree.name = self.names[function]
            self.trees.append(Renamed(new_names).visit(tree))
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


class Renamed(ast.NodeTransformer):
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
    try:
        text = "".join(inspect.findsource(function.__code__)[0])
        if function.__code__ not in codes_in(text):
            raise NoSource(f"{name} is not as its file says now; load the file again")
        tree = lambda_tree(function, text) if name == "<lambda>" else plain_tree(function)
    except (OSError, TypeError, SyntaxError) as fault:
        raise NoSource(f"{name} has no source") from fault
    if not isinstance(tree, ast.FunctionDef) or tree.decorator_list or tree.args.kw_defaults:
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


def plain_tree(function: FunctionType) -> ast.stmt:
    """The statement that defines the function, with the lines that it has in its file."""
    tree = ast.parse(dedent(inspect.getsource(function))).body[0]
    return ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)


def lambda_tree(function: FunctionType, text: str) -> ast.FunctionDef:
    """A lambda as a function of the same body; raises NoSource where it cannot be told from others."""
    code = function.__code__
    columns = {(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None}
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    if len(found) > 1:  # code that returns a constant does not say where in the line it stands
        found = [node for node in found if (node.body.lineno, node.body.col_offset) in columns]
    if len(found) != 1:
        raise NoSource("a lambda that cannot be told from others in its line; write it with def")
    body: list[ast.stmt] = [ast.copy_location(ast.Return(found[0].body), found[0].body)]
    whole = ast.FunctionDef(name="rule", args=found[0].args, body=body, decorator_list=[])
    return ast.fix_missing_locations(ast.copy_location(whole, found[0]))


@lru_cache(maxsize=32)
def codes_in(text: str) -> frozenset[CodeType]:
    """The code of all functions in the text of a file."""
    found, waiting = set(), [compile(text, "", "exec", dont_inherit=True)]
    for code in waiting:
        inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        found.update(inside)
        waiting.extend(inside)
    return frozenset(found)


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
    """Everything that decides what a table of the game says, by name; again and margin only where the game has them."""
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
    """What makes a search of the game faster, by name; no answer depends on it."""
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
    gathered = Gathered()
    names = {name: "None" if function is None else gathered.add(function) for name, function in functions.items()}
    return names, gathered.trees


def source_of(functions: dict[str, Callable[..., Any] | None]) -> str:
    """A module's text that defines these functions, None for those that are not there; raises NoSource."""
    return written(*gather(functions))


def written(names: dict[str, str], trees: list[ast.stmt], before_each: str = "", listed: int | None = None) -> str:
    """The text of gathered rules, with the functions under the names that they were asked for by.

    `before_each` is written on the line before each function, such as a decorator. Tuples of more than `listed` numbers
    that are only looked up, one number at a time, are made functions of the place, by one of that name.
    """
    tables = looked_up(trees, listed) if listed is not None else set()
    lines = []
    for tree in trees:
        if isinstance(tree, ast.FunctionDef):
            lines.append(before_each)
        text = ast.unparse(ast.fix_missing_locations(Called(tables).visit(tree)))
        name, _, value = text.partition(" = ")
        lines.append(f"{name} = listed({value})" if name in tables else text)
    lines += [f"{name} = {own}" for name, own in names.items()]
    return "\n".join(lines) + "\n"


class Called(ast.NodeTransformer):
    """Calls what is looked up in one of the tables."""

    def __init__(self, tables: set[str]) -> None:
        self.tables = tables

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """The same look-up, or a call."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.tables:
            return ast.Call(node.value, [node.slice], [])
        return node


def looked_up(trees: list[ast.stmt], least: int) -> set[str]:
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
