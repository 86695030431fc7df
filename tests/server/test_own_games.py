"""A user's own game in the page: reloaded when it is saved, checked, in the sizes that it was given with."""

import linecache
import re
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from perfectplay.rules.loading import load_file
from perfectplay.server import allowed_names
from perfectplay.server.allowed_names import AllowedNames, allow
from perfectplay.server.app import build_app
from perfectplay.server.dispatcher import Dispatcher
from perfectplay.server.game_faults import OwnFiles, is_local, tidy
from web_server import dispatcher_here, serving, serving_here

RULES = '''"""Marks in a row."""

from perfectplay import DRAW, LOSS, ONGOING, Game
from perfectplay.bits import has_run, runs, turns_and_mirrors


def game(width=4, height=3):
    full = (1 << width * height) - 1
    rows = runs(width, height, 3)

    def moves(mine, theirs):
        return full & ~(mine | theirs)

    def play(mine, theirs, move):
        return theirs, mine | 1 << move

    def outcome(mine, theirs):
        if has_run(theirs, rows, 3):
            return LOSS
        return DRAW if mine | theirs == full else ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=width * height, shape=(width, height))
'''
TALL = RULES.replace("shape=(width, height)", "shape=(height, width)")
"""Its board is drawn with rows and columns swapped."""
NO_CORNER = RULES.replace("return full & ~(mine | theirs)", "return full & ~(mine | theirs | 1 << width * height - 1)")
NO_CORNER = NO_CORNER.replace("bits=", "order=(0, 0), bits=")
"""Nobody may take the last square, and a hint is wrong."""
TYPO = RULES.replace("def play(", "def play((")
FAILING = RULES.replace("if has_run", "if theirs & 2: return 1 // 0\n        if has_run")
NAME = {"game": "mygame.py"}
PROXY = {"X-Forwarded-For": "10.0.0.7"}


@pytest.fixture
def file(tmp_path):
    """A game's file with the rules."""
    path = tmp_path / "mygame.py"
    path.write_text(RULES)
    return path


@pytest.fixture
def save(file):
    """Saves the file; this process, which is its own worker here, forgets what it has loaded."""

    def saved(text):
        file.write_text(text)
        for kept in (load_file, allowed_names.loaded):
            kept.cache_clear()
        linecache.checkcache()

    return saved


def client_of(dispatcher):
    return TestClient(build_app(dispatcher), base_url="http://127.0.0.1", client=("127.0.0.1", 50_000))


@pytest.fixture
def server(file):
    """A client of a server with the file, in sizes of its own."""
    with client_of(dispatcher_here([f"{file}:5,4"])) as client:
        yield client


def asked(client, task, headers=None, **values):
    """The status and the answer."""
    response = client.get(f"/api/{task}", params=values, headers=headers)
    return response.status_code, response.json()


def found(client, task, **values):
    status, answer = asked(client, task, **values)
    assert status == 200, answer
    return answer


def moves_of(client):
    return len(found(client, "line", **NAME)["here"]["moves"])


def test_workers_use_the_rules_that_are_saved_now(file):
    with client_of(Dispatcher(allow([f"{file}:5,4"], []))) as client:
        before, count = found(client, "saved", **NAME)["saved"], moves_of(client)
        file.write_text(NO_CORNER)
        assert (count, moves_of(client)) == (20, 19)
        assert found(client, "saved", **NAME)["saved"] != before


def test_the_data_of_a_game_say_which_version_they_are_of(server, save):
    data, before = found(server, "game", **NAME), found(server, "saved", **NAME)["saved"]
    assert (data["own"]["saved"], data["shape"]) == (before, [5, 4])
    save(NO_CORNER)
    again = found(server, "game", **NAME)
    assert again["own"]["saved"] == found(server, "saved", **NAME)["saved"] != before
    assert again["rules"] != data["rules"]
    save(RULES)
    assert found(server, "saved", **NAME)["saved"] == before
    save(RULES.replace("width=4, height=3", "width=6, height=3, deep=False"))
    sizes = found(server, "games")["games"][0]["sizes"]
    assert [(size["name"], size["default"]) for size in sizes] == [("width", 5), ("height", 4), ("deep", False)]


