"""`solve`: the value and distance of every position of a game, as a table; `summarise` solves without a table."""

import sys
from argparse import Namespace
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from perfectplay.commands.kinds import FORCE, GAME, THREADS, Checkpoints, Choice, Flag, Memory, Named, Whole, enough
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, checked, on_command_line, verb
from perfectplay.processes.folders import PathLike, path_of
from perfectplay.words import BadArgument, BadTable

if TYPE_CHECKING:
    from perfectplay.solvers.engine import Options
    from perfectplay.solvers.table.summary import Summary
    from perfectplay.solvers.table.table import Table

AUTO = "auto"
"""In place of an engine: the first that suits the game."""


ENGINE = Choice(
    "python (interpreted), numba (compiled), cuda (GPU), disk (out-of-core) or cluster (Dask); "
    "auto chooses among the first three",
    (AUTO, "python", "numba", "cuda", "disk", "cluster"),
    named=True,
)


class EngineOptions(Checkpoints, total=False):
    """How an engine solves; the defaults are those of `solvers.engine.Options`."""

    threads: Annotated[int | None, THREADS]
    memory: Annotated[
        int | str | None, Memory("memory limit, such as 4G (default: 80% of free memory)", metavar="SIZE")
    ]
    workdir: Annotated[
        PathLike | None,
        Named("disk, cluster: folder for intermediate files (default: next to the tables)", metavar="URL", rare=True),
    ]
    workers: Annotated[
        int | None, Whole("disk, cluster: number of worker processes (default: one per core)", 1, 1024, rare=True)
    ]
    partitions: Annotated[
        int | None, Whole("disk, cluster: number of partitions (default: two per worker)", 1, 8192, rare=True)
    ]
    scheduler: Annotated[
        str | None,
        Named("cluster: scheduler of a Dask cluster (default: start a local one)", metavar="ADDRESS", rare=True),
    ]


@verb(
    "know",
    "solve a game completely and keep the table",
    "solve tic-tac-toe",
    "solve nim --trace --longest 2 --to nim.table",
)
def solve(
    game: Annotated[GameLike, GAME],
    engine: Annotated[str, ENGINE] = AUTO,
    *,
    path: Annotated[
        PathLike | None,
        Named("write the table here (default: where analyse and play find it)", metavar="FILE", flag="--to"),
    ] = None,
    keep: bool = False,
    force: Annotated[bool, FORCE] = False,
    sides: Annotated[bool, Flag("count the positions with the sides kept apart, too (small games: always)")] = False,
    progress: Progress | None = None,
    **options: Unpack[EngineOptions],
) -> "Table":
    """Solves the game and returns its table: the value and distance of every reachable position.

    The table is in memory, or in the file `path`; with keep=True it is kept where analyse, odds and players find it.
    force=True replaces a file that is no table, too.
    `engine` is auto, python, numba, cuda, disk or cluster. `memory` is in bytes, or a text such as "4G". A solve saves
    a checkpoint every `save_after` seconds; resume=True resumes an interrupted solve from its last checkpoint.
    `workdir`, `workers`, `partitions` and `scheduler` are for the engines disk and cluster. sides=True counts the
    positions with the sides kept apart, which the summary of a small game has in any case.
    """
    from perfectplay.commands.prove.solving import check_fingerprint, solved_in_memory, solved_with_table

    if keep and path is not None:
        raise BadArgument("keep=True and path exclude each other; leave one out")
    how, game = engine_options(engine, options), game_of(game)
    if not keep and path is None:
        return solved_in_memory(game, how, sides, progress)
    if keep:
        check_fingerprint(game)
    done = solved_with_table(game, how, path, force, sides, progress)
    if done.table is None:
        raise BadTable(f"the table of {game.name} {done.summary.why}") from done.fault
    return done.table


