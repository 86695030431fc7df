"""Names as tables show them: in a line, of a limited width, and different from each other."""

from collections.abc import Iterator, Sequence

LONGEST = 24
"""The most characters of a name where nothing else limits it."""


def visible(text: str) -> str:
    """The text in a line: line breaks and other control characters are written as escapes."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def short_names(names: Sequence[str], width: int = LONGEST) -> list[str]:
    """The names in so many characters, all different; those that differ nowhere else end in a number."""
    for short in ways_to_shorten(names, width):
        if len({*short}) == len({*names}):
            return short
    return [with_number(name, width, number) for number, name in enumerate(names, 1)]


def ways_to_shorten(names: Sequence[str], width: int) -> Iterator[list[str]]:
    """The names without a part of their middle, with as much of the beginning as of the end first, or around it."""
    middle = (width - 1) // 2
    for end in sorted(range(width), key=lambda end: abs(end - middle)):
        yield [cut_name(name, width, end) for name in names]
    yield [around_difference(name, names, width) for name in names]


def cut_name(name: str, width: int, end: int) -> str:
    """The name in so many characters: if it is longer, only so many of its end are left, and some of its beginning."""
    if len(name) <= width:
        return name
    return f"{name[: width - 1 - end]}…{name[len(name) - end :]}"


def around_difference(name: str, names: Sequence[str], width: int) -> str:
    """The name in so many characters: if it is longer, its beginning and what tells it from the others are left."""
    if len(name) <= width:
        return name
    head = width // 4
    differs = max((alike_until(name, other) for other in names if other != name), default=0)
    start = max(head, differs - width * 5 // 12)
    return f"{name[:head]}…{name[start : start + width - head - 2]}…"


def alike_until(one: str, other: str) -> int:
    """The first place where two names differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def with_number(name: str, width: int, number: int) -> str:
    """The name in so many characters; if it is longer, it ends in the number."""
    return name if len(name) <= width else f"{name[: width - 1 - len(str(number))]}…{number}"
