"""`perfectplay compare`: the algorithms of the ladder on one game, what each finds and what it costs."""

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace

from perfectplay.front.commands.compare_endless import show_repairs
from perfectplay.front.draw_many import draw_classes, heading, list_classes, short_text
from perfectplay.front.progress import track
from perfectplay.front.streams import can_print
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.notation import example, parse_position, show_position, value_name
from perfectplay.solve.ladder import ALGORITHMS, Algorithm, Measured, Meter, measure
from perfectplay.solve.ladder.plain_alphabeta import alphabeta
from perfectplay.solve.ladder.symmetric_cache import symmetric_cache
from perfectplay.solve.tree_size import Cycle, tree_or_cycle
from perfectplay.words import ONGOING, BadPosition

Rows = dict[Algorithm, Measured]


def show_compare(options: Namespace) -> int:
    """Prints what each algorithm finds; where play can go on for ever, what the usual repairs find instead."""
    game = load_game(options.game)
    position, side = parse_position(game, example(game) if options.position is None else options.position)
    if game.outcome(*position) != ONGOING:
        raise BadPosition(f"position {show_position(game, position, side)}: the game is over, nothing to compare")
    game = replace(game, start=position)
    cycle = tree_or_cycle(game)
    if isinstance(cycle, Cycle):
        return show_repairs(options, game, side, cycle)
    rows = {
        algorithm: measure(algorithm.search, game, position, Meter(options.nodes, options.seconds))
        for algorithm in track(ALGORITHMS, len(ALGORITHMS), "algorithms")
    }
    if options.json:
        print(json.dumps(as_json(options, game, side, rows)))
    else:
        print("\n".join(as_text(options, game, side, rows)))
    return 0


def found_by(rows: Rows, search: object) -> Measured:
    """The row of the algorithm that searches so."""
    return next(row for algorithm, row in rows.items() if algorithm.search is search)


def gain(rows: Rows, row: Measured) -> dict[str, float] | None:
    """How many times fewer nodes and less time than the first algorithm; None if the row found nothing."""
    plain = rows[ALGORITHMS[0]]
    if row.entry is None:
        return None
    return {"nodes": plain.meter.nodes / row.meter.nodes, "seconds": plain.seconds / row.seconds}


def as_json(options: Namespace, game: Game, side: int, rows: Rows) -> dict[str, object]:
    """The comparison as scripts rely on it; speed-ups are at least so big where the first algorithm was stopped."""
    algorithms = [
        {
            "algorithm": algorithm.name,
            "nodes": row.meter.nodes,
            "entries": len(row.meter.cache),
            "seconds": round(row.seconds, 6),
            "speedup": gain(rows, row),
            "value": row.entry and value_name(row.entry),
            "distance": row.entry and row.entry.distance,
            "stopped": row.stopped,
        }
        for algorithm, row in rows.items()
    ]
    result = {"game": options.game, "position": show_position(game, game.start, side), "algorithms": algorithms}
    if options.show:
        row = found_by(rows, symmetric_cache)
        result["cache"] = row.entry and list_classes(game, side, row.meter.cache, options.boards)
    return result


def as_text(options: Namespace, game: Game, side: int, rows: Rows) -> Iterator[str]:
    """The comparison as people read it, line by line."""
    yield heading(options, game, side)
    yield ""
    yield f"{'algorithm':<12}{'nodes':>13}{'entries':>10}{'time':>10}{'fewer':>10}{'faster':>10}  finds"
    for algorithm, row in rows.items():
        entries = f"{len(row.meter.cache):,}" if row.meter.cache else "-"
        cost = f"{row.meter.nodes:>13,}{entries:>10}{time_text(row.seconds):>10}"
        yield f"{algorithm.name:<12}{cost}{gain_text(rows, row)}  {finding(row)}".rstrip()
    yield ""
    pruned = found_by(rows, alphabeta)
    below = f"; without it alpha-beta has {pruned.meter.nodes - 1:,}" if pruned.entry else ""
    yield f"nodes: visits of a position, the root included{below}"
    yield "fewer, faster: how many times, against minimax" + (", at least" if rows[ALGORITHMS[0]].stopped else "")
    yield "bar: the nodes; one block more is twice as many"
    yield ""
    yield from (f"{algorithm.name:<12}{algorithm.about}" for algorithm in rows)
    if options.show:
        row = found_by(rows, symmetric_cache)
        if row.entry is None:
            yield f"\nno cache to show: symmetry {row.stopped}; allow it more --nodes or --seconds"
        else:
            yield from draw_classes(game, side, row.meter.cache, options.boards)


def time_text(seconds: float) -> str:
    """The time, as long as it is short in thousandths of a second."""
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def gain_text(rows: Rows, row: Measured) -> str:
    """The two columns of the speed-up."""
    times = gain(rows, row)
    if times is None:
        return f"{'-':>10}{'-':>10}"
    least = ("≥ " if can_print("≥") else ">= ") if rows[ALGORITHMS[0]].stopped else ""
    return "".join(f"{least + format(factor, ',.1f' if factor < 1000 else ',.0f'):>10}" for factor in times.values())


def finding(row: Measured) -> str:
    """What the algorithm found, and a bar for its nodes; or why it was stopped."""
    if row.entry is None:
        return str(row.stopped)
    return f"{short_text(row.entry):<11} {('█' if can_print('█') else '#') * row.meter.nodes.bit_length()}"
