"""The types of options: text on the command line -> value."""

import argparse
from collections.abc import Callable

LEAST_MEMORY = 200 << 20
OLD_ENGINES = {"plain": "python", "compiled": "numba"}
"""Earlier names of engines, still accepted."""


def engine(text: str) -> str:
    """The name of an engine, also by its earlier name."""
    return OLD_ENGINES.get(text, text)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number in this range."""

    def number(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return number


def seconds(text: str) -> float:
    """The seconds in the text."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= 10**9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in seconds, such as 2 or 0.5")
    return number


def size(text: str) -> int:
    """The bytes in the text: 4000, 32K, 800M."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    powers = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
    if unit not in powers or not number.isdecimal() or not 0 < int(number) < 10**12:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 4000, 32K, 800M or 4G")
    return int(number) << 10 * powers[unit]


def memory_size(text: str) -> int:
    """The bytes of memory in the text, if they are enough: 800M, 4G."""
    found = size(text)
    if found < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(f"{text!r} is less than the 200M that every solve needs")
    return found
