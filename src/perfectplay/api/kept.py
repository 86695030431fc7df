"""What is kept in the user's data folder: tables, opening books, checkpoints, compiled code."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from perfectplay.engines import code_cache
from perfectplay.loading import load_game
from perfectplay.notation import entry_text
from perfectplay.solvers.checkpoints import checkpoints_in
from perfectplay.solvers.forecast import in_bytes
from perfectplay.table import opening_books, table_folder
from perfectplay.table.table_header import Header
from perfectplay.words import BadArgument, BadTable, Brief, Entry, PerfectplayError

CODE = "code"


@dataclass(frozen=True)
class Kept(metaclass=Brief):
    """A table, book, checkpoint or compiled code that is kept: its game, its path and its size in bytes."""

    kind: str
    game: str | None
    path: Path
    size: int
    facts: dict[str, object]
    line: str = field(repr=False)
    delete: Callable[[], object] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self.line

    def to_dict(self) -> dict[str, object]:
        """The item as `perfectplay tables` prints it in JSON."""
        return {self.kind: str(self.path), "bytes": self.size, "game": self.game, **self.facts}


class Kind(NamedTuple):
    """A kind of item: its name in the singular and the plural, its folder, and a function that lists its items."""

    one: str
    many: str
    folder: Callable[[], Path]
    items: Callable[[], Iterator[Kept]]


def tables() -> Iterator[Kept]:
    """The tables."""
    return (item_of("table", kept) for kept in table_folder.kept_tables())


def own_books() -> Iterator[Kept]:
    """The user's own books."""
    return (item_of("book", kept) for kept in table_folder.kept_in(opening_books.folder(), opening_books.BOOK))


def item_of(kind: str, kept: table_folder.Kept) -> Kept:
    """A table or book as an item."""
    path, size, header = kept
    if not isinstance(header, Header):
        line = f"{path.name}: damaged, {in_bytes(size)}"
        return Kept(kind, None, path, size, {"classes": None}, line, lambda: table_folder.remove_table(path))
    start = entry_text(Entry(header.value, header.distance))
    counts = f"{header.positions:>13,} positions  {header.classes:>13,} canonical"
    plies = "" if header.plies is None else f"  up to {header.plies} plies"
    unused = "" if kept.in_use or kind == "book" else f"  not used: {path.name} is an old name"
    line = f"{header.name:<28} {start:<17} {counts}  {in_bytes(size):>9}{plies}{unused}"
    facts: dict[str, object] = {"classes": header.classes}
    if header.plies is not None:
        facts["plies"] = header.plies
    return Kept(kind, header.game, path, size, facts, line, lambda: table_folder.remove_table(path))


def checkpoints() -> Iterator[Kept]:
    """The progress of solves and books that were interrupted."""
    for found in (*checkpoints_in(table_folder.checkpoints()), *checkpoints_in(table_folder.checkpoints() / "files")):
        size = size_of(found.folder)
        line = f"{found.game or found.folder.name:<28} {in_bytes(size):>9}  in {found.folder}"
        yield Kept("checkpoint", found.game or None, found.folder, size, {}, line, found.remove)


def compiled_code() -> Iterator[Kept]:
    """The compiled modules, all together."""
    count = len(code_cache.modules())
    if count:
        size = code_cache.size()
        line = f"{count:,} compiled {'module' if count == 1 else 'modules'}, {in_bytes(size)}, in {code_cache.folder()}"
        yield Kept(CODE, None, code_cache.folder(), size, {"modules": count}, line, lambda: code_cache.prune(0))


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
        with suppress(OSError):  # another process may remove files
            total += path.stat().st_size if path.is_file() else 0
    return total


def kept() -> list[Kept]:
    """All that is kept in the user's folders: tables, opening books, checkpoints and compiled code."""
    table_folder.tidy()
    return [item for kind in KINDS for item in kind.items()]


def remove_kept(*names: str, everything: bool = False) -> list[Path]:
    """Removes what is kept for these games, or all "tables", "books", "checkpoints" or "code"; returns the paths."""
    for name in names:
        if not isinstance(name, str):
            raise BadArgument(f"{name!r} is not the name of a game; write a text such as 'tic-tac-toe'")
    items = kept()
    chosen = items if everything else []
    for name in names:
        key = key_for(name)
        found = [item for item in items if is_called(item, name, key)]
        if not found and name not in [kind.many for kind in KINDS]:
            raise BadTable(f"no table of {name!r} is kept; perfectplay tables lists what is")
        chosen += found
    removed = {item.path: item for item in chosen}
    for item in removed.values():
        item.delete()
    return list(removed)


def is_called(item: Kept, name: str, key: str | None) -> bool:
    """Whether the name, of a kind, a file or a game, means the item, or the item belongs to the rules with this key."""
    many = next(kind.many for kind in KINDS if kind.one == item.kind)
    return name in (many, item.game, item.path.name, str(item.path)) or (key is not None and key in item.path.name)


def key_for(name: str) -> str | None:
    """The key that is part of all file names kept for the game of that name, if there is such a game."""
    try:
        return table_folder.key_of(load_game(name))
    except (PerfectplayError, OSError):
        return None
