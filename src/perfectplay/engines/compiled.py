"""The same rules, compiled by numba to machine code over signed 64-bit integers.

Compiled code is kept on disk. numba can do so for functions of a module on disk, not for closures, so the rules and
the kernels are written into a small module named by the hash of its text (docs/decisions/0007).
Whoever compiles nothing imports neither this module nor numba.
"""

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, NamedTuple

import perfectplay.engines.machine  # noqa: F401  # word.bit_count() and word.bit_length() in rules
from perfectplay.engines.mended import njit
from perfectplay.game import COMPILED_BITS, Game, Images, images, is_own
from perfectplay.places import cache_folder
from perfectplay.source import NoSource, hint_functions, rule_functions, source_of
from perfectplay.words import BadGame, Sides

Functions = dict[str, Callable[..., Any] | None]
"""A game's functions by name."""

ENGINES = Path(__file__).parent
LINE = "# ---- below this line the text is the same for every game ----\n"
HEAD = "import numpy as np\nfrom numba import njit\n\nfrom perfectplay.engines.machine import fetch, lowest, ones\n\n"


def check_compiles(game: Game) -> None:
    """Refuses a game whose words or moves do not fit 63 bits."""
    if game.bits > COMPILED_BITS:
        raise BadGame(f"{game.name} needs {game.bits} bits a word; up to {COMPILED_BITS} compile, more run interpreted")
    if count_moves(game) > COMPILED_BITS:
        raise BadGame(f"{game.name} has {count_moves(game)} moves; up to {COMPILED_BITS} compile, more run interpreted")


def count_moves(game: Game) -> int:
    """How many moves have names; as many as compile where a function names them."""
    names = game.move_names.first if isinstance(game.move_names, Sides) else game.move_names
    return COMPILED_BITS if callable(names) else len(names)


def compiled(game: Game) -> Game:
    """The same game with its functions compiled; words and moves must fit 63 bits."""
    check_compiles(game)
    made: dict[object, Any] = {}
    turns = images(game)
    return replace(
        game,
        moves=compile_function(game.moves, made),
        play=compile_function(game.play, made),
        outcome=compile_function(game.outcome, made),
        key=game.key and compile_function(game.key, made),
        unkey=game.unkey and compile_function(game.unkey, made),
        symmetries=Images(turns.count, compile_function(turns.image, made)),
        order=compile_function(game.order, made) if callable(game.order) else game.order,
        wins=game.wins and compile_function(game.wins, made),
        safe=game.safe and compile_function(game.safe, made),
        draw_in=game.draw_in and compile_function(game.draw_in, made),
        hopeless=game.hopeless and compile_function(game.hopeless, made),
    )


def compile_function(function: Callable[..., Any], made: dict[object, Any], compiler: Any = njit) -> Any:
    """The function compiled, and with it every plain function that it calls, from globals or from its closure."""
    if not isinstance(function, FunctionType):
        return function
    if function not in made:
        names = function.__code__.co_names
        outside = {name: value for name, value in function.__globals__.items() if name in names}
        inside = [cell.cell_contents for cell in function.__closure__ or ()]
        twin = FunctionType(
            function.__code__,
            {
                **function.__globals__,
                **{name: compile_function(value, made, compiler) for name, value in outside.items()},
            },
            function.__name__,
            function.__defaults__,
            tuple(CellType(compile_function(value, made, compiler)) for value in inside),
        )
        made[function] = compiler(twin)
    return made[function]


def load_kernels(game: Game) -> Any:
    """The solver's inner loops for this game: the functions of `engines/kernels.py`, compiled with its rules."""
    check_compiles(game)
    if game.key is None:
        raise BadGame(f"{game.name} has no 63-bit key, which the compiled solver needs; give the game key and unkey")
    facts = (images(game).count, game.bits, count_moves(game), not is_own(game))
    constants = f"IMAGES, BITS, MOVES, UNTRIED = {facts}\n"
    return load_pattern(["kernels"], rule_functions(game), constants)


def load_search(game: Game) -> Any:
    """The search's inner loops for this game: the functions of `engines/search_kernels.py`, compiled with its rules."""
    check_compiles(game)
    first = [] if callable(game.order) else list(game.order)
    ranks = tuple(len(first) - first.index(move) if move in first else -move for move in range(COMPILED_BITS + 1))
    wide = game.key is None
    bits = COMPILED_BITS if wide else game.key_bits
    constants = (
        f"MOVES, KEY_BITS, WIDE, IMAGES = {count_moves(game)}, {bits}, {wide}, {images(game).count}\nRANKS = {ranks}\n"
    )
    functions = {**rule_functions(game), **hint_functions(game)}
    inlined = PROCESSOR._replace(decorator="@njit(forceinline=True)")
    return load_pattern(["hint_kernels", "search_kernels"], functions, constants, inlined)


class Way(NamedTuple):
    """A way to compile: what a module begins with, what stands before each function of a game, and what that does.

    With `listed`, tuples of numbers that are only looked up are made functions. `beside` are the files of this folder
    that the head imports from: when they change, kept code is out of date.
    """

    head: str
    decorator: str
    compiler: Any
    listed: bool = False
    beside: tuple[str, ...] = ("machine.py",)


PROCESSOR = Way(HEAD, "@njit", njit)


def load_pattern(patterns: Sequence[str], functions: Functions, constants: str, way: Way = PROCESSOR) -> Any:
    """The functions of pattern files, compiled together with a game's functions, in that way."""
    files = [(ENGINES / f"{pattern}.py").read_text(encoding="utf-8") for pattern in patterns]
    loops = constants + "\n\n".join(text.partition(LINE)[2] for text in files)
    try:
        text = way.head + source_of(functions, f"\n\n{way.decorator}", way.listed) + loops
    except NoSource:
        return uncached_kernels(functions, loops, way)
    parts = [text, *((ENGINES / file).read_text(encoding="utf-8") for file in way.beside)]
    name = f"rules_{sha256(''.join(parts).encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        try:
            sys.modules[name] = import_file(name, written(text, cache_folder() / "kernels" / f"{name}.py"))
        except OSError:  # nowhere to write
            return uncached_kernels(functions, loops, way)
    return sys.modules[name]


def written(text: str, path: Path) -> Path:
    """The path of a file with this text, written whole or not at all; the same text is not written twice."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partly = path.with_suffix(f".{os.getpid()}.tmp")
        partly.write_text(text, encoding="utf-8")
        partly.replace(path)
    return path


def import_file(name: str, path: Path) -> ModuleType:
    """The module in that file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def uncached_kernels(functions: Functions, loops: str, way: Way) -> Any:
    """The same for rules without source text: compiled anew in each process."""
    module = ModuleType("rules")
    made: dict[object, Any] = {}
    for name, function in functions.items():
        setattr(module, name, function and compile_function(function, made, way.compiler))
    exec(way.head + loops.replace(", cache=True", ""), vars(module))
    return module
