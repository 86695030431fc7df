"""A dataset as a DataFrame or a Parquet file."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.extras import imported
from perfectplay.fingerprint import fingerprint
from perfectplay.folders import path_of, replacing
from perfectplay.game import COMPILED_BITS
from perfectplay.planes import planes_of
from perfectplay.table.table import check_target
from perfectplay.version import __version__
from perfectplay.words import BadTable

if TYPE_CHECKING:
    import pandas

    from perfectplay.rl.datasets import Columns, Dataset

GROUP = 1 << 16
"""Rows that are held in memory and written together."""
MASKS = ("legal", "best", "keeps")


def as_frame(dataset: "Dataset", planes: bool) -> "pandas.DataFrame":
    """A row for each position."""
    frames = imported("pandas", "rl", "Dataset.to_pandas")
    parts: list[pandas.DataFrame] = []
    for columns in dataset.batches(GROUP):
        for name in MASKS:
            columns[name] = objects([tuple(np.flatnonzero(row).tolist()) for row in columns[name]])
        seen = columns.pop("planes")
        if planes:
            columns["planes"] = objects(list(seen))
        parts.append(frames.DataFrame(columns))
    return frames.concat(parts, ignore_index=True) if parts else frames.DataFrame()  # type: ignore[no-any-return]


def objects(items: list[Any]) -> NDArray[Any]:
    """The items as an array of objects."""
    found = np.empty(len(items), object)
    found[:] = items
    return found


def write_parquet(dataset: "Dataset", path: str | os.PathLike[str], shuffle: int | None, planes: bool) -> int:
    """Writes the file, and returns the number of rows."""
    pa = imported("pyarrow", "parquet", "Dataset.to_parquet")
    parquet = imported("pyarrow.parquet", "parquet", "Dataset.to_parquet")
    name = path_of("path", path)
    if name.endswith(("/", os.sep)):
        raise BadTable(f"{name!r} is the name of a folder; write the path of a file")
    check_target(Path(name))
    facts = {"game": dataset.game.name, "rules": fingerprint(dataset.game), "perfectplay": __version__}
    facts |= {"kind": dataset.kind, "planes": ",".join(map(str, planes_of(dataset.game).shape))}
    count, writer = 0, None
    with replacing(Path(name)) as sink:
        for table in tables(dataset, shuffle, planes, pa):
            if writer is None:
                writer = parquet.ParquetWriter(sink, table.schema.with_metadata(facts), compression="zstd")
            writer.write_table(table.replace_schema_metadata(facts))
            count += table.num_rows
        if writer is None:
            raise BadTable(f"{dataset!r} has no rows to write")
        writer.close()
    return count


def tables(dataset: "Dataset", shuffle: int | None, planes: bool, pa: Any) -> Iterator[Any]:
    """The rows in tables of Arrow."""
    for columns in dataset.batches(GROUP, shuffle):
        if not planes:
            del columns["planes"]
        yield pa.table({name: arrow_column(dataset, name, columns, pa) for name in columns})


def arrow_column(dataset: "Dataset", name: str, columns: "Columns", pa: Any) -> Any:
    """A column of Arrow: arrays in more than one dimension as lists of fixed size; words that are too wide as text."""
    column = columns[name]
    if column.ndim > 1:
        width = column.size // len(column)
        return pa.FixedSizeListArray.from_arrays(pa.array(column.reshape(-1)), width)
    if name in ("mine", "theirs") and dataset.game.bits > COMPILED_BITS:
        return pa.array([str(word) for word in column.tolist()])
    return pa.array(column)
