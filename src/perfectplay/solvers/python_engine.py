"""The engine that runs interpreted rules: for small games, and for words too wide to compile."""

import time
from collections import Counter
from math import inf

from perfectplay.game import Game, is_own, quick_canonical
from perfectplay.solvers.engine import AUTO, EngineResult, Options, Unsuited
from perfectplay.solvers.forecast import Forecast, refuse
from perfectplay.solvers.memory.interpreted import LOOKED_AT, SMALL, Reached, reached_if_small, solved
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import header_for, tabulate
from perfectplay.solvers.table.table_file import Sink
from perfectplay.words import TooBig

WALKED = 0.5
"""Seconds after which an engine that compiles takes over a user's own rules, which may be slow, from the start."""
BYTES_EACH = 900
"""Bytes that plain Python takes for a position, its children and its entry."""


def solve_interpreted(game: Game, sink: Sink | None, options: Options) -> Steps[EngineResult]:
    """Solves the game with interpreted rules; under `auto` it leaves games that are not small to the next engine."""
    if options.engine == AUTO and game.key is not None:
        small = reached_if_small(game, inf if is_own(game) else WALKED)
        if small is None:
            raise Unsuited(TooBig(f"{game.name} has more than {SMALL:,} positions, or slow rules"))
        graph = small
    else:
        graph = yield from all_positions(game, options.allowed_memory)
    entries = solved(graph)
    yield Step("solving", len(entries), len(entries))
    counts = Counter(graph.entries)
    if sink is not None:
        header, keys = tabulate(game, entries, sink)
        return EngineResult(header, counts, graph, keys)
    smallest = quick_canonical(game)
    classes = {smallest(*position) for position in entries}
    return EngineResult(header_for(game, entries[game.start], counts, len(classes), 0), counts, graph)


def all_positions(game: Game, memory: int) -> Steps[Reached]:
    """All reachable positions; raises TooBig if they will not fit into `memory` bytes."""
    graph = Reached(game)
    begin = time.monotonic()
    while graph.next_ply():
        expected, count = graph.expected(), len(graph.positions)
        seconds = (time.monotonic() - begin) * 2 * expected / count
        forecast = Forecast(expected, expected * BYTES_EACH, seconds, least=expected == count)
        if count > LOOKED_AT and forecast.memory > memory:
            raise refuse(game, forecast, memory)
        yield Step("forward", count, expected if expected > count else None)
    return graph
