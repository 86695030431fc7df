"""A record of a tournament that the server follows: only what is added is read, whenever somebody asks."""

import time
from contextlib import suppress
from pathlib import Path
from threading import Lock
from urllib.parse import urlencode

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.tournament import remaining
from perfectplay.arena.tournaments.tournament_record import Follower
from perfectplay.commands.compete.tournaments import report_of
from perfectplay.exports.page.game_data import Fields
from perfectplay.exports.page.tournament_games import Replays, row
from perfectplay.exports.page.tournament_page import live_page
from perfectplay.game import Game
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import BadArgument, PerfectplayError

MOST_ROWS = 1_000
"""Games in an answer, at most."""
QUIET = 120.0
"""Seconds after the last game from which on the page says how long ago that was."""
SPARING = 10
"""After the page was drawn, it is shown so many times as long as that took."""
HEAD = 1_000
"""Bytes of the first line by which a record is known again, at most."""
MOST_KEPT = 20_000
"""Moves whose replay is kept for the next game, at most."""


class UnknownGame(Exception):
    """The record has no game of this number."""


class WatchedRecord:
    """The record in a file that is there, or will be; safe to be asked by several threads."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.lock = Lock()
        self.opened = 0
        self.forget()
        self.state, self.told = "waiting", ""

    def forget(self) -> None:
        """Begins anew: the file is another one, or has not been read yet."""
        self.opened += 1
        self.follower: Follower | None = None
        self.mark = (0, b"")
        self.game: Game | None = None
        self.games: list[PlayedGame] = []
        self.numbers: dict[int, PlayedGame] = {}
        self.replays: Replays | None = None
        self.counted = (-1, 0)
        self.page, self.drawn, self.fresh_until = "", -1, 0.0

    def read(self) -> None:
        """Reads what has been added, and notes how it stands."""
        try:
            found = self.path.stat()
        except OSError:
            waiting = self.follower is None
            self.state = "waiting" if waiting else "gone"
            file = self.path.name
            self.told = f"Waiting for {file}, which is not there yet." if waiting else f"The record {file} is gone."
            return
        try:
            mark = (found.st_ino, beginning(self.path))
            if self.follower is not None and (mark != self.mark or found.st_size < self.follower.size):
                self.forget()
            if self.follower is None:
                self.begin()
                self.mark = mark
            assert self.follower is not None
            for game in self.follower.more():
                if game.number not in self.numbers and {*game.players} <= {*self.follower.tournament.labels}:
                    self.numbers[game.number] = game
                    self.games.append(game)
            self.state, self.told = self.progress(found.st_mtime)
        except PerfectplayError as fault:
            text = str(fault).partition("\n")[0].replace(str(self.path), self.path.name)
            empty = isinstance(fault, BadArgument) and found.st_size == 0
            self.state = "waiting" if empty else "refused"
            self.told = f"Waiting for {self.path.name}, which is empty so far." if empty else text

    def begin(self) -> None:
        """Opens the record."""
        follower = Follower(self.path)
        self.game = load_game(follower.tournament.game)
        self.replays = Replays(self.game, table_oracle(self.game, 0))
        self.follower = follower
        self.opened += 1

    def progress(self, changed: float) -> tuple[str, str]:
        """Whether the tournament goes on, and how far it is."""
        assert self.follower is not None
        tournament, played = self.follower.tournament, len(self.games)
        if self.counted[0] != played:
            solved = self.replays is not None and self.replays.oracle is not None
            self.counted = (played, remaining(tournament, self.games, solved))
        left = self.counted[1]
        if not left:
            return "ended", f"Ended after {number_of(played, 'game')}."
        ago = time.time() - changed
        still = f" No game has ended for {duration(ago)}." if ago > QUIET else ""
        return "running", f"Running: {played:,} of {number_of(played + left, 'game')}.{still}"

    def news(self, since: int) -> Fields:
        """How it stands, and the games after the first `since` of them, some at a time."""
        with self.lock:
            self.read()
            labels = self.follower.tournament.labels if self.follower else ()
            rows = [row(game, labels) for game in self.games[since : since + MOST_ROWS]]
            count = len(self.games)
            return {"record": self.record, "state": self.state, "told": self.told, "played": count, "games": rows}

    @property
    def record(self) -> str:
        """Changes when the file holds another record."""
        return str(self.opened)

    def replay(self, number: int, allowed: AllowedNames) -> Fields:
        """A game with its boards and values; raises UnknownGame."""
        with self.lock:
            game = self.numbers.get(number)
            if game is None or self.replays is None or self.follower is None:
                raise UnknownGame(f"the record has no game {number}")
            if len(self.replays.steps) > MOST_KEPT:
                self.replays = Replays(self.replays.game, self.replays.oracle)
            found = self.replays.replay(game)
            return {"number": number, **found, **page_of(game, allowed)}

    def whole_page(self, addresses: Fields) -> str:
        """The live page; while games are added it is drawn anew only so often that players hardly notice."""
        with self.lock:
            self.read()
            if self.follower is None or (self.drawn != len(self.games) and time.monotonic() >= self.fresh_until):
                begin = time.monotonic()
                report = report_of(self.follower.tournament, self.games) if self.follower else None
                now = {"state": self.state, "told": self.told, "record": self.record}
                self.page = live_page(self.game, report, self.replays, {**addresses, **now})
                self.drawn, end = len(self.games), time.monotonic()
                self.fresh_until = end + SPARING * (end - begin)
            return self.page


def beginning(path: Path) -> bytes:
    """The first line of a file or some of it, which tells one record from another; empty if it cannot be read."""
    with suppress(OSError), path.open("rb") as file:
        return file.readline(HEAD)
    return b""


def page_of(game: PlayedGame, allowed: AllowedNames) -> Fields:
    """The address of the page with this game, where the server plays it."""
    name = next((mine for mine, path in allowed.games.items() if game.game.startswith(path)), game.game)
    try:
        allowed.game(name)
    except PerfectplayError:
        return {}
    asked = {"game": name, "position": game.position, "moves": ",".join(game.moves), "second": "human"}
    return {"link": f"./?{urlencode({key: text for key, text in asked.items() if text}, safe=',:/=')}"}


def duration(seconds: float) -> str:
    """A time in words: 3 minutes, 2 hours."""
    minutes = round(seconds / 60)
    return number_of(minutes, "minute") if minutes < 120 else number_of(round(minutes / 60), "hour")
