"""Every result draws itself in a notebook: well-formed HTML without scripts, which tells in words what it shows."""

import inspect
import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import perfectplay
from perfectplay.commands.matches.reviews import TONES
from perfectplay.commands.prove.random_play import random_games
from perfectplay.rules.families import shown_names
from perfectplay.solvers.scores import TOP, Bounds
from perfectplay.views.document_html import LARGE, STYLE

SVG = "{http://www.w3.org/2000/svg}svg"
NAME = '<b onclick="x">&'
"""A name that would do harm if it were not escaped."""
OPEN = Bounds(4 - TOP, TOP - 5)
"""Bounds of a position of which nothing is proven but the next plies."""


@pytest.fixture(scope="module")
def results():
    """A result of each kind, by the name of its class."""
    game = perfectplay.load("tic-tac-toe")
    match = perfectplay.Match(game, ["b2", "b1"])
    review = perfectplay.review(game, ["a1", "b1", "c3", "b2", "b3"])
    certificate = perfectplay.certify("drop:3,3,3", "random")
    puzzles = perfectplay.puzzles(game, count=2)
    checks = (perfectplay.RuleCheck("Words are never negative.", "ok"), perfectplay.RuleCheck("It ends.", "skipped"))
    report = perfectplay.RulesReport(game.name, checks, random_games(game, 5, 1))
    strategy = perfectplay.strategy("lines:2,2,2")
    tree = perfectplay.tree(game, "a1", "b1", "c3", "a3", "c1", "c2")
    results = [
        game,
        match,
        match.analyse(against="uniform"),
        match.analyse().moves[0],
        perfectplay.Match(game, ["a1", "b1", "a2", "b2", "a3"]).result,
        perfectplay.odds(game, "random", "perfect", exact=True),
        perfectplay.odds(game, "random", "perfect").probability,
        perfectplay.win_probability(match, against="uniform"),
        perfectplay.explain(match),
        review,
        review.plies[1],
        review.summary[0],
        perfectplay.battle(game, "perfect", "random", games=20, seed=1),
        perfectplay.tournament(game, ["random", "perfect", "wins"], games=4, seed=1),
        perfectplay.compare(perfectplay.Match(game, ["a1", "b2", "c3"]), players=["wins"]),
        perfectplay.compare("tactic-toe", depth=2),
        perfectplay.solve(game),
        perfectplay.summarise(game),
        perfectplay.sweep("lines:2..3,3,3", measures=["fairness"], jobs=1),
        puzzles,
        puzzles.puzzles[0],
        tree,
        tree.nodes[0],
        strategy,
        perfectplay.StrategyRule(rule="centre", text="Play in the centre."),
        certificate,
        certificate.sides[0],
        certificate.mistakes[0],
        perfectplay.ClassReport(game.name, (certificate,), (1,)),
        perfectplay.count_games(game, 9),
        report,
        report.checks[0],
        report.games,
        report.games.sample,
        perfectplay.list_games()[0],
        perfectplay.list_players()[0],
    ]
    return {type(one).__name__: one for one in results}


def view_of(result):
    """The result as a notebook shows it."""
    return result._repr_html_()


def checked(html):
    """The parsed view, which is well-formed, loads nothing and runs nothing, and whose pictures have words."""
    root = ElementTree.fromstring(html)
    assert root.get("class") == "ppv"
    without_names = html.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<script|https?:|url\(|javascript:|@import", without_names)
    for one in root.iter():
        assert not [name for name in one.attrib if name.startswith("on")]
        if one.tag in ("svg", SVG):
            title = one.find(f"{SVG[:-3]}title")
            told = one.get("aria-label") or (title is not None and title.text)
            assert one.get("aria-hidden") == "true" or (one.get("role") == "img" and told)
    return root


def words(html):
    """The text that people read, without the style."""
    root = ElementTree.fromstring(html)
    return " ".join(
        text.strip()
        for one in root.iter()
        if not one.tag.endswith("style")
        for text in (one.text or "", *(child.tail or "" for child in one))
    )


def test_all_views_are_well_formed_and_tell_their_values(results):
    facts = [getattr(perfectplay, name) for name in perfectplay.__all__]
    for kind in (one for one in facts if inspect.isclass(one) and hasattr(one, "to_dict")):
        assert hasattr(kind, "_repr_html_") or hasattr(kind, "_repr_svg_"), kind
    for name, result in results.items():
        html = view_of(result)
        checked(html)
        assert len(html) < 70_000, name
    assert len(STYLE) < 3_584


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Game", "Tic-tac-toe"),
        ("Match", "X to move"),
        ("Analysis", "win in 5 plies"),
        ("Odds", "random moves first, perfect second"),
        ("WinProbability", "win probability against uniform"),
        ("Explanation", "X is to move"),
        ("Review", "draw in 8 plies -> loss in 6 plies"),
        ("BattleResult", "won by random"),
        ("Standings", "95% confidence intervals"),
        ("Comparison", "alpha-beta"),
        ("CyclicComparison", "win in 13"),
        ("Table", "draw in 9 plies"),
        ("Summary", "765 up to symmetry"),
        ("Sweep", "2 variants of lines, all solved"),
        ("PuzzleSet", "to move"),
        ("SearchTree", "minimax"),
        ("Strategy", "wins whatever it plays"),
        ("Certificate", "is refuted: it loses"),
        ("ClassReport", "is refuted"),
        ("GameCount", "131,184"),
        ("RandomGames", "5 random games"),
        ("RulesReport", "no faults"),
    ],
)
def test_views_say_what_they_show(results, name, expected):
    assert expected in words(view_of(results[name]))


