"""The arrays of a batch of games in main memory, and compiled loops over them on all cores."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import batch_arrays
from perfectplay.compiler.batch_code import SMALL, TALLIES, WORDS, load_batch, load_planes
from perfectplay.game import Game
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.views.planes import planes_of
from perfectplay.words import BadArgument

LEAST = 1 << 14
"""Fewer plies than this do not justify a second thread."""
EACH = 4
"""Parts for each thread: the last one to finish is not waited for long."""


class CpuGames:
    """Games side by side in main memory; `words`, `small` and `plies` have a column for each."""

    def __init__(self, game: Game, n: int, threads: int) -> None:
        self.loops = load_batch(game, planes_of(game).size)
        self.n, self.threads = n, threads
        self.pool = ThreadPool(threads)
        self.words = np.zeros((len(WORDS), n), np.int64)
        self.small = np.zeros((len(SMALL), n), np.int8)
        self.plies = np.zeros(n, np.int32)
        self.draws = np.zeros(n, np.int64)
        self.in_vectors: Any = False
        """The loop that writes planes in vectors, None if there is none; False until it is looked for."""
        self.start = (*game.start, game.moves(*game.start))

    def view(self, array: NDArray[Any], kind: Any = None) -> NDArray[Any]:
        """The array as its users see it, as another type of the same size if one is given."""
        return array if kind is None else array.view(kind)

    def new(self, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
        """A new array."""
        return np.empty(shape, kind)

    def action_array(self, actions: object) -> NDArray[np.int64]:
        """The actions as an array of whole numbers; raises BadArgument."""
        return np.ascontiguousarray(whole_numbers(actions, self.n), np.int64)

    def fits(self, out: object, shape: tuple[int, ...], kind: Any) -> bool:
        """Whether results of this shape and type can be written into the array."""
        return (
            isinstance(out, np.ndarray)
            and (out.shape, out.dtype) == (shape, np.dtype(kind))
            and bool(out.flags.c_contiguous and out.flags.writeable)
        )

    def own(self, array: NDArray[Any]) -> NDArray[Any]:
        """The array as the loops take it."""
        return array

    def value(self, array: NDArray[Any], i: int) -> int:
        """The number at this place."""
        return int(array[i])

    def parts(self, work: int) -> list[tuple[int, int]]:
        """The games in parts, each for one thread at a time, if so many plies are to be played in all."""
        count = max(1, min(self.threads * EACH, self.n, work // LEAST)) if self.threads > 1 else 1
        return list(pairwise(self.n * i // count for i in range(count + 1)))

    def run(self, loop: Callable[..., Any], *arguments: Any, work: int = 1) -> list[Any]:
        """The results of the loop for each part of the games; `work` is the number of plies of each."""
        return self.pool.map(lambda part: loop(*arguments, *part), self.parts(self.n * work))

    def reset(self, mask: NDArray[np.bool_]) -> None:
        """Begins the games of the mask again."""
        for row, value in enumerate(self.start):
            self.words[row, mask] = value
        for name, value in (("side", 0), ("results", 2), ("rewards", 0), ("done", 0), ("truncated", 0)):
            self.small[SMALL.index(name), mask] = value
        self.plies[mask] = 0

    def step(self, actions: NDArray[np.int64], most: int) -> tuple[int, int]:
        """Plays a ply in each game unless an action is illegal; the first such game, one with broken rules, or -1."""
        illegal = [at for at in self.run(batch_arrays.find_illegal, self.words[2], actions) if at >= 0]
        if illegal:
            return illegal[0], -1

        def step_part(begin: int, end: int) -> int:
            arrays = self.words, self.small, self.plies, actions, np.zeros(len(TALLIES), np.int64)
            return int(self.loops.step_games(*arrays, most, begin, end))

        return -1, max(self.run(step_part))

    def draw(self, actions: NDArray[np.int64], start: int, draw: int) -> None:
        """Writes a random legal action for each game."""
        self.run(self.loops.draw_actions, self.words, actions, start, draw)

    def play(self, start: int, draw: int, steps: int, most: int) -> tuple[int, list[int]]:
        """Plays random plies; a game with broken rules, or -1, and the tallies."""

        def play_part(begin: int, end: int) -> tuple[int, NDArray[np.int64]]:
            tallies = np.zeros(len(TALLIES), np.int64)
            arrays = self.words, self.small, self.plies, self.draws, tallies
            return self.loops.play_games(*arrays, start, draw, steps, most, begin, end), tallies

        results = self.run(play_part, work=steps)
        return max(fault for fault, _ in results), sum(tallies for _, tallies in results).tolist()

    def write_masks(self, out: NDArray[np.bool_]) -> None:
        """Writes for each game and action whether it is legal."""
        self.run(batch_arrays.write_masks, self.words[2], out)

    def write_planes(self, final: bool, masks: Any, values: Any, out: NDArray[np.int8]) -> None:
        """Writes the planes of all positions, or of the final ones."""
        words = [self.words[row] for row in ((3, 4) if final else (0, 1))]
        flat = out.reshape(self.n, -1)
        if self.in_vectors is False:
            self.in_vectors = load_planes(masks.tolist(), values.tolist())
        if self.in_vectors:
            self.run(self.in_vectors, *words, flat)
        else:
            self.run(batch_arrays.write_planes, *words, masks, values, flat)


# Actions as callers give them: whole numbers, one for each game, or an error that says which is none.


def whole_numbers(actions: object, n: int) -> NDArray[Any]:
    """The actions as an array in main memory; raises BadArgument unless they are n whole numbers."""
    try:
        array = np.asarray(actions)
    except Exception as fault:  # ragged lists, tensors on a device: each kind of array has its own error
        raise BadArgument(f"actions cannot become a numpy array: {' '.join(str(fault).split())}") from None
    check_actions(array, n)
    return array


def check_actions(array: Any, n: int) -> None:
    """Raises BadArgument unless an array, on any device, has n whole numbers."""
    if tuple(array.shape) != (n,):
        raise BadArgument(f"actions have the shape {tuple(array.shape)}; give one for each game, the shape ({n},)")
    kind = np.dtype(array.dtype)
    if kind.kind in "iu":
        return
    if isinstance(array, np.ndarray) and kind.kind == "f" and np.isnan(array).any():
        raise BadArgument(f"actions[{int(np.isnan(array).argmax())}] is nan; give whole numbers, such as int64")
    raise BadArgument(f"actions are of type {kind}; give whole numbers, such as int64")
