"""The words of a sweep's report: what a column is called, how its cells are written, and what stands out in it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from perfectplay.insight.sweeps.measures import Estimate, Measure, Row, Swept
from perfectplay.rules.notation import number_of, plies_text

HOWS = {
    "solved": ("●", "solved", "every position is solved"),
    "searched": ("◐", "proven by search", "the start is proven by search"),
    "bounds": ("↔", "bounded", "search proves only the best and the worst that the result can be"),
    "estimated": ("≈", "estimated", "nothing is proven; random games were played"),
    "failed": ("✕", "failed", "nothing is known"),
}
"""For each way in which a variant is known: its sign, the word for it, and what it means."""
LETTERS = {"win": "W", "draw": "D", "loss": "L"}
"""The results for the first player, in a cell."""
VALUES = {"win": 1, "draw": 0, "loss": -1}
RESULT, POSITIONS, SECONDS = "value", "positions", "seconds"
"""The columns of every sweep besides its measures."""
UNKNOWN = "–"
ESTIMATE = "≈"
RANDOM = "_random"
"""How the column ends that says the same of random games."""
ENDS = {
    "fairness": ("fairest", "least fair", ""),
    "decisiveness": ("most decisive", "least decisive", ""),
    "depth": ("deepest", "shallowest", "level"),
    "drama": ("most dramatic", "least dramatic", ""),
    "sharpness": ("least sharp", "sharpest", ""),
    "traps": ("most traps", "fewest traps", ""),
    "branching": ("widest", "narrowest", "move"),
    "length": ("longest games", "shortest games", "ply"),
    "longest": ("longest best play from any position", "shortest", "ply"),
    "first_moves": ("most first moves", "fewest first moves", ""),
    "classes": ("most positions up to symmetry", "fewest", ""),
    "positions": ("largest", "smallest", "position"),
}
"""The words for the variants at both ends, those nearest to the target or with the most first, and the unit."""


class Column(NamedTuple):
    """A column of a sweep: its name and label, its definition, and how its numbers are written."""

    name: str
    label: str
    sentence: str
    form: str
    target: float | None = None


def column_of(measures: Iterable[Measure], name: str) -> Column:
    """The column of this name, whether it is a measure's or one that every sweep has."""
    if name in FIXED:
        return FIXED[name]
    for measure in measures:
        if name == measure.name:
            return Column(name, label_of(name), measure.sentence, measure.form, measure.target)
        if name == measure.name + RANDOM:
            sentence = f"The same as {label_of(measure.name)}, but between two players that move at random."
            return Column(name, label_of(name), sentence, measure.form, measure.target)
    return Column(name, label_of(name), "", "number")


FIXED = {
    one.name: one
    for one in (
        Column(RESULT, "result", "The result for the first player with best play, and after how many plies.", "value"),
        Column("distance", "distance", "The plies to the end with best play, and the result.", "value"),
        Column(POSITIONS, "positions", "The number of positions that can be reached.", "whole"),
        Column(SECONDS, "seconds", "The time that this variant took.", "seconds"),
    )
}


def label_of(name: str) -> str:
    """The name of a column as people read it."""
    base, random, rest = name.partition(RANDOM)
    return f"{base}{rest} (random)".replace("_", " ") if random else name.replace("_", " ")


def columns_of(swept: Swept) -> list[Column]:
    """The columns of which anything is known: measures, their estimates, then the result, positions and seconds."""
    names: list[str] = []
    for measure in swept.measures:
        estimated = {name for row in swept.rows for name in row.facts.estimates if name in measure.columns}
        names += [measure.name, *sorted(estimated - {measure.name})]
    columns = [column_of(swept.measures, name) for name in dict.fromkeys((*names, RESULT, POSITIONS, SECONDS))]
    return [one for one in columns if any(cell_text(row, one) != UNKNOWN for row in swept.rows)]


