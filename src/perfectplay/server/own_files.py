"""The user's own files that the server was started with, and whether they have been saved since."""

from collections.abc import Iterable
from hashlib import sha256
from os import stat_result
from pathlib import Path

from perfectplay.rules.loading import split_path
from perfectplay.rules.neighbours import files_beside
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.own_bots import file_of


class OwnFiles:
    """Hashes of what the files contain: the same after a restart, and after a save that changes nothing."""

    def __init__(self, allowed: AllowedNames) -> None:
        self.allowed = allowed
        self.paths = {name: path_of(path) for name, path in allowed.games.items()}
        self.paths |= {name: file_of(player).resolve() for name, player in allowed.players.items()}
        self.beside: dict[Path, list[Path]] = {path: files_beside(path.parent) for path in self.paths.values()}
        """The modules of its folder that each file imports."""
        self.hashes: dict[Path, tuple[tuple[int, ...], str]] = {}
        """The hash of each file, and what the system told about the file then."""

    def saved(self, name: str) -> str:
        """A hash of the file of a game or a player, and of the modules of its folder that it imports."""
        return self.hash_of(self.paths.get(name) or self.paths[name.partition(":")[0]])

    def all_saved(self) -> str:
        """A hash of all files: a worker with another one has loaded what is no longer true."""
        return digest(self.hash_of(path) for path in self.beside)

    def note_imports(self, game: str, files: Iterable[str]) -> None:
        """Notes which modules of its folder the game's file imports now."""
        path = self.paths[game.partition(":")[0]]
        self.beside[path] = [Path(file) for file in files]

    def hash_of(self, path: Path) -> str:
        """The hash of a file and of the modules that it imports."""
        return digest(self.hash_of_one(one) for one in (path, *self.beside[path]))

    def hash_of_one(self, path: Path) -> str:
        """The hash of one file; of one that is missing or empty, what was there before: it is being saved."""
        before = self.hashes.get(path, ((), ""))
        try:
            told = seen(path.stat())
            if told == before[0] or not path.stat().st_size:
                return before[1]
            self.hashes[path] = (told, sha256(path.read_bytes()).hexdigest())
        except OSError:
            return before[1]
        return self.hashes[path][1]


def path_of(name: str) -> Path:
    """The file of a user's own game."""
    path = split_path(name)[0]
    assert path is not None
    return path.resolve()


def seen(told: stat_result) -> tuple[int, ...]:
    """What changes when a file is saved."""
    return told.st_mtime_ns, told.st_size, told.st_ino


def digest(hashes: Iterable[str]) -> str:
    """One hash of several."""
    return sha256("/".join(hashes).encode()).hexdigest()[:16]
