"""From positions to their children: the two steps that both solvers share."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.game import COMPILED_BITS, Game, canonical
from perfectplay.solve.sorted_keys import Keys, kind_for, unique
from perfectplay.solve.thread_pool import ThreadPool
from perfectplay.table.table import keys_of
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position

NO_GAME = (
    "the rules break the contract: a position goes on without a legal move or with one that has no name, "
    "its outcome is none, or unkey fails; perfectplay check tells more"
)
TOO_WIDE = "the rules break the contract: a key or a word is negative or too wide; perfectplay check tells more"
ASTRAY = "the symmetries are wrong: images have children of other classes; perfectplay check tells more"

GradeArray = NDArray[Any]
"""Grades, of 8 or 16 bits each."""


class Run(NamedTuple):
    """Positions in the order of their keys, each with its grade, 0 while that is not known."""

    keys: Keys
    grades: GradeArray


def start_keys(game: Game, symmetric: bool) -> Keys:
    """The key of the start, or of its canonical form, alone; by the interpreted rules, which need no compiling."""
    key = keys_of(game)[0](*(canonical(game)(*game.start) if symmetric else game.start))
    if not 0 <= key < 1 << COMPILED_BITS:
        raise BadGame(f"the key of the start is {key}, not a number of {COMPILED_BITS} bits")
    return np.array([key], kind_for(key))


def judged(kernels: Any, pool: ThreadPool, run: Run, ends: GradeArray, marks: int) -> tuple[list[int], bool]:
    """How many children each part of the positions has, and whether all have so many bits; grades the ended ones."""
    parts = pool.parts(run.keys.size)
    answers = pool.map(lambda part: kernels.judge(run.keys[part], run.grades[part], ends, marks), parts)
    for part, (children, _) in zip(parts, answers, strict=True):
        if children < 0:
            raise broken(kernels, int(run.keys[part][-1 - children]), NO_GAME)
    return [int(children) for children, _ in answers], all(alike for _, alike in answers)


def expanded(kernels: Any, pool: ThreadPool, run: Run, children: list[int], symmetric: bool) -> Keys:
    """The children of all positions that have not ended, sorted and without repeats.

    They are taken for as narrow as their parents; if one is wider after all, they are made again.
    """
    found, greatest = children_of(kernels, pool, run, children, symmetric, run.keys.dtype.type)
    if greatest > np.iinfo(found.dtype).max:
        found, greatest = children_of(kernels, pool, run, children, symmetric, np.int64)
    return unique(pool, found, greatest)


def children_of(
    kernels: Any, pool: ThreadPool, run: Run, children: list[int], symmetric: bool, kind: type
) -> tuple[Keys, int]:
    """The keys of the children in the order of their parents, cut to that type, and the greatest, uncut."""
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
    """The error for rules that break the contract in the position of this key, or in a child of it."""
    position = kernels.unkey(number)
    told = fault_of_rules(kernels, position)
    if told is None and kernels.outcome(*position) == ONGOING:
        children = [kernels.play(*position, move) for move in bit_numbers(int(kernels.moves(*position)))]
        told = next((fault for child in children if (fault := fault_of_key(kernels, child)) is not None), None)
        told = told and f"after {position}, {told}"
    return BadGame(otherwise if told is None else f"the rules break the contract: {told}; perfectplay check tells more")


def fault_of_rules(kernels: Any, position: Position) -> str | None:
    """What is wrong with the rules in this position, and with which function."""
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
    return fault_of_key(kernels, position)


def fault_of_key(kernels: Any, position: Position) -> str | None:
    """What is wrong with the key of this position, or of its canonical form."""
    for words in (position, kernels.smallest(*position)):
        if min(words) < 0 or max(words) >> kernels.BITS:
            return f"play leads to {words}, which is negative or too wide"
        number = kernels.key(*words)
        if number < 0:
            return f"key of {words} is {number}"
        if kernels.unkey(number) != words:
            return f"key: {words} and {kernels.unkey(number)} share the key {number}, or unkey is wrong"
    return None


def check_closed(kernels: Any, pool: ThreadPool, run: Run, below: Keys, ends: GradeArray) -> None:
    """Raises BadGame unless the children's classes are all among those below, as they are if symmetries are right."""
    children, _ = judged(kernels, pool, run, ends, 0)
    fresh = expanded(kernels, pool, run, children, symmetric=True)
    if not np.isin(fresh, below, assume_unique=True, kind="sort").all():
        raise BadGame(ASTRAY)


def classes(kernels: Any, pool: ThreadPool, keys: Keys) -> Keys:
    """The keys of the canonical forms of the positions, sorted and without repeats."""
    found = np.empty(keys.size, np.int64)
    pool.map(lambda part: kernels.canonical_keys(keys[part], found[part]), pool.parts(keys.size))
    return unique(pool, found, int(found.max()))
