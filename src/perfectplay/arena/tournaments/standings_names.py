"""The names of players as tables show them: in a line, of a limited width, and different from each other."""

from collections.abc import Sequence

NARROWEST = 12
"""The fewest characters to which names are shortened."""


def visible(text: str) -> str:
    """The text in a line: line breaks and other control characters are written as escapes."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def fitting_names(names: Sequence[str], width: int) -> list[str]:
    """The names in so many characters, all different: those that differ only in what is left out end in a number."""
    found = short_names(names, width)
    return [numbered(name, width, number) for number, name in enumerate(names, 1)] if found is None else found


def short_names(names: Sequence[str], width: int) -> list[str] | None:
    """The names in so many characters, with as much of the beginning as of the end, unless that makes two alike.

    None if two of them are alike wherever they are cut.
    """
    middle = (width - 1) // 2
    for end in sorted(range(width), key=lambda end: abs(end - middle)):
        found = [shortened(name, width, end) for name in names]
        if len({*found}) == len({*names}):
            return found
    return None


def shortened(name: str, width: int, end: int) -> str:
    """The name in so many characters: if it is longer, only so many of its end are left, and some of its beginning."""
    if len(name) <= width:
        return name
    return f"{name[: width - 1 - end]}…{name[len(name) - end :]}"


def numbered(name: str, width: int, number: int) -> str:
    """The name in so many characters; if it is longer, it ends in the number."""
    return name if len(name) <= width else f"{name[: width - 1 - len(str(number))]}…{number}"
