"""The same rules on a GPU, compiled by numba-cuda, or run slowly by numba's GPU simulator.

The loops are the files in gpu/, appended to a game's rules like the kernels for the CPU (docs/decisions/0016).
Only this file names a device.
"""

import gc
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import replace
from logging import getLogger
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import mover
from perfectplay.compiler.compilable import check_compiles, count_moves
from perfectplay.compiler.compiled import Way, fault_at_sites, guard_sites, load_pattern, rule_set
from perfectplay.compiler.numba_compat import numba
from perfectplay.game import Game, Images, canonical, images, legal_moves, moves_again
from perfectplay.words import ONGOING, BadGame, NoGPU, NotCompiled, Position, TooBig

KERNELS = (
    *("hash_set", "packed_slots", "device_rules", "layered_kernels", "cyclic_kernels", "ranked_index"),
    "ranked_values",
)
PATTERNS = ["compiler/kernels/default_turns", *(f"compiler/gpu/{name}" for name in KERNELS)]
HEAD = (
    "from numba import cuda, int32, int64, uint32\nimport numpy as np\n\n"
    "from perfectplay.compiler.gpu.gpu_faults import fault, width\n"
    "from perfectplay.compiler.gpu.gpu_faults import wrapping_add, wrapping_lshift, wrapping_mult, wrapping_sub\n"
    "from perfectplay.compiler.gpu.constant_arrays import listed\n\n"
    "guard = cuda.jit(device=True)\n\n"
)
GPU = Way(HEAD, "@cuda.jit(device=True)", raises=False, longest_tuple=0)
"""The way to compile functions for a GPU."""
NARROW, WIDE = ("np.uint32", 8, 17), ("np.int64", 4, 40)
"""The type of a table entry, entries per bucket, bits of the rest."""
GOLDEN = 0x9E3779B97F4A7C15
"""2 ** 64 over the golden ratio: an odd number whose multiples are well spread."""
SIMULATED = 1 << 20
"""The memory of a simulated GPU: small, so that small games reach its limits."""
SPARE = 0.96
"""The fraction of a GPU's free memory to use."""
SMALLEST = 64
"""The number of smallest tables that must fit the memory."""
PART_BITS = 28
"""The most bits in the size of a table part."""
LEAST_PAGE, PAGE_NUMBER = 15, 10
"""Keys are in pages of at least 2 ** 15, and so large that there are at most 2 ** 10 of them."""
GRAIN = 1 << 12
"""Large table sizes are multiples of this, so that all parts have the same size."""
TURNS = ("again", "tier", "margin")
"""The results of the fields that few games have, 0 for a game without."""
ANSWERS = ("outcome", "moves", "play", "play", "canonical form", "canonical form", "key", "unkey", "unkey", *TURNS)
"""The results of the kernel `answer` for a position and a move."""

CONFIG: Any = numba.config
DeviceArray = Any


def driver() -> Any:
    """numba's GPU module; imported on demand, since that takes a second."""
    from numba import cuda

    return cuda


class Gpu(NamedTuple):
    """A GPU: its name, bytes of free memory, and the number of blocks and threads that keep it busy.

    `looks` is the number of slots a thread visits before the threads of its block wait for each other.
    """

    name: str
    memory: int
    blocks: int
    threads: int
    looks: int

    def run(self, kernel: Any, *arguments: object) -> None:
        """Runs the kernel on all threads; reading its results waits for it."""
        kernel[self.blocks, self.threads](*arguments)


def find_gpu(simulated: bool = True) -> Gpu:
    """The GPU to use, or numba's simulator if it is enabled and will do; raises NoGPU if there is none."""
    if CONFIG.ENABLE_CUDASIM:
        if not simulated:
            raise NoGPU("the GPU is simulated")
        from perfectplay.compiler.gpu.simulator import repair_simulator

        repair_simulator()
        return Gpu("simulated GPU", SIMULATED, 2, 2, 64)
    if importlib.util.find_spec("numba_cuda") is None:
        raise NoGPU("""engine="cuda" needs the package numba-cuda, which is missing: pip install 'perfectplay[cuda]'""")
    cuda = driver()
    try:
        device = cuda.get_current_device()
        settle()
        free, _ = cuda.current_context().get_memory_info()
    except Exception as fault:  # the driver is missing or too old, or there is no GPU: each has its own error
        why = in_short(fault)
        raise NoGPU(
            f'engine="cuda" needs an NVIDIA GPU with its driver, and none answers ({why}); use engine="numba"'
        ) from None
    CONFIG.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # first layers are small
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return Gpu(name, int(SPARE * free), 8 * device.MULTIPROCESSOR_COUNT, 256, 4)


