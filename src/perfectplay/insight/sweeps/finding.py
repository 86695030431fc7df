"""One variant of a sweep within limits: solved; if that fails its value searched, else bounded, else random games."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import NamedTuple, TypeVar

from perfectplay.arena.referee import winner_of
from perfectplay.compiler.checks.sample_positions import Met, random_trails
from perfectplay.compiler.known_rules import digest_of
from perfectplay.game import Game, legal_moves
from perfectplay.insight.sweeps.measures import BOUNDS, ESTIMATED, SEARCHED, SOLVED, Estimate, Facts, Measure, facts_in
from perfectplay.processes.folders import data_folder, remove_leftovers, replacing
from perfectplay.rules.loading import absolute_name, checked_outcome
from perfectplay.rules.notation import value_name
from perfectplay.solvers.complete import solving_without_table
from perfectplay.solvers.engine import AUTO, Options
from perfectplay.solvers.engine_table import NUMBA, PYTHON
from perfectplay.solvers.forecast import free_memory
from perfectplay.solvers.oracle import SearchOracle
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.summary import Summary, summary_of
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.worth import Worth
from perfectplay.words import FIRST, LOSS, ONGOING, WIN, BadGame, NotCompiled, TooBig, entry_of

# What a search proves about the start of a variant that is not solved.


SEARCH_SECONDS = 1.0
"""Seconds that a search has in any case: compiling it may have taken all the time."""


def search_proof(game: Game, end: float, threads: int) -> Worth | None:
    """What the opening book, or a search until that time, proves of the start; None if that excludes nothing."""
    oracle = SearchOracle(game)
    try:
        oracle.prepare(game.start)
        worth = oracle.worth(game.start, Limits(max(SEARCH_SECONDS, end - time.monotonic()), None, threads))
    except (TooBig, BadGame):  # the rules do not compile, or a search cannot deal with them
        return None
    return None if (worth.least, worth.most) == (LOSS, WIN) else worth


T = TypeVar("T")

TO_SOLVE, TO_SEARCH = 0.7, 0.95
"""Fractions of the time: solving ends at the first, search at the second, then random games begin."""


class OutOfTime(Exception):
    """The time is over."""


class VariantLimits(NamedTuple):
    """The limits of a variant: seconds, bytes of memory (None: what is free), threads.

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


def finding(
    game: Game, measures: Sequence[Measure], limits: VariantLimits, earlier: Facts | None = None
) -> Steps[Facts]:
    """The facts about the game, in steps; raises BadGame if its rules do not work.

    Facts from `earlier` are not computed again: if it was solved, only measures are missing.
    """
    begin = time.monotonic()
    solved = earlier is not None and earlier.how == SOLVED
    facts = earlier if earlier is not None and solved else (yield from best_facts(game, limits, begin))
    if facts.how == SOLVED:
        facts = yield from with_measures(game, facts, measures, limits, begin + limits.seconds)
    spent = time.monotonic() - begin + (facts.seconds if solved else 0.0)
    return replace(facts, seconds=spent, tried=tuple(dict.fromkeys([*facts.tried, *(one.name for one in measures)])))


def best_facts(game: Game, limits: VariantLimits, begin: float) -> Steps[Facts]:
    """The facts about the value: solved if it can be, else searched, else estimated."""
    try:
        summary = yield from until(begin + TO_SOLVE * limits.seconds, solved_summary(game, limits))
        return Facts(
            how=SOLVED,
            value=value_name(summary.start),
            distance=summary.distance,
            margin=summary.margin,
            positions=summary.positions,
            measures={"classes": summary.classes, "longest": None if summary.margin is not None else summary.longest},
        )
    except (TooBig, MemoryError) as fault:
        why = str(fault) or "not enough memory to solve it"
    except OutOfTime:
        why = f"not solved within its {limits.seconds:g} s"
    proven = search_proof(game, begin + TO_SEARCH * limits.seconds, limits.threads)
    if proven is not None:
        return replace(searched_facts(proven), why=why)
    rest = max(0.02 * limits.seconds, begin + limits.seconds - time.monotonic())
    return Facts(how=ESTIMATED, why=why, estimates=estimates(game, rest))


