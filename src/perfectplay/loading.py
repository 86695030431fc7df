"""Name or file -> game: `lines:4,4,3`, `tic-tac-toe`, `./mygame.py:5,5`.

A game's name is the name of its file in `perfectplay/games/`, or an alias that the file itself declares, or the path
of a user's own file. Nothing is registered anywhere.
"""

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, moves_again
from perfectplay.neighbours import SavedSource, folder_at
from perfectplay.notation import move_name
from perfectplay.rule_results import checked_moves, checked_outcome, checked_play
from perfectplay.words import FIRST, ONGOING, SECOND, BadGame, PerfectplayError

GAMES = Path(__file__).parent / "games"

Size = int | bool


class Described(NamedTuple):
    """A game family that comes with the package."""

    name: str
    sizes: str
    aliases: dict[str, str]
    summary: str


def load_game(name: str) -> Game:
    """The game of that name, sizes included."""
    if name.endswith(":"):
        raise BadGame(f"{name!r} names no sizes; write {name[:-1]}, or sizes behind the colon as in lines:3,3,3")
    path, sizes = split_path(name)
    if path is not None:
        return build_game(name, name.removesuffix(f":{sizes}"), load_file(path, BadGame), sizes)
    family, _, sizes = name.partition(":")
    if "/" in family:
        raise mistyped_path(family) or BadGame(
            f"{family!r} is not a game's file, which ends in .py, such as ./mygame.py"
        )
    if family in family_names():
        return build_game(name, family, load_family(family), sizes)
    for known in describe_games():
        if family in known.aliases:
            if sizes:
                raise alias_with_sizes(family, known, sizes)
            return build_game(name, known.name, load_family(known.name), known.aliases[family])
    raise mistyped_path(family) or unknown_game(family)


def alias_with_sizes(alias: str, known: Described, typed: str) -> BadGame:
    """The error for sizes behind an alias, which has its own, with the family's name for what was probably meant."""
    own = known.aliases[alias]
    takes = inspect.signature(load_family(known.name).game)
    names = ", ".join(takes.bind_partial(*parse_sizes(alias, own)[0]).arguments)
    meant = resized(takes, own, typed)
    try:
        load_game(f"{known.name}:{meant}")
    except BadGame:
        meant = own
    already = f"{alias!r} has its sizes already ({known.name}:{own}: {names})"
    return BadGame(f"{already}; write the family with all of them, such as {known.name}:{meant}")


def resized(takes: inspect.Signature, own: str, typed: str) -> str:
    """The alias's own sizes with those that were typed in their places; what cannot be read changes nothing.

    Equal sizes stay equal unless they have a keyword: 19 for 15,15,5 is 19,19,5, and k=6 is 15,15,6.
    """
    by_place, by_name = parse_sizes(own, own)
    sizes: dict[str, Size] = takes.bind_partial(*by_place, **by_name).arguments
    try:
        positional, named = parse_sizes(typed, typed)
        new: dict[str, Size] = takes.bind_partial(*positional, **named).arguments
    except (BadGame, TypeError):
        return own
    merged = {**sizes}
    for name in [*takes.parameters][: len(by_place)]:
        same = {new[other] for other in [*takes.parameters][: len(positional)] if sizes.get(other) == sizes[name]}
        merged[name] = same.pop() if len(same) == 1 else sizes[name]
    merged |= new
    parts = [(name, str(merged[name]).lower()) for name in takes.parameters if name in merged]
    return ",".join(size if i < len(by_place) else f"{name}={size}" for i, (name, size) in enumerate(parts))


def unknown_game(family: str) -> BadGame:
    """The error that no game of the package has this name, with the name that was probably meant."""
    names = [*family_names(), *(alias for known in describe_games() for alias in known.aliases)]
    from difflib import get_close_matches

    close = get_close_matches(family.lower(), names, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}, or a file such as ./mygame.py"
    return BadGame(f"no game is called {family!r}; {hint}")


def mistyped_path(typed: str) -> BadGame | None:
    """The error for the path of a file without its .py, or of a folder; None if it is neither."""
    with suppress(OSError):  # a name too long for a file
        if Path(f"{typed}.py").is_file():
            return BadGame(f"no game is called {typed!r}; did you mean {shown_path(Path(f'{typed}.py'))}?")
        if typed and Path(typed).is_dir():
            return BadGame(f"{typed!r} is a folder; write the path of a Python file")
    return None


def describe_games() -> Iterator[Described]:
    """The game families that come with the package, by name."""
    for name in family_names():
        module = load_family(name)
        summary = (inspect.getdoc(module) or "").partition("\n")[0]
        yield Described(name, signature_text(module), dict(getattr(module, "ALIASES", {})), summary)


def family_names() -> list[str]:
    """The names of the game files that come with the package."""
    return sorted(file.stem for file in GAMES.glob("[!_]*.py"))


def shown_names() -> list[str]:
    """The games to show people: each family by its aliases or its own name, the best known first."""
    known: tuple[str, ...] = importlib.import_module("perfectplay.games").BEST_KNOWN
    names = [name for one in describe_games() for name in (one.aliases or [one.name])]
    return sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))


def load_family(name: str) -> ModuleType:
    """The game file of that name that comes with the package."""
    return importlib.import_module(f"perfectplay.games.{name}")


def split_path(text: str) -> tuple[Path | None, str]:
    """The file and what follows its colon, if the text names a Python file; else no file and the text."""
    found = re.fullmatch(r"(?P<path>.+?\.py)(?::(?P<rest>.*))?", text)
    if found is None:
        return None, text
    path = Path(found["path"])
    with suppress(RuntimeError):  # ~user of an unknown user
        path = path.expanduser()
    return path, found["rest"] or ""


