"""The same rules, compiled by numba to machine code on signed 64-bit integers.

Compiled code is cached on disk. numba caches functions of a module on disk, but not closures, so the rules and
kernels are written into a small module, named by a hash of its sources (docs/decisions/0007).
Compiled rules return what Python returns, or raise NotCompiled (docs/decisions/0020).
Code that compiles nothing imports neither this module nor numba.
"""

import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import perfectplay.compiler.intrinsics  # noqa: F401  # numba with its repairs
from perfectplay.compiler.board_images import image_functions, maps_words_separately, may_place
from perfectplay.compiler.code_cache import load_module
from perfectplay.compiler.compilable import arrays_of, check_compiles, count_moves, has_turns, is_wide
from perfectplay.compiler.integers.guarded_rules import Contract, Text, insert_guards, replace_methods
from perfectplay.compiler.integers.word_halves import Wide
from perfectplay.compiler.intervals.interval import NO_ELEMENT, Interval, OutsideSubset
from perfectplay.compiler.intervals.plain_forms import plain_forms
from perfectplay.compiler.rule_subset import check_subset
from perfectplay.game import COMPILED_BITS, WIDE_BITS, Game, Images, images, is_group, is_own
from perfectplay.rules.source import NoSource, gather, hint_functions, rule_functions, rule_text
from perfectplay.words import LOSS, ONGOING, BadGame, NotCompiled

Functions = dict[str, Callable[..., Any] | None]
"""A game's functions by name."""

PACKAGE = Path(__file__).parents[1]
LINE = "# ---- below this line the text is the same for every game ----\n"
HEAD = (
    "import numpy as np\nfrom numba import njit\n\n"
    "from perfectplay.compiler.intrinsics import fault, fetch, lowest, ones, width\n"
    "from perfectplay.compiler.intrinsics import wrapping_add, wrapping_lshift, wrapping_mult, wrapping_sub\n"
    "from perfectplay.compiler.long_tables import listed\n\n"
    "guard = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)\n\n"
)
WIDE_HEAD = (
    "import numpy as np\nfrom numba import njit\n\n"
    "from perfectplay.compiler.intrinsics import fault\n"
    "from perfectplay.compiler.integers.wide_words import Wide, joined, lower, lowest, narrow, ones\n"
    "from perfectplay.compiler.integers.wide_words import upper, wide, width\n\n"
    "guard = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)\n\n"
)
"""The head of a module for words of more than 63 bits."""
LONG = 128
"""A tuple of more numbers is looked up in an array: as a tuple it would take minutes to compile."""
SHORT = 8
"""The same where positions are solved in bulk: there an array is up to 8 times as fast, in a search a little slower."""
MOST_POINTS = (1 << 19) - 1
"""The greatest margin that a search takes."""
SOLVING = ("compiler/kernels/rule_kernels", "compiler/kernels/layer_kernels", "compiler/kernels/placing_kernels")
LOOKING = ("compiler/kernels/look_kernels",)
"""The loops that solve games of any size, and the only one that a small game and the check of a table need."""
MOST_SITES = 3
"""The most places in the rules that a message names."""
INTERPRETED = 'it still runs interpreted, with engine="python"'
IMPORT = re.compile(r"(?:from|import) perfectplay\.([\w.]+)")


class RuleSet(NamedTuple):
    """A game's functions by name, with the arguments and results of each; `bits` is the size of a compiled word."""

    owner: str
    functions: Functions
    contracts: dict[str, Contract]
    bits: int = 64


NO_RULES = RuleSet("", {}, {})


def rule_set(game: Game, hints: bool = False, checked: bool = False, turns: bool = False) -> RuleSet:
    """The rules of a game to compile; `checked` if nothing else checks their results.

    With `turns`, again, margin and tier are among them, None where the game does not have them.
    """
    check_compiles(game, WIDE_BITS)
    word, moves = Interval(0, (1 << game.bits) - 1), Interval(0, (1 << count_moves(game)) - 1)
    move, position = Interval(0, max(count_moves(game), 1) - 1), (word, word)
    contracts = {
        "moves": Contract(position, moves),
        "play": Contract((*position, move), position),
        "outcome": Contract(position, Interval(LOSS, ONGOING)),
        "key": Contract(position),
        "unkey": Contract([Interval(0, (1 << game.key_bits) - 1)]),
        "image": Contract((*position, Interval(0, images(game).count - 1))),
        "smallest": Contract(position),
        "again": Contract((*position, move)),
        "margin": Contract(position, Interval(-MOST_POINTS, MOST_POINTS)),
        "tier": Contract(position),
        "order": Contract((*position, move)),
        "wins": Contract(position, moves),
        "safe": Contract(position, moves),
        "plies_left": Contract(position),
        "hopeless": Contract(position),
    }
    functions = {**rule_functions(game), **image_functions(game), **(hint_functions(game) if hints else {})}
    if turns:
        functions |= {"again": game.again, "margin": game.margin, "tier": game.tier}
    own_contracts = {name: contracts[name] if checked else contracts[name]._replace(result=None) for name in functions}
    return RuleSet(game.name, functions, own_contracts, 128 if is_wide(game) else 64)


