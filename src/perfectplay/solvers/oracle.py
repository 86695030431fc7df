"""The oracle of a game: what is known of any position, by its table, its book, a search, threats or a look ahead."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from enum import IntEnum
from functools import cached_property, lru_cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from perfectplay.game import Game, entries_of_moves, legal_moves
from perfectplay.processes.folders import replacing
from perfectplay.rules.loading import absolute_name
from perfectplay.solvers.memory.interpreted import Reached, reached_if_small, solved
from perfectplay.solvers.search.best_line import Line, best_line
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import Steps, finished
from perfectplay.solvers.table.table_folder import kept_table, remove_outdated, table_path, tables_stamp
from perfectplay.solvers.unsolved import Unsolved
from perfectplay.solvers.worth import Study, Worth, exact_worth
from perfectplay.words import (
    ONGOING,
    BadPosition,
    BadTable,
    Entry,
    Lookup,
    Move,
    NotCompiled,
    Position,
    TooBig,
)

if TYPE_CHECKING:
    from perfectplay.solvers.search.searcher import BestMoves, Searcher
    from perfectplay.solvers.table.table import Table

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
WORTH_KEEPING = 10_000
"""Solutions of more positions than this go to the table folder: they took a tenth of a second or more."""


class Cost(IntEnum):
    """What a study waits for: nothing, a search, or a compiler and a search."""

    INSTANT, SEARCH, COMPILER = range(3)


class Oracle:
    """Answers any position of a game.

    `study` is the last of `studying`, which yields ever narrower ones; it is remembered.
    """

    study: Callable[[Position], Study]
    book: "Table | None" = None
    """What it looks up where it has no table."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.study = lru_cache(maxsize=REMEMBERED)(lambda position: finished(self.studying(position)))

    @property
    def source(self) -> str:
        """Where its answers come from: table, search or threats."""
        raise NotImplementedError

    @property
    def proves(self) -> bool:
        """Whether it knows everything exactly."""
        return self.source == "table"

    def cost(self, position: Position) -> Cost:
        """What a study of the position waits for."""
        return Cost.INSTANT

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

    source = "table"

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
    """Searches, or looks for threats on boards too large for that; what is in the `book` it only looks up.

    All searches take so many seconds together: each position at most half of the time that is left. With `nodes`
    instead, each takes so many, and nothing is remembered from before: so answers are the same on every machine.
    Nothing is compiled before the first question that needs it.
    """

    def __init__(
        self,
        game: Game,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        book: "Table | None" = None,
    ) -> None:
        super().__init__(game)
        self.book, self.seconds, self.nodes, self.threads = book, seconds, nodes, threads
        self.spent, self.is_ready = 0.0, False

    @cached_property
    def searcher(self) -> "Searcher | None":
        """What searches; None on boards too large for that."""
        from perfectplay.solvers.search.studies import searcher_of  # numpy, numba: only when they are wanted

        searcher = searcher_of(self.game)
        if self.nodes is not None and searcher is not None:
            searcher.search.forget()
        return searcher

    @property
    def source(self) -> str:
        """Where its answers come from."""
        return "threats" if self.searcher is None else "search"

    @property
    def proves(self) -> bool:
        """It may leave something open."""
        return False

    def cost(self, position: Position) -> Cost:
        """What a study of the position waits for."""
        if self.book is not None and has_all(self.game, position, self.book):
            return Cost.INSTANT
        return Cost.SEARCH if self.is_ready else Cost.COMPILER

    def ready(self, position: Position | None = None) -> None:
        """Makes everything that a study of the position, or of any, needs, so that it does not wait for a compiler."""
        from perfectplay.solvers.search.studies import ready

        ready(self.game, position)
        self.is_ready = self.is_ready or position is None

    def limits(self) -> Limits:
        """Those of the next search."""
        if self.seconds is None:
            return Limits(None, self.nodes, self.threads)
        return Limits(max(LEAST_SECONDS, (self.seconds - self.spent) / 2), self.nodes, self.threads)

    def studying(self, position: Position, limits: Limits | None = None) -> Steps[Study]:
        """The study of the position in steps, each with what is proven so far."""
        if self.book is not None and has_all(self.game, position, self.book):
            return TableOracle(self.game, self.book.lookup).study(position)
        from perfectplay.solvers.search.studies import studying

        self.ready(position)
        begin = monotonic()
        try:
            return (yield from studying(self.game, position, limits or self.limits()))
        finally:
            self.spent += monotonic() - begin

    def prepare(self, position: Position | None = None) -> None:
        """The same as `ready` for what only a search answers; raises TooBig where nothing can be searched."""
        searching(self.game).prepare(position)

    def worth(self, position: Position, limits: Limits) -> Worth:
        """The worth of the position alone, as far as a search proves it within the limits."""
        return searching(self.game).worth(position, limits)

    def best_moves(self, position: Position, limits: Limits) -> list[Move]:
        """The moves that a search proves to be best within the limits."""
        return searching(self.game).best_moves(position, limits)

    def choosing(self, position: Position, limits: Limits) -> "Steps[BestMoves]":
        """The best moves, as far as is known when the limits are reached.

        It ends as soon as one move is proven to be as good as any, so it takes less than a study.
        """
        return searching(self.game).choosing(position, limits)

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