def test_an_analysis_marks_the_best_moves_by_shape_pattern_and_number(results):
    root = checked(view_of(results["Analysis"]))
    rows = {"".join(row[0].itertext()): row for row in root.iter("tr")}
    assert {name for name, row in rows.items() if row.get("title") == "best"} == {*results["Analysis"].best}
    assert "".join(rows["a1"][1].itertext()) == "win in 5 plies"
    assert [one for one in rows["a1"].iter("svg") if one.get("class") == "ppv-s"]
    desc = root.find(f".//{SVG}/{SVG[:-3]}desc")
    assert "a1 win 5" in desc.text


def test_bars_differ_in_more_than_colour(results):
    """A win is full, a draw striped, a loss dotted: the shapes differ, whatever the colours are."""
    odds = perfectplay.Odds("g", ("a", "b"), perfectplay.Probability(0.5, 0.25, 0.25))
    root = checked(view_of(odds))
    bars = [one for one in root.iter("svg") if one.get("class") == "ppv-s"]
    assert len(bars) == 3
    assert [len(list(one.iter("path"))) for one in bars] == [2, 3, 3]
    striped, dotted = (list(bar.iter("path"))[1].get("d") for bar in bars[1:])
    assert striped.count("M") < dotted.count("M")
    assert "50.00%" in words(view_of(odds))


def test_standings_have_error_bars_and_a_crosstable(results):
    root = checked(view_of(results["Standings"]))
    assert (len(list(root.iter("table"))), len(list(root.iter("circle")))) == (3, 3)
    rank, player, *_ = (cell for cell in root.find(".//table").find("tbody")[0])
    assert ("".join(rank.itertext()), "".join(player.itertext())) == ("1", "perfect")


def test_the_curve_of_a_review_has_a_line_beside_each_word_and_the_points_lie_on_them(results):
    pictures = checked(view_of(results["Review"])).iter("svg")
    curve = next(one for one in pictures if "after each ply" in one.get("aria-label", ""))
    beside = {one.text: float(one.get("y")) for one in curve.iter("text")}
    lines = [float(re.search("M[^ ]+ ([^H]+)H", one.get("d"))[1]) for one in curve.iter("path") if "H" in one.get("d")]
    assert lines == pytest.approx([beside[word] - 4 for word in ("X wins", "draw", "O wins")])
    start, _, won, *_ = (float(one.get("cy")) for one in curve.iter("circle"))
    assert lines[0] < won < start == lines[1]


@pytest.mark.parametrize(("name", "title"), [("Puzzle", "Solution"), ("PuzzleSet", "Solutions")])
def test_solutions_wait_behind_a_title(results, name, title):
    line = " ".join(results["Puzzle"].line)
    folded = checked(view_of(results[name])).find("details")
    assert folded.find("summary").text == title
    assert line in "".join(folded.itertext()).removeprefix(title)
    assert words(view_of(results[name])).count(line) == 1


def test_large_boards_are_drawn_larger_than_others(results):
    figures = [root.find(".//figure") for root in (checked(view_of(results[name])) for name in ("Puzzle", "PuzzleSet"))]
    large, small = (int(figure.find(SVG).get("width")) for figure in figures)
    limit = int(re.search(r"figure\.ppv-large{max-width:(\d+)px", STYLE)[1])
    assert (figures[0].get("class"), figures[1].get("class")) == ("ppv-large", None)
    assert small < large <= LARGE <= limit


def test_each_tone_has_a_colour():
    for tone in {*TONES.values()}:
        assert re.search(rf"\.ppv-{tone}\b[^{{}}]*{{color:var", STYLE), tone


def test_headings_have_no_colon_and_missing_numbers_are_dashes(results):
    root = checked(view_of(results["RandomGames"]))
    headings = [one.text for one in root.iter() if one.tag in ("h2", "h3")]
    assert headings
    assert not [one for one in headings if one.endswith(":")]
    cells = ["".join(cell.itertext()) for cell in checked(view_of(results["Standings"])).iter("td")]
    assert "–" in cells
    assert not {"-", "−"} & {*cells}


