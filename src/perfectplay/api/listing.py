"""Lists of games and players by name."""

from dataclasses import dataclass, field

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


def list_games() -> list[GameInfo]:
    """The games that come with the package."""
    return [GameInfo(*known) for known in describe_games()]


@dataclass(frozen=True)
class PlayerInfo(metaclass=Brief):
    """A named player: what it does, how its name is written, and which games it can play."""

    name: str
    summary: str
    games: str
    usage: str = field(default="", repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, object]:
        """The player as `perfectplay players` prints it in JSON."""
        return {"name": self.name, "summary": self.summary}


def list_players() -> list[PlayerInfo]:
    """The named players, from the weakest to the strongest."""
    from perfectplay.players.registry import KINDS

    return [PlayerInfo(kind.name, kind.about, kind.games, kind.usage, kind.aliases) for kind in KINDS]