def has_all(game: Game, position: Position, book: "Table") -> bool:
    """Whether the book has the position and all its moves."""
    after = (game.play(*position, move) for move in legal_moves(game, position))
    return all(book.find(one) is not None for one in (position, *after))


def searching(game: Game) -> "Searcher":
    """The searcher of the game, which keeps what it has found; raises TooBig if the rules do not compile."""
    from perfectplay.solvers.search.searcher import searcher_for  # numpy, numba: only when they are wanted

    return searcher_for(game)


def oracle_for(game: Game, seconds: float | None = None, nodes: int | None = None, threads: int = 1) -> Oracle:
    """The oracle of the game: its table if it is solved or small, else searches within these limits."""
    table = table_oracle(game)
    if table is not None:
        return table
    return SearchOracle(game, SECONDS if seconds is None and nodes is None else seconds, nodes, threads)


def solved_oracle(game: Game, what: str = "") -> TableOracle:
    """The oracle that knows everything; raises TooBig, which says `what` needs it, where there is none."""
    oracle = table_oracle(game)
    if oracle is None:
        raise TooBig(Unsolved(game, f"{what} need a solved game; " if what else ""))
    return oracle


def table_oracle(game: Game, worth_keeping: int = WORTH_KEEPING) -> TableOracle | None:
    """The oracle that knows everything, if the game is solved or small.

    The solution of a small game goes to the table folder if it has more positions than `worth_keeping`.
    """
    lookup = lookup_while(game, tables_stamp(game), worth_keeping)
    return None if lookup is None else TableOracle(game, lookup)


@lru_cache(maxsize=32)
def lookup_while(game: Game, stamp: int, worth_keeping: int) -> Lookup | None:
    """The look-up in the game's table, as long as its tables have this stamp, or else in that of a small game."""
    table = kept_table(game)
    if table is not None:
        return table.lookup
    graph = reached_if_small(game)
    if graph is None:
        return None
    entries = solved(graph)
    if len(entries) > worth_keeping:
        keep_solution(game, graph, entries)

    def lookup(position: Position) -> Entry:
        try:
            return entries[position]
        except (KeyError, TypeError):
            raise BadPosition(f"{position} cannot be reached in {game.name} by legal play from the start") from None

    return lookup


def keep_solution(game: Game, graph: Reached, entries: dict[Position, Entry]) -> None:
    """Writes the solution to the table folder, if possible, and checks it; raises BadGame."""
    from perfectplay.solvers.table.table import tabulate
    from perfectplay.solvers.table.table_file import seal, write_mark
    from perfectplay.solvers.validity.validation import check_positions

    with suppress(OSError, BadTable):
        path, game = table_path(game), replace(game, name=absolute_name(game.name))
        with replacing(path) as sink:
            header, keys = tabulate(game, entries, sink)
            part = check_positions(graph, keys, header.scale)
            sink.flush()
            digest = seal(Path(sink.name))
        remove_outdated(path, header)
        write_mark(path, part, digest)
