"""Arrays on a GPU that other packages take without a copy."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import CONFIG, driver, from_gpu


class GpuArray:
    """An array on a GPU, which `torch.from_dlpack`, `torch.as_tensor`, `jax.dlpack.from_dlpack` and CuPy share.

    `numpy()` copies it to main memory.
    """

    def __init__(self, array: Any, kind: Any = None) -> None:
        self.array = array
        """The array as numba knows it."""
        self.dtype = np.dtype(array.dtype if kind is None else kind)
        self.shape: tuple[int, ...] = tuple(array.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<GpuArray {self.dtype} {self.shape}>"

    def numpy(self) -> NDArray[Any]:
        """A copy in main memory."""
        return from_gpu(self.array).view(self.dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.numpy().astype(self.dtype if dtype is None else dtype, copy=False)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if CONFIG.ENABLE_CUDASIM:
            raise AttributeError("a simulated GPU has no CUDA arrays")
        return {**self.array.__cuda_array_interface__, "typestr": self.dtype.str}

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CPU, 0) if CONFIG.ENABLE_CUDASIM else (CUDA, int(driver().get_current_device().id))

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The array as a capsule of DLPack, once all that was asked of the GPU is done."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("this array is shared where it is, without a copy")
        driver().synchronize()
        if CONFIG.ENABLE_CUDASIM:  # in main memory
            address = self.array._ary.ctypes.data
        else:
            address = self.array.__cuda_array_interface__["data"][0]
        return capsule(self.array, address, self.shape, self.dtype, self.__dlpack_device__())


# Arrays in DLPack's form, a capsule that torch, JAX, CuPy and numpy read without a copy.
#
# The structures are those of DLPack's C header, version 0.8: https://dmlc.github.io/dlpack/latest/c_api.html


KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
CPU, CUDA = 1, 2
"""DLPack's numbers of types and devices."""
NAME = b"dltensor"
"""The name of a capsule that nobody has read yet; who reads it renames it, and calls the deleter in the end."""


class Device(ctypes.Structure):
    """A device: its kind and number."""

    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class Type(ctypes.Structure):
    """The type of an element."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class Tensor(ctypes.Structure):
    """An array: where it is, and its shape; without strides it is contiguous."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("dimensions", ctypes.c_int32),
        ("type", Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class ManagedTensor(ctypes.Structure):
    """An array with the function to call when nobody needs it any more."""

    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter))


python = ctypes.pythonapi
new_capsule = python.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
is_unread = python.PyCapsule_IsValid
is_unread.restype, is_unread.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]
pointer_in = python.PyCapsule_GetPointer
pointer_in.restype, pointer_in.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

lent: dict[int, tuple[Any, ...]] = {}
"""What must stay while others use an array, by the address of its description."""


def forget(address: int) -> None:
    """Forgets an array that nobody needs any more."""
    lent.pop(address, None)


def forget_unread(pointer: int) -> None:
    """Forgets the array of a capsule that nobody has read."""
    if is_unread(pointer, NAME):
        forget(pointer_in(pointer, NAME))


give_back, drop_unread = Deleter(forget), Deleter(forget_unread)
"""The same as functions of C."""


def capsule(owner: object, data: int, shape: Sequence[int], kind: Any, device: tuple[int, int]) -> Any:
    """The capsule of a contiguous array at this address; it keeps the owner of the memory alive."""
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    element = Type(KINDS[np.dtype(kind).kind], 8 * np.dtype(kind).itemsize, 1)
    tensor = Tensor(data, Device(*device), len(shape), element, sizes, None, 0)
    managed = ManagedTensor(tensor, None, give_back)
    address = ctypes.addressof(managed)
    lent[address] = (managed, sizes, owner)
    return new_capsule(address, NAME, ctypes.cast(drop_unread, ctypes.c_void_p))
