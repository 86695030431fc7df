"""The page in one file: the same page without a server, and everything it says is what the rules and the solver say."""

import io
import re
from pathlib import Path
from random import Random

import pytest

from homes import ROOT
from page_scripts import answers_of, needs_node, run_in_page
from perfectplay import Match, explain, review, solve
from perfectplay.exports.page.page_bundle import bundled, safe_in_page, scripts
from perfectplay.exports.page.page_export import writing, writing_search
from perfectplay.exports.page.page_solution import MOST_CLASSES, carrying
from perfectplay.game import after, legal_moves, turn_levels
from perfectplay.players.models.game_graph import graph_for
from perfectplay.players.models.level_policies import ladder
from perfectplay.players.models.policies import shallow
from perfectplay.players.registry import policy_named
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, show_position
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.analysis_facts import as_seen, study_facts
from perfectplay.server.api_answers import RequestHandler
from perfectplay.server.api_tasks import TASKS
from perfectplay.server.parameters import read
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.oracle import TableOracle, solved_oracle
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import kept_table, table_path
from perfectplay.words import BadGame, TooBig

TTT = "tic-tac-toe"
GAMES = [TTT, "examples/hexapawn.py", "dots:2,1"]
LONG = ["tactic-toe", "kingpawns", "dots:2,2", "kalah:2,2", "kalah:3,2", "morris:3,2", "nim:3,4,5"]
each_game = pytest.mark.parametrize("name", GAMES + [pytest.param(name, marks=pytest.mark.nightly) for name in LONG])
each_owned_game = pytest.mark.parametrize(
    "name", GAMES + [pytest.param(name, marks=pytest.mark.nightly) for name in LONG if not name.startswith("nim")]
)
"""Games whose pieces have owners: of others the page marks other squares than the server."""
each_game_but_one = pytest.mark.parametrize(
    "name", GAMES[1:] + [pytest.param(name, marks=pytest.mark.nightly) for name in (TTT, *LONG)]
)

