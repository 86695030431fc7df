"""numba, imported here and nowhere else in what runs.

Code that numba cannot keep on disk, or that it finds there damaged, is compiled anew, and nothing is said: a full disk
or a folder that cannot be written to never stops a solve.

numba 0.68.0 asks numpy for `row_stack`, which numpy 2.5 no longer has: it is put back before numba looks for it.
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
from numba.extending import intrinsic

__all__ = ["NumbaError", "intrinsic", "njit", "numba", "types"]

kept_code: Any = Cache
compiled_function: Any = Dispatcher
load_overload, save_overload = kept_code.load_overload, kept_code.save_overload
enable_caching = compiled_function.enable_caching


def load_if_whole(cache: Any, *more: Any) -> Any:
    """The code that is kept, None if it cannot be read."""
    with suppress(Exception):  # half a file can be anything
        return load_overload(cache, *more)
    return None


def save_if_possible(cache: Any, *more: Any) -> None:
    """Keeps the code if there is somewhere to."""
    with suppress(OSError, EOFError, ValueError, PickleError):  # no room, or an index that is damaged
        save_overload(cache, *more)


def enable_if_possible(dispatcher: Any) -> None:
    """Has code kept from now on, if there is somewhere to."""
    with suppress(OSError, RuntimeError):  # RuntimeError: numba finds no folder to write to
        enable_caching(dispatcher)


kept_code.load_overload, kept_code.save_overload = load_if_whole, save_if_possible
compiled_function.enable_caching = enable_if_possible
