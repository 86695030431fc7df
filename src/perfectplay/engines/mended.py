"""numba, imported here and nowhere else in what runs.

numba 0.68.0 asks numpy for `row_stack`, which numpy 2.5 no longer has: it is put back before numba looks for it.
"""

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack

import numba
from numba import njit
from numba.core import types
from numba.core.errors import NumbaError
from numba.extending import intrinsic

__all__ = ["NumbaError", "intrinsic", "njit", "numba", "types"]
