"""The games that come with the package: each file is short and tells what people ask, and every result is computed."""

import json
import re
from inspect import signature
from pathlib import Path

import pytest

import perfectplay
from perfectplay.__main__ import main
from perfectplay.exports.page.cards import result_text
from perfectplay.exports.page.game_data import about_game
from perfectplay.rules.families import (
    GAMES,
    RESULT,
    describe_games,
    family_names,
    family_of,
    full_name,
    groups,
    known_name,
    load_family,
    size_example,
)
from perfectplay.server.allowed_names import allow
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.words import TooBig

FAMILIES = family_names()
LONGER = {"lines", "drop", "fading", "kingpawns"}
"""Files from before there was a limit."""
LONG = {"fading:3,3", "ataxx:6,2", "quixo:3", "wild:3,3,3", "wild:3,3,3,true", "kalah:3,3", "orderchaos:3,3,3", "y:4"}
"""Half of the time of all results that are not larger."""
RESULTS = [
    pytest.param(result, marks=[pytest.mark.nightly] * (result.larger or result.game in LONG), id=result.game)
    for known in describe_games()
    for result in known.results
    if not result.reported
]


def start_of(game):
    """The entry of the start: from the opening book, from a table, or by search where a table is too large."""
    book = book_of(game)
    if book is not None:
        return book.lookup(game.start)
    try:
        return perfectplay.solve(game, memory="3G").header.start
    except TooBig:
        return perfectplay.analyse(game).entry


@pytest.mark.parametrize("result", RESULTS)
def test_every_result_is_what_is_computed(result):
    found = result_text(start_of(perfectplay.load(result.game)))
    assert re.fullmatch(f"{re.escape(result.text)}(, endless| (in|by) [0-9]+)?", found)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_file_tells_what_people_ask(name):
    module = load_family(name)
    known = next(one for one in describe_games() if one.name == name)
    assert known.group in groups()
    rules = module.RULES if isinstance(module.RULES, dict) else {"*": module.RULES}
    assert all(len(text.splitlines()) <= 5 for text in rules.values())
    assert all(line.endswith(".") for text in rules.values() for line in text.splitlines())  # the page lists them
    assert module.HISTORY
    assert known.summary.endswith(".")
    assert len(known.summary) < 120
    assert known.results
    for result in known.results:
        perfectplay.load(result.game)
        assert RESULT.fullmatch(result.text)
        assert not result.reported or result.source
    assert all(
        re.search(r"[12]\d\d\d|folklore|article|table of", result.source) for result in known.results if result.source
    )


