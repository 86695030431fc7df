"""Retrograde analysis: lists all positions, then works backwards from the finished ones.

Each wave decides positions one ply farther from the end: a position with a lost child is won, a position whose children
are all won is lost. Draws follow in the same way. Cycles do no harm; what is never decided is an endless draw. Where
points count, a position is decided when all its children are.
"""

from collections.abc import Iterator

from perfectplay.game import Game, end_entry
from perfectplay.insight.ladder.best_move import best_move
from perfectplay.insight.ladder.ladder_rules import children
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import DRAW, LOSS, ONGOING, REPEATS, WIN, BadGame, Entry, Position


def retrograde_analysis(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position; visits every move twice, once forwards and once backwards."""
    entries: dict[Position, Entry] = {}
    meter.cache = entries
    parents: dict[Position, list[tuple[Position, bool]]] = {position: []}
    undecided: dict[Position, int] = {}
    best: dict[Position, Entry] = {}
    meter.visit()
    reached = [position]
    for here in reached:  # it grows meanwhile
        outcome = game.outcome(*here)
        if outcome != ONGOING:
            entries[here] = end_entry(game, here)
            continue
        legal = list(children(game, here))
        undecided[here] = len(legal)
        for _, child, sign in legal:
            meter.visit()
            if child not in parents:
                parents[child] = []
                reached.append(child)
            parents[child].append((here, sign == 1))

    def decided_by(child: Position) -> Iterator[Position]:
        for parent, again in parents[child]:
            meter.visit()
            if parent not in entries:
                entry = entries[child].before(again)
                undecided[parent] -= 1
                best[parent] = max(best.get(parent, entry), entry, key=Entry.preference)
                if undecided[parent] == 0 or (game.margin is None and entry.value != LOSS):
                    entries[parent] = best[parent]
                    yield parent

    finished = {here: entry.value for here, entry in entries.items()}
    for ends in ((LOSS, WIN), (DRAW,)) if game.margin is None else ((LOSS, DRAW, WIN),):
        wave = [here for here in reached if finished.get(here) in ends]
        while wave:
            wave = [parent for child in wave for parent in decided_by(child)]
    if game.margin is not None and len(entries) < len(reached):
        raise BadGame(f"{game.name} {REPEATS}")
    entries.update((here, Entry(DRAW, None)) for here in reached if here not in entries)
    meter.move = best_move(game, position, entries.__getitem__)
    return entries[position]
