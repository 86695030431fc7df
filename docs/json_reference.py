"""The page of the JSON that commands print: the fields of real answers, merged."""

import re
from collections import defaultdict
from typing import Any

from json_answers import answers

HEAD = """# JSON

<!-- Written by docs/json_reference.py from answers of the commands: make reference -->

What each command prints with `--json`, and what `to_dict()` of the result has in [Python](python.md). The fields are \
those of answers on small games that differ in kind; what is null in all of them is null here. A field marked \
*sometimes* is only there where it applies. *By name* is an object whose names depend on the game or the player, such \
as moves. A number may be a whole one. Types that are links are described at the end, once for all commands.
"""
ABOUT = {
    "explain": "../how-to/explain-a-position.md",
    "review": "../how-to/review-a-game.md#in-python-and-as-json",
    "strategy": "../how-to/find-a-strategy.md#in-python-and-as-json",
}
"""Pages that say what the fields mean."""
PLAIN = {bool: "true or false", int: "whole number", float: "number", str: "text", type(None): "null"}
FIELD = re.compile(r"(?![a-z]\d+$)[a-z][a-z0-9_]*( to \w+)?")
"""A name of a field, unlike a square."""
NAMES = {
    "after": "Result",
    "against_random": "Chance",
    "answer of games": "Family",
    "answer of review": "Reviewed game",
    "choices": "Spread",
    "rules": "Rule",
}
"""Better names of objects in several places than that of a field that has them."""
Objects = list[dict[str, Any]]
Places = dict[frozenset[str], dict[tuple[Any, ...], Objects]]
Types = dict[frozenset[str], tuple[str, Objects]]


def parts(values: list[Any]) -> tuple[set[str], list[Any], Objects]:
    """The plain types among values, the items of the lists among them, and the objects among them that have fields."""
    plain = {PLAIN[type(value)] for value in values if type(value) in PLAIN}
    items = [item for value in values if isinstance(value, list) for item in value]
    return plain, items, [value for value in values if isinstance(value, dict) and value]


def fields(objects: Objects) -> dict[str, list[Any]]:
    """The values of each field."""
    found = defaultdict(list)
    for name, value in (item for one in objects for item in one.items()):
        found[name].append(value)
    return found


def key_of(objects: Objects) -> frozenset[str]:
    """The fields that all of them have: what tells one type of object from another."""
    return frozenset.intersection(*(frozenset(one) for one in objects))


def named(objects: Objects) -> list[Any]:
    """The values, if the names in these objects depend on the game or the player; else nothing."""
    names = fields(objects)
    depends = bool(objects) and not (key_of(objects) and all(FIELD.fullmatch(name) for name in names))
    return [value for values in names.values() for value in values] if depends else []


def places(values: list[Any], place: tuple[Any, ...], found: Places) -> None:
    """Notes where objects with the same key stand, and these objects."""
    _, items, objects = parts(values)
    if items:
        places(items, (*place, "item"), found)
    if named(objects):
        places(named(objects), place, found)
    elif objects:
        key = key_of(objects)
        found[key][place] = found[key].get(place, []) + objects
        for name, inner in fields(objects).items():
            places(inner, (key, name), found)


def shared(found: dict[str, list[Any]]) -> Types:
    """The objects that stand in several places, by their key: their name and all of them."""
    by_key: Places = defaultdict(dict)
    for command, values in found.items():
        places(values, (command, f"answer of {command}"), by_key)
    types: Types = {}
    for key, where in by_key.items():
        if len(where) > 1 and len(key) > 1:
            name = min(place[1] for place in where)
            types[key] = NAMES.get(name, name.capitalize()), [one for some in where.values() for one in some]
    return types


def type_of(values: list[Any], types: Types) -> tuple[str, Objects]:
    """The type of values in words, and the objects whose fields stand below it."""
    plain, items, objects = parts(values)
    below: Objects = []
    words = sorted(plain - {"null"} - ({"whole number"} if "number" in plain else set()))
    if named(objects):
        inner, below = type_of(named(objects), types)
        words.append(f"{several(inner)} by name")
    elif objects and (key := key_of(objects)) in types:
        words.append(f"[{types[key][0]}](#{types[key][0].lower().replace(' ', '-')})")
    elif objects or any(isinstance(value, dict) for value in values):
        words, below = [*words, "object"], objects
    if items:
        inner, below = type_of(items, types)
        words.append(f"list of {several(inner)}")
    elif any(isinstance(value, list) for value in values):
        words.append("list")
    return " or ".join(words + ["null"] * ("null" in plain)), below


def several(inner: str) -> str:
    """A type as that of items."""
    compound = " or " in inner.replace(PLAIN[bool], "") or inner.startswith("list of")
    return f"({inner})" if compound else inner.replace("object", "objects")


def rows(objects: Objects, types: Types, indent: str = "") -> list[str]:
    """The fields as items of a list; fields of the same type share one."""
    items: dict[tuple[str, str], tuple[list[str], Objects]] = {}
    for name, values in fields(objects).items():
        text, below = type_of(values, types)
        text += ", sometimes" * (len(values) < len(objects))
        items.setdefault((text, name * bool(below)), ([], below))[0].append(f"`{name}`")
    lines = []
    for (text, _), (names, below) in items.items():
        lines += [f"{indent}- {', '.join(names)}: {text}", *rows(below, types, indent + "    ")]
    return lines


def section(heading: str, values: list[Any], types: Types) -> str:
    """The section of a command."""
    text, below = type_of(values, types)
    remarks = [f"Prints: {text}."] if text != "object" else []
    remarks += [f"[What the fields mean]({ABOUT[heading]})."] if heading in ABOUT else []
    lines = [f"\n## [{heading}](commands.md#{heading.split()[0]})\n", *([" ".join(remarks), ""] if remarks else [])]
    return "\n".join([*lines, *rows(below, types)]).rstrip() + "\n"


def json_page() -> str:
    """The page."""
    found = answers()
    types = shared(found)
    ends = sorted(f"\n## {name}\n\n" + "\n".join(rows(objects, types)) + "\n" for name, objects in types.values())
    return HEAD + "".join(section(command, found[command], types) for command in sorted(found)) + "".join(ends)
