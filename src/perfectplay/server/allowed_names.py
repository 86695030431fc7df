"""The names that a request may use: built-in games and players, and the user's own from the command line."""

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from perfectplay.exports.page.game_data import LONGEST_SIDE
from perfectplay.game import Game
from perfectplay.players.registry import KINDS, in_own_file, in_own_process, may_be_served, player_entry
from perfectplay.rules.families import (
    all_sizes,
    bound_sizes,
    family_of,
    full_name,
    known_name,
    load_family,
    signature_text,
    unknown_game,
)
from perfectplay.rules.loading import load_game, split_game, split_path, split_player
from perfectplay.rules.plugins import GAMES, plugin_named
from perfectplay.words import BadGame, BadPlayer

LONGEST_NAME = 512
"""Characters of a position or a name, at most."""
NAME = re.compile(r"[a-z][a-z0-9-]*(:[a-z0-9_,=-]*)?")


class AllowedNames(NamedTuple):
    """The games that the server was started with, and the user's own files and programs by the names that requests use.

    A file that was given with sizes keeps them where a request gives none.
    """

    opened: list[str] = ["tic-tac-toe"]  # noqa: RUF012 - never changed
    games: dict[str, str] = {}  # noqa: RUF012
    players: dict[str, str] = {}  # noqa: RUF012
    sizes: dict[str, str] = {}  # noqa: RUF012

    @property
    def opens(self) -> str:
        """The game that the page opens with."""
        return self.opened[0]

    def is_own(self, name: str) -> bool:
        """Whether the name means a user's own game file."""
        return name.partition(":")[0] in self.games

    def game(self, name: str) -> Game:
        """The game of that name."""
        file, colon, sizes = name.partition(":")
        if file in self.games:
            wanted = sizes if colon else self.sizes.get(file, "")
            return loaded(f"{self.games[file]}:{wanted}" if wanted else self.games[file])
        return loaded(normal_name(name))

    def sized(self, name: str) -> str:
        """The name with the sizes that its file was given with, where it has none, or with those that are left out."""
        sizes = self.sizes.get(name, "")
        return f"{name}:{sizes}" if sizes else full_name(name)

    def outward(self, text: str) -> str:
        """The text with paths replaced by the names that requests use."""
        for known, path in (*self.games.items(), *self.players.items()):
            text = text.replace(path, known)
        return text

    def player(self, name: str) -> str:
        """The player's full name; raises BadPlayer for a name that no request may use."""
        if name in self.players:
            return self.players[name]
        if split_path(name)[0] is not None or in_own_process(name):
            raise BadPlayer(f"no player {name!r} was named when the server was started")
        check_player(name)
        return name


@lru_cache(maxsize=1024)
def normal_name(name: str) -> str:
    """The canonical name of a built-in game, under which its table is kept."""
    if ".py" in name:
        raise BadGame(f"no game file {name!r} was named when the server was started")
    if not NAME.fullmatch(name):
        raise BadGame(f"{name!r} is not the name of a game here; write one such as tic-tac-toe or lines:4,4,3")
    typed, _, sizes = name.partition(":")
    known = known_name(typed)
    if known is None:
        raise unknown_game(typed)  # without a look at the files in the server's folder
    family = family_of(known)
    own = family.aliases.get(known, "")
    if own:
        return f"{known}:{sizes}" if sizes else known  # loading it says what is wrong with more sizes
    module = load_family(family.name)
    try:
        text = all_sizes(module, sizes)
    except TypeError:
        return f"{family.name}:{sizes}"  # loading it says what is wrong
    usual, wanted = (switches(module, given) for given in ("", sizes))
    if usual != wanted:
        raise BadGame(f"{name!r} has the wrong sizes; write {family.name}:{signature_text(module)}")
    if any(int(number) > LONGEST_SIDE for number in re.findall(r"(?<![\w=])-?\d+", text)):
        raise BadGame(f"{name!r} is too big for the page; sizes go up to {LONGEST_SIDE} here")
    same = [alias for alias, its in family.aliases.items() if its == text]
    return same[0] if same else f"{family.name}:{text}" if text else family.name


