"""The oracle of a game: what is known of any position, by its table, its book, a search, threats or a look ahead."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from time import monotonic

from perfectplay.game import Game, legal_moves
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.search.best_line import Line, best_line
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import Steps, finished
from perfectplay.solvers.worth import Study, exact_worth
from perfectplay.words import ONGOING, Lookup, Move, NotCompiled, Position, TooBig

SECONDS = 10.0
"""The time of all searches of one oracle together, unless another is given."""
LEAST_SECONDS = 0.02
"""The time of a search when the rest is spent: it still sees immediate wins and threats."""
NODES = 50_000
"""The nodes of the search of one position where answers must be the same on every machine."""
LINE_NODES = 1_000_000
"""The nodes that a search without a limit may take to prove the best line, at least."""
SHORT = 12
"""The plies of a line that is proven move by move, at most."""
REMEMBERED = 4096
"""The number of positions whose study an oracle keeps."""


class Oracle:
    """Answers any position of a game; `source` says from where: table, search or threats.

    `study` is the last of `studying`, which yields ever narrower ones; it is remembered.
    """

    source = "table"
    study: Callable[[Position], Study]

    def __init__(self, game: Game) -> None:
        self.game = game
        self.study = lru_cache(maxsize=REMEMBERED)(lambda position: finished(self.studying(position)))

    @property
    def proves(self) -> bool:
        """Whether it knows everything exactly."""
        return self.source == "table"

    def ready(self, position: Position | None = None) -> None:
        """Makes all that a study of the position, or of any, waits for; nothing where all is known."""

    def studying(self, position: Position, limits: Limits | None = None) -> Steps[Study]:
        """The study of the position in steps, each with what is proven so far; within the limits, if it searches."""
        raise NotImplementedError

    def studies(self, position: Position, limits: Limits | None = None) -> Iterator[Study]:
        """What is known of the position, each study at least as narrow as the one before."""
        steps = self.studying(position, limits)
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                yield end.value
                return
            if step.study is not None:
                yield step.study

    def line(self, position: Position) -> Line:
        """Best play from the position, as far as it is proven."""
        raise NotImplementedError


class TableOracle(Oracle):
    """Looks positions up: it knows everything exactly."""

    def __init__(self, game: Game, lookup: Lookup) -> None:
        super().__init__(game)
        self.lookup = lookup
        self.study = lru_cache(maxsize=REMEMBERED)(self._study)

    def _study(self, position: Position) -> Study:
        here = exact_worth(self.lookup(position))
        if self.game.outcome(*position) != ONGOING:
            return Study(here, {})
        moves = entries_of_moves(self.game, self.lookup, position)
        return Study(here, {move: exact_worth(entry) for move, entry in moves.items()})

    def studying(self, position: Position, limits: Limits | None = None) -> Steps[Study]:
        """The study; there is nothing to wait for."""
        yield from ()
        return self.study(position)

    def line(self, position: Position) -> Line:
        """Best play to the end, or until it repeats."""
        return best_line(self.game, self.lookup, position)


class SearchOracle(Oracle):
    """Searches, or looks for threats on boards too large for that.

    All searches take so many seconds together: each position at most half of the time that is left. With `nodes`
    instead, each takes so many, and nothing is remembered from before: so answers are the same on every machine.
    """

    def __init__(self, game: Game, seconds: float | None = None, nodes: int | None = None, threads: int = 1) -> None:
        from perfectplay.solvers.search.studies import searcher_of  # numpy, numba: only when they are wanted

        super().__init__(game)
        self.searcher = searcher_of(game)
        self.source = "threats" if self.searcher is None else "search"
        self.seconds, self.nodes, self.threads, self.spent = seconds, nodes, threads, 0.0
        if nodes is not None and self.searcher is not None:
            self.searcher.search.forget()

    def ready(self, position: Position | None = None) -> None:
        """Makes everything that a study of the position, or of any, needs, so that it does not wait for a compiler."""
        from perfectplay.solvers.search.studies import ready

        ready(self.game, position)

    def limits(self) -> Limits:
        """Those of the next search."""
        if self.seconds is None:
            return Limits(None, self.nodes, self.threads)
        return Limits(max(LEAST_SECONDS, (self.seconds - self.spent) / 2), self.nodes, self.threads)

    def studying(self, position: Position, limits: Limits | None = None) -> Steps[Study]:
        """The study of the position in steps, each with what is proven so far."""
        from perfectplay.solvers.search.studies import studying

        self.ready(position)
        begin = monotonic()
        try:
            return (yield from studying(self.game, position, limits or self.limits()))
        finally:
            self.spent += monotonic() - begin

    def line(self, position: Position) -> Line:
        """Best play as far as it is proven; where nothing can be searched, some plies of it."""
        if self.nodes is not None:
            return Line(())
        if self.searcher is None or not legal_moves(self.game, position):
            return self._line_of_threats(position)
        study, begin = finished(self.studying(position)), monotonic()
        line = self.searched_line(position, study, self.limits() if study.nodes else None)
        self.spent += monotonic() - begin
        return line

    def searched_line(self, position: Position, study: Study, limits: Limits | None) -> Line:
        """Best play from a position that has been studied, within these limits; without any, as the book has it."""
        try:
            return Line(()) if self.searcher is None else self.searcher.best_line(position, study.here, limits)
        except NotCompiled:  # the search met a position that compiled rules cannot follow
            return Line(())

    def _line_of_threats(self, position: Position) -> Line:
        moves: list[Move] = []
        while len(moves) < SHORT and (best := self.study(position).best):
            moves.append(best[0])
            position = self.game.play(*position, best[0])
        return Line(tuple(moves))


def oracle_for(game: Game, seconds: float | None = None, nodes: int | None = None, threads: int = 1) -> Oracle:
    """The oracle of the game: its table if it is solved or small, else searches within these limits."""
    table = table_oracle(game)
    if table is not None:
        return table
    return SearchOracle(game, SECONDS if seconds is None and nodes is None else seconds, nodes, threads)


def table_oracle(game: Game) -> TableOracle | None:
    """The oracle that knows everything, if the game is solved or small."""
    try:
        return solved_oracle(game)
    except TooBig:
        return None


def solved_oracle(game: Game) -> TableOracle:
    """The same; raises TooBig where the game is neither solved nor small."""
    return TableOracle(game, lookup_for(game))