@checked
def summarise(
    game: GameLike,
    engine: str = AUTO,
    *,
    sides: bool = False,
    progress: Progress | None = None,
    **options: Unpack[EngineOptions],
) -> "Summary":
    """Solves the game without writing a table: the value, the distance, the counts and a histogram of distances.

    The arguments are those of `solve`.
    """
    from perfectplay.commands.prove.solving import solved_without_table

    return solved_without_table(game_of(game), engine_options(engine, options), sides, progress).summary


def engine_options(engine: str, options: Mapping[str, Any]) -> "Options":
    """The options as engines take them."""
    from perfectplay.solvers.engine import Options

    memory, workdir = options.get("memory"), options.get("workdir")
    as_read = {
        "memory": None if memory is None else enough(memory),
        "workdir": None if workdir is None else path_of("workdir", workdir),
    }
    return Options(engine, **{**options, **as_read})


@on_command_line("solve")
def show(
    call: Call,
    *,
    table: Annotated[bool, Flag("print value, distances and counts; write no table", flag="--no-table")] = True,
    trace: Annotated[bool, Flag("print what each iteration of the solve decides")] = False,
    longest: Annotated[
        int | None,
        Whole(
            "draw the N positions that are farthest from the end, with their best lines (default: 3)",
            1,
            1000,
            metavar="N",
            bare=3,
        ),
    ] = None,
) -> int:
    """Solves the game, keeps the table unless none is wanted, and prints the solution."""
    from perfectplay.commands.prove.checking import doubts, print_unmarked
    from perfectplay.commands.prove.solve_report import SolveReport, farthest, tell_unwritten
    from perfectplay.commands.prove.solving import solved_with_table, solved_without_table
    from perfectplay.commands.terminal.progress import resumable, shown_progress
    from perfectplay.rules.loading import load_game
    from perfectplay.solvers.engine_table import NUMBA, check_options, engine_by_name

    given = call.options
    if given.path is not None and not table:
        raise BadArgument("--to and --no-table exclude each other; leave one out")
    if longest and not table:
        raise BadArgument("--longest looks the positions up; leave --no-table out")
    game = load_game(given.game)
    if game.margin is not None and (longest or trace):
        name = "--longest" if longest else "--trace"
        raise BadArgument(f"{given.game} is played for points and has no distances; leave {name} out")
    how = engine_options(given.engine, {name: getattr(given, name) for name in EngineOptions.__annotations__})
    check_options(how)
    engine = NUMBA if given.engine == AUTO else engine_by_name(given.engine)
    with redirect_stdout(sys.stderr):  # standard output is for results, whatever rules print
        for line in doubts(game):
            print(f"perfectplay: the rules look wrong: {line}; perfectplay check {given.game} tells more")
    saved = partial(engine.has_checkpoint, game, how)
    resumable(given, saved, given.game, again(given))
    with redirect_stdout(sys.stderr), shown_progress(logged=engine.out_of_core) as progress:
        if table:
            done = solved_with_table(game, how, given.path, given.force, given.sides, progress)
        else:
            done = solved_without_table(game, how, given.sides, progress)
    positions = farthest(game, done.table, longest or 0)
    name = given.path or given.game
    call.finish(SolveReport(game, name, done.summary, done.counts if trace else None, positions))
    if done.table is not None:
        print_unmarked(done.table.unmarked)
    if isinstance(done.fault, BadArgument):  # a file that has appeared meanwhile
        raise done.fault
    if done.fault is not None:
        without = "" if given.path or isinstance(done.fault, BadTable) else "; --no-table solves without one"
        code = tell_unwritten("the table", done.fault, f"{again(given)} --resume" if saved() else "", without)
        return 0 if isinstance(done.fault, BadTable) else code  # rules without a fingerprint never have a table
    return 0


def again(given: Namespace) -> str:
    """The command that does the same work again."""
    texts = {"--to": given.path, "--workdir": given.workdir, "--scheduler": given.scheduler}
    engine = f" --engine {given.engine}" if given.engine != AUTO else ""
    more = "".join(f" {name} {value}" for name, value in texts.items() if value is not None)
    more += " --no-table" * (not given.table) + " --force" * given.force
    return f"perfectplay solve {given.game}{engine}{more}"
