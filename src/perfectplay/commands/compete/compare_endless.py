"""`perfectplay compare` where play can repeat for ever: what the usual repairs find, depth by depth."""

from collections.abc import Iterator

from perfectplay.commands.compete.compare_players import labels, move_text, player_lines
from perfectplay.commands.compete.compared_players import ComparedPlayer
from perfectplay.commands.compete.comparing_cycles import CyclicComparison, is_right, right_from
from perfectplay.commands.terminal.draw_many import draw_classes, short_text
from perfectplay.commands.terminal.streams import can_print
from perfectplay.insight.ladder import REPAIRS, Measured
from perfectplay.rules.notation import number_of, value_name
from perfectplay.solvers.search.tree_size import cycle_text
from perfectplay.words import Entry


def endless_text(found: CyclicComparison, top: str) -> Iterator[str]:
    """The comparison as people read it, line by line."""
    game, side, here = found.game, found.side, found.here
    yield top
    yield f"can repeat for ever, {cycle_text(game, found.cycle, side)}:"
    yield f"plain minimax would never end; use perfectplay solve {game.name}; the truth here: {short_text(here)}"
    yield ""
    yield "".join(["depth", *(f" {repair.name:<16}" for repair in REPAIRS), f"{'wrong':>9}"])
    entries = found.truth.values()
    for depth, line in found.rows.items():
        cells = [cell(line.get(repair), here) for repair in REPAIRS]
        wrong = sum(right_from(entry) > depth for entry in entries)
        yield "".join([f"{depth:>5}", *(f" {text:<16}" for text in cells), f"{wrong:>9,}"])
    yield ""
    right, not_right = marks()
    yield f"{right} right, {not_right} wrong value, or wrong distance; then the nodes, the root included"
    yield f"wrong: the canonical positions in which horizon is wrong at that depth, of {len(entries):,}"
    everywhere = max(right_from(entry) for entry in entries)
    yield f"horizon is right here from depth {right_from(here)} on, everywhere from depth {everywhere} on"
    yield "a win or loss that is found is real; a draw may be a win or a loss beyond the horizon"
    yield ""
    yield from (f"{repair.name:<12}{repair.about}" for repair in REPAIRS)
    yield from unequal_lines(found)
    yield from ([""] if found.players else [])
    for name, player in zip(labels(found.players), found.players, strict=True):
        yield f"{name} {played_text(player)}" if player.move else f"{player.player} {player.fault}"
    yield from player_lines(found.players)
    if found.boards:
        yield from draw_classes(game, side, found.truth, found.boards)


def unequal_lines(found: CyclicComparison) -> Iterator[str]:
    """Which repairs give symmetric moves different scores, and at which depths."""
    for repair in REPAIRS:
        rows = {depth: line[repair] for depth, line in found.rows.items() if repair in line}
        unequal = {depth: scores for depth, row in rows.items() if (scores := found.unequal(row))}
        if unequal:
            depths = f"depth{'s' * (len(unequal) > 1)} {', '.join(map(str, unequal))}"
            first = ", ".join(f"{move} {score}" for move, score in next(iter(unequal.values())).items())
            yield f"\n{repair.name} gives symmetric moves different scores at {depths}, first {first}"


def played_text(player: ComparedPlayer) -> str:
    """The move of a player, what it leads to, and the nodes if they were counted."""
    nodes = "" if player.calls is None else f"; {number_of(player.calls, 'node')}"
    return f"plays {move_text(player.move or '', player.leads_to, player.best)}{nodes}"


def cell(row: Measured | None, truth: Entry) -> str:
    """What a repair found, whether that is right, and the nodes."""
    if row is None:
        return "-"
    if row.entry is None:
        return f"stopped{row.meter.nodes:>9,}"
    right, wrong = marks()
    return f"{value_name(row.entry):<4} {right if is_right(row.entry, truth) else wrong}{row.meter.nodes:>10,}"


def marks() -> tuple[str, str]:
    """The signs for right and wrong."""
    return ("✓", "✗") if can_print("✓✗") else ("+", "-")
