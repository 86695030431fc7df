"""What a solution says of many positions at once: values, legal, best and keeping moves, and how hard they are."""

import tempfile
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.commands.publish.exporting import solve_first
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import COMPILED_BITS, Game, canonical, images, legal_moves, moves_again
from perfectplay.insight.puzzles.difficulty import FAR
from perfectplay.players.models.levels import ALL, USUAL
from perfectplay.solvers.memory.interpreted import solved_if_small
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.grades import Grades, Points, Scale
from perfectplay.solvers.table.table import Table, keys_of
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.unsolved import why_unsolved
from perfectplay.views.planes import Words, word_arrays
from perfectplay.words import BadGame, BadPosition, Entry, NotCompiled, PerfectplayError, Position, TooBig

# The solution of a game as two arrays, keys and grades: one place for each symmetry class, in the order of keys.


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

    @classmethod
    def of(cls, game: Game, keys: list[int], grades: list[int], scale: Scale) -> "ClassGrades":
        """The same of lists."""
        return cls(game, key_array(keys), np.array(grades, np.uint32), scale)


def key_array(keys: list[int]) -> NDArray[Any]:
    """The keys as an array, of Python's integers where one is too wide for a word."""
    return np.array(keys, np.int64 if max(keys, default=0) >> COMPILED_BITS == 0 else object)


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
    return ClassGrades.of(game, keys, [scale.grade(by_key[key]) for key in keys], scale)


def from_table(table: Table) -> ClassGrades:
    """The solution in a table."""
    reader = table.reader
    if len(table) <= FEW:
        blocks = [reader.block(number) for number in range(len(reader.firsts))]
        keys = list(chain.from_iterable(block.keys() for block in blocks))
        grades = list(chain.from_iterable(block.all_grades() for block in blocks))
        return ClassGrades.of(table.game, keys, grades, reader.grades)
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


Mask = NDArray[np.bool_]
SIGHTS = tuple(sorted({level.sight for level in USUAL if level.noise < 1} - {ALL}))
"""How many plies ahead those levels see that do not see everything."""
PART = 1 << 13
"""Positions that a thread looks at at once."""


class PositionFacts(NamedTuple):
    """Of each position its grade, the probability that a player goes wrong, and masks of moves: (positions, actions).

    `keeps` has the moves that keep the result, `best` those that are also fastest, or slowest in a loss; in games for
    points those with the greatest margin.
    """

    grades: NDArray[np.int64]
    legal: Mask
    best: Mask
    keeps: Mask
    difficulty: NDArray[np.float64]


def scores_on(scale: Scale) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The score of a move by the grade of the child: greater is better, all draws are 0.

    The second half is for moves after which the same side moves. The second array has a row of scores for each of the
    SIGHTS: what lies further counts as a draw.
    """
    scores = np.zeros(2 * scale.size, np.int64)
    by_sight = np.zeros((len(SIGHTS), 2 * scale.size), np.int64)
    for again in (False, True):
        for grade in range(1, scale.size):
            entry, place = scale.entry(grade).before(again), grade + again * scale.size
            if entry.margin is not None:
                scores[place] = entry.margin
            elif entry.distance is not None:
                scores[place] = entry.value * (FAR - entry.distance)
                by_sight[:, place] = [scores[place] if entry.distance <= sight else 0 for sight in SIGHTS]
    return scores, by_sight


def difficulties(legal: Mask, keeps: Mask, wrong: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability that a player goes wrong, the mean over the levels, as `insight.difficulty` has it.

    `wrong` has it for players of each of the SIGHTS that make no random moves.
    """
    slip = (legal & ~keeps).sum(axis=1) / np.maximum(legal.sum(axis=1), 1)
    chances = np.zeros(slip.size)
    for noise, sight in USUAL:
        chances += float(noise) * slip
        if sight in SIGHTS:
            chances += float(1 - noise) * wrong[:, SIGHTS.index(sight)]
    return chances / len(USUAL)


