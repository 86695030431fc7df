"""Twenty bots, ten of which go wrong in ten different ways, play 10,000 games: the table is full at the end."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from homes import ROOT
from perfectplay.words import Cause

WAYS = {
    "illegal": Cause.ILLEGAL_MOVE,
    "nonsense": Cause.NONSENSE,
    "silent 32": Cause.TIME,
    "abort": Cause.CRASH,
    "exit": Cause.EXIT,
    "memory 8": Cause.MEMORY,
    "closed 32": Cause.PIPE,
    "flood 8": Cause.FLOOD,
    "'no start'": Cause.START,
    "orphans": Cause.CRASH,
}
"""What a bot does at its second move, in one of how many games if not in all, and the cause that is recorded."""
GAMES = 54
"""Games of each of 190 pairings: 10,260 in all."""


def built(source, folder):
    """The program of a C file."""
    program = folder / Path(source).stem
    subprocess.run(["cc", "-O2", "-o", program, ROOT / source], check=True)
    return program


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_ten_bots_of_twenty_misbehave(tmp_path):
    good, bad = built("examples/bots/tictactoe.c", tmp_path), built("tests/misbehaving_bot.c", tmp_path)
    sound = [*(f"cmd:{good} {seed} 30" for seed in range(1, 7)), "random", "wins", "perfect", "noisy:0.2"]
    wrong = {f"cmd:{bad} {way}": cause for way, cause in WAYS.items()}
    record = tmp_path / "games.jsonl"
    terms = f"--games {GAMES} --jobs 2 --movetime 1 --memory 64M --seed 1 --json --record {record}".split()
    command = [sys.executable, "-m", "perfectplay", "tournament", "tic-tac-toe", *sound, *wrong, *terms]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    games = [json.loads(line) for line in record.read_text().splitlines()[1:]]
    assert sorted(game["number"] for game in games) == [*range(190 * GAMES)]
    table = json.loads(done.stdout)["players"]
    assert {row["name"] for row in table} == {*sound, *wrong}
    assert all(row["games"] >= 38 and row["low"] < row["rating"] < row["high"] for row in table)

    forfeits = Counter((loser(game), game["cause"]) for game in games if game["cause"])
    assert {name: {cause for one, cause in forfeits if one == name} for name in sound} == {
        name: set() for name in sound
    }
    assert {(name, str(cause)) for name, cause in wrong.items()} == {*forfeits}
    in_vain = Counter(name for game in games for name in {loser(game)} & {*wrong} if {*game["players"]} & {*sound})
    always = [name for name in wrong if not name[-1].isdigit()]
    assert {name: in_vain[name] for name in always} == {name: len(sound) * GAMES for name in always}


def loser(game):
    """The name of the player that lost the game; None for a draw."""
    return {"1-0": game["players"][1], "0-1": game["players"][0]}.get(game["result"])
