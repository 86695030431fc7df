"""The classroom: what the algorithms do there is what `compare` and `tree` count, with a server and without one."""

import json
import re
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

import perfectplay
from homes import ROOT
from perfectplay.exporters.page.page_export import writing, writing_search
from perfectplay.loading import load_game
from perfectplay.solvers.steps import finished

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]

LADDER = ["minimax", "alpha-beta", "cache", "symmetry", "flags", "table"]
POSITION = "O:X.X/OO./X.."
QUERY = f"?game=tic-tac-toe&position={POSITION}&view=classroom"


class Pupil(test_page.Visitor):
    """Somebody who looks at the classroom, where there is a second board."""

    def goto(self, query=""):
        self.page.goto(f"{self.address}/{query}")
        expect(self.page.locator("[role=grid]").first).to_be_visible()
        return self


@pytest.fixture
def visit(browser, address):
    visitors = []

    def come(query="", **more):
        visitors.append(Pupil(browser, address, **more))
        return visitors[-1].goto(query)

    yield come
    for visitor in visitors:
        visitor.context.close()
        assert visitor.faults == []
        assert visitor.abroad == []


def asked(address, **values):
    """The recorded searches of a position."""
    with urlopen(f"{address}/api/classroom?{urlencode(values)}") as response:
        return json.load(response)


def in_classroom(one):
    """The classroom, once a lesson is there."""
    expect(one.page.locator(".lesson-tree")).to_be_visible()
    return one.page.locator("#classroom")


def counted(one):
    """The numbers that the classroom shows, by name."""
    rows = one.page.locator("#classroom .counts > div")
    return {row.locator("dt").inner_text(): int(row.locator("b").inner_text()) for row in rows.all()}


def state(one):
    return test_page.parse_qs(test_page.urlsplit(one.page.url).query)


@pytest.mark.parametrize("position", [POSITION, "X:O../..X/.XO", "X:XO./.O./..X"])
def test_the_counts_are_those_of_compare_and_tree(address, position):
    found = {one["name"]: one for one in asked(address, game="tic-tac-toe", position=position)["algorithms"]}
    rows = {
        algorithm.name: row for algorithm, row in perfectplay.compare("tic-tac-toe", position=position).rows.items()
    }
    assert list(found) == LADDER
    for name, one in found.items():
        tree = perfectplay.tree("tic-tac-toe", position=position, algorithm=name)
        assert one["visited"] == rows[name].meter.nodes == tree.visited
        assert (one["cut"], one["repeated"], one["score"]) == (tree.cut, tree.repeated, tree.score)
        assert [node.get("score") for node in one["nodes"]] == [node.score for node in tree.nodes]
        assert sum(step["kind"] == "enter" for step in one["steps"]) == tree.visited


@pytest.mark.parametrize(
    ("values", "status", "words"),
    [
        ({"position": "X:.../.../..."}, 422, "more than 1,000 nodes, too many to watch; play more moves first"),
        ({"position": "O:XXX/OO./..."}, 400, "is the end of the game"),
        ({"position": "X:XXX/.../..."}, 400, ""),
        ({"depth": "0"}, 400, "depth must be a number from 1 to 20, not '0'"),
        ({"depth": "many"}, 400, "depth must be a number"),
        ({"steps": "1"}, 400, "classroom takes game, position, depth"),
    ],
)
def test_refusals_say_what_to_do(address, values, status, words):
    with pytest.raises(HTTPError) as refused:
        asked(address, game="tic-tac-toe", **values)
    assert refused.value.code == status
    assert words in json.load(refused.value)["error"]


def test_a_search_is_watched_by_keyboard_to_its_end(visit):
    one = visit(QUERY)
    room = in_classroom(one)
    tree = perfectplay.tree("tic-tac-toe", position=POSITION, algorithm="alpha-beta")
    one.page.keyboard.press("2")
    expect(room.locator("[data-name=alpha-beta]")).to_have_attribute("aria-pressed", "true")
    assert counted(one) == {"Visited": 1, "Moves cut": 0}
    for kind, visited in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        one.page.keyboard.press(kind)
        assert counted(one)["Visited"] == visited
    expect(room.locator(".box.now .move")).to_have_text("b1")
    room.locator(".sentence").click()  # what is clicked takes no focus
    one.page.keyboard.press("End")
    assert counted(one) == {"Visited": tree.visited, "Moves cut": tree.cut}
    expect(room.locator(".sentence")).to_contain_text("Done: O plays c2, worth −9: O wins. 25 of 34 positions")
    expect(room.locator("[data-name=alpha-beta] b")).to_have_text(str(tree.visited))
    one.page.keyboard.press("n")
    one.page.keyboard.press("End")
    assert counted(one) == {"Visited": 31, "Cache hits": 6}
    expect(one.page).to_have_url(re.compile("algorithm=cache&step=[1-9]"))  # the address follows when the steps pause
    link = one.page.url
    one.page.goto(link)
    in_classroom(one)
    assert counted(one) == {"Visited": 31, "Cache hits": 6}


