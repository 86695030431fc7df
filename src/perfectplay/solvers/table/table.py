"""A solved game: looks up every reachable position, in memory or in a file."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from perfectplay.game import (
    Game,
    canonical,
    images,
    is_position,
    levels,
    quick_canonical,
    side_by_side,
    start_is_symmetric,
)
from perfectplay.processes.folders import PathLike
from perfectplay.rules.fingerprint import VERSION, NoFingerprint, fingerprint, rules_of, why_no_fingerprint
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import not_a_position
from perfectplay.rules.outputs import EXPORTED, Output, output, real_path
from perfectplay.solvers.table.block_coding import SIZE, pack
from perfectplay.solvers.table.grades import Grades, Points
from perfectplay.solvers.table.summary import Iteration, Summary, summary_of, trace_of
from perfectplay.solvers.table.table_file import (
    FORMAT,
    REPLACED,
    TABLE,
    Header,
    Reader,
    Sink,
    Writer,
    file_reader,
    read_mark,
    seal,
    write_mark,
)
from perfectplay.solvers.table.table_header import MOST_KEY_BYTES, byte_length
from perfectplay.solvers.table.table_parts import Parts, part_paths, remove_parts
from perfectplay.views.document import Beside, Board, Document
from perfectplay.views.result import ResultClass
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    WIN,
    BadArgument,
    BadGame,
    BadPosition,
    BadTable,
    Entry,
    PerfectplayError,
    Position,
)

CHECK = "key, unkey or symmetries are wrong; run perfectplay check for details"


class Table(metaclass=ResultClass):
    """Every reachable position of a game with its value and distance; from a file it is looked into, not loaded."""

    def __init__(self, game: Game, reader: Reader | Parts, engine: str = "", path: Path | None = None) -> None:
        self.game = game
        self.engine = engine
        self.path = path
        """The file, None for a table in memory."""
        self.reader = reader
        self.header = reader.header
        self.unwritten: OSError | BadArgument | None = None
        """Why it is not in the file that it was made for."""
        self.unmarked: str | None = None
        """Why the result of the check after its solve could not be saved beside its file."""
        self.solved: Summary | None = None
        """What the solve that made it reported."""
        self.entry_of = lru_cache(maxsize=1024)(reader.grades.entry)
        self.smallest = canonical(game)
        self.key, self.unkey = keys_of(game)

    def __len__(self) -> int:
        return self.header.classes

    @cached_property
    def checked(self) -> float | None:
        """The part of its classes that has been checked, 1 for all; None if that is not known."""
        try:
            return None if self.path is None else read_mark(self.path, self.reader.seal)
        except BadTable:  # a part is missing
            return None

    def lookup(self, position: Position) -> Entry:
        """The entry of a reachable position; raises BadPosition for any other."""
        entry = self.find(position)
        if entry is None:
            raise self.unreachable(position)
        return entry

    def find(self, position: Position) -> Entry | None:
        """The entry of a position, or None if the table lacks it; raises BadPosition for an invalid one."""
        grade = self.reader.grade(self.key_of(position))
        return None if grade == 0 else self.entry_of(grade)

    def key_of(self, position: Position) -> int:
        """The key of the position's class; raises BadPosition for an invalid position."""
        if not is_position(position, self.game.bits):
            raise not_a_position(self.game, position)
        try:
            smallest = self.smallest(*position)
            key = self.key(*smallest)
            fits = self.unkey(key) == smallest
        except (ArithmeticError, LookupError, ValueError):  # words that the rules do not expect
            fits = False
        if not fits:
            raise self.unreachable(position)
        return key

    def unreachable(self, position: Position) -> BadPosition:
        """The error for an unreachable position."""
        return BadPosition(f"{position} cannot be reached in {self.game.name} by legal play from the start")

    def note_checked(self, part: float, table: str = "") -> str | None:
        """Notes that this part has been checked, unless more has, also beside its file; returns why that fails.

        What was checked is this very table, or else the one with the given seal.
        """
        try:
            own = "" if self.path is None else self.reader.seal
            if table not in ("", own):
                return REPLACED
            if self.checked is not None and self.checked >= part:
                return None
            self.checked = part
            if self.path is not None:
                write_mark(self.path, part, own, len(self.header.parts or ()))
        except (OSError, BadTable) as fault:  # BadTable: a part is missing
            return getattr(fault, "strerror", None) or str(fault)
        return None

    def entries(self) -> Iterator[tuple[Position, Entry]]:
        """The canonical position of every class with its entry, in key order."""
        for number in range(len(self.reader.firsts)):
            block = self.reader.block(number)
            for key, grade in zip(block.keys(), block.all_grades(), strict=True):
                yield self.unkey(key), self.entry_of(grade)

    def summary(self) -> Summary:
        """The value and distance of the start, and how many positions are won, drawn and lost."""
        solved = self.solved or replace(summary_of(self.header, self.game.name), engine=self.engine)
        return replace(solved, checked=self.checked)

    def counts(self) -> Counter[Entry]:
        """The number of positions with each entry; it reads the whole table."""
        if not start_is_symmetric(self.game):  # then some images of positions cannot be reached
            plies = None if self.header.plies is None else self.header.plies + 1
            return Counter(self.lookup(position) for level in islice(levels(self.game), plies) for position in level)
        counts: Counter[Entry] = Counter()
        turns = images(self.game)
        for position, entry in self.entries():
            counts[entry] += len({turns.image(*position, i) for i in range(turns.count)})
        return counts

    def trace(self) -> tuple[Iteration, ...]:
        """The iterations of retrograde analysis that lead to this table: what each decides; it reads the whole table.

        Positions that no iteration decides are endless draws.
        """
        return trace_of(self.counts())

    def longest(self, count: int = 1) -> list[tuple[Position, Entry]]:
        """The `count` canonical positions that are farthest from the end, with their entries, the farthest first."""
        if not isinstance(count, int) or count < 0:
            raise BadArgument(f"count={count!r} is not a whole number from 0")
        if self.header.most is not None:
            raise BadArgument(f"{self.game.name} is played for points, so its positions have no distance")
        pairs = ((position, entry) for position, entry in self.entries() if entry.distance is not None)
        return nlargest(count, pairs, key=lambda pair: pair[1].distance or 0)

    def __repr__(self) -> str:
        return f"<Table of {self.game.name}: {len(self):,} positions up to symmetry>"

    def save(self, path: PathLike, *, force: bool = False) -> None:
        """Writes the table to a file atomically; raises NoFingerprint if its rules have none.

        A file that is no table is only replaced with force=True.
        """
        target = table_output(path, force)
        why = why_no_fingerprint(self.game)
        if why is not None:
            raise NoFingerprint(why)
        with target.writing() as sink:
            writer = Writer(sink, replace(self.header, parts=None))
            for number, first in enumerate(self.reader.firsts):
                file, at = self.reader.place(number)
                writer.add(first, file.block_bytes(at))
            writer.finish()
            sink.flush()
            digest = seal(Path(sink.name))
        with suppress(OSError):  # a table without a mark is not known to be checked
            remove_parts(real_path(target.path, force))
            if self.checked is not None:
                write_mark(target.path, self.checked, digest)

    def to_dict(self) -> dict[str, object]:
        """The summary as `perfectplay solve` prints it in JSON."""
        return self.summary().to_dict()

    def document(self) -> Document:
        """The start beside the summary."""
        summary = self.summary().document()
        return Document(summary.title, Beside(Board(self.game, self.game.start, FIRST, large=True), summary.parts))