ODD = """
from perfectplay import LOSS, ONGOING, Game

LINES = (0b0011, 0b1100, 0b0101, 0b1010, 0b1001, 0b0110)

def game():
    return Game(
        moves=lambda mine, theirs: 15 & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=lambda mine, theirs: LOSS if any(theirs & line == line for line in LINES) else ONGOING,
        bits=4,
        shape=(2, 2),
        symmetries=(range(4), (1, 3, 0, 2)),
    )
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


@pytest.fixture(autouse=True)
def solved(request, home):
    """Solves a game that is too large to be solved unasked."""
    name = getattr(request.node, "callspec", None) and request.node.callspec.params.get("name")
    if name == "morris:3,2" and kept_table(load_game(name)) is None:
        solve(name, keep=True)


@pytest.fixture(scope="module")
def page(home):
    """Gives the page of a game, made when it is first wanted."""
    pages = {}

    def of(name):
        if name not in pages:
            sink = io.BytesIO()
            told = finished(writing(load_game(name), sink))
            pages[name] = sink.getvalue(), told
        return pages[name][0]

    of.told = lambda name: (of(name), pages[name][1])[1]
    return of


def positions_of(name, most):
    """Positions of a game with a side that can be to move there: all, or as many as are wanted."""
    turns = [turn for level in turn_levels(load_game(name)) for turn in level]
    return turns if len(turns) <= most else Random(1).sample(turns, most)


def server_answers(name, requests):
    """What the server answers to requests about a game."""
    allowed = AllowedNames(games={"hexapawn.py": "examples/hexapawn.py"})
    handler = RequestHandler(allowed, solved_oracle)
    return [TASKS[task].answer(handler, read(task, TASKS[task].wanted, values)) for task, values in requests]


def random_line(game, position, side, dice, most=6):
    """The names of random moves from a position."""
    names, turn = [], (position, side)
    while legal_moves(game, turn[0]) and len(names) < most:
        move = dice.choice(legal_moves(game, turn[0]))
        names.append(move_name(game, *turn, move))
        turn = after(game, *turn, move)
    return names


def test_the_file_is_small_and_whole(page):
    content = page(TTT)
    assert len(content) <= 400_000
    text = content.decode()
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert "wasm-unsafe-eval" not in text
    assert re.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*\"", text) == []
    assert page.told(TTT).facts == {"positions": 5_478, "classes": 765}


@pytest.mark.nightly
def test_the_guide_says_how_large_it_is(page):
    about = (ROOT / "docs/how-to/export-to-one-page.md").read_text(encoding="utf-8")
    assert f"about {round(len(page('tactic-toe')), -4) // 1000} KB" in about
    assert f"{MOST_CLASSES:,} canonical positions" in about
    assert page.told("tactic-toe").facts == {"positions": 73_450, "classes": 9_190}


@needs_node
@each_game
def test_positions_are_worth_what_the_solver_says(page, name, request):
    game, called = load_game(name), Path(name).name
    lookup = solved_oracle(game).lookup
    turns = positions_of(name, 500 if name in GAMES else 6_000)
    wanted = [["analysis", {"game": called, "position": show_position(game, *turn)}] for turn in turns]
    for (position, side), found in zip(turns, answers_of(page(name), wanted), strict=True):
        facts = study_facts(game, position, side, TableOracle(game, lookup).study(position))
        assert found == {"game": called, **facts, "verdict": "", "source": "table"}  # the page has its own words
        assert ("margin" in found) == (game.margin is not None)


def told(line):
    """A line without the order of rows and of squares left."""
    for ply in line.get("plies", ()):
        ply["from"] = sorted(ply.get("from", []))
    for move in line["here"]["moves"] if "here" in line else ():
        move["from"] = sorted(move["from"])
    if "here" in line:
        line["here"]["rows"].sort()
    return line


@needs_node
@each_owned_game
def test_lines_are_what_the_server_says(page, name):
    game, dice = load_game(name), Random(2)
    wanted = []
    for turn in positions_of(name, 150):
        values = {"game": Path(name).name, "position": show_position(game, *turn)}
        wanted += [["line", {**values, "moves": ",".join(random_line(game, *turn, dice))}], ["best-line", values]]
    assert [*map(told, answers_of(page(name), wanted))] == [*map(told, server_answers(name, wanted))]


CHOICES = """
const [texts, names] = all;
const data = JSON.parse(document.getElementById("first").textContent).game;
const game = new carried_js.Carried(data, await packed_js.inflated(document.getElementById("graph").textContent));
Math.random = () => 0.9999;
return texts.map((text) => {
  const place = game.find(squares_js.readBoard(data, text), data.sides[0].startsWith(text[0]) ? 0 : 1);
  return names.map((name) => players_js.choices(game, place, name).map((one) => one.move).sort());
});
"""


@needs_node
@each_game_but_one
def test_players_choose_among_the_same_moves(page, name):
    game = load_game(name)
    turns = [turn for turn in positions_of(name, 700) if legal_moves(game, turn[0])]
    graph = graph_for(game)
    names = ["perfect", "streetwise", "blocks", "wins", "random"]
    weighs = [policy_named(one, game).probabilities for one in names]
    weighs += [shallow(level.sight) for level in ladder(graph)[1:]]
    chosen = [weigh(graph, False) > 0 for weigh in weighs]
    names += [f"level:{number}" for number in range(2, 11)]
    found = run_in_page(page(name), CHOICES, [[show_position(game, *turn) for turn in turns], names])
    for (position, side), choices in zip(turns, found, strict=True):
        edges = graph.edges(graph.number(position))
        moves = [move_name(game, position, side, move) for move in legal_moves(game, position)]
        if (game.margin or game.again) and graph.position(graph.number(position)) != position:
            continue  # an image, whose edges stand in another order
        for probabilities, moved in zip(chosen, choices, strict=True):
            assert moved == sorted(move for move, may in zip(moves, probabilities[edges].tolist(), strict=True) if may)


UNFOLDED = ("dots:2,2", "kingpawns")
"""Games with symmetries that the file does not know: of what is no square, or of positions that cannot be reached."""


@needs_node
@each_game
def test_the_same_searches_are_taught(page, name):
    called = Path(name).name
    wanted = [["classroom", {"game": called}], ["classroom", {"game": called, "depth": "2"}]]
    for found, known in zip(answers_of(page(name), wanted), server_answers(name, wanted), strict=True):
        if name in UNFOLDED:
            known["algorithms"] = [one for one in known["algorithms"] if one["name"] != "symmetry"]
        assert found == known


def random_matches(name, count, seed):
    """Random games, as far as they have come."""
    dice = Random(seed)
    game = load_game(name)
    return [Match(name).play(*random_line(game, game.start, 0, dice, dice.randrange(1, 14))) for _ in range(count)]


@needs_node
@each_game
def test_explanations_are_those_of_the_program(page, name):
    called, texts = Path(name).name, [one.text() for one in random_matches(name, 30, 5) if one.result is None]
    game = load_game(name)
    seen = dict(zip(game.look.sides, as_seen(game).look.sides, strict=True))
    answers = answers_of(page(name), [["explain", {"game": called, "position": text}] for text in texts])
    for text, found in zip(texts, answers, strict=True):
        known = explain(name, position=text).to_dict()
        for fact in ("value", "distance", "margin", "sharpness"):
            assert found.get(fact) == known.get(fact)
        assert found["difficulty"] == pytest.approx(known["difficulty"])
        moves = {one["move"]: one for one in found["moves"]}
        for one in known["moves"]:
            facts = ("value", "distance", "keeps", *(("trap",) if known.get("margin") is None else ()))
            assert [moves[one["move"]][fact] for fact in facts] == [one[fact] for fact in facts]
            if one["distance"] is not None:
                assert len(moves[one["move"]]["refutation"]) == len(one["refutation"])
        threats = found["threats"]
        if threats:  # the position after a pass is inside
            assert sorted(threats.pop("moves")) == sorted(known["threats"]["moves"])
            assert threats.pop("side") == seen[known["threats"]["side"]]
            assert threats == {fact: known["threats"][fact] for fact in ("value", "plies", "double")}
        assert known["zugzwang"] or "zugzwang" not in str(found["sentences"])


@needs_node
@each_game
def test_reviews_are_those_of_the_program(page, name):
    games = [[str(move) for move in one.moves] for one in random_matches(name, 12, 6)]
    wanted = [["review", {"game": Path(name).name, "moves": ",".join(moves)}] for moves in games]
    for moves, found in zip(games, answers_of(page(name), wanted), strict=True):
        known = review(name, moves).to_dict()
        assert found["turning_point"] == known["turning_point"]
        for made, one in zip(found["plies"], known["plies"], strict=True):
            timid = one["judgement"] == "inaccuracy" and one["before"]["value"] == "draw"
            assert made["judgement"] == ("best" if timid else one["judgement"])
            assert (made["before"], made["after"], made["move"]) == (one["before"], one["after"], one["move"])
            if not timid:
                assert sorted(made["better"]) == sorted(one["better"])
                assert len(made["line"]) == min(25, len(one["line"])) or one["before"]["value"] == "draw"


@needs_node
def test_what_cannot_be_is_refused_with_the_reason(page):
    wrong = {
        "nonsense": "does not say who is to move; begin it with X: or O:",
        "\0ÿ": "does not say who is to move",
        "X:...": "is not 3 rows of 3 of X O ., such as X:.../.../...",
        "X:?../.../...": "is not 3 rows of 3",
        "X:X../.O./..X": "after 3 plies it is O's turn",
        "O:XO./.../...": "after 2 plies it is X's turn",
        "X:XXX/OOO/...": "cannot be reached by legal play from the start",
    }
    wanted = [[["line", {"game": TTT, "position": text}], why] for text, why in wrong.items()]
    wanted += [
        [["line", {"game": "gomoku", "moves": "h8"}], "this page knows tic-tac-toe only, not 'gomoku'"],
        [["line", {"game": TTT, "moves": "b2,b2"}], "not a legal move"],
        [["line", {"game": TTT, "first": "nobody"}], "no player here is called 'nobody'; there are level, streetwise"],
        [["reply", {"game": TTT, "player": "perfect", "position": "O:XXX/OO./..."}], "the end of the game"],
    ]
    found = answers_of(page(TTT), [one for one, _ in wanted])
    assert [(why, why in text) for (_, why), text in zip(wanted, found, strict=True)] == [
        (why, True) for _, why in wanted
    ]
    odd = [["line", {"game": TTT, "position": "o: XO. /.../ ..X"}], ["line", {"game": TTT, "moves": "5,A1,c3"}]]
    typed, named = answers_of(page(TTT), odd)
    assert typed["plies"][0]["position"] == "O:XO./.../..X"
    assert [ply.get("move") for ply in named["plies"][1:]] == ["b2", "a1", "c3"]
    damaged = re.sub(b'(id="graph">.{200}).*?<', rb"\1<", page(TTT))
    assert "cannot be read: is the file whole" in answers_of(damaged, [["line", {"game": TTT}]])[0]


@needs_node
def test_images_that_are_no_group(tmp_path, page):
    (tmp_path / "odd.py").write_text(ODD)
    name = str(tmp_path / "odd.py")
    assert finished(carrying(load_game(name))).turns.count == 1
    (found,) = answers_of(page(name), [["analysis", {"game": "odd.py", "position": "O:X./.."}]])
    assert [(move["move"], move["text"]) for move in found["moves"]] == [
        (square, "loss in 2 plies") for square in ("b1", "a2", "b2")
    ]


@pytest.mark.parametrize(("text", "why"), [(ALIKE, "look alike"), (TURNED, "second side's squares")])
def test_games_that_do_not_fit_into_a_page(tmp_path, text, why):
    (tmp_path / "other.py").write_text(text)
    sink = io.BytesIO()
    with pytest.raises(BadGame, match=why):
        finished(writing(load_game(str(tmp_path / "other.py")), sink))
    assert sink.getvalue() == b""


@pytest.mark.parametrize(
    ("write", "name", "fault", "why"),
    [
        (writing, "connect-four", TooBig, "too large to solve"),
        (writing_search, "kalah:3,2", BadGame, "^kalah:3,2 has extra turns, which only a page with its solution"),
    ],
)
def test_games_without_what_a_page_needs_are_refused_in_one_line(write, name, fault, why):
    sink = io.BytesIO()
    with pytest.raises(fault, match=why):
        finished(write(load_game(name), sink))
    assert sink.getvalue() == b""


@pytest.mark.nightly  # compiling, solving and writing take half a minute
def test_a_game_that_is_too_big_for_the_interpreted_solver(page):
    game = load_game("drop:4,4,4")
    with pytest.raises(TooBig, match="perfectplay solve drop:4,4,4"):
        finished(writing(game, io.BytesIO()))
    finished(solving(game, Options("auto", table_path(game))))
    lookup, dice, turns = solved_oracle(game).lookup, Random(2), []
    for _ in range(300):
        turn = game.start, 0
        for _ in range(dice.randrange(14)):
            moves = legal_moves(game, turn[0])
            turn = after(game, *turn, dice.choice(moves)) if moves else turn
        turns.append(turn)
    wanted = [["analysis", {"game": game.name, "position": show_position(game, *turn)}] for turn in turns]
    for (position, side), found in zip(turns, answers_of(page(game.name), wanted), strict=True):
        facts = study_facts(game, position, side, TableOracle(game, lookup).study(position))
        assert found == {"game": game.name, "source": "table", **facts, "verdict": ""}


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
