"""Signatures in the reference as Python has them: the keys of a TypedDict with their defaults, as of `**options`."""

import inspect
from typing import Any

from griffe import DocstringSectionParameters, Extension, Function

import perfectplay

PUBLIC = {
    f"{one.__module__}.{one.__name__}": one
    for one in (getattr(package, name) for package in (perfectplay, perfectplay.rl) for name in package.__all__)
    if inspect.isfunction(one) and hasattr(one, "__signature__")
}
"""The functions whose signature has more than their source says."""


class PlainSignatures(Extension):
    """Gives the keywords that `unpack_typeddict` has found their defaults, and takes back the list of them."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Looks at a public function, after that extension."""
        public = PUBLIC.get(func.path)
        if public is None:
            return
        for one in inspect.signature(public).parameters.values():
            if one.name in func.parameters and func.parameters[one.name].default == "...":
                func.parameters[one.name].default = repr(one.default)
        if func.docstring is not None:
            parsed = func.docstring.parsed
            parsed[:] = [section for section in parsed if not isinstance(section, DocstringSectionParameters)]
