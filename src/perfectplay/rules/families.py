"""The games that come with the package: their names, and what their files tell about them.

A game's name is the name of its file in `perfectplay/games/`, or an alias that the file itself declares. Nothing is
registered anywhere.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from perfectplay.words import BadGame

Size = int | bool

GAMES = Path(__file__).parents[1] / "games"
RESULT = re.compile(r"Draw(, endless)?|(First|Second) player wins( (in|by) \d+)?")
"""A result with best play, as game files and the page write it."""


class Result(NamedTuple):
    """A result with best play: the game's name with its sizes, the result in words, and where it was published.

    Without a source, none is known to us. The tests compute it; if it is larger, only `make test-all` does; if it is
    reported, it is too large for that.
    """

    game: str
    text: str
    source: str
    larger: bool = False
    reported: bool = False

    @property
    def value(self) -> str:
        """The value for the first player: win, draw or loss."""
        return {"F": "win", "D": "draw", "S": "loss"}[self.text[0]]

    def to_dict(self) -> dict[str, object]:
        """The result as plain values; `computed` says whether the tests compute it."""
        return {
            "game": self.game,
            "value": self.value,
            "result": self.text,
            "source": self.source or None,
            "computed": not self.reported,
        }


class Family(NamedTuple):
    """A game family that comes with the package."""

    name: str
    sizes: str
    aliases: dict[str, str]
    summary: str
    group: str
    results: tuple[Result, ...]


def family_names() -> list[str]:
    """The names of the game files that come with the package."""
    return sorted(file.stem for file in GAMES.glob("[!_]*.py"))


def load_family(name: str) -> ModuleType:
    """The game file of that name that comes with the package."""
    return importlib.import_module(f"perfectplay.games.{name}")


def groups() -> tuple[str, ...]:
    """The groups of games, in the order in which they are shown."""
    order: tuple[str, ...] = importlib.import_module("perfectplay.games").GROUPS
    return order


def describe_games() -> Iterator[Family]:
    """The game families that come with the package, by name."""
    return map(describe_family, family_names())


@cache
def describe_family(name: str) -> Family:
    """The family whose file has that name."""
    module = load_family(name)
    return family_in(module, name, module.GROUP, dict(getattr(module, "ALIASES", {})))


def family_in(module: ModuleType, name: str, group: str, aliases: dict[str, str]) -> Family:
    """The family in a game file."""
    summary = (inspect.getdoc(module) or "").partition("\n")[0]
    return Family(name, signature_text(module), aliases, summary, group, tuple(results(module, name)))


def results(module: ModuleType, name: str) -> Iterator[Result]:
    """The results that the file tells, in its three constants, those of a moment first."""
    for constant in ("RESULTS", "LARGER", "REPORTED"):
        entries = getattr(module, constant, None)
        for sizes, text in entries.items() if isinstance(entries, dict) else ():  # a user's file may call anything so
            result, _, source = str(text).partition(": ")
            game = f"{name}:{sizes}" if sizes else name
            yield Result(game, result, source, constant == "LARGER", constant == "REPORTED")


def shown_names() -> list[str]:
    """The games to show people: by aliases with sizes or a family's own name, the best known first, then by group."""
    best_known: tuple[str, ...] = importlib.import_module("perfectplay.games").BEST_KNOWN
    order = groups()
    names = {name: one for one in describe_games() for name in first_names(one)}

    def place(name: str) -> tuple[int, int, str]:
        return best_known.index(name) if name in best_known else len(best_known), order.index(names[name].group), name

    return sorted(names, key=place)


def first_names(family: Family) -> list[str]:
    """The first alias for each of some sizes, or the family's own name if no alias is for certain sizes."""
    return [*{family.aliases[alias]: alias for alias in reversed(sized_aliases(family.aliases))}.values()] or [
        family.name
    ]


def sized_aliases(aliases: dict[str, str]) -> list[str]:
    """The aliases that stand for certain sizes; the others are only other names of the family."""
    return [alias for alias, sizes in aliases.items() if sizes]


def known_name(typed: str) -> str | None:
    """The family or alias that is meant, whatever its capitals, blanks, hyphens and apostrophes; None if none is."""
    return None if not typed else names().get(letters_of(typed))


def letters_of(name: str) -> str:
    """The letters and digits of a name."""
    return re.sub("[^a-z0-9]", "", name.lower())


@cache
def names() -> dict[str, str]:
    """All names of games by their letters and digits."""
    return {letters_of(name): name for one in describe_games() for name in (*one.aliases, one.name)}


def family_of(name: str) -> Family:
    """The family that has this name or alias."""
    return next(one for one in describe_games() if name in (one.name, *one.aliases))


def unknown_game(family: str, others: Iterable[str] = ()) -> BadGame:
    """The error that no game has this name, neither of the package nor of these others, and what was probably meant."""
    from difflib import get_close_matches

    known = {letters_of(name): name for name in others} | names()
    close = get_close_matches(letters_of(family), known, 1)
    meant = with_sizes(family) or (known[close[0]] if close else "")
    hint = f"did you mean {meant}?" if meant else "perfectplay games lists all; a file is ./mygame.py"
    return BadGame(f"no game is called {family!r}; {hint}")


