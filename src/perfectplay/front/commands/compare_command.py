"""`perfectplay compare`: the algorithms of the ladder on one game, what each finds and what it costs."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator

from perfectplay.api.comparing import Comparison, compare
from perfectplay.front.commands.compare_endless import as_text as endless_text
from perfectplay.front.draw_many import draw_classes, heading, short_text
from perfectplay.front.progress import shown_progress
from perfectplay.front.streams import can_print
from perfectplay.loading import load_game
from perfectplay.solvers.ladder import ALGORITHMS, Measured
from perfectplay.solvers.ladder.plain_alphabeta import alphabeta
from perfectplay.solvers.ladder.symmetric_cache import symmetric_cache

BOARDS = 1000
"""The boards to draw, unless a number is given."""


def show_compare(options: Namespace) -> int:
    """Prints what each algorithm finds; where play can repeat for ever, what the usual repairs find instead."""
    if options.boards is not None and not options.show:
        print("perfectplay: --boards has no effect without --show", file=sys.stderr)
    with shown_progress("searches") as progress:
        found = compare(
            load_game(options.game),
            position=options.position,
            nodes=options.nodes,
            seconds=options.seconds,
            depth=options.depth,
            boards=(options.boards or BOARDS) if options.show else 0,
            progress=progress,
        )
    if options.depth is not None and isinstance(found, Comparison):
        print("perfectplay: --depth has no effect in a game without cycles", file=sys.stderr)
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        top = heading(options, found)
        print("\n".join(as_text(found, top) if isinstance(found, Comparison) else endless_text(found, top)))
    return 0


def as_text(found: Comparison, top: str) -> Iterator[str]:
    """The comparison as people read it, line by line."""
    rows = found.rows
    yield top
    yield ""
    yield f"{'algorithm':<12}{'nodes':>13}{'entries':>10}{'time':>10}{'fewer':>10}{'faster':>10}  finds"
    for algorithm, row in rows.items():
        entries = f"{len(row.meter.cache):,}" if row.meter.cache else "-"
        cost = f"{row.meter.nodes:>13,}{entries:>10}{time_text(row.seconds):>10}"
        yield f"{algorithm.name:<12}{cost}{gain_text(found, row)}  {finding(row)}".rstrip()
    yield ""
    pruned = found.found_by(alphabeta)
    below = f"; without it alpha-beta has {pruned.meter.nodes - 1:,}" if pruned.entry else ""
    yield f"nodes: visits of a position, the root included{below}"
    yield "fewer, faster: how many times, against minimax" + (", at least" if rows[ALGORITHMS[0]].stopped else "")
    yield "bar: the nodes; one block more is twice as many"
    yield ""
    yield from (f"{algorithm.name:<12}{algorithm.about}" for algorithm in rows)
    if found.boards:
        row = found.found_by(symmetric_cache)
        if row.entry is None:
            yield f"\nno cache to show: symmetry {row.stopped}; allow it more --nodes or --seconds"
        else:
            yield from draw_classes(found.game, found.side, row.meter.cache, found.boards)


def time_text(seconds: float) -> str:
    """The time, as long as it is short in thousandths of a second."""
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def gain_text(found: Comparison, row: Measured) -> str:
    """The two columns of the speed-up."""
    times = found.gain(row)
    if times is None:
        return f"{'-':>10}{'-':>10}"
    least = ("≥ " if can_print("≥") else ">= ") if found.rows[ALGORITHMS[0]].stopped else ""
    return "".join(f"{least + format(factor, ',.1f' if factor < 1000 else ',.0f'):>10}" for factor in times.values())


def finding(row: Measured) -> str:
    """What the algorithm found, and a bar for its nodes; or why it was stopped."""
    if row.entry is None:
        return str(row.stopped)
    return f"{short_text(row.entry):<11} {('█' if can_print('█') else '#') * row.meter.nodes.bit_length()}"