def load_kernels(game: Game, loops: Sequence[str] = SOLVING, guards: bool = True) -> Any:
    """The solver's inner loops for this game, or other loops: the functions of these files, compiled with its rules.

    Without guards the rules are compiled as written, which is right where no guard would act.
    """
    check_compiles(game)
    if game.key is None:
        raise BadGame(f"{game.name} has no 63-bit key, which the compiled solver needs; give the game key and unkey")
    turns = game.symmetries
    separate = isinstance(turns, Images) and 1 < turns.count < 64 and maps_words_separately(turns.image)
    facts = (images(game).count, is_group(game), game.bits, count_moves(game), not is_own(game), may_place(game))
    constants = f"IMAGES, GROUP, BITS, MOVES, UNTRIED, PLACING, SEPARATE = {(*facts, separate)}\n"
    way = CPU._replace(guards=guards, longest_tuple=SHORT)
    return load_pattern(["compiler/kernels/default_turns", *loops], rule_set(game, turns=True), constants, way)


def load_search(game: Game) -> Any:
    """The search's inner loops for this game: `kernels/search_kernels.py`, compiled with its rules.

    Where a side may move again, plays for points or has wide words, they are those of `turn_search_kernels.py`.
    """
    check_compiles(game, WIDE_BITS)
    inlined = CPU._replace(decorator="@njit(forceinline=True, no_cfunc_wrapper=True)")
    way = CPU if is_wide(game) else inlined  # wide rules: 1.4 times as fast, but twice as long to compile
    turns = has_turns(game)
    patterns = ["compiler/kernels/default_hints", "compiler/kernels/search_kernels", "compiler/kernels/search_goals"]
    if turns:
        patterns = [arrays_of(game), "compiler/kernels/default_turns", "compiler/kernels/turn_search_kernels"]
    return load_pattern(patterns, rule_set(game, True, checked=True, turns=turns), search_constants(game), way)


def search_constants(game: Game) -> str:
    """The lines that tell the search what it must know about a game."""
    first = [] if callable(game.order) else list(game.order)
    most = WIDE_BITS if is_wide(game) else COMPILED_BITS
    ranks = tuple(len(first) - first.index(move) if move in first else -move for move in range(most + 1))
    wide = game.key is None or is_wide(game)
    bits = COMPILED_BITS if wide else game.key_bits
    facts = f"{count_moves(game)}, {bits}, {wide}, {images(game).count}"
    return f"MOVES, KEY_BITS, WIDE, IMAGES = {facts}\nRANKS = {ranks}\n"


class Way(NamedTuple):
    """A way to compile: the head of a module, and the decorator of each game function.

    Where nothing `raises`, lookups are guarded. Tuples of more than `longest_tuple` numbers that are only looked up
    become functions; None: no tuple does.
    """

    head: str
    decorator: str
    raises: bool = True
    guards: bool = True
    longest_tuple: int | None = LONG


CPU = Way(HEAD, "@njit(no_cfunc_wrapper=True)")


def load_pattern(patterns: Sequence[str], rules: RuleSet, constants: str, way: Way = CPU) -> Any:
    """The functions of pattern files, compiled this way together with a game's functions; raises NotCompiled."""
    guards = [f"compiler/integers/int{rules.bits}_guards"] if rules.functions else []
    loops = constants + "\n\n".join(pattern_text(pattern) for pattern in [*guards, *patterns])
    if rules.bits > 64:
        way = way._replace(head=WIDE_HEAD, longest_tuple=None)
    try:
        names, trees = gather(rules.functions)
        check_subset(trees, rules.bits)
    except (NoSource, OutsideSubset) as fault:
        raise NotCompiled(f"{rules.owner} does not compile: {fault}; {INTERPRETED}") from None
    sources = import_sources("compiler.compiled", way.head)
    inputs = [f"{way}", rule_text(names, trees), repr(rules.contracts), loops, sources]
    name = f"rules_{sha256(''.join(inputs).encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        try:
            sys.modules[name] = load_module(name, lambda: module_text(rules, loops, way))
        except OSError:  # the cache folder cannot be written
            sys.modules[name] = module = ModuleType(name)
            exec(module_text(rules, loops, way).replace(", cache=True", ""), vars(module))
    module = sys.modules[name]
    return CompiledModule(rules, module) if rules.functions and way.raises else module


