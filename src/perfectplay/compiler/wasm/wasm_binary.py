"""WebAssembly modules as bytes: functions over 64-bit integers, one memory, and what the outside can call."""

import ast
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, SupportsIndex, cast

I32, I64 = 0x7F, 0x7E
BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, RETURN, CALL = 0x02, 0x03, 0x04, 0x05, 0x0B, 0x0C, 0x0D, 0x0F, 0x10
UNREACHABLE, DROP, SELECT = 0x00, 0x1A, 0x1B
LOCAL_GET, LOCAL_SET, LOCAL_TEE = 0x20, 0x21, 0x22
I64_LOAD, I64_STORE, I32_CONST, I64_CONST = 0x29, 0x37, 0x41, 0x42
I32_EQZ, I32_AND, I32_OR, I32_SHL = 0x45, 0x71, 0x72, 0x74
I64_EQZ, I64_EQ, I64_NE, I64_LT_S, I64_GT_S, I64_LE_S, I64_GE_S = 0x50, 0x51, 0x52, 0x53, 0x55, 0x57, 0x59
I64_CLZ, I64_CTZ, I64_POPCNT, I64_ADD, I64_SUB, I64_MUL, I64_DIV_S = 0x79, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F
I64_AND, I64_OR, I64_XOR, I64_SHL, I64_SHR_S, I64_SHR_U = 0x83, 0x84, 0x85, 0x86, 0x87, 0x88
I32_WRAP, I64_EXTEND_U = 0xA7, 0xAD
NOTHING = 0x40
PAGE = 1 << 16
"""Bytes of a page of memory."""

Code = list[bytes]
"""Instructions, in order."""


class Function(NamedTuple):
    """A function: how many numbers it takes and returns, how many more locals it has, and its instructions."""

    parameters: int
    results: int
    more: int
    code: bytes


def unsigned(number: int) -> bytes:
    """A number from 0 in LEB128."""
    found = bytearray()
    while True:
        low = number & 0x7F
        number >>= 7
        if not number:
            return bytes([*found, low])
        found.append(low | 0x80)


def signed(number: int) -> bytes:
    """A number in signed LEB128."""
    found = bytearray()
    while True:
        low = number & 0x7F
        number >>= 7
        if (number == 0 and not low & 0x40) or (number == -1 and low & 0x40):
            return bytes([*found, low])
        found.append(low | 0x80)


def op(code: int, *numbers: int) -> bytes:
    """An instruction with indices behind it."""
    return bytes([code]) + b"".join(map(unsigned, numbers))


def number(value: int) -> bytes:
    """The instruction that pushes a 64-bit number."""
    return bytes([I64_CONST]) + signed((value + (1 << 63)) % (1 << 64) - (1 << 63))


def module(functions: Sequence[Function], exported: dict[str, int], data: bytes, bytes_of_memory: int) -> bytes:
    """The module; its memory, exported as `memory`, begins with the data."""
    kinds = list(dict.fromkeys((one.parameters, one.results) for one in functions))
    types = [b"\x60" + vector([bytes([I64])] * taken) + vector([bytes([I64])] * given) for taken, given in kinds]
    pages = -(-max(bytes_of_memory, len(data), 1) // PAGE)
    exports = [name_of(name) + b"\x00" + unsigned(index) for name, index in exported.items()]
    bodies = [
        sized((unsigned(1) + unsigned(one.more) + bytes([I64]) if one.more else unsigned(0)) + one.code + bytes([END]))
        for one in functions
    ]
    parts = {
        1: vector(types),
        3: vector([unsigned(kinds.index((one.parameters, one.results))) for one in functions]),
        5: vector([b"\x00" + unsigned(pages)]),
        7: vector([*exports, name_of("memory") + b"\x02\x00"]),
        10: vector(bodies),
    }
    if data:
        parts[11] = vector([b"\x00" + bytes([I32_CONST]) + signed(0) + bytes([END]) + sized(data)])
    return b"\x00asm\x01\x00\x00\x00" + b"".join(bytes([kind]) + sized(part) for kind, part in parts.items())


def vector(items: Iterable[bytes]) -> bytes:
    """How many items there are, and the items."""
    items = list(items)
    return unsigned(len(items)) + b"".join(items)


def sized(content: bytes) -> bytes:
    """How many bytes there are, and the bytes."""
    return unsigned(len(content)) + content


def name_of(text: str) -> bytes:
    """A name."""
    return sized(text.encode())


# What a translation knows before the code runs: constants, places of variables, and operations on them.


ARITHMETIC: dict[type[ast.operator], tuple[int, Callable[[Any, Any], Any]]] = {
    ast.Add: (I64_ADD, operator.add),
    ast.Sub: (I64_SUB, operator.sub),
    ast.Mult: (I64_MUL, operator.mul),
    ast.BitAnd: (I64_AND, operator.and_),
    ast.BitOr: (I64_OR, operator.or_),
    ast.BitXor: (I64_XOR, operator.xor),
    ast.LShift: (I64_SHL, operator.lshift),
    ast.RShift: (I64_SHR_S, operator.rshift),
}
COMPARISONS: dict[type[ast.cmpop], tuple[int, Callable[[Any, Any], Any]]] = {
    ast.Eq: (I64_EQ, operator.eq),
    ast.NotEq: (I64_NE, operator.ne),
    ast.Lt: (I64_LT_S, operator.lt),
    ast.LtE: (I64_LE_S, operator.le),
    ast.Gt: (I64_GT_S, operator.gt),
    ast.GtE: (I64_GE_S, operator.ge),
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: lambda value: int(not value),
}
BUILT_IN: dict[str, Callable[..., Any]] = {"min": min, "max": max, "len": len, "abs": abs}
WRAPPING = {
    "wrapping_add": I64_ADD,
    "wrapping_sub": I64_SUB,
    "wrapping_mult": I64_MUL,
    "wrapping_lshift": I64_SHL,
}
COUNTS = {"ones": I64_POPCNT, "lowest": I64_CTZ}
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
