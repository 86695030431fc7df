"""What a translation knows before the code runs: constants, places of variables, and operations on them."""

import ast
import operator
from collections.abc import Callable
from typing import Any, NamedTuple, SupportsIndex, cast

from perfectplay.compiler.wasm import wasm_binary as wasm

ARITHMETIC: dict[type[ast.operator], tuple[int, Callable[[Any, Any], Any]]] = {
    ast.Add: (wasm.I64_ADD, operator.add),
    ast.Sub: (wasm.I64_SUB, operator.sub),
    ast.Mult: (wasm.I64_MUL, operator.mul),
    ast.BitAnd: (wasm.I64_AND, operator.and_),
    ast.BitOr: (wasm.I64_OR, operator.or_),
    ast.BitXor: (wasm.I64_XOR, operator.xor),
    ast.LShift: (wasm.I64_SHL, operator.lshift),
    ast.RShift: (wasm.I64_SHR_S, operator.rshift),
}
COMPARISONS: dict[type[ast.cmpop], tuple[int, Callable[[Any, Any], Any]]] = {
    ast.Eq: (wasm.I64_EQ, operator.eq),
    ast.NotEq: (wasm.I64_NE, operator.ne),
    ast.Lt: (wasm.I64_LT_S, operator.lt),
    ast.LtE: (wasm.I64_LE_S, operator.le),
    ast.Gt: (wasm.I64_GT_S, operator.gt),
    ast.GtE: (wasm.I64_GE_S, operator.ge),
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: lambda value: int(not value),
}
BUILT_IN: dict[str, Callable[..., Any]] = {"min": min, "max": max, "len": len, "abs": abs}
WRAPPING = {
    "wrapping_add": wasm.I64_ADD,
    "wrapping_sub": wasm.I64_SUB,
    "wrapping_mult": wasm.I64_MUL,
    "wrapping_lshift": wasm.I64_SHL,
}
COUNTS = {"ones": wasm.I64_POPCNT, "lowest": wasm.I64_CTZ}
CASTS = ("int64", "uint64")

Known = Any
"""A constant: a number, or a tuple of constants."""


class Address(int):
    """Where an array of 64-bit numbers begins in memory."""


class Unknown:
    """What is not known before the code runs."""


UNKNOWN: Any = Unknown()


class Place(NamedTuple):
    """Where a variable is: its locals, several for a tuple."""

    locals: tuple[int, ...]


class CannotTranslate(Exception):
    """A function uses what has no translation."""


def plain(value: object) -> Known:
    """A value of a module as a constant: numbers of any kind, and tuples of them; UNKNOWN for all else."""
    if isinstance(value, tuple):
        parts = tuple(plain(part) for part in value)
        return UNKNOWN if UNKNOWN in parts else parts
    if isinstance(value, Address):
        return value
    try:
        return operator.index(cast(SupportsIndex, value))
    except TypeError:
        return UNKNOWN
