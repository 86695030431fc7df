"""What newcomers do wrong: each mistake is found, in one line that says what to do; right rules raise no alarm."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from console import all_files

import perfectplay
from graph_games import graph_game
from homes import ROOT
from perfectplay.__main__ import main
from perfectplay.compiler.checks.contract import CHECKS, finding, findings, hints_true, images_alike
from perfectplay.compiler.checks.sample_positions import positions_to_check
from perfectplay.rules.loading import NeverReturns, load_file, load_game
from perfectplay.words import LOSS, WIN
from rings import nightly

RULES = """
from perfectplay import DRAW, LOSS, ONGOING, WIN, Game

LINES = (7, 56, 448, 73, 146, 292, 273, 84)
SEEN = []


def moves(mine, theirs):
    return 511 & ~(mine | theirs)


def play(mine, theirs, move):
    return theirs, mine | 1 << move


def outcome(mine, theirs):
    for line in LINES:
        if theirs & line == line:
            return LOSS
    return DRAW if mine | theirs == 511 else ONGOING


def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=9, shape=(3, 3))
"""
PLAY, WON, FULL = "theirs, mine | 1 << move", "if theirs & line == line", "DRAW if mine | theirs == 511"


def written(folder, *changes):
    """The path of tic-tac-toe with these changes: what is replaced, and by what."""
    text = RULES
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    file = Path(folder) / "toe.py"
    file.write_text(text)
    load_file.cache_clear()
    return str(file)


def told(game):
    """What checks say about a game, but for those that take long and have tests of their own, by their names."""
    game = load_game(game) if isinstance(game, str) else game
    met = positions_to_check(game, 50, 1)
    found = {}
    for check in CHECKS[:-1]:
        if check not in (images_alike, hints_true):
            found[check.__name__] = finding(check, game, met)
        if found.get("same_every_time", ("ok",))[0] == "fault":
            break
    return {name: one for name, one in found.items() if one.status not in ("ok", "skipped")}


LATE = ("last_move_decides", "fault", "a move late", "look at theirs", "return LOSS")
MINE_WINS = (WON, "if mine & line == line")
DICE = "__import__('random')"
MISTAKES = {
    "play does not swap the words": (
        (PLAY, "mine | 1 << move, theirs"),
        ("next_side_sees", "fault", "play does not swap the sides", "return (theirs, mine)"),
    ),
    "outcome looks at the side to move for a win": ((*MINE_WINS, "return LOSS", "return WIN"), LATE),
    "outcome looks at the side to move for a loss": (MINE_WINS, LATE),
    "outcome says that the beaten side wins": (
        ("return LOSS", "return WIN"),
        ("last_move_decides", "note", "a last move never wins", "returns LOSS", "misère"),
    ),
    "the start is over": (
        ("bits=9", "bits=9, start=(0, 7)"),
        ("moves_matter", "fault", "over at the start", "outcome is LOSS", "look at start and outcome"),
    ),
    "more squares than bits": (
        ("(3, 3)", "(4, 3)"),
        ("shape_fits", "note", "(4, 3) has 12 squares", "bits = 9", "b3 to d3 stay empty", "write shape=(3, 3)"),
    ),
    "fewer squares than bits": (
        ("shape=(3, 3)", "shape=(3, 2), move_names=tuple('abcdefghi')"),
        ("shape_fits", "fault", "no square shows bit", "(3, 2) has 6 squares", "bits = 9", "change shape"),
    ),
    "dice in outcome": (
        (FULL, f"{DICE}.choice((DRAW, WIN)) if mine | theirs == 511"),
        ("same_every_time", "fault", "outcome(", "when called first", "no random numbers"),
    ),
    "dice in play": (
        (PLAY, f"theirs, mine | (1 << move if {DICE}.random() < 0.9 else moves(mine, theirs))"),
        ("same_every_time", "fault", "play(", "when called first", "no random numbers"),
    ),
    "a counter in outcome": (
        (FULL, "DRAW if SEEN.append(mine) or len(SEEN) > 3000 or mine | theirs == 511"),
        ("same_every_time", "fault", "outcome(0, 0)", "is 2 when called first and 0 later", "nothing that changes"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_one_line(mistake, tmp_path):
    changes, (check, status, *words) = MISTAKES[mistake]
    found = told(written(tmp_path, *changes))
    assert found[check].status == status
    assert all(word in found[check].line for word in words), found[check].line
    assert "\n" not in found[check].line
    assert set(found) == {check}


def test_a_plain_game_raises_no_alarm(tmp_path):
    assert told(written(tmp_path)) == {}


CENTRE = (
    *("def moves", "def again(mine, theirs, move):\n    return move in (3, 4)\n\n\ndef moves"),
    *(PLAY, "(mine | 1 << move, theirs) if move in (3, 4) else (theirs, mine | 1 << move)"),
    *("outcome=outcome", "outcome=outcome, again=again"),
)
"""Tic-tac-toe in which two squares give an extra turn."""


def test_a_row_by_an_extra_turn_wins_at_once(tmp_path):
    found = told(written(tmp_path, *CENTRE))["last_move_decides"]
    assert found.status == "note"
    assert "a move late after an extra turn: in O:" in found.line
    assert "return WIN" in found.line
    both = "            return LOSS\n        if mine & line == line:\n            return WIN\n"
    assert told(written(tmp_path, *CENTRE, "            return LOSS\n", both)) == {}


@pytest.mark.parametrize("cells", ["range(squares)", "Sides(range(squares), range(squares))"])
def test_a_board_that_turns_without_cells_for_the_second_side(tmp_path, cells):
    right = (ROOT / "examples" / "hexapawn.py").read_text()
    file = tmp_path / "hexapawn.py"
    file.write_text(right.replace("Sides(range(squares), range(squares)[::-1])", cells))
    (found,) = told(str(file)).values()
    assert found.status == "note"
    assert all(word in found.line for word in ("turned by 180 degrees", "for Black", "cells=Sides(first, second)"))


@pytest.mark.nightly
def test_a_board_that_transposes(tmp_path):
    """Rules that transpose the words for the second side, and cells that do not."""
    swap = "def swap(word):\n    return sum((word >> 3 * (i % 3) + i // 3 & 1) << i for i in range(9))\n\n\ndef play("
    file = written(tmp_path, "def play(", swap, PLAY, "swap(theirs), swap(mine | 1 << move)")
    (found,) = told(file).values()
    assert "transposed for O" in found.line
    cells = "shape=(3, 3), cells=Sides(tuple(range(9)), (0, 3, 6, 1, 4, 7, 2, 5, 8))"
    right = written(
        *(tmp_path, "def play(", swap, PLAY, "swap(theirs), swap(mine | 1 << move)"),
        *("shape=(3, 3)", cells, "WIN, Game", "WIN, Game, Sides"),
    )
    assert told(right) == {}


def test_check_fails_with_the_line(tmp_path, capsys):
    assert main(["check", written(tmp_path, PLAY, "mine | 1 << move, theirs")]) == 2
    out, err = capsys.readouterr()
    assert all(words in out for words in ("FAULT", "play does not swap the sides"))
    assert "breaks the contract" in err
    assert main(["check", written(tmp_path, "    return 511 &", "    return 1 // 0 if mine == 40 else 511 &")]) == 2
    err = capsys.readouterr().err
    assert all(words in err for words in ("raised an error: ZeroDivisionError", "in moves(40, "))
    assert "try perfectplay check" not in err


QUIET = ["lines:1,1,1", "lines:3,2,2,misere=true", "drop:1,4,2", "fading:2,1", "dots:1,1", "kalah:2,2", "kalah:1,5"]
QUIET_LATER = ["lines:2,1,2", "lines:4,3,3", "drop:3,3,3", "drop:4,4,4", "fading:3,2", "fading:8,3", "kingpawns:3,true"]
QUIET_LATER += ["dots:1,3", "dots:2,2", "dots:3,3", "kalah:3,1", "kalah:2,3", "kalah:6,6", "kalah:9,1", "kalah:9,9"]
QUIET_LATER += ["connect-four", "gomoku", "lines:30,2,4", "morris:4,2", "morris:7", "examples/hexapawn.py:2,5"]


@pytest.mark.parametrize("name", [*QUIET, *nightly(*QUIET_LATER)])
def test_right_rules_raise_no_alarm(name):
    """Not even a note; the contract is tested for more games."""
    assert told(name) == {}


@pytest.mark.nightly
def test_games_of_the_documentation_raise_no_alarm(tmp_path):
    games = {name: text for name, text in all_files().items() if name.endswith(".py") and "\ndef game(" in text}
    assert len(games) > 3
    for name, text in games.items():
        (tmp_path / name).write_text(text)
        assert told(str(tmp_path / name)) == {}, name


def test_pieces_of_nobody_raise_no_alarm(tmp_path):
    """Games in which all that there is stands in the word of the side to move, drawn as that side's pieces."""
    ends = {5: LOSS, 6: WIN}
    game = graph_game([[1, 2], [3], [3, 4], [5, 6], [6, 0], [], []], ends)
    assert "next_side_sees" not in told(game)
    names = "WIN, Game, Look, Sides"
    shared = "shape=(3, 3), look=Look(pieces=Sides(('*',), ('*',)))"
    rules = (PLAY, "mine | 1 << move, theirs", WON, "if mine & line == line")
    assert told(written(tmp_path, "WIN, Game", names, "shape=(3, 3)", shared, *rules)) == {}


