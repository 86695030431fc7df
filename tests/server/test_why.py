"""Why and the guided review in a real browser: what is drawn and said is what the rules and the solver say."""

import re
import shutil
from random import Random

import pytest
import test_page

from perfectplay import Match, explain, review
from perfectplay.exporters.page.page_export import writing
from perfectplay.game import after, legal_moves
from perfectplay.loading import load_game
from perfectplay.solvers.steps import finished
from perfectplay.words import FIRST

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: make test installs it")
expect = playwright.expect
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium: apt-get install chromium"),
]
visit = test_page.visit

LOST = "?moves=b2,b1,a1,c3,a3,a2,c1&second=human"
"""Tic-tac-toe: O loses the draw with the second move, X wins with the seventh."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")

    def of(name):
        place = folder / f"{re.sub('[^a-z0-9]', '-', name)}.html"
        if not place.exists():
            with place.open("wb") as sink:
                finished(writing(load_game(name), sink))
        return place

    return of


@pytest.fixture
def read(browser, pages):
    """Opens a game in one file, without a network."""
    visitors = []

    def come(name, query):
        one = test_page.Visitor(browser, pages(name).as_uri())
        one.context.set_offline(True)
        visitors.append(one)
        one.page.goto(f"{one.address}#game={name}&{query}")
        expect(one.page.locator("[role=grid]")).to_be_visible()
        return one

    yield come
    for visitor in visitors:
        visitor.context.close()
        assert visitor.faults == []


def numbers(one):
    return one.page.locator(".drawings .ply text").all_text_contents()


def squares_with(one, words):
    """The names of the squares whose label has these words."""
    labels = one.page.locator(f'[role=gridcell][aria-label*="{words}"]')
    return sorted(label.get_attribute("aria-label").partition(",")[0] for label in labels.all())


def axe(one):
    one.page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    found = one.page.evaluate("axe.run()")
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []


def test_why_says_what_explain_says_and_draws_the_threat(visit):
    one = visit("?moves=b2,a1,c3,a3&second=human")
    expect(one.page.locator("#why-panel")).to_be_hidden()
    one.page.locator("#why-button").click()
    known = explain("tic-tac-toe", "b2", "a1", "c3", "a3")
    sentences = [str(sentence.text).replace("plies", "moves") for sentence in known.sentences]
    expect(one.page.locator("#reasons li")).to_have_text(sentences)
    expect(one.page.locator(".drawings .alarm")).to_have_count(1)
    expect(one.page.locator(".drawings .row-drawn.threatened")).to_have_count(1)
    assert squares_with(one, "O threatens a2") == ["a2"]
    assert numbers(one) == ["1", "2", "3", "4", "5"]
    expect(one.page.locator("#taught")).to_contain_text("O threatens to win with a2 (completes a1-a2-a3).")
    assert one.state()["why"] == "1"
    one.page.locator("#why-button").click()
    expect(one.page.locator(".drawings > *")).to_have_count(0)
    assert squares_with(one, "threatens") == []


def test_the_refutation_of_a_move_is_shown_by_pointing_and_by_keyboard(visit):
    one = visit("?moves=b2,a1,c3,a3&second=human&why=1&hints=1")
    expect(one.page.locator(".parts")).to_be_visible()
    for show in (
        lambda: one.square("b1").hover(),
        lambda: one.page.locator("#move-b1").hover(),
        lambda: one.page.locator("#why-b1").focus(),
    ):
        one.page.locator("h1").hover()
        show()
        expect(one.page.locator("#aimed")).to_have_text("b1 loses in 2 moves: O a2.")
        assert squares_with(one, "move 2 of the line: O a2") == ["a2"]
        expect(one.page.locator(".row-drawn.completed")).to_have_count(1)
    one.page.locator("#why-b1").blur()
    one.square("b2").focus()
    one.page.keyboard.press("ArrowUp")
    expect(one.page.locator("#aimed")).to_have_text("b1 loses in 2 moves: O a2.")
    one.page.keyboard.press("w")
    expect(one.page.locator("#why-panel")).to_be_hidden()


def test_what_is_pinned_stays_drawn(visit):
    one = visit("?moves=b2,a1,c3,a3&second=human&why=1")
    one.page.locator("#why-threats").click()
    expect(one.page.locator("#why-threats")).to_have_attribute("aria-pressed", "true")
    one.page.locator("h1").hover()
    one.page.locator("#why-button").focus()
    expect(one.page.locator(".threat-ring")).to_have_count(1)
    assert numbers(one) == []
    one.page.locator("#why-threats").click()
    expect(one.page.locator("#why-threats")).to_have_attribute("aria-pressed", "false")


def test_pieces_that_move_have_arrows_and_points_are_told(visit):
    one = visit("?game=kingpawns&why=1&second=human")
    expect(one.page.locator(".arrow.threat")).to_have_count(1)
    expect(one.page.locator(".arrow.first")).to_have_count(3)
    expect(one.page.locator(".arrow.second")).to_have_count(2)
    one.goto("?game=dots:2,2&why=1&second=human")
    expect(one.page.locator("#reasons li").first).to_have_text("X is to move and wins by 2.")
    expect(one.page.locator("#why-c2")).to_contain_text("only a draw")


def test_a_move_takes_the_drawings_of_its_position_away(visit):
    one = visit("?moves=b2,a1,c3,a3&second=human&why=1")
    expect(one.page.locator(".alarm").first).to_be_visible()
    one.square("a2").click()
    one.has_moves(5)
    expect(one.page.locator("#reasons li").first).to_contain_text("O is to move")
    assert squares_with(one, "O threatens") == []


def test_the_review_asks_again_before_it_tells(visit):
    one = visit(LOST)
    one.page.locator("#review").click()
    guided = one.page.locator("#guided")
    expect(guided.locator("h2")).to_have_text("1 of 1: mistake")
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")
    expect(one.page.locator(".mistakes")).to_have_count(0)  # they would tell the answer
    expect(one.page.locator("#why-button")).to_have_attribute("aria-disabled", "true")
    expect(guided).to_contain_text("Move 2: O played b1, which lost the draw.")
    one.square("a2").click()
    expect(guided).to_contain_text("a2 loses in")
    expect(guided).to_contain_text("Try again")
    assert "1" in numbers(one)
    assert len(one.moves()) == 7  # a try is no move
    one.square("c3").click()
    expect(guided).to_contain_text("Right: c3 keeps the draw.")
    made = review("tic-tac-toe", one.moves()).plies[1]
    expect(guided).to_contain_text(made.why.replace("plies", "moves"))
    expect(one.page.locator("#taught")).to_contain_text("Right: c3")
    one.page.locator("#review-next").click()
    expect(guided.locator("h2")).to_have_text("The review is done")
    expect(guided).to_contain_text("Turning point: move 2, O b1.")
    one.page.locator("#review-leave").click()
    expect(guided).to_be_hidden()
    expect(one.page.locator("#ending")).to_be_visible()


def test_the_answer_can_be_asked_for_and_the_review_found_again(visit):
    one = visit(f"{LOST}&ply=4")
    one.page.locator("#review-game").click()
    one.page.locator("#review-answer").click()
    expect(one.page.locator("#guided")).to_contain_text("a1, c1, a3 or c3 was better.")
    assert "1" in numbers(one)
    one.page.locator("#ply-5").click()
    one.page.locator("#review-back").click()
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")
    one.page.locator("#review-answer").click()
    one.page.locator("#review-again").click()
    expect(one.page.locator("#guided")).to_contain_text("What is better?")


def test_judgements_are_marked_on_the_plot_and_in_the_list(visit):
    one = visit("?game=tactic-toe&moves=b1,b2,a1,c1,b3&second=human&hints=1")
    one.page.locator("#review-game").click()
    known = review("tactic-toe", one.moves())
    names = [{"best": "best move", "good": "good move"}.get(made.judgement, made.judgement) for made in known.plies]
    spoken = [one.page.locator(f"#ply-{made.ply} .unseen").text_content() for made in known.plies]
    assert spoken == [f", {name}" for name in names]
    wrong = [made for made in known.plies if made.judgement in ("inaccuracy", "mistake", "blunder")]
    expect(one.page.locator(".plot .mistake")).to_have_count(len(wrong))
    expect(one.page.locator("#accuracy")).to_contain_text(f"X {min(99, round(known.summary[0].accuracy))}%")


def test_only_the_moves_of_the_person_are_gone_through(visit):
    one = visit("?moves=b2,b1,a1,c3,a3,a2,c1&second=level:3")
    one.page.locator("#review").click()
    expect(one.page.locator("#guided h2")).to_have_text("No mistakes by X")
    one.page.locator("#review-side-1").click()
    expect(one.page.locator("#guided h2")).to_have_text("1 of 1: mistake")
    one.square("c3").click()
    expect(one.page.locator("#guided")).to_contain_text("Right")


ASK = """async ([task, all]) => {
  const found = [];
  for (const values of all) found.push(await api_js.ask(task, values));
  return found;
}"""
"""What a file answers to requests."""


def random_games(name, count, seed):
    """The moves of random games by name, as far as they have come."""
    game, dice, found = load_game(name), Random(seed), []
    for _ in range(count):
        turn, moves, most = (game.start, FIRST), [], dice.randrange(1, 14)
        while legal_moves(game, turn[0]) and len(moves) < most:
            moves.append(dice.choice(legal_moves(game, turn[0])))
            turn = after(game, *turn, moves[-1])
        match = Match(name).play(*moves)
        found.append((match.text(), [str(move) for move in match.moves], match.result is None))
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "tactic-toe", "kingpawns", "dots:2,1"])
def test_what_the_file_explains_is_what_explain_says(read, name):
    games = [(text, moves) for text, moves, open_ in random_games(name, 30, 5) if open_]
    wanted = [{"game": name, "position": text} for text, _ in games]
    answers = read(name, "second=human").page.evaluate(ASK, ["explain", wanted])
    for (text, _), found in zip(games, answers, strict=True):
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
            assert threats == {fact: known["threats"][fact] for fact in ("side", "value", "plies", "double")}
        assert known["zugzwang"] or "zugzwang" not in str(found["sentences"])


@pytest.mark.parametrize("name", ["tic-tac-toe", "tactic-toe", "kingpawns", "dots:2,1"])
def test_the_file_reviews_as_review_does(read, name):
    games = random_games(name, 12, 6)
    wanted = [{"game": name, "moves": ",".join(moves)} for _, moves, _ in games]
    answers = read(name, "second=human").page.evaluate(ASK, ["review", wanted])
    for (_, moves, _), found in zip(games, answers, strict=True):
        known = review(name, moves).to_dict()
        assert found["turning_point"] == known["turning_point"]
        for made, one in zip(found["plies"], known["plies"], strict=True):
            timid = one["judgement"] == "inaccuracy" and one["before"]["value"] == "draw"
            assert made["judgement"] == ("best" if timid else one["judgement"])
            assert (made["before"], made["after"], made["move"]) == (one["before"], one["after"], one["move"])
            if not timid:
                assert sorted(made["better"]) == sorted(one["better"])
                assert len(made["line"]) == min(25, len(one["line"])) or one["before"]["value"] == "draw"


@pytest.mark.parametrize(("name", "line"), [("tic-tac-toe", "b2,b1,a1,c3,a3,a2,c1"), ("kingpawns", "b1a1,c3b2,a1b2")])
def test_the_file_judges_as_the_program_does(read, name, line):
    known = review(name, line.split(",")).to_dict()
    one = read(name, f"moves={line}&second=human")
    one.page.locator("#review-game").click()
    for made in known["plies"]:
        wanted = {"best": "best move", "good": "good move"}.get(made["judgement"], made["judgement"])
        expect(one.page.locator(f"#ply-{made['ply']} .unseen")).to_have_text(f", {wanted}")


def test_the_file_explains_what_it_has_inside(read):
    one = read("kingpawns", "why=1&second=human")
    expect(one.page.locator("#reasons li").first).to_have_text("White wins in 5 with b2b3. No other move wins.")
    known = explain("kingpawns")
    assert known.threats.moves == ("c3c2",)  # the position after a pass is inside
    expect(one.page.locator("#why-threats")).to_have_text("ThreatBlack c3c2")
    expect(one.page.locator(".arrow.threat")).to_have_count(1)
    share = f"{100 * float(known.difficulty):.1f}%"
    expect(one.page.locator("#why")).to_contain_text(f"1 of 5 moves keeps the win. Players go wrong here {share}")


def test_the_file_leaves_out_threats_that_it_cannot_know(read):
    one = read("tic-tac-toe", "moves=b2,a1,c3,a3&why=1&second=human")
    expect(one.page.locator("#reasons")).to_contain_text("O answers a2 and wins at once with a1-a2-a3.")
    expect(one.page.locator(".alarm")).to_have_count(0)
    one.square("b1").hover()
    expect(one.page.locator("#aimed")).to_have_text("b1 loses in 2 moves: O a2.")


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_and_a_screen_reader_find_everything(visit, theme):
    one = visit("?moves=b2,a1,c3,a3&second=human&why=1", viewport={"width": 390, "height": 844}, color_scheme=theme)
    expect(one.page.locator(".parts")).to_be_visible()
    axe(one)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 390
    one.goto(LOST)
    one.page.locator("#review").click()
    one.page.locator("#review-answer").click()
    axe(one)
    one.page.locator("#review-next").click()
    expect(one.page.locator(".summary")).to_be_visible()
    axe(one)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 390
