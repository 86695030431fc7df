"""Which variants a text asks for: `lines:3..5,3..5,3,misere=false|true` is a board of each size, with and without.

A part is a size, a range `a..b`, or a list `a|b|c` of both; the variants are all combinations, the last part runs
fastest.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from types import ModuleType

from perfectplay.game import Game
from perfectplay.insight.sweeps.facts import Size, Skipped, Variant
from perfectplay.rules.families import bound_sizes, called, family_of, full_sizes, load_family
from perfectplay.rules.loading import load_file, load_game, split_path
from perfectplay.words import BadArgument, BadGame

MOST = 10_000
"""The most variants of a sweep."""
HYPHEN = re.compile(r"\s*[0-9]+\s*-\s*[0-9]+\s*")
"""A range as some people write it."""
RANGE = re.compile(r"\s*(-?[0-9]{1,9})\s*\.\.\s*(-?[0-9]{1,9})\s*")


def names_in(text: str) -> list[str]:
    """The names of the variants that the text asks for; raises BadArgument."""
    family, sizes = split_name(text)
    if not sizes:
        return [text]
    parts = [choices_in(text, part) for part in sizes.split(",")]
    if prod(map(len, parts)) > MOST:
        raise BadArgument(f"{text!r} means {prod(map(len, parts)):,} variants; ask for at most {MOST:,} at a time")
    return [f"{family}:{','.join(chosen)}" for chosen in product(*parts)]


def split_name(text: str) -> tuple[str, str]:
    """The family or file, and the sizes behind the colon."""
    path, sizes = split_path(text)
    if path is not None:
        return text.removesuffix(f":{sizes}"), sizes
    family, _, sizes = text.partition(":")
    return family, sizes


def choices_in(text: str, part: str) -> list[str]:
    """The sizes that a part stands for, each with its keyword if it has one."""
    keyword, equals, values = part.rpartition("=")
    found = [size for value in values.split("|") for size in sizes_in(text, value)]
    return [f"{keyword}{equals}{size}" for size in dict.fromkeys(found)]


def sizes_in(text: str, value: str) -> list[str]:
    """The sizes of a range, or the one size."""
    ends = RANGE.fullmatch(value)
    if ends is None:
        if not value.strip():
            raise BadArgument(f"{text!r}: a size is missing between commas or bars")
        if ".." in value or HYPHEN.fullmatch(value):
            raise BadArgument(f"{text!r}: {value!r} is not a range of sizes; write 3..5, or false|true for a switch")
        return [value.strip()]
    low, high = int(ends[1]), int(ends[2])
    if low > high:
        raise BadArgument(f"{text!r}: the range {value.strip()} is empty; write the least first: {high}..{low}")
    if high - low >= MOST:
        raise BadArgument(
            f"{text!r}: the range {value.strip()} has {high - low + 1:,} sizes; at most {MOST:,} are swept"
        )
    return [str(size) for size in range(low, high + 1)]


def variants_of(
    texts: Sequence[str], probed: Callable[[list[str]], dict[str, BadGame]] = lambda names: {}
) -> tuple[list[tuple[Variant, Game | BadGame]], list[Skipped]]:
    """The variants that can be, each with its rules or why they do not work, and those that cannot be, with why.

    People's own files are `probed` before their rules run here: the function gives the variants that do not work, with
    why. Raises BadArgument if there is no variant, and BadGame for a game that does not exist.
    """
    names = list(dict.fromkeys(name for text in texts for name in names_in(text)))
    if len(names) > MOST:
        raise BadArgument(f"these are {len(names):,} variants; ask for at most {MOST:,} at a time")
    found: dict[str, tuple[Variant, Game | BadGame]] = {}
    skipped: list[Skipped] = []
    variants = {variant.game: variant for variant in map(variant_of, names)}
    refused = probed([name for name in variants if split_path(name)[0] is not None])
    for variant in variants.values():
        try:
            if variant.game in refused:
                raise refused[variant.game]
            found[variant.game] = variant, load_game(variant.game)
        except BadGame as fault:
            if fault.impossible:
                skipped.append(Skipped(variant.game, reason(variant.game, fault)))
            else:
                found[variant.game] = variant, fault
    if not found:
        none = "the only variant" if len(skipped) == 1 else f"each of the {len(skipped):,} variants"
        raise BadArgument(f"{none} is impossible; {skipped[0].game}: {skipped[0].why}")
    return list(found.values()), skipped


def reason(name: str, fault: BadGame) -> str:
    """Why a variant cannot be, without its name."""
    return str(fault).removeprefix(f"{name!r}: ").removeprefix(f"{name!r} ")


def variant_of(name: str) -> Variant:
    """The variant of that name, with all its sizes by name; raises BadGame."""
    typed, given = split_name(name)
    module, family, own = module_of(typed, name)
    if name.endswith(":") or (own and given):
        load_game(name)  # which says what is wrong
    try:
        sizes = bound_sizes(module, given or own)
    except (BadGame, TypeError):
        load_game(name)
        raise
    signature = inspect.signature(module.game)
    kept = ",".join(part for part in given.split(",") if part and not is_usual(signature, part))
    game = typed + (f":{full_sizes(module, kept)}" if kept else "")
    return Variant(game, family, dict(sizes_by_name(sizes)))


def module_of(typed: str, name: str) -> tuple[ModuleType, str, str]:
    """The game's file, what its family is called, and the sizes that an alias stands for; raises BadGame."""
    path, _ = split_path(typed)
    if path is not None:
        module = load_file(path, BadGame)
        if not callable(getattr(module, "game", None)):
            load_game(name)
        return module, typed, ""
    meant = called(typed)
    if meant is None:
        load_game(name)
        raise BadGame(f"{name!r} cannot be swept; give a game of this package, or your own file")
    known = family_of(meant)
    return load_family(known.name), known.name, known.aliases.get(meant, "")


def is_usual(signature: inspect.Signature, part: str) -> bool:
    """Whether this part is a switch that is off, as it is if it is not named."""
    name, equals, value = (piece.strip() for piece in part.partition("="))
    size = signature.parameters.get(name)
    return bool(equals) and size is not None and size.default is False and value.lower() == "false"


def sizes_by_name(given: dict[str, object]) -> Iterator[tuple[str, Size]]:
    """The sizes by name; those of any number have theirs with a number each."""
    for name, value in given.items():
        if isinstance(value, int):
            yield name, value
        elif isinstance(value, tuple):
            yield from ((f"{name}_{number}", size) for number, size in enumerate(value, 1))
        elif isinstance(value, dict):
            yield from value.items()
