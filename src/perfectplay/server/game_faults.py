"""Which games ran into a limit: such a game gets one worker at a time and less time, and is refused at last."""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_address
from os import stat_result
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.rules.loading import describe_fault, files_beside, line_of, split_game, split_player
from perfectplay.server.allowed_names import AllowedNames, file_of
from perfectplay.server.parameters import Values

if TYPE_CHECKING:
    from starlette.requests import Request


# The user's own files that the server was started with, and whether they have been saved since.


class OwnFiles:
    """Hashes of what the files contain: the same after a restart, and after a save that changes nothing."""

    def __init__(self, allowed: AllowedNames) -> None:
        self.allowed = allowed
        self.paths = {name: path_of(path) for name, path in allowed.games.items()}
        self.paths |= {name: file_of(player).resolve() for name, player in allowed.players.items()}
        self.beside: dict[Path, list[Path]] = {path: files_beside(path.parent) for path in self.paths.values()}
        """The modules of its folder that each file imports."""
        self.hashes: dict[Path, tuple[tuple[int, ...], str]] = {}
        """The hash of each file, and what the system told about the file then."""

    def saved(self, name: str) -> str:
        """A hash of the file of a game or a player, and of the modules of its folder that it imports."""
        return self.hash_of(self.paths.get(name) or self.paths[name.partition(":")[0]])

    def all_saved(self) -> str:
        """A hash of all files: a worker with another one has loaded what is no longer true."""
        return digest(self.hash_of(path) for path in self.beside)

    def note_imports(self, game: str, files: Iterable[str]) -> None:
        """Notes which modules of its folder the game's file imports now."""
        path = self.paths[game.partition(":")[0]]
        self.beside[path] = [Path(file) for file in files]

    def hash_of(self, path: Path) -> str:
        """The hash of a file and of the modules that it imports."""
        return digest(self.hash_of_one(one) for one in (path, *self.beside[path]))

    def hash_of_one(self, path: Path) -> str:
        """The hash of one file; of one that is missing or empty, what was there before: it is being saved."""
        before = self.hashes.get(path, ((), ""))
        try:
            told = seen(path.stat())
            if told == before[0] or not path.stat().st_size:
                return before[1]
            self.hashes[path] = (told, sha256(path.read_bytes()).hexdigest())
        except OSError:
            return before[1]
        return self.hashes[path][1]


def path_of(name: str) -> Path:
    """The file of a user's own game."""
    path = split_game(name)[0]
    assert path is not None
    return path.resolve()


def seen(told: stat_result) -> tuple[int, ...]:
    """What changes when a file is saved."""
    return told.st_mtime_ns, told.st_size, told.st_ino


def digest(hashes: Iterable[str]) -> str:
    """One hash of several."""
    return sha256("/".join(hashes).encode()).hexdigest()[:16]


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


# What goes wrong in a user's own file, in one line, for the person at the machine that serves the page.


FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of proxies: whose request it is, nobody knows."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_local(request: "Request", names: frozenset[str]) -> bool:
    """Whether the request comes from this machine to a server, of these names, that no other machine reaches."""
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    asked = (request.client.host if request.client else "", host.strip("[]").lower(), *names)
    return all(map(is_loopback, asked)) and not any(name in request.headers for name in FORWARDED)


def fault_line(fault: BaseException, allowed: AllowedNames) -> str:
    """The file, the line and the error, if it came through a user's own file; else nothing."""
    files = [(name, split_game(path)[0]) for name, path in allowed.games.items()]
    files += [(name, split_player(path)[0]) for name, path in allowed.players.items()]
    for name, file in files:
        where = line_of(fault, file or Path())
        if where:
            return f"{name.partition(':')[0]}{where} does not work: {describe_fault(fault)}"
    return ""


def tidy(text: str, allowed: AllowedNames) -> str:
    """The text in one line, with files called as on the page."""
    text = allowed.outward(" ".join(text.split()))
    for name in (*allowed.games, *allowed.players):
        file = re.escape(name.partition(":")[0])
        text = re.sub(rf"'(?:\./)?({file}(?::[^']*)?)'|\./({file})", lambda found: found[1] or found[2], text)
    return text
