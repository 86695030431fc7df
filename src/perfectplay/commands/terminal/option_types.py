"""The types of options: text on the command line -> value.

Each imports what it needs when such an option is given, so that others do not wait for it.
"""

import argparse
from collections.abc import Callable

from perfectplay.words import BadArgument


def engine(text: str) -> str:
    """The name of an engine, also by its earlier name."""
    from perfectplay.solvers.engine_table import engine_by_name

    try:
        return engine_by_name(text).name
    except BadArgument:
        return text


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number in this range."""

    def number(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least:,} to {most:,}")
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
    from perfectplay.commands.terminal.arguments import size_in_bytes

    try:
        return size_in_bytes(text)
    except BadArgument as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def memory_size(text: str) -> int:
    """The bytes of memory in the text, if they are enough: 800M, 4G."""
    from perfectplay.commands.terminal.arguments import memory_in_bytes

    try:
        return memory_in_bytes(text) or 0
    except BadArgument as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None
