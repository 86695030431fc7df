"""The neighbours of a user's file: modules of its folder that it imports by name, as when Python runs the file.

- A file gets its neighbours from its own folder, whichever files of other folders have neighbours of the same names;
  also when a function imports them later, and when neighbours import each other.
- Files of one folder share their neighbours, each of which is loaded once.
- The standard library, installed packages and this package come first: a neighbour never hides one of them.
- A neighbour is in sys.modules, too, where pickle looks for it, unless another module of its name is there already.

What this leaves to Python is importlib.import_module, and folders without __init__.py: these are found by sys.path.
"""

import builtins
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from threading import RLock, local
from types import ModuleType
from typing import Any, NoReturn

LOCK = RLock()
"""Held while a folder's neighbours are in sys.modules in place of others of the same names."""
OURS = __name__.partition(".")[0]
"""The name of this package."""


class Folder:
    """A folder of user's files, and those of its modules that have been imported by name."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.modules: dict[str, ModuleType] = {}
        self.files: dict[str, str] = {}
        """The files of top-level names; empty for names that mean something else."""
        self.builtins = {**vars(builtins), "__import__": self.bring}
        """The built-in functions for code in this folder: Python takes `import` from them."""

    def bring(
        self,
        name: str,
        names: Mapping[str, object] | None = None,
        inner: Mapping[str, object] | None = None,
        wanted: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What `import` brings to code in this folder; see `builtins.__import__`."""
        top = name.partition(".")[0]
        if not level:
            known = self.modules.get(name)
            if known is not None and all(hasattr(known, part) for part in wanted or ()):
                return known if wanted else self.modules[top]
            if not self.file_of(top):
                return builtins.__import__(name, names, inner, wanted or (), level)
        with LOCK, self.in_place():
            return builtins.__import__(name, names, inner, wanted or (), level)

    def file_of(self, top: str) -> str:
        """The file of the neighbour of that name; empty if there is none, or if the name means something else."""
        if top not in self.files:
            spec = PathFinder.find_spec(top, [self.path])
            if spec is None or spec.origin is None:
                return ""  # not kept: the file may be there later
            self.files[top] = "" if is_installed(top) else spec.origin
        return self.files[top]

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Has this folder's neighbours in sys.modules, and others of the same names away."""
        if self in FINDER.active:
            yield
            return
        there = self.taken_out()
        tops = {top for top in map(top_of, there) if getattr(there.get(top), "__file__", "") != self.file_of(top)}
        others = {name: module for name, module in there.items() if top_of(name) in tops}
        sys.modules.update(self.modules | {name: module for name, module in there.items() if name not in others})
        FINDER.active.append(self)
        try:
            yield
        finally:
            FINDER.active.pop()
            self.modules = self.taken_out()
            sys.modules.update({name: module for name, module in self.modules.items() if top_of(name) not in tops})
            sys.modules.update(others)

    def taken_out(self) -> dict[str, ModuleType]:
        """The modules of the neighbours' names, taken out of sys.modules."""
        return {name: sys.modules.pop(name) for name in list(sys.modules) if self.file_of(top_of(name))}


class SavedSource(SourceFileLoader):
    """Loads a user's file as it is saved now.

    Python's own cache of compiled files cannot tell two texts of one length apart that are saved in the same second.
    """

    def path_stats(self, path: str) -> NoReturn:
        """Refuses to tell when the file was saved, so that no compiled file is read or written."""
        raise OSError(f"{path} is always compiled")


class Neighbour(SavedSource):
    """Loads a neighbour, so that its own imports are those of its folder."""

    def __init__(self, name: str, file: str, folder: Folder) -> None:
        super().__init__(name, file)
        self.folder = folder

    def exec_module(self, module: ModuleType) -> None:
        """Runs the file."""
        vars(module)["__builtins__"] = self.folder.builtins
        super().exec_module(module)


class Finder(local):
    """Finds the neighbours in the folder whose code is importing them, in this thread."""

    def __init__(self) -> None:
        self.active: list[Folder] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The neighbour of that name; None if it is no neighbour."""
        folder = self.active[-1] if self.active else None
        if folder is None or not folder.file_of(top_of(name)):
            return None
        spec = PathFinder.find_spec(name, [folder.path] if path is None else path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = Neighbour(spec.loader.name, str(spec.loader.path), folder)
        return spec


FINDER = Finder()


@cache
def folder_at(path: Path) -> Folder:
    """The folder at that path, which Python's own imports find as well, after everything else."""
    if FINDER not in sys.meta_path:
        sys.meta_path.insert(0, FINDER)
    folder = str(path)
    if folder not in sys.path:
        sys.path.append(folder)
    return Folder(folder)


def files_beside(path: Path) -> list[Path]:
    """The files of a folder's modules that have been imported by name."""
    files = (getattr(module, "__file__", None) for module in folder_at(path).modules.values())
    return sorted({Path(file) for file in files if file})


def top_of(name: str) -> str:
    """The name of a module's top-level package."""
    return name.partition(".")[0]


@cache
def is_installed(top: str) -> bool:
    """Whether the name is that of this package, or of a module of the standard library or of an installed package."""
    if top == OURS or top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return True
    spec = PathFinder.find_spec(top, site_folders())
    return spec is not None and spec.origin is not None


@cache
def site_folders() -> list[str]:
    """The folders of installed packages."""
    import site

    own: Any = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return [*site.getsitepackages(), *own]
