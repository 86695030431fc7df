"""The report of a sweep: one page that loads nothing, with maps, a table of all variants, and links to play them."""

import re
import shlex
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from perfectplay.exports.page import ASSETS, STATIC, report_style
from perfectplay.exports.page.page_bundle import rendered
from perfectplay.insight.sweeps.heat_map import STYLE
from perfectplay.insight.sweeps.measures import Row, Swept
from perfectplay.insight.sweeps.sweep_maps import drawn_maps
from perfectplay.insight.sweeps.sweep_words import (
    HOWS,
    RANDOM,
    UNKNOWN,
    VALUES,
    Column,
    cell_text,
    cell_words,
    columns_of,
    estimate_in,
    headline,
    number_in,
    reasons,
    result_words,
    subject,
    sweep_remarks,
)
from perfectplay.rules.loading import split_game, split_path

ADDRESS = "http://127.0.0.1:8000/"
"""Where `perfectplay serve` shows its page unless it is told otherwise."""
FAR = 100_000
"""More than any distance: results are sorted by value first."""
NAMED = 12
"""Variants that a reason names at once; more are folded away."""


def sweep_page(swept: Swept, axes: tuple[str, str] | None = None) -> str:
    """The whole report as one file; `axes` are the sizes across and down."""
    columns, rows = columns_of(swept), swept.rows
    shown = [one for one in columns if one.form != "value" and not one.name.endswith(RANDOM)]
    picked = (f".maps:has(#pick-{at}:checked)>.map:not(#map-{at}){{display:none}}\n" for at in range(len(columns)))
    values = {
        "title": f"Sweep: {subject(rows)}",
        "description": f"A sweep over variants of a game. {headline(rows)}.",
        "headline": headline(rows),
        "command": shlex.join(["perfectplay", "sweep", *swept.asked]),
        "skipped": len(swept.skipped),
        "remarks": sweep_remarks(swept),
        "maps": [drawn_maps(swept, one.name, play_address, axes) for one in columns],
        "columns": shown,
        "definitions": columns,
        "rows": [table_row(row, shown) for row in rows],
        "serve": serve_command(rows),
        "hows": {how: HOWS[how] for how in HOWS if any(row.facts.how == how for row in rows)},
        "reasons": [{"what": what, "why": why, "games": games} for what, why, games in reasons(swept)],
        "named": NAMED,
    }
    return rendered(
        "sweep/sweep.html", values, [ASSETS / "sweep", STATIC], report_style("sweep", STYLE) + "".join(picked)
    )


def table_row(row: Row, columns: list[Column]) -> dict[str, Any]:
    """A variant's row in the table."""
    game, (sign, word, _) = row.variant.game, HOWS[row.facts.how]
    return {
        "game": game,
        "parts": re.split(r"(?<=,)(?=[a-z_])", game),
        "address": play_address(game),
        "command": play_command(game),
        "sign": sign,
        "how": word,
        "why": row.facts.why,
        "order": list(HOWS).index(row.facts.how),
        "result": result_cell(row),
        "cells": [table_cell(row, column) for column in columns],
    }


def table_cell(row: Row, column: Column) -> dict[str, Any]:
    """A cell of the table: its text, what it is sorted by, what is said when it is pointed at."""
    number, estimate = number_in(row, column), estimate_in(row, column)
    order = number if estimate is None else estimate.value
    return {"text": cell_text(row, column), "order": order, "words": cell_words(row, column) if estimate else ""}


def result_cell(row: Row) -> dict[str, Any]:
    """The same for the result, in as few words as a column has room for: win in 13.

    Quick wins are greatest, then slow ones, draws, slow losses, and quick ones.
    """
    facts = row.facts
    order: float | None = None
    if facts.value is not None:
        value, distance = VALUES[facts.value], facts.distance
        order = FAR * value + (facts.margin or 0) - (value * distance if distance is not None else 0)
    elif facts.bounds:
        order = FAR * sum(VALUES[one] for one in facts.bounds) / 2
    words = result_words(row) if facts.value or facts.bounds else UNKNOWN
    text = words.removesuffix(" plies").removesuffix(" ply")
    said = words if text != words else ""
    return {"text": text, "words": said, "order": order, "value": facts.value or ""}


def play_address(game: str) -> str:
    """The address of the local page that opens this variant; the server knows a user's file by its last name."""
    path, sizes = split_path(game)
    named = game if path is None else f"{path.name}:{sizes}" if sizes else path.name
    return f"{ADDRESS}?game={quote(named, safe=',:=')}"


def play_command(game: str) -> str:
    """The command that plays this variant in the terminal."""
    return shlex.join(["perfectplay", "play", game])


def serve_command(rows: Sequence[Row]) -> str:
    """The command that starts the page for all of these variants: only a user's own files have to be named."""
    games = [row.variant.game for row in rows]
    own = [game.removesuffix(f":{sizes}") for game in games for path, sizes in [split_game(game)] if path is not None]
    return shlex.join(["perfectplay", "serve", *dict.fromkeys(own)])
