"""The readers in the documentation find every position of an exported solution, whoever moved first."""

import json
import shutil
import subprocess

import pytest
from console import ROOT, files_in

from perfectplay import export, load
from perfectplay.game import levels
from perfectplay.notation import move_name, show_position
from perfectplay.solvers.lookup_or_solve import best_moves, entries_of_moves, lookup_for

FILES = files_in((ROOT / "docs/how-to/export-to-json.md").read_text(encoding="utf-8"))


def answers_of(name, every):
    """Every n-th position as text, seen by either side, with the best moves that the table has for it."""
    game = load(name)
    lookup = lookup_for(game)
    found = {}
    for position in [position for level in levels(game) for position in level][::every]:
        entries = entries_of_moves(game, lookup, position)
        for side in (0, 1):
            names = [move_name(game, position, side, move) for move in (best_moves(entries) if entries else [])]
            found[show_position(game, position, side)] = sorted(names)
    return found


def read_by_python(folder, name, texts):
    scope = {"__name__": "reader"}
    exec(FILES["best_moves.py"], scope)
    positions = json.loads((folder / name).read_text())["positions"]
    return [scope["best_moves"](positions, text)["best"] for text in texts]


def read_by_javascript(folder, name, texts):
    (folder / "best_moves.js").write_text(FILES["best_moves.js"])
    (folder / "texts.json").write_text(json.dumps(texts))
    (folder / "all.js").write_text(
        'const read = (file) => JSON.parse(require("fs").readFileSync(file, "utf8"));\n'
        'const { bestMoves } = require("./best_moves.js");\n'
        f"const {{ positions }} = read({json.dumps(name)});\n"
        'console.log(JSON.stringify(read("texts.json").map((text) => bestMoves(positions, text).best)));\n'
    )
    done = subprocess.run(["node", "all.js"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


READERS = [
    read_by_python,
    pytest.param(read_by_javascript, marks=pytest.mark.skipif(not shutil.which("node"), reason="node is not there")),
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("name", "every"), [("tic-tac-toe", 1), ("tactic-toe", 50), ("lines:4,2,3", 10)])
def test_a_reader_finds_the_best_moves_of_both_colours(tmp_path, reader, name, every):
    expected = answers_of(name, every)
    export(name, tmp_path / "solution.json")
    assert reader(tmp_path, "solution.json", [*expected]) == [*expected.values()]


def test_a_board_that_cannot_be_is_not_found(tmp_path):
    export("tic-tac-toe", tmp_path / "solution.json")
    scope = {"__name__": "reader"}
    exec(FILES["best_moves.py"], scope)
    positions = json.loads((tmp_path / "solution.json").read_text())["positions"]
    assert scope["best_moves"](positions, "X:XXX/.../...") is None


def test_the_readers_are_short():
    for name, end in (("best_moves.py", "\nif __name__"), ("best_moves.js", "\nif (require")):
        body = FILES[name].partition(end)[0].splitlines()[1:]
        assert len([line for line in body if line.strip()]) <= 15
