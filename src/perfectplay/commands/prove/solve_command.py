"""`perfectplay solve`: the truth about a game."""

import json
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from functools import partial

from perfectplay.commands.know.verdicts import exact_verdict
from perfectplay.commands.prove.checking import doubts
from perfectplay.commands.prove.farthest import farthest, farthest_section
from perfectplay.commands.prove.solving import (
    Solved,
    options_for,
    solved_with_table,
    solved_without_table,
    why_unwritten,
)
from perfectplay.commands.terminal.signals import MISUSED
from perfectplay.commands.terminal.streams import show
from perfectplay.game import Game
from perfectplay.rules.loading import load_game
from perfectplay.solvers.table.summary import counts_table, distance_parts, origin, trace_of, trace_parts
from perfectplay.solvers.worth import entry_fields as fields
from perfectplay.views.document import Document, Notes
from perfectplay.words import FIRST, BadArgument, BadTable, PerfectplayError

__all__ = ["fields", "show_solve", "tell_unwritten"]


def show_solve(options: Namespace) -> int:
    """Solves the game, keeps the table if one is wanted, and prints what came out."""
    from perfectplay.commands.terminal.progress import resumable, shown_progress
    from perfectplay.solvers.engine import AUTO
    from perfectplay.solvers.engine_table import NUMBA, check_options, engine_by_name

    if options.longest and options.no_table:
        raise BadArgument("--longest looks the positions up; leave --no-table out")
    game = load_game(options.game)
    if game.margin is not None and (options.longest or options.trace):
        name = "--longest" if options.longest else "--trace"
        raise BadArgument(f"{options.game} is played for points and has no distances; leave {name} out")
    names = ("engine", "threads", "memory", "resume", "save_after", "workdir", "workers", "partitions", "scheduler")
    how = options_for(**{name: getattr(options, name) for name in names})
    check_options(how)
    engine = NUMBA if options.engine == AUTO else engine_by_name(options.engine)
    with redirect_stdout(sys.stderr):  # standard output is for results, whatever rules print
        for line in doubts(game):
            print(f"perfectplay: the rules look wrong: {line}; perfectplay check {options.game} tells more")
    saved = partial(engine.has_checkpoint, game, how)
    resumable(options, saved, options.game, again(options))
    with redirect_stdout(sys.stderr), shown_progress(logged=engine.out_of_core) as progress:
        if options.no_table:
            done = solved_without_table(game, how, progress, options.sides)
        else:
            done = solved_with_table(game, how, options.table, progress, options.sides, options.force)
    show_solution(options, game, done)
    why = None if done.table is None else done.table.unmarked
    if why is not None:
        print(f"perfectplay: the result of the check could not be saved beside the table: {why}", file=sys.stderr)
    if isinstance(done.fault, BadArgument):  # a file that has appeared meanwhile
        raise done.fault
    if done.fault is not None:
        without = "" if options.table or isinstance(done.fault, BadTable) else "; --no-table solves without one"
        code = tell_unwritten("the table", done.fault, f"{again(options)} --resume" if saved() else "", without)
        return 0 if isinstance(done.fault, BadTable) else code  # rules without a fingerprint never have a table
    return 0


def show_solution(options: Namespace, game: Game, done: Solved) -> None:
    """Prints what came out."""
    summary = done.summary
    longest = farthest(game, done.table, options.longest or 0)
    if options.json:
        more: dict[str, object] = {}
        if options.trace:
            more["trace"] = [iteration.to_dict() for iteration in trace_of(done.counts)]
        if options.longest:
            more["farthest"] = [position.to_dict() for position in longest]
        print(json.dumps(summary.to_dict() | more))
        return
    unchecked = summary.table is not None and summary.checked != 1
    show(
        Document(
            f"{options.game}: {exact_verdict(game, FIRST, summary.start)}",
            counts_table(summary),
            *(trace_parts(done.counts) if options.trace else distance_parts(summary.counts or {})),
            farthest_section(game, longest) if longest else None,
            origin(summary),
            Notes(f"perfectplay verify {options.table or options.game} checks all of it" if unchecked else ""),
        )
    )


def tell_unwritten(what: str, fault: OSError | PerfectplayError, resume: str, without: str = "") -> int:
    """Says why a file is not there, and how to write it later if that can be; returns the exit code for it."""
    later = f"; when that is put right, {resume} writes it" if resume else without
    print(f"perfectplay: {what} {why_unwritten(fault)}{later}", file=sys.stderr)
    return MISUSED


def again(options: Namespace) -> str:
    """The command that does the same work again."""
    given = [("--table", options.table), ("--workdir", options.workdir), ("--scheduler", options.scheduler)]
    engine = f" --engine {options.engine}" if options.engine != "auto" else ""
    more = "".join(f" {name} {value}" for name, value in given if value is not None)
    more += " --no-table" * options.no_table + " --force" * options.force
    return f"perfectplay solve {options.game}{engine}{more}"
