"""The worth of any position of a game: from its table, by search, or by threats on boards of lines."""

from collections.abc import Callable
from functools import lru_cache
from time import monotonic

from perfectplay.game import Game, legal_moves
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.search.best_line import Line, best_line
from perfectplay.solvers.worth import Study, exact_worth
from perfectplay.words import ONGOING, Lookup, Move, Position, TooBig

SECONDS = 10.0
"""The time of all searches of one oracle together, unless another is given."""
LEAST_SECONDS = 0.02
"""The time of a search when the rest is spent: it still sees immediate wins and threats."""
SHORT = 12
"""The plies of a line that is proven move by move, at most."""
REMEMBERED = 4096
"""The number of positions whose study an oracle keeps."""


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


def search_oracle(game: Game, seconds: float, threads: int = 1) -> Oracle:
    """The oracle that searches, or looks for threats on boards too large for that, until its time is spent.

    Each position takes at most half of the time that is left.
    """
    from perfectplay.solvers.search.alphabeta import Limits
    from perfectplay.solvers.search.studies import ready, searcher_of, studying  # not for solved games
    from perfectplay.solvers.steps import finished

    spent = 0.0

    def limits() -> Limits:
        return Limits(max(LEAST_SECONDS, (seconds - spent) / 2), None, threads)

    def study(position: Position) -> Study:
        nonlocal spent
        ready(game, position)
        begin = monotonic()
        found = finished(studying(game, position, limits()))
        spent += monotonic() - begin
        return found

    def line(position: Position) -> Line:
        nonlocal spent
        searcher, begin = searcher_of(game), monotonic()
        if searcher is None or not legal_moves(game, position):
            return proven_line(game, oracle, position)
        found = finished(studying(game, position, limits()))
        best = searcher.best_line(position, found.here, limits() if found.nodes else None)
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


NODES = 50_000
"""The nodes of the search of one position. Counts, not seconds: the same puzzles on every machine."""


def searching_oracle(game: Game) -> Oracle:
    """The oracle that searches each position for so many nodes, with nothing remembered from before."""
    from perfectplay.solvers.search.alphabeta import Limits
    from perfectplay.solvers.search.studies import searcher_of, studying  # numba: only when it is wanted
    from perfectplay.solvers.steps import finished

    searcher = searcher_of(game)
    if searcher is not None:
        searcher.search.forget()

    def study(position: Position) -> Study:
        return finished(studying(game, position, Limits(None, NODES)))

    return Oracle(game, "search", study, lambda position: Line(()))