def shown_path(path: Path) -> str:
    """The path as people type it: ./mygame.py, ../games/mygame.py."""
    return str(path) if str(path).startswith(("/", ".", "~")) else f"./{path}"


def absolute_name(name: str) -> str:
    """The game's name, such that it means the same in every folder."""
    path, sizes = split_path(name)
    return name if path is None else f"{path.resolve()}{f':{sizes}' if sizes else ''}"


@cache
def load_file(path: Path, error: type[PerfectplayError]) -> ModuleType:
    """The module in a user's file; it can import its neighbours, as when Python runs the file.

    Files of different folders may have neighbours of the same name: each gets its own, see `perfectplay.neighbours`.
    """
    if not path.is_file():
        shown = repr(shown_path(path))
        what = f"{shown} is a folder" if path.is_dir() else f"there is no file {shown}"
        raise error(f"{what}; write the path of a Python file")
    name, place = f"perfectplay_user_{path.stem}", path.resolve()
    spec = importlib.util.spec_from_file_location(name, place, loader=SavedSource(name, str(place)))
    if spec is None or spec.loader is None:
        raise error(f"{shown_path(path)!r} cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    vars(module)["__builtins__"] = folder_at(path.resolve().parent).builtins
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            spec.loader.exec_module(module)
    except PerfectplayError:
        raise
    except (Exception, SystemExit) as fault:
        raise error(f"{shown_path(path)}{line_of(fault, path)} does not load: {describe_fault(fault)}") from fault
    return module


def build_game(name: str, family: str, module: ModuleType, sizes: str) -> Game:
    """The game that the file makes for the sizes, called by the name it was asked for by."""
    factory = getattr(module, "game", None)
    if not callable(factory):
        raise BadGame(f"{family} has no function game; write: def game(): return Game(...)")
    positional, named = parse_sizes(name, sizes)
    try:
        inspect.signature(factory).bind(*positional, **named)
    except TypeError as fault:
        takes = signature_text(module, example="5")
        example = f"{family}:{takes}" if takes else f"{family} without sizes"
        raise BadGame(f"{name!r} has the wrong sizes ({fault}); write {example}") from None
    try:
        game = factory(*positional, **named)
        if not isinstance(game, Game):
            raise BadGame(f"game() returns {game!r}, not a Game")
        game = replace(game, name=name)
        if not module.__name__.startswith("perfectplay.games."):
            walk(game)
    except BadGame as fault:
        raise BadGame(f"{name!r}: {fault}") from None
    except (Exception, SystemExit) as fault:
        where = line_of(fault, Path(module.__file__ or ""))
        raise BadGame(f"{name!r}{where} does not work: {describe_fault(fault)}") from fault
    return game


def walk(game: Game, longest: int = 60) -> None:
    """Plays one random game by rules that are new; raises BadGame if they return what they must not."""
    rng, position, side = Random(1), game.start, FIRST
    for _ in range(longest):
        if checked_outcome(game, position, side) != ONGOING:
            return
        move = rng.choice(bit_numbers(checked_moves(game, position, side)))
        move_name(game, position, side, move)
        child = checked_play(game, position, side, move)
        position, side = child, side if moves_again(game, position, move) else SECOND - side


def parse_sizes(name: str, text: str) -> tuple[list[Size], dict[str, Size]]:
    """The sizes by place and by keyword: `3,3,3,misere=true`."""
    positional: list[Size] = []
    named: dict[str, Size] = {}
    for part in text.split(",") if text.strip() else []:
        keyword, equals, value = (piece.strip() for piece in part.rpartition("="))
        if value.lower() in ("true", "false"):
            size: Size = value.lower() == "true"
        elif re.fullmatch(r"-?[0-9]{1,9}", value):
            size = int(value)
        elif re.fullmatch(r"-?[0-9]+", value):
            raise BadGame(f"{name!r}: {part.strip()!r} is too large; a size has at most 9 digits")
        else:
            raise BadGame(f"{name!r}: {part.strip()!r} is not a size; write a whole number, true or false")
        if not equals and named:
            raise BadGame(f"{name!r}: {part.strip()!r} needs a keyword, since it comes after one")
        if not equals:
            positional.append(size)
        elif keyword in named:
            raise BadGame(f"{name!r}: {keyword} is given twice")
        else:
            named[keyword] = size
    return positional, named


def signature_text(module: ModuleType, example: str = "") -> str:
    """The sizes that a game file takes, with their defaults: `width=3,height=3,k=3,misere=false`.

    A size without a default is its name, or in an example, where it needs no keyword, that number.
    """

    def text(size: inspect.Parameter) -> str:
        if size.default is not size.empty:
            return f"{size.name}={str(size.default).lower()}"
        by_name = size.kind in (size.KEYWORD_ONLY, size.VAR_KEYWORD)
        return f"{size.name}={example}" if example and by_name else example or size.name

    return ",".join(text(size) for size in inspect.signature(module.game).parameters.values())


def describe_fault(fault: BaseException) -> str:
    """The fault's kind and its message, in one line."""
    message = fault.msg if isinstance(fault, SyntaxError) else str(fault)
    return " ".join(f"{type(fault).__name__}: {message}".split()).removesuffix(":")


def line_of(fault: BaseException, path: Path) -> str:
    """` (line 12)`: the last line of the file that the fault came through, if it did."""
    if isinstance(fault, SyntaxError):
        return f" (line {fault.lineno})" if fault.lineno else ""
    line, step = None, fault.__traceback__
    while step is not None:
        if Path(step.tb_frame.f_code.co_filename).name == path.name:
            line = step.tb_lineno
        step = step.tb_next
    return f" (line {line})" if line else ""
