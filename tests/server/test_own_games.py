"""A user's own game in the page: reloaded when it is saved, checked, in the sizes that it was given with."""

import json
import re
import shutil
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest

from homes import ROOT
from perfectplay.front.web.allowed_names import AllowedNames, allow
from perfectplay.front.web.own_faults import is_local, tidy
from perfectplay.front.web.own_files import OwnFiles
from web_server import serving, started

CHROMIUM = shutil.which("chromium")
AXE = ROOT / "node_modules/axe-core/axe.min.js"

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


@pytest.fixture
def file(tmp_path):
    """A game's file with the rules."""
    path = tmp_path / "mygame.py"
    path.write_text(RULES)
    return path


@pytest.fixture
def server(file):
    """The address of a server with the file, in sizes of its own."""
    with serving(f"{file}:5,4") as address:
        yield address


def asked(address, task, headers=(), body=None, **values):
    """The status and the answer."""
    query = "&".join(f"{name}={value}" for name, value in values.items())
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}/api/{task}?{query}", data=data, headers=dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as fault:
        return fault.code, json.loads(fault.read())["error"]


def found(address, task, **values):
    status, text = asked(address, task, **values)
    assert status == 200, text
    return json.loads(text)


def test_workers_use_the_rules_that_are_saved_now(server, file):
    def moves():
        return len(found(server, "line", game="mygame.py")["here"]["moves"])

    before = found(server, "saved", game="mygame.py")["saved"]
    data = found(server, "game", game="mygame.py")
    assert (moves(), data["own"]["saved"], data["shape"]) == (20, before, [5, 4])
    file.write_text(NO_CORNER)
    after = found(server, "saved", game="mygame.py")["saved"]
    assert (moves(), after != before) == (19, True)
    again = found(server, "game", game="mygame.py")
    assert (again["own"]["saved"], again["rules"] != data["rules"]) == (after, True)
    file.write_text(RULES)
    assert (moves(), found(server, "saved", game="mygame.py")["saved"]) == (20, before)
    file.write_text(RULES.replace("width=4, height=3", "width=6, height=3, deep=False"))
    sizes = found(server, "games")["games"][0]["sizes"]
    assert [(size["name"], size["default"]) for size in sizes] == [("width", 5), ("height", 4), ("deep", False)]


def test_moves_are_kept_as_far_as_they_are_legal(server, file):
    kept = found(server, "reload", game="mygame.py", moves="a1,e4,b1")
    assert (kept["kept"], len(kept["line"]["plies"]), kept["game"]["shape"]) == (3, 4, [5, 4])
    file.write_text(NO_CORNER)
    kept = found(server, "reload", game="mygame.py", moves="a1,e4,b1")
    assert (kept["kept"], kept["line"]["plies"][-1]["move"]) == (1, "a1")
    file.write_text(TALL)
    kept = found(server, "reload", game="mygame.py", position="O:X..../...../...../.....", moves="b1")
    assert (kept["kept"], kept["position"], kept["game"]["shape"]) == (0, "", [4, 5])
    assert asked(server, "reload", game="tic-tac-toe")[0] == 404
    assert asked(server, "saved", game="tic-tac-toe")[0] == 404


def test_errors_name_file_and_line_at_this_machine_only(server, file):
    file.write_text(TYPO)
    status, text = asked(server, "game", game="mygame.py")
    assert (status, "mygame.py (line 14)" in text, "SyntaxError" in text) == (422, True, True)
    file.write_text(FAILING)
    for task in ("game", "reload", "line"):
        values = {"game": "mygame.py", "moves": "b1"} if task == "line" else {"game": "mygame.py"}
        status, text = asked(server, task, **values)
        assert (status, "(line 18)" in text, "ZeroDivisionError" in text, str(file.parent) in text) == (
            422,
            True,
            True,
            False,
        )
        status, text = asked(server, task, headers={"X-Forwarded-For": "10.0.0.7"}, **values)
        assert (status, "server's terminal" in text, "ZeroDivisionError" in text) == (422, True, False)
    assert asked(server, "check", headers={"X-Forwarded-For": "10.0.0.7"}, body={"game": "mygame.py"})[0] == 403
    assert asked(server, "check", body={"game": "tic-tac-toe"})[0] == 404


def test_a_rule_that_does_not_return_is_named(server, file):
    file.write_text(RULES.replace("if has_run", "while theirs:\n            pass\n        if has_run"))
    status, text = asked(server, "line", game="mygame.py", moves="a1")
    assert status == 404
    assert "outcome" in text
    assert re.search(r"mygame.py, line 1[89]", text)


def test_who_is_at_this_machine():
    def request(client="127.0.0.1", host="localhost:8000", **headers):
        return SimpleNamespace(client=SimpleNamespace(host=client), headers={"host": host, **headers})

    names = frozenset({"localhost", "127.0.0.1"})
    assert is_local(request(), names)
    assert is_local(request("::1", "[::1]:8000"), names)
    assert not is_local(request("10.0.0.7"), names)
    assert not is_local(request(host="box.example:8000"), names)
    assert not is_local(request(), names | {"box.example"})
    assert not is_local(request(), names | {"0.0.0.0"})
    assert not is_local(request(forwarded="for=10.0.0.7"), names)


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


playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: make test installs it")
expect = playwright.expect
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium: apt-get install chromium")


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    one = context.new_page()
    one.set_default_timeout(30_000)
    expect.set_options(timeout=30_000)
    one.faults = []
    one.on("pageerror", lambda fault: one.faults.append(str(fault)))
    yield one
    context.close()
    assert one.faults == []


