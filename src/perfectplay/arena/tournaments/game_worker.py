"""A process that plays games of a tournament for another: games go out, results come back as they end.

{"tournament": SETTINGS, "judged": SECONDS or null, "lenient": BOOL}   -> nothing
{"fixtures": [[NUMBER, FIRST, SECOND, OPENING], ...]}                  -> any number of {"games": [...]}, then
{"done": COUNT, "seconds": SECONDS}, or {"error": [KIND, TEXT]}
"""

import signal
from time import perf_counter
from typing import Any

from perfectplay.arena.tournaments.host import Host, named_host
from perfectplay.arena.tournaments.tournament_settings import Fixture, tournament_in
from perfectplay.processes.json_processes import JsonParent
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.words import PerfectplayError

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
