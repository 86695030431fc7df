"""The engine that solves on a GPU: loads the kernels, solves, counts, and writes the table."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.checks.contract import does_not_compile
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.compiler.cuda import (
    DeviceArray,
    fault_on_gpu,
    find_gpu,
    from_gpu,
    gpu_fault,
    load_gpu_kernels,
    rules_fault,
    to_gpu,
)
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.game import Game, is_own, start_is_symmetric
from perfectplay.solvers.engine import AUTO, EngineResult, Options, Unsuited
from perfectplay.solvers.forecast import in_bytes, in_words
from perfectplay.solvers.gpu import gpu_cyclic, gpu_dealing, gpu_layered, gpu_ranked, gpu_tiered
from perfectplay.solvers.gpu.gpu_dealing import Dealt, dealt
from perfectplay.solvers.gpu.gpu_tables import Room, Tabled, TooLong
from perfectplay.solvers.memory.expansion import Run, kind_of
from perfectplay.solvers.memory.layered import NotLayered
from perfectplay.solvers.memory.packing import key_ranges, write_solution
from perfectplay.solvers.memory.sorted_keys import kind_for
from perfectplay.solvers.memory.work import Solved as Solution, entries_of
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.table.grades import Grades, Points, Scale
from perfectplay.solvers.table.table import header_for
from perfectplay.solvers.table.table_file import Sink
from perfectplay.solvers.table.table_folder import checkpoint_of
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.sample_check import no_entries
from perfectplay.solvers.validity.validation import MOST, WALKS, check_sample
from perfectplay.words import REPEATS, BadGame, Entry, NoGPU, TooBig

HELD = 10
"""Bytes of host memory per class of a table."""

Found = tuple[Solution, int, list[Dealt]]
"""The solution, the number of classes, and the classes where the solution has no runs but a table is wanted."""


def solve_on_gpu(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves the game on a GPU; writes its table if there is a sink."""
    try:
        return (yield from solved_on_gpu(game, sink, options))
    except (BadGame, NoGPU, TooBig) as fault:  # a CPU engine may solve it, or give a better message
        raise Unsuited(fault) if options.engine == AUTO else fault from None