def load_gpu_kernels(game: Game, gpu: Gpu, wide: bool | None = None) -> Any:
    """The solver's loops for this game and GPU.

    Entries of 4 bytes suffice unless keys are so long that only a large table's places could encode most of their bits,
    or grades do not fit a byte.
    """
    check_compiles(game)
    if game.key is None:
        raise BadGame(f"{game.name} has no 63-bit key, which the solver on a GPU needs; give the game key and unkey")
    if wide is None:
        wide = 4 * least_slots(game.key_bits, NARROW[2]) * SMALLEST > gpu.memory
    kind, bucket, rest_bits = WIDE if wide else NARROW
    keys = (1 << game.key_bits) - 1
    factor = GOLDEN & keys | 1
    constants = (
        f"IMAGES, BITS, MOVES = {images(game).count}, {game.bits}, {count_moves(game)}\n"
        f"THREADS, LOOKS, PAGE_BITS = {gpu.threads}, {gpu.looks}, {max(LEAST_PAGE, game.key_bits - PAGE_NUMBER)}\n"
        f"KEY_BITS, KEYS, FOLD = {game.key_bits}, {keys}, {(game.key_bits + 1) // 2}\n"
        f"SPREAD, UNSPREAD = {factor}, {pow(factor, -1, keys + 1)}\n"
        f"ENTRY, BUCKET, REST_BITS = {kind}, {bucket}, {rest_bits}\n"
    )
    return load_pattern(PATTERNS, rule_set(by_bytes(game), turns=True), constants, GPU)