HANGS = {
    "outcome": ("    return DRAW if", "    while mine == 3:\n        pass\n    return DRAW if"),
    "game()": ("    return Game(", "    while True:\n        pass\n    return Game("),
    "outside functions": ("SEEN = []", "while True:\n    pass"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("where", HANGS)
def test_rules_that_never_return_are_named_after_five_seconds(where, tmp_path, capsys):
    file = written(tmp_path, *HANGS[where])
    assert main(["check", file]) == 2
    line = capsys.readouterr().err
    assert where in line
    assert "toe.py, line" in line
    assert "has not returned for 5 s; look for a loop that does not end" in line
    assert where != "outcome" or re.search(r"outcome\(3, .*:(XX|OO)", line)


def test_without_rules_to_rely_on_nothing_else_is_checked(tmp_path):
    changes, _ = MISTAKES["dice in outcome"]
    game = load_game(written(tmp_path, *changes))
    statuses = [found.status for _, found in findings(game, positions_to_check(game, 50, 1))]
    assert statuses == ["fault"] + ["skipped"] * (len(CHECKS) - 1)


def test_a_hint_that_never_returns_ends_the_check_at_once():
    """The error of the watch is no finding: no other check is to meet the same call."""

    def wins(mine, theirs):
        raise NeverReturns("wins(0, 0) has not returned")

    game = perfectplay.load("tic-tac-toe")
    with pytest.raises(NeverReturns):
        perfectplay.check(replace(game, wins=wins))


@pytest.mark.parametrize(
    "mistake",
    ["the start is over", *nightly("play does not swap the words", "outcome looks at the side to move for a loss")],
)
def test_solve_says_that_rules_look_wrong(mistake, tmp_path, capsys):
    changes, (_, _, *words) = MISTAKES[mistake]
    file = written(tmp_path, *changes)
    assert main(["solve", file, "--engine", "python", "--no-table", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["positions"]
    line, *more = err.splitlines()
    assert not more
    assert line.startswith("perfectplay: the rules look wrong: ")
    assert line.endswith(f"perfectplay check {file} tells more")
    assert all(word in line for word in words)


def test_solve_says_nothing_of_right_rules(tmp_path, capsys):
    assert main(["solve", written(tmp_path), "--engine", "python", "--no-table"]) == 0
    assert capsys.readouterr().err == ""
