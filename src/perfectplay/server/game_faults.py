"""Which games ran into a limit: such a game gets one worker at a time and less time, and is refused at last."""

import sys
from dataclasses import dataclass, field

from perfectplay.server.api_answers import Values
from perfectplay.server.own_faults import tidy
from perfectplay.server.own_files import OwnFiles

LONGEST = 60.0
"""Seconds that a task may take: rules may have to be compiled before a search starts."""
SHORT = 15.0
"""The same for a game that ran into a limit before."""
MOST_FAULTS = 2
"""After this many faults a user's own file is refused."""


class Suspended(Exception):
    """A user's own file is refused until it changes. The line is for the person at this machine."""

    def __init__(self, text: str, line: str) -> None:
        super().__init__(text)
        self.line = line


@dataclass(eq=False)
class GameFaults:
    """The faults of a library game, or of one version of a user's own file."""

    name: str
    own: bool
    version: str
    answered: bool = False
    """Whether a task has ended in time."""
    displaced: bool = False
    """Whether a task has lost its worker to a game that waited."""
    lines: list[str] = field(default_factory=list)
    """What happened, a line for each fault; of a library game, since its last good answer."""

    @property
    def clean(self) -> bool:
        """Whether it has kept nobody waiting so far."""
        return not (self.lines or self.displaced)

    @property
    def suspect(self) -> bool:
        """Whether it may loop, for all that is known."""
        return bool(self.lines) or (self.own and not self.answered)

    @property
    def limit(self) -> float:
        """Seconds that a task may take."""
        return SHORT if self.lines else LONGEST

    @property
    def suspension(self) -> Suspended | None:
        """The refusal of a file that ran into a limit too often; games of the library end, so they stay."""
        if not self.own or len(self.lines) < MOST_FAULTS:
            return None
        text = f"{self.name} ran into a limit twice and is refused until the file changes"
        return Suspended(text, f"{text}: {self.lines[-1]}")


class FaultRecord:
    """The faults of all games since the server started; those of a user's own file until it changes."""

    def __init__(self, own: OwnFiles) -> None:
        self.own = own
        self.games: dict[str, GameFaults] = {}

    def of(self, values: Values) -> list[GameFaults]:
        """The faults of what a request runs: of a user's own game and player, else of a game of the library."""
        game, player = values.get("game", ""), values.get("player", "")
        own = [name for name in (game.partition(":")[0], player) if name in self.own.paths]
        return [self.of_one(name) for name in own or [game]]

    def of_one(self, name: str) -> GameFaults:
        """The faults of a user's own game or player, or of a game of the library."""
        version = self.own.saved(name) if name in self.own.paths else ""
        if not name:  # to list the games, all own files are loaded
            name, version = "the list of games", self.own.all_saved()
        known = self.games.get(name)
        if known is None or known.version != version:
            known = GameFaults(name, bool(version), version)
            if known.own:
                self.games[name] = known
        return known

    def note_answer(self, game: GameFaults) -> None:
        """Notes a good answer: a game of the library has no faults any more, since its rules end."""
        game.answered, game.displaced = True, False
        if not game.own:
            self.games.pop(game.name, game).lines.clear()

    def note(self, game: GameFaults, line: str) -> None:
        """Notes a fault; the server's terminal is told when a file is refused from now on."""
        if not game.own:
            game = self.games.setdefault(game.name, game)
        if len(game.lines) == MOST_FAULTS:
            return
        game.lines.append(tidy(line, self.own.allowed))
        if game.suspension:
            print(f"perfectplay: {game.suspension.line}", file=sys.stderr, flush=True)
