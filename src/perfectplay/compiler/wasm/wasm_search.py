"""The rules and the search of a game as one WebAssembly module."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from perfectplay.compiler.compilable import check_compiles
from perfectplay.compiler.compiled import CPU, INTERPRETED, module_text, pattern_text, rule_set, search_constants
from perfectplay.compiler.intervals.interval import OutsideSubset
from perfectplay.compiler.rule_subset import check_subset
from perfectplay.compiler.wasm.wasm_binary import UNKNOWN, Address, CannotTranslate, Function, Known, module
from perfectplay.compiler.wasm.wasm_statements import Body
from perfectplay.game import Game
from perfectplay.rules.source import NoSource, gather
from perfectplay.words import NotCompiled

SLOT_BITS = 22
"""The transposition table has 2 ** SLOT_BITS slots of 8 bytes, besides its corner."""
FRAMES = 130
"""Plies that a search can be deep."""
TABLES = 1 << 16
"""The bytes at the beginning of memory that are for constants."""
PATTERNS = (
    "compiler/integers/int64_guards",
    "compiler/kernels/default_hints",
    "compiler/kernels/search_kernels",
    "compiler/kernels/search_goals",
)
RULES = {"moves": 2, "play": 3, "outcome": 2, "smallest": 2, "key": 2, "unkey": 1, "plies_left": 2}
"""The functions that can be called, where the game has them, and how many arguments they take."""
HINTS = {"wins": 2, "safe": 2, "hopeless": 2, "order": 3}
"""The same of those that only the search needs, for tests."""
WORDS = {
    "low": "LOW_BOUND",
    "high": "HIGH_BOUND",
    "goal": "GOAL",
    "nodes": "NODES",
    "style": "STYLE",
    "state": "STACK",
}
"""Words of a search that the page reads and writes, and how many of them are cleared before a new one."""


class WasmSearch(NamedTuple):
    """A module with `begin(mine, theirs)` and `search(nodes)` besides the rules, and `expand` if positions have keys.

    `search` returns 1 when the bounds are final. The state of a search is at the address `work`: `words` are the
    numbers of its 64-bit words. Memory from the address `pool` on is free for keys.
    """

    code: bytes
    work: int
    pool: int
    words: dict[str, int]
    top: int

    @property
    def low(self) -> int:
        """The address of the lower bound."""
        return self.work + 8 * self.words["low"]

    @property
    def high(self) -> int:
        """The address of the upper bound."""
        return self.work + 8 * self.words["high"]


def search_module(game: Game, slot_bits: int = SLOT_BITS, hints: bool = False) -> WasmSearch:
    """The module for this game, on request with its hints to be called; raises NotCompiled."""
    try:
        text = rules_and_search(game)
        return translated(text, executed(text), slot_bits, {**RULES, **(HINTS if hints else {})})
    except CannotTranslate as fault:
        raise NotCompiled(f"{game.name} does not become WebAssembly: {fault}; {INTERPRETED}") from None


def rules_and_search(game: Game) -> str:
    """The text of the rules and of the search; raises NotCompiled."""
    check_compiles(game)
    rules = rule_set(game, True, checked=True)
    try:
        check_subset(gather(rules.functions)[1])
    except (NoSource, OutsideSubset) as fault:
        raise NotCompiled(f"{game.name} does not compile: {fault}; {INTERPRETED}") from None
    keyed = ("compiler/wasm/book_kernels",) if game.key is not None else ()
    loops = search_constants(game) + "\n\n".join(map(pattern_text, (*PATTERNS, *keyed)))
    return module_text(rules, loops, CPU._replace(head="", decorator="@inside", longest_tuple=None))


def translated(text: str, names: dict[str, Any], slot_bits: int, callable_rules: dict[str, int]) -> WasmSearch:
    """The module of a text whose names have these values."""
    bits = max(names["KEY_BITS"] - 48, min(slot_bits, names["KEY_BITS"]))
    work = Address(TABLES)
    slots = Address(work + 8 * (names["STACK"] + FRAMES * names["FRAME"]))
    count = ((1 << bits) + (1 << min(names["CORNER"], bits))) * (2 if names["WIDE"] else 1)
    pool = Address(slots + 8 * count)
    translator = Translator({tree.name: tree for tree in functions_in(text)}, names)
    exported = {
        name: translator.translated(translator.target(name), [UNKNOWN] * takes)
        for name, takes in callable_rules.items()
        if callable(names.get(name)) and (name != "plies_left" or names["HAS_PLIES_LEFT"])
    }
    exported["begin"] = translator.translated("begin", [work, UNKNOWN, UNKNOWN])
    exported["search"] = translator.translated("search", [work, slots, bits, UNKNOWN])
    if "expand" in names:
        exported["expand"] = translator.translated("expand", [pool, UNKNOWN, UNKNOWN, UNKNOWN])
    data = translator.data()
    if len(data) > TABLES:
        raise CannotTranslate(f"the rules have constants of more than {TABLES:,} bytes")
    code = module([one for one in translator.functions if one], exported, data, int(pool))
    words = {name: names[constant] for name, constant in WORDS.items()}
    return WasmSearch(code, int(work), int(pool), words, names["TOP"])


def executed(text: str) -> dict[str, Any]:
    """The names that a module's text defines; its functions are not compiled."""

    def decorated(*functions: Callable[..., Any], **options: object) -> Any:
        return functions[0] if functions else lambda function: function

    names: dict[str, Any] = {"np": np, "njit": decorated, "guard": decorated, "inside": decorated}
    exec(text, names)
    return {**names, "THREADED": False}


# Functions over 64-bit integers, from Python's syntax trees to WebAssembly.
#
# A function is translated once for each combination of constants that it is called with: then loops over constants are
# written out, and conditions that are known fall away. Functions of one line are written where they are called.


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
