"""numba, with repairs; every other module imports numba from here.

Code that numba cannot cache, or whose cache is damaged, is silently compiled again: a full disk or a read-only
folder never stops a solve.

numba 0.68.0 needs `row_stack`, which numpy 2.5 has removed: it is restored before numba is imported.
"""

from contextlib import suppress
from pickle import PickleError
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack

import numba
from numba import njit
from numba.core import types
from numba.core.caching import Cache
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.imputils import lower_constant
from numba.core.runtime.nrt import rtsys
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_builtin,
    lower_cast,
    models,
    register_model,
    typeof_impl,
    unbox,
)

__all__ = [
    "AbstractTemplate",
    "Conversion",
    "NativeValue",
    "NumbaError",
    "box",
    "infer_global",
    "intrinsic",
    "lower_builtin",
    "lower_cast",
    "lower_constant",
    "models",
    "njit",
    "numba",
    "register_model",
    "signature",
    "typeof_impl",
    "types",
    "unbox",
]

cache_class: Any = Cache
dispatcher_class: Any = Dispatcher
save_overload = cache_class.save_overload
enable_caching = dispatcher_class.enable_caching


def load_if_whole(cache: Any, signature: Any, context: Any) -> Any:
    """The cached code, None if it cannot be read.

    numba first imports all that a compiler needs, half a second; code that is compiled already runs without it.
    """
    with suppress(Exception):  # a truncated file can raise anything
        rtsys.initialize(context)
        with cache._guard_against_spurious_io_errors():
            return cache._load_overload(signature, context)
    return None


def save_if_possible(cache: Any, *more: Any) -> None:
    """Caches the code if possible."""
    with suppress(OSError, EOFError, ValueError, PickleError):  # a full disk, or a damaged index
        save_overload(cache, *more)


def enable_if_possible(dispatcher: Any) -> None:
    """Enables the cache if possible."""
    with suppress(OSError, RuntimeError):  # RuntimeError: numba finds no writable folder
        enable_caching(dispatcher)


cache_class.load_overload, cache_class.save_overload = load_if_whole, save_if_possible
dispatcher_class.enable_caching = enable_if_possible
