"""The record of a tournament: JSON lines, the settings first, then each game as it ends.

A line that was not written to its end, because the process was killed, is left out, and cut off before more is written.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from perfectplay.arena.tournaments.played_game import PlayedGame, played_game
from perfectplay.arena.tournaments.tournament_settings import Tournament, tournament_in
from perfectplay.rules.outputs import check_folder
from perfectplay.words import BadArgument

KEY = "tournament"
"""The key of the first line."""
WRONG = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading a line that is no line of a record raises."""


class RecordContents(NamedTuple):
    """What a record has: the settings and the games so far, and the bytes that they take in the file."""

    tournament: Tournament
    games: list[PlayedGame]
    size: int


def read_record(path: str | os.PathLike[str]) -> RecordContents:
    """The tournament and the games of a record; raises BadArgument if the file is none."""
    try:
        data = Path(path).read_bytes()
    except OSError as fault:
        raise BadArgument(f"the record {str(path)!r} cannot be read: {fault.strerror}") from None
    lines = whole_lines(data)
    try:
        tournament = tournament_in(json.loads(lines[0])[KEY])
    except (*WRONG, IndexError):
        raise BadArgument(f"{str(path)!r} is not the record of a tournament: its first line has no settings") from None
    return RecordContents(tournament, games_in(lines[1:], str(path)), sum(map(len, lines)))


def whole_lines(data: bytes) -> list[bytes]:
    """The lines that were written to their end."""
    return [line for line in data.splitlines(keepends=True) if line.endswith(b"\n")]


def games_in(lines: list[bytes], name: str, before: int = 1) -> list[PlayedGame]:
    """The games in lines of a record, each number once; `before` lines come before them."""
    games: dict[int, PlayedGame] = {}
    for number, line in enumerate(lines, before + 1):
        try:
            game = played_game(json.loads(line))
        except WRONG as fault:
            why = what_is_wrong(fault)
            raise BadArgument(f"{name}, line {number}: this is no game of a tournament: {why}") from None
        games.setdefault(game.number, game)
    return list(games.values())


def what_is_wrong(fault: Exception) -> str:
    """Why a line is no game, in words."""
    if isinstance(fault, json.JSONDecodeError | UnicodeDecodeError):
        return "it is not JSON"
    return f"it has no {fault.args[0]!r}" if isinstance(fault, KeyError) else str(fault)


class Follower:
    """Reads a growing record: `more` has what has been added since it was last asked."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.tournament, first, self.size = read_record(path)
        self.lines = len(first) + 1
        self.unread = first

    def more(self) -> list[PlayedGame]:
        """The games that have been added; raises BadArgument if the file is gone or is not what it was."""
        first, self.unread = self.unread, []
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self.size:
                    raise BadArgument(f"the record {str(self.path)!r} has been replaced by a shorter one")
                file.seek(self.size)
                lines = whole_lines(file.read())
        except OSError as fault:
            raise BadArgument(f"the record {str(self.path)!r} cannot be read: {fault.strerror}") from None
        games = games_in(lines, str(self.path), self.lines)
        self.size += sum(map(len, lines))
        self.lines += len(lines)
        return [*first, *games]


class RecordWriter:
    """Adds games to a record; to be used in a `with` block. A record has one writer at a time."""

    def __init__(self, path: str | os.PathLike[str], tournament: Tournament, size: int = 0) -> None:
        """Begins a record, or goes on with one of so many bytes."""
        self.path = Path(path)
        check_folder(self.path, self.path.parent)
        try:
            self.file: IO[bytes] = open(path, "ab+")  # noqa: SIM115 - kept open
        except OSError as fault:
            raise BadArgument(f"the record {str(path)!r} cannot be written: {fault.strerror}") from None
        self.lock()
        if os.fstat(self.file.fileno()).st_size and not size:
            self.file.seek(0)
            ours = self.file.read(len(KEY) + 3) == f'{{"{KEY}"'.encode()
            self.file.close()
            way = "resume it, or name another file" if ours else "it is no record of a tournament; name another file"
            raise BadArgument(f"the record {str(path)!r} is already there; {way}")
        if size:
            self.file.truncate(size)
        else:
            self.write_line({KEY: tournament.to_dict()})

    def __enter__(self) -> "RecordWriter":
        return self

    def __exit__(self, *fault: object) -> None:
        self.file.close()

    def lock(self) -> None:
        """Keeps other writers away, as far as the system can."""
        with suppress(ImportError):
            import fcntl  # not on every system

            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.file.close()
                raise BadArgument(f"the record {str(self.path)!r} is being written by another tournament") from None

    def write(self, game: PlayedGame) -> None:
        """Adds a game."""
        self.write_line(game.to_dict())

    def write_line(self, value: Any) -> None:
        """Adds a line, all of it at once."""
        try:
            self.file.write((json.dumps(value) + "\n").encode())
            self.file.flush()
        except OSError as fault:
            raise BadArgument(f"the record {str(self.path)!r} cannot be written: {fault.strerror}") from None


def differences(record: Tournament, settings: Tournament) -> Iterator[str]:
    """What is different in the settings of a record and those that are wanted, a text each."""
    before, now = record.to_dict(), settings.to_dict()
    for key, value in now.items():
        if before[key] != value:
            yield f"{key} {setting_text(before[key])}, not {setting_text(value)}"


def check_same(path: str | os.PathLike[str], record: Tournament, settings: Tournament) -> None:
    """Raises BadArgument if the record has other settings than those that are wanted."""
    for text in differences(record, settings):
        raise BadArgument(f"the record {os.fspath(path)!r} has {text}; leave that out, or begin another record")


def setting_text(value: Any) -> str:
    """A setting in a message."""
    text = " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    return text if len(text) < 60 else text[:57] + "..."
