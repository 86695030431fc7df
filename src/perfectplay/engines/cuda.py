"""The same rules on a GPU, compiled by numba-cuda, or slowly on none by numba's simulator of a GPU.

The loops are those of the files in GPU/, written behind a game's rules
like the processor's (docs/decisions/0016). Everything that names a device stands in this file.
"""

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from logging import getLogger
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines.compiled import Way, count_moves, fault_named, guarded_places, load_pattern, rule_set
from perfectplay.engines.numba_compat import numba
from perfectplay.game import Game, canonical, images, legal_moves
from perfectplay.words import BadGame, NoGPU, NotCompiled, Position, TooBig

PATTERNS = [f"engines/gpu/{name}" for name in ("hash_set", "device_rules", "layered_kernels", "cyclic_kernels")]
HEAD = (
    "from numba import cuda, int32, int64, uint32\nimport numpy as np\n\n"
    "from perfectplay.engines.gpu.gpu_faults import fault, width\n"
    "from perfectplay.engines.gpu.gpu_faults import wrapping_add, wrapping_lshift, wrapping_mult, wrapping_sub\n"
    "from perfectplay.engines.gpu.constant_arrays import listed\n\n"
    "guard = cuda.jit(device=True)\n\n"
)
GPU = Way(
    HEAD,
    "@cuda.jit(device=True)",
    raises=False,
    beside=tuple(f"engines/{name}" for name in ("intrinsics", "gpu/gpu_faults", "gpu/constant_arrays")),
)
"""How functions are compiled for a GPU."""
NARROW, WIDE = ("np.uint32", 8, 17), ("np.int64", 4, 40)
"""The kind of an entry of a table, entries in a bucket, bits of the rest."""
GOLDEN = 0x9E3779B97F4A7C15
"""2 ** 64 over the golden ratio: an odd number whose multiples spread well."""
SIMULATED = 1 << 20
"""The memory of a simulated GPU: little, so that small games meet its limits."""
SPARE = 0.96
"""How much of the free memory of a GPU may be taken."""
SMALLEST = 64
"""Tables of the least size must fit the memory so many times."""
PART_BITS = 28
"""The size of a part of a table has at most so many bits."""
GRAIN = 1 << 12
"""The size of large tables is a multiple of this, so that all parts are alike."""
ANSWERS = ("outcome", "moves", "play", "play", "canonical form", "canonical form", "key", "unkey", "unkey")
"""What the kernel `answer` tells of a position and a move."""

CONFIG: Any = numba.config
DeviceArray = Any


def driver() -> Any:
    """numba's module for GPUs: a second to import, so only when it is wanted."""
    from numba import cuda

    return cuda


class Gpu(NamedTuple):
    """A GPU: its name, bytes of free memory, how many blocks of how many threads keep it busy.

    `looks` is how many slots a thread looks at before all of a block wait for each other.
    """

    name: str
    memory: int
    blocks: int
    threads: int
    looks: int

    def run(self, kernel: Any, *arguments: object) -> None:
        """Runs the kernel with all threads; the next look at its results waits for it."""
        kernel[self.blocks, self.threads](*arguments)


def find_gpu(simulated: bool = True) -> Gpu:
    """The GPU to use, or numba's simulated one if that is switched on and will do; raises NoCard if there is none."""
    if CONFIG.ENABLE_CUDASIM:
        if not simulated:
            raise NoGPU("the GPU is simulated")
        from perfectplay.engines.gpu.simulator import repair_simulator

        repair_simulator()
        return Gpu("simulated GPU", SIMULATED, 2, 2, 64)
    if importlib.util.find_spec("numba_cuda") is None:
        raise NoGPU("""engine="cuda" needs the package numba-cuda, which is missing: pip install 'perfectplay[cuda]'""")
    cuda = driver()
    try:
        device = cuda.get_current_device()
        settle()
        free, _ = cuda.current_context().get_memory_info()
    except Exception as fault:  # a driver that is missing, too old, without a GPU: each has an error of its own
        why = in_short(fault)
        raise NoGPU(
            f'engine="cuda" needs an NVIDIA GPU with its driver, and none answers ({why}); use engine="numba"'
        ) from None
    CONFIG.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # first levels are small
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return Gpu(name, int(SPARE * free), 8 * device.MULTIPROCESSOR_COUNT, 256, 4)


def load_gpu_kernels(game: Game, gpu: Gpu, wide: bool | None = None) -> Any:
    """The loops of the solver for this game and GPU.

    Entries of 4 bytes are enough unless keys are so long that a table would have to be large for its places to tell
    most of them, or grades do not fit a byte.
    """
    if game.key is None:
        raise BadGame(f"{game.name} has no 63-bit key, which the solver on a GPU needs; give the game key and unkey")
    if wide is None:
        wide = 4 * least_slots(game.key_bits, NARROW[2]) * SMALLEST > gpu.memory
    kind, bucket, rest_bits = WIDE if wide else NARROW
    keys = (1 << game.key_bits) - 1
    spread = GOLDEN & keys | 1
    constants = (
        f"IMAGES, BITS, MOVES = {images(game).count}, {game.bits}, {count_moves(game)}\n"
        f"THREADS, LOOKS = {gpu.threads}, {gpu.looks}\n"
        f"KEY_BITS, KEYS, FOLD = {game.key_bits}, {keys}, {(game.key_bits + 1) // 2}\n"
        f"SPREAD, UNSPREAD = {spread}, {pow(spread, -1, keys + 1)}\n"
        f"ENTRY, BUCKET, REST_BITS = {kind}, {bucket}, {rest_bits}\n"
    )
    return load_pattern(PATTERNS, rule_set(game), constants, GPU)


