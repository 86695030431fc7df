"""Retrograde analysis with compiled kernels on all cores: layered, cyclic or by tiers, with checkpoints."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from perfectplay.game import Game, start_is_symmetric
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.forecast import (
    Forecast,
    expected_positions,
    expected_with_cycles,
    longest_game,
    most_positions,
    refuse,
)
from perfectplay.solvers.memory import cyclic, layered
from perfectplay.solvers.memory.expansion import (
    Run,
    check_closed,
    classes,
    ends_of,
    judged,
    scale_of,
    start_keys,
    ungraded,
)
from perfectplay.solvers.memory.position_graph import PositionGraph
from perfectplay.solvers.memory.sorted_keys import Keys, place_of, sorted_pairs
from perfectplay.solvers.memory.tiered import solved_by_tiers
from perfectplay.solvers.memory.work import HELD, Solved, Work, counted, entries_of, memory_at_once, memory_by_layer
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import Scale
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.sample_check import Entries
from perfectplay.words import REPEATS, BadGame, Entry

ENOUGH = 200_000
"""Positions after which the first forecast is made."""
SURE = 2_000_000
"""Positions after which the forecast is trusted within a factor of 1.5; a false refusal is worse than a late one."""
BOTH_WAYS = 2.5
"""The time of a solve over the time of its forward pass."""
ALL_WAYS = 1.4
"""The same for a game with cycles, whose positions are expanded only once."""

Memory = Callable[[int, float, int], int]
"""The bytes needed, given the positions, the children of each, and the bytes of a key."""


def retrograde(work: Work, resume: bool) -> Steps[Solved]:
    """The solution; with `resume` it continues from the last checkpoint, if there is one."""
    facts = work.saved.load() if resume else {}
    if not facts:
        work.saved.forget()
    symmetric = start_is_symmetric(work.game)
    if work.game.tier is not None:
        return (yield from solved_by_tiers(work, symmetric, facts))
    try:
        if facts.get("kind") == "circular":
            raise layered.NotLayered
        return (yield from solve_by_layers(work, symmetric, facts))
    except layered.NotLayered:
        return (yield from solve_with_cycles(work, symmetric, facts))


def solve_by_layers(work: Work, symmetric: bool, facts: dict[str, Any]) -> Steps[Solved]:
    """The solution of a game whose positions form layers; raises NotLayered for any other."""
    _, kernels, pool, _, saved = work
    layers = [judge_ends(kernels, pool, saved.array(f"keys-{i}")) for i in range(facts.get("levels", 0))]
    solved = facts.get("solved", 0)
    if not solved:
        sizes = [layer.keys.size for layer in layers[:-1]]  # the last saved layer is expanded again
        steps = layered.forward(work.game, kernels, pool, symmetric, layers)
        for step in with_layer_forecast(
            work, steps, memory_by_layer, lambda: layers[-1].keys, longest_game(work.game), sizes
        ):
            saved.keep(keys_by_name(layers), {"kind": "levelled", "levels": len(layers)})
            yield step
    positions = layers
    if not symmetric:
        layers = [judge_ends(kernels, pool, classes(kernels, pool, run.keys)) for run in layers]
        for layer, below in pairwise(layers):
            check_closed(kernels, pool, layer, below.keys, ends_of(scale_of(kernels, narrow=True)))
    for i in range(1, solved + 1):
        layers[-i] = Run(layers[-i].keys, saved.array(f"grades-{len(layers) - i}"))
    solved = solved or 1
    scale = layered.scale_for(kernels, layers)
    for step in layered.backward(kernels, pool, layers, solved):
        solved += 1
        grades = {f"grades-{i}": layers[i].grades for i in range(len(layers) - solved, len(layers))}
        saved.keep(keys_by_name(positions) | grades, {"kind": "levelled", "levels": len(layers), "solved": solved})
        yield step
    counts = np.zeros(scale.size, np.int64)
    for run, layer in zip(positions, layers, strict=True):
        counts += counted(work, None if symmetric else run, layer, scale)
    total = sum(layer.keys.size for layer in layers)
    yield Step("counting", total, total)
    return Solved(scale, layers, entries_of(scale, counts), scale.entry(int(layers[0].grades[0])))


def judge_ends(kernels: Any, pool: ThreadPool, keys: Keys) -> Run:
    """The positions with these keys; the finished ones are graded."""
    scale = scale_of(kernels, narrow=True)
    run = ungraded(scale, keys)
    judged(kernels, pool, run, ends_of(scale), 0)
    return run


def keys_by_name(layers: list[Run]) -> dict[str, Any]:
    """The keys of all layers, by their names in a checkpoint."""
    return {f"keys-{i}": layer.keys for i, layer in enumerate(layers)}


def solve_with_cycles(work: Work, symmetric: bool, facts: dict[str, Any]) -> Steps[Solved]:
    """The solution of a game of any kind."""
    game, kernels, pool, _, saved = work
    scale = scale_of(kernels)
    graph = PositionGraph(kernels, pool, symmetric, linked=symmetric)
    graph.add(
        saved.array(f"known-{facts['known']}") if facts.get("kind") == "circular" else start_keys(game, symmetric)
    )
    for step in with_cycle_forecast(work, graph):
        keep_positions(saved, graph)
        yield step
    keep_positions(saved, graph)
    try:
        if symmetric:
            positions, grades = None, (yield from cyclic.graded(graph, {}))
            run = Run(*sorted_pairs(pool, *graph.positions(grades)))
        else:
            positions = graph.found()
            run = yield from cyclic.backward(kernels, pool, classes(kernels, pool, positions))
    except cyclic.Repeats:
        raise BadGame(f"{game.name} {REPEATS}") from None
    counts = counted(work, None if positions is None else Run(positions, run.grades), run, scale)
    yield Step("counting", run.keys.size, run.keys.size)
    first = np.searchsorted(run.keys, start_keys(game, symmetric=True)[0])
    return Solved(scale, [run], entries_of(scale, counts), scale.entry(int(run.grades[first])))


def with_cycle_forecast(work: Work, graph: PositionGraph) -> Iterator[Step]:
    """The steps of the exploration with its expected total, and with forecasts as soon as they can be made.

    Raises TooBig as soon as the memory turns out not to suffice: for what is there already, or surely for the rest; a
    false refusal is worse than a late one.
    """
    begin, notes, most = time.monotonic(), 0, most_positions(work.game, start_is_symmetric(work.game))

    def memory(positions: int) -> int:
        return memory_at_once(positions, graph.edges / graph.expanded, graph.keys.itemsize)

    for step in graph.explore():
        low, likely, least = expected_with_cycles(graph.sizes, most)
        likely, doubt = max(likely, graph.count), max(2, SURE // graph.count)
        now = memory_at_once(graph.count, graph.edges / graph.count, graph.keys.itemsize)
        seconds = ALL_WAYS * (time.monotonic() - begin) * likely / graph.expanded
        forecast = Forecast(likely, max(now, memory(likely)), seconds, least)
        if graph.count >= ENOUGH and max(now, memory((likely if least else low) // doubt)) > work.memory:
            raise refuse(work.game, forecast, work.memory)
        step = replace(step, total=None if least else likely)
        if notes < (1 if least else 2) and graph.count >= (SURE if least else SURE // 2):
            notes = 1 if least else 2
            step = replace(step, note=str(forecast))
        yield step


def keep_positions(saved: CheckpointFolder, graph: PositionGraph) -> None:
    """Saves the keys of the positions found so far, if a checkpoint is due."""
    if saved.is_due():
        saved.keep_now({f"known-{graph.count}": graph.found()}, {"kind": "circular", "known": graph.count})


def in_runs(game: Game, scale: Scale, runs: list[Run]) -> Entries:
    """The entries of a solution in memory."""
    ends = np.cumsum([run.keys.size for run in runs])

    def key_at(place: int) -> int:
        number = int(np.searchsorted(ends, place, side="right"))
        return int(runs[number].keys[place - ends[number]])

    def entry_of(key: int) -> Entry | None:
        for keys, grades in runs:
            at = place_of(keys, key)
            if at < keys.size and keys[at] == key:
                return scale.entry(int(grades[at]))
        return None

    return Entries(
        game,
        int(ends[-1]),
        lambda places: [key_at(place) for place in places],
        lambda keys: {key: entry_of(key) for key in keys},
    )


def with_layer_forecast(
    work: Work,
    steps: Steps[None],
    memory: Memory,
    newest: Callable[[], Keys],
    longest: int | None,
    sizes: list[int],
) -> Iterator[Step]:
    """The steps, one of them with a forecast; raises TooBig as soon as the memory turns out not to suffice.

    `newest` returns the keys of the newest positions, `longest` is the longest game, `sizes` are those of the layers so
    far.
    """
    begin, reported, most = time.monotonic(), False, most_positions(work.game, start_is_symmetric(work.game))
    for step in steps:
        begin, took = time.monotonic(), time.monotonic() - begin
        sizes.append(step.done - sum(sizes))
        if step.ahead and (reported or step.done >= ENOUGH):
            expected = expected_positions(sizes, longest, most)
            wide = newest().itemsize
            needed = memory(expected, step.ahead / sizes[-1], wide)
            now = HELD + step.done * wide + step.ahead * (8 + wide)
            forecast = Forecast(expected, max(needed, now), BOTH_WAYS * took * expected / sizes[-1], longest is None)
            doubt = max(1.5, SURE / step.done) if longest else 1
            if max(now, needed / doubt) > work.memory:
                raise refuse(work.game, forecast, work.memory)
            total = max(expected, step.done) if longest else None
            step = replace(step, total=total, note="" if reported else str(forecast))
            reported = True
        yield step
