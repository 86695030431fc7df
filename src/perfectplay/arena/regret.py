"""Temporary."""

from typing import Any


def regret_of(*a: Any) -> Any:
    return ((), ())