def table_output(path: PathLike, force: bool = False) -> Output:
    """The file of a table to write; raises BadArgument if it must not be written, nor the parts of a large one.

    A name that ends like that of another kind of file is refused: nobody wants a table there.
    """
    other = next((kind for kind in EXPORTED if str(path).lower().endswith(kind.endings)), None)
    if other is not None:
        raise BadArgument(f"{str(path)!r} is a name for {other.name}, not for a table; perfectplay export writes such")
    target = output(path, TABLE, force)
    for part in part_paths(real_path(target.path, force)):
        output(part, TABLE, force)
    return target


def reader_of(path: str | os.PathLike[str], beside: str | os.PathLike[str] | None = None) -> Reader | Parts:
    """The reader of the file, and of its parts, if it has any.

    The parts are beside the file, or beside the one that it will replace. Raises BadTable.
    """
    reader = file_reader(path)
    return reader if reader.header.parts is None else Parts(reader, Path(beside or path).resolve())


def table_in_file(path: str | os.PathLike[str], game: Game | None = None) -> Table:
    """The table in that file, of the game that it names or of the given game; raises BadTable."""
    reader = reader_of(path)
    if game is None:
        try:
            game = load_game(reader.header.game)
        except (PerfectplayError, OSError, ValueError) as fault:  # ValueError: not a valid file name
            raise BadTable(f"{path} is a table of {reader.header.name}, which does not load: {fault}") from None
    if reader.header.rules != fingerprint(game):
        now = f"for other rules than {game.name} has now"
        origin = now if reader.header.rules.startswith(VERSION) else "by an earlier version of perfectplay"
        raise BadTable(f"{path} was made {origin}; solve the game again")
    return Table(game, reader, path=Path(path))


