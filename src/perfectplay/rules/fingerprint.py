"""A fingerprint of a game that changes when its rules do."""

import ast
import bisect
import builtins
import functools
import gc
import heapq
import itertools
import math
import operator
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from perfectplay.game import Game, Images, Look, Texts, canonical, images, legal_moves, moves_again
from perfectplay.rules.source import NoSource, definition, rule_functions
from perfectplay.words import ONGOING, BadTable, Brief, Position, Sides

# What rules depend on, as a digest that is the same in every process and in every version of Python.
#
# Functions count by their text: local names are numbered by first use, and every other name stands for what it means.
# Data counts by its values, modules by those of their names that are used. What can be looked into is listed here, each
# type exactly: a type of a rule writer's own, and most others, can hold data in too many places.


NUMBERS: set[type] = {bool, int, float, complex}
"""Types that sets keep in the same order in every process."""
SCALARS: set[type] = NUMBERS | {type(None), type(...), str, bytes, range}
RECORDS: set[type] = {Images, Look, Sides, Texts}
NAMESPACES: tuple[type, ...] = (types.ModuleType, Game, *RECORDS)
"""Types of values of which rules use single attributes."""
PURE = {
    abs, all, any, ascii, bin, bool, bytes, callable, chr, complex, dict, divmod, enumerate, filter, float, format,
    frozenset, functools.reduce, hex, int, isinstance, issubclass, iter, len, list, map, max, min, next, object, oct,
    ord, operator.itemgetter, pow, print, range, repr, reversed, round, set, slice, sorted, str, sum, tuple, type, zip,
}  # fmt: skip
"""Builtin functions and classes whose results depend on their arguments alone."""
MODULES = (bisect, heapq, math, operator)
PURE |= {value for one in MODULES for value in vars(one).values() if type(value) is types.BuiltinFunctionType}
PURE |= {value for name, value in vars(itertools).items() if type(value) is type and not name.startswith("_")}
PURE |= {value for value in vars(builtins).values() if type(value) is type and issubclass(value, BaseException)}

COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
FUNCTIONS = ast.FunctionDef | ast.Lambda
SCOPES = FUNCTIONS | COMPREHENSIONS
REFUSED = ast.Global | ast.Nonlocal | ast.Import | ast.ImportFrom | ast.ClassDef | ast.AsyncFunctionDef | ast.MatchClass
"""What a function may not have inside, since it reaches further than its names show."""
WITHIN = ("__", "ag_", "cr_", "gi_", "cache_info", "cache_parameters")
"""What attributes begin with that lead to the inside of values, where everything can be reached."""
BINDS = {"ExceptHandler": "name", "MatchAs": "name", "MatchStar": "name", "MatchMapping": "rest", "arg": "arg"}
"""Parts of a syntax tree, besides ast.Name, that give a name a value, and the field with the name."""
LEFT_OUT = {"ctx", "type_ignores", "type_comment", "type_params", "kind", "returns", "annotation"}
"""Fields of a syntax tree that say nothing about behaviour, or that not every version of Python has."""


class Opaque(Exception):
    """Something whose changes could not be noticed; the message says what and where."""


