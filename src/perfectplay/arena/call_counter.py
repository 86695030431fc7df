"""Counts the calls of a user's own functions while they choose a move, and tells which of them are recursive."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from inspect import CO_GENERATOR
from os.path import dirname
from types import CodeType, FrameType
from typing import Any, NamedTuple

INSIDE = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
"""Parts of a function that Python calls as functions of their own."""


class Calls(NamedTuple):
    """How many calls there were, and of which functions.

    If some are recursive, these are the most-called one and those that it is mutually recursive with, so that the count
    compares with the nodes of a search. Otherwise the total is of all functions, and `recursive` is empty.
    """

    total: int
    recursive: list[str]


class CallCounter:
    """Counts the calls of all functions of one module and of its neighbours in a folder, within a `with`.

    Calls in other threads are missed.
    """

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.module = module
        self.own_code: dict[CodeType, bool] = {}
        """Whether calls of a function count, for functions that were called."""
        self.calls: Counter[CodeType] = Counter()
        self.called_by: dict[CodeType, set[CodeType]] = {}

    def __enter__(self) -> "CallCounter":
        sys.setprofile(self.see)
        return self

    def __exit__(self, *fault: object) -> None:
        sys.setprofile(None)

    def see(self, frame: FrameType, event: str, _: object) -> None:
        """Counts a call; what goes on in generators and comprehensions belongs to the function that runs them."""
        if event == "call" and self.counts(frame):
            self.calls[frame.f_code] += 1
            self.called_by.setdefault(frame.f_code, set()).update(self.caller(frame))

    def counts(self, frame: FrameType) -> bool:
        """Whether this is a call of a function of the module or of a neighbour."""
        code = frame.f_code
        if code not in self.own_code:
            own = frame.f_globals is self.module or folder_of(frame.f_globals) == folder_of(self.module) != ""
            self.own_code[code] = own and code.co_name not in INSIDE and not code.co_flags & CO_GENERATOR
        return self.own_code[code]

    def caller(self, frame: FrameType) -> Iterator[CodeType]:
        """The function of the module from which this one was called, if there is one."""
        back = frame.f_back
        while back is not None and not self.counts(back):
            back = back.f_back
        if back is not None:
            yield back.f_code

    @property
    def result(self) -> Calls:
        """The calls counted so far."""
        above = {code: self.callers_of(code) for code in self.calls}
        recursive = [code for code in self.calls if code in above[code]]
        if not recursive:
            return Calls(self.calls.total(), [])
        most = max(recursive, key=self.calls.__getitem__)
        group = [code for code in recursive if code in above[most] and most in above[code]]
        return Calls(
            sum(self.calls[code] for code in group), [code.co_qualname.rpartition("<locals>.")[2] for code in group]
        )

    def callers_of(self, code: CodeType) -> set[CodeType]:
        """The functions from which this one was called, directly or not."""
        callers: set[CodeType] = set()
        waiting = [code]
        while waiting:
            fresh = self.called_by.get(waiting.pop(), set()) - callers
            callers |= fresh
            waiting += fresh
        return callers


def folder_of(module: Mapping[str, Any]) -> str:
    """The folder of a module's file; empty if it has none."""
    return dirname(str(module.get("__file__") or ""))
