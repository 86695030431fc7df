"""Which classes and functions in rules can be inspected, and which need not be."""

import enum
import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

SCALARS: set[type] = {type(None), type(...), type(NotImplemented), bool, int, float, complex, str, bytes, range}
CONTAINERS = {tuple, list, deque, dict, OrderedDict, Counter, defaultdict, set, frozenset, types.SimpleNamespace}
STATELESS = {"abc", "typing", "enum", "fractions", "numbers"}
"""Python modules whose classes have no state beyond their attributes."""
PURE = {
    "abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex", "dict",
    "divmod", "enumerate", "filter", "float", "format", "frozenset", "hex", "int", "isinstance", "issubclass",
    "iter", "len", "list", "map", "max", "memoryview", "min", "next", "oct", "ord", "pow", "print", "range", "repr",
    "reversed", "round", "set", "slice", "sorted", "staticmethod", "classmethod", "property", "str", "sum", "tuple",
    "super", "type", "zip", "object",
}  # fmt: skip
"""Builtins whose results depend on their arguments alone."""
PURE_MODULES = {
    "math", "cmath", "operator", "_operator", "itertools", "functools", "_functools", "bisect", "_bisect", "heapq",
    "_heapq", "collections", "_collections", "fractions", "numbers", "typing", "enum", "dataclasses", "abc",
    "string", "numpy", "perfectplay",
}  # fmt: skip
"""Modules whose functions, as far as rules use them, are all like that."""
IMPURE_MODULES = {"numpy.random"}
PASSED_OVER = {
    "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__annotate__",
    "__annotate_func__", "__annotations_cache__", "__firstlineno__", "__static_attributes__", "__match_args__",
    "__parameters__", "__orig_bases__", "__abstractmethods__", "_abc_impl", "__dataclass_fields__",
    "__dataclass_params__", "__slots__", "__repr__", "__hash__",
}  # fmt: skip
"""Attributes of classes that no rule reads, or that follow from others."""


def is_pure(value: Any) -> bool:
    """Whether this is a class or function, not a rule writer's, that depends on its arguments alone."""
    if not isinstance(value, type | types.BuiltinFunctionType | types.FunctionType):
        return False
    module, name = value.__module__, value.__qualname__
    if module == "builtins":
        return name in PURE or (isinstance(value, type) and issubclass(value, BaseException))
    if module is None or module in IMPURE_MODULES or "." in name:
        return False
    family = module.partition(".")[0]
    if family == "perfectplay":  # its functions are inspected like a rule writer's
        return isinstance(value, type) and not module.startswith("perfectplay.games")
    return family in PURE_MODULES


def looks_plain(kind: type) -> bool:
    """Whether instances of the class are pure Python: their state is in attributes and known containers."""
    return all(
        base in SCALARS or base in CONTAINERS or base.__module__ in STATELESS or not of_library(base)
        for base in kind.__mro__[:-1]
    ) and not (kind is object or (of_library(kind) and kind.__module__ not in STATELESS))


def of_library(kind: type) -> bool:
    """Whether the class is part of Python."""
    return kind.__module__.partition(".")[0] in sys.stdlib_module_names


def made_by_library(owner: type, content: Any) -> bool:
    """Whether an attribute of a class comes from its kind: an enumeration, a named tuple."""
    module = str(getattr(getattr(content, "__func__", content), "__module__", ""))
    if isinstance(owner, enum.EnumMeta):
        return module == "enum" or not isinstance(content, types.FunctionType | staticmethod | classmethod | property)
    return type(content).__name__ == "_tuplegetter" or module == "collections" or module.startswith("namedtuple_")
