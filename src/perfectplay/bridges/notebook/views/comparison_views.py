"""Views of compared algorithms: what each finds and what it costs, beside the position."""

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import (
    beside,
    board,
    framed,
    listed,
    note,
    notes,
    position_note,
    table,
    valued,
)
from perfectplay.commands.compete.comparing_cycles import is_right, right_from
from perfectplay.insight.ladder import REPAIRS
from perfectplay.rules.notation import VALUE_NAMES, entry_text, value_name
from perfectplay.views.charts import bar, joined, tag
from perfectplay.views.numbers import time_text
from perfectplay.words import Entry, entry_of

if TYPE_CHECKING:
    from perfectplay.commands.compete.compared_players import ComparedPlayer
    from perfectplay.commands.compete.comparing import Comparison
    from perfectplay.commands.compete.comparing_cycles import CyclicComparison

VALUES = {name: value for value, name in VALUE_NAMES.items()}


def comparison_view(found: "Comparison") -> Markup:
    """The algorithms with their nodes, times, values and moves."""
    facts: list[Any] = found.to_dict()["algorithms"]  # type: ignore[assignment]
    most = max(one["nodes"] for one in facts)
    rows = [algorithm_row(one, most) for one in facts] + [player_row(player) for player in found.players]
    heads = ("algorithm", "nodes", "", "entries", "time", "finds", "plays", "")
    wrong = [trial_text(one) for one in facts if one.get("trial")]
    return framed(
        f"{found.game.name}: algorithms compared",
        beside(
            board(found.game, found.game.start, found.side),
            joined((table(heads, rows), notes(wrong), position_note(found.position))),
        ),
    )


def algorithm_row(facts: dict[str, Any], most: int) -> tuple[object, ...]:
    """What one algorithm finds and costs."""
    worth = worth_cell(facts) if facts["stopped"] is None else str(facts["stopped"])
    keeps = {True: "", False: "gives the result away", None: ""}[facts["keeps_value"]]
    return (
        facts["algorithm"],
        f"{facts['nodes']:,}",
        bar(facts["nodes"] / most, "win"),
        f"{facts['entries']:,}" if facts["entries"] else "–",
        time_text(facts["seconds"]),
        worth,
        facts["move"] or "–",
        keeps,
    )


def worth_cell(facts: dict[str, Any]) -> Markup:
    """What an algorithm finds, with its shape."""
    known = VALUES[facts["value"]]
    words = facts["value"]
    if facts["distance"] is not None or facts.get("margin") is not None:
        words = entry_text(entry_of(known, facts["distance"], facts.get("margin")))
    return valued(facts["value"], words)


def player_row(player: "ComparedPlayer") -> tuple[object, ...]:
    """What a player of your own does."""
    calls = "–" if player.calls is None else f"{player.calls:,}"
    facts: dict[str, Any] = player.to_dict()
    keeps = "gives the result away" if facts["keeps_value"] is False else player.fault
    leads = "" if player.leads_to is None else valued(value_name(player.leads_to), entry_text(player.leads_to))
    return player.player, calls, "", "–", time_text(player.seconds), leads, player.move or "–", keeps


def trial_text(facts: dict[str, Any]) -> str:
    """Where an unsound algorithm is wrong, or that no such position was found."""
    wrong = facts["trial"]["wrong"]
    if wrong is None:
        return f"{facts['algorithm']}: no wrong value in {facts['trial']['tried']:,} positions"
    return f"{facts['algorithm']} is unsound: it is wrong in {wrong['position']}"


def cyclic_view(found: "CyclicComparison") -> Markup:
    """What the repairs find, depth by depth, and whether that is right."""
    here = found.here
    rows = [
        (str(depth), *(repair_cell(line.get(repair), here) for repair in REPAIRS)) for depth, line in found.rows.items()
    ]
    return framed(
        f"{found.game.name}: repairs of minimax compared",
        tag("p", "Plain minimax would never end here. The truth: ", tag("strong", entry_text(here)), "."),
        beside(board(found.game, found.game.start, found.side), table(("depth", *(one.name for one in REPAIRS)), rows)),
        note("✓ right, ✗ wrong; then the nodes, the root included"),
        note(f"A draw at the horizon is right here from depth {right_from(here)} on."),
        listed(f"{repair.name}: {repair.about}" for repair in REPAIRS),
        notes(str(player) for player in found.players),
    )


def repair_cell(row: Any, truth: Entry) -> object:
    """What a repair found at a depth, whether that is right, and its nodes."""
    if row is None:
        return "–"
    if row.entry is None:
        return f"stopped after {row.meter.nodes:,}"
    mark = "✓" if is_right(row.entry, truth) else "✗"
    return valued(value_name(row.entry), f"{value_name(row.entry)} {mark} {row.meter.nodes:,}")