class Dependencies:
    """A walk over values and all that they reach; raises Opaque."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.parts: list[str] = []
        self.mutable = False
        """Whether there is data that could change while rules run."""
        self.numbers: dict[int, tuple[int, object]] = {}
        """The number of a value by its id, with the value, so that no other takes its id."""
        self.functions: list[tuple[types.FunctionType, str]] = []
        self.parameters: list[str] = []
        """The names of all parameters, which mean something only where they are among the `keywords` of a call."""
        self.keywords: set[str | None] = set()
        """The names by which calls pass arguments; None where a call passes a dictionary of them."""
        try:
            for name, value in values.items():
                self.write(name)
                self.add(value, name)
            for function, name in self.functions:  # more are added meanwhile
                Body(self, function, name)
        except (RecursionError, ValueError):
            raise Opaque("they nest code or data too deeply, or have numbers of thousands of digits") from None
        everyone = None in self.keywords
        self.write([name if everyone or name in self.keywords else "" for name in self.parameters])

    @property
    def digest(self) -> str:
        """A hash of all that was met."""
        return sha256("\n".join(self.parts).encode()).hexdigest()

    def write(self, *parts: object) -> None:
        """Adds plain values."""
        self.parts.append(repr(parts))

    def add(self, value: Any, name: str) -> None:
        """Adds the value, which rules know by that name."""
        kind = type(value)
        if not (type(kind) is type or type(kind) is Brief):  # a metaclass can say that its classes equal any others
            raise Opaque(refusal(value, name))
        if kind in SCALARS:
            self.write(kind.__name__, value)
        elif is_pure(value):
            self.write("pure", value.__module__, value.__qualname__)
        elif kind is tuple:  # never numbered: equal ones may or may not be one object
            self.add_items(value, name)
        elif kind is frozenset:
            self.add_set(value, name)
        elif kind in RECORDS and vars(value).keys() == {field.name for field in fields(value)}:
            self.write(kind.__name__)
            self.add_items(tuple(vars(value)[field.name] for field in fields(value)), name)
        elif id(value) in self.numbers:
            self.write("again", self.numbers[id(value)][0])
        else:
            self.numbers[id(value)] = len(self.numbers), value
            self.write(kind.__name__)
            self.add_numbered(value, name)

    def add_numbered(self, value: Any, name: str) -> None:
        """Adds what is met for the first time and may be met again."""
        kind = type(value)
        self.mutable |= kind in (list, dict, set)
        if kind is list:
            self.add_items(value, name)
        elif kind is dict:
            self.add_items(tuple(value.keys()), name)
            self.add_items(tuple(value.values()), name)
        elif kind is set:
            self.add_set(value, name)
        elif kind in (types.FunctionType, functools._lru_cache_wrapper) and not any(
            not attribute.startswith(WITHIN) for attribute in vars(value)
        ):
            if kind is types.FunctionType:
                self.functions.append((value, name))
            else:  # __wrapped__ may be another function than the one that is cached
                self.add(next((one for one in gc.get_referents(value) if type(one) is types.FunctionType), ...), name)
        else:
            raise Opaque(refusal(value, name))

    def add_items(self, items: list[Any] | tuple[Any, ...], name: str) -> None:
        """Adds a sequence."""
        if all(type(item) is int for item in items):
            self.write("numbers", *items)
            return
        self.write("items", len(items))
        for item in items:
            self.add(item, name)

    def add_set(self, items: Iterable[Any], name: str) -> None:
        """Adds a set, in its order if that is the same in every process."""
        texts = []
        for item in items:
            apart = Dependencies({})
            apart.add(item, name)
            if apart.numbers:
                raise Opaque(f"{name} is a set of functions; write it as a tuple")
            texts.append(apart.parts)
        self.write("set", texts if all(map(is_numeric, items)) else sorted(texts))


def is_numeric(value: object) -> bool:
    """Whether the value is a number, or a tuple of such."""
    return all(map(is_numeric, value)) if isinstance(value, tuple) else type(value) in NUMBERS


def is_pure(value: object) -> bool:
    """Whether the value is one of the builtin functions and classes that depend on their arguments alone."""
    return (type(value) is types.BuiltinFunctionType or type(value) is type) and value in PURE


def refusal(value: Any, name: str) -> str:
    """Why the value cannot be looked into, and what to write instead."""
    kind = type(value)
    what = WORDS.get(kind) or ("class" if issubclass(kind, type) else kind.__name__)
    article = "an" if what[0] in "aeiouAEIOU" else "a"
    return f"{name} is {article} {what}, which cannot be looked into; write plain numbers, tuples and functions"


WORDS = {
    types.BuiltinFunctionType: "builtin function or method",
    types.FunctionType: "function with attributes",
    types.ModuleType: "whole module",
}


def outer_parts(node: ast.AST) -> list[ast.AST]:
    """Those parts of a function or comprehension that are not in its scope."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, FUNCTIONS):
        return [*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)]
    return []


def is_remark(part: object) -> bool:
    """Whether this is a constant that stands alone, such as a docstring."""
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


@lru_cache(maxsize=4096)
def own_names(node: ast.AST) -> tuple[str, ...]:
    """The names that a function or comprehension binds in its scope."""
    targets = [part.target for part in node.generators] if isinstance(node, COMPREHENSIONS) else None
    return tuple(name for part in targets or ast.iter_child_nodes(node) for name in bindings(part))


def bindings(node: ast.AST, inside: bool = False) -> Iterator[str]:
    """The names that a part of a text binds in the scope that it is in; `inside` a comprehension only by :=."""
    if isinstance(node, ast.NamedExpr):
        yield node.target.id
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and not inside:
        yield node.id
    elif name := getattr(
        node, "name" if isinstance(node, ast.FunctionDef) else BINDS.get(type(node).__name__, ""), None
    ):
        yield name
    for part in outer_parts(node) if isinstance(node, FUNCTIONS) else ast.iter_child_nodes(node):
        yield from bindings(part, inside or isinstance(node, COMPREHENSIONS))


