"""The page in one file: the same page without a server, and everything it says is what the rules and the solver say."""

import io
import json
import re
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest

from homes import ROOT
from perfectplay.exporters.page.page_export import writing
from perfectplay.exporters.page.page_solution import MOST_CLASSES, carrying
from perfectplay.front.web import api_answers
from perfectplay.front.web.allowed_names import AllowedNames
from perfectplay.front.web.analysis_facts import exact_facts
from perfectplay.front.web.api_answers import RequestHandler
from perfectplay.game import legal_moves, levels
from perfectplay.loading import load_game
from perfectplay.models.game_graph import graph_for
from perfectplay.models.level_policies import ladder
from perfectplay.models.policies import shallow
from perfectplay.notation import move_name, show_position
from perfectplay.page.script_bundle import bundled, safe_in_page, scripts
from perfectplay.players import policy_named
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.interpreted import solved_positions
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.steps import finished
from perfectplay.table.table_folder import place_of
from perfectplay.words import BadGame, TooBig

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")

SOLVED = ("tic-tac-toe", "tactic-toe", "kingpawns", "examples/hexapawn.py")

ODD = """
from perfectplay import LOSS, ONGOING, Game

LINES = (0b0011, 0b1100, 0b0101, 0b1010, 0b1001, 0b0110)
QUARTER = (1, 3, 0, 2)

def moves(mine, theirs):
    return 15 & ~(mine | theirs)

def play(mine, theirs, move):
    return theirs, mine | 1 << move

def outcome(mine, theirs):
    return LOSS if any(theirs & line == line for line in LINES) else ONGOING

def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(2, 2), symmetries=(range(4), QUARTER))
"""
"""Two in a row on 2 by 2, with a quarter turn and not the half and three quarters that follow from it."""

ALIKE = """
from perfectplay import LOSS, ONGOING, Game

def game():
    return Game(
        moves=lambda mine, theirs: 1,
        play=lambda mine, theirs, move: (theirs, mine + 2),
        outcome=lambda mine, theirs: LOSS if theirs >> 1 > 2 else ONGOING,
        bits=4,
        shape=(1, 1),
    )
"""
"""A game that counts moves, which nobody sees on the board."""

TURNED = """
from perfectplay import LOSS, ONGOING, Game, Sides

def game():
    return Game(
        moves=lambda mine, theirs: 3 & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=lambda mine, theirs: LOSS if mine | theirs == 3 else ONGOING,
        bits=4,
        shape=(2, 1),
        cells=Sides((0, 1), (2, 3)),
    )
"""
"""A game in which the second side's squares are elsewhere in the words."""


class Pages:
    """Games in files, each made when it is first wanted."""

    def __init__(self, folder):
        self.folder, self.places, self.told = folder, {}, {}

    def of(self, name):
        if name not in self.places:
            self.places[name] = self.folder / f"{re.sub('[^a-z0-9]', '-', Path(name).name)}.html"
            with self.places[name].open("wb") as sink:
                self.told[name] = finished(writing(load_game(name), sink))
        return self.places[name]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return Pages(tmp_path_factory.mktemp("pages"))


class Reader(test_page.Visitor):
    """Somebody with the file and without a network."""

    def __init__(self, browser, place, **more):
        super().__init__(browser, place.as_uri(), **more)
        self.context.set_offline(True)

    def goto(self, query=""):
        self.page.goto(f"{self.address}{query}")
        expect(self.page.locator("[role=grid]")).to_be_visible()
        return self

    def state(self):
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page.url).fragment).items()}

    def has_moves(self, least):
        count = "new URLSearchParams(location.hash.slice(1)).get('moves')?.split(',').length"
        self.page.wait_for_function(f"least => {count} >= least", arg=least, timeout=60_000)

    def ask(self, task, **values):
        return self.page.evaluate("([task, values]) => api_js.ask(task, values)", [task, values])


@pytest.fixture
def visit(browser, pages):
    readers = []

    def come(name, query="", **more):
        readers.append(Reader(browser, pages.of(name), **more))
        return readers[-1].goto(query)

    yield come
    for reader in readers:
        reader.context.close()
        assert reader.faults == []
        assert reader.abroad == []


def both(name):
    """The game and all its positions, each with the side that is to move when it is first met."""
    game = load_game(name)
    return game, [(position, ply % 2) for ply, level in enumerate(levels(game)) for position in level]


