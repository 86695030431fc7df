"""What every command answers as JSON, on ten games: a fingerprint of each answer, to be compared after a rebuilding.

python tests/snapshot.py FOLDER [--write]

Writes each answer to a file in FOLDER, so that two folders can be compared, and names the commands whose answer differs
from what is kept in tests/commands/snapshot.json; --write keeps them as they are now. Times, places and sizes in memory
are left out: they differ from run to run.
"""

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from homes import ROOT
from perfectplay import Match
from perfectplay.__main__ import main as run

KEPT = ROOT / "tests" / "commands" / "snapshot.json"
GAMES = {
    "tic-tac-toe": "b2 a1",
    "tactic-toe": "a2 b2",
    "misere": "b2",
    "drop:4,3,3": "2 2",
    "kingpawns": "",
    "dots:2,1": "",
    "kalah:2,2": "",
    "nim:3,2": "",
    "ponghauki": "",
    "examples/hexapawn.py": "a1a2",
}
"""Games that end and that repeat, with wins, draws and points, with extra turns, and a file; and first moves."""
EACH = (
    "games {game}",
    "solve {game} --engine python --no-table",
    "solve {game} --engine python --longest 3 --sides",
    "analyse {game} {moves}",
    "analyse {game} {moves} --against uniform",
    "explain {game} {moves}",
    "odds {game} perfect random",
    "odds {game} level:3 minimax:2",
    "battle {game} perfect random --games 6 --seed 1 --show-losses 1",
    "tournament {game} random minimax:2 perfect --games 2 --seed 1 --max-plies 60",
    "certify {game} wins --repeats 1",
    "puzzles {game} --count 3 --seed 1",
    "review {game} {played}",
    "tree {game} {moves} --depth 2",
    "compare {game} {moves} --depth 3",
    "export {game} --to {folder}/{file}.json",
    "export {game} --to {folder}/{file}.h",
    "export {game} --to {folder}/{file}.html",
    "perft {game} 4",
    "check {game}",
)
ONCE = (
    "games",
    "players",
    "strategy nim:3,2",
    "strategy tic-tac-toe",
    "strategy examples/hexapawn.py",
    "sweep lines:2..3,2..3,3 dots:1..2,1",
    "compare tic-tac-toe --with perfect",
    "analyse connect-four 4 4 4 4 4 2 3 5 1 1 --nodes 100000 --threads 1",
    "analyse lines:6,6,4 c3 c4 --nodes 20000 --threads 1",
    "book drop:4,4,4 --plies 2 --threads 1",
    "site tic-tac-toe nim:3,2 --to {folder}/site",
    "analyse nothing",
    "tables",
)
VARYING = re.compile(r"seconds|memory|bytes|path|file|folder|home|time|speed|size|version|bits_a|per_second|to$")
"""The fields that differ from run to run and from machine to machine."""


def commands(folder: Path) -> Iterator[str]:
    """The command lines, in the order in which they run."""
    for game, moves in GAMES.items():
        parts = {"file": re.sub(r"\W", "-", game), "played": " ".join(first_moves(game)), "folder": folder}
        for line in EACH:
            yield line.format(game=game, moves=moves, **parts)
    for line in ONCE:
        yield line.format(folder=folder)


def first_moves(name: str) -> list[str]:
    """The names of the first moves of a random game."""
    match, rng = Match(name), Random(1)
    while match.result is None and len(match.moves) < 6:
        match = match.play(rng.choice(match.legal_moves()))
    return list(match.moves)


def lasting(fact: object) -> object:
    """The same without what varies."""
    if isinstance(fact, dict):
        return {key: "..." if VARYING.search(key) else lasting(value) for key, value in fact.items()}
    return [lasting(one) for one in fact] if isinstance(fact, list) else fact


def answer(line: str, folder: Path) -> str:
    """The exit code, what was printed, what was complained of, and fingerprints of the data that was written."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = run([*line.split(), "--json"])
        except SystemExit as end:
            code = end.code
    try:
        text = json.dumps(lasting(json.loads(out.getvalue())), indent=1)
    except ValueError:
        text = out.getvalue()
    said = err.getvalue().splitlines()[-1:] if code else []
    data = [*sorted(folder.glob("*.json")), *sorted(folder.glob("*.h"))]
    written = [sha256(file.read_bytes()).hexdigest() for file in data]
    for file in folder.glob("*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    whole = f"{code}\n{text}\n{said}\n{written}\n"
    for place, name in ((folder, "FOLDER"), (os.environ["PERFECTPLAY_HOME"], "HOME"), (ROOT, "ROOT")):
        whole = whole.replace(str(place), name)
    return whole


def answers(folder: Path) -> dict[str, str]:
    """The answer of each command; all of them share one home, and write below this folder."""
    with tempfile.TemporaryDirectory(prefix="perfectplay-snapshot-") as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PERFECTPLAY_HOME", home)
        patch.chdir(ROOT)
        return {line.replace(str(folder), "FOLDER"): answer(line, folder) for line in commands(folder)}


def digests(found: dict[str, str]) -> dict[str, str]:
    """A fingerprint of each answer."""
    return {line: sha256(text.encode()).hexdigest()[:16] for line, text in found.items()}


def main() -> int:
    """Exit code 1 if an answer differs from what is kept."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="keep the answers as they are now")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    files = options.folder / "files"
    files.mkdir(exist_ok=True)
    found = answers(files.absolute())
    for number, (line, text) in enumerate(found.items()):
        (options.folder / f"{number:03}.txt").write_text(f"{line}\n{text}", encoding="utf-8")
    now = digests(found)
    if options.write:
        KEPT.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    differing = [line for line in sorted(kept.keys() | now.keys()) if kept.get(line) != now.get(line)]
    print(*differing, f"{len(now)} commands, {len(differing)} answer otherwise than before", sep="\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
