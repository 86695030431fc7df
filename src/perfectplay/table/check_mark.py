"""How much of a table has been checked: a small file beside it, bound to this very table by sizes and checksums.

Without such a file, or with one of another table, nothing is known.
"""

import json
from contextlib import suppress
from errno import EEXIST
from glob import escape
from hashlib import sha256
from pathlib import Path

from perfectplay.folders import replacing

ENDING = ".checked"
TAIL = 64
"""The last bytes of a file of a table: they have the checksums of its header and of its index, which has all others."""
BEGIN = b'{"table": '
"""The first bytes of a mark."""
MOST = 1 << 12
"""The most bytes of a mark."""


def mark_of(path: Path) -> Path:
    """The path of a table's mark."""
    path = path.resolve()
    return path.with_name(f"{path.name}{ENDING}")


def checked_part(path: Path, table: str = "") -> float | None:
    """The part of the classes that has been checked, 1 for all; None if that is not known of the table with the seal.

    Without a seal, it is the table that is there now.
    """
    try:
        facts = json.loads(mark_of(path).read_bytes()[:MOST])
        if facts["table"] == (table or seal(path)):
            part = 1.0 if facts["checked"] == "all" else float(facts["checked"])
            return part if part == 1.0 or 0 <= part < 1 else None
    except (OSError, ValueError, TypeError, LookupError):
        pass
    return None


def write_mark(path: Path, part: float) -> None:
    """Writes the mark of the table in that file; raises OSError."""
    mark = mark_of(path)
    if mark.exists() and not mark.read_bytes()[:MOST].startswith(BEGIN):
        raise FileExistsError(EEXIST, "another file is there", str(mark))
    text = json.dumps({"table": seal(path), "checked": "all" if part == 1 else part})
    with replacing(mark) as sink:
        sink.write(f"{text}\n".encode())


def remove_mark(path: Path) -> None:
    """Removes the mark of a table, if it has one."""
    mark_of(path).unlink(missing_ok=True)


def remove_marks_without_tables(folder: Path) -> None:
    """Removes the marks in that folder whose tables are gone."""
    for mark in folder.glob(f"*{ENDING}"):
        if not mark.with_name(mark.name.removesuffix(ENDING)).exists():
            with suppress(OSError):  # a read-only folder
                mark.unlink()


def seal(path: Path) -> str:
    """A digest that tells this table from all others."""
    path = path.resolve()
    found = sha256()
    for file in (path, *sorted(path.parent.glob(f"{escape(path.name)}.[0-9][0-9][0-9][0-9]"))):
        with file.open("rb") as data:
            size = data.seek(0, 2)
            data.seek(max(0, size - TAIL))
            found.update(f"{size} ".encode() + data.read(TAIL))
    return found.hexdigest()


def checked_field(part: float | None) -> str | float | None:
    """The part as JSON has it: "all", a number below 1 of two digits, or None if it is not known."""
    return part if part is None else "all" if part == 1 else min(0.99, float(f"{part:.2g}"))


def checked_text(part: float | None, classes: int) -> str:
    """The part as a sentence has it."""
    if part is None:
        return "not known to be checked"
    if part == 1:
        return "checked completely"
    return f"checked in a sample of {round(part * classes):,} canonical positions" if part else "not checked"