def test_the_file_is_small_and_whole(pages):
    content = pages.of("tactic-toe").read_bytes()
    assert len(content) <= 400_000
    about = (ROOT / "docs/how-to/export-to-one-page.md").read_text(encoding="utf-8")
    assert f"about {round(len(content), -4) // 1000} KB" in about
    assert f"{MOST_CLASSES:,} canonical positions" in about
    told = "tactic-toe: the page with all 73,450 positions, 9,190 of them canonical; open it in a browser"
    assert pages.told["tactic-toe"] == ([told], {"positions": 73_450, "classes": 9_190})
    text = content.decode()
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert re.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*\"", text) == []


FACTS = """async (texts) => {
    const game = JSON.parse(document.getElementById("first").textContent).game.game;
    const found = [];
    for (const position of texts) {
        const { moves, value, distance } = await api_js.ask("analysis", { game, position });
        const each = moves.map((one) => [one.move, one.text, one.best ? "best" : ""].join(" "));
        found.push([position, value, distance, ...each].join("|"));
    }
    return found;
}"""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly if name in ("tactic-toe", "kingpawns") else ()) for name in SOLVED],
)
def test_every_position_is_worth_what_the_solver_says(visit, name):
    game, positions = both(name)
    known = solved_positions(game)

    def fact(position, side):
        entries = entries_of_moves(game, known.__getitem__, position)
        facts = exact_facts(game, position, side, known[position], entries)
        each = [f"{one['move']} {one['text']} {'best' if one['best'] else ''}" for one in facts["moves"]]
        head = [facts["position"], facts["value"], "" if facts["distance"] is None else str(facts["distance"])]
        return "|".join([*head, *each])

    found = visit(name).page.evaluate(FACTS, [show_position(game, *here) for here in positions])
    assert len(found) == len(known)
    assert found == [fact(*here) for here in positions]


def told(line):
    """A line without the order of rows and of squares left."""
    for ply in line["plies"]:
        ply["from"] = sorted(ply.get("from", []))
    for move in line["here"]["moves"]:
        move["from"] = sorted(move["from"])
    line["here"]["rows"].sort()
    return line


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly if name in ("tactic-toe", "kingpawns") else ()) for name in SOLVED],
)
def test_lines_are_what_the_server_says(visit, name):
    game, positions = both(name)
    known, rng = solved_positions(game), Random(1)
    handler = RequestHandler(
        AllowedNames(games={"hexapawn.py": "examples/hexapawn.py"}), lambda game: known.__getitem__, at_once=False
    )
    called = Path(name).name
    one = visit(name)
    wanted = []
    for position, side in rng.sample(positions, min(200, len(positions))):
        moves, here, mover = [], position, side
        while legal_moves(game, here) and len(moves) < 6:
            move = rng.choice(legal_moves(game, here))
            moves.append(move_name(game, here, mover, move))
            here, mover = game.play(*here, move), 1 - mover
        wanted.append({"game": called, "position": show_position(game, position, side), "moves": ",".join(moves)})
    ends = [here for here in positions if not legal_moves(game, here[0])]
    for here in rng.sample(ends, min(100, len(ends))):
        wanted.append({"game": called, "position": show_position(game, *here)})
    found = one.page.evaluate("(all) => Promise.all(all.map((values) => api_js.ask('line', values)))", wanted)
    for values, line in zip(wanted, found, strict=True):
        assert told(line) == told(api_answers.line(handler, values))
    best = one.ask("best-line", game=called)
    assert best == api_answers.best_line(handler, {"game": called})


CHOICES = """async ([texts, names]) => {
    const data = JSON.parse(document.getElementById("first").textContent).game;
    const bytes = await packed_js.inflated(document.getElementById("graph").textContent);
    const game = new carried_js.Carried(data, bytes);
    Math.random = () => 0.9999;
    return texts.map((text) => {
        const place = game.find(squares_js.readBoard(data, text), data.sides[0].startsWith(text[0]) ? 0 : 1);
        return names.map((name) => players_js.choices(game, place, name).map((one) => one.move).sort());
    });
}"""


