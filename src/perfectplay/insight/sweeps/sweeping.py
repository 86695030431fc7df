"""A sweep: its variants, the facts about them from earlier sweeps, and the search for those of all others."""

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from types import ModuleType
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.insight.sweeps import finding
from perfectplay.insight.sweeps.finding import VariantLimits
from perfectplay.insight.sweeps.measures import FAILED, Facts, Measure, Row, Size, Skipped, Variant
from perfectplay.insight.sweeps.variant_workers import VariantTask, VariantWorkers
from perfectplay.rules.families import bound_sizes, family_of, full_sizes, known_name, load_family
from perfectplay.rules.loading import load_file, load_game, split_game, split_path
from perfectplay.rules.notation import number_of
from perfectplay.solvers.forecast import expected_positions, in_time, longest_game, most_positions
from perfectplay.solvers.memory.interpreted import SMALL, Reached, plies_show
from perfectplay.words import BadArgument, BadGame

# Which variants a text asks for: `lines:3..5,3..5,3,misere=false|true` is a board of each size, with and without.
#
# A part is a size, a range `a..b`, or a list `a|b|c` of both; the variants are all combinations, the last part runs
# fastest.


MOST = 10_000
"""The most variants of a sweep."""
HYPHEN = re.compile(r"\s*[0-9]+\s*-\s*[0-9]+\s*")
"""A range as some people write it."""
RANGE = re.compile(r"\s*(-?[0-9]{1,9})\s*\.\.\s*(-?[0-9]{1,9})\s*")


def names_in(text: str) -> list[str]:
    """The names of the variants that the text asks for; raises BadArgument."""
    family, sizes = split_name(text)
    if not sizes:
        return [text]
    parts = [choices_in(text, part) for part in sizes.split(",")]
    if prod(map(len, parts)) > MOST:
        raise BadArgument(f"{text!r} means {prod(map(len, parts)):,} variants; ask for at most {MOST:,} at a time")
    return [f"{family}:{','.join(choice)}" for choice in product(*parts)]


def split_name(text: str) -> tuple[str, str]:
    """The family or file, and the sizes behind the colon."""
    path, sizes = split_path(text)
    if path is not None:
        return text.removesuffix(f":{sizes}"), sizes
    family, _, sizes = text.partition(":")
    return family, sizes


def choices_in(text: str, part: str) -> list[str]:
    """The sizes that a part stands for, each with its keyword if it has one."""
    keyword, equals, values = part.rpartition("=")
    sizes = [size for value in values.split("|") for size in sizes_in(text, value)]
    return [f"{keyword}{equals}{size}" for size in dict.fromkeys(sizes)]


def sizes_in(text: str, value: str) -> list[str]:
    """The sizes of a range, or the one size."""
    ends = RANGE.fullmatch(value)
    if ends is None:
        if not value.strip():
            raise BadArgument(f"{text!r}: a size is missing between commas or bars")
        if ".." in value or HYPHEN.fullmatch(value):
            raise BadArgument(f"{text!r}: {value!r} is not a range of sizes; write 3..5, or false|true for a switch")
        return [value.strip()]
    low, high = int(ends[1]), int(ends[2])
    if low > high:
        raise BadArgument(f"{text!r}: the range {value.strip()} is empty; write the least first: {high}..{low}")
    if high - low >= MOST:
        raise BadArgument(
            f"{text!r}: the range {value.strip()} has {high - low + 1:,} sizes; at most {MOST:,} are swept"
        )
    return [str(size) for size in range(low, high + 1)]


def variants_of(
    texts: Sequence[str], probe: Callable[[list[str]], dict[str, BadGame]] = lambda names: {}
) -> tuple[list[tuple[Variant, Game | BadGame]], list[Skipped]]:
    """The variants that can be, each with its rules or why they do not work, and those that cannot be, with why.

    People's own files get a `probe` before their rules run here: the function gives the variants that do not work, with
    why. Raises BadArgument if there is no variant, and BadGame for a game that does not exist.
    """
    names = list(dict.fromkeys(name for text in texts for name in names_in(text)))
    if len(names) > MOST:
        raise BadArgument(f"these are {len(names):,} variants; ask for at most {MOST:,} at a time")
    entries: dict[str, tuple[Variant, Game | BadGame]] = {}
    skipped: list[Skipped] = []
    variants = {variant.game: variant for variant in map(variant_of, names)}
    refused = probe([name for name in variants if split_game(name)[0] is not None])
    for variant in variants.values():
        try:
            if variant.game in refused:
                raise refused[variant.game]
            entries[variant.game] = variant, load_game(variant.game)
        except BadGame as fault:
            if fault.impossible:
                skipped.append(Skipped(variant.game, reason(variant.game, fault)))
            else:
                entries[variant.game] = variant, fault
    if not entries:
        none = "the only variant" if len(skipped) == 1 else f"each of the {len(skipped):,} variants"
        raise BadArgument(f"{none} is impossible; {skipped[0].game}: {skipped[0].why}")
    return list(entries.values()), skipped