class InterpretedDescriber:
    """Looks at positions with the rules as they are."""

    def __init__(self, solution: ClassGrades) -> None:
        self.solution, self.game, self.smallest = solution, solution.game, canonical(solution.game)
        self.key, self.unkey = keys_of(solution.game)
        self.grades: dict[int, int] = dict(zip(solution.keys.tolist(), solution.grades.tolist(), strict=True))
        self.met: dict[Position, int] = {}
        self.scores, self.by_sight = (table.tolist() for table in scores_on(solution.scale))
        self.half = solution.scale.size

    def unfold(self, keys: NDArray[Any], turns: NDArray[np.int64]) -> tuple[Words, Words, Mask]:
        """The words of the image with this number of each class, and whether no image before it is the same."""
        image, positions, fresh = images(self.game).image, [], []
        for key, turn in zip(keys.tolist(), turns.tolist(), strict=True):
            here = self.unkey(key)
            positions.append(image(*here, turn))
            fresh.append(all(image(*here, before) != positions[-1] for before in range(turn)))
        return *word_arrays(self.game, positions), np.array(fresh, bool)

    def keys(self, mine: Words, theirs: Words) -> NDArray[Any]:
        """The key of each position's class."""
        positions = zip(mine.tolist(), theirs.tolist(), strict=True)
        return key_array([self.key(*self.smallest(*position)) for position in positions])

    def grade(self, position: Position) -> int:
        """The grade of a position, kept for the next time."""
        grade = self.met.get(position)
        if grade is None:
            grade = self.met[position] = self.grades.get(self.key(*self.smallest(*position)), 0)
        if not grade:
            raise not_in_solution(self.game, position)
        return grade

    def facts(self, mine: Words, theirs: Words) -> PositionFacts:
        """What is known of each position; raises BadPosition if the solution lacks one."""
        positions = list(zip(mine.tolist(), theirs.tolist(), strict=True))
        legal, best, keeps = np.zeros((3, len(positions), count_moves(self.game)), bool)
        wrong = np.zeros((len(positions), len(SIGHTS)))
        for row, position in enumerate(positions):
            children = {
                move: self.grade(self.game.play(*position, move)) + self.half * moves_again(self.game, position, move)
                for move in legal_moves(self.game, position)
            }
            if not children:
                continue
            scores = {move: self.scores[child] for move, child in children.items()}
            most = max(scores.values())
            keeping = [move for move, score in scores.items() if (score > 0) - (score < 0) == (most > 0) - (most < 0)]
            legal[row, [*scores]] = True
            best[row, [move for move, score in scores.items() if score == most]] = True
            keeps[row, keeping] = True
            for place, by_sight in enumerate(self.by_sight):
                top = max(by_sight[child] for child in children.values())
                liked = [move for move, child in children.items() if by_sight[child] == top]
                wrong[row, place] = 1 - len({*liked} & {*keeping}) / len(liked)
        grades = np.array([self.grade(position) for position in positions], np.int64)
        return PositionFacts(grades, legal, best, keeps, difficulties(legal, keeps, wrong))


class CompiledDescriber:
    """Looks at positions with compiled rules, on all cores; raises NotCompiled or BadGame if they do not compile."""

    def __init__(self, solution: ClassGrades) -> None:
        from perfectplay.compiler.compiled import load_kernels  # numba: only when it is wanted
        from perfectplay.solvers.engine import cores
        from perfectplay.solvers.thread_pool import ThreadPool
        from perfectplay.solvers.validity.verify_compiled import bucket_starts

        self.solution, self.kernels = solution, load_kernels(solution.game, ("compiler/kernels/row_kernels",))
        self.tables, self.pool = scores_on(solution.scale), ThreadPool(cores())
        self.starts, self.shift = bucket_starts(solution.keys)

    def unfold(self, keys: NDArray[Any], turns: NDArray[np.int64]) -> tuple[Words, Words, Mask]:
        """The words of the image with this number of each class, and whether no image before it is the same."""
        mine, theirs = np.empty(keys.size, np.int64), np.empty(keys.size, np.int64)
        self.in_parts(keys.size, lambda part: self.kernels.unfold(keys[part], turns[part], mine[part], theirs[part]))
        return mine, theirs, mine >= 0

    def keys(self, mine: Words, theirs: Words) -> NDArray[Any]:
        """The key of each position's class."""
        keys = np.empty(mine.size, np.int64)
        self.in_parts(mine.size, lambda part: self.kernels.canonical_keys_of(mine[part], theirs[part], keys[part]))
        return keys

    def facts(self, mine: Words, theirs: Words) -> PositionFacts:
        """What is known of each position; raises BadPosition if the solution lacks one."""
        grades, bits = np.empty(mine.size, np.int64), np.empty((mine.size, 3), np.int64)
        wrong = np.empty((mine.size, len(SIGHTS)))
        arrays = self.solution.keys, self.solution.grades, self.starts, self.shift, *self.tables

        def describe(part: slice) -> None:
            at = self.kernels.describe(mine[part], theirs[part], *arrays, grades[part], bits[part], wrong[part])
            if at >= 0:
                raise not_in_solution(self.solution.game, (int(mine[part][at]), int(theirs[part][at])))

        self.in_parts(mine.size, describe)
        actions = np.arange(count_moves(self.solution.game))
        legal, best, keeps = (bits[:, i, None] >> actions & 1 == 1 for i in range(3))
        return PositionFacts(grades, legal, best, keeps, difficulties(legal, keeps, wrong))

    def in_parts(self, size: int, work: Any) -> None:
        """Does the work for slices of so many positions."""
        self.pool.map(work, [slice(begin, min(begin + PART, size)) for begin in range(0, size, PART)])


Describer = InterpretedDescriber | CompiledDescriber
"""Looks at positions of a solved game."""


def describer_of(solution: ClassGrades) -> Describer:
    """The describer of this solution: compiled rules; plain Python for few positions and where these fail."""
    if solution.keys.size > FEW:
        try:
            return CompiledDescriber(solution)
        except (NotCompiled, BadGame):
            pass
    return InterpretedDescriber(solution)


def not_in_solution(game: Game, position: Position) -> PerfectplayError:
    """The error for a position that the solution lacks, or whose moves lead to such a one."""
    return BadPosition(f"{position}, or a position after it, is not in the solution of {game.name}")