def searched_facts(worth: Worth) -> Facts:
    """The facts of a variant whose start is searched."""
    low, high = (value_name(entry_of(value, None)) for value in (worth.least, worth.most))
    if low != high:
        return Facts(how=BOUNDS, bounds=(low, high))
    return Facts(how=SEARCHED, value=low, distance=worth.distance, margin=worth.margin)


def solved_summary(game: Game, limits: VariantLimits) -> Steps[Summary]:
    """The summary of the kept table, or of a solve that keeps none."""
    table = kept_table(game)
    if table is not None:
        return summary_of(table.header, game.name)
    options = Options(AUTO, None, limits.memory, limits.threads)
    if limits.resume and NUMBA.has_checkpoint(game, options):
        options = options._replace(engine=NUMBA.name, resume=True)
    try:
        result = yield from solving_without_table(game, options)
    except NotCompiled:
        result = yield from solving_without_table(game, options._replace(engine=PYTHON.name, resume=False))
    return summary_of(result.solution.header, game.name)


def with_measures(
    game: Game, facts: Facts, measures: Sequence[Measure], limits: VariantLimits, end: float
) -> Steps[Facts]:
    """The facts with these measures, as far as time and memory allow."""
    absent = [one for one in measures if not all(column in facts.measures for column in one.columns)]
    if not absent:
        return facts
    from perfectplay.insight.play_measures import graph_of
    from perfectplay.players.models.level_games import LevelGames  # numba: only when it is wanted

    cells, faults = dict(facts.measures), []
    try:
        graph = yield from until(end, graph_of(game, facts.positions or 0))
        games = LevelGames(graph, limits.bytes)
    except (TooBig, BadGame, MemoryError, OutOfTime) as fault:
        return replace(facts, why=f"no {measure_names(absent)}: {fault_text(fault, limits)}")
    for measure in absent:
        try:
            cells |= yield from until(end, measure.computing(games))
        except (TooBig, MemoryError, OutOfTime) as fault:
            faults.append((measure, fault_text(fault, limits)))
    texts = dict.fromkeys(text for _, text in faults)
    lines = [f"no {measure_names([one for one, why in faults if why == text])}: {text}" for text in texts]
    return replace(facts, measures=cells, why="; ".join(lines) or None)


def measure_names(measures: Sequence[Measure]) -> str:
    """The names of the measures."""
    return ", ".join(measure.name for measure in measures)


def fault_text(fault: BaseException, limits: VariantLimits) -> str:
    """Why a measure is missing."""
    return (
        f"not found within its {limits.seconds:g} s"
        if isinstance(fault, OutOfTime)
        else str(fault) or "not enough memory"
    )


def until(end: float, steps: Steps[T]) -> Steps[T]:
    """The same steps; raises OutOfTime at the first one after that time."""
    try:
        while True:
            step = next(steps)
            if time.monotonic() > end:
                raise OutOfTime
            yield step
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        steps.close()


# What random games let one guess about a variant of which nothing can be proven.


LEAST, MOST = 30, 10_000
"""Games that are played in any case, and at most."""
LONGEST = 1_000
"""A game of more plies counts as a draw."""
SEED = 1
Z = 1.959964
"""Standard errors on either side of a mean that make a 95% confidence interval."""


def estimates(game: Game, seconds: float) -> dict[str, Estimate]:
    """Estimates for random players from as many games as the time allows, by the columns of measures."""
    end = time.monotonic() + seconds
    scores, decided, plies, choices = [], [], [], []
    for number, trail in enumerate(random_trails(game, Met(game.start, FIRST), MOST, SEED, LONGEST + 1)):
        if number >= LEAST and time.monotonic() > end:
            break
        outcome = checked_outcome(game, *trail[-1])
        winner = None if outcome == ONGOING else winner_of(outcome, trail[-1].side)
        scores.append(0.5 if winner is None else float(winner == FIRST))
        decided.append(float(winner is not None))
        plies.append(float(len(trail) - 1))
        counts = [len(legal_moves(game, met.position)) for met in trail[:-1]]
        choices.append((float(sum(counts)), float(len(counts))))
    return {
        "fairness_random": mean(scores, 1.0),
        "decisiveness_random": mean(decided, 1.0),
        "length_random": mean(plies),
        "branching_random": ratio(choices),
    }