class Body:
    """A function: its defaults, and its text, in which it finds what each name means as Python does."""

    def __init__(self, dependencies: Dependencies, function: types.FunctionType, name: str) -> None:
        self.function, self.name = function, name
        self.dependencies, self.write = dependencies, dependencies.write
        self.cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        self.numbers = itertools.count()
        self.scopes: list[dict[str, int | None]] = []
        """The names that the function and the parts around the present one bind, with their numbers."""
        try:
            tree = definition(function)
        except NoSource as fault:
            raise Opaque(str(fault)) from None
        defaults = function.__kwdefaults__ or {}
        pairs = tuple((i, defaults[arg.arg]) for i, arg in enumerate(tree.args.kwonlyargs) if arg.arg in defaults)
        dependencies.add((function.__defaults__, pairs), name)
        self.passed = set(outer_parts(tree))
        """The parts that were added before their scope."""
        self.add_scope(tree)

    def add(self, part: Any) -> None:
        """Adds a syntax tree, or what stands for itself: a constant, the name of an attribute or a keyword."""
        if part in self.passed:
            return
        if not isinstance(part, ast.AST):
            self.write(part)
        elif isinstance(part, ast.Name | ast.Attribute):
            self.add_value(part)
        elif isinstance(part, SCOPES):
            self.write("scope", len(outer_parts(part)))
            for outer in outer_parts(part):
                self.add(outer)
                self.passed.add(outer)
            if isinstance(part, ast.FunctionDef):
                self.add_local(part.name)
            self.add_scope(part)
        elif isinstance(part, ast.AnnAssign):
            self.add_fields(ast.Assign([part.target], part.value) if part.value else ast.Pass())
        elif isinstance(part, REFUSED):
            first = ast.unparse(part).splitlines()[0]
            raise Opaque(f"{self.name} has {first!r} inside; keep no state, import and define classes outside")
        else:
            if isinstance(part, ast.Call) and not is_pure(self.meaning(part.func)[0]):
                self.dependencies.keywords.update(keyword.arg for keyword in part.keywords)
            self.add_fields(part)

    def add_scope(self, node: ast.AST) -> None:
        """Adds a function or comprehension, whose scope begins here."""
        self.scopes.append(dict.fromkeys(own_names(node)))
        self.add_fields(node)
        self.scopes.pop()

    def add_fields(self, node: ast.AST) -> None:
        """Adds a part of the text by its kind and its fields."""
        kind = type(node).__name__
        self.write(kind)
        for field, part in ast.iter_fields(node):
            if field in LEFT_OUT or part is None or (kind, field) == ("FunctionDef", "name"):
                continue
            if isinstance(part, list):
                items = [item for item in part if not is_remark(item)]
                self.write(field, len(items))
                for item in items:
                    self.add(item)
                continue
            self.write(field)
            if kind == "arg":
                self.dependencies.parameters.append(part)
            if BINDS.get(kind) == field:
                self.add_local(part)
            else:
                self.add(part)

    def add_local(self, name: str) -> None:
        """Adds the number of a name that the function binds."""
        scope = self.scope_of(name)
        assert scope is not None
        if scope[name] is None:
            scope[name] = next(self.numbers)
        self.write("local", scope[name])

    def add_value(self, node: ast.Name | ast.Attribute) -> None:
        """Adds a local name, what another name means, or an attribute of a value."""
        value, name = self.meaning(node)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            raise Opaque(f"{self.name} changes {ast.unparse(node)}, which is not its own")
        if name:
            self.dependencies.add(value, f"{name} in {self.name}")
        elif isinstance(node, ast.Name):
            self.add_local(node.id)
        else:
            self.add_fields(node)

    def scope_of(self, name: str) -> dict[str, int | None] | None:
        """The innermost scope that binds the name; None if its meaning comes from outside the function."""
        if name.startswith("__"):  # it may mean another name in a class, or the inside of the file
            raise Opaque(f"{self.name} uses {name}, which cannot be looked into")
        return next((scope for scope in reversed(self.scopes) if name in scope), None)

    def meaning(self, node: ast.expr) -> tuple[Any, str]:
        """What a name from outside means, alone or behind a dot, and what it is called; else nothing."""
        if isinstance(node, ast.Name) and self.scope_of(node.id) is None:
            name, values = node.id, self.function.__globals__
            if name not in values:
                values = vars(builtins)
            try:
                return self.cells[name].cell_contents if name in self.cells else values[name], name
            except (KeyError, ValueError):
                raise Opaque(f"{self.name} uses {name}, which has no value") from None
        if isinstance(node, ast.Attribute):
            if node.attr.startswith(WITHIN):
                raise Opaque(f"{self.name} uses {ast.unparse(node)}, which cannot be looked into")
            owner, name = self.meaning(node.value)
            if any(type(owner) is kind for kind in NAMESPACES) and node.attr in vars(owner):
                return vars(owner)[node.attr], f"{name}.{node.attr}"
        return None, ""


