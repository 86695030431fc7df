"""The study of a position without a table: by search, by threats on boards of lines, or by a look ahead."""

from contextlib import closing
from dataclasses import replace
from functools import lru_cache

from perfectplay.compiler.line_rules import is_searchable
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.solvers.search.lookahead import SURE_PLIES, look_ahead
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import Searcher, searcher_for
from perfectplay.solvers.search.threat_engine import proofs_for, threats_fault
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.worth import Study
from perfectplay.words import NotCompiled, PerfectplayError, Position, TooBig

WIDE_SECONDS = 5.0
"""The time for a board of more than 63 squares, unless another limit is given: few can be searched to their end."""


def ready(game: Game, position: Position | None = None) -> None:
    """Makes everything that a study of the position needs, so that it does not wait for a compiler; None: of any.

    What the opening book knows needs nothing.
    """
    searcher = searcher_of(game)
    if searcher is None and not threats_fault(game):
        proofs_for(game)
    elif searcher is not None:
        searcher.prepare(position)


@lru_cache(maxsize=4)
def searcher_of(game: Game) -> Searcher | None:
    """The searcher of the game, None if its rules are too wide or do not compile."""
    if not is_searchable(game):
        return None
    try:
        return searcher_for(game)
    except (TooBig, NotCompiled):
        return None
    except PerfectplayError:
        raise
    except Exception:  # what a compiler says of rules that it cannot take
        return None


def studying(game: Game, position: Position, limits: Limits) -> Steps[Study]:
    """The study of the position and its moves: complete, or by a search of limited time and by threats.

    However short the time is, immediate wins and immediate threats are never missed.
    """
    searcher = searcher_of(game)
    if searcher is None:
        return without_search(game, position, limits)
    if game.bits > COMPILED_BITS and not limits.set:
        limits.seconds = WIDE_SECONDS
    try:
        if not limits.set or threats_fault(game):
            return with_lookahead((yield from searcher.studying(position, limits)), game, position)
        searcher.check(position)
        return (yield from narrowed(searcher.studying(position, limits), by_threats(game, position, limits)))
    except NotCompiled:  # the search met a position that compiled rules cannot follow
        return without_search(game, position, limits)


def narrowed(steps: Steps[Study], proven: Study) -> Steps[Study]:
    """The same studies, narrowed by what is proven already."""
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value.narrowed(proven)  # type: ignore[no-any-return]
            yield step if step.study is None else replace(step, study=step.study.narrowed(proven))


def with_lookahead(study: Study, game: Game, position: Position) -> Study:
    """The study, with a short look ahead where the search had no time even for that."""
    if all(worth.bounds.complete_depth() >= SURE_PLIES for worth in study.moves.values()):
        return study
    return study.narrowed(look_ahead(game, position, nodes=0))


def without_search(game: Game, position: Position, limits: Limits) -> Study:
    """The study by threats or by a look ahead."""
    return look_ahead(game, position) if threats_fault(game) else by_threats(game, position, limits)


def by_threats(game: Game, position: Position, limits: Limits) -> Study:
    """The study by threats, in half of the time of the limits."""
    return proofs_for(game).study(position, limits.seconds and limits.seconds / 2, limits.nodes)
