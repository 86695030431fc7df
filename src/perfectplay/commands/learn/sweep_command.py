"""`perfectplay sweep`: every variant of the rules, solved and measured."""

import sys
from argparse import Namespace
from contextlib import redirect_stdout

from perfectplay.commands.learn.sweep_document import sweep_document
from perfectplay.commands.learn.sweeping import Sweep, check_axes, output_of_sweep, plan_of, progressed, sweep_of
from perfectplay.commands.terminal.progress import shown_progress, waiting
from perfectplay.commands.terminal.streams import show
from perfectplay.insight.sweeps.measures import FAILED, USUAL, Row
from perfectplay.insight.sweeps.sweeping import Plan
from perfectplay.rules.notation import number_of
from perfectplay.words import BadArgument


def show_sweep(options: Namespace) -> int:
    """Sweeps, and prints the rows, or writes them to a file."""
    for path in options.to:
        output_of_sweep(path, options.force)
    rows: list[Row] = []
    with redirect_stdout(sys.stderr):  # standard output is for results, whatever rules print
        with waiting("looking at the variants"):
            plan = plan_for(options)
        print(f"perfectplay: {plan}", file=sys.stderr, flush=True)
    options.kept = lambda: kept(options, plan, len(rows))
    try:
        with redirect_stdout(sys.stderr), shown_progress("variants", logged=True, timed=False) as progress:
            for done in progressed(plan):
                rows = done.rows
                if progress is not None:
                    progress(done.step)
    except KeyboardInterrupt:
        if rows and not options.json:
            show_rows(options, sweep_of(plan, rows))
        raise
    found = sweep_of(plan, rows)
    if all(row.facts.how == FAILED for row in rows):
        raise BadArgument(f"no variant works; {rows[0].variant.game}: {rows[0].facts.why}")
    for path in options.to:
        found.save(path, options.axes, force=options.force)
    if options.json:
        print(found.to_json())
    else:
        show_rows(options, found)
        for path in options.to:
            print(f"\n{path}: {number_of(len(found), 'variant')}")
    return 0


def plan_for(options: Namespace) -> Plan:
    """What is to be done; raises BadArgument or BadGame."""
    measures = USUAL if options.measures is None else options.measures
    limits = (options.seconds_each, options.memory, options.jobs, options.resume)
    plan = plan_of(options.variants, measures, *limits)
    check_axes(plan, options.axes)
    return plan


def show_rows(options: Namespace, found: Sweep) -> None:
    """Prints the rows, and the maps of the first measure that was asked for."""
    asked = ("fairness",) if options.measures is None else options.measures
    first = next((name if name != "all" else "fairness" for name in asked), "value")
    show(sweep_document(found.swept, first, options.axes))


def kept(options: Namespace, plan: Plan, done: int) -> str:
    """What an interruption leaves."""
    unwritten = f", {' and '.join(options.to)} not written" if options.to else ""
    all_of_them = number_of(len(plan.variants), "variant")
    return f"{done:,} of {all_of_them} are done and kept{unwritten}; the same command resumes here"
