"""Why and the guided review in a real browser: what is drawn and said is what the rules and the solver say."""

import visitors
from perfectplay import explain, review
from perfectplay.exports.page.page_export import writing
from perfectplay.rules.loading import load_game
from perfectplay.solvers.steps import finished
from visitors import expect, fits, needs_axe, no_barriers

pytestmark = visitors.nightly

LOST = "?moves=b2,b1,a1,c3,a3,a2,c1&second=human"
"""Tic-tac-toe: O loses the draw with the second move, X wins with the seventh."""
THREAT = "moves=b2,a1,c3,a3&second=human&why=1"
"""O threatens a2."""


def numbers(one):
    return one.page.locator(".drawings .ply text").all_text_contents()


def squares_with(one, words):
    """The names of the squares whose label has these words."""
    labels = one.page.locator(f'[role=gridcell][aria-label*="{words}"]')
    return sorted(label.get_attribute("aria-label").partition(",")[0] for label in labels.all())


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
    one.see("#taught", "O threatens to win with a2 (completes a1-a2-a3).")
    one.page.locator("#why-threats").click()  # what is pinned stays drawn
    one.page.locator("h1").hover()
    expect(one.page.locator(".threat-ring")).to_have_count(1)
    assert numbers(one) == []
    one.page.locator("#why-threats").click()
    one.square("a2").click()  # a move takes the drawings of its position away
    one.has_moves(5)
    expect(one.page.locator("#reasons li").first).to_contain_text("O is to move")
    assert squares_with(one, "O threatens") == []
    one.page.locator("#why-button").click()
    expect(one.page.locator(".drawings > *")).to_have_count(0)


def test_the_refutation_of_a_move_is_shown_by_pointing_and_by_keyboard(visit):
    one = visit(f"?{THREAT}&hints=1")
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
    one.press("ArrowUp")
    expect(one.page.locator("#aimed")).to_have_text("b1 loses in 2 moves: O a2.")
    one.press("w")
    expect(one.page.locator("#why-panel")).to_be_hidden()


def test_pieces_that_move_have_arrows_and_points_are_told(visit):
    one = visit("?game=kingpawns&why=1&second=human")
    for kind, count in (("threat", 1), ("first", 3), ("second", 2)):
        expect(one.page.locator(f".arrow.{kind}")).to_have_count(count)
    one.goto("?game=dots:2,2&why=1&second=human")
    expect(one.page.locator("#reasons li").first).to_have_text("X is to move and wins by 2.")
    one.see("#why-c2", "only a draw")


def test_the_review_asks_again_before_it_tells(visit):
    one = visit(LOST)
    one.page.locator("#review").click()
    guided = one.page.locator("#guided")
    expect(guided.locator("h2")).to_have_text("1 of 1: mistake")
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")
    expect(one.page.locator(".mistakes")).to_have_count(0)  # they would tell the answer
    expect(one.page.locator("#why-button")).to_have_attribute("aria-disabled", "true")
    one.see("#guided", "Move 2: O played b1, which lost the draw.")
    one.square("a2").click()
    one.see("#guided", "a2 loses in").see("#guided", "Try again")
    assert "1" in numbers(one)
    assert len(one.moves()) == 7  # a try is no move
    one.square("c3").click()
    made = review("tic-tac-toe", one.moves()).plies[1]
    one.see("#guided", "Right: c3 keeps the draw.").see("#guided", made.why.replace("plies", "moves"))
    one.page.locator("#review-next").click()
    one.see("#guided", "The review is done").see("#guided", "Turning point: move 2, O b1.")
    one.page.locator("#review-leave").click()
    expect(guided).to_be_hidden()
    expect(one.page.locator("#ending")).to_be_visible()


def test_the_answer_can_be_asked_for_and_only_the_persons_moves_are_gone_through(visit):
    one = visit(f"{LOST}&ply=4")
    one.page.locator("#review-game").click()
    one.page.locator("#review-answer").click()
    one.see("#guided", "a1, c1, a3 or c3 was better.")
    one.page.locator("#ply-5").click()
    one.page.locator("#review-back").click()
    expect(one.page.locator("#ply-1")).to_have_attribute("aria-current", "step")
    one.page.locator("#review-answer").click()
    one.page.locator("#review-again").click()
    one.see("#guided", "What is better?")
    one.goto("?moves=b2,b1,a1,c3,a3,a2,c1&second=level:3")
    one.page.locator("#review").click()
    one.see("#guided h2", "No mistakes by X")
    one.page.locator("#review-side-1").click()
    one.see("#guided h2", "1 of 1: mistake").square("c3").click()
    one.see("#guided", "Right")


def test_judgements_are_marked_on_the_plot_and_in_the_list(visit):
    one = visit("?game=tactic-toe&moves=b1,b2,a1,c1,b3&second=human&hints=1")
    one.page.locator("#review-game").click()
    known = review("tactic-toe", one.moves())
    names = [{"best": "best move", "good": "good move"}.get(made.judgement, made.judgement) for made in known.plies]
    for made, name in zip(known.plies, names, strict=True):
        expect(one.page.locator(f"#ply-{made.ply} .unseen")).to_have_text(f", {name}")
    wrong = [made for made in known.plies if made.judgement in ("inaccuracy", "mistake", "blunder")]
    expect(one.page.locator(".plot .mistake")).to_have_count(len(wrong))
    one.see("#accuracy", f"X {min(99, round(known.summary[0].accuracy))}%")


def test_the_file_explains_what_it_has_inside_and_leaves_out_what_it_cannot_know(visit, tmp_path):
    for name in ("kingpawns", "tic-tac-toe"):
        with (tmp_path / f"{name}.html").open("wb") as sink:
            finished(writing(load_game(name), sink))
    one = visit("#game=kingpawns&why=1&second=human", (tmp_path / "kingpawns.html").as_uri())
    one.see("#reasons", "White wins in 5 with b2b3. No other move wins.")
    known = explain("kingpawns")
    assert known.threats.moves == ("c3c2",)  # the position after a pass is inside
    expect(one.page.locator("#why-threats")).to_have_text("ThreatBlack c3c2")
    share = f"{100 * float(known.difficulty):.1f}%"
    one.see("#why", f"1 of 5 moves keeps the win. Players go wrong here {share}")
    one = visit(f"#game=tic-tac-toe&{THREAT}", (tmp_path / "tic-tac-toe.html").as_uri())
    one.see("#reasons", "O answers a2 and wins at once with a1-a2-a3.")
    expect(one.page.locator(".alarm")).to_have_count(0)


@needs_axe
def test_a_phone_and_a_screen_reader_find_everything(visit):
    one = visit(f"?{THREAT}", viewport={"width": 390, "height": 844})
    expect(one.page.locator(".parts")).to_be_visible()
    no_barriers(one.page)
    assert fits(one.page)
    one.goto(LOST)
    for name in ("#review", "#review-answer", "#review-next"):
        one.page.locator(name).click()
    expect(one.page.locator(".summary")).to_be_visible()
    no_barriers(one.page)
    assert fits(one.page)