def test_moves_are_kept_as_far_as_they_are_legal(server, save):
    kept = found(server, "reload", **NAME, moves="a1,e4,b1")
    assert (kept["kept"], len(kept["line"]["plies"]), kept["game"]["shape"]) == (3, 4, [5, 4])
    save(NO_CORNER)
    kept = found(server, "reload", **NAME, moves="a1,e4,b1")
    assert (kept["kept"], kept["line"]["plies"][-1]["move"]) == (1, "a1")
    save(TALL)
    kept = found(server, "reload", **NAME, position="O:X..../...../...../.....", moves="b1")
    assert (kept["kept"], kept["position"], kept["game"]["shape"]) == (0, "", [4, 5])
    for task in ("reload", "saved"):
        assert asked(server, task, game="tic-tac-toe")[0] == 404


def test_errors_name_file_and_line_at_this_machine_only(server, file, save):
    save(TYPO)
    status, answer = asked(server, "game", **NAME)
    assert (status, "mygame.py (line 14)" in answer["error"], "SyntaxError" in answer["error"]) == (422, True, True)
    save(FAILING)
    for task, moves in (("game", {}), ("reload", {}), ("line", {"moves": "b1"})):
        status, answer = asked(server, task, **NAME, **moves)
        assert status == 422
        for word, told in (("(line 18)", True), ("ZeroDivisionError", True), (str(file.parent), False)):
            assert (word in answer["error"]) == told
        status, answer = asked(server, task, headers=PROXY, **NAME, **moves)
        assert status == 422
        assert "server's terminal" in answer["error"]
        assert "ZeroDivisionError" not in answer["error"]
    assert server.post("/api/check", json=NAME, headers=PROXY).status_code == 403
    assert server.post("/api/check", json={"game": "tic-tac-toe"}).status_code == 404


def test_a_check_tells_each_finding(server, save):
    save(NO_CORNER)
    text = server.post("/api/check", json=NAME).text
    assert text.count("event: finding") > 5
    assert text.count("event: checked") == 1
    assert "rder names a move twice" in text


@pytest.mark.nightly
def test_a_rule_that_does_not_return_is_named(file):
    with client_of(Dispatcher(allow([f"{file}:5,4"], []))) as client:
        file.write_text(RULES.replace("if has_run", "while theirs:\n            pass\n        if has_run"))
        status, answer = asked(client, "line", **NAME, moves="a1")
    assert status == 404
    assert "outcome" in answer["error"]
    assert re.search(r"mygame.py, line 1[89]", answer["error"])


def test_who_is_at_this_machine():
    def request(client="127.0.0.1", host="localhost:8000", **headers):
        return SimpleNamespace(client=SimpleNamespace(host=client), headers={"host": host, **headers})

    names = frozenset({"localhost", "127.0.0.1"})
    assert is_local(request(), names)
    assert is_local(request("::1", "[::1]:8000"), names)
    for other in (request("10.0.0.7"), request(host="box.example:8000"), request(forwarded="for=10.0.0.7")):
        assert not is_local(other, names)
    for name in ("box.example", "0.0.0.0"):
        assert not is_local(request(), names | {name})


def test_files_are_called_as_on_the_page():
    allowed = AllowedNames(games={"mygame.py": "/home/me/mygame.py"})
    assert tidy("'/home/me/mygame.py:4,5' (line 3)\n does not work", allowed) == "mygame.py:4,5 (line 3) does not work"
    allowed = AllowedNames(games={"mygame.py": "mygame.py"})
    assert tidy("./mygame.py (line 3) does not load", allowed) == "mygame.py (line 3) does not load"