def test_cuts_and_hits_are_explained(visit):
    one = visit(f"{QUERY}&algorithm=alpha-beta")
    room = in_classroom(one)
    said = []
    while "Done" not in (said or [""])[-1]:
        said.append(room.locator(".sentence").inner_text())
        one.page.keyboard.press("ArrowRight")
    cut = [text for text in said if "Skip" in text]
    tree = perfectplay.tree("tic-tac-toe", position=POSITION, algorithm="alpha-beta")
    assert len(cut) == sum(step.kind == "cut" for step in tree.steps)
    assert re.search(r"already has a reply worth .* elsewhere, so [XO] (will never come|gains nothing) here\.", cut[0])
    saved = sum(int(re.search(r"(\d+) positions? saved", text)[1]) for text in cut)
    assert saved == 34 - 25  # what is cut is just what minimax visits and alpha-beta does not
    assert room.locator(".box.cut").count() == 6
    one.page.keyboard.press("3")
    while not (text := room.locator(".sentence").inner_text()).startswith("Done"):
        if "We know this position" in text:
            first = re.search(r"from node (\d+)", text)[1]
            assert room.locator(".box.now .same").text_content() == f"= {first}"
            expect(room.locator(".lesson-tree .link")).to_be_visible()
            expect(room.get_by_role("button", name=f"Go to node {first}")).to_be_visible()
        one.page.keyboard.press("ArrowRight")


def test_a_hit_links_to_the_node_that_it_repeats(visit):
    one = visit(f"{QUERY}&algorithm=cache")
    room = in_classroom(one)
    while not room.locator("#lesson-same").is_visible():
        one.page.keyboard.press("ArrowRight")
    first = room.locator("#lesson-same").inner_text().removeprefix("Go to node ")
    room.locator("#lesson-same").click()
    expect(room.locator(f".box.now[data-node='{first}']")).to_have_count(1)
    expect(room.locator("#lesson-same")).to_be_hidden()
    expect(room.locator("#lesson-step")).to_be_focused()
    one.page.keyboard.press("End")
    room.locator(".box.repeated .same").first.click()
    expect(room.locator(f".box.now[data-node='{first}']")).to_have_count(1)


def test_playing_stops_at_the_end_and_tells_a_screen_reader_little(visit):
    one = visit(QUERY)
    room = in_classroom(one)
    one.page.evaluate(
        """() => { window.heard = 0; new MutationObserver(() => window.heard++).observe(
            document.querySelector("#classroom [aria-live]"), { childList: true }); }"""
    )
    for _ in range(9):
        one.page.keyboard.press("+")
    one.page.keyboard.press("Space")
    expect(room.get_by_role("button", name="Pause")).to_be_visible()
    expect(room.locator(".sentence")).to_contain_text("Done:")
    expect(room.get_by_role("button", name="Play")).to_be_visible()
    assert counted(one)["Visited"] == 34
    assert one.page.evaluate("window.heard") <= 4
    expect(room.locator("[aria-live]")).to_contain_text("Done:")


def test_the_way_in_and_out(visit):
    one = visit("?game=tic-tac-toe&second=human")
    one.play("a1", "b2", "c3", "a3", "c1")
    one.page.get_by_role("button", name="Classroom").click()
    room = in_classroom(one)
    assert one.page.locator("main").evaluate("it => it.inert")
    expect(room.locator("h1")).to_be_focused()
    expect(room.locator(".turn")).to_contain_text("O wants a low number")
    expect(one.page.locator("#board")).to_be_visible()
    one.page.keyboard.press("Escape")
    expect(room).to_have_count(0)
    assert not one.page.locator("main").evaluate("it => it.inert")
    assert state(one)["moves"] == ["a1,b2,c3,a3,c1"]
    assert "view" not in state(one)
    one.page.go_back()
    in_classroom(one)
    one.page.go_back()
    expect(room).to_have_count(0)