@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("kingpawns", marks=pytest.mark.nightly)])
def test_players_choose_among_the_same_moves(visit, name):
    game, positions = both(name)
    positions = Random(3).sample([here for here in positions if legal_moves(game, here[0])], 700)
    graph = graph_for(game)
    names = ["perfect", "streetwise", "blocks", "wins", "random"]
    weighs = [policy_named(one, game).probabilities for one in names] + [
        shallow(level.sight) for level in ladder(graph)[1:]
    ]
    chosen = [weigh(graph, False) > 0 for weigh in weighs]
    names += [f"level:{number}" for number in range(2, 11)]
    found = visit(name).page.evaluate(CHOICES, [[show_position(game, *here) for here in positions], names])
    for (position, side), choices in zip(positions, found, strict=True):
        edges = graph.edges(graph.number(position))
        moves = [move_name(game, position, side, move) for move in legal_moves(game, position)]
        for probabilities, moved in zip(chosen, choices, strict=True):
            assert moved == sorted(move for move, may in zip(moves, probabilities[edges].tolist(), strict=True) if may)


@pytest.mark.nightly  # the page of the server does the same by the same script
def test_losing_tactic_toe_to_the_perfect_player(visit):
    one = visit("tactic-toe", "#second=perfect")
    while not one.page.locator("#turn").inner_text().endswith("wins"):
        one.turn("Your move")
        before = len(one.moves())
        known = one.ask("analysis", game="tactic-toe", position=one.position())
        one.square(known["moves"][-1]["move"]).click()  # the worst there is
        one.has_moves(before + 2)
    one.turn("O wins")
    expect(one.page.locator(".lines g")).to_have_count(1)
    expect(one.page.locator(".mistakes")).to_contain_text("Losing move")


def test_drawing_tic_tac_toe_taking_back_and_opening_it_again(visit):
    one = visit("tic-tac-toe", "#first=perfect&second=perfect&moves=b2,a1,c3,a3,a2,c2")
    one.page.locator("#more").click()
    one.turn("Drawn")
    assert len(one.moves()) == 9
    one.page.locator("#undo").click()
    one.turn("X to move")
    assert one.state()["ply"] == "8"
    where = one.page.locator("#position-text").input_value()
    one.page.reload()
    expect(one.page.locator("#history li")).to_have_count(10)
    assert one.position() == where
    one.page.go_back()
    one.turn("Drawn")


@pytest.mark.nightly  # the page of the server does the same by the same script
def test_two_people_and_the_keyboard(visit):
    one = visit("tic-tac-toe", "#second=human&hints=1")
    expect(one.page.locator("#verdict")).to_have_text("Drawn with best play. Every move draws.")
    expect(one.page.locator("#model")).to_have_count(0)
    expect(one.page.locator("#games")).to_have_text("Tic-tac-toe")
    one.page.locator(".skip").focus()
    one.page.keyboard.press("Enter")
    for way in (
        "Enter",
        "ArrowLeft Enter",
        "ArrowUp Enter",
        "ArrowRight Enter",
        "ArrowDown ArrowDown ArrowRight Space",
    ):
        before = len(one.moves())
        for key in way.split():
            one.page.keyboard.press(key)
        one.has_moves(before + 1)
    one.turn("X wins")
    assert one.moves() == ["b2", "a2", "a1", "b1", "c3"]
    expect(one.page.locator("#said")).to_contain_text("X plays c3. X wins.")


@pytest.mark.nightly  # the page of the server does the same by the same script
def test_best_play_is_played_out(visit):
    one = visit("tactic-toe", "#second=human")
    best = one.ask("best-line", game="tactic-toe")["moves"]
    assert len(best) == 13
    one.goto("#second=human&moves=" + ",".join(best[:10]))
    expect(one.page.locator("#history li")).to_have_count(11)
    one.page.locator("#play-out").click()
    one.turn("X wins")
    assert one.moves() == best
    one.page.locator("#ply-0").click()
    one.page.keyboard.press("ArrowRight")
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")


