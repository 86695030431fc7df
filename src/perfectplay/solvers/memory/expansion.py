"""From positions to their children: the steps that the layered and the cyclic solver share."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.game import COMPILED_BITS, Game, canonical
from perfectplay.solvers.memory.sorted_keys import Keys, kind_for, unique
from perfectplay.solvers.table.grades import BYTE, TWO_BYTE_POINTS, TWO_BYTES, Scale, earlier_both_ways
from perfectplay.solvers.table.table import keys_of
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position

NO_GAME = (
    "the rules break the contract: an ongoing position has no legal move or a move without a name, "
    "an outcome is invalid, or unkey does not invert key; run perfectplay check for details"
)
TOO_WIDE = "the rules break the contract: a key or a word is negative or too wide; run perfectplay check for details"
ASTRAY = "the symmetries are wrong: images of a position have different children; run perfectplay check for details"

NO_COUNTS = np.empty(0, np.uint8)
"""Where the children of each position are not counted."""
GradeArray = NDArray[Any]
"""Grades, of 8 or 16 bits each."""


class Run(NamedTuple):
    """Positions in key order, each with its grade, 0 while unknown."""

    keys: Keys
    grades: GradeArray


def scale_of(kernels: Any, narrow: bool = False) -> Scale:
    """The scale of grades while the game of these kernels is solved; `narrow`: with short distances."""
    return TWO_BYTE_POINTS if kernels.POINTS else BYTE if narrow else TWO_BYTES


def kind_of(scale: Scale) -> type[Any]:
    """The type of an array of such grades."""
    return np.uint8 if scale.size <= 256 else np.uint16


def ends_of(scale: Scale) -> GradeArray:
    """The grades of finished positions, as an array."""
    return np.array(scale.ends(), kind_of(scale))


def earlier_of(scale: Scale) -> GradeArray:
    """The grades one ply earlier, for children of the other side and then of the same side, as an array."""
    return np.array(earlier_both_ways(scale), kind_of(scale))


def ungraded(scale: Scale, keys: Keys) -> Run:
    """The positions of these keys, to be graded on this scale."""
    return Run(keys, np.empty(keys.size, kind_of(scale)))


def start_keys(game: Game, symmetric: bool) -> Keys:
    """The key of the start, or of its canonical form, by the interpreted rules."""
    key = keys_of(game)[0](*(canonical(game)(*game.start) if symmetric else game.start))
    if not 0 <= key < 1 << COMPILED_BITS:
        raise BadGame(f"the key of the start is {key}, not a number of {COMPILED_BITS} bits")
    return np.array([key], kind_for(key))


def judged(kernels: Any, pool: ThreadPool, run: Run, ends: GradeArray, marks: int) -> tuple[list[int], bool]:
    """Grades finished positions; returns the children of each part, and whether all positions have `marks` bits."""
    parts = pool.parts(run.keys.size)
    answers = pool.map(lambda part: kernels.judge(run.keys[part], run.grades[part], ends, marks, NO_COUNTS), parts)
    for part, (children, _) in zip(parts, answers, strict=True):
        if children < 0:
            raise broken(kernels, int(run.keys[part][-1 - children]), NO_GAME)
    return [int(children) for children, _ in answers], all(alike for _, alike in answers)


def expanded(kernels: Any, pool: ThreadPool, run: Run, children: list[int], symmetric: bool) -> Keys:
    """The children of all ongoing positions, sorted and distinct.

    The first attempt assumes that their keys are as narrow as their parents'; if not, it is repeated with 64 bits.
    """
    found, greatest = children_of(kernels, pool, run, children, symmetric, run.keys.dtype.type)
    if greatest > np.iinfo(found.dtype).max:
        found, greatest = children_of(kernels, pool, run, children, symmetric, np.int64)
    return unique(pool, found, greatest)


class Children(NamedTuple):
    """The classes that can follow, by who is to move there: the other side, or the same side again."""

    other: Keys
    same: Keys


def children_by_mover(kernels: Any, pool: ThreadPool, keys: Keys) -> Children:
    """The classes that can follow these positions, sorted and distinct."""
    if not keys.size:
        return Children(keys, keys)
    scale = scale_of(kernels)
    run = ungraded(scale, keys)
    children, _ = judged(kernels, pool, run, ends_of(scale), 0)
    if not kernels.AGAIN:
        return Children(expanded(kernels, pool, run, children, symmetric=True), keys[:0])
    found, greatest = children_of(kernels, pool, run, children, True, np.int64)
    kept = np.empty(found.size, np.bool_)
    kernels.turns_kept(*run, kept)
    return Children(unique(pool, found[~kept], greatest), unique(pool, found[kept], greatest))


def children_of(
    kernels: Any, pool: ThreadPool, run: Run, children: list[int], symmetric: bool, kind: type
) -> tuple[Keys, int]:
    """The keys of the children in the order of their parents, truncated to that type, and the greatest in full."""
    parts = pool.parts(run.keys.size)
    found: Keys = np.empty(sum(children), kind)
    stops = np.cumsum(children).tolist()

    def expand(i: int) -> tuple[int, int]:
        out = found[stops[i] - children[i] : stops[i]]
        fault, greatest = kernels.expand(run.keys[parts[i]], run.grades[parts[i]], symmetric, out)
        return int(fault), int(greatest)

    answers = pool.map(expand, range(len(parts)))
    for part, (fault, _) in zip(parts, answers, strict=True):
        if fault:
            raise broken(kernels, int(run.keys[part][-1 - fault]), TOO_WIDE)
    return found, max(greatest for _, greatest in answers)


def broken(kernels: Any, number: int, otherwise: str) -> BadGame:
    """The error for rules that break the contract at the position with this key, or at one of its children."""
    position = kernels.unkey(number)
    found = fault_of_rules(kernels, position)
    if found is None and kernels.outcome(*position) == ONGOING:
        children = [kernels.play(*position, move) for move in bit_numbers(int(kernels.moves(*position)))]
        found = next((fault for child in children if (fault := fault_of_key(kernels, child)) is not None), None)
        found = found and f"after {position}, {found}"
    return BadGame(
        otherwise if found is None else f"the rules break the contract: {found}; run perfectplay check for details"
    )


def fault_of_rules(kernels: Any, position: Position) -> str | None:
    """The fault of the rules at this position, and the function to blame."""
    outcome, legal = kernels.outcome(*position), kernels.moves(*position)
    if outcome not in (LOSS, DRAW, WIN, ONGOING):
        return f"outcome of {position} is {outcome}"
    if outcome == ONGOING and (legal <= 0 or legal >> kernels.MOVES):
        return f"moves of {position}, which is ONGOING, is {legal:#b}"
    for i in range(1, kernels.IMAGES):
        other = kernels.image(*position, i)
        if kernels.outcome(*other) != outcome:
            return f"symmetries: image {i} of {position} is {other}, which has another outcome"
        if outcome == ONGOING and int(kernels.moves(*other)).bit_count() != int(legal).bit_count():
            return f"symmetries: image {i} of {position} is {other}, which has another number of moves"
    if kernels.POINTS and outcome != ONGOING:
        lead = kernels.margin(*position)
        if (lead > 0) - (lead < 0) != outcome:
            return f"margin of {position} is {lead}, and its outcome is {outcome}"
        if abs(lead) > TWO_BYTE_POINTS.most:
            return f"margin of {position} is {lead}, more than {TWO_BYTE_POINTS.most:,}"
    return fault_of_key(kernels, position)


def fault_of_key(kernels: Any, position: Position) -> str | None:
    """The fault of the key of this position or of its canonical form."""
    for words in (position, kernels.smallest(*position)):
        if min(words) < 0 or max(words) >> kernels.BITS:
            return f"play returns {words}, which is negative or too wide"
        number = kernels.key(*words)
        if number < 0:
            return f"key of {words} is {number}"
        if kernels.unkey(number) != words:
            return f"key: {words} and {kernels.unkey(number)} share the key {number}, or unkey is wrong"
    return None


def check_closed(kernels: Any, pool: ThreadPool, run: Run, below: Keys, ends: GradeArray) -> None:
    """Raises BadGame unless all children's classes are among those below, as correct symmetries guarantee."""
    children, _ = judged(kernels, pool, run, ends, 0)
    fresh = expanded(kernels, pool, run, children, symmetric=True)
    if not np.isin(fresh, below, assume_unique=True, kind="sort").all():
        raise BadGame(ASTRAY)


def classes(kernels: Any, pool: ThreadPool, keys: Keys) -> Keys:
    """The keys of the positions' canonical forms, sorted and distinct."""
    found = np.empty(keys.size, np.int64)
    pool.map(lambda part: kernels.canonical_keys(keys[part], found[part]), pool.parts(keys.size))
    return unique(pool, found, int(found.max()))
