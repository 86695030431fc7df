"""The arrays of a batch of games on a GPU, and compiled loops over them."""

from typing import Any

import numpy as np

from perfectplay.compiler.batch_code import SMALL, TALLIES, WORDS, batch_rules, load_batch
from perfectplay.compiler.compiled import fault_at_sites, guard_sites
from perfectplay.compiler.cuda import CONFIG, GPU, driver, find_gpu, from_gpu, gpu_fault, new_array, rules_fault, to_gpu
from perfectplay.game import Game
from perfectplay.rl.cpu_games import check_actions, whole_numbers
from perfectplay.rl.gpu_arrays import GpuArray
from perfectplay.views.planes import planes_of

DeviceArray = Any
NOBODY = np.array([1 << 62, -1], np.int64)
"""The flags of a step in which no action is illegal and no rule broken."""


class GpuGames:
    """Games side by side on a GPU; `words`, `small` and `plies` have a column for each."""

    def __init__(self, game: Game, n: int) -> None:
        self.game, self.n = game, n
        self.gpu = find_gpu()
        self.loops = load_batch(game, planes_of(game).size, "compiler/gpu/batch_loops", GPU)
        self.words = to_gpu(np.zeros((len(WORDS), n), np.int64))
        self.small = to_gpu(np.zeros((len(SMALL), n), np.int8))
        self.plies = new_array(n, np.int32)
        self.flags, self.tallies = to_gpu(NOBODY), new_array(len(TALLIES), np.int64)
        self.read_flags = NOBODY.copy()
        self.tests: tuple[DeviceArray, ...] = ()

    def view(self, array: DeviceArray, kind: Any = None) -> GpuArray:
        """The array as its users see it, as another type of the same size if one is given."""
        return GpuArray(array, kind)

    def new(self, shape: tuple[int, ...], kind: Any) -> GpuArray:
        """A new array."""
        return GpuArray(new_array(shape, np.int8 if kind is np.bool_ else kind), kind)

    def action_array(self, actions: object) -> DeviceArray:
        """The actions as an array on the GPU, copied there if they are not; raises BadArgument."""
        if not isinstance(actions, GpuArray) and not hasattr(actions, "__cuda_array_interface__"):
            return to_gpu(np.ascontiguousarray(whole_numbers(actions, self.n), np.int64))
        array = self.own(actions)
        check_actions(actions if isinstance(actions, GpuArray) else array, self.n)  # an array of bytes may be bool
        return array

    def own(self, array: Any) -> DeviceArray:
        """The array as the loops take it."""
        return array.array if isinstance(array, GpuArray) else driver().as_cuda_array(array)

    def fits(self, out: Any, shape: tuple[int, ...], kind: Any) -> bool:
        """Whether results of this shape and type can be written into the array."""
        if isinstance(out, GpuArray):
            return (out.shape, out.dtype) == (shape, np.dtype(kind))
        facts = getattr(out, "__cuda_array_interface__", None)
        if facts is None or facts.get("strides") is not None or facts["data"][1]:
            return False
        return (tuple(facts["shape"]), np.dtype(facts["typestr"])) == (shape, np.dtype(kind))

    def value(self, array: DeviceArray, i: int) -> int:
        """The number at this place."""
        return int(from_gpu(array[i : i + 1])[0])

    def run(self, loop: Any, *arguments: Any) -> None:
        """Runs the loop on the GPU."""
        try:
            self.gpu.run(loop, *arguments)
        except Exception as fault:
            raise self.explanation_of(fault) from None

    def explanation_of(self, fault: Exception) -> Exception:
        """The error that says what the rules or the GPU did; any other as it is."""
        if isinstance(fault, OverflowError):  # the simulator
            return fault_at_sites(self.game.name, guard_sites(batch_rules(self.game), GPU))
        return rules_fault(self.game, fault) or gpu_fault(fault) or fault

    def reset(self, mask: Any) -> None:
        """Begins the games of the mask again."""
        self.run(self.loops.reset_games, self.words, self.small, self.plies, to_gpu(mask.view(np.int8)))

    def step(self, actions: DeviceArray, most: int) -> tuple[int, int]:
        """Plays a ply in each game unless an action is illegal; the first such game, one with broken rules, or -1."""
        self.run(self.loops.find_illegal, self.words, actions, self.flags)
        self.run(self.loops.step_games, self.words, self.small, self.plies, actions, self.flags, most)
        illegal, fault = self.take_flags()
        return (illegal if illegal < self.n else -1), fault

    def take_flags(self) -> tuple[int, int]:
        """The flags, once the GPU has done all; they are cleared."""
        try:
            illegal, fault = from_gpu(self.flags, self.read_flags).tolist()
        except Exception as failure:  # it comes to light only here
            raise self.explanation_of(failure) from None
        if illegal < self.n or fault >= 0:
            self.flags = to_gpu(NOBODY)
        return illegal, fault

    def draw(self, actions: DeviceArray, start: int, draw: int) -> None:
        """Writes a random legal action for each game."""
        self.run(self.loops.draw_actions, self.words, actions, start, draw)

    def play(self, start: int, draw: int, steps: int, most: int) -> tuple[int, list[int]]:
        """Plays random plies; a game with broken rules, or -1, and the tallies."""
        self.tallies = to_gpu(np.zeros(len(TALLIES), np.int64))
        arrays = self.words, self.small, self.plies, self.tallies, self.flags
        self.run(self.loops.play_games, *arrays, start, draw, steps, most)
        return self.take_flags()[1], from_gpu(self.tallies).tolist()

    def write_masks(self, out: GpuArray) -> None:
        """Writes for each game and action whether it is legal."""
        self.run(self.loops.write_masks, self.words, out.array)

    def write_planes(self, final: bool, masks: Any, values: Any, out: DeviceArray) -> None:
        """Writes the planes of all positions, or of the final ones."""
        self.tests = self.tests or (to_gpu(masks), to_gpu(values))
        rows = (3, 4) if final else (0, 1)
        flat = out.reshape(self.n * 2 * masks.size)
        whole = flat[: flat.size // 8 * 8] if self.is_aligned(out) else flat[:0]
        self.run(self.loops.write_planes, *(self.words[row] for row in rows), *self.tests, whole.view(np.int64), flat)

    def is_aligned(self, array: DeviceArray) -> bool:
        """Whether an array begins at a multiple of eight bytes, as all do but parts of others."""
        return bool(CONFIG.ENABLE_CUDASIM) or array.__cuda_array_interface__["data"][0] % 8 == 0
