"""Packages that only some functions need: imported when they are first used, or an error that says how to get them."""

from importlib import import_module
from typing import Any

from perfectplay.words import MissingPackage


def imported(module: str, extra: str, what: str) -> Any:
    """The module, which comes with an extra of this package; raises MissingPackage, where `what` needs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] != module.partition(".")[0]:
            raise
        package = module.partition(".")[0]
        raise MissingPackage(f"{what} needs {package}, which is missing: pip install 'perfectplay[{extra}]'") from None
