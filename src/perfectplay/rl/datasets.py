"""Positions of a solved game with all that is known of them, to train with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay import __version__
from perfectplay.commands.kinds import Choice, Whole, seed as seed_kind
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import checked
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.processes.folders import PathLike
from perfectplay.rl.dataset_rows import AllPositions, Columns, HashRanges, Source, chunks, reached_positions
from perfectplay.rl.evaluation.policy_tables import OUTPUTS
from perfectplay.rl.position_facts import class_grades, describer_of
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.outputs import PARQUET, output
from perfectplay.views.planes import planes, planes_of
from perfectplay.words import BadArgument, Brief, Entry, require

if TYPE_CHECKING:
    import pandas

ALL, ON_POLICY, HARD = "all", "on-policy", "hard"
LEAST_DIFFICULTY = 0.3
MASKS = ("legal", "best", "keeps")
FACTS, PLANES = (*MASKS, "difficulty"), "planes"
GROUP = 1 << 16
"""Rows that are held in memory and written together."""
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

    @checked
    def batches(
        self,
        batch_size: Annotated[int, Whole("rows of a batch", 1)] = 1024,
        shuffle: Annotated[int | None, seed_kind("decides the order")] = None,
    ) -> Iterator[Columns]:
        """The rows in batches of that size, the last one shorter; in the order of keys, or shuffled by that seed.

        The seed alone decides the order, whatever the size of batches.
        """
        waiting: Columns = {}
        for columns in self._chunks(shuffle):
            both = {name: np.concatenate([waiting[name], new]) if waiting else new for name, new in columns.items()}
            count = both["value"].size
            whole = count - count % batch_size
            for begin in range(0, whole, batch_size):
                yield self._with_planes({name: one[begin : begin + batch_size].copy() for name, one in both.items()})
            waiting = {name: one[whole:] for name, one in both.items()} if whole < count else {}
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

    @checked
    def split(
        self,
        train: float = 0.8,
        validation: float = 0.1,
        test: float | None = None,
        *,
        seed: Annotated[int, seed_kind("decides where positions belong")] = 0,
    ) -> "DatasetSplit":
        """Three parts of about these sizes; `test` is the rest if it is left out.

        A hash of its symmetry class decides where a position belongs, so no image of it is in another part, and the
        same seed gives the same parts at any time, for all kinds of datasets of a game.
        """
        sizes = (train, validation, 0 if test is None else test)
        if not all(isinstance(size, int | float) and 0 <= size <= 1 for size in sizes) or sum(sizes) > 1 + ROUNDED:
            raise BadArgument(f"train={train!r}, validation={validation!r}, test={test!r} are not parts of 1")
        ends = [0.0, train, train + validation, 1.0 if test is None else sum(sizes)]
        ends = [1.0 if abs(end - 1) < ROUNDED else end for end in ends]
        ranges = [(*self.part.ranges, (seed, begin, end)) for begin, end in pairwise(ends)]
        return DatasetSplit(*(replace(self, part=HashRanges(one)) for one in ranges))

    def to_pandas(self, *, planes: bool = False) -> "pandas.DataFrame":
        """A DataFrame with a row for each position; moves are tuples of numbers, `planes` adds them as arrays."""
        frames = require("pandas", "rl", "Dataset.to_pandas")
        parts: list[pandas.DataFrame] = []
        for columns in self.batches(GROUP):
            for name in MASKS:
                columns[name] = objects([tuple(np.flatnonzero(row).tolist()) for row in columns[name]])
            arrays = columns.pop(PLANES)
            if planes:
                columns[PLANES] = objects(list(arrays))
            parts.append(frames.DataFrame(columns))
        if parts:
            return frames.concat(parts, ignore_index=True)
        reach = ["reach"] if self.kind == ON_POLICY else []
        names = [*entry_columns(self.game, self.source), *FACTS, *reach, "mine", "theirs"]
        return frames.DataFrame(columns=[*names, PLANES] if planes else names)

    def to_parquet(
        self, path: PathLike, *, shuffle: int | None = None, planes: bool = True, force: bool = False
    ) -> int:
        """Writes a Parquet file, atomically, and returns the number of rows; masks and planes are lists.

        A file that perfectplay did not write is only replaced with force=True.
        """
        pa = require("pyarrow", "parquet", "Dataset.to_parquet")
        parquet = require("pyarrow.parquet", "parquet", "Dataset.to_parquet")
        target = output(path, PARQUET, force)
        facts = {"game": self.game.name, "rules": fingerprint(self.game), "perfectplay": __version__, "kind": self.kind}
        facts["planes"] = ",".join(map(str, planes_of(self.game).shape))
        count, writer = 0, None
        with target.writing() as sink:
            for columns in self.batches(GROUP, shuffle):
                if not planes:
                    del columns[PLANES]
                table = pa.table({one: arrow_column(self.game, one, column, pa) for one, column in columns.items()})
                if writer is None:
                    writer = parquet.ParquetWriter(sink, table.schema.with_metadata(facts), compression="zstd")
                writer.write_table(table.replace_schema_metadata(facts))
                count += table.num_rows
            if writer is None:
                raise BadArgument(f"no rows to write to {str(path)!r}: the dataset of {self.game.name} is empty")
            writer.close()
        return count

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
            columns |= {name: getattr(facts, name)[mask] for name in FACTS}
            if rows.reach is not None:
                columns["reach"] = rows.reach[mask]
            yield columns | {"mine": rows.mine[mask], "theirs": rows.theirs[mask]}

    def _with_planes(self, columns: Columns) -> Columns:
        return {"planes": planes(self.game, columns["mine"], columns["theirs"])} | columns


class DatasetSplit(NamedTuple):
    """A dataset in three parts that share no symmetry class."""

    train: Dataset
    validation: Dataset
    test: Dataset


def entry_columns(game: Game, source: Source) -> Columns:
    """For each grade the value, the distance, and in games for points the margin."""
    scale = source.describer.solution.scale
    entries = [Entry(0, None), *map(scale.entry, range(1, scale.size))]
    distances = [-1 if entry.distance is None else entry.distance for entry in entries]
    columns: Columns = {
        "value": np.array([entry.value for entry in entries], np.int8),
        "distance": np.array(distances, np.int32),
    }
    if game.margin is not None:
        columns["margin"] = np.array([entry.margin or 0 for entry in entries], np.int32)
    return columns


@checked
def dataset(
    game: GameLike,
    kind: Annotated[str, Choice("the positions", (ALL, ON_POLICY, HARD))] = ALL,
    *,
    images: bool = False,
    finished: bool = False,
    policy: Any = None,
    opponent: Any = None,
    outputs: Annotated[str, OUTPUTS] = OUTPUTS.choices[0],
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
    if kind == ON_POLICY and policy is None:
        raise BadArgument("kind='on-policy' needs a policy, such as policy='noisy:0.1'")
    if kind != ON_POLICY and not (policy is None and opponent is None):
        raise BadArgument(f"policy and opponent are for kind='on-policy', not for kind={kind!r}")
    if kind != HARD and difficulty is not None:
        raise BadArgument(f"difficulty is for kind='hard', not for kind={kind!r}")
    if not (difficulty is None or (isinstance(difficulty, int | float) and 0 <= difficulty <= 1)):
        raise BadArgument(f"difficulty={difficulty!r} is not a probability from 0 to 1")
    game = game_of(game)
    planes_of(game)  # a game without squares is refused before it is solved
    describer = describer_of(class_grades(game, progress))
    source: Source = AllPositions(describer, bool(images))
    if kind == ON_POLICY:
        source = reached_positions(describer, policy, opponent, outputs, bool(images), progress)
    least = 0.0 if kind != HARD else LEAST_DIFFICULTY if difficulty is None else difficulty
    return Dataset(game, kind, source, bool(finished), least)


def objects(items: list[Any]) -> NDArray[Any]:
    """The items as an array of objects."""
    array = np.empty(len(items), object)
    array[:] = items
    return array


def arrow_column(game: Game, name: str, column: NDArray[Any], pa: Any) -> Any:
    """A column of Arrow: arrays in more than one dimension as lists of fixed size; words that are too wide as text."""
    if column.ndim > 1:
        return pa.FixedSizeListArray.from_arrays(pa.array(column.reshape(-1)), column.size // len(column))
    if name in ("mine", "theirs") and game.bits > COMPILED_BITS:
        return pa.array([str(word) for word in column.tolist()])
    return pa.array(column)