def mean(numbers: list[float], greatest: float | None = None) -> Estimate:
    """The mean of these numbers, with its interval, within 0 and the greatest that is possible."""
    count = len(numbers)
    middle = sum(numbers) / count
    if greatest is not None and len({*numbers}) == 1:  # the rule of three: what never happens may be rare
        rare = min(1.0, 3 / count)
        return Estimate(middle, max(0.0, middle - rare), min(greatest, middle + rare))
    half = Z * sqrt(sum((number - middle) ** 2 for number in numbers) / max(1, count - 1) / count)
    high = middle + half if greatest is None else min(greatest, middle + half)
    return Estimate(middle, max(0.0, middle - half), high)


def ratio(pairs: list[tuple[float, float]]) -> Estimate:
    """The sum of the first numbers by that of the second, with its interval (the delta method)."""
    above, below = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    middle = above / below
    squares = sum((a - middle * b) ** 2 for a, b in pairs)
    half = Z * sqrt(squares / max(1, len(pairs) - 1) * len(pairs)) / below
    return Estimate(middle, max(0.0, middle - half), middle + half)


# The facts from earlier sweeps, a file for each variant in the data folder, so that nothing is computed twice.
#
# A file is named by a digest of the rules with all that they can reach and of this package (`compiler.known_rules`):
# what other rules or another version found is not found again. Each is written whole as soon as a variant is done.


ENDING = ".json"
MOST_FILES = 20_000
"""The number of files to keep, a few kilobytes each."""


class StoredFacts(NamedTuple):
    """The content of a file: the game, its facts, and the limits within which these were found."""

    game: str
    facts: Facts
    seconds: float
    memory: int | None


def sweeps_folder() -> Path:
    """The folder of the files."""
    return data_folder() / "sweeps"


def facts_path(game: Game) -> Path | None:
    """The file of these rules, whether it exists or not; None if they cannot be told from others."""
    digest = digest_of(game)
    return sweeps_folder() / f"{digest[:32]}{ENDING}" if digest else None


def files() -> list[Path]:
    """The files, the newest first."""
    entries = []
    for path in sweeps_folder().glob(f"*{ENDING}"):
        with suppress(OSError):  # another process may remove files
            entries.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(entries, reverse=True)]


def prune(most: int = 0) -> None:
    """Removes all files but the newest `most`."""
    remove_leftovers(sweeps_folder())
    for path in files()[most:]:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def read(path: Path) -> StoredFacts | None:
    """The content of the file; None if there is none or it is damaged."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return StoredFacts(fields["game"], facts_in(fields["facts"]), float(fields["seconds"]), fields["memory"])
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return None


def write(path: Path, game: Game, facts: Facts, limits: VariantLimits) -> None:
    """Keeps the facts; raises OSError."""
    fields = {
        "game": absolute_name(game.name),
        "facts": facts.to_dict(),
        "seconds": limits.seconds,
        "memory": limits.memory,
    }
    with replacing(path) as sink:
        sink.write(json.dumps(fields).encode())


def complete(earlier: StoredFacts, measures: Sequence[Measure], limits: VariantLimits) -> bool:
    """Whether nothing more can be found out within these limits; measures need a solved game."""
    solved = earlier.facts.how == SOLVED
    if solved and all(column in earlier.facts.measures for one in measures for column in one.columns):
        return True
    as_long = limits.seconds <= earlier.seconds
    as_much = earlier.memory is None or (limits.memory is not None and limits.memory <= earlier.memory)
    return as_long and as_much and (not solved or all(one.name in earlier.facts.tried for one in measures))
