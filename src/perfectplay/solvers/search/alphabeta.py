"""Exact search: the score of a position without a table of the whole game, by alpha-beta over compiled rules.

The loops are in `compiler/kernels/search_kernels.py`, and where a side may move again or plays for points, in
`compiler/kernels/turn_search_kernels.py`. A `Search` holds what all searches of a game share: the compiled code and
the transposition table. A `Question` is one position under search; it can pause after any number of nodes and resume.
If it is hard, several threads search it: `joint_search.py`.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.compilable import has_turns, is_wide
from perfectplay.compiler.integers.word_halves import Wide
from perfectplay.game import Game
from perfectplay.solvers.engine import cores
from perfectplay.solvers.scores import Bounds, bounds_of
from perfectplay.solvers.search.search_clock import SLICE, Limits
from perfectplay.words import REPEATS, BadGame, Position, TooBig

SLOT_BITS = 22
"""The default transposition table has 4 million slots, 32 MiB: tables larger than the CPU's cache gain little."""
MOST_SLOT_BITS = 32
FRAMES = 130


def table_size(game: Game, kernels: Any, slot_bits: int, threads: int) -> tuple[int, int]:
    """The bits of a slot's number, as near as possible to `slot_bits`, and the words of the whole table."""
    most = min(MOST_SLOT_BITS, kernels.KEY_BITS)
    if has_turns(game):
        slot_bits = max(1, min(slot_bits - 1, most))  # slots are larger
        return slot_bits, kernels.SLOT_WORDS << slot_bits
    least = max(0, kernels.KEY_BITS - 48)  # slot and remainder together are the key
    slot_bits = max(least, min(slot_bits, most))
    count = (1 << slot_bits) + (threads << min(kernels.CORNER, slot_bits))
    return slot_bits, count * (2 if kernels.WIDE else 1) + threads * kernels.PATH


class Search:
    """All searches of one game: the compiled loops and the transposition table that they share."""

    def __init__(self, game: Game, slot_bits: int | None = None, threads: int | None = None) -> None:
        from perfectplay.compiler.compiled import load_search  # numba: only when it is wanted

        self.game = game
        self.wide = is_wide(game)
        self.kernels = load_search(game)
        self.most_threads = 1 if has_turns(game) else threads or cores()
        bits = SLOT_BITS if slot_bits is None else slot_bits
        self.slot_bits, words = table_size(game, self.kernels, bits, self.most_threads)
        self.slots: NDArray[np.int64] = np.zeros(words, np.int64)
        self.question = Question(self)
        self.work, self.solve, self.pause = self.question.work, self.kernels.solve, self.kernels.PAUSE
        start = self.words(game.start)
        self.solve(self.question.work, self.slots, self.slot_bits, *start, 0)  # compiles, or loads compiled code
        self.question.ask(game.start).pursue(0)

    def words(self, position: Position) -> Position:
        """The position as the loops take it."""
        return (Wide(position[0]), Wide(position[1])) if self.wide else position

    def forget(self) -> None:
        """Empties the table."""
        self.slots.fill(0)

    def score(self, position: Position) -> int:
        """The exact score of the position; raises TooBig if a hundred plies do not decide it."""
        mine, theirs = self.words(position) if self.wide else position
        score: int = self.solve(self.work, self.slots, self.slot_bits, mine, theirs, SLICE)
        if score == self.pause:
            score, high = self.question.answer()
            if score != high:
                raise TooBig(f"{self.game.name} lasts more than a hundred plies, too long for a search")
        return score

    def nodes(self) -> int:
        """The nodes of the last search."""
        return self.question.nodes


