"""`sweep`: every variant of the rules, solved and measured."""

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, Flag, Memory, Named, Names, Seconds, Whole
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.words import BadArgument

if TYPE_CHECKING:
    from perfectplay.commands.learn.sweeping import Sweep
    from perfectplay.insight.sweeps.measures import Row
    from perfectplay.insight.sweeps.sweeping import Plan

USUAL = ("fairness", "decisiveness", "depth", "length")
"""The measures that are taken if none are asked for."""


@dataclass(frozen=True)
class Pair(Names):
    """Two different sizes."""

    def read(self, text: str) -> tuple[str, ...]:
        """The two names in the text."""
        found = super().read(text)
        if len(found) != 2 or found[0] == found[1]:
            raise BadArgument(f"{text!r} is not two different sizes, such as width,height")
        return found


@verb(
    "know",
    "solve and measure every variant of the rules: who wins, how fair and how deep it is",
    "sweep 'lines:3,2..3,2..3,misere=false|true' --to report.html",
    "sweep nim:1..3,1..3 --measure length",
)
def sweep(
    *variants: Annotated[
        str | os.PathLike[str],
        Named(
            "a game with ranges (3..5) and lists (3|5, false|true) for its sizes: 'lines:3..5,3..5,3'; or your own "
            "file ('./mygame.py:3..6'); several are swept together",
            metavar="VARIANTS",
            argument=True,
            least=1,
        ),
    ],
    measures: Annotated[
        Sequence[str],
        Names(
            "what to measure: fairness, decisiveness, depth, length (these are the default), drama, sharpness, traps, "
            "branching, first_moves, classes, longest, or all; value, distance and positions are always there",
            metavar="NAME,...",
            flag="--measure",
        ),
    ] = USUAL,
    seconds: Annotated[float, Seconds("time limit of a variant (default: 60)")] = 60.0,
    memory: Annotated[
        int | str | None, Memory("memory limit of a variant, such as 4G (default: what is free)", metavar="SIZE")
    ] = None,
    jobs: Annotated[int | None, Whole("variants at a time (default: one per core)", 1, 1024)] = None,
    resume: Annotated[bool, Flag("resume interrupted solves, too; finished variants are never done twice")] = False,
    progress: Progress | None = None,
) -> "Sweep":
    """Every variant of the rules that the texts ask for, solved as well as it can be and measured.

    `lines:3..5,3..5,3,misere=false|true` asks for ranges of sizes and both settings of a switch; `./mygame.py:3..6` is
    a file. Each variant gets the best that can be had in `seconds` and `memory`: solved completely, else its value by
    search, else bounds, else estimates from random games; `how` says which. `jobs` processes work at once. What
    earlier sweeps found and tables that are kept are used again; resume=True resumes interrupted solves, too.
    """
    from perfectplay.commands.learn.sweeping import plan_of, sweep_into, sweep_of

    plan = plan_of(variants, measures, seconds, memory, jobs, resume)
    rows: list[Row] = []
    sweep_into(rows, plan, progress)
    return sweep_of(plan, rows)


@on_command_line("sweep")
def show(
    call: Call,
    *,
    axes: Annotated[
        tuple[str, str] | None,
        Pair("the sizes across and down the maps (default: automatic)", metavar="SIZE,SIZE", flag="--map"),
    ] = None,
    to: Annotated[
        Sequence[str],
        Named("write .csv, .json, .parquet, or .html: a report; may be repeated", metavar="FILE", repeats=True),
    ] = (),
    force: Annotated[bool, FORCE] = False,
) -> int:
    """Sweeps, and prints the rows, or writes them to a file."""
    from perfectplay.commands.learn.sweeping import check_axes, output_of_sweep, plan_of, sweep_into, sweep_of
    from perfectplay.commands.terminal.progress import shown_progress, waiting
    from perfectplay.insight.sweeps.measures import FAILED
    from perfectplay.rules.notation import number_of

    for path in to:
        output_of_sweep(path, force)
    rows: list[Row] = []
    variants, limits = call.arguments()
    with redirect_stdout(sys.stderr):  # standard output is for results, whatever rules print
        with waiting("looking at the variants"):
            plan = plan_of(variants, **limits)
            check_axes(plan, axes)
        print(f"perfectplay: {plan}", file=sys.stderr, flush=True)
    call.options.kept = lambda: left(plan, len(rows), to)
    try:
        with redirect_stdout(sys.stderr), shown_progress("variants", logged=True, timed=False) as progress:
            sweep_into(rows, plan, progress)
    except KeyboardInterrupt:
        if rows and not call.options.json:
            show_rows(call, sweep_of(plan, rows), axes)
        raise
    found = sweep_of(plan, rows)
    if all(row.facts.how == FAILED for row in rows):
        raise BadArgument(f"no variant works; {rows[0].variant.game}: {rows[0].facts.why}")
    for path in to:
        found.save(path, axes, force=force)
    if call.options.json:
        print(found.to_json())
    else:
        show_rows(call, found, axes)
        for path in to:
            print(f"\n{path}: {number_of(len(found), 'variant')}")
    return 0


def show_rows(call: Call, found: "Sweep", axes: tuple[str, str] | None) -> None:
    """Prints the rows, and the maps of the first measure that was asked for."""
    from perfectplay.commands.learn.sweeping import sweep_document
    from perfectplay.commands.terminal.streams import show as show_document

    first = next((name if name != "all" else "fairness" for name in call.options.measures), "value")
    show_document(sweep_document(found.swept, first, axes))


def left(plan: "Plan", done: int, unwritten: Sequence[str]) -> str:
    """What an interruption leaves."""
    from perfectplay.rules.notation import number_of

    files = f", {' and '.join(unwritten)} not written" if unwritten else ""
    variants = number_of(len(plan.variants), "variant")
    return f"{done:,} of {variants} are done and kept{files}; the same command resumes here"
