"""Arrays in DLPack's form, a capsule that torch, JAX, CuPy and numpy read without a copy.

The structures are those of DLPack's C header, version 0.8: https://dmlc.github.io/dlpack/latest/c_api.html
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

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


def forget_unread(found: int) -> None:
    """Forgets the array of a capsule that nobody has read."""
    if is_unread(found, NAME):
        forget(pointer_in(found, NAME))


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
