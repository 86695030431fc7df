"""Retrograde analysis: lists all positions, then works backwards from the finished ones.

Each wave decides positions one ply farther from the end: a position with a lost child is won, a position whose children
are all won is lost. Draws follow in the same way. Cycles do no harm; what is never decided is an endless draw.
"""

from collections.abc import Iterator

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solvers.ladder.best_move import best_move
from perfectplay.solvers.ladder.meter import Meter
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Position


def retrograde_analysis(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position; visits every move twice, once forwards and once backwards."""
    entries: dict[Position, Entry] = {}
    meter.cache = entries
    parents: dict[Position, list[Position]] = {position: []}
    undecided: dict[Position, int] = {}
    meter.visit()
    reached = [position]
    for here in reached:  # it grows meanwhile
        outcome = game.outcome(*here)
        if outcome != ONGOING:
            entries[here] = Entry(outcome, 0)
            continue
        children = [game.play(*here, move) for move in bit_numbers(game.moves(*here))]
        undecided[here] = len(children)
        for child in children:
            meter.visit()
            if child not in parents:
                parents[child] = []
                reached.append(child)
            parents[child].append(here)

    def decided_by(child: Position) -> Iterator[Position]:
        entry = entries[child].before()
        for parent in parents[child]:
            meter.visit()
            if parent not in entries:
                undecided[parent] -= 1
                if entry.value != LOSS or undecided[parent] == 0:
                    entries[parent] = entry
                    yield parent

    for ends in ((LOSS, WIN), (DRAW,)):
        wave = [here for here in reached if entries.get(here) in [(value, 0) for value in ends]]
        while wave:
            wave = [parent for child in wave for parent in decided_by(child)]
    entries.update((here, Entry(DRAW, None)) for here in reached if here not in entries)
    meter.move = best_move(game, position, entries.__getitem__)
    return entries[position]
