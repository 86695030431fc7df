"""Lists of games and players by name."""

from dataclasses import dataclass, field
from typing import TypeVar

from perfectplay.exports.page.game_data import told
from perfectplay.rules.families import (
    Family,
    Result,
    describe_games,
    family_of,
    groups,
    known_name,
    load_family,
    unknown_game,
)
from perfectplay.rules.loading import split_path
from perfectplay.words import BadGame, Brief, in_notebook


@dataclass(frozen=True)
class GameInfo(metaclass=Brief):
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

    def to_dict(self) -> dict[str, object]:
        """The game as `perfectplay games` prints it in JSON."""
        names = ("name", "sizes", "aliases", "summary", "group", "known", "rules", "history")
        return {name: getattr(self, name) for name in names} | {"results": [one.to_dict() for one in self.results]}

    _repr_html_ = in_notebook


def list_games() -> list[GameInfo]:
    """The games that come with the package, group by group."""
    order = groups()
    found = sorted(describe_games(), key=lambda one: (order.index(one.group), one.name))
    return Listed(game_info(one, []) for one in found)


def game_named(name: str) -> GameInfo:
    """The game of that name or alias, with or without sizes; raises BadGame if there is none."""
    if split_path(name)[0] is not None:
        raise BadGame(f"{name!r} is a file of your own, not a game that comes with the package; try perfectplay check")
    typed = name.partition(":")[0]
    known = known_name(typed)
    if known is None:
        raise unknown_game(typed)
    return game_info(family_of(known), [known])


def game_info(known: Family, aliases: list[str]) -> GameInfo:
    """The game as people list it, told as under that alias where it has no text of its own."""
    module = load_family(known.name)
    sizes = next((known.aliases[alias] for alias in aliases if alias in known.aliases), "")
    about = told(module, sizes)
    result = about["known"] or told(module, "")["known"]
    fields = (known.name, known.sizes, known.aliases, known.summary, known.group, about["rules"], about["history"])
    return GameInfo(*fields, known.results, result)


@dataclass(frozen=True)
class PlayerInfo(metaclass=Brief):
    """A named player: what it does, how its name is written, and which games it can play."""

    name: str
    summary: str
    games: str
    usage: str = field(default="", repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.usage or self.name:<20} {self.summary}"

    def to_dict(self) -> dict[str, object]:
        """The player as `perfectplay players` prints it in JSON."""
        return {"name": self.name, "summary": self.summary}

    _repr_html_ = in_notebook


def list_players() -> list[PlayerInfo]:
    """The named players, from the weakest to the strongest."""
    from perfectplay.players.registry import KINDS

    return Listed(PlayerInfo(kind.name, kind.about, kind.games, kind.usage, kind.aliases) for kind in KINDS)


# Lists of records that read well when they are printed, and that a notebook shows as a table.


T = TypeVar("T")


class Listed(list[T]):
    """A list whose str() has a line for each record; in all else it is a list."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    _repr_html_ = in_notebook
