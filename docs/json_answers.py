"""What commands answer as JSON, on small games that differ in kind."""

import contextlib
import io
import json
import os
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

from perfectplay.__main__ import main

ROOT = Path(__file__).parent.parent
LINES = ROOT / "docs" / "json_commands.txt"
"""A command a line, on games with draws, cycles, points, extra turns, dice and faults."""


def answer(line: str) -> Any:
    """What the command prints as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        main([*line.split(), "--json"])
    return json.loads(out.getvalue())


def answers() -> dict[str, list[Any]]:
    """The answers of each command, and of each that removes."""
    found = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(ROOT):
        (Path(folder) / "games.txt").write_text("b2 a1 c3\na1 b1 b2\n", encoding="utf-8")
        with patch.dict(os.environ, PERFECTPLAY_HOME=f"{folder}/home"):
            for line in LINES.read_text(encoding="utf-8").format(folder=folder).splitlines():
                command = line.split()[0] + " --remove" * ("--remove" in line)
                found[command].append(answer(line))
    return found
