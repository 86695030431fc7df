"""What is kept in the user's data folder: tables, opening books, checkpoints, results of sweeps, compiled code."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from perfectplay.commands.listing import Listed
from perfectplay.compiler import code_cache, known_rules
from perfectplay.insight.sweeps import finding
from perfectplay.rules.fingerprint import VERSION
from perfectplay.rules.loading import absolute_name, load_game, split_game
from perfectplay.rules.notation import entry_text, number_of, plies_text
from perfectplay.solvers.checkpoints import checkpoints_in
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.table import table_folder
from perfectplay.solvers.table.table_file import mark_field, mark_text, read_mark
from perfectplay.solvers.table.table_header import Header
from perfectplay.views.document import Cell, Document, Notes, Part, Section, Table
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, BadTable, PerfectplayError

CODE, SWEEPS = "code", "sweeps"


@dataclass(frozen=True)
class Kept(metaclass=ResultClass):
    """A table, book, checkpoint, the results of sweeps or compiled code: its game, its path and its size in bytes."""

    kind: str
    game: str | None
    path: Path
    size: int
    facts: dict[str, object]
    cells: tuple[str, ...] = field(repr=False)
    delete: Callable[[], object] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return "  ".join(cell for cell in self.cells if cell)

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
    return (item_of("book", kept) for kept in table_folder.kept_in(table_folder.books_folder(), table_folder.BOOK))


def item_of(kind: str, kept: table_folder.FolderFile) -> Kept:
    """A table or book as an item."""
    path, size, header = kept
    if not isinstance(header, Header):
        cells = (path.name, "damaged", "", "", in_bytes(size), "")
        return Kept(kind, None, path, size, {"classes": None}, cells, lambda: table_folder.remove_table(path))
    start = entry_text(header.start)
    counts = (number_of(header.positions, "position"), f"{header.classes:,} canonical")
    plies = "" if header.plies is None else f"up to {plies_text(header.plies)}"
    unused = "" if kept.in_use or kind == "book" else f"not used: {path.name} is an old name"
    if not header.rules.startswith(VERSION):
        unused = "not used: made by an earlier version of perfectplay"
    checked = read_mark(path)
    sure = "" if kind == "book" or checked == 1 else mark_text(checked, header.classes)
    remarks = "; ".join(remark for remark in (plies, sure, unused, since(header.game, path)) if remark)
    cells = (header.name, start, *counts, in_bytes(size), remarks)
    facts: dict[str, object] = {"classes": header.classes}
    if header.plies is not None:
        facts["plies"] = header.plies
    else:
        facts["checked"] = mark_field(checked)
    return Kept(kind, header.game, path, size, facts, cells, lambda: table_folder.remove_table(path))


def since(game: str, table: Path) -> str:
    """What has become of the game's own file since the table was made, told without running it."""
    file = split_game(game)[0]
    if file is None:
        return ""
    try:
        return "file changed since" if file.stat().st_mtime > table.stat().st_mtime else ""
    except OSError:
        return "file is gone"


def checkpoints() -> Iterator[Kept]:
    """The progress of solves and books that were interrupted."""
    for found in (*checkpoints_in(table_folder.checkpoints()), *checkpoints_in(table_folder.checkpoints() / "files")):
        size = size_of(found.folder)
        cells = (found.game or found.folder.name, in_bytes(size), f"in {found.folder}")
        yield Kept("checkpoint", found.game or None, found.folder, size, {}, cells, found.remove)


def swept() -> Iterator[Kept]:
    """What sweeps have found out, all together."""
    count = len(finding.files())
    if count:
        size = size_of(finding.sweeps_folder())
        line = f"{number_of(count, 'variant')} from sweeps, {in_bytes(size)}, in {finding.sweeps_folder()}"
        yield Kept(SWEEPS, None, finding.sweeps_folder(), size, {"variants": count}, (line,), finding.prune)


def compiled_code() -> Iterator[Kept]:
    """The compiled modules, all together."""
    count = len(code_cache.modules())
    if count:
        size = code_cache.size()
        line = f"{number_of(count, 'compiled module')}, {in_bytes(size)}, in {code_cache.modules_folder()}"
        yield Kept(CODE, None, code_cache.modules_folder(), size, {"modules": count}, (line,), remove_code)


def remove_code() -> None:
    """Removes the compiled modules and all that is remembered of rules that were compiled."""
    code_cache.prune(0)
    known_rules.forget()


KINDS = (
    Kind("table", "tables", table_folder.tables_folder, tables),
    Kind("book", "books", table_folder.books_folder, own_books),
    Kind("checkpoint", "checkpoints", table_folder.checkpoints, checkpoints),
    Kind(SWEEPS, SWEEPS, finding.sweeps_folder, swept),
    Kind(CODE, CODE, code_cache.modules_folder, compiled_code),
)


def size_of(folder: Path) -> int:
    """The bytes of all files in the folder."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # another process may remove files
            total += path.stat().st_size if path.is_file() else 0
    return total


def listed() -> list[Kept]:
    """All that is kept, kind by kind."""
    table_folder.tidy()
    columns: dict[str, Callable[[Kept], Cell]] = {
        "kind": lambda one: one.kind,
        "game": lambda one: one.game,
        "size in bytes": lambda one: f"{one.size:,}",
        "path": lambda one: str(one.path),
    }
    items = (item for kind in KINDS for item in sorted(kind.items(), key=lambda item: item.cells[0]))
    return Listed("item kept", "items kept", columns, items)


def kept_document(items: Sequence[Kept]) -> Document:
    """What is kept, kind by kind."""
    return Document(None, *(of_kind(kind, [item for item in items if item.kind == kind.one]) for kind in KINDS))


def of_kind(kind: Kind, items: list[Kept]) -> Part | None:
    """What is kept of one kind, and how much that is."""
    if not items:
        return Notes(f"no tables yet in {kind.folder()}") if kind.one == "table" else None
    lines = Table([item.cells for item in items])
    size = in_bytes(sum(item.size for item in items))
    count = f"{number_of(len(items), kind.one, kind.many)}, {size}, in {kind.folder()}"
    return lines if kind.one in (SWEEPS, CODE) else Section(count, lines)


def removed(names: Sequence[str], everything: bool) -> list[Kept]:
    """Removes what is kept for these games, or all of a kind, and returns what it was."""
    for name in names:
        if not isinstance(name, str):
            raise BadArgument(f"{name!r} is not the name of a game; write a text such as 'tic-tac-toe'")
    items = listed()
    chosen = items if everything else []
    for name in names:
        key = key_for(name)
        found = [item for item in items if is_called(item, name, key)]
        if not found and name not in [kind.many for kind in KINDS]:
            raise BadTable(f"no table of {name!r} is kept; perfectplay tables lists what is")
        chosen += found
    gone = list({item.path: item for item in chosen}.values())
    for item in gone:
        item.delete()
    return gone


def is_called(item: Kept, name: str, key: str | None) -> bool:
    """Whether the item has the name, of a kind, a file or a game with any rules, or is of rules with the key."""
    many = next(kind.many for kind in KINDS if kind.one == item.kind)
    names = (many, item.path.name, str(item.path))
    same = item.game is not None and (name == item.game or absolute_name(name) == absolute_name(item.game))
    return name in names or same or (key is not None and key in item.path.name)


def key_for(name: str) -> str | None:
    """The key that is part of all file names kept for the game of that name, if there is such a game."""
    try:
        return table_folder.rules_key(load_game(name))
    except (PerfectplayError, OSError):
        return None
