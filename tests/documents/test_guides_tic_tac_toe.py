"""What the guides to tic-tac-toe say in prose: numbers, and the command for a person."""

import io
import re

import pytest
from console import files_in

from homes import ROOT
from perfectplay import certify, odds
from perfectplay.__main__ import main

EXERCISE, ANY_BOARD = (
    (ROOT / f"docs/guides/{name}.md").read_text(encoding="utf-8") for name in ("tic-tac-toe-ai", "n-by-n")
)
MISTAKES = {row[0]: row[1:] for row in re.findall(r"^\| (\d) \| (.+) \| (.+) \| (.+) \|$", ANY_BOARD, re.MULTILINE)}
"""The table of depths: what it says of the guide's own AI, of `ways` and of `routes`."""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files of both guides, in the folder where the test runs."""
    for name, text in (files_in(EXERCISE) | files_in(ANY_BOARD)).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_odds_of_equal_players():
    rows = re.findall(r"^\| `(\w+_ai)` \| (.+?)% \| (.+?)% \| (.+?)% \|$", EXERCISE, re.MULTILINE)
    assert len(rows) == 3
    for name, *shown in rows:
        found = odds("tic-tac-toe", name, name)
        assert [f"{100 * float(number):.2f}" for number in (found.win, found.draw, found.loss)] == shown


def test_a_person_can_play_against_the_ai_of_the_guide(files, monkeypatch, capsys):
    (command,) = re.findall(r"^perfectplay (play .+)$", EXERCISE, re.MULTILINE)
    monkeypatch.setattr("sys.stdin", io.StringIO("b2\nq\n"))
    assert main(command.split()) == 0
    assert "X (human) plays b2" in capsys.readouterr().out


def as_in_the_table(player, **options):
    found = certify("tic-tac-toe", player, **options)
    return f"{found.mistake_count}{', perfect' if found.perfect else '' if found.loses else ', never loses'}"


@pytest.mark.nightly
@pytest.mark.parametrize("depth", MISTAKES)
def test_the_mistakes_at_each_depth_by_name(depth):
    assert tuple(as_in_the_table(f"{name}:{depth}") for name in ("ways", "routes")) == MISTAKES[depth][1:]


@pytest.mark.nightly
@pytest.mark.parametrize("depth", MISTAKES)
def test_the_mistakes_of_the_guides_own_ai(files, depth):
    source = (files / "nbyn_dig.py").read_text(encoding="utf-8")
    (files / f"dig_{depth}.py").write_text(source.replace("DEPTH = 2", f"DEPTH = {depth}"), encoding="utf-8")
    assert as_in_the_table(f"./dig_{depth}.py:ai", repeats=1) == MISTAKES[depth][0]


@pytest.mark.nightly
@pytest.mark.parametrize(("player", "calls"), [("./ttt_minimax.py:minimax_ai", 549_945), ("./nbyn_lean.py:ai", 16_168)])
def test_the_calls_for_the_first_move(files, player, calls):
    """One call less than positions where the AI itself is at the root."""
    found = certify("tic-tac-toe", player, repeats=1, side="first")
    assert found.perfect
    assert found.first_move_calls == calls


@pytest.mark.nightly
@pytest.mark.parametrize("side", ["first", "second"])
def test_a_shared_memory_is_right_on_each_side_alone(files, side):
    assert certify("tic-tac-toe", "./nbyn_shared.py:ai", side=side, repeats=1).perfect
