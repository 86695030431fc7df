"""What a request may name: the games and players of the package, and the user's own that the command line named."""

from functools import lru_cache
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.loading import load_game, parse_sizes, split_path
from perfectplay.words import BadGame, BadPlayer

LONGEST_NAME = 512
"""Characters of a position or of a name of anything."""
LONGEST_SIDE = 19
"""Squares in a row or a column of the boards that come with the package."""
PLAYERS = frozenset(
    """random wins blocks minimax perfect tricky streetwise mcts easy medium hard threats uniform""".split()  # noqa: SIM905
)
NUMBERED = frozenset(("level", "weighted", "slips", "shallow", "softmax"))
"""Players and models with more behind their name, which is never a file's name."""
DEEPEST_ROUTES = 6


class Menu(NamedTuple):
    """The user's own files, by the name that a request gives them; the game that the page opens with."""

    opens: str = "tic-tac-toe"
    games: dict[str, str] = {}  # noqa: RUF012 - never changed
    players: dict[str, str] = {}  # noqa: RUF012

    def is_own(self, name: str) -> bool:
        """Whether a game's name means a file of the user's own."""
        return split_path(name)[0] is not None

    def game(self, name: str) -> Game:
        """The game of that name."""
        path, sizes = split_path(name)
        if path is not None:
            if str(path) not in self.games:
                raise BadGame(f"no game file {str(path)!r} was named when the server was started")
            return loaded(self.games[str(path)] + (f":{sizes}" if sizes else ""))
        numbers, named = parse_sizes(name, name.partition(":")[2])
        if any(size > LONGEST_SIDE for size in (*numbers, *named.values())):
            raise BadGame(f"{name!r} is too big for the page; boards go up to {LONGEST_SIDE} by {LONGEST_SIDE}")
        return loaded(name)

    def player(self, name: str) -> str:
        """The name by which the players' side knows the player; raises BadPlayer for what no request may name."""
        if name in self.players:
            return self.players[name]
        check_player(name)
        return name


@lru_cache(maxsize=32)
def loaded(name: str) -> Game:
    """The game of that name, kept for the next request."""
    return load_game(name)


def check_player(name: str) -> None:
    """Raises BadPlayer for a player or a model that would read a file or think for ever."""
    kind, _, rest = name.partition(":")
    if kind == "streetwise" and rest:
        return check_player(rest)
    if kind in NUMBERED or (kind in PLAYERS and not rest):
        return None
    if kind == "routes" and rest in map(str, range(1, DEEPEST_ROUTES + 1)):
        return None
    there = ", ".join(sorted(PLAYERS))
    raise BadPlayer(f"no player here is called {name!r}; there are {there}, level:1 to level:10 and models")


def menu_of(games: list[str], players: list[str]) -> Menu:
    """The menu of a server that is started with these games and players; raises for what cannot be used."""
    own: dict[str, str] = {}
    shown: list[str] = []
    for name in games:
        path, sizes = split_path(name)
        if path is None:
            shown.append(name)
            continue
        if own.setdefault(path.name, str(path)) != str(path):
            raise BadGame(f"two game files are called {path.name!r}; rename one of them")
        shown.append(path.name + (f":{sizes}" if sizes else ""))
    bots: dict[str, str] = {}
    for name in players:
        path, function = split_path(name)
        if path is None or not function:
            raise BadPlayer(f"{name!r} is not a player of your own; write ./bots.py:my_ai")
        if bots.setdefault(f"{path.name}:{function}", name) != name:
            raise BadPlayer(f"two players are called '{path.name}:{function}'; rename one of the files")
    menu = Menu(shown[0] if shown else Menu().opens, own, bots)
    for name in shown:
        menu.game(name)
    return menu
