"""Solves a game completely, with the engine that suits it."""

from contextlib import AbstractContextManager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from perfectplay.game import Game
from perfectplay.processes.folders import replacing
from perfectplay.rules.fingerprint import why_no_fingerprint
from perfectplay.rules.loading import absolute_name
from perfectplay.solvers.engine import AUTO, Engine, EngineResult, Options, Solution, Unsuited
from perfectplay.solvers.engine_table import ENGINES, check_options, engine_by_name
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.table import Table, reader_of, table_in_file
from perfectplay.solvers.table.table_file import Reader, Sink, TableSink
from perfectplay.solvers.table.table_folder import remove_outdated, table_path, tidy
from perfectplay.solvers.table.table_parts import Parts, remove_parts
from perfectplay.solvers.validity.validation import check_rules, check_table
from perfectplay.words import BadArgument, BadGame, BadTable, PerfectplayError


def solving(game: Game, options: Options) -> Steps[Table]:
    """The table of the game, in steps; raises TooBig if it will not fit.

    It goes to the file if there is one, but stays in memory if the rules have no fingerprint.
    """
    if options.path is None or why_no_fingerprint(game) is not None:
        sink = BytesIO()
        solution, engine = yield from solve_by_engine(game, options, sink)
        table = Table(game, Reader(sink.getvalue(), f"the table of {game.name}"), engine.name)
        table.checked = yield from check_table(table, solution, options.used_threads)
        return table
    result = yield from solving_to_file(game, options, options.path)
    if result.table is None:
        assert result.fault is not None
        raise result.fault
    return result.table


class SolveResult(NamedTuple):
    """A solution and its table, or the reason why there is no table."""

    solution: Solution
    table: Table | None
    fault: OSError | PerfectplayError | None = None


def solving_to_file(
    game: Game,
    options: Options,
    path: Path,
    target: AbstractContextManager[BinaryIO] | None = None,
    needed: bool = True,
) -> Steps[SolveResult]:
    """The solution, in steps, and its table in the file of that path; `target` opens it if it is the user's own.

    The solution survives a failure to write the table. Raises OSError or BadArgument before solving if the table is
    `needed` and the file cannot be created.
    """
    solution: Solution | None = None
    begun = False
    try:
        with target or replacing(path) as file:
            begun, sink = True, TableSink(file)
            result, engine = yield from solve_by_engine(game, options._replace(path=path), sink)
            solution = Solution(result.header, result.counts, engine.name)
            if sink.fault is not None:
                raise sink.fault
            file.flush()
            checked, reader = yield from check_file(game, options, result, sink, path)
    except (OSError, BadArgument) as fault:
        if solution is None:
            if begun or needed:
                raise
            solution = yield from solution_of(game, options)
        return SolveResult(solution, None, fault)
    sink.clean_up()
    remove_parts(path, len(reader.header.parts or ()))
    table = table_in_file(path, game)
    table.engine = solution.engine
    table.unmarked = table.note_checked(checked, reader.seal)
    return SolveResult(solution, table)


def check_file(
    game: Game, options: Options, result: EngineResult, sink: TableSink, path: Path
) -> Steps[tuple[float, Reader | Parts]]:
    """The part of the table that is checked, and the table; raises BadGame and removes what is written if wrong."""
    reader = reader_of(sink.file.name, beside=path)
    try:
        return (yield from check_table(Table(game, reader), result, options.used_threads)), reader
    except BadGame:
        remove_parts(path)
        sink.clean_up()
        raise


def solving_to_folder(game: Game, options: Options) -> Steps[SolveResult]:
    """The solution, in steps, and its table in the table folder, if it can be written there."""
    tidy()
    game = replace(game, name=absolute_name(game.name))
    try:
        path = table_path(game)
    except BadTable as fault:  # its rules have no fingerprint
        return SolveResult((yield from solution_of(game, options)), None, fault)
    result = yield from solving_to_file(game, options, path, needed=False)
    if result.table is not None:
        remove_outdated(path, result.table.header)
    return result


def solving_without_table(game: Game, options: Options) -> Steps[SolveResult]:
    """The solution, in steps; writes nothing."""
    return SolveResult((yield from solution_of(game, options)), None)


def solution_of(game: Game, options: Options) -> Steps[Solution]:
    """Solves the game without a table."""
    result, engine = yield from solve_by_engine(game, options, None)
    return Solution(result.header, result.counts, engine.name)


def solve_by_engine(game: Game, options: Options, sink: Sink | None) -> Steps[tuple[EngineResult, Engine]]:
    """Solves the game with the named engine, or the first that suits it; writes its table if there is a sink."""
    check_options(options)
    unsuited: Unsuited | None = None
    for engine in ENGINES if options.engine == AUTO else [engine_by_name(options.engine)]:
        if options.engine == AUTO and not engine.suits(game, options):
            continue
        check_rules(game, engine.compiles)
        try:
            return (yield from engine.solve(game, sink, options)), engine
        except Unsuited as fault:  # nothing is written yet
            unsuited = fault
    assert unsuited is not None
    raise unsuited.fault