def solved_on_gpu(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves the game on a GPU, whether or not the engine was named."""
    gpu = find_gpu()
    yield Step("compiling", 0)
    pool = ThreadPool(options.used_threads)
    for wide in (None, True):
        kernels = load_gpu_kernels(game, gpu, wide)
        room = Room(game, gpu, kernels, options.allowed_memory, checkpoint_of(game))
        try:
            check_rules(room)
            solved, classes, tables = yield from on_gpu(room, sink is not None)
            break
        except TooLong:
            continue
        except NumbaError as fault:
            raise does_not_compile(game.name, fault) from fault
        except Exception as fault:
            raise rules_fault(game, fault) or gpu_fault(fault) or fault from None
        finally:
            room.overflow.close()
    else:
        raise TooBig(f"{game.name} has games of more plies or points than a GPU's solver can hold")
    greatest = max([0, *(int(run.keys[-1]) for run in solved.runs), *(table.greatest for table in tables)])
    header = header_for(game, solved.start, solved.counts, classes, greatest)
    if sink is None:
        check_sample(no_entries(game))
    elif tables:
        yield from write_solution(pool, solved, gpu_dealing.key_ranges(tables), "quicksort", header, sink)
    else:
        yield from write_solution(pool, solved, key_ranges(solved.runs, classes), "stable", header, sink)
    return EngineResult(header, solved.counts)


def check_rules(room: Room) -> None:
    """Raises BadGame if a user's rules give different results on the GPU than interpreted, in some random games."""
    if is_own(room.game):
        return
    positions = [met.position for met in random_positions(room.game, WALKS, seed=1)[:MOST]]
    fault = fault_on_gpu(room.game, room.gpu, room.kernels, positions)
    if fault is not None:
        raise BadGame(f"the rules of {room.game.name} break the contract: {fault}")


def warm_up(room: Room) -> None:
    """Runs the layered kernels on empty tables, so that their compilation does not count as solving."""
    started = gpu_layered.started(room, room.slots_for(1), symmetric=True)
    empty, nothing = room.new(started.slots, keep=(started,)), to_gpu(np.zeros(0, np.uint8))
    gpu_layered.expanded(room, empty, 0, True, empty)
    numbers = to_gpu(np.zeros(room.kernels.SHARED, np.int64))
    gpu_layered.grade_by_children(room, empty, empty, (numbers, numbers), True, numbers)
    room.value_of(started, nothing, gpu_layered.start_key(room, symmetric=True))
    room.drop(empty)
    room.drop(started)


def warm_up_cyclic(room: Room) -> None:
    """The same for the cyclic kernels."""
    empty = room.new(room.slots_for(1))
    graph = gpu_cyclic.new_graph(room, empty, True)
    finished(gpu_cyclic.explored(room, graph, True))
    finished(gpu_cyclic.backward(room, graph))
    numbers = to_gpu(np.zeros(gpu_cyclic.CODES, np.int64))
    room.gpu.run(room.kernels.count_codes, empty.table, empty.shape, 0, graph.codes, True, numbers, room.tallies)
    room.tally()
    room.value_of(empty, graph.codes, gpu_layered.start_key(room, symmetric=True))
    gpu_cyclic.forget(room, graph)


def on_gpu(room: Room, tabled: bool) -> Steps[Found]:
    """The solution; if `tabled`, all classes, too."""
    symmetric = start_is_symmetric(room.game)
    if is_ranked(room.game, symmetric):
        yield Step("compiling", 1)
        return (yield from solved_by_ranks(room, tabled))
    warm_up(room)
    if room.kernels.TIERED:
        warm_up_cyclic(room)
    yield Step("compiling", 1)
    if room.kernels.TIERED:
        return (yield from solved_by_tiers(room, symmetric, tabled))
    try:
        return (yield from solved_by_layers(room, symmetric, tabled))
    except NotLayered:
        pass  # frees what the error holds
    for table in list(room.tables):
        room.drop(table)
    warm_up_cyclic(room)
    yield Step("compiling", 2)
    return (yield from solved_cyclic(room, symmetric, tabled))


def solved_by_layers(room: Room, symmetric: bool, tabled: bool) -> Steps[Found]:
    """The solution of a game whose positions form layers; raises NotLayered for any other."""
    grade_bits = 8 * room.width - room.kernels.GRADE_AT - (room.width == 8)
    most = min(1 << grade_bits, room.kernels.SHARED)
    scale = Points((most - 2) // 2) if room.kernels.POINTS else Grades((most - 5) // 3)
    layers: list[Tabled] = []
    yield from gpu_layered.forward(room, symmetric, layers, 1 << 30 if room.kernels.POINTS else scale.longest)
    if tabled:
        check_memory(room, sum(layer.count for layer in layers))
    counts = np.zeros(room.kernels.SHARED, np.int64)
    tables: list[Dealt] = []
    classes = 0

    def take(layer: Tabled, values: DeviceArray) -> None:
        nonlocal classes
        classes += layer.count
        if tabled:
            tables.append(dealt(room, layer, values, kind_of(scale)))

    start = yield from gpu_layered.backward(room, symmetric, layers, scale, counts, take)
    return Solution(scale, [], entries_of(scale, counts), scale.entry(start)), classes, tables


def solved_cyclic(room: Room, symmetric: bool, tabled: bool) -> Steps[Found]:
    """The solution of a game of any kind."""
    kernels, gpu = room.kernels, room.gpu
    graph = yield from gpu_cyclic.reached(room, symmetric)
    positions = None
    if not symmetric:
        positions = graph.table
        graph = yield from gpu_cyclic.reached_classes(room, positions)
    table = graph.table
    if tabled:
        check_memory(room, table.count)
    yield from gpu_cyclic.backward(room, graph)
    counted = to_gpu(np.zeros(gpu_cyclic.CODES, np.int64))
    if positions is None:
        gpu.run(kernels.count_codes, table.table, table.shape, 0, graph.codes, True, counted, room.tallies)
        room.check_all(int(room.tally()[kernels.FRESH]), table.count)
    else:
        arguments = (positions.table, positions.shape, table.table, table.shape, graph.codes, counted)
        gpu.run(kernels.count_positions, *arguments)
        room.check_all(int(from_gpu(counted).sum()), positions.count)
    numbers = from_gpu(counted)
    yield Step("counting", table.count, table.count)
    entries, scale = entries_by_code(room, numbers)
    start = gpu_cyclic.entry_of(kernels, gpu_layered.start_value(room, table, graph.codes))
    tables = []
    if tabled:
        found = dealt(room, table, graph.codes, np.uint16)
        grades = grades_by_code(room, scale, numbers)[found.run.grades]
        tables.append(found._replace(run=Run(found.run.keys, grades)))
    return Solution(scale, [], entries, start), table.count, tables


def solved_by_tiers(room: Room, symmetric: bool, tabled: bool) -> Steps[Found]:
    """The solution of a game with tiers."""
    classes = yield from gpu_tiered.reached(room, True)
    positions = None if symmetric else (yield from gpu_tiered.reached(room, False))
    count = sum(keys.size for keys in classes.values())
    if tabled:
        check_memory(room, count)
    numbers = np.zeros(gpu_cyclic.CODES, np.int64)
    found = yield from gpu_tiered.graded(room, classes, positions, numbers)
    if symmetric:
        room.check_all(sum(tier.keys.size for tier in found.values()), count)
    entries, scale = entries_by_code(room, numbers)
    lowest = found[min(found)]
    at = np.searchsorted(lowest.keys, gpu_layered.start_key(room, symmetric=True))
    start = gpu_cyclic.entry_of(room.kernels, int(lowest.codes[at]))
    runs = []
    if tabled:
        grades = grades_by_code(room, scale, numbers)
        runs = [Run(keys.astype(kind_for(int(keys[-1])), copy=False), grades[codes]) for keys, codes in found.values()]
    return Solution(scale, runs, entries, start), count, []


def is_ranked(game: Game, symmetric: bool) -> bool:
    """Whether the game has tiers and keys without large gaps, by which a GPU solves it without hash tables."""
    return game.keys > 0 and game.tier is not None and game.margin is None and symmetric


def solved_by_ranks(room: Room, tabled: bool) -> Steps[Found]:
    """The solution of a game with tiers and keys without large gaps."""
    index = yield from gpu_ranked.reached(room)
    if tabled:
        check_memory(room, index.classes)
    numbers = np.zeros(gpu_cyclic.CODES, np.int64)
    codes = yield from gpu_ranked.graded(room, index, numbers)
    entries, scale = entries_by_code(room, numbers)
    start = gpu_cyclic.entry_of(room.kernels, gpu_ranked.start_code(room, index, codes))
    runs = []
    if tabled:
        grades = grades_by_code(room, scale, numbers)
        for tier in index.tiers:
            keys, own = gpu_ranked.unloaded(room, index, tier, codes)
            runs.append(Run(keys.astype(kind_for(int(keys[-1])), copy=False), grades[own]))
    return Solution(scale, runs, entries, start), index.classes, []


def entries_by_code(room: Room, numbers: NDArray[np.int64]) -> tuple[Counter[Entry], Scale]:
    """The number of positions with each entry, given those with each code, and a scale for them; raises BadGame."""
    kernels = room.kernels
    room.check_all(0, int(numbers[kernels.FREE]))
    if kernels.POINTS and numbers[0]:
        raise BadGame(f"{room.game.name} {REPEATS}")
    entries = gpu_cyclic.entries_in(kernels, numbers)
    if kernels.POINTS:
        return entries, Points(max(abs(entry.margin or 0) for entry in entries))
    return entries, Grades(max(1, *(entry.distance or 0 for entry in entries)))


def grades_by_code(room: Room, scale: Scale, numbers: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The grade of each code that there is."""
    grades = np.zeros(gpu_cyclic.CODES, np.uint16)
    for code in np.flatnonzero(numbers):
        grades[code] = scale.grade(gpu_cyclic.entry_of(room.kernels, int(code)))
    return grades


def check_memory(room: Room, classes: int) -> None:
    """Raises TooBig if the host memory cannot hold all classes."""
    needed = HELD * classes
    if needed > room.overflow.left:
        raise TooBig(
            f"{room.game.name} is solved on the GPU, but a table of {in_words(classes)} canonical positions takes "
            f"{in_bytes(needed)} of memory, and {in_bytes(room.overflow.left)} are allowed; "
            f"solve it without a table, or raise memory=..."
        )
