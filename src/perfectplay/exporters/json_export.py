"""A solution as JSON, one position per line; docs/how-to/export-to-json.md describes the format."""

import gzip
import json
from collections.abc import Iterator
from typing import BinaryIO

from perfectplay.exporters.export_report import Report
from perfectplay.exporters.export_rows import Row, rows_of
from perfectplay.fingerprint import fingerprint
from perfectplay.game import Game
from perfectplay.models.game_graph import graphing
from perfectplay.notation import example, move_name, parse_position, show_position, value_name
from perfectplay.solvers.steps import Step, Steps
from perfectplay.table.json_reader import FORMAT
from perfectplay.table.table_file import Sink
from perfectplay.version import __version__
from perfectplay.words import BadGame, BadPosition

OFTEN = 5_000
"""Rows between two steps."""


def writing(game: Game, sink: BinaryIO, packed: bool, everything: bool) -> Steps[Report]:
    """Writes the solution, packed by gzip or not, of all positions or of one per symmetry class; returns a report."""
    graph = yield from graphing(game, not everything)
    count, rows = rows_of(game, graph, everything)
    start = next(rows)
    head = {
        "format": FORMAT,
        "perfectplay": __version__,
        "game": game.name,
        "rules": fingerprint(game),
        "start": example(game),
        **worth(start),
        "all": everything,
        "count": count,
    }
    file: Sink = gzip.GzipFile(fileobj=sink, mode="wb", mtime=0, filename="") if packed else sink
    file.write((json.dumps(head, indent=1).removesuffix("\n}") + ',\n "positions": {').encode())
    for done, line in enumerate(lines(game, start, rows), 1):
        file.write(line.encode())
        if done % OFTEN == 0:
            yield Step("writing", done, count)
    file.write(b"\n }\n}\n")
    if isinstance(file, gzip.GzipFile):
        file.close()
    what = "positions" if everything else "canonical positions"
    return Report([f"{game.name}: {count:,} {what}"], {"rows": count})


def lines(game: Game, first: Row, others: Iterator[Row]) -> Iterator[str]:
    """The text of each position, and what stands between them."""
    for before, some in (("\n", [first]), (",\n", others)):
        for row in some:
            text = show_position(game, row.position, row.side)
            if not reads_back(game, text, row):
                raise BadGame(f"{game.name} cannot be written as text: {text} does not tell the whole position")
            best = [move_name(game, row.position, row.side, move) for move in row.best]
            yield f"{before}{json.dumps(text)}: {json.dumps({**worth(row), 'best': best})}"


def reads_back(game: Game, text: str, row: Row) -> bool:
    """Whether the text means just this position."""
    try:
        return parse_position(game, text) == (row.position, row.side)
    except BadPosition:
        return False


def worth(row: Row) -> dict[str, object]:
    """What a position is worth."""
    points = {} if row.entry.margin is None else {"margin": row.entry.margin}
    return {"value": value_name(row.entry), "distance": row.entry.distance, **points}
