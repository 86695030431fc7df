"""The folder of a site: written whole or not at all, and never over somebody else's files."""

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from perfectplay import __version__
from perfectplay.processes.folders import is_running, machine, partly
from perfectplay.rules.outputs import real_path
from perfectplay.words import BadArgument

MANIFEST = "site.json"
"""The file that names all others of a site: by it we know what is ours."""
INDEX = "index.html"


def earlier_files(folder: Path, force: bool = False) -> set[str]:
    """The files of an earlier site in that folder; raises BadArgument if it holds anything else, unless forced."""
    shown = repr(str(folder))
    if folder.exists() and not folder.is_dir():
        raise BadArgument(f"{shown} is there already and is not a folder; write the name of a new folder")
    real_path(folder, force)
    if not folder.exists():
        return set()
    remove_leftovers(folder)
    if not any(folder.iterdir()):
        return set()
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        ours = found["made_by"].startswith("perfectplay ")
        files = {name for name in found["files"] if Path(name).name == name}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        ours, files = False, set()
    if not ours and not force:
        raise BadArgument(
            f"{shown} is not empty and holds no site of perfectplay; write the name of a new folder, "
            "or write to it with force=True"
        )
    return {*files, MANIFEST}


def check_free(folder: Path, names: Collection[str], earlier: set[str]) -> None:
    """Raises BadArgument if one of these names is taken by a file that is not ours."""
    for name in names:
        if name not in earlier and (folder / name).exists():
            raise BadArgument(f"{str(folder / name)!r} is not a file of the site that is there; move it away first")


@contextmanager
def site_folder(folder: Path, earlier: set[str]) -> Iterator[Path]:
    """An empty folder to write the site to; what is there in the end takes the earlier site's place, file by file.

    A new folder appears at once. In one that exists the index and the manifest come last, and other files stay.
    """
    unfinished = folder / partly(Path("site")).name if folder.exists() else partly(folder.absolute())
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    try:
        yield unfinished
        files = sorted((path.name for path in unfinished.iterdir()), key=lambda name: (name == INDEX, name))
        manifest = {"made_by": f"perfectplay {__version__}", "files": files}
        (unfinished / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        if not folder.exists():
            unfinished.rename(folder)
            return
        for name in (*files, MANIFEST):
            os.replace(unfinished / name, folder / name)
        for name in earlier - {*files, MANIFEST}:
            (folder / name).unlink(missing_ok=True)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def remove_leftovers(folder: Path) -> None:
    """Removes unfinished sites of processes that have ended."""
    for path in folder.glob(f".site.{machine()}.*.tmp"):
        process = re.search(r"\.([0-9]{1,9})\.tmp$", path.name)
        if process and not is_running(int(process[1])):
            with suppress(OSError):
                shutil.rmtree(path)
