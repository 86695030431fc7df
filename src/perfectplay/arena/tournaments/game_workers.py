"""Several processes that play games of one tournament; games come in as they end, in any order.

{"tournament": SETTINGS, "judged": SECONDS or null, "lenient": BOOL}   -> nothing
{"fixtures": [[NUMBER, FIRST, SECOND, OPENING], ...]}                  -> any number of {"games": [...]}, then
{"done": COUNT, "seconds": SECONDS}, or {"error": [KIND, TEXT]}
"""

import select
import signal
from collections.abc import Iterable, Iterator
from itertools import islice
from time import perf_counter
from typing import Any

from perfectplay import words
from perfectplay.arena.tournaments.host import GameResult, Host, game_result_in, named_host
from perfectplay.arena.tournaments.tournament_settings import Fixture, Tournament, tournament_in
from perfectplay.processes.json_processes import JsonChild, JsonParent, LineTooLong
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.words import BadPlayer, PerfectplayError

REPORT = 0.2
"""Seconds that the games take which a process is given at a time, about."""
LONGEST = 1 << 28
"""The most bytes of a message from a process."""
AHEAD = 2
"""How many parts of the games a process has at a time, so that it need not wait."""


class GameWorkers:
    """Processes that play for this one; to be used in a `with` block, which ends them."""

    def __init__(
        self, tournament: Tournament, jobs: int, judge_seconds: float | None = None, lenient: bool = False
    ) -> None:
        self.children = [JsonChild(__name__, LONGEST) for _ in range(jobs)]
        for child in self.children:
            child.send({"tournament": tournament.to_dict(), "judged": judge_seconds, "lenient": lenient})
        self.size = 1
        self.under_way: dict[JsonChild, int] = {}
        """How many parts each process has."""

    def __enter__(self) -> "GameWorkers":
        return self

    def __exit__(self, *fault: object) -> None:
        for child in self.children:
            child.end()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[GameResult]:
        """The games of these fixtures as they end; raises what a process raised, or BadPlayer if one has ended."""
        waiting = iter(fixtures)
        self.under_way = dict.fromkeys(self.children, 0)
        poll = select.poll()
        by_file = {child.source.fileno(): child for child in self.children}
        for file in by_file:
            poll.register(file, select.POLLIN)
        self.deal(waiting)
        while any(self.under_way.values()):
            for file, _ in poll.poll():
                yield from self.receive(by_file[file])
            self.deal(waiting)

    def deal(self, waiting: Iterator[Fixture]) -> None:
        """Gives processes that have room for it the next games."""
        for _ in range(AHEAD):
            for child in sorted(self.children, key=self.under_way.__getitem__):
                if self.under_way[child] < AHEAD and (part := list(islice(waiting, self.size))):
                    self.under_way[child] += 1
                    child.send({"fixtures": part})

    def receive(self, child: JsonChild) -> Iterator[GameResult]:
        """The games in what a process has sent."""
        try:
            more = child.read()
        except LineTooLong:
            more = False
        while child.has_line:
            message = child.next_value()
            if "error" in message:
                kind, text = message["error"]
                raise getattr(words, kind, PerfectplayError)(text)
            yield from map(game_result_in, message.get("games", ()))
            if "done" in message:
                self.under_way[child] -= 1
                self.size = next_size(message["done"], message["seconds"])
        if not more:
            raise BadPlayer(f"a process that plays the games {child.end_text()}: ended from outside, or out of memory")


def next_size(size: int, seconds: float) -> int:
    """The number of games in the next part, from the size of the last and the seconds that it took."""
    return size * 2 if seconds < REPORT / 2 else max(1, size // 2) if seconds > REPORT * 2 else size


# One of these processes.


PAUSE = 0.02
"""Seconds for which quick games are kept back, to be sent together."""


def main() -> None:
    """Plays what it is told to, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = JsonParent()
    host: Host | None = None
    while True:
        message = parent.receive()
        try:
            if host is None:
                settings = tournament_in(message["tournament"])
                host = named_host(settings, message["judged"], message["lenient"])
            else:
                with rule_faults:
                    play_fixtures(host, [Fixture(*fixture) for fixture in message["fixtures"]], parent)
        except PerfectplayError as fault:
            parent.send({"error": [type(fault).__name__, str(fault)]})


def play_fixtures(host: Host, fixtures: list[Fixture], parent: JsonParent) -> None:
    """Plays these games and sends them, quick ones several at a time."""
    begin = sent = perf_counter()
    games: list[Any] = []
    for fixture in fixtures:
        games.append(host.play(fixture))
        if perf_counter() - sent > PAUSE:
            parent.send({"games": games})
            games, sent = [], perf_counter()
    if games:
        parent.send({"games": games})
    parent.send({"done": len(fixtures), "seconds": perf_counter() - begin})
