"""The disk space that a solve will take, forecast from its first steps and watched while it runs."""

from perfectplay.game import Game, start_is_symmetric
from perfectplay.solvers.forecast import expected_positions, in_bytes, in_time, in_words, longest_game, most_positions
from perfectplay.solvers.memory.work import WIDEST
from perfectplay.solvers.out_of_core.driver import Driver, added, bytes_sent
from perfectplay.solvers.out_of_core.worker_state import Facts
from perfectplay.solvers.retrograde import ENOUGH, SURE
from perfectplay.words import TooBig

BOTH_WAYS = 3.0
"""The time of a solve over the time of its forward pass."""
TABLE_BYTES = 0.7
"""Approximate bytes of a class in a table."""
EDGE_BYTES = 7.0
"""Bytes of an edge: sent, then written, then as a message."""


class Room:
    """Forecasts from the steps of the forward pass."""

    def __init__(self, driver: Driver, game: Game, layered: bool) -> None:
        self.driver, self.game = driver, game
        self.longest = longest_game(game) if layered else None
        self.most = most_positions(game, start_is_symmetric(game))
        self.sizes: list[int] = []
        self.children = self.sent_bytes = 0
        self.note = ""

    def add(self, found: list[Facts]) -> None:
        """Adds a step; raises TooBig as soon as the disk turns out to be too small.

        Replayed steps give no forecast: what came after them is on disk already.
        """
        self.sizes.append(added(found, "positions"))
        self.children += added(found, "children")
        self.sent_bytes += bytes_sent(found)
        done = sum(self.sizes)
        if done < ENOUGH or not self.sizes[-1] or self.driver.replayed:
            return
        positions = max(done, expected_positions(self.sizes, self.longest, self.most))
        needed = self.needed(positions)
        free = self.driver.workdir.free()
        if self.longest is not None:
            self.driver.progress.total = positions
        if not self.note:
            took = sum(facts["seconds"] for facts in found) / self.driver.executor.workers
            seconds = BOTH_WAYS * took * positions / self.sizes[-1]
            about = "about" if self.longest else "at least"
            left = "" if free is None else f" ({in_bytes(free)} are free)"
            self.note = f"{about} {in_words(positions)} positions, {in_bytes(needed)} of disk{left}, {in_time(seconds)}"
            self.driver.say(self.note)
        doubt = max(1.5, SURE / done) if self.longest else 1.0
        if free is not None and needed / doubt > free + self.driver.progress.kept:
            raise TooBig(
                f"{self.game.name} will not fit the disk: {self.note}; "
                "choose workdir=... with more space, or a smaller size"
            )

    def needed(self, positions: int) -> int:
        """The peak bytes on disk for a solve of this many positions."""
        done = sum(self.sizes)
        key_bytes = self.driver.progress.kept / done
        if self.longest is None:
            return int(positions * (2 * key_bytes + 8 + EDGE_BYTES * self.children / done))
        copies = 3 if self.driver.plan.groups else 2
        aside = max(copies * WIDEST * self.sent_bytes / done, key_bytes + 1 + TABLE_BYTES)
        return int(positions * (key_bytes + 1 + aside))
