"""The worth of any position of a game: from its table, by search, or by threats on boards of lines."""

from collections.abc import Callable
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.game import Game, legal_moves
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.search.best_line import Line, best_line
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Lookup, Move, Position, TooBig, entry_of

if TYPE_CHECKING:
    from perfectplay.solvers.analysis import Analysis, Proof

SECONDS = 10.0
"""The time of all searches of one oracle together, unless another is given."""
LEAST_SECONDS = 0.02
"""The time of a search when the rest is spent: it still sees immediate wins and threats."""
SHORT = 12
"""The plies of a line that is proven move by move, at most."""
REMEMBERED = 4096
"""The number of positions whose study an oracle keeps."""


class Worth(NamedTuple):
    """The proven worth of a position or move for one side: the value lies between `least` and `most`.

    `entry` has value and distance, or points, if they are known exactly.
    """

    least: int
    most: int
    entry: Entry | None = None

    @property
    def value(self) -> int | None:
        """The value, if it is proven."""
        return self.least if self.least == self.most else None

    @property
    def distance(self) -> int | None:
        """The plies to the end, if they are proven; None for an endless draw and in games for points."""
        return None if self.entry is None else self.entry.distance

    @property
    def margin(self) -> int | None:
        """The points, if they are proven; None in other games."""
        return None if self.entry is None else self.entry.margin

    def before(self, again: bool = False) -> "Worth":
        """The same one ply earlier, seen by the other side, or by the same side if it moves again."""
        entry = None if self.entry is None else self.entry.before(again)
        return Worth(self.least, self.most, entry) if again else Worth(-self.most, -self.least, entry)


class Study(NamedTuple):
    """The worth of a position and of each of its moves, for the side to move; the best moves come first."""

    here: Worth
    moves: dict[Move, Worth]
    nodes: int = 0

    @property
    def keeping(self) -> list[Move]:
        """The moves that are proven to keep the result; none while the result is open."""
        if self.here.value is None:
            return []
        return [move for move, worth in self.moves.items() if worth.least >= self.here.value]

    @property
    def failing(self) -> list[Move]:
        """The moves that are proven to worsen the result: whatever it is, they are worth less."""
        return [move for move, worth in self.moves.items() if worth.most < self.here.least]

    @property
    def decided(self) -> bool:
        """Whether it is proven of each move whether it keeps the result."""
        return self.here.value is not None and len(self.keeping) + len(self.failing) == len(self.moves)

    @property
    def best(self) -> list[Move]:
        """The moves as good as the best, in value and distance or points, as far as is proven; draws are equal."""
        entries = {move: entry for move in self.keeping if (entry := self.moves[move].entry) is not None}
        if not entries or self.here.value == DRAW:
            return self.keeping
        best = max(entries.values(), key=Entry.preference)
        return [move for move, entry in entries.items() if entry.as_good_as(best)]


class Oracle:
    """Answers any position of a game; `source` says from where: table, search or threats."""

    def __init__(
        self, game: Game, source: str, study: Callable[[Position], Study], line: Callable[[Position], Line]
    ) -> None:
        self.game, self.source = game, source
        self.study = lru_cache(maxsize=REMEMBERED)(study)
        self.line = line

    @property
    def proves(self) -> bool:
        """Whether it knows everything exactly."""
        return self.source == "table"


def oracle_for(game: Game, seconds: float | None = None, threads: int = 1) -> Oracle:
    """The oracle of the game: its table if it is solved or small, else a search of so many seconds in all."""
    try:
        return table_oracle(game, lookup_for(game))
    except TooBig:
        return search_oracle(game, SECONDS if seconds is None else seconds, threads)


def table_oracle(game: Game, lookup: Lookup) -> Oracle:
    """The oracle that looks positions up."""

    def study(position: Position) -> Study:
        if game.outcome(*position) != ONGOING:
            return Study(exact_worth(lookup(position)), {})
        moves = entries_of_moves(game, lookup, position)
        return Study(exact_worth(lookup(position)), {move: exact_worth(entry) for move, entry in moves.items()})

    return Oracle(game, "table", study, lambda position: best_line(game, lookup, position))


def exact_worth(entry: Entry) -> Worth:
    """The worth of a position with this entry."""
    return Worth(entry.value, entry.value, entry)


def search_oracle(game: Game, seconds: float, threads: int = 1) -> Oracle:
    """The oracle that searches, or looks for threats on boards too large for that, until its time is spent.

    Each position takes at most half of the time that is left.
    """
    from perfectplay.solvers.search.alphabeta import Limits
    from perfectplay.solvers.search.search_analysis import analysing, ready, searcher_of  # not for solved games
    from perfectplay.solvers.steps import finished

    spent = 0.0

    def limits() -> Limits:
        return Limits(max(LEAST_SECONDS, (seconds - spent) / 2), None, threads)

    def study(position: Position) -> Study:
        nonlocal spent
        ready(game, position)
        begin = monotonic()
        analysis = finished(analysing(game, position, limits()))
        spent += monotonic() - begin
        return study_of(analysis)

    def line(position: Position) -> Line:
        nonlocal spent
        searcher, begin = searcher_of(game), monotonic()
        if searcher is None or not legal_moves(game, position):
            return proven_line(game, oracle, position)
        analysis = finished(analysing(game, position, limits()))
        more = limits() if analysis.nodes else None
        best = searcher.best_line(position, analysis.here, more) if analysis.here.exact else Line(())
        spent += monotonic() - begin
        return best

    oracle = Oracle(game, "search" if searcher_of(game) is not None else "threats", study, line)
    return oracle


def proven_line(game: Game, oracle: Oracle, position: Position) -> Line:
    """Best play as far as it is proven move by move; some plies of it."""
    moves: list[Move] = []
    while len(moves) < SHORT and (best := oracle.study(position).best):
        moves.append(best[0])
        position = game.play(*position, best[0])
    return Line(tuple(moves))


def study_of(analysis: "Analysis") -> Study:
    """The study that an analysis gives."""
    return Study(
        worth_of(analysis.here), {move: worth_of(proof) for move, proof in analysis.moves.items()}, analysis.nodes
    )


def worth_of(proof: "Proof") -> Worth:
    """The worth that a proof gives."""
    entry = entry_of(proof.value or DRAW, proof.distance, proof.margin) if proof.exact else None
    return Worth(sign(proof.bounds.low), sign(proof.bounds.high), entry)


def sign(score: int) -> int:
    """The value of a score."""
    return WIN if score > 0 else LOSS if score < 0 else DRAW


NODES = 50_000
"""The nodes of the search of one position. Counts, not seconds: the same puzzles on every machine."""


def searching_oracle(game: Game) -> Oracle:
    """The oracle that searches each position for so many nodes, with nothing remembered from before."""
    from perfectplay.solvers.search.alphabeta import Limits
    from perfectplay.solvers.search.search_analysis import analysing, searcher_of  # numba: only when it is wanted
    from perfectplay.solvers.steps import finished

    searcher = searcher_of(game)
    if searcher is not None:
        searcher.search.forget()

    def study(position: Position) -> Study:
        return study_of(finished(analysing(game, position, Limits(None, NODES))))

    return Oracle(game, "search", study, lambda position: Line(()))