def by_bytes(game: Game) -> Game:
    """The same game, whose symmetries, if they are permutations, move eight bits of a word at once."""
    if isinstance(game.symmetries, Images) or len(game.symmetries) < 2 or len(game.symmetries[0]) <= 8:
        return game
    steps = -(-len(game.symmetries[0]) // 8)
    movers = [mover(turn) for turn in game.symmetries]
    table = tuple(move(byte << 8 * i) for move in movers for i in range(steps) for byte in range(256))

    def image(mine: int, theirs: int, i: int) -> Position:
        new_mine, new_theirs = 0, 0
        for step in range(steps):
            new_mine |= table[(i * steps + step) * 256 + (mine >> 8 * step & 255)]
            new_theirs |= table[(i * steps + step) * 256 + (theirs >> 8 * step & 255)]
        return new_mine, new_theirs

    return replace(game, symmetries=Images(len(game.symmetries), image))


def rules_fault(game: Game, fault: Exception) -> NotCompiled | None:
    """The error that replaces one with which guarded rules stopped the GPU; None for any other."""
    stopped = any(word in str(fault) for word in ("LAUNCH_FAILED", "ILLEGAL_INSTRUCTION", "launch failure"))
    places = guard_sites(rule_set(game, turns=True), GPU) if stopped or isinstance(fault, OverflowError) else []
    if not places:
        return None
    getLogger("numba.cuda.cudadrv.driver").setLevel("CRITICAL")  # a stopped GPU refuses all later cleanup
    return fault_at_sites(game.name, places)


def gpu_fault(fault: Exception) -> NoGPU | None:
    """The error that replaces one from the GPU, its driver or its compiler; None for any other."""
    if not (isinstance(fault, ImportError) or type(fault).__module__.startswith(("numba.cuda.cudadrv", "cuda."))):
        return None
    return NoGPU(
        f'engine="cuda" cannot use the GPU ({in_short(fault)}); '
        """pip install 'perfectplay[cuda]' installs all but the driver, and engine="numba" needs no GPU"""
    )


def in_short(fault: Exception) -> str:
    """The first sentence of the error message."""
    return " ".join(str(fault).split()).partition(". ")[0][:120] or type(fault).__name__


class Shape(NamedTuple):
    """The layout of mixed keys in a table: `parts` bits of a key pick a part, the next `top` bits a home slot in it."""

    parts: int
    top: int

    @property
    def number(self) -> int:
        """Both as one number, for the kernels."""
        return self.parts << 8 | self.top


def shape_of(key_bits: int, slots: int) -> Shape:
    """The shape of a table; a part is small enough that its size times a number of `top` bits has at most 63 bits."""
    parts = max(0, slots.bit_length() - PART_BITS)
    return Shape(parts, min(key_bits - parts, 63 - (slots >> parts).bit_length()))


def rest_width(key_bits: int, slots: int) -> int:
    """The number of low bits that tell a mixed key from all others with the same home slot."""
    parts, top = shape_of(key_bits, slots)
    same_home = -(-(1 << top) // (slots >> parts)) << (key_bits - parts - top)
    return (same_home - 1).bit_length()


def least_slots(key_bits: int, rest_bits: int) -> int:
    """The size of the smallest table, a power of two, for which `rest_bits` bits suffice."""
    slots = 64
    while rest_width(key_bits, slots) > rest_bits:
        slots *= 2
    return slots


def allocate(make: Callable[[], DeviceArray], size: int) -> DeviceArray:
    """A new array on the GPU; raises TooBig if its memory of that size is refused."""
    for last in (False, True):
        try:
            return make()
        except Exception as fault:
            if "OUT_OF_MEMORY" not in str(fault):
                raise
        if not last:
            gc.collect()  # the arguments of a kernel's call may stay alive in reference cycles
            settle()
    raise TooBig(f"the GPU refused {size:,} bytes that seemed free; does another program use it?")


def new_array(size: int | tuple[int, ...], kind: Any) -> DeviceArray:
    """A new array of this size or shape on the GPU; raises TooBig if the allocation fails."""
    return allocate(lambda: driver().device_array(size, kind), int(np.prod(size)) * np.dtype(kind).itemsize)


class Memory:
    """A GPU's memory, with a limit that is checked before any allocation."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.taken = 0
        self.most = 0

    @property
    def left(self) -> int:
        """The bytes that may still be allocated."""
        return self.limit - self.taken

    def take(self, size: int, kind: Any) -> DeviceArray:
        """A new array; the caller has checked that there is room."""
        array = new_array(size, kind)
        self.hold(array)
        return array

    def hold(self, *arrays: DeviceArray) -> None:
        """Counts arrays as taken."""
        self.taken += sum(map(array_bytes, arrays))
        self.most = max(self.most, self.taken)

    def give(self, array: DeviceArray) -> None:
        """Counts the array as freed; its memory is free once the caller drops it."""
        self.taken -= array_bytes(array)


def array_bytes(array: DeviceArray) -> int:
    """The bytes of an array on the GPU."""
    return int(array.size * array.dtype.itemsize)


def settle() -> None:
    """Returns the memory of all freed arrays to the GPU, once it is idle."""
    driver().synchronize()
    if not CONFIG.ENABLE_CUDASIM:
        driver().current_context().deallocations.clear()


def to_gpu(array: NDArray[Any]) -> DeviceArray:
    """A copy of the array on the GPU."""
    return allocate(lambda: driver().to_device(array), array.nbytes)


def from_gpu(array: DeviceArray, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """A copy of the array in main memory."""
    return array.copy_to_host(out) if out is not None else array.copy_to_host()  # type: ignore[no-any-return]


def fault_on_gpu(game: Game, gpu: Gpu, kernels: Any, positions: Sequence[Position]) -> str | None:
    """The first answer of the rules on the GPU that differs from the interpreted one at these positions, or None."""
    smallest, questions, expected = canonical(game), [], []
    assert game.key is not None
    assert game.unkey is not None
    for position in positions:
        for move in legal_moves(game, position):
            after = game.play(*position, move)
            least = smallest(*after)
            key = game.key(*least)
            questions.append((*position, move))
            turns = (int(moves_again(game, position, move)), game.tier(*position) if game.tier else 0)
            lead = game.margin(*after) if game.margin and game.outcome(*after) != ONGOING else 0
            rules = (game.outcome(*position), game.moves(*position), *after, *least, key, *game.unkey(key))
            expected.append((*rules, *turns, lead))
    answers = to_gpu(np.zeros((max(1, len(questions)), len(ANSWERS)), np.int64))
    if questions:
        gpu.run(kernels.answer, to_gpu(np.array(questions, np.int64)), answers)
    for question, right, reply in zip(questions, expected, from_gpu(answers).tolist(), strict=False):
        for name, one, other in zip(ANSWERS, right, reply, strict=True):
            if one != other:
                return f"{name} in {question[:2]} with move {question[2]} is {other} on the GPU, {one} interpreted"
    return None