VERSION = "0002"
"""What every fingerprint begins with: another way to take them has another number, so that old tables are known."""
WALKS = 40
"""Random games that a fingerprint plays, besides the positions nearest to the start."""
NEAREST = 200

REFUSALS: WeakKeyDictionary[Game, str] = WeakKeyDictionary()
"""Games without a fingerprint, and why; data that changes while rules run may rest when it is looked at again."""


class NoFingerprint(BadTable):
    """Rules that could change without a trace: no table of them can be told from a table of other rules."""


def fingerprint(game: Game) -> str:
    """A hash that changes when the rules do, but not with names and comments; raises NoFingerprint.

    It is of what the rules do in a few thousand positions, and of how they are written with all data that they can
    reach. The first tells apart what the text cannot show, the second what a sample would miss.
    """
    before = dependencies_of(game)
    digest = sha256()
    for part in behaviour(game):
        digest.update(repr(part).encode())
    if before.mutable and dependencies_of(game).digest != before.digest:
        raise no_fingerprint(game, "their data changes while they run; functools.cache may remember answers")
    digest.update(before.digest.encode())
    return (VERSION + digest.hexdigest())[:64]


def dependencies_of(game: Game) -> Dependencies:
    """The dependencies of the rules; raises NoFingerprint."""
    if game in REFUSALS:
        raise NoFingerprint(REFUSALS[game])
    try:
        return Dependencies({name: rule for name, rule in rule_functions(game).items() if rule is not None})
    except Opaque as why:
        raise no_fingerprint(game, str(why)) from None


def no_fingerprint(game: Game, why: str) -> NoFingerprint:
    """The error for a game without a fingerprint, now and whenever it is asked for again."""
    REFUSALS[game] = f"no table of {game.name} can be trusted once its rules change, since {why}"
    return NoFingerprint(REFUSALS[game])


def why_no_fingerprint(game: Game) -> str | None:
    """What keeps the game from having a fingerprint; None if it has one."""
    try:
        if dependencies_of(game).mutable:
            fingerprint(game)
    except NoFingerprint as why:
        return str(why)
    return None


def rules_of(game: Game) -> str:
    """The fingerprint, or nothing for a game that has none: a table of it stays in memory."""
    try:
        return fingerprint(game)
    except NoFingerprint:
        return ""


def behaviour(game: Game) -> Iterable[object]:
    """The answers of the rules in the positions nearest to the start and along random games."""
    yield game.start, game.bits, images(game).count
    met = nearest(game)
    rng = Random(1)
    for _ in range(WALKS):
        position = game.start
        for _ in range(100):
            legal = legal_moves(game, position)
            if not legal:
                break
            position = game.play(*position, rng.choice(legal))
            met.append(position)
    smallest = canonical(game)
    for position in dict.fromkeys(met):
        legal = legal_moves(game, position)
        key = game.key and game.key(*position)
        yield position, game.outcome(*position), [(m, *game.play(*position, m)) for m in legal], key
        if game.again is not None:
            yield [moves_again(game, position, move) for move in legal]
        if game.margin is not None and game.outcome(*position) != ONGOING:
            yield game.margin(*position)
    for position in met[:: max(1, len(met) // 100)]:
        yield smallest(*position)


def nearest(game: Game) -> list[Position]:
    """The positions that a walk from the start in all directions meets first."""
    positions = {game.start: None}
    waiting = [game.start]
    for position in waiting:
        if len(positions) >= NEAREST:
            break
        for move in legal_moves(game, position):
            child = game.play(*position, move)
            if child not in positions:
                positions[child] = None
                waiting.append(child)
    return waiting
