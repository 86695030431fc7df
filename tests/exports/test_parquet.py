"""Parquet: what was written agrees with the table, and the questions in the docs have the answers given there."""

import re
import sys
from pathlib import Path

import pytest

from command_line import complaint
from export_files import export, truth
from perfectplay.exports import parquet_export
from perfectplay.game import canonical, levels
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import parse_position
from perfectplay.solvers.table.table import keys_of

DOCS = Path("docs/how-to/export-to-parquet.md")


ROUND = [
    *("tic-tac-toe", "ponghauki", "examples/hexapawn.py", "lines:8,8,1"),
    *(pytest.param(name, marks=pytest.mark.nightly) for name in ("kingpawns", "tactic-toe")),
]


@pytest.mark.parametrize("name", ROUND)
def test_round_trip(tmp_path, capsys, monkeypatch, name):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet_export, "GROUP", 100)
    path = tmp_path / "solved.parquet"
    facts = export(capsys, name, path)
    file = parquet.ParquetFile(path)
    rows = file.read().to_pylist()
    game, known = load_game(name), truth(name)
    smallest, (key, unkey) = canonical(game), keys_of(game)
    plies = {}
    for ply, level in enumerate(levels(game)):
        for position in level:
            plies.setdefault(smallest(*position), ply)
    assert file.num_row_groups == -(-len(rows) // 100)
    assert len(rows) == facts["rows"] == len(plies)
    assert file.schema_arrow.names == ["position", "key", "value", "distance", "best_moves", "level"]
    assert file.schema_arrow.metadata[b"game"] == name.encode()
    for row in rows:
        position, side = parse_position(game, row["position"])
        entry, best = known[position]
        assert (row["value"], row["distance"]) == entry
        assert int(row["best_moves"]) == sum(1 << move for move in best)
        assert int(row["key"]) == key(*smallest(*position))
        assert row["level"] == plies[unkey(int(row["key"]))]
        assert row["level"] % 2 == side
    assert len({row["key"] for row in rows}) == len(rows)
    narrow = name != "lines:8,8,1"
    assert str(file.schema_arrow.field("key").type) == ("int64" if narrow else "string")


def test_without_pyarrow(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    line = complaint(capsys, f"export tic-tac-toe --to {tmp_path / 'a.parquet'}")
    assert "pip install 'perfectplay[parquet]'" in line
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_questions_in_the_docs(tmp_path, capsys, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    text = DOCS.read_text()
    questions = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert len(questions) == 3
    for name in ("tactic-toe", "tic-tac-toe", "kingpawns"):
        export(capsys, name, tmp_path / f"{name}.parquet")
    monkeypatch.chdir(tmp_path)
    for question, answer in questions:
        result = duckdb.sql(question)
        rows = [result.columns, *result.fetchall()]
        assert [[str(value) for value in row] for row in rows] == [line.split() for line in answer.splitlines()]
