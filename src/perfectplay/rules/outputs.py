"""Outputs: the files that a user asks for. What perfectplay did not write is never replaced unasked.

Each kind of file has a mark by which those of perfectplay are recognised. One rule holds for all:

- A file of the same kind that perfectplay wrote is replaced, or an empty one; any other needs force=True.
- The folder must exist.
- A link is followed within its folder; out of it, force=True is needed.
- A file appears whole or not at all; until then the earlier one stays.
"""

import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from perfectplay.processes.folders import PathLike, partly, path_of, remove_leftovers, written_whole
from perfectplay.rules.notation import either
from perfectplay.words import BadArgument

MARKED = 4096
"""The bytes at the beginning of a file in which its mark is."""
LONGEST_NAME = 255
"""The most bytes that the name of a file may have, on all file systems that matter."""
FOOTER = 1 << 16
"""The bytes at the end of a Parquet file in which its mark is."""

META = '<meta name="generator" content="perfectplay">'
"""The mark in the head of an HTML page."""
ATTRIBUTE = 'data-generator="perfectplay"'
"""The mark of an <svg>."""
SOFTWARE = b"Software\0perfectplay"
"""The mark in a text chunk of a PNG."""
COMMENT = b"perfectplay"
"""The mark in the comment of a GIF."""


def beginning(file: BinaryIO) -> bytes:
    """The first bytes of the file."""
    return file.read(MARKED)


def unpacked(file: BinaryIO) -> bytes:
    """The first bytes of what gzip has packed; none if it is damaged."""
    with suppress(zlib.error):
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(file.read(MARKED), MARKED)
    return b""


def footer(file: BinaryIO) -> bytes:
    """The last bytes of the file."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - FOOTER))
    return file.read()


class FileKind(NamedTuple):
    """A kind of file: its name in messages, how its files' names end, and the mark of those that perfectplay wrote."""

    name: str
    endings: tuple[str, ...]
    mark: re.Pattern[bytes]
    marked_part: Callable[[BinaryIO], bytes] = beginning
    """Reads the part of a file that has the mark."""

    def is_ours(self, path: Path) -> bool:
        """Whether perfectplay wrote the file, as one of this kind, or it is empty."""
        try:
            with path.open("rb") as file:
                return path.stat().st_size == 0 or self.mark.search(self.marked_part(file)) is not None
        except OSError:
            return False


HTML = FileKind("an HTML page", (".html", ".htm"), re.compile(META.removesuffix('">').encode()))
SVG = FileKind("an SVG", (".svg",), re.compile(rb"\A<svg [^>]*" + ATTRIBUTE.encode()))
PNG = FileKind("a PNG", (".png",), re.compile(b"tEXt" + SOFTWARE))
GIF = FileKind("a GIF", (".gif",), re.compile(rb"\AGIF8[79]a.*!\xfe\x0b" + COMMENT, re.DOTALL))
JSON = FileKind(
    "a JSON file",
    (".json",),
    re.compile(
        rb'\A\{\s*(?:"format": [^,]*,\s*)?"perfectplay": "\d+\.\d+[^"]*",'  # a solution, puzzles
        rb'|\A\[\{"game": "(?:[^"\\]|\\.)*", (?:"\w+": [\w.-]+, )*"how": "\w+", "value": '  # the rows of a sweep
    ),
)
PACKED_JSON = FileKind("a packed JSON file", (".json.gz",), JSON.mark, unpacked)
CSV = FileKind(
    "a CSV file", (".csv",), re.compile(rb"\Agame,(?:[^,\n]+,)*how,value,distance,positions,(?:[^,\n]+,)*seconds\n")
)
"""Readers of CSV know no comments: the mark is the row of names of a sweep."""
PARQUET = FileKind("a Parquet file", (".parquet",), re.compile(rb"\x0bperfectplay.*PAR1\Z", re.DOTALL), footer)
C_FILE = FileKind("a C file", (".h", ".c"), re.compile(rb"\A/\* [^\n]*Written by perfectplay \d"))

