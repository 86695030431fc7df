"""Runs the examples of the README and of all pages, and writes the output below each command: `make examples`."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"(?:# (\w+\.py)|/\* (\w+\.c) \*/|// (\w+\.js))\n")
"""The first line of a block that is a file, and so its name."""
OURS = re.compile(r"perfectplay ([^|&;<>]+?)( 2>&1)?(?: \| (head|tail) -(\d+))?")
"""A command that can run in this process."""
MEASURED = re.compile(r"\d[\d.,]* m?s (?=per move|at most)|(?<=^info time )\d+", re.MULTILINE)
"""A time per move, which is never the same again, also as a UGI engine tells it."""
TABLED = re.compile(r" +(?:time/move|\d[\d.,]* m?s)(?=  |$)", re.MULTILINE)
"""The column of times in the table of a tournament."""
COMPARED = re.compile(r" +(?:time|\d[\d.,]* m?s)( +\S+) +\S+(?=  )")
"""In the table of `compare` a time or its head, how many times fewer the nodes are, and how many times faster it is."""


class Example(NamedTuple):
    """A command, the output that the page shows, and the files that the page has shown before it."""

    command: str
    output: str
    files: dict[str, str]


def file_name(block: str) -> str | None:
    """The name of the file that the block is, if it is one."""
    named = FILE.match(block)
    return named and (named[1] or named[2] or named[3])


def files_in(text: str) -> dict[str, str]:
    """The files that the page shows, each as it is shown last."""
    return {name: block for _, block in BLOCK.findall(text) if (name := file_name(block))}


def examples_in(text: str) -> list[Example]:
    """The commands of the page, in order."""
    found: list[Example] = []
    files: dict[str, str] = {}
    for kind, block in BLOCK.findall(text):
        if name := file_name(block):
            files = {**files, name: block}
        if kind == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append(Example(command, output, files))
    return found


@cache
def all_files() -> dict[str, str]:
    """The files of all pages."""
    return {name: text for page in PAGES for name, text in files_in(page.read_text(encoding="utf-8")).items()}


def workplace(files: dict[str, str], folder: Path) -> Path:
    """A folder below with the files of all pages, these before others of the same name.

    There is one for each version of the Python files, because a program that has loaded a file must not see it change;
    what was loaded by the same relative path is forgotten.
    """
    from perfectplay.rules.loading import load_file

    load_file.cache_clear()
    files = {**all_files(), **files}
    versions = sorted((name, text) for name, text in files.items() if name.endswith(".py"))
    place = folder / sha256(repr(versions).encode()).hexdigest()[:8]
    place.mkdir(exist_ok=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def printed(command: str, folder: Path) -> str:
    """The output of a command: of ours in this process, which saves its start-up time, of others by a shell."""
    ours = OURS.fullmatch(command)
    if not ours:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8")
        return done.stdout
    from perfectplay.__main__ import main

    out, err = StringIO(), StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(out if ours[2] else err):
        main(shlex.split(ours[1]))
    lines = out.getvalue().splitlines(keepends=True)
    count = int(ours[4] or 0)
    return "".join(lines[:count] if ours[3] == "head" else lines[-count:])


def without_times(output: str) -> str:
    """The output with its times replaced by a question mark."""
    return TABLED.sub(" ?", COMPARED.sub(r" ?\1 ?", MEASURED.sub("?", output)))


def written(text: str, folder: Path) -> str:
    """The page with the output of its commands renewed."""
    examples = iter(examples_in(text))

    def renewed(block: re.Match[str]) -> str:
        if block[1] != "console":
            return block[0]
        parts = []
        for _ in re.findall(r"^\$ ", block[2], re.MULTILINE):
            example = next(examples)
            shown = printed(example.command, workplace(example.files, folder))
            if without_times(shown) == without_times(example.output):
                shown = example.output
            parts.append(f"$ {example.command}\n{shown}")
        return f"```console\n{''.join(parts)}```"

    return BLOCK.sub(renewed, text)


def main() -> None:
    """Renews the pages named on the command line, or all."""
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or PAGES
    with tempfile.TemporaryDirectory() as place:
        os.environ["PERFECTPLAY_HOME"] = f"{place}/home"
        folder = Path(place) / "work"
        folder.mkdir()
        for page in chosen:
            old = page.read_text(encoding="utf-8")
            new = written(old, folder)
            if new != old:
                page.write_text(new, encoding="utf-8")
                print(f"wrote {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
