"""Name or file -> game: `lines:4,4,3`, `tic-tac-toe`, `./mygame.py:5,5`."""

import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.rules.families import (
    Family,
    Size,
    family_names,
    family_of,
    full_sizes,
    known_name,
    load_family,
    parse_sizes,
    signature_text,
    unknown_game,
)
from perfectplay.rules.neighbours import SavedSource, admit
from perfectplay.rules.notation import move_name
from perfectplay.rules.rule_results import checked_after, checked_moves, checked_outcome
from perfectplay.words import FIRST, ONGOING, BadGame, PerfectplayError

FOREIGN = "openspiel:"
"""What names of games begin with that come from OpenSpiel."""


def load_game(name: str) -> Game:
    """The game of that name, sizes included."""
    if name.endswith(":") and name != FOREIGN:
        raise BadGame(f"{name!r} names no sizes; write {name[:-1]}, or sizes behind the colon as in lines:3,3,3")
    if name.startswith(FOREIGN):
        return foreign_game(name)
    path, sizes = split_path(name)
    if path is not None:
        return build_game(name, name.removesuffix(f":{sizes}"), load_file(path, BadGame), sizes)
    typed, _, sizes = name.partition(":")
    if "/" in typed:
        raise mistyped_path(typed) or BadGame(f"{typed!r} is not a game's file, which ends in .py, such as ./mygame.py")
    meant = typed if typed in family_names() else known_name(typed)
    if meant is None:
        raise mistyped_path(typed) or unknown_game(typed)
    family = family_of(meant)
    own, module = family.aliases.get(meant, ""), load_family(family.name)
    if own and sizes:
        raise alias_with_sizes(meant, family, sizes)
    sizes = full_sizes(module, sizes)
    return build_game(f"{family.name}:{sizes}" if sizes else meant, family.name, module, own or sizes)


def foreign_game(name: str) -> Game:
    """The game of OpenSpiel of that name."""
    from perfectplay.rules.openspiel_games import openspiel_game  # only when it is wanted

    game = openspiel_game(name)
    walk(game)
    return game


def alias_with_sizes(alias: str, family: Family, typed: str) -> BadGame:
    """The error for sizes behind an alias, which has its own, with the family's name for what was probably meant."""
    own = family.aliases[alias]
    takes = inspect.signature(load_family(family.name).game)
    names = ", ".join(takes.bind_partial(*parse_sizes(alias, own)[0]).arguments)
    meant = merge_sizes(takes, own, typed)
    try:
        load_game(f"{family.name}:{meant}")
    except BadGame:
        meant = own
    already = f"{alias!r} has its sizes already ({family.name}:{own}: {names})"
    return BadGame(f"{already}; write the family with all of them, such as {family.name}:{meant}")


def merge_sizes(takes: inspect.Signature, own: str, typed: str) -> str:
    """The alias's own sizes with those that were typed in their places; what cannot be read changes nothing.

    Equal sizes stay equal unless they have a keyword: 19 for 15,15,5 is 19,19,5, and k=6 is 15,15,6.
    """
    by_place, by_name = parse_sizes(own, own)
    sizes: dict[str, Size] = takes.bind_partial(*by_place, **by_name).arguments
    try:
        positional, keywords = parse_sizes(typed, typed)
        new: dict[str, Size] = takes.bind_partial(*positional, **keywords).arguments
    except (BadGame, TypeError):
        return own
    merged = {**sizes}
    for name in [*takes.parameters][: len(by_place)]:
        same = {new[other] for other in [*takes.parameters][: len(positional)] if sizes.get(other) == sizes[name]}
        merged[name] = same.pop() if len(same) == 1 else sizes[name]
    merged |= new
    parts = [(name, str(merged[name]).lower()) for name in takes.parameters if name in merged]
    return ",".join(size if i < len(by_place) else f"{name}={size}" for i, (name, size) in enumerate(parts))


def mistyped_path(typed: str) -> BadGame | None:
    """The error for the path of a file without its .py, or of a folder; None if it is neither."""
    with suppress(OSError):  # a name too long for a file
        if Path(f"{typed}.py").is_file():
            return BadGame(f"no game is called {typed!r}; did you mean {shown_path(Path(f'{typed}.py'))}?")
        if typed and Path(typed).is_dir():
            return BadGame(f"{typed!r} is a folder; write the path of a Python file")
    return None