def test_a_game_is_one_short_file():
    for name in {*FAMILIES} - LONGER:
        assert len((GAMES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 90, name


BOARDS = [name for name in FAMILIES if [*signature(load_family(name).game).parameters][:2] == ["width", "height"]]


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_without_squares_or_far_too_large_is_refused(name):
    for sizes in ("0,3", "3,0", "99,3", "3,99"):
        with pytest.raises(perfectplay.BadGame, match=r"must be|sizes are"):
            perfectplay.load(f"{name}:{sizes}")


def test_names_as_people_type_them():
    meant = {"Tic Tac Toe": "tic-tac-toe", "tictactoe": "tic-tac-toe", "CONNECT_FOUR": "connect-four"}
    meant |= {"Six Men's Morris": "six-mens-morris", "mancala": "mancala", "": None, "tic-tac": None}
    assert {typed: known_name(typed) for typed in meant} == meant
    assert perfectplay.load("Tic Tac Toe").name == "tic-tac-toe"


FULL = """ataxx:7,7 baghchal:5,4,20,5 breakthrough:5,5 capturego:5,5 checkers:8,8,3 chomp:5,5 clobber:5,5 col:5,5
cram:5,5 domineering:5,5 dots:5,5 drop:8,6,4 fading:4,4 hexapawn:4,4 isolation:5,5 kalah:6,4 konane:6,6 lines:4,4,4
nodekayles:5,5 orderchaos:5,5,5 oware:6,4 popout:7,6,4 reversi:8,8 snort:5,5 wild:4,4,4"""
FULL = dict(name.split(":") for name in FULL.split())
"""What people mean who give the first size alone; the other families have one number, or as many as people like."""


def test_one_size_means_what_people_mean():
    for name in FAMILIES:
        first, comma, _ = FULL.get(name, "3").partition(",")
        assert full_name(f"{name}:{first}") == f"{name}:{FULL.get(name, first)}"
        assert bool(size_example(name)) == bool(comma)


def test_a_game_has_the_name_with_all_its_sizes():
    meant = {"Lines:15": "lines:15,15,5", "lines:8": "lines:8,8,8", "lines:4,4": "lines:4,4,4"}
    meant |= {"lines:5,3": "lines:5,3,3", "lines:4,k=3": "lines:4,4,3", "lines:k=2": "lines:3,3,2"}
    meant |= {"lines:4,misere=true": "lines:4,4,4,misere=true", "drop:3,3": "drop:3,3,3"}
    meant |= {"draughts:4,6": "checkers:4,6,1", "breakthrough": "breakthrough", "Lines:4,4,3": "lines:4,4,3"}
    meant |= {name: name for name in ("tic-tac-toe", "morris:9", "lines:4,4,3", "lines:width=4,height=4,k=4")}
    assert {typed: perfectplay.load(typed).name for typed in meant} == meant


def test_sizes_that_were_left_out_are_said_once_and_not_in_json(capsys):
    assert main(["perft", "lines:2", "1"]) == 0
    assert capsys.readouterr().err == "lines:2 is lines:2,2,2\n"
    assert main(["perft", "lines:2,2,2", "1"]) == main(["perft", "lines:2", "1", "--json"]) == 0
    assert not capsys.readouterr().err
    assert main(["solve", "lines:2", "--no-table"]) == 0
    assert capsys.readouterr().out.startswith("lines:2,2,2: ")
    assert main(["games", "lines"]) == 0
    assert "lines:4 is lines:4,4,4" in capsys.readouterr().out


def test_the_page_has_the_name_with_all_sizes():
    allowed = allow(["lines:4"], [])
    assert [allowed.opens, allowed.sized("hexapawn:4")] == ["lines:4,4,4", "hexapawn:4,4"]
    assert allowed.sized("lines:x") == "lines:x"


def test_a_file_of_ones_own_has_the_sizes_of_its_signature(tmp_path):
    text = Path("examples/hexapawn.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(f"{text}\nDEFAULTS = 3\n", encoding="utf-8")
    name = str(tmp_path / "mine.py") + ":4"
    assert full_name(name) == perfectplay.load(name).name == name
    assert perfectplay.load(name).shape == (4, 3)


def test_no_two_games_have_the_same_name():
    """An alias may differ from its family's own name in hyphens alone."""
    for known in describe_games():
        sizes = {"": ""} | known.aliases
        assert {family_of(known_name(name)).name for name in (known.name, *known.aliases)} == {known.name}
        assert all(sizes.get(known_name(name), "") == sizes[name] for name in known.aliases)


def test_a_mistyped_name_is_told():
    with pytest.raises(perfectplay.BadGame, match=r"no game is called 'tic-tak-to'; did you mean tic-tac-toe\?"):
        perfectplay.load("tic-tak-to")
    for typed, meant in {"krk 6": "krk:6", "Connect Four 5x4": "drop:5,4", "kings_pawns": "kingpawns"}.items():
        with pytest.raises(perfectplay.BadGame, match=f"did you mean {meant}\\?"):
            perfectplay.load(typed)
    with pytest.raises(perfectplay.BadGame, match="perfectplay games lists all"):
        perfectplay.load("qqqqqq")


def test_the_list_has_groups(capsys):
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    headings = [line.removesuffix(":") for line in lines[2:] if line.endswith(":") and not line.startswith(" ")]
    assert headings == [group for group in groups() if any(one.group == group for one in describe_games())]
    assert {line.split()[0].strip(",") for line in lines if re.match("  [^ ]", line)} == {*FAMILIES}
    at = next(i for i, line in enumerate(lines) if line.split()[:4] == ["drop", *"first wins in".split()])
    assert lines[at + 1].split() == ["connect-four"]


def test_a_game_is_told_by_any_of_its_names(capsys):
    assert main(["games", "Connect Four"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("drop: ")
    assert all(text in out for text in ("width=7,height=6,k=4", "connect-four is drop:7,6,4", "V. Allis"))
    assert main(["games", "connect-four", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["name"] == "drop"
    assert {"game": "drop:7,6,4", "value": "win", "computed": True}.items() <= facts["results"][0].items()
    assert main(["games", "hare"]) == 0
    out = capsys.readouterr().out
    assert all(text in out for text in ("told its story", "no source known to us"))
    assert main(["games", "conect-four"]) == 2
    assert "did you mean connect-four?" in capsys.readouterr().err
    assert main(["games", "examples/hexapawn.py"]) == 2
    assert "is a file of your own" in capsys.readouterr().err


RESULTS_OF_A_USER = {
    'RESULTS = {"3,3": "Second player wins in 6: M. Gardner 1962"}': "Second player wins in 6",
    "RESULTS = []": "",
    "RESULTS = 3": "",
    'RESULTS = {"9,9,9": "Draw"}': "",
    "RESULTS = {1: 2}": "",
    'RESULTS = {"x": "Draw"}': "",
}


@pytest.mark.parametrize("results", RESULTS_OF_A_USER)
def test_a_user_may_tell_results_and_may_call_anything_so(tmp_path, results):
    text = Path("examples/hexapawn.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(f"{text}\n{results}\n", encoding="utf-8")
    assert about_game(perfectplay.load(str(tmp_path / "mine.py")))["known"] == RESULTS_OF_A_USER[results]