def test_a_version_is_what_the_files_contain(tmp_path):
    (tmp_path / "own_rows.py").write_text("LENGTH = 3\n")
    path = tmp_path / "mine.py"
    path.write_text("from own_rows import LENGTH\n" + RULES.replace(", 3)", ", LENGTH)"))
    files = OwnFiles(allow([str(path)], []))
    first = files.saved("mine.py:5,5")
    assert files.saved("mine.py") == first == OwnFiles(allow([str(path)], [])).saved("mine.py")
    path.touch()
    assert files.saved("mine.py") == first
    (tmp_path / "own_rows.py").write_text("LENGTH = 4\n")
    second = files.saved("mine.py")
    assert second != first
    text = path.read_text()
    path.write_text("")  # as long as an editor is writing it
    assert files.saved("mine.py") == second
    path.unlink()
    assert files.saved("mine.py") == second
    path.write_text(text)
    assert files.saved("mine.py") == second


# In a browser, at night


@pytest.fixture
def own_page(visit, file):
    """Opens the page of the game at a server with real workers; its address is kept."""
    from visitors import expect

    with serving_here([f"{file}:5,4"]) as address:

        def come(query="?game=mygame.py:5,4&moves=a1,e4,b1&second=human"):
            one = visit(query, address)
            expect(one.page.locator("[role=gridcell]")).to_have_count(20)
            return one

        come.address = address
        yield come


@pytest.mark.nightly
def test_a_save_changes_the_board_and_keeps_the_game(own_page, file):
    one = own_page().see("#own-panel", "No problems found").see("#own-panel summary", "checks passed")
    file.write_text(NO_CORNER)
    one.see("#own-said", "mygame.py was saved: reloaded; the game was kept up to move 1.")
    assert one.moves() == ["a1"]
    one.labelled("e4", "empty")
    one.see("#own-panel", "Order names a move twice")
    file.write_text(TYPO)
    one.see("#own-said", "mygame.py (line 14) does not load: SyntaxError").see("#own-panel", "SyntaxError")
    one.see("#turn", "to move")
    file.write_text(RULES.replace("shape=", "look=__import__('perfectplay').Look(title='Mine'), shape="))
    one.see("h1", "Mine")
    one.play("e4")
    file.write_text(TALL)
    one.see("#own-panel", "Rows and columns seem to be swapped")
    one.faults.clear()  # the browser notes what was refused


@pytest.mark.nightly
def test_the_sizes_that_the_file_was_given_with(own_page):
    one = own_page("?game=mygame.py")
    one.goto("/", see=".card").page.locator(".card a").first.click()
    for act in (lambda: None, lambda: one.page.locator("#new").click(), lambda: one.goto("?game=mygame.py")):
        act()
        assert one.page.locator("#size-width").input_value() == "5"
        assert one.state()["game"] == "mygame.py:5,4"
    assert one.page.locator("#game option").all_text_contents().count("mygame.py") == 0
    asked_for = []
    one.page.on("request", lambda request: asked_for.append(request.url))
    one.goto("?game=tic-tac-toe")
    one.page.wait_for_timeout(1500)  # a built-in game is neither watched nor checked
    assert not [url for url in asked_for if "/api/saved" in url or "/api/check" in url]


@pytest.mark.nightly
def test_the_page_outlives_the_server_and_a_broken_file(browser, file):
    from visitors import Visitor, expect

    with serving(f"{file}:5,4") as address:
        file.write_text(TYPO)
        one = Visitor(browser, address)
        one.page.goto(f"{address}/?game=mygame.py:5,4&moves=a1&second=human")
        one.see("#fault", "mygame.py (line 14)")
        file.write_text(RULES)
        expect(one.page.locator("[role=gridcell]")).to_have_count(20)
        one.see("#own-panel", "No problems found")
    file.write_text(NO_CORNER)
    with serving(f"{file}:5,4", "--port", address.rpartition(":")[2]):
        one.see("#own-said", "mygame.py was saved: reloaded.").see("#own-panel", "Order names a move twice")
    one.context.close()


@pytest.mark.nightly
def test_findings_are_accessible(own_page, file):
    from visitors import no_barriers

    file.write_text(TALL)
    one = own_page("?game=mygame.py:5,4").see("#own-panel", "checks passed")
    one.page.locator("#own-panel summary").click()
    no_barriers(one.page)