def split_path(text: str) -> tuple[Path | None, str]:
    """The file and what follows its colon, if the text names a Python file; else no file and the text."""
    match = re.fullmatch(r"(?P<path>.+?\.py)(?::(?P<rest>.*))?", text)
    if match is None:
        return None, text
    path = Path(match["path"])
    with suppress(RuntimeError):  # ~user of an unknown user
        path = path.expanduser()
    return path, match["rest"] or ""


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

    Two neighbours of one name, in different folders, are refused: see `rules.neighbours`.
    """
    if not path.is_file():
        file = repr(shown_path(path))
        what = f"{file} is a folder" if path.is_dir() else f"there is no file {file}"
        raise error(f"{what}; write the path of a Python file")
    name, place = f"perfectplay_user_{path.stem}", path.resolve()
    spec = importlib.util.spec_from_file_location(name, place, loader=SavedSource(name, str(place)))
    if spec is None or spec.loader is None:
        raise error(f"{shown_path(path)!r} cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    admit(place, error)
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            spec.loader.exec_module(module)
    except PerfectplayError:
        raise
    except (Exception, SystemExit) as fault:
        raise error(f"{shown_path(path)}{line_of(fault, path)} does not load: {describe_fault(fault)}") from fault
    return module


def wrong_kind(signature: inspect.Signature, arguments: Mapping[str, object]) -> str:
    """What is wrong with a number given for a switch, or the other way round; empty if nothing is."""
    for name, value in arguments.items():
        default = signature.parameters[name].default
        if isinstance(default, bool) and value not in (0, 1):
            return f"{name} must be true or false, not {value}"
        numbers = value if isinstance(value, tuple) else (value,) if type(default) is int else ()
        if any(isinstance(number, bool) for number in numbers):
            return f"{name} must be a number, not true or false"
    return ""


def build_game(name: str, family: str, module: ModuleType, sizes: str) -> Game:
    """The game that the file makes for the sizes, called by the name it was asked for by."""
    factory = getattr(module, "game", None)
    if not callable(factory):
        raise BadGame(f"{family} has no function game; write: def game(): return Game(...)")
    positional, keywords = parse_sizes(name, sizes)
    try:
        signature = inspect.signature(factory)
        wrong = wrong_kind(signature, signature.bind(*positional, **keywords).arguments)
        if wrong:
            raise TypeError(wrong)
    except TypeError as fault:
        takes = signature_text(module, example="5")
        example = f"{family}:{takes}" if takes else f"{family} without sizes"
        raise BadGame(f"{name!r} has the wrong sizes ({fault}); write {example}") from None
    try:
        game = factory(*positional, **keywords)
    except BadGame as fault:
        refused = BadGame(f"{name!r}: {fault}")
        refused.impossible = True
        raise refused from None
    except (Exception, SystemExit) as fault:
        raise BadGame(does_not_work(name, module, fault)) from fault
    try:
        if not isinstance(game, Game):
            raise BadGame(f"game() returns {game!r}, not a Game")
        game = replace(game, name=name)
        if not module.__name__.startswith("perfectplay.games."):
            walk(game)
    except BadGame as fault:
        raise BadGame(f"{name!r}: {fault}") from None
    except (Exception, SystemExit) as fault:
        raise BadGame(does_not_work(name, module, fault)) from fault
    return game


def does_not_work(name: str, module: ModuleType, fault: BaseException) -> str:
    """The message that a game's file fails."""
    return f"{name!r}{line_of(fault, Path(module.__file__ or ''))} does not work: {describe_fault(fault)}"


def walk(game: Game, longest: int = 60) -> None:
    """Plays one random game by rules that are new; raises BadGame if they return what they must not."""
    rng, position, side = Random(1), game.start, FIRST
    for _ in range(longest):
        if checked_outcome(game, position, side) != ONGOING:
            return
        move = rng.choice(bit_numbers(checked_moves(game, position, side)))
        move_name(game, position, side, move)
        position, side = checked_after(game, position, side, move)


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
