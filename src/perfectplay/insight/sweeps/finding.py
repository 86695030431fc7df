"""Finds out about one variant what can be found out within its limits: the best that can be had, and how good it is.

It is solved if it can be, else its value is searched, else bounded; where nothing can be proven, random games are
played. What has been found stays, whatever comes next.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from perfectplay.game import Game
from perfectplay.insight.sweeps.facts import BOUNDS, ESTIMATED, SEARCHED, SOLVED, Facts
from perfectplay.insight.sweeps.measures import Measure
from perfectplay.insight.sweeps.random_estimates import estimates
from perfectplay.insight.sweeps.searched_value import Proven, searched
from perfectplay.rules.notation import value_name
from perfectplay.solvers.complete import without_table
from perfectplay.solvers.engine import AUTO, Options
from perfectplay.solvers.engine_table import NUMBA, PYTHON
from perfectplay.solvers.forecast import free_memory
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.summary import Summary, summary_of
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.words import BadGame, NotCompiled, TooBig, entry_of

T = TypeVar("T")

TO_SOLVE, TO_SEARCH = 0.7, 0.95
"""The parts of the time after which solving gives way to search, and search to random games."""


class Late(Exception):
    """The time is over."""


class Limits(NamedTuple):
    """What a variant may take: seconds, bytes of memory (None: what is free), threads.

    With `resume` an interrupted solve goes on where it was saved. `jobs` variants share what is free.
    """

    seconds: float
    memory: int | None = None
    threads: int = 1
    resume: bool = False
    jobs: int = 1

    @property
    def bytes(self) -> int:
        """The bytes of memory."""
        return self.memory or int(0.8 * free_memory() / self.jobs)


def finding(game: Game, measures: Sequence[Measure], limits: Limits, known: Facts | None = None) -> Steps[Facts]:
    """What can be found out about the game, in steps; raises BadGame if its rules do not work.

    What is `known` from earlier is not found out again: if it was solved, only measures are missing.
    """
    begin = time.monotonic()
    solved = known is not None and known.how == SOLVED
    found = known if known is not None and solved else (yield from the_best(game, limits, begin))
    if found.how == SOLVED:
        found = yield from measured(game, found, measures, limits, begin + limits.seconds)
    spent = time.monotonic() - begin + (found.seconds if solved else 0.0)
    return replace(found, seconds=spent, tried=tuple(dict.fromkeys([*found.tried, *(one.name for one in measures)])))


def the_best(game: Game, limits: Limits, begin: float) -> Steps[Facts]:
    """The value, as well as it can be known."""
    try:
        summary = yield from until(begin + TO_SOLVE * limits.seconds, solved_summary(game, limits))
        return solved_facts(summary)
    except (TooBig, MemoryError) as fault:
        why = str(fault) or "not enough memory to solve it"
    except Late:
        why = f"not solved within its {limits.seconds:g} s"
    proven = searched(game, begin + TO_SEARCH * limits.seconds, limits.threads)
    if proven is not None:
        return replace(searched_facts(proven), why=why)
    left = max(0.02 * limits.seconds, begin + limits.seconds - time.monotonic())
    return Facts(how=ESTIMATED, why=why, estimates=estimates(game, left))


def solved_facts(summary: Summary) -> Facts:
    """The facts of a solved variant."""
    return Facts(
        how=SOLVED,
        value=value_name(summary.start),
        distance=summary.distance,
        margin=summary.margin,
        positions=summary.positions,
        measures={"classes": summary.classes, "longest": None if summary.margin is not None else summary.longest},
    )


def searched_facts(proven: Proven) -> Facts:
    """The facts of a variant whose start is searched."""
    low, high = (value_name(entry_of(value, None)) for value in proven.values)
    if low != high:
        return Facts(how=BOUNDS, bounds=(low, high))
    return Facts(how=SEARCHED, value=low, distance=proven.distance, margin=proven.margin)


def solved_summary(game: Game, limits: Limits) -> Steps[Summary]:
    """What the kept table says, or a solve that keeps none."""
    table = kept_table(game)
    if table is not None:
        return summary_of(table.header, game.name)
    options = Options(AUTO, None, limits.memory, limits.threads)
    if limits.resume and NUMBA.has_checkpoint(game, options):
        options = options._replace(engine=NUMBA.name, resume=True)
    try:
        written = yield from without_table(game, options)
    except NotCompiled:
        written = yield from without_table(game, options._replace(engine=PYTHON.name, resume=False))
    return summary_of(written.solution.header, game.name)


def measured(game: Game, facts: Facts, measures: Sequence[Measure], limits: Limits, end: float) -> Steps[Facts]:
    """The facts with these measures, as far as time and memory allow."""
    missing = [one for one in measures if not all(column in facts.measures for column in one.columns)]
    if not missing:
        return facts
    from perfectplay.insight.sweeps.variant_graph import graph_of
    from perfectplay.players.models.level_games import LevelGames  # numba: only when it is wanted

    found, faults = dict(facts.measures), []
    try:
        graph = yield from until(end, graph_of(game, facts.positions or 0))
        games = LevelGames(graph, limits.bytes)
    except (TooBig, BadGame, MemoryError, Late) as fault:
        return replace(facts, why=f"no {listed(missing)}: {said(fault, limits)}")
    for measure in missing:
        try:
            found |= yield from until(end, measure.computing(games))
        except (TooBig, MemoryError, Late) as fault:
            faults.append((measure, said(fault, limits)))
    texts = dict.fromkeys(text for _, text in faults)
    lines = [f"no {listed([one for one, why in faults if why == text])}: {text}" for text in texts]
    return replace(facts, measures=found, why="; ".join(lines) or None)


def listed(measures: Sequence[Measure]) -> str:
    """The names of the measures."""
    return ", ".join(measure.name for measure in measures)


def said(fault: BaseException, limits: Limits) -> str:
    """Why a measure is missing."""
    return (
        f"not found within its {limits.seconds:g} s" if isinstance(fault, Late) else str(fault) or "not enough memory"
    )


def until(end: float, steps: Steps[T]) -> Steps[T]:
    """The same steps; raises Late at the first one after that time."""
    try:
        while True:
            step = next(steps)
            if time.monotonic() > end:
                raise Late
            yield step
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        steps.close()
