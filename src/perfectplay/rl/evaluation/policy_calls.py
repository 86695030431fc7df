"""Functions and torch modules called with batches of observations, and what they return as checked arrays."""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.rl.solved_positions import Numbers, SolvedPositions
from perfectplay.words import BadPlayer

PolicyCall = Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
"""What a batch of observations and legal moves gives."""
MASKS = ("legal", "legal_moves", "legal_actions", "legal_mask", "mask", "action_mask")
"""Names of a second argument with a default that is the legal mask all the same."""


def is_module(thing: object) -> bool:
    """Whether this is a torch module, which needs torch to be imported already."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)


def takes_mask(function: Callable[..., object]) -> bool:
    """Whether a function takes the legal moves as its second positional argument."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return False
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return True
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return len(places) > 1 and (places[1].default is places[1].empty or places[1].name in MASKS)


@contextmanager
def calling(thing: Any) -> Iterator[PolicyCall]:
    """A function or a torch module as a function of observations and legal moves.

    A module gets tensors of its own device and type, computes no gradients, and is in evaluation mode meanwhile.
    """
    if not is_module(thing):
        masked = takes_mask(thing)
        yield lambda observations, legal: thing(observations, legal) if masked else thing(observations)
        return
    torch = sys.modules["torch"]
    masked, modes = takes_mask(thing.forward), [(part, part.training) for part in thing.modules()]
    weights = next((one for one in (*thing.parameters(), *thing.buffers()) if one.is_floating_point()), None)
    place = {} if weights is None else {"device": weights.device, "dtype": weights.dtype}

    def call(observations: NDArray[np.float32], legal: NDArray[np.bool_]) -> Any:
        inputs = torch.from_numpy(observations).to(**place)
        mask = torch.from_numpy(legal).to(inputs.device)
        return thing(inputs, mask) if masked else thing(inputs)

    thing.eval()
    try:
        with torch.no_grad():
            yield call
    finally:
        for part, training in modes:
            part.training = training


def answers(call: PolicyCall, name: str, positions: SolvedPositions, numbers: Numbers, legal: Any) -> NDArray[Any]:
    """What the policy or value function returns for these positions, as an array; raises BadPlayer if it raises."""
    try:
        return as_array(call(positions.observations(numbers), legal))
    except Exception as fault:
        reason = (str(fault).strip().splitlines() or [""])[0]
        raise BadPlayer(
            f"{name} raised {type(fault).__name__}{': ' if reason else ''}{reason}, for a batch of {numbers.size:,} "
            f"positions from {positions.text(int(numbers[0]))} on"
        ) from fault


def as_array(array: Any) -> NDArray[Any]:
    """An array, whichever library made it."""
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        array = array.double() if array.is_floating_point() else array
    return np.asarray(array)
