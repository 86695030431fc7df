"""What rules depend on: the code and data that they can reach, as a digest that is the same in every process.

Functions count by their code, their defaults and what they take from around them; containers by what is in them, sets
without their order; modules by those of their names that are used. What cannot be looked into is Opaque.
"""

import builtins
import dis
import enum
import functools
import types
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from perfectplay.purity import PASSED_OVER, SCALARS, is_pure, looks_plain, made_by_library

LOADS_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
LOADS_CELL = {"LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"}
LOADS_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD"}
FILLERS = {"EXTENDED_ARG", "CACHE", "PRECALL", "PUSH_NULL"}


class Opaque(Exception):
    """Something whose changes could not be noticed; the message says what and where."""


class Dependencies:
    """A walk over values and all that they reach, each written to a digest; raises Opaque."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.digest = sha256()
        self.globals: dict[types.FunctionType, set[str]] = {}
        """Every function met, and the names that it takes from its file."""
        self.mutable = False
        """Whether something was met that could change while rules run."""
        self.numbers: dict[int, int] = {}
        self.held: list[object] = []
        """All that has a number, so that no other value takes its id."""
        for name, value in values.items():
            self.add(value, name)

    def write(self, *parts: object) -> None:
        """Adds plain values to the digest."""
        self.digest.update(repr(parts).encode())

    def add(self, value: Any, name: str) -> None:
        """Adds the value, which rules know by that name."""
        kind = type(value)
        if kind in SCALARS:
            self.write(kind.__name__, value)
        elif is_pure(value):
            self.write("pure", value.__module__, value.__qualname__)
        elif kind in (tuple, frozenset):  # never numbered: equal ones may or may not be one object
            self.write(kind.__name__)
            LOOKS_INTO[kind](self, value, name)
        elif id(value) in self.numbers:
            self.write("again", self.numbers[id(value)])
        else:
            self.numbers[id(value)] = len(self.numbers)
            self.held.append(value)
            self.write(kind.__qualname__)
            self.mutable |= kind not in FIXED
            LOOKS_INTO.get(kind, add_other)(self, value, name)

    def add_apart(self, values: Iterable[Any], name: str) -> None:
        """Adds values whose order means nothing."""
        digests = []
        for value in values:
            apart = Dependencies({})
            apart.numbers, apart.held, apart.globals = dict(self.numbers), self.held, self.globals
            apart.add(value, name)
            self.mutable |= apart.mutable
            digests.append(apart.digest.digest())
        self.write(sorted(digests))


def add_items(found: Dependencies, value: Any, name: str) -> None:
    """Adds a sequence."""
    if all(type(item) is int for item in value):
        found.write("numbers", tuple(value))
        return
    found.write("items", len(value))
    for item in value:
        found.add(item, name)


def add_mapping(found: Dependencies, value: Mapping[Any, Any], name: str) -> None:
    """Adds a dictionary, in its order."""
    if isinstance(value, defaultdict):
        found.add(value.default_factory, name)
    add_items(found, tuple(value.keys()), name)
    add_items(found, tuple(value.values()), name)


def add_set(found: Dependencies, value: Iterable[Any], name: str) -> None:
    """Adds a set."""
    found.add_apart(value, name)


def add_function(found: Dependencies, function: types.FunctionType, name: str) -> None:
    """Adds a function: its code, its defaults, and what its code names."""
    add_code(found, function.__code__, name)
    found.add(function.__defaults__, name)
    found.add(tuple((function.__kwdefaults__ or {}).items()), name)
    found.mutable |= bool(vars(function))
    found.add(tuple(vars(function).items()), name)
    own = found.globals.setdefault(function, set())
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for kind, used, attributes in uses(function.__code__):
        if kind in LOADS_GLOBAL:
            found.write("global", used)
            known = function.__globals__ if used in function.__globals__ else vars(builtins)
            own.update({used} & function.__globals__.keys())
            add_named(found, used, known, attributes, name)
        elif used in cells and kind in LOADS_CELL:
            found.write("cell", used)
            add_named(found, used, contents(used, cells[used]), attributes, name)
        elif kind in ("STORE_GLOBAL", "DELETE_GLOBAL") or (used in cells and kind in ("STORE_DEREF", "DELETE_DEREF")):
            raise Opaque(f"{name} changes {used}, which is not its own")
        elif kind == "IMPORT_NAME":
            raise Opaque(f"{name} imports {used} while it runs; import it at the top of the file")


def contents(name: str, cell: types.CellType) -> dict[str, Any]:
    """The value in a cell by its name; nothing if the cell is empty."""
    try:
        return {name: cell.cell_contents}
    except ValueError:
        return {}


def add_named(found: Dependencies, name: str, known: Mapping[str, Any], attributes: list[str], user: str) -> None:
    """Adds what a name means; of a module only the attribute that is used."""
    if name not in known:
        found.write("nothing")
        return
    value = known[name]
    while isinstance(value, types.ModuleType) and attributes:
        name, value = f"{name}.{attributes[0]}", getattr(value, attributes[0], None)
        attributes = attributes[1:]
    if isinstance(value, types.ModuleType):
        raise Opaque(f"{user} uses {name}, a whole module")
    found.add(value, name)


def add_code(found: Dependencies, code: types.CodeType, name: str) -> None:
    """Adds code with its constants, code inside included; no line numbers."""
    found.write(code.co_code, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    found.write(code.co_flags, code.co_argcount, code.co_kwonlyargcount, code.co_exceptiontable)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            add_code(found, constant, name)
        else:
            found.add(constant, name)


def uses(code: types.CodeType) -> Iterator[tuple[str, Any, list[str]]]:
    """Each operation of the code, and of code inside: its kind, its argument, and the attributes then taken."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in FILLERS]
    for at, step in enumerate(steps):
        attributes = []
        while at + 1 < len(steps) and steps[at + 1].opname in LOADS_ATTRIBUTE:
            at += 1
            attributes.append(steps[at].argval)
        yield step.opname, step.argval, attributes
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from uses(constant)