def number_in(row: Row, column: Column) -> float | None:
    """The cell as a number: the result as 1, 0 or -1; None where it is unknown or a list."""
    facts = row.facts
    if column.form == "value":
        return None if facts.value is None else VALUES[facts.value]
    cell = getattr(facts, column.name) if column.name in FIXED else facts.measures.get(column.name)
    if isinstance(cell, int | float):
        return float(cell)
    estimate = facts.estimates.get(column.name)
    return None if estimate is None else float(estimate.value)


def estimate_in(row: Row, column: Column) -> Estimate | None:
    """The estimate that stands in for the column, with its interval; None where there is none or it is proven."""
    if column.name in FIXED or isinstance(row.facts.measures.get(column.name), int | float):
        return None
    return row.facts.estimates.get(column.name)


def cell_text(row: Row, column: Column, short: bool = False) -> str:
    """The cell as it is printed: W13, 57.3%, ≈61.0%, D..W; a dash where nothing is known."""
    if column.form == "value":
        return result_cell(row)
    number, estimate = number_in(row, column), estimate_in(row, column)
    if estimate is not None:
        return ESTIMATE + number_text(estimate.value, column.form, short)
    return UNKNOWN if number is None else number_text(number, column.form, short)


def result_cell(row: Row) -> str:
    """The result for the first player: W13, D, W+3, D..W."""
    facts = row.facts
    if facts.value is None:
        return "..".join(LETTERS[one] for one in facts.bounds) if facts.bounds else UNKNOWN
    points = facts.margin
    after = facts.distance if points is None else (f"{points:+}".replace("-", "−") if points else None)
    return LETTERS[facts.value] + ("" if after is None else str(after))


def result_words(row: Row) -> str:
    """The same in words: win in 13 plies, draw, win by 3 points, draw to win."""
    facts = row.facts
    if facts.value is None:
        return " to ".join(facts.bounds) if facts.bounds else "unknown"
    if facts.margin:
        return f"{facts.value} by {number_of(abs(facts.margin), 'point')}"
    return facts.value if facts.distance is None else f"{facts.value} in {plies_text(facts.distance)}"


def number_text(number: float, form: str, short: bool = False) -> str:
    """The number in this form: 57.3%, 5,478, 7.90, 0.12 s; short for a cell of a map, 1.2M."""
    if form == "share":
        return "<0.1%" if 0 < number < 0.0005 else ">99.9%" if 0.9995 < number < 1 else f"{number:.1%}"
    if form == "seconds":
        return "<0.01 s" if 0 <= number < 0.005 else f"{number:.2f} s" if number < 10 else f"{number:,.0f} s"
    if form == "whole" and short and number >= 100_000:
        return short_number(number)
    return f"{number:,.0f}" if form == "whole" else f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def short_number(number: float) -> str:
    """A large number in few letters: 120k, 1.2M, 3.4B, 5e13."""
    for size, letter in ((1e3, "k"), (1e6, "M"), (1e9, "B"), (1e12, "T")):
        if number < 999.5 * size:
            return f"{number / size:.{1 if number < 9.95 * size else 0}f}{letter}"
    return f"{number:.0e}".replace("e+", "e")


def cell_words(row: Row, column: Column) -> str:
    """The cell in words, with what it rests on: 57.3%, solved."""
    sign = HOWS[row.facts.how][1]
    if column.form == "value":
        return f"{result_words(row)}, {sign}"
    estimate, text = estimate_in(row, column), cell_text(row, column)
    if estimate is not None:
        low, high = (number_text(bound, column.form) for bound in estimate[1:])
        return f"{text[1:]} in random games, 95% confidence interval {low} to {high}"
    return f"{column.label} unknown, {sign}" if text == UNKNOWN else f"{text}, {sign}"


def headline(rows: Sequence[Row]) -> str:
    """The families, and how many variants are known in which way."""
    counts = Counter(row.facts.how for row in rows)
    known = {HOWS[how][1]: counts[how] for how in HOWS if counts[how]}
    if len(known) == 1:
        return f"{subject(rows)}, {'' if len(rows) == 1 else 'all '}{''.join(known)}"
    parts = ", ".join(f"{count:,} {how}" for how, count in known.items())
    return f"{subject(rows)}: {parts}" if parts else subject(rows)


