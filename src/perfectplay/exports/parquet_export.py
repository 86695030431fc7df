"""A solution as Parquet, for DuckDB, Polars and the like: one row per symmetry class, written in groups of rows."""

from itertools import islice
from typing import Any, BinaryIO

from perfectplay import __version__
from perfectplay.exports.export_rows import Report, Row, rows_of
from perfectplay.game import COMPILED_BITS, Game, canonical
from perfectplay.players.models.game_graph import graphing
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.notation import number_of, show_position
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import keys_of

GROUP = 100_000
"""Rows that are held in memory and written together."""


def parquet_writing(game: Game, sink: BinaryIO) -> Steps[Report]:
    """Writes the solution, one row per symmetry class; returns a report."""
    import pyarrow as pa
    from pyarrow import parquet

    graph = yield from graphing(game, True)
    count, rows = rows_of(game, graph, everything=False)
    schema = schema_for(game, pa)
    done = 0
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while group := list(islice(rows, GROUP)):
            writer.write_table(pa.table(columns(game, group, schema), schema))
            done += len(group)
            yield Step("writing", done, count)
    return Report([f"{game.name}: {number_of(count, 'row')}, one a class of positions"], {"rows": count})


def schema_for(game: Game, pa: Any) -> Any:
    """The columns; numbers too wide for words of 64 bits are written as text."""
    narrow = game.bits <= COMPILED_BITS
    number = pa.int64() if narrow and game.key is not None else pa.string()
    fields = [
        pa.field("position", pa.string(), nullable=False),
        pa.field("key", number, nullable=False),
        pa.field("value", pa.int8(), nullable=False),
        pa.field("distance", pa.int32()),
        *([] if game.margin is None else [pa.field("margin", pa.int32(), nullable=False)]),
        pa.field("best_moves", pa.int64() if narrow else pa.string(), nullable=False),
        pa.field("level", pa.int32(), nullable=False),
    ]
    facts = {"game": game.name, "rules": fingerprint(game), "perfectplay": __version__}
    return pa.schema(fields, metadata=facts)


def columns(game: Game, rows: list[Row], schema: Any) -> dict[str, list[Any]]:
    """The rows as columns."""
    smallest, (key, _) = canonical(game), keys_of(game)
    table: dict[str, list[Any]] = {
        "position": [show_position(game, row.position, row.side) for row in rows],
        "key": [key(*smallest(*row.position)) for row in rows],
        "value": [row.entry.value for row in rows],
        "distance": [row.entry.distance for row in rows],
        "best_moves": [row.best for row in rows],
        "level": [row.level for row in rows],
    }
    if game.margin is not None:
        table["margin"] = [row.entry.margin for row in rows]
    for name in ("key", "best_moves"):
        if str(schema.field(name).type) == "string":
            table[name] = [str(number) for number in table[name]]
    return table
