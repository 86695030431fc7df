"""The engine that compiles the rules with numba and solves in memory, on all cores."""

from math import inf

from perfectplay.engines.compiled import load_kernels
from perfectplay.engines.contract import does_not_compile
from perfectplay.engines.numba_compat import NumbaError
from perfectplay.fingerprint import rules_of
from perfectplay.game import Game
from perfectplay.solvers.checkpoints import Saved
from perfectplay.solvers.engine import Options, Solved
from perfectplay.solvers.expansion import start_keys
from perfectplay.solvers.packing import key_ranges, write_solution
from perfectplay.solvers.retrograde import in_runs, judge_ends, retrograde
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validation import check_solution
from perfectplay.solvers.work import Work
from perfectplay.table.table import header_for
from perfectplay.table.table_file import Sink
from perfectplay.table.table_folder import checkpoint_of
from perfectplay.table.table_sink import fault_of


def solve_compiled(game: Game, sink: Sink | None, options: Options) -> Steps[Solved]:
    """Solves the game on all cores, with checkpoints; writes its table if there is a sink."""
    yield Step("compiling", 0)
    rules = rules_of(game)  # a checkpoint must name its rules
    saved = Saved(checkpoint_of(game), game.name, rules, options.saved_after if rules else inf)
    try:
        work = Work(game, load_kernels(game), ThreadPool(options.used_threads), options.allowed_memory, saved)
        judge_ends(work.kernels, work.pool, start_keys(game, symmetric=True))  # the first call sets numba up
        yield Step("compiling", 1)
        solved = yield from saved.noting_faults(retrograde(work, options.resume and rules != ""))
    except NumbaError as fault:
        raise does_not_compile(game.name, fault) from fault
    classes = sum(run.keys.size for run in solved.runs)
    greatest = max(int(run.keys[-1]) for run in solved.runs)
    header = header_for(game, solved.start, solved.counts, classes, greatest)
    if sink is not None:
        yield from write_solution(work.pool, solved, key_ranges(solved.runs, classes), "stable", header, sink)
    else:
        check_solution(in_runs(game, solved.scale, solved.runs), compiled=True)
    if fault_of(sink) is None:
        saved.forget()
    return header, solved.counts