def keys_of(game: Game) -> tuple[Callable[[int, int], int], Callable[[int], Position]]:
    """The game's key and its inverse; both words side by side if they are too wide for a key."""
    if game.key is not None and game.unkey is not None:
        return game.key, game.unkey
    return side_by_side(game.bits)


def header_for(
    game: Game, start: Entry, counts: Mapping[Entry, int], classes: int, greatest: int, with_rules: bool = True
) -> Header:
    """The header of a table with these counts of positions per entry, this many classes, and this greatest key.

    `with_rules` it has the fingerprint of the rules; a solve that writes no table needs none.
    """
    by_value: Counter[int] = Counter()
    for entry, count in counts.items():
        by_value[entry.value] += count
    longest = max((entry.distance for entry in counts if entry.distance is not None), default=0)
    most = None if start.margin is None else max(abs(entry.margin or 0) for entry in counts)
    scale = Grades(longest) if most is None else Points(most)
    return Header(
        format=FORMAT,
        game=game.name,
        rules=rules_of(game) if with_rules else "",
        value=start.value,
        distance=start.distance,
        positions=sum(counts.values()),
        classes=classes,
        wins=by_value[WIN],
        draws=by_value[DRAW],
        losses=by_value[LOSS],
        endless=counts.get(Entry(DRAW, None), 0),
        longest=longest,
        key_bytes=byte_length(greatest),
        grade_bytes=byte_length(scale.size - 1),
        block=SIZE,
        margin=start.margin,
        most=most,
    )


class Tabulation(NamedTuple):
    """A table that is written: its header, and the key of the class of each position, in the order of the positions."""

    header: Header
    keys: list[int]


def tabulate(game: Game, entries: Mapping[Position, Entry], sink: Sink, plies: int | None = None) -> Tabulation:
    """Writes the table of a game whose reachable positions, or those up to `plies`, have these entries.

    Raises BadGame where two positions of a class differ, or a key does not invert.
    """
    smallest, (key, unkey) = quick_canonical(game), keys_of(game)
    by_key: dict[int, Entry] = {}
    numbers = []
    for position, entry in entries.items():
        least = smallest(*position)
        number = key(*least)
        numbers.append(number)
        if unkey(number) != least:
            raise BadGame(f"the key of {least} is {number}, which is the key of {unkey(number)}: {CHECK}")
        if by_key.setdefault(number, entry) != entry:
            raise BadGame(f"symmetries: {position} and an image of it, {least} or of the same class, differ: {CHECK}")
    keys = sorted(by_key)
    if byte_length(keys[-1]) > MOST_KEY_BYTES:
        raise BadGame(f"{game.name} has keys of {byte_length(keys[-1])} bytes; a table has up to {MOST_KEY_BYTES}")
    header = header_for(game, entries[game.start], Counter(entries.values()), len(keys), keys[-1])
    header = replace(header, plies=plies)
    grades = header.scale
    writer = Writer(sink, header)
    for i in range(0, len(keys), SIZE):
        here = keys[i : i + SIZE]
        writer.add(here[0], pack(here, [grades.grade(by_key[key]) for key in here], header.grade_bytes))
    writer.finish()
    return Tabulation(header, numbers)