def subject(rows: Sequence[Row]) -> str:
    """How many variants there are, and of which families."""
    families = dict.fromkeys(row.variant.family for row in rows)
    names = " and ".join(family_text(one) for one in families) if len(families) < 4 else f"{len(families)} games"
    return f"{number_of(len(rows), 'variant')} of {names}" if rows else "No variant"


def family_text(name: str) -> str:
    """The name of a family or a variant in a sentence: of a file only its last part."""
    return name.replace("\\", "/").rpartition("/")[2]


def sweep_remarks(swept: Swept) -> list[str]:
    """The extremes, a sentence for each column in which variants differ; only what is proven counts."""
    proven = [row for row in swept.rows if row.facts.how not in ("estimated", "failed")]
    columns = [one for one in columns_of(swept) if one.form not in ("value", "seconds")]
    ends = [ends_remark(column, proven) for column in columns if not column.name.endswith(RANDOM)]
    return [one for one in (results_remark(swept.rows), *ends) if one]


def results_remark(rows: Sequence[Row]) -> str:
    """Who wins how many of the variants whose result is proven."""
    counts = Counter(row.facts.value for row in rows if row.facts.value)
    if counts.total() < 2:
        return ""
    parts = {
        "win": "the first player wins {}",
        "draw": "{} is drawn" if counts["draw"] == 1 else "{} are drawn",
        "loss": "the second player wins {}",
    }
    amounts = {value: "all" if count == counts.total() else f"{count:,}" for value, count in counts.items()}
    said = [text.format(amounts[value]) for value, text in parts.items() if value in amounts]
    whole = f"Of {counts.total():,} variants with a proven result, "
    return whole + (", ".join(said[:-1]) + " and " if said[1:] else "") + said[-1] + "."


def ends_remark(column: Column, rows: Iterable[Row]) -> str:
    """The variants at both ends of a column, as a sentence; empty where they do not differ."""
    entries = [(number, row.variant.game) for row in rows if (number := number_in(row, column)) is not None]
    target = column.target
    if len({number for number, _ in entries}) < 2:
        return ""
    entries.sort(key=lambda one: -one[0] if target is None else abs(one[0] - target))
    most, least, unit = ENDS.get(column.name, (f"highest {column.label}", f"lowest {column.label}", ""))
    first, last = (end_words(entries, at, column, unit) for at in (0, -1))
    text = f"{most}: {first}; {least}: {last}."
    return text[0].upper() + text[1:]


def end_words(entries: Sequence[tuple[float, str]], at: int, column: Column, unit: str) -> str:
    """The variants at an end, with their number: lines:3,3,3 and 2 others (7.9 plies)."""
    number = entries[at][0]
    same = [game for other, game in entries if other == number]
    more = f" and {number_of(len(same) - 1, 'other')}" if len(same) > 1 else ""
    unit_text = "" if not unit else f" {unit}" if number == 1 else " plies" if unit == "ply" else f" {unit}s"
    return f"{family_text(same[0])}{more} ({number_text(number, column.form)}{unit_text})"


def reasons(swept: Swept) -> list[tuple[str, str, list[str]]]:
    """The variants that were skipped, failed or not solved, in groups: the outcome, the reason, and the variants."""
    groups: dict[tuple[str, str], list[str]] = {}
    entries = [("skipped", why, game) for game, why in swept.skipped]
    entries += [(HOWS[facts.how][1], facts.why, variant.game) for variant, facts in swept.rows if facts.why]
    order = ["failed", *(word for _, word, _ in HOWS.values() if word != "failed"), "skipped"]
    for what, why, game in sorted(entries, key=lambda one: order.index(one[0])):
        groups.setdefault((what, why), []).append(game)
    return [(what, why, games) for (what, why), games in groups.items()]