def reason(name: str, fault: BadGame) -> str:
    """Why a variant cannot be, without its name."""
    return str(fault).removeprefix(f"{name!r}: ").removeprefix(f"{name!r} ")


def variant_of(name: str) -> Variant:
    """The variant of that name, with all its sizes by name; raises BadGame."""
    typed, sizes_text = split_name(name)
    module, family, own = module_of(typed, name)
    if name.endswith(":") or (own and sizes_text):
        load_game(name)  # which says what is wrong
    try:
        sizes = bound_sizes(module, sizes_text or own)
    except (BadGame, TypeError):
        load_game(name)
        raise
    signature = inspect.signature(module.game)
    rest = ",".join(part for part in sizes_text.split(",") if part and not is_usual(signature, part))
    game = typed + (f":{full_sizes(module, rest)}" if rest else "")
    return Variant(game, family, dict(sizes_by_name(sizes)))


def module_of(typed: str, name: str) -> tuple[ModuleType, str, str]:
    """The game's file, what its family is called, and the sizes that an alias stands for; raises BadGame."""
    path, own = split_game(typed)
    if path is not None:
        module = load_file(path, BadGame)
        if not callable(getattr(module, "game", None)):
            load_game(name)
        return module, typed, own
    meant = known_name(typed)
    if meant is None:
        load_game(name)
        raise BadGame(f"{name!r} cannot be swept; give a game of this package, or your own file")
    record = family_of(meant)
    return load_family(record.name), record.name, record.aliases.get(meant, "")


def is_usual(signature: inspect.Signature, part: str) -> bool:
    """Whether this part is a switch that is off, as it is if it is not named."""
    name, equals, value = (piece.strip() for piece in part.partition("="))
    size = signature.parameters.get(name)
    return bool(equals) and size is not None and size.default is False and value.lower() == "false"


def sizes_by_name(sizes: dict[str, object]) -> Iterator[tuple[str, Size]]:
    """The sizes by name; those of any number have theirs with a number each."""
    for name, value in sizes.items():
        if isinstance(value, int):
            yield name, value
        elif isinstance(value, tuple):
            yield from ((f"{name}_{number}", size) for number, size in enumerate(value, 1))
        elif isinstance(value, dict):
            yield from value.items()


GLANCED_AT, GLANCE = 1_000, 0.05
"""Positions and seconds after which the size of a variant is guessed."""
TO_LOAD, INTERPRETED, COMPILED = 0.05, 20e-6, 0.5e-6
"""Seconds for a variant, and for a position by interpreted and by compiled rules, about."""
TO_MEASURE, FITTED, A_POSITION = 0.1, 250e-6, 1e-6
"""Seconds for the measures of a variant, of a position of a game so small that levels are fitted to it, and of any."""
SMALLEST = 10_000
"""The positions of games to which levels are fitted, about."""
TO_PROBE = 10.0
"""Seconds in which one random game must be over, if a variant of people's own file works."""


class Plan(NamedTuple):
    """The variants of a sweep, with their rules or why these do not work; and those that cannot be.

    `earlier` has the facts from earlier sweeps by the variants' numbers, `expected` the seconds that each of the others
    will take, about.
    """

    texts: tuple[str, ...]
    variants: list[tuple[Variant, Game | BadGame]]
    skipped: list[Skipped]
    measures: tuple[Measure, ...]
    limits: VariantLimits
    earlier: dict[int, Facts]
    expected: dict[int, float]

    def __str__(self) -> str:
        count = number_of(len(self.variants), "variant")
        skipped = (
            f", {len(self.skipped):,} more {'is' if len(self.skipped) == 1 else 'are'} impossible"
            if self.skipped
            else ""
        )
        bad = sum(facts.how == FAILED for facts in self.earlier.values())
        failed = f"; {bad:,} {'does' if bad == 1 else 'do'} not work" if bad else ""
        earlier = f"; {len(self.earlier) - bad:,} known already" if len(self.earlier) > bad else ""
        rest = f"; about {in_time(self.seconds_left())}" if self.expected else "; nothing to do"
        return f"{count}{skipped}{failed}{earlier}{rest}"

    def seconds_left(self, done: Collection[int] = (), running: Mapping[int, float] | None = None) -> float:
        """The seconds that the variants will take which are not known or done, about.

        `running` has the seconds that some have taken so far; if more than expected, they may well take as long again.
        """
        so_far, most = running or {}, self.limits.seconds
        rest = {
            number: seconds - so_far.get(number, 0.0) for number, seconds in self.expected.items() if number not in done
        }
        late = {number: min(spent, most - spent) for number, spent in so_far.items() if rest.get(number, 0.0) <= 0}
        return sum(max(0.0, seconds) for seconds in {**rest, **late}.values()) / self.limits.jobs


