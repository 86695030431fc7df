"""Programs of a user's own on the page: those named on the command line, and never any other."""

import json
import shutil
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from command_line import complaint
from homes import ROOT
from perfectplay.front.web.allowed_names import allow
from perfectplay.front.web.own_bots import file_of
from perfectplay.front.web.own_files import OwnFiles
from perfectplay.words import BadPlayer
from web_server import serving

PYTHON_BOT = f"cmd:{sys.executable} {ROOT / 'examples/bots/tictactoe.py'}"
BROKEN = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("ugi", "isready"): print({"ugi": "ugiok", "isready": "readyok"}[word], flush=True)
    if word == "go": sys.exit("out of ideas")
"""


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    """A folder with programs that can be run by their names."""
    folder = tmp_path_factory.mktemp("bots")
    for name, source in (("wise", (ROOT / "examples/bots/tictactoe.py").read_text()), ("broken", BROKEN)):
        (folder / name).write_text(f"#!{sys.executable}\n{source}")
        (folder / name).chmod(0o755)
    shutil.copy(folder / "wise", folder / "random")
    return folder


@pytest.fixture(scope="module")
def address(home, bots):
    """A server with several programs, one of them twice, one called like a player that comes with the package."""
    named = (f"cmd:{bots}/wise", f"cmd:{bots}/wise again", f"cmd:{bots}/random", f"cmd:{bots}/broken")
    with serving("tic-tac-toe", *(word for name in named for word in ("--bot", name))) as where:
        yield where


def asked(address, task, **values):
    """The status and the answer to a request."""
    try:
        with urlopen(f"{address}/api/{task}?{urlencode({'game': 'tic-tac-toe', **values})}", timeout=60) as answer:
            return answer.status, json.load(answer)
    except HTTPError as refused:
        return refused.code, json.load(refused)


def test_the_menu_has_the_programs_by_short_names(address):
    _, data = asked(address, "game")
    assert [one["name"] for one in data["players"] if one.get("own")] == ["wise", "wise-2", "./random", "broken"]


def test_a_program_answers_from_the_game_so_far_or_from_a_position(address):
    for name in ("wise", "wise-2", "./random"):
        assert asked(address, "reply", player=name, moves="a1,b1,a2,b2")[1]["move"] == "a3"
        assert asked(address, "reply", player=name, moves="a1,b1,c3,b2")[1]["move"] == "b3", "another game"
        assert asked(address, "reply", player=name)[0] == 200
        assert asked(address, "reply", player=name, moves="b2")[0] == 200
    status, refused = asked(address, "reply", player="wise", moves="b2,b2")
    assert status == 400
    assert "b2" in refused["error"]
    status, refused = asked(address, "reply", player="wise", moves="a1,b1,a2,b2,a3")
    assert (status, "end of the game" in refused["error"]) == (400, True)


def test_a_program_that_fails_is_told_of_and_started_again(address, bots):
    for _ in range(4):
        status, refused = asked(address, "reply", player="broken", moves="b2")
        assert status == 422
        assert "broken" in refused["error"]
        assert "exit code 1" in refused["error"]
        assert str(bots) not in refused["error"]
        assert "\n" not in refused["error"]
    assert asked(address, "reply", player="wise", moves="a1,b1,a2,b2")[1]["move"] == "a3"


def test_no_request_runs_a_program_that_was_not_named(address, bots, tmp_path):
    proof = tmp_path / "proof"
    touch = f"{shutil.which('touch')} {proof}"
    for name in (
        f"cmd:{touch}",
        f"cmd:{bots}/wise",
        f"cmd:{bots}/wise again; {touch}",
        f"wise {touch}",
        f"wise;{touch}",
        f"streetwise:cmd:{touch}",
        f"exploit:cmd:{touch}",
        f"level:cmd:{touch}",
        f"learned:cmd:{touch}",
        f"human:cmd:{touch}",
        f"CMD:{touch}",
        f" cmd:{touch}",
        "cmd:",
        "cmd",
    ):
        for task, values in (("reply", {"player": name}), ("line", {"first": name}), ("analysis", {"chance": name})):
            status, refused = asked(address, task, **values)
            assert status == 400, (task, name, refused)
    assert asked(address, "game", game=f"cmd:{touch}")[0] == 404
    assert not proof.exists()


def test_the_page_plays_against_a_program(address, browser):
    page = browser.new_page()
    page.goto(f"{address}/?game=tic-tac-toe&second=wise")
    expect(page.locator("#player-1")).to_have_value("wise")
    for marks in (1, 2):
        page.locator(".cell:not([aria-disabled='true'])").first.click()
        expect(page.locator("[aria-label*=', O']")).to_have_count(marks)
    page.close()


def test_names_and_files(bots, tmp_path, capsys):
    allowed = allow([], [PYTHON_BOT, f"cmd:{bots}/wise", f"cmd:{bots}/wise", "cmd:cat", "./examples/bots.py:my_ai"])
    assert [*allowed.players] == [Path(sys.executable).name, "wise", "cat", "bots.py:my_ai"]
    assert file_of("cmd:cat examples/bots/tictactoe.c").name == "tictactoe.c", "a program on the PATH runs this file"
    assert file_of(f"cmd:{bots}/wise examples/bots/tictactoe.c").name == "wise"
    assert "./wise" not in allowed.outward(f"cmd:{bots}/wise failed")
    files = OwnFiles(allowed)
    before = files.all_saved()
    (bots / "wise").write_text((bots / "wise").read_text() + "# changed\n")
    assert files.all_saved() != before, "a program that was built anew is started anew"
    for name in ("random", "cmd:", "cmd:'", "human", "./bots.py"):
        with pytest.raises(BadPlayer, match=r"of your own|not a command"):
            allow([], [name])
    assert "nothing" in complaint(capsys, "serve --no-browser --bot cmd:./nothing")