@pytest.mark.nightly
def test_pieces_by_clicks_on_a_phone(visit):
    one = visit("kingpawns", "#second=level:3&hints=1", viewport={"width": 360, "height": 740})
    one.square("a2").click()
    expect(one.page.locator(".cell.target")).not_to_have_count(0)
    one.square("a3").click()
    one.has_moves(2)
    assert one.moves()[0] == "a2a3"
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.nightly  # compiling, solving and writing take half a minute
def test_a_game_that_is_too_big_for_the_interpreted_solver(visit):
    game = load_game("drop:4,4,4")
    with pytest.raises(TooBig, match="perfectplay solve drop:4,4,4"):
        finished(writing(game, io.BytesIO()))
    lookup_for.cache_clear()
    finished(solving(game, Options("auto", place_of(game))))
    one = visit("drop:4,4,4", "#second=streetwise&hints=1")
    one.page.locator("[data-square='1']").click()
    one.has_moves(2)
    assert one.moves()[0] == "2"
    lookup, rng = lookup_for(game), Random(2)
    for _ in range(300):
        position, side = game.start, 0
        for _ in range(rng.randrange(14)):
            moves = legal_moves(game, position)
            if moves:
                position, side = game.play(*position, rng.choice(moves)), 1 - side
        text = show_position(game, position, side)
        facts = exact_facts(game, position, side, lookup(position), entries_of_moves(game, lookup, position))
        found = one.ask("analysis", game="drop:4,4,4", position=text)
        assert found == {"game": "drop:4,4,4", "source": "table", **facts, "verdict": ""}  # the page has its own words


@pytest.mark.nightly
def test_typed_set_up_recorded_and_kept_positions(visit, tmp_path):
    one = visit("tic-tac-toe", "#second=human")
    one.page.locator("#position-panel summary").click()
    text, fault = one.page.locator("#position-text"), one.page.locator("#fault")
    for typed, why in {
        "nonsense": "does not say who is to move; begin it with X: or O:",
        "X:...": "is not 3 rows of 3 of X O ., such as X:.../.../...",
        "X:?../.../...": "is not 3 rows of 3",
        "X:X../.O./..X": "after 3 moves it is O's turn",
        "O:XO./.../...": "after 2 moves it is X's turn",
        "X:XXX/OOO/...": "cannot be reached by legal play from the start",
    }.items():
        text.fill(typed)
        text.press("Enter")
        expect(fault).to_contain_text(why)
    text.fill("o: XO. /.../ ..X")
    text.press("Enter")
    expect(fault).to_be_hidden()
    assert one.state()["position"] == "o: XO. /.../ ..X"
    assert one.position() == "O:XO./.../..X"
    with one.page.expect_download() as waiting:
        one.page.get_by_text("Position as JSON").click()
    kept = json.loads(Path(waiting.value.path()).read_text())
    assert (kept["position"], kept["value"], kept["distance"]) == ("O:XO./.../..X", "draw", 6)
    one.page.get_by_role("button", name="Set up by clicking").click()
    one.page.locator("#piece-1O").check()
    one.square("b2").click()
    one.page.locator("#turn-0").check()
    one.page.get_by_role("button", name="Play from here").click()
    one.turn("X to move")
    record = tmp_path / "game.txt"
    record.write_text("# game: tic-tac-toe\n\n5 A1 c3\n")
    one.page.locator("#record-file").set_input_files(record)
    expect(one.page.locator("#history li")).to_have_count(4)
    one.turn("O to move")
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Download record").click()
    assert "5 A1 c3" in Path(waiting.value.path()).read_text()
    record.write_text("# game: gomoku\n\nh8\n")
    one.page.locator("#record-file").set_input_files(record)
    expect(fault).to_contain_text("this page knows tic-tac-toe only, not 'gomoku'")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("#position=%00%ff", "does not say who is to move"),
        ("#game=chess&moves=e4", "this page knows tic-tac-toe only"),
        ("#first=nobody", "no player here is called 'nobody'; there are level, streetwise, perfect"),
        ("#ply=-7&hints=maybe&chance=noisy:0.1&&&=", ""),
    ],
)
def test_an_address_that_cannot_be(visit, address, why):
    one = visit("tic-tac-toe", address)
    if why:
        expect(one.page.locator("#fault")).to_contain_text(why)
    one.turn("Your move")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("b2,b2", "Move 2 of the link, b2, cannot be played. The game is shown up to move 1."),
        ("d9,b2", "Move 1 of the link, d9, cannot be played. This is the start."),
        ("a1,b1,a2,b2,a3,c3", "Move 6 of the link, c3, cannot be played. The game is shown up to move 5."),
    ],
)
def test_a_bad_move_in_an_address_keeps_the_good_part(visit, moves, said):
    one = visit("tic-tac-toe", f"#moves={moves}")
    expect(one.page.locator("#note")).to_have_text(said)
    expect(one.page.locator(".played li")).to_have_count(int(said[5]))