def plan_sweep(texts: Sequence[str], measures: tuple[Measure, ...], limits: VariantLimits) -> Plan:
    """The sweep over these variants; raises BadArgument or BadGame."""
    variants, skipped = variants_of(texts, probe)
    earlier, expected = {}, {}
    for number, (variant, game) in enumerate(variants):
        if isinstance(game, BadGame):
            earlier[number] = Facts(how=FAILED, why=reason(variant.game, game))
            continue
        path = finding.facts_path(game)
        stored = None if path is None else finding.read(path)
        if stored is not None and finding.complete(stored, measures, limits):
            earlier[number] = stored.facts
        else:
            expected[number] = min(limits.seconds, expected_seconds(game, any(one.function for one in measures)))
    return Plan(tuple(texts), variants, skipped, measures, limits, earlier, expected)


def probe(names: list[str]) -> dict[str, BadGame]:
    """The variants that do not work, with why: each is loaded by another process, which may end or hang."""
    faults: dict[str, BadGame] = {}
    if names:
        with VariantWorkers(1, grace=0.0) as workers:
            for result in workers.work(
                [VariantTask(number, {"probe": name}, TO_PROBE) for number, name in enumerate(names)]
            ):
                if result is not None and result.facts.how == FAILED:
                    fault = faults[names[result.number]] = BadGame(result.facts.why)
                    fault.impossible = result.impossible
    return faults


def expected_seconds(game: Game, with_measures: bool) -> float:
    """The seconds that a variant will take, measured or not, by a glance at its first plies."""
    forward = Reached(game, seconds=GLANCE)
    try:
        while len(forward.positions) < GLANCED_AT and forward.next_ply():
            pass
        count = len(forward.positions)
        newest = forward.positions[len(forward.outcomes) :]
        if newest and not forward.late and plies_show(game, newest, len(forward.sizes)):
            count = expected_positions([*forward.sizes, len(newest)], longest_game(game), most_positions(game))
    except Exception:  # whatever the rules do: it is told when they are looked at properly
        return TO_LOAD
    small = FITTED * min(count, SMALLEST) if count <= 2 * SMALLEST else 0.0
    measuring = TO_MEASURE + small + A_POSITION * count if with_measures else 0.0
    return TO_LOAD + INTERPRETED * min(count, SMALL) + COMPILED * count + measuring


class Event(NamedTuple):
    """An event of a sweep: a row that is done, the work under way, in words, and about how many seconds are left.

    A row is `fresh` unless it was known before. The `warning` is shown once.
    """

    row: Row | None
    running: str
    seconds_left: float
    fresh: bool
    warning: str = ""


def sweep_events(plan: Plan) -> Iterator[Event]:
    """The events until all variants are done; those that are known come first, then the smallest."""
    for number in plan.earlier:
        yield Event(Row(plan.variants[number][0], plan.earlier[number]), "", plan.seconds_left(), False)
    order = sorted(plan.expected, key=lambda number: plan.expected[number])
    if not order:
        return
    finding.prune(finding.MOST_FILES)
    done, warned = set[int](), False
    with VariantWorkers(min(plan.limits.jobs, len(order))) as workers:
        for result in workers.work([task_for(plan, number) for number in order]):
            row, fault = None, None
            if result is not None:
                done.add(result.number)
                row, fault = Row(plan.variants[result.number][0], result.facts), keep(plan, result.number, result.facts)
            warning = "" if fault is None or warned else f"results cannot be kept: {fault.strerror}: {fault.filename}"
            warned = warned or warning != ""
            yield Event(row, running_text(plan, workers), plan.seconds_left(done, workers.spent()), True, warning)


def task_for(plan: Plan, number: int) -> VariantTask:
    """The task for the variant of this number."""
    variant, game = plan.variants[number]
    assert isinstance(game, Game)
    path = finding.facts_path(game)
    stored = None if path is None else finding.read(path)
    names = [measure.name for measure in plan.measures]
    facts = None if stored is None else stored.facts.to_dict()
    message = {"game": variant.game, "measures": names, "limits": [*plan.limits], "known": facts}
    return VariantTask(number, message, plan.limits.seconds)


def keep(plan: Plan, number: int, facts: Facts) -> OSError | None:
    """Keeps the facts for the next time; returns why that cannot be done."""
    game = plan.variants[number][1]
    path = finding.facts_path(game) if isinstance(game, Game) else None
    if path is None or not isinstance(game, Game) or facts.how == FAILED:
        return None
    try:
        finding.write(path, game, facts, plan.limits)
    except OSError as fault:
        return fault
    return None


def running_text(plan: Plan, workers: VariantWorkers) -> str:
    """The variants under way, with their phases."""
    running = [worker for worker in workers.running() if worker.task is not None]
    return ", ".join(
        f"{plan.variants[one.task.number][0].game} ({one.phase})" for one in running if one.task is not None
    )


def in_order(plan: Plan, rows: Sequence[Row]) -> list[Row]:
    """The rows in the order in which the variants were asked for."""
    order = {variant.game: number for number, (variant, _) in enumerate(plan.variants)}
    return sorted(rows, key=lambda row: order[row.variant.game])
