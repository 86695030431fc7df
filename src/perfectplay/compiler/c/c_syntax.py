"""Pieces of C: names, numbers, types, lines of constants."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from perfectplay.compiler.intervals.interval import Interval, Value

KEYWORDS = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    bool true false asm main""".split()  # noqa: SIM905
)
RESERVED = re.compile("_[A-Z_]|U?INT|SIZE_|PTRDIFF|SIG_|WCHAR|WINT")
"""How names begin that belong to C and to stdint.h."""
PLAIN = 16
"""The bits that an `int` of C has at least."""


class Part(NamedTuple):
    """An expression in C, the bits of its type, and whether it can stand beside an operator as it is."""

    text: str
    bits: int
    alone: bool = False

    def inside(self) -> str:
        """The expression as a part of another."""
        return self.text if self.alone else f"({self.text})"

    def cast(self, bits: int) -> "Part":
        """The expression as a word of that many bits."""
        return Part(f"(int{bits}_t){self.inside()}", bits)


def plain(name: str) -> str:
    """A name that C accepts; two different names may become the same."""
    found = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
    if RESERVED.match(found):
        return f"v{found}"
    return f"{found}_" if found in KEYWORDS or found.endswith("_t") else found


def near(node: ast.expr) -> str:
    """What to call the constants that stand here."""
    return re.sub(r"_v\d+$", "", node.id) if isinstance(node, ast.Name) else "these"


def literal(number: int) -> Part:
    """A number as C writes it."""
    if number == -(1 << 63):
        return Part("INT64_MIN", 64, True)
    if number < 0:
        return Part(f"-{literal(-number).text}", literal(-number).bits)
    text = str(number) if number < 1000 else hex(number)
    if number < 1 << PLAIN - 1:
        return Part(text, PLAIN, True)
    return Part(f"INT32_C({text})", 32, True) if number < 1 << 31 else Part(f"INT64_C({text})", 64, True)


def bits_for(value: Value) -> int:
    """The bits of the words that hold all numbers of a value."""
    return 32 if fits_all(value, 32) else 64


def leaves(value: Value) -> Iterator[Interval]:
    """All numbers of a value."""
    if isinstance(value, Interval):
        yield value
    else:
        for part in value:
            yield from leaves(part)


def fits_all(value: Value, bits: int) -> bool:
    """Whether words of that many bits hold all numbers of the value."""
    return all(one.fits(bits) for one in leaves(value))


def row_width(value: tuple[Value, ...]) -> int:
    """How many numbers each part of a tuple of constants has."""
    return len(list(leaves(value[0])))


def kind_of(value: Value) -> int:
    """The bits of the words that hold constants."""
    return next(bits for bits in (8, 16, 32, 64) if fits_all(value, bits))


def bytes_of(value: Value) -> int:
    """The bytes that constants take."""
    return len(list(leaves(value))) * kind_of(value) // 8


def array_lines(name: str, value: tuple[Value, ...]) -> Iterator[str]:
    """The definition of an array."""
    rows = [[literal(one.least).text for one in leaves(row)] for row in value]
    deep = isinstance(value[0], tuple)
    size = f"[{len(value)}]" + (f"[{row_width(value)}]" if deep else "")
    yield f"static const int{kind_of(value)}_t {name}{size} = {{"
    yield from wrapped(f"{{{', '.join(row)}}}" if deep else row[0] for row in rows)
    yield "};"


def either(test: Part, a: Part, b: Part) -> Part:
    """One of two expressions."""
    return Part(f"{test.inside()} ? {a.inside()} : {b.inside()}", max(a.bits, b.bits))


def element_bits(value: Value) -> int:
    """The bits of the type that an element of an array has in an expression."""
    return PLAIN if fits_all(value, PLAIN) else bits_for(value)


def target_names(target: ast.expr) -> list[str]:
    """The names that an assignment gives values to."""
    if isinstance(target, ast.Name):
        return [target.id]
    return [name for part in getattr(target, "elts", []) for name in target_names(part)]


def mentions(text: str, name: str) -> bool:
    """Whether the text uses the name."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def wrapped(items: Iterable[str], width: int = 100) -> Iterator[str]:
    """Items with commas between them, in lines of at most `width` characters."""
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > width and line.strip():
            yield line
            line = "   "
        line += f" {item},"
    if line.strip():
        yield line.removesuffix(",")