def test_a_large_tree_is_refused_and_a_smaller_one_offered(visit):
    one = visit("?game=tic-tac-toe&moves=a1&view=classroom")
    room = one.page.locator("#classroom")
    expect(room.locator(".fault")).to_contain_text(
        "too many to watch; play more moves first, or look fewer moves ahead."
    )
    one.faults.clear()  # the browser notes the refusal
    room.locator("#lesson-depth").select_option("2")
    in_classroom(one)
    expect(room.locator(".fault")).to_be_hidden()
    expect(room.locator(".counts")).to_contain_text(f"of {1 + 8 + 8 * 7} for minimax")
    room.locator("#lesson-depth").select_option("")
    expect(room.locator(".fault")).to_be_visible()
    one.faults.clear()
    room.get_by_role("button", name="Take a small position").click()
    in_classroom(one)
    expect(room.locator(".fault")).to_be_hidden()
    expect(one.page).to_have_url(re.compile("small=1"))
    one.page.reload()
    in_classroom(one)
    expect(room.locator(".fault")).to_be_hidden()
    one.page.keyboard.press("Escape")
    assert (state(one)["moves"], "small" in state(one)) == (["a1"], False)


SIZES_OF_LETTERS = """[...document.querySelectorAll("#classroom :is(p, dt, dd, button, label, select, h1)")]
    .filter((it) => it.checkVisibility()).map((it) => parseFloat(getComputedStyle(it).fontSize))"""
SIZES = [(1920, 1080), (1280, 720), (390, 844)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_letters_are_large_and_nothing_is_lost(visit, width, height):
    one = visit(f"{QUERY}&algorithm=flags", viewport={"width": width, "height": height})
    room = in_classroom(one)
    for key in ("End", "1", "End", "4", "End", "2"):
        one.page.keyboard.press(key)
    if height == 1080:
        sizes = one.page.evaluate(SIZES_OF_LETTERS)
        assert min(sizes) >= 24
        letters = room.locator(".box.now .move").bounding_box()["height"]
        assert letters >= 24
    for button in room.get_by_role("button").all():
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
def test_accessibility(visit):
    one = visit(f"{QUERY}&algorithm=flags&step=12", color_scheme="light")
    in_classroom(one)
    one.page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    for scheme in ("light", "dark"):
        one.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = one.page.evaluate("() => axe.run()")
        faults = [(fault["id"], [node["html"][:200] for node in fault["nodes"][:3]]) for fault in found["violations"]]
        assert (scheme, faults) == (scheme, [])


def test_an_own_game_and_one_that_repeats(visit):
    one = visit("?game=hexapawn.py&view=classroom")
    room = in_classroom(one)
    expect(room.locator(".ladder button")).to_have_count(6)
    one = visit("?game=tactic-toe&view=classroom&algorithm=table")
    room = in_classroom(one)
    expect(room.locator("#lesson-depth")).not_to_have_value("")
    expect(room.locator(".sentence")).to_contain_text("No search at all")


GAMES = ("tic-tac-toe", "tactic-toe", "kingpawns", "kalah:3,2", "nim:3,4,5", "dots:2,2")


UNFOLDED = ("dots:2,2", "kingpawns")
"""Games with symmetries that the file does not know: of what is no square, or of positions that cannot be reached."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ("tic-tac-toe", "nim:3,4,5") else pytest.mark.nightly) for name in GAMES],
)
def test_the_single_file_does_the_same_searches(browser, address, tmp_path, name):
    path = tmp_path / "page.html"
    with path.open("wb") as sink:
        finished(writing(load_game(name), sink))
    same_lesson(browser, address, path, name)


@pytest.mark.parametrize("name", ["drop:4,3,3", "lines:3,3,3,true"])
def test_the_single_file_with_a_search_does_the_same(browser, address, tmp_path, name):
    path = tmp_path / "page.html"
    with path.open("wb") as sink:
        finished(writing_search(load_game(name), sink))
    same_lesson(browser, address, path, name, table=False)


def same_lesson(browser, address, path, name, table=True):
    """Asserts that the page in a file records what the server records."""
    page = browser.new_page()
    page.goto(path.as_uri())
    for values in ({}, {"depth": "2"}):
        theirs = asked(address, game=name, **values)
        ours = page.evaluate("([game, values]) => api_js.ask('classroom', { game, ...values })", [name, values])
        missing = [] if table else ["table"]
        if name in UNFOLDED:
            missing.append("symmetry")
        theirs["algorithms"] = [one for one in theirs["algorithms"] if one["name"] not in missing]
        for one, other in zip(ours["algorithms"], theirs["algorithms"], strict=True):
            assert one == other, one["name"]
        assert ours == theirs
    page.goto(f"{path.as_uri()}#game={name}&view=classroom")
    page.reload()
    expect(page.locator(".lesson-tree")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#classroom .sentence")).to_contain_text("Done:")
    page.close()


def test_the_guide_links_to_the_classroom():
    assert "view=classroom" in (ROOT / "docs/how-to/teach-with-the-classroom.md").read_text(encoding="utf-8")
