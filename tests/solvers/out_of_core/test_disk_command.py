"""The engines `disk` and `cluster` on the command line."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.steps import finished
from perfectplay.words import BadGame, BadWork


def test_options_of_these_engines_are_refused_for_others(capsys, tmp_path):
    assert "--workdir is for --engine disk and --engine cluster" in complaint(capsys, "solve tic-tac-toe --workdir x")
    assert "starts its own processes" in complaint(capsys, "solve tic-tac-toe --engine disk --scheduler 127.0.0.1:1")
    assert "a scheduler has its own workers" in complaint(
        capsys, "solve tic-tac-toe --engine cluster --scheduler 127.0.0.1:1 --workers 2"
    )
    assert "a folder that all its workers can reach" in complaint(
        capsys, "solve tic-tac-toe --engine cluster --scheduler 127.0.0.1:1"
    )
    for nowhere in ("memory://x", ""):
        with pytest.raises(BadWork, match="not a folder that all workers can reach"):
            finished(solving(perfectplay.load("tic-tac-toe"), Options("disk", workdir=nowhere)))
    assert "not a work directory" in complaint(capsys, "solve tic-tac-toe --engine disk --workdir nonsense://x")
    assert "partitions are too many" in complaint(
        capsys, f"solve lines:2,2,2 --engine disk --workers 1 --partitions 6000 --workdir {tmp_path}"
    )


def test_the_disk_engine_prints_what_all_engines_print(capsys, tmp_path):
    told = json.loads(output(capsys, f"solve tic-tac-toe --engine disk --workers 1 --workdir {tmp_path} --json"))
    other = json.loads(output(capsys, "solve tic-tac-toe --engine python --json"))
    same = ("value", "distance", "positions", "classes", "wins", "draws", "losses", "longest")
    assert [told[name] for name in same] == [other[name] for name in same]
    assert told["engine"] == "disk"


def test_without_a_table_it_prints_the_histogram(capsys, tmp_path):
    line = f"solve tic-tac-toe --workers 1 --workdir {tmp_path} --no-table --json --engine"
    told = json.loads(output(capsys, f"{line} disk"))
    assert sum(row["positions"] for row in told["histogram"]) == told["positions"] == 5478


def test_a_game_that_others_cannot_load_is_refused():
    game = replace(perfectplay.load("tic-tac-toe"), name="mine")
    with pytest.raises(BadGame, match="other processes cannot load 'mine'"):
        perfectplay.solve(game, engine="disk")


def test_the_options_that_the_page_names_are_there(capsys):
    page = Path("docs/how-to/solve-on-a-cluster.md").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        output(capsys, "solve --help")
    told = capsys.readouterr().out
    of_dask = {"--nworkers", "--tls-ca-file", "--tls-cert", "--tls-key"}
    named = set(re.findall(r"`(--[a-z-]+)", page)) - of_dask
    assert named >= {"--workdir", "--workers", "--partitions", "--scheduler", "--memory", "--resume", "--engine"}
    assert all(name in told for name in named)
