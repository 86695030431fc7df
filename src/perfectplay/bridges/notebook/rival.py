"""The opponent on a board in a notebook: a player by name, bounded in time, that never waits for a compiler."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from threading import Event, Thread
from time import monotonic

from perfectplay.commands.matches.match import Match
from perfectplay.commands.matches.seated_player import player
from perfectplay.game import Game
from perfectplay.players.player_kind import HUMAN
from perfectplay.players.seat import Seat
from perfectplay.players.stand_in import needs_compiler, stand_in
from perfectplay.solvers.oracle import SearchOracle
from perfectplay.views.game_pieces import capital
from perfectplay.words import BadPlayer, PerfectplayError

READY_SECONDS = 0.05
"""The time for the move that a player makes to get ready."""


class Rival:
    """A player of a game; until its engine is compiled, another one plays for it and `note` says so."""

    def __init__(self, name: str, game: Game, seconds: float, seed: int | None) -> None:
        if name == HUMAN:
            raise BadPlayer("'human' is for a terminal; two people play with opponent=None")
        self.name, self.note = name, ""
        self.player, self.rng = player(name, game, seed=seed, seconds=seconds), Random(seed)
        self.engine: WarmEngine | None = None
        if needs_compiler(SearchOracle(game), name, game.start):
            self.engine = WarmEngine(lambda: player(name, game, seconds=READY_SECONDS).choose(Match(game)))

    def choose(self, match: Match) -> str:
        """The name of the player's move, or of its stand-in's."""
        self.note = ""
        if self.engine is None or self.engine.is_ready():
            return self.player.choose(match)
        said: list[str] = []
        move = stand_in(Seat(match.game, match.turn, self.rng, say=said.append, lazy=True))(match.position)
        self.note = f"{capital(' '.join(said))}."
        return match.name_of(move)

    def close(self) -> None:
        """Ends the processes of a player from a file."""
        self.player.close()


# Gets engines ready in the background, so that a notebook does not wait for a compiler.


PATIENCE = 1.0
"""Seconds that answers wait for an engine after it was started: code that is on disk is loaded in about that time."""


class WarmEngine:
    """Something that gets ready in a thread of its own; `done` is called there in the end."""

    def __init__(self, work: Callable[[], object], done: Callable[[], object] = lambda: None) -> None:
        self.work, self.done, self.ready = work, done, Event()
        self.until = monotonic() + PATIENCE
        Thread(target=self.run, daemon=True, name="perfectplay engine").start()

    def run(self) -> None:
        """Does the work; what it cannot do is told when an answer is asked for."""
        with suppress(PerfectplayError):
            self.work()
        self.ready.set()
        self.done()

    def is_ready(self) -> bool:
        """Whether it is ready, or soon is."""
        return self.ready.wait(max(0.0, self.until - monotonic()))
