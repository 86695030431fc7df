"""The solution of a game as two arrays, keys and grades: one place for each symmetry class, in the order of keys."""

import tempfile
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.commands.publish.exporting import solve_first
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import COMPILED_BITS, Game, canonical
from perfectplay.solvers.lookup_or_solve import why_unsolved
from perfectplay.solvers.memory.interpreted import solved_if_small
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.grades import Grades, Points, Scale
from perfectplay.solvers.table.table import Table, keys_of
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.words import Entry, Position, TooBig

FEW = 20_000
"""Solutions of up to this many classes are read without a compiler."""
IN_MEMORY = 1 << 28
"""Arrays of more bytes than this lie in a temporary file: the system keeps as much of it in memory as there is room."""


class ClassGrades(NamedTuple):
    """All classes of a game: their keys, sorted, their grades, and what a grade means."""

    game: Game
    keys: NDArray[Any]
    grades: NDArray[Any]
    scale: Scale


def class_grades(game: Game, progress: Progress | None = None) -> ClassGrades:
    """The solution of the game, which is solved if it is not yet; raises TooBig if that cannot be."""
    table = kept_table(game)
    if table is None:
        entries = solved_if_small(game)
        if entries is not None:
            return from_entries(game, entries)
        solve_first(game, progress)
        table = kept_table(game)
    if table is None:
        raise TooBig(f"a dataset needs a solved game; {why_unsolved(game)}")
    return from_table(table)


def from_entries(game: Game, entries: dict[Position, Entry]) -> ClassGrades:
    """The solution of a small game."""
    smallest, (key, _) = canonical(game), keys_of(game)
    by_key = {key(*smallest(*position)): entry for position, entry in entries.items()}
    scale: Scale = Grades(max((entry.distance or 0) for entry in by_key.values()))
    if game.margin is not None:
        scale = Points(max(abs(entry.margin or 0) for entry in by_key.values()))
    keys = sorted(by_key)
    kind = np.int64 if keys[-1] >> COMPILED_BITS == 0 else object
    return ClassGrades(
        game, np.array(keys, kind), np.array([scale.grade(by_key[key]) for key in keys], np.uint32), scale
    )


def from_table(table: Table) -> ClassGrades:
    """The solution in a table."""
    reader = table.reader
    if len(table) <= FEW:
        blocks = [reader.block(number) for number in range(len(reader.firsts))]
        keys = list(chain.from_iterable(block.keys() for block in blocks))
        kind = np.int64 if keys[-1] >> COMPILED_BITS == 0 else object
        grades = list(chain.from_iterable(block.all_grades() for block in blocks))
        return ClassGrades(table.game, np.array(keys, kind), np.array(grades, np.uint32), reader.grades)
    from perfectplay.solvers.engine import cores  # numba: only when it is wanted
    from perfectplay.solvers.thread_pool import ThreadPool
    from perfectplay.solvers.validity.verify_compiled import all_blocks

    run = finished(all_blocks(table, ThreadPool(cores()), room))
    return ClassGrades(table.game, run.keys, run.grades, reader.grades)


def room(size: int, kind: type) -> NDArray[Any]:
    """An array to be filled, in memory or in a temporary file, which is gone when the array is."""
    if size * np.dtype(kind).itemsize <= IN_MEMORY:
        return np.empty(size, kind)
    with tempfile.TemporaryFile() as file:  # the map keeps the file
        return np.memmap(file, kind, "w+", shape=(size,))
