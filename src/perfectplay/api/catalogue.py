"""What there is by name: games and players."""

from dataclasses import dataclass, field
from inspect import getdoc, getmodule

from perfectplay.loading import describe_games
from perfectplay.words import Brief


@dataclass(frozen=True)
class GameInfo(metaclass=Brief):
    """A game that comes with the package: its name, the sizes that may follow it, aliases, and a summary."""

    name: str
    sizes: str
    aliases: dict[str, str]
    summary: str

    def to_dict(self) -> dict[str, object]:
        """The game as `perfectplay games` prints it in JSON."""
        return {"name": self.name, "sizes": self.sizes, "aliases": self.aliases, "summary": self.summary}


def games() -> list[GameInfo]:
    """The games that come with the package."""
    return [GameInfo(*known) for known in describe_games()]


@dataclass(frozen=True)
class PlayerInfo(metaclass=Brief):
    """A player that has a name; `kinds` says for which games it is: any, solved ones, or those won by a line.

    `plain` is what the name alone means where the summary is of the name with more behind it.
    """

    name: str
    summary: str
    kinds: tuple[str, ...]
    plain: str = field(default="", repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, object]:
        """The player as `perfectplay players` prints it in JSON."""
        return {"name": self.name, "summary": self.summary}


def players() -> list[PlayerInfo]:
    """The players that have a name, from the weakest to the strongest of each kind."""
    from perfectplay.players import BY_ROWS, BY_SHARES, CLASSIC_NAMES, HUMAN, MAKERS

    plain = {HUMAN: "a person at the terminal"}
    for name, maker in MAKERS.items():
        plain[name] = (getdoc(getmodule(maker)) or "").partition("\n")[0].partition(": ")[2].removesuffix(".")
    kinds = {"any": plain, "solved": BY_SHARES, "line": BY_ROWS}
    return [
        PlayerInfo(
            name,
            summary,
            tuple(kind for kind, names in kinds.items() if name in names),
            plain.get(name, ""),
            tuple(other for other, meant in CLASSIC_NAMES.items() if meant == name),
        )
        for name, summary in (plain | BY_SHARES | BY_ROWS).items()
    ]