def with_sizes(typed: str) -> str:
    """The game that is meant by a name and numbers without a colon, such as Dots 3x3; empty if none is."""
    match = re.fullmatch(r"(.*?)[\s_-]*(\d+(?:\s*[x×,\s]\s*\d+)*)", typed.strip())
    alias = known_name(match[1]) if match else None
    if match is None or alias is None:
        return ""
    name, sizes = family_of(alias).name, re.findall(r"\d{1,9}", match[2])
    try:
        load_family(name).game(*map(int, sizes))
    except (BadGame, TypeError):
        return ""
    return f"{name}:{','.join(sizes)}"


def signature_text(module: ModuleType, example: str = "") -> str:
    """The sizes that a game file takes, with their defaults: `width=3,height=3,k=3,misere=false`.

    A size without a default is its name, or in an example, where it needs no keyword, that number. Any number of sizes
    is `heaps,...`.
    """

    def text(size: inspect.Parameter) -> str:
        if size.default is not size.empty:
            return f"{size.name}={str(size.default).lower()}"
        if size.kind == size.VAR_POSITIONAL:
            return f"{example or size.name},..."
        by_name = size.kind in (size.KEYWORD_ONLY, size.VAR_KEYWORD)
        return f"{size.name}={example}" if example and by_name else example or size.name

    return ",".join(text(size) for size in inspect.signature(module.game).parameters.values())


def parse_sizes(name: str, text: str) -> tuple[list[Size], dict[str, Size]]:
    """The sizes by place and by keyword: `3,3,3,misere=true`."""
    positional: list[Size] = []
    keywords: dict[str, Size] = {}
    for part in text.split(",") if text.strip() else []:
        keyword, equals, value = (piece.strip() for piece in part.rpartition("="))
        if value.lower() in ("true", "false"):
            size: Size = value.lower() == "true"
        elif re.fullmatch(r"-?[0-9]{1,9}", value):
            size = int(value)
        elif re.fullmatch(r"-?[0-9]+", value):
            raise BadGame(f"{name!r}: {part.strip()!r} is too large; a size has at most 9 digits")
        else:
            raise BadGame(f"{name!r}: {part.strip()!r} is not a size; write a whole number, true or false")
        if not equals and keywords:
            raise BadGame(f"{name!r}: {part.strip()!r} needs a keyword, since it comes after one")
        if not equals:
            positional.append(size)
        elif keyword in keywords:
            raise BadGame(f"{name!r}: {keyword} is given twice")
        else:
            keywords[keyword] = size
    return positional, keywords


def defaults_of(module: ModuleType) -> Callable[..., Sequence[int]] | None:
    """The function from the first sizes to all; a user's file may call anything DEFAULTS."""
    return getattr(module, "DEFAULTS", None) if module.__name__.startswith("perfectplay.games.") else None


def bound_sizes(module: ModuleType, sizes: str) -> dict[str, object]:
    """The sizes by their names, with those that are left out; raises TypeError if the game does not take them.

    Where the first size is given, others may follow from it; else they are those of the signature.
    """
    positional, keywords = parse_sizes(module.__name__, sizes)
    bound = inspect.signature(module.game).bind(*positional, **keywords)
    arguments, defaults = dict(bound.arguments), defaults_of(module)
    bound.apply_defaults()
    if defaults is None or next(iter(bound.arguments)) not in arguments:
        return dict(bound.arguments)
    leading = takewhile(
        lambda name: name in arguments, [*bound.arguments][: len(inspect.signature(defaults).parameters)]
    )
    following = defaults(*(arguments[name] for name in leading))
    return {**bound.arguments, **dict(zip(bound.arguments, following, strict=False)), **arguments}


def full_sizes(module: ModuleType, sizes: str) -> str:
    """All sizes if some are left out and others can follow from the first, `4,4,4` for `4`; else the text as it is."""
    if not sizes or defaults_of(module) is None:
        return sizes
    with suppress(BadGame, TypeError):  # loading the game says what is wrong
        positional, keywords = parse_sizes(module.__name__, sizes)
        numbers = [name for name, value in bound_sizes(module, sizes).items() if not isinstance(value, bool)]
        if {*numbers[len(positional) :]} - {*keywords}:
            return all_sizes(module, sizes)
    return sizes


def full_name(name: str) -> str:
    """The game's name with all its sizes, as in `full_sizes`; a name of another kind as it is."""
    typed, _, sizes = name.partition(":")
    alias = known_name(typed) if sizes else None
    if alias is None:
        return name
    family = family_of(alias).name
    full = full_sizes(load_family(family), sizes)
    return name if full == sizes else f"{family}:{full}"


def size_example(name: str) -> str:
    """`lines:4 is lines:4,4,4`: what one size means in this family; empty if no others follow from it."""
    if name not in family_names():
        return ""
    module = load_family(name)
    usual = next(iter(inspect.signature(module.game).parameters.values()), None)
    for size in range(usual.default + 1, usual.default + 9) if usual and defaults_of(module) else ():
        with suppress(BadGame):
            module.game(*bound_sizes(module, str(size)).values())
            return f"{name}:{size} is {full_name(f'{name}:{size}')}"
    return ""


def all_sizes(module: ModuleType, sizes: str) -> str:
    """The same as text, `3,3,3`; a switch is named only where it is on."""
    by_name = bound_sizes(module, sizes)
    numbers = [value for value in by_name.values() if not isinstance(value, bool)]
    flat = [number for value in numbers for number in (value if isinstance(value, tuple) else (value,))]
    return ",".join([*map(str, flat), *(f"{name}=true" for name, value in by_name.items() if value is True)])
