"""The bridge to reinforcement learning: environments, batches of games, exact evaluation of policies, datasets.

Each name is imported when it is first used. What needs other packages says so: `pip install 'perfectplay[rl]'`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perfectplay.words import late_names

if TYPE_CHECKING:
    from perfectplay.rl.batches import Batch as Batch, BatchStep as BatchStep, Playouts as Playouts, batch as batch
    from perfectplay.rl.datasets import Dataset as Dataset, DatasetSplit as DatasetSplit, dataset as dataset
    from perfectplay.rl.environments import gymnasium as gymnasium, pettingzoo as pettingzoo
    from perfectplay.rl.evaluation.policy_evaluation import PolicyEvaluation as PolicyEvaluation, evaluate as evaluate
    from perfectplay.rl.gpu_arrays import GpuArray as GpuArray
    from perfectplay.rl.openspiel_game import openspiel as openspiel


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used; `__all__`, too, is made of the imports above."""
    homes = late_names(__name__)
    if name == "__all__":
        return sorted(homes)
    if name not in homes:
        raise AttributeError(f"module 'perfectplay.rl' has no attribute {name!r}")
    value = getattr(import_module(homes[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return list(__getattr__("__all__"))
