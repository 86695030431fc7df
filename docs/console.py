"""Runs the commands that the pages show and writes what they print below them: `make tables`."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "writing-a-game.md", ROOT / "docs" / "exports.md"]


def saved_files(text: str, folder: Path) -> None:
    """Saves each Python block that begins with a file's name, and a program in C."""
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        name = re.match(r"# (\w+\.py)\n", block)
        if name:
            (folder / name[1]).write_text(block, encoding="utf-8")
    for block in re.findall(r"^```c\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        (folder / "main.c").write_text(block, encoding="utf-8")


def printed(command: str, folder: Path) -> str:
    """What the command prints on standard output."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8")
    return done.stdout


def written(text: str, folder: Path) -> str:
    """The page with the output of its commands run anew."""

    def run(block: re.Match[str]) -> str:
        commands = [part.partition("\n")[0] for part in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]]
        return "```console\n" + "".join(f"$ {command}\n{printed(command, folder)}" for command in commands) + "```"

    return re.sub(r"^```console\n(.*?)^```$", run, text, flags=re.DOTALL | re.MULTILINE)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        for page in PAGES:
            saved_files(page.read_text(encoding="utf-8"), Path(place))
        for page in PAGES:
            page.write_text(written(page.read_text(encoding="utf-8"), Path(place)), encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")
