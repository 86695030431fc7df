"""What a request may name: the games and players of the package, and the user's own that the command line named."""

import inspect
import re
from functools import lru_cache
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.loading import family_names, load_family, load_game, parse_sizes, signature_text, split_path
from perfectplay.players.registry import KINDS, may_be_served
from perfectplay.words import BadGame, BadPlayer

LONGEST_NAME = 512
"""Characters of a position or of a name of anything."""
NAME = re.compile(r"[a-z][a-z0-9-]*(:[a-z0-9_,=-]*)?")
LONGEST_SIDE = 19
"""Squares in a row or a column of the boards that come with the package."""


class Menu(NamedTuple):
    """The user's own files, by the name that a request gives them; the games that the server was started with.

    A file that was named with sizes has these sizes where a request names none.
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
        """Whether a game's name means a file of the user's own."""
        return name.partition(":")[0] in self.games

    def game(self, name: str) -> Game:
        """The game of that name."""
        file, colon, sizes = name.partition(":")
        if file in self.games:
            wanted = sizes if colon else self.sizes.get(file, "")
            return loaded(f"{self.games[file]}:{wanted}" if wanted else self.games[file])
        return loaded(normal_name(name))

    def outward(self, text: str) -> str:
        """The text with the user's files called as requests call them."""
        for known, path in (*self.games.items(), *self.players.items()):
            text = text.replace(path, known)
        return text

    def player(self, name: str) -> str:
        """The name by which the players' side knows the player; raises BadPlayer for what no request may name."""
        if name in self.players:
            return self.players[name]
        if split_path(name)[0] is not None:
            raise BadPlayer(f"no player {name!r} was named when the server was started")
        check_player(name)
        return name


@lru_cache(maxsize=1024)
def normal_name(name: str) -> str:
    """The one name, of all that a game of the package can be given, under which its table is kept."""
    if ".py" in name:
        raise BadGame(f"no game file {name!r} was named when the server was started")
    if not NAME.fullmatch(name):
        raise BadGame(f"{name!r} is not the name of a game here; write one such as tic-tac-toe or lines:4,4,3")
    family, _, sizes = name.partition(":")
    if family not in family_names():
        return name  # a well-known name, or none at all
    module = load_family(family)
    positional, named = parse_sizes(name, sizes)
    try:
        bound = inspect.signature(module.game).bind(*positional, **named)
    except TypeError:
        return name  # what is wrong with it is said when it is loaded
    bound.apply_defaults()
    switches = [key for key, value in bound.arguments.items() if isinstance(value, bool)]
    numbers = [str(value) for key, value in bound.arguments.items() if key not in switches]
    usual = {key: one.default for key, one in inspect.signature(module.game).parameters.items()}
    if any(isinstance(usual[key], bool) != isinstance(value, bool) for key, value in bound.arguments.items()):
        raise BadGame(f"{name!r} has the wrong sizes; write {family}:{signature_text(module)}")
    if any(int(number) > LONGEST_SIDE for number in numbers):
        raise BadGame(f"{name!r} is too big for the page; boards go up to {LONGEST_SIDE} by {LONGEST_SIDE}")
    text = ",".join([*numbers, *(f"{key}=true" for key in switches if bound.arguments[key])])
    known = [alias for alias, its in getattr(module, "ALIASES", {}).items() if its == text]
    return known[0] if known else f"{family}:{text}" if text else family


@lru_cache(maxsize=32)
def loaded(name: str) -> Game:
    """The game of that name, kept for the next request."""
    return load_game(name)


def check_player(name: str) -> None:
    """Raises BadPlayer for a player or a model that would read a file or think for ever."""
    if not may_be_served(name):
        there = ", ".join(kind.name for kind in KINDS if may_be_served(kind.example or kind.name))
        raise BadPlayer(f"no player here is called {name!r}; there are {there}")


def menu_of(games: list[str], players: list[str]) -> Menu:
    """The menu of a server that is started with these games and players; raises for what cannot be used."""
    own: dict[str, str] = {}
    started: dict[str, str] = {}
    shown: list[str] = []
    for name in games:
        path, sizes = split_path(name)
        if path is None:
            shown.append(name)
            continue
        typed = name.removesuffix(f":{sizes}")  # the name under which its table is kept
        if own.setdefault(path.name, typed) != typed:
            raise BadGame(f"two game files are called {path.name!r}; rename one of them")
        started.setdefault(path.name, sizes)
        shown.append(path.name + (f":{sizes}" if sizes else ""))
    bots: dict[str, str] = {}
    for name in players:
        path, function = split_path(name)
        if path is None or not function:
            raise BadPlayer(f"{name!r} is not a player of your own; write ./bots.py:my_ai")
        if bots.setdefault(f"{path.name}:{function}", name) != name:
            raise BadPlayer(f"two players are called '{path.name}:{function}'; rename one of the files")
    menu = Menu(shown or Menu().opened, own, bots, started)
    for name in shown:
        menu.game(name)
    return menu