class Question:
    """A position under search; its bounds narrow as the search proceeds.

    With several threads, bounds and answers are the same, but not the nodes that it takes.
    """

    def __init__(self, search: Search, threads: int = 1) -> None:
        self.search = search
        self.threads = min(threads, search.most_threads)
        self.kernels: Any = search.kernels
        frames = self.kernels.FRAMES if has_turns(search.game) else FRAMES
        self.work: NDArray[np.int64] = np.zeros(self.kernels.STACK + frames * self.kernels.FRAME, np.int64)
        self.helpers: list[NDArray[np.int64]] = []
        """The work of the other threads, once they have joined."""
        self.done = False

    def ask(self, position: Position, deepen: bool = False, horizon: int = 0) -> "Question":
        """Itself, with a new position; `deepen` narrows the bounds step by step, the nearest ends first.

        In a game for points, what lies beyond a horizon of that many plies counts as a draw.
        """
        self.work[: self.kernels.STACK] = 0
        self.work[self.kernels.STYLE] = self.kernels.DEEPEN if deepen else self.kernels.RESULT_FIRST
        self.kernels.begin(self.work, *self.search.words(position))
        if horizon:
            self.work[self.kernels.HORIZON] = horizon
        self.helpers = []
        self.done = False
        return self

    @property
    def bounds(self) -> Bounds:
        """The bounds proven so far."""
        low, high = self.work[self.kernels.LOW_BOUND], self.work[self.kernels.HIGH_BOUND]
        return bounds_of(self.search.game, int(low), int(high))

    @property
    def nodes(self) -> int:
        """The nodes searched so far, by all threads."""
        return nodes_of(self.kernels, [self.work, *self.helpers])

    def expect(self, bounds: Bounds) -> None:
        """Narrows the bounds by others that are known to hold."""
        low, high = self.bounds
        self.work[self.kernels.LOW_BOUND] = max(low, min(bounds.low, high))
        self.work[self.kernels.HIGH_BOUND] = min(high, max(bounds.high, low))

    def at_most(self, score: int, limits: Limits | None = None) -> bool:
        """Whether the position scores at most this, by one null-window search; False if limits end it undecided."""
        self.test(score + 1, limits)
        return self.bounds.high <= score

    def at_least(self, score: int, limits: Limits | None = None) -> bool:
        """The same for at least this."""
        self.test(score, limits)
        return self.bounds.low >= score

    def test(self, goal: int, limits: Limits | None) -> None:
        """Asks whether the position scores at least the goal, by one null-window search."""
        low, high = self.bounds
        if not low < goal <= high:
            return
        self.work[self.kernels.STYLE], self.work[self.kernels.GOAL] = self.kernels.ONE_TEST, goal
        self.done = False
        if limits is None:
            self.answer()
            return
        while (budget := limits.budget()) and not self.pursue(budget):
            pass
        limits.spend(self.nodes)

    def pursue(self, nodes: int) -> bool:
        """Searches for about `nodes` more nodes; returns whether the search is done."""
        alone = nodes if self.threads == 1 else min(nodes, HARD - self.nodes)
        if alone > 0 or nodes == 0:
            self.done = self.kernels.search(self.work, self.search.slots, self.search.slot_bits, alone)
            nodes -= alone
        if nodes > 0 and not self.done:
            self.helpers = self.helpers or [np.zeros_like(self.work) for _ in range(self.threads - 1)]
            team = [self.work, *self.helpers]
            self.done = search_together(self.kernels, self.search.slots, self.search.slot_bits, team, nodes)
        if self.done and self.search.game.margin is not None and self.work[self.kernels.GOAL] == self.kernels.TOO_DEEP:
            raise self.endless()
        return self.done

    def endless(self) -> BadGame | TooBig:
        """The error for a game for points that goes on and on."""
        game, size = self.search.game, self.kernels.FRAME
        frames = self.work[self.kernels.STACK :][: size * (self.kernels.FRAMES - 1)].reshape(-1, size)
        path = {tuple(words) for words in frames[:, self.kernels.POSITION :][:, : 2 * self.kernels.WORDS].tolist()}
        if len(path) < len(frames):
            return BadGame(f"{game.name} {REPEATS}")
        return TooBig(f"{game.name} lasts more than {len(frames):,} plies, too long for a search")

    def answer(self) -> Bounds:
        """The bounds when the search is done."""
        while not self.pursue(SLICE * self.threads):
            pass
        return self.bounds


# A hard search on several threads: all run the same null-window test, each with its own stack, and share the table.
#
# A test is proven by whichever thread ends it first, so bounds and answers do not depend on the threads. They run in
# rounds of some thousandths of a second and wait for each other in between: then what one has settled, the others give
# up, and a search can be paused, limited and interrupted as on one thread.


Work = NDArray[np.int64]

HARD = 1 << 18
"""Nodes after which a search is hard, so that further threads pay."""
ROUND = 1 << 16
"""Nodes of a thread in a round."""


def search_together(kernels: Any, slots: Work, slot_bits: int, team: list[Work], nodes: int) -> bool:
    """Searches for about `nodes` more nodes, the first of the team leads; returns whether the search is done."""
    leader = team[0]
    last = nodes_of(kernels, team) + nodes
    with ThreadPoolExecutor(len(team)) as pool:  # it waits for all, whatever happens
        while (rest := last - nodes_of(kernels, team)) > 0:
            if not kernels.aim(leader):
                return True
            for thread, work in enumerate(team):
                kernels.join(work, leader, thread, len(team))
            budget = min(ROUND, -(-rest // len(team)))
            running = [pool.submit(resume_test, kernels, work, slots, slot_bits, budget) for work in team]
            for work, score in zip(team, [thread.result() for thread in running], strict=True):
                if score != kernels.PAUSE:
                    work[kernels.TESTING] = 0
                    kernels.settle(leader, score)
    return not kernels.aim(leader)


def resume_test(kernels: Any, work: Work, slots: Work, slot_bits: int, budget: int) -> int:
    """The result of the paused test as one thread runs it further, or PAUSE."""
    kernels.catch_up(work, slots, slot_bits)
    score: int = kernels.test(work, slots, slot_bits, budget)
    return score


def nodes_of(kernels: Any, team: list[Work]) -> int:
    """The nodes searched by all threads."""
    return sum(int(work[kernels.NODES]) for work in team)
