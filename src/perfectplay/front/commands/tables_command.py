"""`perfectplay tables`: lists and removes what is kept, which is tables, books, checkpoints and compiled code."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from perfectplay.engines import code_cache
from perfectplay.loading import load_game
from perfectplay.notation import entry_text
from perfectplay.solve.checkpoints import checkpoints_in
from perfectplay.solve.forecast import in_bytes
from perfectplay.table import opening_books, table_folder
from perfectplay.table.table_header import Header
from perfectplay.words import BadTable, Entry, PerfectplayError

CODE = "code"


class Item(NamedTuple):
    """Something that is kept: of what kind, of which game, where, how large, what there is to say, how it goes."""

    kind: str
    game: str | None
    path: Path
    size: int
    line: str
    facts: dict[str, object]
    remove: Callable[[], None]


class Kind(NamedTuple):
    """What the things of one kind are called, one and many, in which folder they are, and how they are found."""

    one: str
    many: str
    folder: Callable[[], Path]
    items: Callable[[], Iterator[Item]]


def tables() -> Iterator[Item]:
    """The tables."""
    return (item_of("table", kept) for kept in table_folder.kept_tables())


def own_books() -> Iterator[Item]:
    """The user's own books."""
    return (item_of("book", kept) for kept in table_folder.kept_in(opening_books.folder(), opening_books.BOOK))


def item_of(kind: str, kept: table_folder.Kept) -> Item:
    """A table or book as an item."""
    path, size, header = kept
    if not isinstance(header, Header):
        line = f"{path.name}: damaged, {in_bytes(size)}"
        return Item(kind, None, path, size, line, {"classes": None}, lambda: table_folder.remove_table(path))
    start = entry_text(Entry(header.value, header.distance))
    counts = f"{header.positions:>13,} positions  {header.classes:>13,} classes"
    plies = "" if header.plies is None else f"  up to {header.plies} plies"
    unused = "" if kept.in_use or kind == "book" else f"  not used: {path.name} is an old name"
    line = f"{header.name:<28} {start:<17} {counts}  {in_bytes(size):>9}{plies}{unused}"
    facts: dict[str, object] = {"classes": header.classes}
    if header.plies is not None:
        facts["plies"] = header.plies
    return Item(kind, header.game, path, size, line, facts, lambda: table_folder.remove_table(path))


def checkpoints() -> Iterator[Item]:
    """The progress of solves and books that were interrupted."""
    for found in (*checkpoints_in(table_folder.checkpoints()), *checkpoints_in(table_folder.checkpoints() / "files")):
        size = size_of(found.folder)
        line = f"{found.game or found.folder.name:<28} {in_bytes(size):>9}  in {found.folder}"
        yield Item("checkpoint", found.game or None, found.folder, size, line, {}, found.remove)


def compiled_code() -> Iterator[Item]:
    """The compiled modules, all together."""
    count = len(code_cache.modules())
    if count:
        size = code_cache.size()
        line = f"{count:,} compiled {'module' if count == 1 else 'modules'}, {in_bytes(size)}, in {code_cache.folder()}"
        yield Item(CODE, None, code_cache.folder(), size, line, {"modules": count}, remove_code)


def remove_code() -> None:
    """Removes all compiled modules."""
    code_cache.prune(0)


KINDS = (
    Kind("table", "tables", table_folder.folder, tables),
    Kind("book", "books", opening_books.folder, own_books),
    Kind("checkpoint", "checkpoints", table_folder.checkpoints, checkpoints),
    Kind(CODE, CODE, code_cache.folder, compiled_code),
)


def size_of(folder: Path) -> int:
    """The bytes of all files in the folder."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # somebody may be at work there
            total += path.stat().st_size if path.is_file() else 0
    return total


def show_tables(options: Namespace) -> int:
    """Lists what is kept, or removes some of it."""
    table_folder.tidy()
    if options.remove or options.remove_all:
        return remove(options)
    if options.json:
        items = [item for kind in KINDS for item in kind.items()]
        facts = [{item.kind: str(item.path), "bytes": item.size, "game": item.game, **item.facts} for item in items]
        print(json.dumps(facts))
        return 0
    for kind in KINDS:
        items = list(kind.items())
        for item in items:
            print(item.line)
        if items and kind.one != CODE:
            count = f"{len(items):,} {kind.one if len(items) == 1 else kind.many}"
            print(f"{count}, {in_bytes(sum(item.size for item in items))}, in {kind.folder()}")
        elif kind.one == "table":
            print(f"no tables yet in {kind.folder()}")
    return 0


def remove(options: Namespace) -> int:
    """Removes what is kept of the games named, or all of a kind, or everything."""
    items = [item for kind in KINDS for item in kind.items()]
    chosen = items if options.remove_all else []
    for name in options.remove or ():
        key = key_for(name)
        found = [item for item in items if is_called(item, name, key)]
        if not found and name not in [kind.many for kind in KINDS]:
            raise BadTable(f"no table of {name!r} is kept; perfectplay tables lists what is")
        chosen += found
    removed = list({item.path: item for item in chosen}.values())
    for item in removed:
        item.remove()
    if options.json:
        print(json.dumps({"removed": [str(item.path) for item in removed]}))
    else:
        print("\n".join(f"removed {item.path}" for item in removed) or "nothing to remove")
    return 0


def is_called(item: Item, name: str, key: str | None) -> bool:
    """Whether the item is meant by the name, that of a kind, a file or a game, or is of the rules with this key."""
    many = next(kind.many for kind in KINDS if kind.one == item.kind)
    return name in (many, item.game, item.path.name, str(item.path)) or (key is not None and key in item.path.name)


def key_for(name: str) -> str | None:
    """What stands in the names of all that is kept of the game of that name, if there is one."""
    try:
        return table_folder.key_of(load_game(name))
    except (PerfectplayError, OSError):
        return None
