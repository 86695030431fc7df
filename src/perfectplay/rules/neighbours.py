"""The neighbours of a user's file: modules of its folder that it imports by name, as when Python runs the file.

The folder goes to the end of sys.path, so the standard library and installed packages come first. In one process a
name means one module: a file is refused if a neighbour that it imports has its name in another folder, too.
"""

import ast
import sys
from functools import cache
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any, NoReturn

from perfectplay.words import PerfectplayError

OURS = __name__.partition(".")[0]
"""The name of this package."""
FOLDERS: dict[Path, dict[str, Path]] = {}
"""The neighbours that files of each folder import, by name."""


class SavedSource(SourceFileLoader):
    """Loads a user's file as it is saved now.

    Python's own cache of compiled files cannot tell two texts of one length apart that are saved in the same second.
    """

    def path_stats(self, path: str) -> NoReturn:
        """Refuses to tell when the file was saved, so that no compiled file is read or written."""
        raise OSError(f"{path} is always compiled")


def admit(file: Path, error: type[PerfectplayError]) -> None:
    """Lets a file import its neighbours; raises the error if one of them has its name in the folder of another file."""
    folder, names = file.parent, neighbours_of(file)
    own = FOLDERS.setdefault(folder, {})
    for other, theirs in FOLDERS.items():
        if other != folder:
            for name in sorted(names.keys() | theirs.keys()):
                mine, elsewhere = names.get(name) or module_at(name, folder), theirs.get(name) or module_at(name, other)
                if mine and elsewhere:
                    raise error(clash(name, mine, elsewhere))
    for name, mine in names.items():
        module_file = getattr(sys.modules.get(name), "__file__", None)
        if module_file is not None and Path(module_file).resolve() != mine:
            raise error(clash(name, mine, Path(module_file)))
    own.update(names)
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def clash(name: str, mine: Path, other: Path) -> str:
    """The message for two modules of one name."""
    return f"{name!r} would be both {mine} and {other} in one program; give one of them another name"


def files_beside(folder: Path) -> list[Path]:
    """The files of a folder's modules that its files import."""
    return sorted({file for top in FOLDERS.get(folder, {}).values() for file in files_of(top)})


def neighbours_of(file: Path) -> dict[str, Path]:
    """The modules of its folder that a file imports, anywhere in its text, and those that these import, by name."""
    names: dict[str, Path] = {}
    waiting = [file]
    while waiting:
        for name in imports_of(waiting.pop()):
            place = None if name in names else module_at(name, file.parent)
            if place is not None:
                names[name] = place
                waiting += files_of(place)
    return names


def imports_of(file: Path) -> set[str]:
    """The top-level names that a file imports; none if it cannot be read, which shows when it is loaded."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in names} - {""}


def files_of(place: Path) -> list[Path]:
    """The file of a module, or all those of a package."""
    return sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]


def module_at(name: str, folder: Path) -> Path | None:
    """The file of a folder's module; None if there is none, or if the name means something else."""
    if is_installed(name):
        return None
    for place in (folder / name / "__init__.py", folder / f"{name}.py"):
        if place.is_file():
            return place.resolve()
    return None


@cache
def is_installed(name: str) -> bool:
    """Whether the name is that of this package, or of a module of the standard library or of an installed package."""
    if name == OURS or name in sys.stdlib_module_names or name in sys.builtin_module_names:
        return True
    spec = PathFinder.find_spec(name, site_folders())
    return spec is not None and spec.origin is not None


@cache
def site_folders() -> list[str]:
    """The folders of installed packages."""
    import site

    own: Any = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return [*site.getsitepackages(), *own]
