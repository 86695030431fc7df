"""Games and players of other packages, found by their entry points.

    [project.entry-points."perfectplay.games"]
    my-game = "my_games.my_game"            # MODULE: a file with game(**sizes), as people write their own

    [project.entry-points."perfectplay.players"]
    my-ai = "my_games.bots:my_ai"           # MODULE:FUNCTION, as FILE:FUNCTION

A plug-in is another name for a user's own file. To find it, no module is imported; names that are built in come first,
and for them nobody asks here.
"""

import ast
import re
from collections import Counter
from contextlib import suppress
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.rules.families import family_names, known_name
from perfectplay.words import PerfectplayError

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GAMES, PLAYERS = "perfectplay.games", "perfectplay.players"
"""The groups of entry points."""
FORMS = {GAMES: ("MODULE", r"([\w.]+)()"), PLAYERS: ("MODULE:FUNCTION", r"([\w.]+):([\w.]+)")}
NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


class Plugin(NamedTuple):
    """A name that a package gives a module, or a function of it; either the module's file, or what is wrong.

    A game's aliases stand for sizes, as in files that come with this package.
    """

    name: str
    package: str
    module: str = ""
    function: str = ""
    file: Path | None = None
    aliases: dict[str, str] = {}  # noqa: RUF012 - never changed
    fault: str = ""

    def located(self, error: type[PerfectplayError]) -> Path:
        """The file; raises the error if there is none."""
        if self.file is None:
            raise error(self.fault)
        return self.file


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """The plug-ins of a group by name, faulty ones, too."""
    from importlib.metadata import distributions  # it takes 40 ms to import

    claims: dict[str, dict[str, str]] = {}
    unreadable = []
    for package in distributions():
        try:
            for point in package.entry_points.select(group=group):
                claims.setdefault(point.name, {}).setdefault(package_name(package), point.value)
        except Exception as fault:  # a text that is no list of entry points
            name = package_name(package)
            what = f"the entry points of {name} cannot be read: {type(fault).__name__}: {fault}"
            unreadable.append(Plugin("", name, fault=f"{what}; install it again"))
    found = [*unreadable, *(plugin_of(group, name, claim) for name, claim in sorted(claims.items()))]
    often = Counter(name for plugin in found for name in (plugin.name, *plugin.aliases))
    return tuple(
        plugin._replace(aliases={name: sizes for name, sizes in plugin.aliases.items() if often[name] == 1})
        for plugin in found
    )


@lru_cache(maxsize=1024)
def plugin_named(group: str, name: str) -> Plugin | None:
    """The plug-in that has this name or alias; None if there is none, or if the game is built in."""
    if not NAME.fullmatch(name) or (group == GAMES and is_built_in(name)):
        return None
    found = plugins(group)
    return next((one for one in found if one.name == name), None) or next(
        (one for one in found if name in one.aliases), None
    )


def plugin_names(group: str) -> list[str]:
    """The names and aliases of the plug-ins that can be found."""
    return [name for one in plugins(group) if not one.fault for name in (one.name, *one.aliases)]


def plugin_module(file: Path) -> str:
    """The module in a package of which a plug-in has made this its file; empty for all other files."""
    if not (file.parent / "__init__.py").is_file():
        return ""
    return next((one.module for group in FORMS for one in plugins(group) if one.file == file), "")


def package_name(package: "Distribution") -> str:
    """What a package is called, as far as it says so."""
    with suppress(Exception):  # what describes it may be missing
        return str(package.name)
    return "a package without a name"


def shown_plugin(group: str, name: str, package: str) -> str:
    """What a plug-in is called in a message: the game 'apart' of my-games."""
    return f"the {'game' if group == GAMES else 'player'} {name!r} of {package}"


def name_taken(group: str, name: str, package: str) -> str:
    """The message for a plug-in that is called like something built in."""
    return f"{shown_plugin(group, name, package)} is never used: perfectplay has its own; rename the entry point"


def plugin_of(group: str, name: str, claims: dict[str, str]) -> Plugin:
    """The plug-in of that name, which packages claim with these values."""
    packages = " and ".join(sorted(claims))
    what = shown_plugin(group, name, packages)
    (_, value), *others = claims.items()
    form, pattern = FORMS[group]
    match = re.fullmatch(pattern, value)
    file = module_file(match[1]) if match else None
    fault = ""
    if others:
        fault = f"{what} is more than one; uninstall all these packages but one"
    elif group == GAMES and is_built_in(name):
        fault = name_taken(group, name, packages)
    elif not NAME.fullmatch(name):
        fault = f"{what} needs a name of letters, digits and hyphens"
    elif not match:
        fault = f"{what} is {value!r}; its entry point must be {form}"
    elif file is None:
        fault = f"{what} needs the module {match[1]}, which has no Python file here; install the package again"
    if fault or match is None or file is None:
        return Plugin(name, packages, fault=fault)
    return Plugin(name, packages, match[1], match[2], file, aliases_in(file) if group == GAMES else {})


def is_built_in(name: str) -> bool:
    """Whether a game that comes with this package has the name."""
    return name in family_names() or known_name(name) is not None


def module_file(module: str) -> Path | None:
    """The Python file of a module, found without importing the packages in which it is; None without one."""
    top, *rest = module.split(".")
    with suppress(ImportError, ValueError):
        spec = find_spec(top)
        for name in rest:
            inside = spec and spec.submodule_search_locations
            spec = PathFinder.find_spec(f"{top}.{name}", inside) if inside else None
        if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
            return Path(spec.origin).resolve()
    return None


def aliases_in(file: Path) -> dict[str, str]:
    """The dictionary ALIASES as it is written out in a game's file, without names that are built in."""
    aliases: dict[str, str] = {}
    with suppress(OSError, SyntaxError, ValueError, AttributeError):  # loading the file says what is wrong
        for node in ast.parse(file.read_bytes()).body:
            match node:
                case ast.Assign(targets=[ast.Name("ALIASES")], value=value):
                    aliases = {str(name): str(sizes) for name, sizes in ast.literal_eval(value).items()}
    return {name: sizes for name, sizes in aliases.items() if NAME.fullmatch(name) and not is_built_in(name)}
