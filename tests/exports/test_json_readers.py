"""The readers in the documentation find every position of an exported solution, whoever moved first."""

import json
import shutil
import subprocess

import pytest
from console import ROOT, files_in

from perfectplay import export, load
from perfectplay.game import best_moves, entries_of_moves, levels
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import solved_oracle

FILES = files_in((ROOT / "docs/how-to/export-to-json.md").read_text(encoding="utf-8"))


def answers_of(name, every):
    """Every n-th position as text, seen by either side, with the best moves that the table has for it."""
    game = load(name)
    lookup = solved_oracle(game).lookup
    found = {}
    for position in [position for level in levels(game) for position in level][::every]:
        entries = entries_of_moves(game, lookup, position)
        for side in (0, 1):
            names = [move_name(game, position, side, move) for move in (best_moves(entries) if entries else [])]
            found[show_position(game, position, side)] = sorted(names)
    return found


def read_by_python(folder, texts):
    scope = {"__name__": "reader"}
    exec(FILES["best_moves.py"], scope)
    positions = json.loads((folder / "solution.json").read_text())["positions"]
    assert scope["best_moves"](positions, texts[0].replace(".", "X")) is None  # a board that cannot be
    return [scope["best_moves"](positions, text)["best"] for text in texts]


def read_by_javascript(folder, texts):
    (folder / "best_moves.js").write_text(FILES["best_moves.js"])
    (folder / "texts.json").write_text(json.dumps(texts))
    (folder / "all.js").write_text(
        'const read = (file) => JSON.parse(require("fs").readFileSync(file, "utf8"));\n'
        'const { bestMoves } = require("./best_moves.js");\n'
        'const { positions } = read("solution.json");\n'
        'console.log(JSON.stringify(read("texts.json").map((text) => bestMoves(positions, text).best)));\n'
    )
    done = subprocess.run(["node", "all.js"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("lines:4,2,3", 10),
        pytest.param("tic-tac-toe", 1, marks=pytest.mark.nightly),
        pytest.param("tactic-toe", 50, marks=pytest.mark.nightly),
    ],
)
def test_readers_find_the_best_moves_of_both_colours(tmp_path, name, every):
    expected = answers_of(name, every)
    export(name, tmp_path / "solution.json")
    for read in (read_by_python, *([read_by_javascript] if shutil.which("node") else [])):
        assert read(tmp_path, [*expected]) == [*expected.values()]
