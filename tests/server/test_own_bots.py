"""Programs of a user's own on the page: those named on the command line, and never any other."""

import shutil
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from command_line import complaint
from homes import ROOT
from perfectplay.server.allowed_names import allow, file_of
from perfectplay.server.app import build_app
from perfectplay.server.dispatcher import Dispatcher
from perfectplay.server.game_faults import OwnFiles
from perfectplay.words import BadPlayer
from web_server import serving_here

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
def named(bots):
    """Several programs, one of them twice, one called like a player that comes with the package."""
    return [f"cmd:{bots}/wise", f"cmd:{bots}/wise again", f"cmd:{bots}/random", f"cmd:{bots}/broken"]


@pytest.fixture(scope="module")
def client(home, named):
    """The application; a real worker runs the programs."""
    app, here = build_app(Dispatcher(allow(["tic-tac-toe"], named))), ("127.0.0.1", 50_000)
    with TestClient(app, base_url="http://127.0.0.1", client=here) as one:
        yield one


def asked(client, task, **values):
    """The status and the answer to a request."""
    response = client.get(f"/api/{task}", params={"game": "tic-tac-toe", **values})
    return response.status_code, response.json()


def test_the_menu_has_the_programs_by_short_names(client):
    _, data = asked(client, "game")
    assert [one["name"] for one in data["players"] if one.get("own")] == ["wise", "wise-2", "./random", "broken"]


def test_a_program_answers_from_the_game_so_far_or_from_a_position(client):
    for name in ("wise", "wise-2", "./random"):
        assert asked(client, "reply", player=name, moves="a1,b1,a2,b2")[1]["move"] == "a3"
        assert asked(client, "reply", player=name, moves="a1,b1,c3,b2")[1]["move"] == "b3", "another game"
        assert asked(client, "reply", player=name)[0] == 200
        assert asked(client, "reply", player=name, moves="b2")[0] == 200
    status, refused = asked(client, "reply", player="wise", moves="b2,b2")
    assert status == 400
    assert "b2" in refused["error"]
    status, refused = asked(client, "reply", player="wise", moves="a1,b1,a2,b2,a3")
    assert (status, "end of the game" in refused["error"]) == (400, True)


def test_a_program_that_fails_is_told_of_and_started_again(client, bots):
    for _ in range(2):
        status, refused = asked(client, "reply", player="broken", moves="b2")
        assert status == 422
        for word, told in (("broken", True), ("exit code 1", True), (str(bots), False), ("\n", False)):
            assert (word in refused["error"]) == told
    assert asked(client, "reply", player="wise", moves="a1,b1,a2,b2")[1]["move"] == "a3"


def test_no_request_runs_a_program_that_was_not_named(client, bots, tmp_path):
    proof = tmp_path / "proof"
    touch = f"{shutil.which('touch')} {proof}"
    named = ("streetwise", "exploit", "level", "learned", "human")
    wrong = [f"cmd:{touch}", f"cmd:{bots}/wise", f"cmd:{bots}/wise again; {touch}", f"wise {touch}", f"wise;{touch}"]
    for name in (*wrong, *(f"{kind}:cmd:{touch}" for kind in named), f"CMD:{touch}", f" cmd:{touch}", "cmd:", "cmd"):
        for task, values in (("reply", {"player": name}), ("line", {"first": name}), ("analysis", {"chance": name})):
            status, refused = asked(client, task, **values)
            assert status == 400, (task, name, refused)
    assert asked(client, "game", game=f"cmd:{touch}")[0] == 404
    assert not proof.exists()


@pytest.mark.nightly
def test_the_page_plays_against_a_program(visit, named):
    from visitors import expect

    with serving_here(["tic-tac-toe"], named) as address:
        one = visit("?second=wise", address)
        expect(one.page.locator("#player-1")).to_have_value("wise")
        for marks in (1, 2):
            one.page.locator(".cell:not([aria-disabled='true'])").first.click()
            expect(one.page.locator("[aria-label*=', O']")).to_have_count(marks)


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
    assert "nothing" in complaint(capsys, "serve --no-browser --player cmd:./nothing")