@cache
def import_sources(module: str, head: str = "") -> str:
    """The sources of a module, and of all that it and the head import, at whatever depth.

    Cached code is out of date when any of them changes. Imports count wherever they stand, in functions and in texts.
    """
    sources: dict[str, str] = {}
    todo = [module, *IMPORT.findall(head)]
    while todo:
        name = todo.pop()
        if name not in sources:
            path = name.replace(".", "/")
            sources[name] = source_text(path if (PACKAGE / f"{path}.py").exists() else f"{path}/__init__")
            todo += IMPORT.findall(sources[name])
    return "".join(f"# {name}\n{sources[name]}" for name in sorted(sources))


def pattern_text(pattern: str) -> str:
    """The part of a pattern file that is the same for every game."""
    return source_text(pattern).partition(LINE)[2]


def source_text(module: str) -> str:
    """The source of a module of this package, named by its path: `compiler/kernels/rule_kernels`."""
    return (PACKAGE / f"{module}.py").read_text(encoding="utf-8")


def module_text(rules: RuleSet, loops: str, way: Way) -> str:
    """The source of a module with a game's rules and the loops that call them."""
    text = rules_with_guards(rules, way) if way.guards else replace_methods(*gather(rules.functions))
    functions = rule_text(text.names, text.trees, f"\n\n{way.decorator}", way.longest_tuple)
    return f"{way.head}{functions}{loops}"


def guard_sites(rules: RuleSet, way: Way = CPU) -> list[str]:
    """The guards in the rules, with their current line numbers; cached code has none."""
    return rules_with_guards(rules, way).sites


def rules_with_guards(rules: RuleSet, way: Way) -> Text:
    """The rules, ready to be written."""
    names, trees = gather(rules.functions)
    forms = plain_forms(trees)
    if rules.bits > 64:
        from perfectplay.compiler.integers.wide_rules import (
            WideGuardRewriter,  # only for wide games: numba's operators get slower
        )

        return insert_guards(names, forms, rules.contracts, kind=WideGuardRewriter)
    return insert_guards(names, forms, rules.contracts, bounds=not way.raises)


class CompiledModule:
    """A module of compiled rules; raises NotCompiled where the rules exceed 64-bit integers."""

    def __init__(self, rules: RuleSet, module: ModuleType) -> None:
        self.rules, self.module = rules, module

    @cached_property
    def places(self) -> list[str]:
        """The guards in the rules; computed on demand, since the analysis takes a while."""
        return guard_sites(self.rules)

    def __getattr__(self, name: str) -> Any:
        """The module's attribute, looked up once; a compiled function has its faults explained."""
        value = getattr(self.module, name)
        if hasattr(value, "py_func"):
            takes_words = self.rules.bits > 64 and name in self.rules.functions and name != "unkey"  # it takes a key
            value = self._explain_faults(with_words(value) if takes_words else value)
        setattr(self, name, value)
        return value

    def _explain_faults(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The compiled function, with errors that say what the rules did."""

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except OverflowError:
                raise fault_at_sites(self.rules.owner, self.places) from None
            except IndexError:
                raise fault_at_sites(self.rules.owner, [NO_ELEMENT]) from None

        return call


def with_words(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled rule function of a wide game, called with Python integers."""
    return lambda mine, theirs, *more: function(Wide(mine), Wide(theirs), *more)


def fault_at_sites(owner: str, sites: Sequence[str]) -> NotCompiled:
    """The error for rules that failed in compiled code at one of these places."""
    places = "; or ".join([*sites[:MOST_SITES], *([f"{len(sites) - MOST_SITES} more"] if sites[MOST_SITES:] else [])])
    return NotCompiled(f"{owner} does what compiled rules cannot do: {places}; {INTERPRETED}")