def add_class(found: Dependencies, value: type, name: str) -> None:
    """Adds a rule writer's class: its bases, and its attributes by name."""
    found.write(value.__qualname__)
    found.add(value.__bases__, name)
    if isinstance(value, enum.EnumMeta):
        found.write([*vars(value)["_member_map_"]])
        found.add(tuple(vars(member)["_value_"] for member in vars(value)["_member_map_"].values()), name)
    for attribute, content in sorted(vars(value).items()):
        if attribute in PASSED_OVER or made_by_library(value, content):
            continue
        found.write(attribute)
        if isinstance(content, IN_C) and content.__objclass__ is value:
            raise Opaque(f"{name} is {value.__name__}, a class that is not written in Python")
        if not isinstance(content, types.MemberDescriptorType):
            found.add(content, f"{name}.{attribute}")


def add_other(found: Dependencies, value: Any, name: str) -> None:
    """Adds what has no type of its own here: classes, enumerations, arrays, instances of a rule writer's classes."""
    kind = type(value)
    if isinstance(value, type):
        add_class(found, value, name)
    elif isinstance(value, enum.Enum):
        found.add(kind, name)
        found.write(value.name)
    elif kind.__module__ == "numpy":
        add_numpy(found, value, name)
    elif kind.__module__.startswith("numba.") and hasattr(value, "py_func"):
        found.add(value.py_func, name)
    elif looks_plain(kind):
        found.add(kind, name)
        base = next((base for base in kind.__mro__ if base in LOOKS_INTO or base in SCALARS), None)
        if base is not None:
            LOOKS_INTO.get(base, add_scalar)(found, value, name)
        state = dict(getattr(value, "__dict__", {}))
        slots = [slot for base in kind.__mro__ for slot in as_names(vars(base).get("__slots__", ()))]
        state.update({slot: getattr(value, slot) for slot in slots if hasattr(value, slot)})
        for attribute, content in state.items():
            found.write(attribute)
            found.add(content, f"{name}.{attribute}")
    else:
        raise Opaque(f"{name} is {described(kind)}, which cannot be looked into")


def described(kind: type) -> str:
    """The type in words."""
    return f"{'an' if kind.__name__[0] in 'aeiouAEIOU' else 'a'} {kind.__name__}"


def as_names(slots: Any) -> tuple[str, ...]:
    """The names of slots, of which one may stand alone."""
    return (slots,) if isinstance(slots, str) else tuple(slots)


def add_scalar(found: Dependencies, value: Any, name: str) -> None:
    """Adds a number or text of a rule writer's own type."""
    base: Any = next(base for base in type(value).__mro__ if base in SCALARS)
    found.write(base.__name__, base(value))


def add_numpy(found: Dependencies, value: Any, name: str) -> None:
    """Adds an array or number of numpy, or one of its functions."""
    if type(value).__name__ in ("ufunc", "_ArrayFunctionDispatcher"):
        found.write(value.__name__)
    elif getattr(value, "dtype", None) is not None and not value.dtype.hasobject and hasattr(value, "tobytes"):
        found.write(str(value.dtype.descr), value.shape, sha256(value.tobytes()).hexdigest())
    else:
        raise Opaque(f"{name} is {described(type(value))} of numpy, which cannot be looked into")


def parts_of(*attributes: str) -> Callable[[Dependencies, Any, str], None]:
    """Adds these attributes of a value."""

    def add(found: Dependencies, value: Any, name: str) -> None:
        for attribute in attributes:
            found.add(getattr(value, attribute), name)

    return add


def add_method(found: Dependencies, value: Any, name: str) -> None:
    """Adds a method of a builtin type, or such a method of one value."""
    found.write(value.__name__)
    owner = value.__objclass__ if hasattr(value, "__objclass__") else value.__self__
    if owner is None or isinstance(owner, types.ModuleType):
        raise Opaque(f"{name} is {value.__name__}() of {value.__module__}, whose answers may change")
    found.add(owner, name)


IN_C = (types.MethodDescriptorType, types.WrapperDescriptorType, types.GetSetDescriptorType)
BUILTIN_METHODS = (
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
)
FIXED = {
    types.FunctionType,
    types.MethodType,
    functools.partial,
    functools._lru_cache_wrapper,
    slice,
    property,
    staticmethod,
    classmethod,
    *BUILTIN_METHODS,
}
LOOKS_INTO: dict[type, Callable[[Dependencies, Any, str], None]] = {
    **dict.fromkeys((tuple, list, deque), add_items),
    **dict.fromkeys((dict, OrderedDict, Counter, defaultdict, types.MappingProxyType), add_mapping),
    **dict.fromkeys((set, frozenset), add_set),
    types.SimpleNamespace: lambda found, value, name: add_mapping(found, vars(value), name),
    bytearray: lambda found, value, name: found.write(bytes(value)),
    memoryview: lambda found, value, name: found.write(value.format, value.tobytes()),
    array: lambda found, value, name: found.write(value.typecode, value.tobytes()),
    types.FunctionType: add_function,
    types.MethodType: parts_of("__func__", "__self__"),
    functools.partial: parts_of("func", "args", "keywords"),
    functools._lru_cache_wrapper: parts_of("__wrapped__"),
    slice: parts_of("start", "stop", "step"),
    property: parts_of("fget"),
    **dict.fromkeys((staticmethod, classmethod), parts_of("__func__")),
    **dict.fromkeys(BUILTIN_METHODS, add_method),
}
