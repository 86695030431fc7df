"""Actions as callers give them: whole numbers, one for each game, or an error that says which is none."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.words import BadArgument


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