def labelled(page, name):
    return page.locator(f'[role=gridcell][aria-label^="{name},"]')


@pytest.mark.nightly
@needs_browser
def test_a_save_changes_the_board_and_keeps_the_game(page, server, file):
    page.goto(f"{server}/?game=mygame.py:5,4&moves=a1,e4,b1&second=human")
    expect(page.locator("[role=gridcell]")).to_have_count(20)
    expect(page.locator("#own-panel")).to_contain_text("No problems found")
    expect(page.locator("#own-panel summary")).to_contain_text("checks passed")
    expect(page.locator("#own-panel")).to_contain_text("random games")
    file.write_text(NO_CORNER)
    expect(page.locator("#own-said")).to_have_text("mygame.py was saved: reloaded; the game was kept up to move 1.")
    assert "moves=a1&" in page.url
    expect(labelled(page, "e4")).not_to_have_attribute("aria-label", re.compile("X|O"))
    expect(page.locator("#own-panel")).to_contain_text("Order names a move twice")
    file.write_text(RULES.replace("shape=", "look=__import__('perfectplay').Look(title='Mine'), shape="))
    expect(page.locator("h1")).to_have_text("Mine")
    expect(page.locator("#own-said")).to_have_text("mygame.py was saved: reloaded.")
    labelled(page, "e4").click()
    page.wait_for_url(re.compile("moves=a1,e4"))


@pytest.mark.nightly
@needs_browser
def test_a_file_that_does_not_load_leaves_the_board_alone(page, server, file):
    page.goto(f"{server}/?game=mygame.py:5,4&moves=a1&second=human")
    expect(page.locator("[role=gridcell]")).to_have_count(20)
    file.write_text(TYPO)
    expect(page.locator("#own-said")).to_contain_text("mygame.py (line 14) does not load: SyntaxError")
    expect(page.locator("#own-panel")).to_contain_text("SyntaxError")
    expect(page.locator("[role=gridcell]")).to_have_count(20)
    expect(page.locator("#fault")).to_be_hidden()
    file.write_text(RULES)
    expect(page.locator("#own-said")).to_contain_text("the rules are those on the board")
    expect(page.locator("#own-panel")).to_contain_text("No problems found")
    file.write_text(TYPO)
    expect(page.locator("#own-said")).to_contain_text("SyntaxError")
    file.write_text(TALL)
    expect(page.locator("#own-said")).to_contain_text("mygame.py was saved: reloaded")
    expect(page.locator("#own-panel")).to_contain_text("Rows and columns seem to be swapped")


@pytest.mark.nightly
@needs_browser
def test_a_page_that_is_opened_while_the_file_is_broken(page, server, file):
    file.write_text(TYPO)
    page.goto(f"{server}/?game=mygame.py:5,4")
    expect(page.locator("#fault")).to_contain_text("mygame.py (line 14)")
    expect(page.locator("[role=gridcell]")).to_have_count(0)
    file.write_text(RULES)
    expect(page.locator("[role=gridcell]")).to_have_count(20)
    expect(page.locator("#fault")).to_be_hidden()


@pytest.mark.nightly
@needs_browser
def test_the_sizes_that_the_file_was_given_with(page, server):
    page.goto(f"{server}/")
    card = page.locator(".card").first
    expect(card).to_contain_text("mygame.py:5,4")
    card.locator("a").click()
    for act in (lambda: None, lambda: page.locator("#new").click(), lambda: page.goto(f"{server}/?game=mygame.py")):
        act()
        expect(page.locator("[role=gridcell]")).to_have_count(20)
        expect(page.locator("#size-width")).to_have_value("5")
        expect(page.locator("#size-height")).to_have_value("4")
        assert "game=mygame.py:5,4" in page.url
    assert page.locator("#game option").all_text_contents().count("mygame.py") == 0


@pytest.mark.nightly
@needs_browser
def test_a_built_in_game_is_neither_watched_nor_checked(page, server):
    asked_for = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.goto(f"{server}/?game=tic-tac-toe")
    expect(page.locator("[role=gridcell]")).to_have_count(9)
    page.wait_for_timeout(1500)
    expect(page.locator("#own-panel")).to_be_hidden()
    assert not [url for url in asked_for if "/api/saved" in url or "/api/check" in url]


@pytest.mark.nightly
@needs_browser
def test_the_page_outlives_the_server(page, file):
    process, address = started(f"{file}:5,4")
    port = address.rpartition(":")[2]
    try:
        page.goto(f"{address}/?game=mygame.py:5,4&moves=a1&second=human")
        expect(page.locator("[role=gridcell]")).to_have_count(20)
        expect(page.locator("#own-panel")).to_contain_text("No problems found")
    finally:
        process.terminate()
        process.communicate(timeout=20)
    file.write_text(NO_CORNER)
    with serving(f"{file}:5,4", "--port", port):
        expect(page.locator("#own-said")).to_have_text("mygame.py was saved: reloaded.")
        expect(page.locator("#own-panel")).to_contain_text("Order names a move twice")


@pytest.mark.nightly
@needs_browser
@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: npm ci")
def test_findings_are_accessible(page, server, file):
    file.write_text(TALL)
    page.goto(f"{server}/?game=mygame.py:5,4")
    expect(page.locator("#own-panel")).to_contain_text("checks passed")
    expect(page.locator("#own-panel")).to_contain_text("random games")
    page.locator("#own-panel summary").click()
    page.evaluate(AXE.read_text())
    found = page.evaluate("async () => (await axe.run(document)).violations.map((one) => one.id)")
    assert found == []
