"""How much of a table has been checked: a small file beside it, bound to this very table by sizes and checksums.

Without such a file, or with one of another table, nothing is known.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from errno import EEXIST
from hashlib import sha256
from pathlib import Path

from perfectplay.processes.folders import replacing

ENDING = ".checked"
SEALED = 64
"""The last bytes of a file of a table: they have the checksums of its header and of its index, which has all others."""
BEGIN = b'{"table": '
"""The first bytes of a mark."""
MOST = 1 << 12
"""The most bytes of a mark."""
REPLACED = "another table has taken its place meanwhile"


def mark_of(path: Path) -> Path:
    """The path of a table's mark."""
    path = path.resolve()
    return path.with_name(f"{path.name}{ENDING}")


def read_mark(path: Path, table: str = "") -> float | None:
    """The part of the classes that has been checked, 1 for all; None if that is not known of the table with the seal.

    Without a seal, it is the table that is there now.
    """
    try:
        facts = json.loads(mark_of(path).read_bytes()[:MOST])
        if facts["table"] == (table or seal(path, facts["parts"])):
            part = 1.0 if facts["checked"] == "all" else float(facts["checked"])
            return part if part == 1.0 or 0 <= part < 1 else None
    except (OSError, ValueError, TypeError, LookupError):
        pass
    return None


def write_mark(path: Path, part: float, table: str, parts: int = 0) -> None:
    """Writes the mark of the table with that seal; raises OSError, also if another is in its place now."""
    mark = mark_of(path)
    if seal(path, parts) != table:
        raise FileExistsError(EEXIST, REPLACED, str(path))
    if mark.exists() and not mark.read_bytes()[:MOST].startswith(BEGIN):
        raise FileExistsError(EEXIST, "another file is there", str(mark))
    text = json.dumps({"table": table, "parts": parts, "checked": "all" if part == 1 else part})
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


def seal(path: Path, parts: int = 0) -> str:
    """The seal of the table that is in that file and its parts now; raises OSError."""
    path = path.resolve()
    ends = []
    for file in (path, *(path.with_name(f"{path.name}.{number:04}") for number in range(parts))):
        with file.open("rb") as data:
            size = data.seek(0, 2)
            data.seek(max(0, size - SEALED))
            ends.append((size, data.read(SEALED)))
    return seal_of(ends)


def seal_of(ends: Iterable[tuple[int, bytes]]) -> str:
    """A digest that tells a table from all others, from the size and the last bytes of each of its files."""
    return sha256(b"".join(f"{size} ".encode() + tail for size, tail in ends)).hexdigest()


def mark_field(part: float | None) -> str | float | None:
    """The part as JSON has it: "all", a number below 1 of two digits, or None if it is not known."""
    return part if part is None else "all" if part == 1 else min(0.99, float(f"{part:.2g}"))


def mark_text(part: float | None, classes: int) -> str:
    """The part as a sentence has it."""
    if part is None:
        return "not known to be checked"
    if part == 1:
        return "checked completely"
    return f"checked in a sample of {round(part * classes):,} canonical positions" if part else "not checked"