EXPORTED = (HTML, SVG, PNG, GIF, JSON, PACKED_JSON, CSV, PARQUET, C_FILE)
"""The kinds of files that other programs read."""


class Output(NamedTuple):
    """A file to write, of a kind; with `force` it may replace anybody's file."""

    path: Path
    kind: FileKind
    force: bool = False

    def check(self) -> None:
        """Raises BadArgument unless the file can be written as far as can be told now, and replaces nobody's work."""
        name = repr(str(self.path))
        if len(os.fsencode(partly(self.path).name)) > LONGEST_NAME:  # which it has until it is complete
            raise BadArgument(f"{name} cannot be written: the name is too long")
        if self.path.exists() and not self.path.is_file():
            raise BadArgument(f"{name} is there already and is not a file; write the path of a new file")
        place = real_path(self.path, self.force)
        if place.exists() and not self.force and not self.kind.is_ours(place):
            raise BadArgument(
                f"{name} is there already and is not {self.kind.name} that perfectplay wrote; "
                "write another path, or replace it with force=True"
            )

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """A file to write to, which gets its name when all is written, and is removed if anything fails."""
        self.check()
        path = real_path(self.path, self.force)
        remove_leftovers(path.parent, path.name)
        with written_whole(path, partly(path), self.put) as sink:
            yield sink

    def write(self, data: bytes) -> None:
        """Writes the whole file."""
        with self.writing() as sink:
            sink.write(data)

    def put(self, unfinished: Path, path: Path) -> None:
        """Gives a finished file its name, unless a file that is not ours has appeared there meanwhile."""
        self.check()
        if not path.exists():
            try:
                os.link(unfinished, path)  # fails if the name is taken, which a rename does not
                return
            except FileExistsError:
                self.check()
            except OSError:  # a file system without links
                pass
        unfinished.replace(path)


def output(path: PathLike, kind: FileKind, force: bool = False) -> Output:
    """The file of that kind to write there; raises BadArgument before any work if it must not or cannot be written."""
    text = path_of("path", path)
    if text.endswith(("/", os.sep)):
        raise BadArgument(f"{text!r} is the name of a folder; write the path of a file")
    if not isinstance(force, bool):  # "no" would replace a file
        raise BadArgument(f"force={force!r} is neither True nor False")
    there = Output(Path(text), kind, force)
    there.check()
    return there


def output_by_ending(path: PathLike, kinds: Sequence[FileKind], force: bool = False) -> Output:
    """The same; how the name ends tells which of these kinds it is."""
    text = path_of("path", path)
    for kind in kinds:
        if text.lower().endswith(kind.endings):
            return output(text, kind, force)
    endings = [ending for kind in kinds for ending in kind.endings]
    raise BadArgument(f"{text!r} does not end in {either(endings)}")


def real_path(path: Path, force: bool = False) -> Path:
    """Where a file or folder of that name is written: a link is followed. Raises BadArgument if that cannot be.

    The folder must exist and be writable; unless forced, a link must not lead out of its folder.
    """
    real = Path(os.path.realpath(path))
    folder = real.parent if path.is_symlink() else path.parent
    if path.is_symlink() and not force and real.parent != Path(os.path.realpath(path.parent)):
        raise BadArgument(
            f"{str(path)!r} is a link to {str(real)!r}, in another folder; "
            "write that path, or follow the link with force=True"
        )
    if real.is_symlink():
        raise BadArgument(f"{str(path)!r} is a link to itself; write another path")
    check_folder(path, folder)
    return real


def check_folder(path: Path, folder: Path) -> None:
    """Raises BadArgument unless files can be written to the folder in which that path is."""
    if not folder.is_dir():
        raise BadArgument(f"{str(path)!r} cannot be written: there is no folder {str(folder)!r}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadArgument(f"{str(path)!r} cannot be written: the folder {str(folder)!r} is read-only")
