"""Comparisons as people read them in a terminal: a table of algorithms, or of repairs depth by depth."""

from collections.abc import Sequence
from typing import Any

Facts = dict[str, Any]


def comparison_text(facts: Facts) -> str:
    """A line for each algorithm and each player: its nodes, its time, what it finds and the move it plays."""
    rows = [["algorithm", "nodes", "ms", "finds", "plays"]]
    for one in facts["algorithms"]:
        finds = one["stopped"] or found_text(one)
        rows.append([one["algorithm"], f"{one['nodes']:,}", milliseconds(one), finds, one["move"] or "-"])
    for one in facts.get("players", ()):
        calls = "-" if one["calls"] is None else f"{one['calls']:,}"
        rows.append([one["player"], calls, milliseconds(one), "-", one["move"] or one["fault"] or "-"])
    return "\n".join([f"{facts['game']} from {facts['position']}", "", *aligned(rows, right=(1, 2))])


def cyclic_text(facts: Facts) -> str:
    """A line for each depth: what each repair finds there, whether it is right, and its nodes."""
    names = list(dict.fromkeys(one["repair"] for one in facts["repairs"]))
    cells = {(one["depth"], one["repair"]): repair_text(one) for one in facts["repairs"]}
    depths = dict.fromkeys(one["depth"] for one in facts["repairs"])
    rows = [["depth", *names], *([str(depth), *(cells.get((depth, name), "-") for name in names)] for depth in depths)]
    truth = f"the truth is a {found_text(facts)}, and the horizon is right from depth {facts['right_from']} on"
    heading = f"{facts['game']} from {facts['position']} can repeat for ever; {truth}"
    return "\n".join([heading, "", *aligned(rows, right=(0,))])


def repair_text(one: Facts) -> str:
    """What a repair finds at a depth."""
    if one["value"] is None:
        return f"stopped after {one['nodes']:,}"
    return f"{one['value']}, {'right' if one['right'] else 'wrong'}, {one['nodes']:,} nodes"


def found_text(one: Facts) -> str:
    """A value with its distance or its points."""
    if one.get("margin"):
        return f"{one['value']} by {abs(one['margin'])}"
    return one["value"] if one["distance"] is None else f"{one['value']} in {one['distance']}"


def milliseconds(one: Facts) -> str:
    """A time in milliseconds."""
    return f"{1000 * one['seconds']:,.1f}"


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> list[str]:
    """The rows as lines, columns below each other."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:>{wide[i]}}" if i in right else f"{cell:<{wide[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]
