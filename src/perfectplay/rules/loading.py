"""Name or file -> game: `lines:4,4,3`, `tic-tac-toe`, `./mygame.py:5,5`."""

import ast
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NoReturn

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, is_position, moves_again
from perfectplay.rules.families import (
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
from perfectplay.rules.notation import move_name, show_position
from perfectplay.rules.plugins import GAMES, PLAYERS, plugin_module, plugin_named, plugin_names
from perfectplay.words import FIRST, LOSS, ONGOING, SECOND, BadGame, Move, PerfectplayError, Position, Turn

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
    if meant is not None:
        family, _, aliases, *_ = family_of(meant)
        module = load_family(family)
    elif (plugin := plugin_named(GAMES, typed)) is not None:
        meant, family, aliases, module = typed, plugin.name, plugin.aliases, load_file(plugin.located(BadGame), BadGame)
    else:
        raise mistyped_path(typed) or unknown_game(typed, plugin_names(GAMES))
    own = aliases.get(meant, "")
    if own and sizes:
        raise alias_with_sizes(meant, family, own, module, sizes)
    sizes = full_sizes(module, sizes)
    return build_game(f"{family}:{sizes}" if sizes else meant, family, module, own or sizes)


def foreign_game(name: str) -> Game:
    """The game of OpenSpiel of that name."""
    from perfectplay.rules.openspiel_games import openspiel_game  # only when it is wanted

    game = openspiel_game(name)
    walk(game)
    return game


def alias_with_sizes(alias: str, family: str, own: str, module: ModuleType, typed: str) -> BadGame:
    """The error for sizes behind an alias, which has its own, with the family's name for what was probably meant."""
    takes = inspect.signature(factory_in(family, module))
    names = ", ".join(takes.bind_partial(*parse_sizes(alias, own)[0]).arguments)
    meant = merge_sizes(takes, own, typed)
    try:
        load_game(f"{family}:{meant}")
    except BadGame:
        meant = own
    already = f"{alias!r} has its sizes already ({family}:{own}: {names})"
    return BadGame(f"{already}; write the family with all of them, such as {family}:{meant}")


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


def split_game(text: str) -> tuple[Path | None, str]:
    """As `split_path`; the name of a plug-in's game means a file, too, and its alias the sizes for which it stands."""
    path, rest = split_path(text)
    name, _, sizes = text.partition(":")
    if path is None and name != FOREIGN[:-1] and (plugin := plugin_named(GAMES, name)) is not None:
        return plugin.file, plugin.aliases.get(name) or sizes
    return path, rest


def split_player(text: str) -> tuple[Path | None, str]:
    """As `split_path`; the name of a plug-in's player means a file and its function, too."""
    path, rest = split_path(text)
    if path is None and (plugin := plugin_named(PLAYERS, text)) is not None:
        return plugin.file, plugin.function
    return path, rest


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

    Two neighbours of one name, in different folders, are refused. A plug-in in a package is imported as part of it.
    """
    if not path.is_file():
        file = repr(shown_path(path))
        what = f"{file} is a folder" if path.is_dir() else f"there is no file {file}"
        raise error(f"{what}; write the path of a Python file")
    name, place = f"perfectplay_user_{path.stem}", path.resolve()
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            if installed := plugin_module(place):
                return importlib.import_module(installed)
            spec = importlib.util.spec_from_file_location(name, place, loader=SavedSource(name, str(place)))
            if spec is None or spec.loader is None:
                raise error(f"{shown_path(path)!r} cannot be loaded as a Python file")
            module = importlib.util.module_from_spec(spec)
            admit(place, error)
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


def factory_in(family: str, module: ModuleType) -> Callable[..., object]:
    """The function of a game's file that makes the game; raises BadGame."""
    factory: object = getattr(module, "game", None)
    if not callable(factory):
        raise BadGame(f"{family} has no function game; write: def game(): return Game(...)")
    return factory


def build_game(name: str, family: str, module: ModuleType, sizes: str) -> Game:
    """The game that the file makes for the sizes, called by the name it was asked for by."""
    factory = factory_in(family, module)
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


# The neighbours of a user's file: modules of its folder that it imports by name, as when Python runs the file.
#
# The folder goes to the end of sys.path, so the standard library and installed packages come first. In one process a
# name means one module: a file is refused if a neighbour that it imports has its name in another folder, too.


OURS = __name__.partition(".")[0]
"""The name of this package."""
FOLDERS: dict[Path, dict[str, Path]] = {}
"""The neighbours that files of each folder import, by name."""


class SavedSource(SourceFileLoader):
    """Loads a user's file as it is saved now.

    Python's own cache of compiled files cannot tell two texts of one length apart that are saved in the same second.
    """

    def path_stats(self, path: str) -> NoReturn:
        """Refuses to tell when the file was saved, so that no compiled file is read or written."""
        raise OSError(f"{path} is always compiled")


def admit(file: Path, error: type[PerfectplayError]) -> None:
    """Lets a file import its neighbours; raises the error if one of them has its name in the folder of another file."""
    folder, names = file.parent, neighbours_of(file)
    own = FOLDERS.setdefault(folder, {})
    for other, theirs in FOLDERS.items():
        if other != folder:
            for name in sorted(names.keys() | theirs.keys()):
                mine, elsewhere = names.get(name) or module_at(name, folder), theirs.get(name) or module_at(name, other)
                if mine and elsewhere:
                    raise error(clash(name, mine, elsewhere))
    for name, mine in names.items():
        module_file = getattr(sys.modules.get(name), "__file__", None)
        if module_file is not None and Path(module_file).resolve() != mine:
            raise error(clash(name, mine, Path(module_file)))
    own.update(names)
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def clash(name: str, mine: Path, other: Path) -> str:
    """The message for two modules of one name."""
    return f"{name!r} would be both {mine} and {other} in one program; give one of them another name"


def files_beside(folder: Path) -> list[Path]:
    """The files of a folder's modules that its files import."""
    return sorted({file for top in FOLDERS.get(folder, {}).values() for file in files_of(top)})


def neighbours_of(file: Path) -> dict[str, Path]:
    """The modules of its folder that a file imports, anywhere in its text, and those that these import, by name."""
    names: dict[str, Path] = {}
    waiting = [file]
    while waiting:
        for name in imports_of(waiting.pop()):
            place = None if name in names else module_at(name, file.parent)
            if place is not None:
                names[name] = place
                waiting += files_of(place)
    return names


def imports_of(file: Path) -> set[str]:
    """The top-level names that a file imports; none if it cannot be read, which shows when it is loaded."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in names} - {""}


def files_of(place: Path) -> list[Path]:
    """The file of a module, or all those of a package."""
    return sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]


def module_at(name: str, folder: Path) -> Path | None:
    """The file of a folder's module; None if there is none, or if the name means something else."""
    if is_installed(name):
        return None
    for place in (folder / name / "__init__.py", folder / f"{name}.py"):
        if place.is_file():
            return place.resolve()
    return None


@cache
def is_installed(name: str) -> bool:
    """Whether the name is that of this package, or of a module of the standard library or of an installed package."""
    if name == OURS or name in sys.stdlib_module_names or name in sys.builtin_module_names:
        return True
    spec = PathFinder.find_spec(name, site_folders())
    return spec is not None and spec.origin is not None


@cache
def site_folders() -> list[str]:
    """The folders of installed packages."""
    import site

    own: Any = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return [*site.getsitepackages(), *own]


# What rule functions return, checked: an impossible result raises BadGame with the function and the position.


class NeverReturns(BadGame):
    """A rule function does not return; the message says which, and where."""


def checked_outcome(game: Game, position: Position, side: int) -> int:
    """The outcome of the position; raises BadGame if it is none of the four."""
    outcome: object = game.outcome(*position)
    if isinstance(outcome, int) and outcome is not True and outcome is not False and LOSS <= outcome <= ONGOING:
        return outcome
    where = turn_text(game, position, side)
    raise BadGame(f"outcome is {outcome!r} in {where}; it must be LOSS, DRAW, WIN or ONGOING{place(game.outcome)}")


def checked_moves(game: Game, position: Position, side: int) -> int:
    """The legal moves of an ongoing position as bits; raises BadGame if there is none or this is no number."""
    moves: object = game.moves(*position)
    if isinstance(moves, int) and moves > 0:
        return moves
    where = turn_text(game, position, side)
    if moves == 0:
        why = f"look at moves, or at where outcome ends the game{place(game.moves)}"
        raise BadGame(f"{where} is ONGOING without a legal move; {why}")
    form = "it must be an integer, bit m set when move m is legal"
    raise BadGame(f"moves is {moves!r} in {where}; {form}{place(game.moves)}")


def checked_play(game: Game, position: Position, side: int, move: Move) -> Position:
    """The position after the move; raises BadGame if it is not two words."""
    child = game.play(*position, move)
    if not is_position(child, game.bits):
        raise bad_play(game, position, side, move, child)
    return child


def checked_after(game: Game, position: Position, side: int, move: Move) -> Turn:
    """The position after the move and the side to move in it; raises BadGame if it is not two words."""
    return checked_play(game, position, side, move), side if moves_again(game, position, move) else SECOND - side


def bad_play(game: Game, position: Position, side: int, move: Move, child: object) -> BadGame:
    """The error for a move that leads to no position."""
    where = turn_text(game, position, side)
    try:
        name = move_name(game, position, side, move)
    except BadGame as unnamed:
        return BadGame(f"{unnamed}; it is a legal move in {where}{place(game.moves)}")
    form = f"a tuple of two whole numbers of at most {game.bits} bits, (theirs, mine) after the move"
    message = f"play leads to {child!r} from {where} by move {move} ({name}); it must return {form}"
    return BadGame(f"{message}{place(game.play)}")


def place(rule: Callable[..., object]) -> str:
    """Where a user's rule function is, as the end of a line: ` (mygame.py, line 12)`; empty for other functions."""
    code = getattr(rule, "__code__", None)
    if code is None or str(getattr(rule, "__module__", "")).startswith("perfectplay."):
        return ""
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def turn_text(game: Game, position: Position, side: int) -> str:
    """The position as text and as its two words."""
    try:
        return f"{show_position(game, position, side)} {position}"
    except Exception:  # words that are not yet known to be right, drawn by a look that may not be
        return f"{position}"
