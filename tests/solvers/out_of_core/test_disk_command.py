"""The engines `disk` and `cluster` on the command line."""

import json
from dataclasses import replace

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay.words import BadGame


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--workdir x", "--workdir is for --engine disk and --engine cluster"),
        ("--engine disk --scheduler 127.0.0.1:1", "starts its own processes"),
        ("--engine cluster --scheduler 127.0.0.1:1 --workers 2", "a scheduler has its own workers"),
        ("--engine cluster --scheduler 127.0.0.1:1", "a folder that all its workers can reach"),
        ("--engine disk --workdir nonsense://x", "not a work directory"),
        ("--engine disk --workdir memory://x", "not a folder that all workers can reach"),
        ("--engine disk --workers 1 --partitions 6000 --workdir {}", "partitions are too many"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(options, words, capsys, tmp_path):
    assert words in complaint(capsys, f"solve lines:2,2,2 {options.format(tmp_path)}")


@pytest.mark.nightly
def test_the_disk_engine_prints_what_all_engines_print(capsys, tmp_path):
    line = f"solve tic-tac-toe --engine disk --workers 1 --workdir {tmp_path} --no-table --json"
    told = json.loads(output(capsys, line))
    other = json.loads(output(capsys, "solve tic-tac-toe --engine python --no-table --json"))
    timed = dict.fromkeys(("engine", "seconds", "seconds_in_all"))
    assert told | timed == other | timed
    assert told["engine"] == "disk"
    assert sum(row["positions"] for row in told["histogram"]) == told["positions"] == 5478


def test_a_game_that_others_cannot_load_is_refused():
    game = replace(perfectplay.load("tic-tac-toe"), name="mine")
    with pytest.raises(BadGame, match="other processes cannot load 'mine'"):
        perfectplay.solve(game, engine="disk")
