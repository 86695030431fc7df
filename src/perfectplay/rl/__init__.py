"""The bridge to reinforcement learning: environments, batches of games, exact evaluation of policies, datasets.

Each name is imported when it is first used. What needs other packages says so: `pip install 'perfectplay[rl]'`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perfectplay.rl.batches import Batch, BatchStep, Playouts, batch
    from perfectplay.rl.datasets import Dataset, DatasetSplit, dataset
    from perfectplay.rl.evaluating import PolicyEvaluation, evaluate
    from perfectplay.rl.gpu_arrays import GpuArray
    from perfectplay.rl.gymnasium_env import gymnasium
    from perfectplay.rl.openspiel_game import openspiel
    from perfectplay.rl.pettingzoo_env import pettingzoo

HOMES = {
    "batches": ("Batch", "BatchStep", "Playouts", "batch"),
    "datasets": ("Dataset", "DatasetSplit", "dataset"),
    "evaluating": ("PolicyEvaluation", "evaluate"),
    "gpu_arrays": ("GpuArray",),
    "gymnasium_env": ("gymnasium",),
    "openspiel_game": ("openspiel",),
    "pettingzoo_env": ("pettingzoo",),
}
"""Where the names live."""

LAZY = {name: module for module, names in HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used."""
    if name not in LAZY:
        raise AttributeError(f"module 'perfectplay.rl' has no attribute {name!r}")
    value = getattr(import_module(f"perfectplay.rl.{LAZY[name]}"), name)
    globals()[name] = value
    return value


__all__ = [
    "Batch",
    "BatchStep",
    "Dataset",
    "DatasetSplit",
    "GpuArray",
    "Playouts",
    "PolicyEvaluation",
    "batch",
    "dataset",
    "evaluate",
    "gymnasium",
    "openspiel",
    "pettingzoo",
]


def __dir__() -> list[str]:
    """The public names."""
    return __all__
