"""The engine that compiles the rules with numba and solves in memory, on all cores."""

from math import inf

from perfectplay.compiler.checks.contract import does_not_compile
from perfectplay.compiler.compiled import LOOKING, load_kernels
from perfectplay.compiler.known_rules import digest_of, is_known, remember
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.game import Game
from perfectplay.rules.fingerprint import rules_of
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.engine import AUTO, EngineResult, Options
from perfectplay.solvers.memory.expansion import start_keys
from perfectplay.solvers.memory.interpreted import NOT_SMALL, SMALL
from perfectplay.solvers.memory.packing import in_order, key_ranges, write_solution
from perfectplay.solvers.memory.small_solve import LARGEST, facts_of, solved_if_small, suits
from perfectplay.solvers.memory.work import Solved, Work
from perfectplay.solvers.retrograde import in_runs, judge_ends, retrograde
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import header_for
from perfectplay.solvers.table.table_file import Sink, after_table
from perfectplay.solvers.table.table_folder import checkpoint_of
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.validation import ALL, check_run, check_sample

LARGE = f"more than {LARGEST} canonical positions"
"""What is remembered of a game that is too large for the small solver."""


def solve_compiled(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves the game with compiled rules and writes its table if there is a sink.

    Unless this engine was asked for by name, games of some hundred thousand positions take the way that compiles least.
    """
    try:
        if options.engine == AUTO and not options.resume and options.memory is None and suits(game):
            small = yield from solve_small_game(game)
            if small is not None:
                return (yield from write_or_check(game, small, ThreadPool(options.used_threads), sink))
        return (yield from solve_on_all_cores(game, sink, options))
    except NumbaError as fault:
        raise does_not_compile(game.name, fault) from fault


def solve_small_game(game: Game) -> Steps[Solved | None]:
    """The solution of a small game, None for a larger one."""
    if is_known(digest_of(game), LARGE):
        return None
    yield Step("compiling", 0)
    kernels = load_kernels(game, LOOKING)
    facts_of(kernels, start_keys(game, symmetric=True).astype("int64"))  # compiles, or loads compiled code
    yield Step("compiling", 1)
    solution = yield from solved_if_small(game, kernels)
    if solution is None:
        remember(digest_of(game), LARGE, NOT_SMALL)
    elif solution.runs[0].keys.size > SMALL:
        remember(digest_of(game), NOT_SMALL)
    return solution


def solve_on_all_cores(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves a game of any size on all cores, with checkpoints."""
    yield Step("compiling", 0)
    rules = rules_of(game)  # a checkpoint must name its rules
    saved = CheckpointFolder(checkpoint_of(game), game.name, rules, options.save_after if rules else inf)
    work = Work(game, load_kernels(game), ThreadPool(options.used_threads), options.allowed_memory, saved)
    judge_ends(work.kernels, work.pool, start_keys(game, symmetric=True))  # the first call sets numba up
    yield Step("compiling", 1)
    solution = yield from saved.noting_faults(retrograde(work, options.resume and rules != ""))
    result = yield from write_or_check(game, solution, work.pool, sink)
    after_table(sink, saved.forget)
    return result


def write_or_check(game: Game, solution: Solved, pool: ThreadPool, sink: Sink | None) -> Steps[EngineResult]:
    """The header and the counts of a solution; its table is written, or it is checked if there is no sink."""
    classes = sum(run.keys.size for run in solution.runs)
    greatest = max(int(run.keys[-1]) for run in solution.runs)
    header = header_for(game, solution.start, solution.counts, classes, greatest, with_rules=sink is not None)
    if sink is not None:
        yield from write_solution(pool, solution, key_ranges(solution.runs, classes), "stable", header, sink)
    elif classes > ALL or not (yield from check_run(game, in_order(solution.runs, "stable"), solution.scale, pool)):
        check_sample(in_runs(game, solution.scale, solution.runs))
    return EngineResult(header, solution.counts)
