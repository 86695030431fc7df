"""Lists of games and players by name."""

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

from perfectplay.exports.page.game_data import told
from perfectplay.rules.families import (
    RESULT,
    Family,
    Result,
    family_in,
    family_of,
    known_name,
    load_family,
    size_example,
    unknown_game,
)
from perfectplay.rules.loading import describe_fault, factory_in, load_file, split_path
from perfectplay.rules.notation import number_of
from perfectplay.rules.plugins import GAMES, PLAYERS, Plugin, name_taken, plugin_named, plugin_names, plugins
from perfectplay.views.document import Cell, Code, Document, Notes, Section, Seen, Table, more
from perfectplay.views.json_facts import json_facts, plain
from perfectplay.views.result import ResultClass
from perfectplay.words import BadGame, BadPlayer, PerfectplayError

MOST = 200
"""The records of a list that a table has."""

# Lists of records that read well when they are printed, and that a notebook shows as a table.


T = TypeVar("T")


class Listed(list[T], metaclass=ResultClass):
    """A list whose str() has a line for each record, called `one` or `many`; in all else it is a list."""

    def __init__(self, one: str, many: str, columns: Mapping[str, Callable[[T], Cell]], records: Iterable[T]) -> None:
        super().__init__(records)
        self.called = one, many
        self.columns = columns

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def to_dict(self) -> list[Any]:
        """The facts of each record."""
        return [plain(one) for one in self]

    def document(self) -> Document:
        """A table with a row for each record."""
        rows = [[cell(record) for cell in self.columns.values()] for record in self[:MOST]]
        title = number_of(len(self), *self.called)
        return Document(title, Table(rows, [*self.columns]), more(len(self) - MOST, self.called[1]))


@dataclass(frozen=True)
class GameInfo(metaclass=ResultClass):
    """A game that comes with the package: its name, the sizes that may follow it, aliases, and a summary.

    `group` is the kind of game, `rules` and `history` tell about it, `results` are those known with best play, and
    `known` is the one of the usual size.
    """

    name: str
    sizes: str
    aliases: dict[str, str]
    summary: str
    group: str = ""
    rules: str = field(default="", repr=False)
    history: str = field(default="", repr=False)
    results: tuple[Result, ...] = field(default=(), repr=False)
    known: str = ""

    def __str__(self) -> str:
        return f"{self.name:<12} {self.summary}"

    to_dict = json_facts("name", "sizes", "aliases", "summary", "group", "known", "rules", "history", "results")

    def document(self) -> Document:
        """Its rules, sizes, names, history and results."""
        names = [f"{self.name}:{self.sizes}" if self.sizes else "none", size_example(self.name) or ""]
        names += [f"{alias} is {self.name}{sizes and f':{sizes}'}" for alias, sizes in self.aliases.items()]
        sources = [one.source.replace("*", "") or "no source known to us" for one in self.results]
        results = [(one.game, one.text, source) for one, source in zip(self.results, sources, strict=True)]
        return Document(
            f"{self.name}: {without_name(self)}",
            Seen(Notes(f"Group: {self.group}" if self.group else "")),
            Notes(*self.rules.splitlines(), strong=True),
            Table([("" if number else "sizes", Code(name)) for number, name in enumerate(filter(None, names))]),
            Notes(*(" ".join(part.split()) for part in self.history.replace("*", "").split("\n\n"))),
            Section("results with best play", Table(results, indent=2)) if results else None,
        )


def without_name(game: GameInfo) -> str:
    """The summary without the name of the game, if it begins with just that."""
    title, _, rest = game.summary.partition(": ")
    return rest[:1].upper() + rest[1:] if title.lower() == game.name else game.summary


def game_named(name: str) -> GameInfo:
    """The game of that name or alias, with or without sizes; raises BadGame if there is none."""
    if split_path(name)[0] is not None:
        raise BadGame(f"{name!r} is a file of your own, not a game that comes with the package; try perfectplay check")
    typed = name.partition(":")[0]
    known = known_name(typed)
    if known is not None:
        family = family_of(known)
        return game_info(family, load_family(family.name), known)
    plugin = plugin_named(GAMES, typed)
    if plugin is None:
        raise unknown_game(typed, plugin_names(GAMES))
    return plugin_game(plugin, typed)


def game_info(known: Family, module: ModuleType, alias: str = "") -> GameInfo:
    """The game as people list it, told as under that alias where it has no text of its own."""
    sizes = known.aliases.get(alias, "")
    about = told(module, sizes)
    result = about["known"] or told(module, "")["known"]
    fields = (known.name, known.sizes, known.aliases, known.summary, known.group, about["rules"], about["history"])
    return GameInfo(*fields, known.results, result)


@dataclass(frozen=True)
class PlayerInfo(metaclass=ResultClass):
    """A named player: what it does, how its name is written, and which games it can play."""

    name: str
    summary: str
    games: str
    usage: str = field(default="", repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.usage or self.name:<20} {self.summary}"

    to_dict = json_facts("name", "summary")


# Plug-ins, which are loaded to be listed: one that does not work costs a line.

PLUGINS = "Plug-ins"
"""The group of games that other packages bring."""
OF_PLUGINS = "games of their authors' choice (plug-ins)"
"""What is known of the games that players of other packages can play."""


class PluginList(NamedTuple, Generic[T]):
    """The plug-ins of a group that work, and a line about each that does not."""

    working: list[T]
    faults: list[str]


def plugin_list(group: str, info: Callable[[Plugin], T]) -> PluginList[T]:
    """The plug-ins of a group, as this function tells of them."""
    found = PluginList[T]([], [])
    for plugin in plugins(group):
        try:
            found.working.append(info(plugin))
        except PerfectplayError as fault:
            found.faults.append(str(fault))
        except (Exception, SystemExit) as fault:
            found.faults.append(f"{plugin.name} does not work: {describe_fault(fault)}")
    return found


def print_faults(found: PluginList[T]) -> None:
    """Prints what is wrong with plug-ins that are not in a list."""
    for fault in found.faults:
        print(f"perfectplay: {fault}", file=sys.stderr)


@cache
def plugin_games() -> PluginList[GameInfo]:
    """The games of plug-ins."""
    return plugin_list(GAMES, plugin_game)


@cache
def plugin_players() -> PluginList[PlayerInfo]:
    """The players of plug-ins."""
    return plugin_list(PLAYERS, plugin_player)


def plugin_game(plugin: Plugin, alias: str = "") -> GameInfo:
    """The game of a plug-in, told as under that alias; raises BadGame."""
    module = load_file(plugin.located(BadGame), BadGame)
    factory_in(plugin.name, module)
    family = family_in(module, plugin.name, PLUGINS, {**plugin.aliases})
    proper = tuple(one for one in family.results if RESULT.fullmatch(one.text))
    return game_info(family._replace(results=proper), module, alias)


def plugin_player(plugin: Plugin) -> PlayerInfo:
    """The player of a plug-in; raises BadPlayer."""
    from perfectplay.players.bots.file_player import function_in
    from perfectplay.players.registry import player_entry

    if player_entry(plugin.name) is not None:
        raise BadPlayer(name_taken(PLAYERS, plugin.name, plugin.package))
    function = function_in(plugin.name, plugin.located(BadPlayer), plugin.function)
    about = (inspect.getdoc(function) or "").partition("\n")[0]
    return PlayerInfo(plugin.name, about or f"a player of the package {plugin.package}", OF_PLUGINS, plugin.name)
