"""`perfectplay compare` where play can go on for ever: what the usual repairs find, depth by depth."""

import json
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from perfectplay.front.draw_many import draw_classes, heading, list_classes, short_text
from perfectplay.front.progress import track
from perfectplay.front.streams import can_print
from perfectplay.game import Game, canonical
from perfectplay.notation import show_position, value_name
from perfectplay.solve.ladder import REPAIRS, Measured, Meter, Repair, measure
from perfectplay.solve.ladder.ladder_truth import solved_classes
from perfectplay.solve.tree_size import Cycle, cycle_positions, cycle_text
from perfectplay.words import DRAW, Entry, Position, TooBig

DRAWN = 8
"""How deep to look by default where the truth is a draw, which every depth finds."""

FARTHER = 2
"""How much deeper than the end of the game to look by default: what was right may be wrong again."""

Rows = dict[int, dict[Repair, Measured]]
"""For each depth what each repair found; one that was stopped is not asked again."""


class Endless(NamedTuple):
    """A game from a position where this side is to move, the proof that it need not end, and the truth about it."""

    game: Game
    side: int
    cycle: Cycle
    truth: dict[Position, Entry]

    def here(self) -> Entry:
        """The truth about the position."""
        return self.truth[canonical(self.game)(*self.game.start)]


def show_repairs(options: Namespace, game: Game, side: int, cycle: Cycle) -> int:
    """Prints what the repairs find, and the truth."""
    truth = solved_classes(game)
    if truth is None:
        endless = f"{options.game} can go on for ever, {cycle_text(game, cycle, side)}"
        raise TooBig(f"{endless}, and has too many classes to compare; use perfectplay solve {options.game}")
    case = Endless(game, side, cycle, truth)
    depth = DRAWN if case.here().value == DRAW else right_from(case.here()) + FARTHER
    rows = measured_rows(options, game, depth if options.depth is None else options.depth)
    print(json.dumps(as_json(options, case, rows)) if options.json else "\n".join(as_text(options, case, rows)))
    return 0


def right_from(entry: Entry) -> int:
    """The depth from which on a draw at the horizon does no harm: there the end of a decided game comes into sight."""
    return 0 if entry.value == DRAW or entry.distance is None else entry.distance


def measured_rows(options: Namespace, game: Game, depth: int) -> Rows:
    """What the repairs find at depth 0, 1, 2, ... as long as one of them comes to an end."""
    rows: Rows = {}
    waiting = list(REPAIRS)
    for plies in track(range(depth + 1), depth + 1, "depths"):
        rows[plies] = {
            repair: measure(partial(repair.find, plies), game, game.start, Meter(options.nodes, options.seconds))
            for repair in waiting
        }
        waiting = [repair for repair, row in rows[plies].items() if row.entry is not None]
        if not waiting:
            break
    return rows


def as_json(options: Namespace, case: Endless, rows: Rows) -> dict[str, object]:
    """The comparison as scripts rely on it; a repair that was stopped has no value."""
    game, side, here = case.game, case.side, case.here()
    result: dict[str, object] = {
        "game": options.game,
        "position": show_position(game, game.start, side),
        "cycle": list(cycle_positions(game, case.cycle, side)),
        "value": value_name(here),
        "distance": here.distance,
        "repairs": [
            {
                "repair": repair.name,
                "depth": depth,
                "value": row.entry and value_name(row.entry),
                "right": row.entry and row.entry.value == here.value,
                "nodes": row.meter.nodes,
            }
            for depth, line in rows.items()
            for repair, row in line.items()
        ],
        "right_from": right_from(here),
    }
    if options.show:
        result["cache"] = list_classes(game, side, case.truth, options.boards)
    return result


def as_text(options: Namespace, case: Endless, rows: Rows) -> Iterator[str]:
    """The comparison as people read it, line by line."""
    game, side, here = case.game, case.side, case.here()
    yield heading(options, game, side)
    yield f"can go on for ever, {cycle_text(game, case.cycle, side)}:"
    yield f"plain minimax would never end; use perfectplay solve {options.game}; the truth here: {short_text(here)}"
    yield ""
    yield "".join(["depth", *(f"  {repair.name:<18}" for repair in REPAIRS), f"{'wrong':>10}"])
    entries = case.truth.values()
    for depth, line in rows.items():
        cells = [cell(line.get(repair), here) for repair in REPAIRS]
        wrong = sum(right_from(entry) > depth for entry in entries)
        yield "".join([f"{depth:>5}", *(f"  {text:<18}" for text in cells), f"{wrong:>10,}"])
    yield ""
    right, not_right = marks()
    yield f"{right} right, {not_right} wrong; then the nodes, the root included"
    yield f"wrong: the classes in which horizon is wrong at that depth, of {len(entries):,}"
    everywhere = max(right_from(entry) for entry in entries)
    yield f"horizon is right here from depth {right_from(here)} on, everywhere from depth {everywhere} on"
    yield "a win or loss found is real, a draw may be none: who trusts it gives won games away"
    yield ""
    yield from (f"{repair.name:<12}{repair.about}" for repair in REPAIRS)
    if options.show:
        yield from draw_classes(game, side, case.truth, options.boards)


def cell(row: Measured | None, truth: Entry) -> str:
    """What a repair found, whether that is right, and the nodes."""
    if row is None:
        return "-"
    if row.entry is None:
        return f"stopped{row.meter.nodes:>11,}"
    right, wrong = marks()
    return f"{value_name(row.entry):<4} {right if row.entry.value == truth.value else wrong} {row.meter.nodes:>11,}"


def marks() -> tuple[str, str]:
    """The signs for right and wrong."""
    return ("✓", "✗") if can_print("✓✗") else ("+", "-")
