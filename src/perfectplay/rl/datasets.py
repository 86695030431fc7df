"""Positions of a solved game with all that is known of them, to train with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay import __version__
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of, whole
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.processes.folders import PathLike
from perfectplay.rl.dataset_rows import AllPositions, Columns, HashRanges, Rows, Source, chunks
from perfectplay.rl.episode import one_of
from perfectplay.rl.position_facts import class_grades, describer_of
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.outputs import PARQUET, output
from perfectplay.views.planes import planes, planes_of
from perfectplay.words import BadArgument, Brief, Entry, require

if TYPE_CHECKING:
    import pandas

ALL, ON_POLICY, HARD = "all", "on-policy", "hard"
LEAST_DIFFICULTY = 0.3
WHOLE = HashRanges()
ROUNDED = 1e-9
"""How far the sum of parts may be from 1."""


@dataclass(frozen=True, eq=False)
class Dataset(metaclass=Brief):
    """Positions of a solved game; iterate over it, or call `batches`, `to_pandas` or `to_parquet`.

    A batch is a dict of arrays: `planes` (n, planes, rows, columns) of int8, the masks `legal`, `best` and `keeps`
    (n, actions) of bool, `value` (1 win, 0 draw, -1 loss for the side to move), `distance` (plies to the end, -1 if
    there is none), in games for points `margin`, `difficulty`, the words `mine` and `theirs`, and on-policy `reach`.
    """

    game: Game
    kind: str
    source: Source
    finished: bool = False
    least_difficulty: float = 0.0
    part: HashRanges = WHOLE

    def batches(self, batch_size: int = 1024, shuffle: int | None = None) -> Iterator[Columns]:
        """The rows in batches of that size, the last one shorter; in the order of keys, or shuffled by that seed.

        The seed alone decides the order, whatever the size of batches.
        """
        whole("batch_size", batch_size, 1, optional=False)
        whole("shuffle", shuffle, 0, 2**63 - 1)
        return self._batches(batch_size, shuffle)

    def _batches(self, size: int, shuffle: int | None) -> Iterator[Columns]:
        waiting: Columns = {}
        for columns in self._chunks(shuffle):
            both = {name: np.concatenate([waiting[name], new]) if waiting else new for name, new in columns.items()}
            count = both["value"].size
            for begin in range(0, count - size + 1, size):
                yield self._with_planes({name: one[begin : begin + size].copy() for name, one in both.items()})
            waiting = {name: one[count - count % size :] for name, one in both.items()} if count % size else {}
        if waiting:
            yield self._with_planes(waiting)

    def __iter__(self) -> Iterator[Columns]:
        return self.batches()

    @cached_property
    def _count(self) -> int:
        return sum(columns["value"].size for columns in self._chunks(None))

    def __len__(self) -> int:
        """The number of positions; the first call reads them all."""
        return self._count

    def split(
        self, train: float = 0.8, validation: float = 0.1, test: float | None = None, *, seed: int = 0
    ) -> "DatasetSplit":
        """Three parts of about these sizes; `test` is the rest if it is left out.

        A hash of its symmetry class decides where a position belongs, so no image of it is in another part, and the
        same seed gives the same parts at any time, for all kinds of datasets of a game.
        """
        whole("seed", seed, 0, 2**63 - 1, optional=False)
        sizes = (train, validation, 0 if test is None else test)
        if not all(isinstance(size, int | float) and 0 <= size <= 1 for size in sizes) or sum(sizes) > 1 + ROUNDED:
            raise BadArgument(f"train={train!r}, validation={validation!r}, test={test!r} are not parts of 1")
        ends = [0.0, train, train + validation, 1.0 if test is None else sum(sizes)]
        ends = [1.0 if abs(end - 1) < ROUNDED else end for end in ends]
        ranges = [(*self.part.ranges, (seed, begin, end)) for begin, end in pairwise(ends)]
        return DatasetSplit(*(replace(self, part=HashRanges(one)) for one in ranges))

    def to_pandas(self, *, planes: bool = False) -> "pandas.DataFrame":
        """A DataFrame with a row for each position; moves are tuples of numbers, `planes` adds them as arrays."""
        return as_frame(self.batches(GROUP), self._names(), planes)

    def to_parquet(
        self, path: PathLike, *, shuffle: int | None = None, planes: bool = True, force: bool = False
    ) -> int:
        """Writes a Parquet file, atomically, and returns the number of rows; masks and planes are lists.

        A file that perfectplay did not write is only replaced with force=True.
        """
        return write_parquet(self.game, self.kind, self.batches(GROUP, shuffle), path, planes, force)

    def __repr__(self) -> str:
        part = "" if not self.part.ranges else ", a part"
        return f"<Dataset of {self.game.name}: {self.kind} positions{part}>"

    def _chunks(self, shuffle: int | None) -> Iterator[Columns]:
        entries = entry_columns(self.game, self.source)
        for rows in chunks(self.source, self.part, shuffle):
            facts = self.source.describer.facts(rows.mine, rows.theirs)
            mask = facts.difficulty >= self.least_difficulty
            if not self.finished:
                mask &= facts.legal.any(axis=1)
            if not mask.any():
                continue
            columns = {name: column[facts.grades[mask]] for name, column in entries.items()}
            for name in ("legal", "best", "keeps", "difficulty"):
                columns[name] = getattr(facts, name)[mask]
            yield columns | word_columns(rows.where(mask))

    def _names(self) -> list[str]:
        facts, reach = ["legal", "best", "keeps", "difficulty"], ["reach"] if self.kind == ON_POLICY else []
        return [*entry_columns(self.game, self.source), *facts, *reach, "mine", "theirs"]

    def _with_planes(self, columns: Columns) -> Columns:
        return {"planes": planes(self.game, columns["mine"], columns["theirs"])} | columns


class DatasetSplit(NamedTuple):
    """A dataset in three parts that share no symmetry class."""

    train: Dataset
    validation: Dataset
    test: Dataset


def word_columns(rows: Rows) -> Columns:
    """The words of positions, and how often play gets there."""
    words = {"mine": rows.mine, "theirs": rows.theirs}
    return words if rows.reach is None else {"reach": rows.reach, **words}


def entry_columns(game: Game, source: Source) -> Columns:
    """For each grade the value, the distance, and in games for points the margin."""
    scale = source.solution.scale
    entries = [Entry(0, None), *map(scale.entry, range(1, scale.size))]
    distances = [-1 if entry.distance is None else entry.distance for entry in entries]
    columns: Columns = {
        "value": np.array([entry.value for entry in entries], np.int8),
        "distance": np.array(distances, np.int32),
    }
    if game.margin is not None:
        columns["margin"] = np.array([entry.margin or 0 for entry in entries], np.int32)
    return columns


def check_arguments(kind: str, policy: Any, opponent: Any, difficulty: float | None) -> None:
    """Raises BadArgument if one is missing, not of its form, or for another kind of dataset."""
    one_of("kind", kind, (ALL, ON_POLICY, HARD))
    if kind == ON_POLICY and policy is None:
        raise BadArgument("kind='on-policy' needs a policy, such as policy='noisy:0.1'")
    if kind != ON_POLICY and not (policy is None and opponent is None):
        raise BadArgument(f"policy and opponent are for kind='on-policy', not for kind={kind!r}")
    if kind != HARD and difficulty is not None:
        raise BadArgument(f"difficulty is for kind='hard', not for kind={kind!r}")
    if not (difficulty is None or (isinstance(difficulty, int | float) and 0 <= difficulty <= 1)):
        raise BadArgument(f"difficulty={difficulty!r} is not a probability from 0 to 1")


def dataset(
    game: GameLike,
    kind: str = ALL,
    *,
    images: bool = False,
    finished: bool = False,
    policy: Any = None,
    opponent: Any = None,
    outputs: str = "probabilities",
    difficulty: float | None = None,
    progress: Progress | None = None,
) -> Dataset:
    """The positions of a game with their exact values, distances and best moves; solves the game first if necessary.

    kind="all" has every position. "on-policy" has those that play gets to when `policy` moves first and `opponent`,
    by default the same policy, moves second, with `reach`: how often a game gets there, by expectation. Policies are
    those of `evaluate`. "hard" has positions in which players go wrong with a probability of at least `difficulty`,
    0.3 if it is left out: the mean over the levels 1 to 10, as in puzzles.

    Each symmetry class has one row, its canonical position; with images=True, each of its distinct images has one.
    Positions in which the game is over are left out unless finished=True.
    """
    game = game_of(game)
    check_arguments(kind, policy, opponent, difficulty)
    planes_of(game)  # a game without squares is refused before it is solved
    solution = class_grades(game, progress)
    describer = describer_of(solution)
    if kind == ON_POLICY:
        from perfectplay.rl.reached_rows import reached_positions

        source: Source = reached_positions(solution, describer, policy, opponent, outputs, bool(images), progress)
    else:
        source = AllPositions(solution, describer, bool(images))
    least = 0.0 if kind != HARD else LEAST_DIFFICULTY if difficulty is None else difficulty
    return Dataset(game, kind, source, bool(finished), least)


# A dataset as a DataFrame or a Parquet file.


GROUP = 1 << 16
"""Rows that are held in memory and written together."""
MASKS, PLANES = ("legal", "best", "keeps"), "planes"


def as_frame(batches: Iterator[Columns], names: list[str], planes: bool) -> "pandas.DataFrame":
    """A row for each position of these batches, with columns of these names, and planes."""
    frames = require("pandas", "rl", "Dataset.to_pandas")
    parts: list[pandas.DataFrame] = []
    for columns in batches:
        for name in MASKS:
            columns[name] = objects([tuple(np.flatnonzero(row).tolist()) for row in columns[name]])
        arrays = columns.pop(PLANES)
        if planes:
            columns[PLANES] = objects(list(arrays))
        parts.append(frames.DataFrame(columns))
    empty = frames.DataFrame(columns=[*names, PLANES] if planes else names)
    return frames.concat(parts, ignore_index=True) if parts else empty


def objects(items: list[Any]) -> NDArray[Any]:
    """The items as an array of objects."""
    array = np.empty(len(items), object)
    array[:] = items
    return array


def write_parquet(game: Game, kind: str, batches: Iterator[Columns], path: PathLike, planes: bool, force: bool) -> int:
    """Writes the batches of a dataset to a file, and returns the number of rows."""
    pa = require("pyarrow", "parquet", "Dataset.to_parquet")
    parquet = require("pyarrow.parquet", "parquet", "Dataset.to_parquet")
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