def test_a_damaged_file_says_so(browser, pages, tmp_path):
    whole = pages.of("tic-tac-toe").read_text(encoding="utf-8")
    (tmp_path / "damaged.html").write_text(re.sub('(id="graph">.{200}).*?<', r"\1<", whole), encoding="utf-8")
    one = Reader(browser, tmp_path / "damaged.html")
    one.page.goto(one.address)
    expect(one.page.locator("#fault")).to_contain_text("the solution in this file cannot be read: is the file whole")
    one.context.close()


def test_images_that_are_no_group(visit, tmp_path, pages):
    (tmp_path / "odd.py").write_text(ODD)
    name = str(tmp_path / "odd.py")
    game = load_game(name)
    assert finished(carrying(game)).turns.count == 1
    found = visit(name, "#hints=1").ask("analysis", game="odd.py", position="O:X./..")
    assert [(move["move"], move["text"]) for move in found["moves"]] == [
        ("b1", "loss in 2 plies"),
        ("a2", "loss in 2 plies"),
        ("b2", "loss in 2 plies"),
    ]


@pytest.mark.parametrize(("text", "why"), [(ALIKE, "look alike"), (TURNED, "second side's squares")])
def test_games_that_do_not_fit_into_a_page(tmp_path, text, why):
    (tmp_path / "other.py").write_text(text)
    sink = io.BytesIO()
    with pytest.raises(BadGame, match=why):
        finished(writing(load_game(str(tmp_path / "other.py")), sink))
    assert sink.getvalue() == b""


def test_a_game_that_is_not_solved_is_refused():
    sink = io.BytesIO()
    with pytest.raises(TooBig, match="too large to solve"):
        finished(writing(load_game("connect-four"), sink))
    assert sink.getvalue() == b""


@pytest.mark.parametrize(
    "text",
    [
        'import * as all from "./other.js";',
        'import other from "./other.js";',
        'import "./other.js";',
        'import { one } from "elsewhere";',
        'export { one as two } from "./other.js";',
        "export default 1;",
        "export let one = 1;",
        'import("./" + name);',
        "const text = `one\n  two`;",
    ],
)
def test_what_cannot_be_bundled_is_refused(text):
    with pytest.raises(ValueError, match=r"bundle|indentation"):
        bundled("page", {"page": text + "\n", "other": "export const one = 1;\n"})


def test_scripts_are_bundled_in_order():
    texts = {
        "page": 'import { two } from "./two.js";\n/** A\n * remark. */\nconst later = import("./one.js");\n',
        "two": 'export { one } from "./one.js";\nexport async function two() {}\n',
        "one": "// no more\nexport const one = 1;\n",
    }
    assert bundled("page", texts).splitlines() == [
        '"use strict";',
        "const one_js = (() => {",
        "const one = 1;",
        "return { one };",
        "})();",
        "const two_js = (() => {",
        "const { one } = one_js;",
        "async function two() {}",
        "return { two, one };",
        "})();",
        "const page_js = (() => {",
        "const { two } = two_js;",
        "const later = Promise.resolve(one_js);",
        "return {  };",
        "})();",
    ]
    circle = {"page": 'import { a } from "./two.js";\n', "two": 'import { b } from "./page.js";\n'}
    with pytest.raises(ValueError, match="circle"):
        bundled("page", circle)
    assert "solving" in scripts()
    assert safe_in_page("'</SCRIPT><!--'") == r"'\x3c/SCRIPT>\x3c!--'"


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize(
    ("view", "scheme"), [("#hints=1&moves=b2,b1", "light"), ("#moves=a1,b1,b2,c1,c3&second=human", "dark")]
)
def test_accessibility(visit, view, scheme):
    one = visit("tic-tac-toe", view, color_scheme=scheme)
    one.page.locator("#position-panel summary").click()
    one.page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    found = one.page.evaluate("axe.run()")
    assert [(fault["id"], [node["html"][:200] for node in fault["nodes"][:3]]) for fault in found["violations"]] == []
    assert found["passes"]
