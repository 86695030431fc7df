"""Search: the truth about a position without a table of the whole game, by alpha-beta over compiled rules.

The loops are in `engines/search_kernels.py`. Here a `Search` holds what a game's searches share, the table of bounds,
and a `Question` is one position under search, which can be broken off and taken up again after any number of nodes.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines.compiled import load_search
from perfectplay.game import Game
from perfectplay.solve.scores import Bounds
from perfectplay.words import Position, TooBig

SLOT_BITS = 22
"""By default a table has 4 million slots, 32 MiB: more than the processor's cache holds does not pay for long."""
MOST_SLOT_BITS = 32
SLICE = 1 << 18
"""Nodes between two looks at the clock: some hundredths of a second."""
FRAMES = 130


class Limits:
    """How long a search may take; without a limit as long as it does, or until it is stopped."""

    def __init__(self, seconds: float | None = None, nodes: int | None = None) -> None:
        self.seconds, self.nodes = seconds, nodes
        self.begin = time.monotonic()
        self.stopped = False

    def stop(self) -> None:
        """Ends the search at the next look, whatever else the limit is."""
        self.stopped = True

    def budget(self) -> int:
        """The nodes that may be searched before the next look; 0 if the limit is reached."""
        if self.stopped or (self.seconds is not None and time.monotonic() - self.begin >= self.seconds):
            return 0
        return SLICE if self.nodes is None else max(0, min(SLICE, self.nodes))

    def spend(self, nodes: int) -> None:
        """Counts nodes that were searched."""
        if self.nodes is not None:
            self.nodes -= nodes

    @property
    def set(self) -> bool:
        """Whether there is a limit."""
        return self.seconds is not None or self.nodes is not None


class Search:
    """All searches of one game: the compiled loops and the table of bounds, which grows wiser with every question."""

    def __init__(self, game: Game, slot_bits: int | None = None) -> None:
        self.game = game
        self.kernels = load_search(game)
        least = max(0, self.kernels.KEY_BITS - 48)  # slot and rest together are the key
        most = min(MOST_SLOT_BITS, self.kernels.KEY_BITS)
        self.slot_bits = max(least, min(SLOT_BITS if slot_bits is None else slot_bits, most))
        count = (1 << self.slot_bits) + (1 << min(self.kernels.CORNER, self.slot_bits))
        self.slots: NDArray[np.int64] = np.zeros(count * (2 if self.kernels.WIDE else 1), np.int64)
        self.question = Question(self)
        self.solve = self.kernels.solve
        self.solve(self.question.work, self.slots, self.slot_bits, *game.start, 0)  # compiles, or loads compiled code
        self.question.ask(game.start).pursue(0)

    def forget(self) -> None:
        """Empties the table."""
        self.slots.fill(0)

    def score(self, position: Position) -> int:
        """The exact score of the position; raises TooBig if it cannot be found in a hundred plies."""
        question = self.question
        score: int = self.solve(question.work, self.slots, self.slot_bits, *position, SLICE)
        if score == self.kernels.PAUSE:
            score, high = question.answer()
            if score != high:
                raise TooBig(f"{self.game.name} goes on for more than a hundred plies; perfectplay solve may solve it")
        return score

    def nodes(self) -> int:
        """The positions that the last score took."""
        return self.question.nodes


class Question:
    """A position under search: bounds that narrow as long as it is pursued."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.kernels: Any = search.kernels
        self.work: NDArray[np.int64] = np.zeros(self.kernels.STACK + FRAMES * self.kernels.FRAME, np.int64)
        self.done = False

    def ask(self, position: Position, deepen: bool = False) -> "Question":
        """Itself, with a new position; to deepen is to narrow the bounds little by little from the outside."""
        self.work[: self.kernels.STACK] = 0
        self.work[self.kernels.STYLE] = self.kernels.DEEPEN if deepen else self.kernels.RESULT_FIRST
        self.kernels.begin(self.work, *position)
        self.done = False
        return self

    @property
    def bounds(self) -> Bounds:
        """What is known so far."""
        return Bounds(int(self.work[self.kernels.LOW_BOUND]), int(self.work[self.kernels.HIGH_BOUND]))

    @property
    def nodes(self) -> int:
        """The positions looked at so far."""
        return int(self.work[self.kernels.NODES])

    def expect(self, bounds: Bounds) -> None:
        """Takes bounds that are known from elsewhere for granted."""
        low, high = self.bounds
        self.work[self.kernels.LOW_BOUND] = max(low, min(bounds.low, high))
        self.work[self.kernels.HIGH_BOUND] = min(high, max(bounds.high, low))

    def at_most(self, score: int) -> bool:
        """Whether the position scores no more than this, found out with one test."""
        low, high = self.bounds
        if low <= score < high:
            self.work[self.kernels.STYLE], self.work[self.kernels.GOAL] = self.kernels.ONE_TEST, score + 1
            self.answer()
        return self.bounds.high <= score

    def pursue(self, nodes: int) -> bool:
        """Searches on for about so many nodes; whether there is nothing more to find out."""
        self.done = self.kernels.search(self.work, self.search.slots, self.search.slot_bits, nodes)
        return self.done

    def answer(self) -> Bounds:
        """The bounds when there is nothing more to find out."""
        while not self.pursue(SLICE):
            pass
        return self.bounds
