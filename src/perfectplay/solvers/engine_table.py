"""The engines, in the order in which `auto` tries them; a new one is a file and an entry here.

Each imports what it needs when it runs: numba takes half a second, and small games do without.
"""

from perfectplay.game import Game
from perfectplay.solvers.checkpoints import is_saved
from perfectplay.solvers.engine import AUTO, Engine, EngineResult, Options
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.table_file import Sink
from perfectplay.solvers.table.table_folder import checkpoint_of
from perfectplay.words import BadArgument, BadWork, NoGPU


def on_cpu(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves with compiled rules on all cores."""
    from perfectplay.solvers.numba_engine import solve_compiled

    return solve_compiled(game, sink, options)


def on_gpu(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves on a GPU."""
    from perfectplay.solvers.gpu.gpu_engine import solve_on_gpu

    return solve_on_gpu(game, sink, options)


def in_python(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves with interpreted rules."""
    from perfectplay.solvers.python_engine import solve_interpreted

    return solve_interpreted(game, sink, options)


def on_disk(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves out of core, with worker processes of this machine."""
    from perfectplay.solvers.out_of_core.disk_engine import process_pool, solve_on_disk

    return solve_on_disk(game, sink, options, process_pool)


def on_cluster(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves out of core, with the workers of a Dask cluster."""
    from perfectplay.solvers.out_of_core.disk_engine import dask_workers, solve_on_disk

    return solve_on_disk(game, sink, options, dask_workers)


def check_gpu(options: Options) -> None:
    """Raises NoGPU if there is no GPU."""
    from perfectplay.compiler.cuda import find_gpu

    find_gpu()


def has_gpu() -> bool:
    """Whether there is a real, not simulated, GPU."""
    from perfectplay.compiler.cuda import find_gpu

    try:
        find_gpu(simulated=False)
    except NoGPU:
        return False
    return True


def check_workdir(options: Options) -> None:
    """Raises BadWork for a work directory that cannot be used, BadArgument for options that exclude each other."""
    workdir, scheduler = options.workdir, options.scheduler
    if workdir is not None and (not workdir or workdir.startswith("memory:")):
        raise BadWork(f"{workdir!r} is not a folder that all workers can reach; give a path or a URL")
    if scheduler is None:
        return
    if options.engine != CLUSTER.name:
        raise BadArgument('scheduler=... is for engine="cluster"; engine="disk" starts its own processes')
    if options.workers is not None:
        raise BadArgument("a scheduler has its own workers; give either scheduler=... or workers=...")
    if workdir is None:
        raise BadArgument("scheduler=... needs workdir=..., a folder that all its workers can reach")


def has_saved_arrays(game: Game, options: Options) -> bool:
    """Whether an interrupted solve left checkpoints."""
    return is_saved(checkpoint_of(game))


def has_manifest(game: Game, options: Options) -> bool:
    """Whether an interrupted solve left its work directory."""
    from perfectplay.solvers.out_of_core.disk_engine import has_begun

    return has_begun(game, options.workdir)


PYTHON = Engine(
    "python",
    "interpreted rules; small games, and words too wide to compile",
    in_python,
    has_saved_arrays,
    suits=lambda game, options: True,
    compiles=False,
)
CUDA = Engine(
    "cuda",
    "one NVIDIA GPU",
    on_gpu,
    has_saved_arrays,
    check_gpu,
    suits=lambda game, options: not options.resume and has_gpu(),
)
NUMBA = Engine(
    "numba",
    "compiled rules, in memory, on all cores",
    on_cpu,
    has_saved_arrays,
    suits=lambda game, options: True,
)
DISK = Engine("disk", "on disk, in little memory", on_disk, has_manifest, check_workdir, out_of_core=True)
CLUSTER = Engine("cluster", "on a Dask cluster", on_cluster, has_manifest, check_workdir, out_of_core=True)

ENGINES = (PYTHON, CUDA, NUMBA, DISK, CLUSTER)
OUT_OF_CORE_OPTIONS = ("workdir", "workers", "partitions", "scheduler")


def engine_by_name(name: str) -> Engine:
    """The engine of that name; raises BadArgument."""
    for engine in ENGINES:
        if name == engine.name:
            return engine
    names = ", ".join((AUTO, *(engine.name for engine in ENGINES)))
    raise BadArgument(f"no engine is called {name!r}; choose one of {names}")


def check_options(options: Options) -> None:
    """Raises BadArgument for an unknown engine or options it does not take, NoGPU if it needs a GPU."""
    engine = None if options.engine == AUTO else engine_by_name(options.engine)
    if engine is None or not engine.out_of_core:
        for name in OUT_OF_CORE_OPTIONS:
            if getattr(options, name) is not None:
                takers = " and ".join(f'engine="{engine.name}"' for engine in ENGINES if engine.out_of_core)
                raise BadArgument(f"{name}=... is for {takers}, not for {options.engine}")
    if engine is not None:
        engine.check(options)