def test_it_is_told_which_pieces_are_whose(results):
    assert "X is red, O is yellow." in words(view_of(results["Certificate"]))
    assert "X is red, O is yellow." not in str(results["Certificate"])


def test_names_are_escaped(results):
    game = replace(results["Game"], name=NAME)
    standings = results["Standings"]
    players = tuple(replace(one, name=NAME + one.name) for one in standings.players)
    pairings = tuple(replace(one, first=NAME + one.first, second=NAME + one.second) for one in standings.pairings)
    for one in (
        game,
        perfectplay.Match(game, ["a1"]),
        replace(results["Analysis"], match=perfectplay.Match(game, ["b2", "b1"])),
        replace(results["Odds"], game=NAME, players=(NAME, NAME)),
        replace(results["BattleResult"], players=(NAME, NAME)),
        replace(results["Review"], players=(NAME, NAME)),
        replace(standings, game=NAME, players=players, pairings=pairings),
        replace(results["Summary"], game=NAME),
        replace(results["Certificate"], player=NAME),
        replace(results["PuzzleSet"], game=NAME),
        replace(results["Result"], name=NAME),
    ):
        html = view_of(one)
        checked(html)
        assert "<b " not in html
        assert "&lt;b onclick" in html


def test_lists_are_lists_that_print_and_draw_well():
    games = perfectplay.list_games()
    assert isinstance(games, list)
    assert len(str(games).splitlines()) == len(games)
    for listed in (games, perfectplay.list_players(), perfectplay.kept()):
        checked(listed._repr_html_())
    assert "connect-four" in words(games._repr_html_())


@pytest.mark.parametrize(
    "names", [["connect-four", "kalah", "hex"], pytest.param(shown_names(), marks=pytest.mark.nightly)]
)
def test_games_draw_themselves(names):
    for name in names:
        game = perfectplay.load(name)
        match = perfectplay.Match(game)
        match.play(match.legal_moves()[-1])
        for one in (game, match):
            checked(view_of(one))
        assert match.text() in words(view_of(match))
    assert "X is red, O is yellow." in words(view_of(perfectplay.Match("connect-four")))
    assert "X is" not in words(view_of(perfectplay.Match("tic-tac-toe")))


def test_what_is_long_is_cut_and_says_so():
    match = perfectplay.Match("gomoku", ["h8"])
    moves = tuple(perfectplay.MoveAnalysis(move=name, bounds=OPEN) for name in match.legal_moves())
    html = view_of(perfectplay.Analysis(match=match, moves=moves, bounds=OPEN, nodes=9))
    checked(html)
    assert "224 moves" in words(html)
    reasons = tuple(perfectplay.ExplainedMove(move=one.move, value=None, distance=None, keeps=None) for one in moves)
    why = perfectplay.Explanation(match=match, source="search", value=None, distance=None, sentences=(), moves=reasons)
    assert "and 200 more moves" in words(view_of(why))
    long = perfectplay.BestLine(tuple(f"a{i}" for i in range(500)))
    assert "488 more" in words(view_of(long))


def test_a_drawing_that_fails_never_hides_the_result(results):
    def broken(mine, theirs):
        raise ZeroDivisionError

    game = replace(results["Game"], outcome=broken)
    assert view_of(game) is None  # the notebook then shows the text
    assert "tic-tac-toe" in repr(game)


def test_results_print_well(results):
    for result in results.values():
        shown = repr(result)
        assert "<function" not in shown
        assert " at 0x" not in shown
        assert "\n" not in shown
    for name in ("Game", "Explanation", "Standings", "PuzzleSet", "Strategy", "Certificate"):
        assert len(repr(results[name])) < 200
    assert str(results["Game"]) == "tic-tac-toe: Three in a row on a 3 × 3 board."
    lines = str(results["Comparison"]).splitlines()
    assert lines[2].split() == ["algorithm", "nodes", "entries", "time", "fewer", "faster", "finds", "plays"]
    assert len({line.index(word) for line, word in ((lines[2], "finds"), (lines[3], "draw"))}) == 1
    assert "the truth here: win in 13" in str(results["CyclicComparison"])


def test_start_up_loads_nothing_that_may_not_be_wanted():
    code = """
import sys, perfectplay, perfectplay.commands.cli, perfectplay.rl
perfectplay.widget
perfectplay.load("nim")
match = perfectplay.Match("tic-tac-toe").play("a1")
str(match), repr(match)
late = ("perfectplay.views.document_html", "perfectplay.exports.page", "markupsafe", "anywidget", "pyspiel")
print([name for name in sys.modules if name.startswith(late)])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