def rules_fault(game: Game, fault: Exception) -> NotCompiled | None:
    """The error to raise instead of one that guarded rules stopped the GPU with; None for any other."""
    stopped = any(word in str(fault) for word in ("LAUNCH_FAILED", "ILLEGAL_INSTRUCTION", "launch failure"))
    places = guarded_places(rule_set(game), GPU) if stopped or isinstance(fault, OverflowError) else []
    if not places:
        return None
    getLogger("numba.cuda.cudadrv.driver").setLevel("CRITICAL")  # a stopped GPU refuses whatever is tidied up later
    return fault_named(game.name, places)


def gpu_fault(fault: Exception) -> NoGPU | None:
    """The error to raise instead of one that the GPU, its driver or its compiler made; None for any other."""
    if not (isinstance(fault, ImportError) or type(fault).__module__.startswith(("numba.cuda.cudadrv", "cuda."))):
        return None
    return NoGPU(
        f'engine="cuda" cannot use the GPU ({in_short(fault)}); '
        """pip install 'perfectplay[cuda]' installs all but the driver, and engine="numba" needs no GPU"""
    )


def in_short(fault: Exception) -> str:
    """The first sentence of what the error says."""
    return " ".join(str(fault).split()).partition(". ")[0][:120] or type(fault).__name__


class Shape(NamedTuple):
    """How mixed keys are spread over a table: `parts` bits of one pick a part, the next `top` bits a home in it."""

    parts: int
    top: int

    @property
    def number(self) -> int:
        """Both as one number, for the kernels."""
        return self.parts << 8 | self.top


def shape_of(key_bits: int, slots: int) -> Shape:
    """The shape of a table; a part is so small that its size times a number of `top` bits has at most 63."""
    parts = max(0, slots.bit_length() - PART_BITS)
    return Shape(parts, min(key_bits - parts, 63 - (slots >> parts).bit_length()))


def rest_needed(key_bits: int, slots: int) -> int:
    """How many low bits of a mixed key tell it from all others with the same home."""
    parts, top = shape_of(key_bits, slots)
    same_home = -(-(1 << top) // (slots >> parts)) << (key_bits - parts - top)
    return (same_home - 1).bit_length()


def least_slots(key_bits: int, rest_bits: int) -> int:
    """The smallest table, a power of two, in which so many bits of the rest are enough."""
    slots = 64
    while rest_needed(key_bits, slots) > rest_bits:
        slots *= 2
    return slots


@contextmanager
def memory_wanted(size: int) -> Iterator[None]:
    """Raises TooBig if the GPU has no room after all for what is asked for within."""
    try:
        yield
    except Exception as fault:
        if "OUT_OF_MEMORY" not in str(fault):
            raise
        raise TooBig(f"the GPU gave no {size:,} bytes that seemed free; does another program use it?") from None


def new_array(size: int, kind: Any) -> DeviceArray:
    """An array on the GPU, of any numbers; raises TooBig if the GPU has no room after all."""
    with memory_wanted(size * np.dtype(kind).itemsize):
        return driver().device_array(size, kind)


class Memory:
    """The memory of a GPU, with a limit that holds before anything is taken."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.taken = 0
        self.most = 0

    @property
    def left(self) -> int:
        """The bytes that may still be taken."""
        return self.limit - self.taken

    def take(self, size: int, kind: Any) -> DeviceArray:
        """A new array; the caller has seen that there is room."""
        array = new_array(size, kind)
        self.taken += size * np.dtype(kind).itemsize
        self.most = max(self.most, self.taken)
        return array

    def give(self, array: DeviceArray) -> None:
        """Counts the array as gone; its memory is free when the caller lets go of it."""
        self.taken -= array.size * array.dtype.itemsize


def settle() -> None:
    """Gives the memory of all arrays that are gone back to the GPU, once what runs on it is done."""
    driver().synchronize()
    if not CONFIG.ENABLE_CUDASIM:
        driver().current_context().deallocations.clear()


def to_gpu(array: NDArray[Any]) -> DeviceArray:
    """A copy of the array on the GPU."""
    with memory_wanted(array.nbytes):
        return driver().to_device(array)


def from_gpu(array: DeviceArray, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """The array in the memory of the machine."""
    return array.copy_to_host(out) if out is not None else array.copy_to_host()  # type: ignore[no-any-return]


def fault_on_gpu(game: Game, gpu: Gpu, kernels: Any, positions: Sequence[Position]) -> str | None:
    """What the rules first answer otherwise on the GPU than interpreted in these positions; None if nothing."""
    smallest, asked, expected = canonical(game), [], []
    assert game.key is not None
    assert game.unkey is not None
    for position in positions:
        for move in legal_moves(game, position):
            after = game.play(*position, move)
            least = smallest(*after)
            key = game.key(*least)
            asked.append((*position, move))
            expected.append((game.outcome(*position), game.moves(*position), *after, *least, key, *game.unkey(key)))
    answers = to_gpu(np.zeros((max(1, len(asked)), len(ANSWERS)), np.int64))
    if asked:
        gpu.run(kernels.answer, to_gpu(np.array(asked, np.int64)), answers)
    for question, right, given in zip(asked, expected, from_gpu(answers).tolist(), strict=False):
        for name, one, other in zip(ANSWERS, right, given, strict=True):
            if one != other:
                return f"{name} in {question[:2]} with move {question[2]} is {other} on the GPU, {one} interpreted"
    return None
