"""A dataset as a DataFrame or a Parquet file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.extras import imported
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.processes.folders import PathLike
from perfectplay.rl.dataset_rows import Columns
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.outputs import PARQUET, output
from perfectplay.version import __version__
from perfectplay.views.planes import planes_of
from perfectplay.words import BadArgument

if TYPE_CHECKING:
    import pandas

GROUP = 1 << 16
"""Rows that are held in memory and written together."""
MASKS, PLANES = ("legal", "best", "keeps"), "planes"


def as_frame(batches: Iterator[Columns], names: list[str], planes: bool) -> "pandas.DataFrame":
    """A row for each position of these batches, with columns of these names, and planes."""
    frames = imported("pandas", "rl", "Dataset.to_pandas")
    parts: list[pandas.DataFrame] = []
    for columns in batches:
        for name in MASKS:
            columns[name] = objects([tuple(np.flatnonzero(row).tolist()) for row in columns[name]])
        seen = columns.pop(PLANES)
        if planes:
            columns[PLANES] = objects(list(seen))
        parts.append(frames.DataFrame(columns))
    empty = frames.DataFrame(columns=[*names, PLANES] if planes else names)
    return frames.concat(parts, ignore_index=True) if parts else empty


def objects(items: list[Any]) -> NDArray[Any]:
    """The items as an array of objects."""
    found = np.empty(len(items), object)
    found[:] = items
    return found


def write_parquet(game: Game, kind: str, batches: Iterator[Columns], path: PathLike, planes: bool, force: bool) -> int:
    """Writes the batches of a dataset to a file, and returns the number of rows."""
    pa = imported("pyarrow", "parquet", "Dataset.to_parquet")
    parquet = imported("pyarrow.parquet", "parquet", "Dataset.to_parquet")
    target = output(path, PARQUET, force)
    facts = {"game": game.name, "rules": fingerprint(game), "perfectplay": __version__, "kind": kind}
    facts["planes"] = ",".join(map(str, planes_of(game).shape))
    count, writer = 0, None
    with target.writing() as sink:
        for columns in batches:
            if not planes:
                del columns[PLANES]
            table = pa.table({one: arrow_column(game, one, column, pa) for one, column in columns.items()})
            if writer is None:
                writer = parquet.ParquetWriter(sink, table.schema.with_metadata(facts), compression="zstd")
            writer.write_table(table.replace_schema_metadata(facts))
            count += table.num_rows
        if writer is None:
            raise BadArgument(f"no rows to write to {str(path)!r}: the dataset of {game.name} is empty")
        writer.close()
    return count


def arrow_column(game: Game, name: str, column: NDArray[Any], pa: Any) -> Any:
    """A column of Arrow: arrays in more than one dimension as lists of fixed size; words that are too wide as text."""
    if column.ndim > 1:
        return pa.FixedSizeListArray.from_arrays(pa.array(column.reshape(-1)), column.size // len(column))
    if name in ("mine", "theirs") and game.bits > COMPILED_BITS:
        return pa.array([str(word) for word in column.tolist()])
    return pa.array(column)