def switches(module: ModuleType, sizes: str) -> set[str]:
    """The sizes that are true or false."""
    return {name for name, value in bound_sizes(module, sizes).items() if isinstance(value, bool)}


@lru_cache(maxsize=256)
def loaded(name: str) -> Game:
    """The game of that name, cached for the next request."""
    return load_game(name)


def check_player(name: str) -> None:
    """Raises BadPlayer for a player or a model that would read a file or think for ever."""
    if not may_be_served(name):
        there = ", ".join(kind.name for kind in KINDS if may_be_served(kind.example or kind.name))
        raise BadPlayer(f"no player here is called {name!r}; there are {there}")


def allow(games: Sequence[str], players: Sequence[str]) -> AllowedNames:
    """The names allowed on a server that is started with these games and players; raises for what cannot be used."""
    own: dict[str, str] = {}
    started: dict[str, str] = {}
    shown: list[str] = []
    for name in games:
        path, sizes = split_game(name)
        if path is None:
            if load_game(name).texts is not None:  # loading it knows best what is wrong with the name
                raise BadGame(f"the page cannot show {name}, whose positions are text; perfectplay play {name} can")
            shown.append(full_name(name))
            continue
        typed, short = name.removesuffix(f":{sizes}"), path.name  # its table is kept under the name that was typed
        if (plugin := plugin_named(GAMES, typed)) is not None:
            typed = short = plugin.name
        if own.setdefault(short, typed) != typed:
            raise BadGame(f"two game files are called {short!r}; rename one of them")
        started.setdefault(short, sizes)
        shown.append(short + (f":{sizes}" if sizes else ""))
    allowed = AllowedNames(shown or AllowedNames().opened, own, named_bots(players), started)
    for name in shown:
        allowed.game(name)
    return allowed


# The user's own players that a server was started with: what the page calls them, and the files that they run.


def named_bots(players: Sequence[str]) -> dict[str, str]:
    """The user's own players by the names that requests use; raises BadPlayer for what is no such player."""
    bots: dict[str, str] = {}
    for name in players:
        short = short_name(name)
        if in_own_file(name):
            if bots.setdefault(short, name) != name:
                raise BadPlayer(f"two players are called {short!r}; rename one of the files")
        elif name not in bots.values():
            others = (f"{short}-{number}" for number in range(2, len(players) + 2))
            bots[short if short not in bots else next(other for other in others if other not in bots)] = name
    return bots


def short_name(name: str) -> str:
    """What the page calls a player: `bots.py:my_ai`, or of a program the file that is run."""
    if not in_own_process(name) or (in_own_file(name) and not split_player(name)[1]):
        raise BadPlayer(f"{name!r} is not a player of your own; write ./bots.py:my_ai or cmd:./mybot")
    if in_own_file(name) and split_path(name)[0] is None:
        return name  # a plug-in's
    file = file_of(name).name
    if in_own_file(name):
        return f"{file}:{split_path(name)[1]}"
    return file if player_entry(file) is None else f"./{file}"  # no program hides a player that comes with the package


def file_of(name: str) -> Path:
    """The file of a player of the user's own: that of its function, its program, or the script that this runs."""
    path, _ = split_player(name)
    if in_own_file(name) and path is not None:
        return path
    program, *words = command_of(name)
    scripts = [word for word in words if not word.startswith("-") and Path(word).is_file()]
    if os.sep not in program and scripts:
        return Path(scripts[0])  # python3 mybot.py
    return Path(shutil.which(program) or program)


def command_of(name: str) -> list[str]:
    """The words of a program's command."""
    try:
        words = shlex.split(name.partition(":")[2])
    except ValueError:
        words = []
    if not words:
        raise BadPlayer(f"{name!r} is not a command; write cmd:./mybot")
    return words
