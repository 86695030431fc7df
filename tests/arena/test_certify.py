"""Certificates: a player is perfect in every position that it can meet, or a shortest game shows that it is not."""

import json
import random
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings, strategies as st

from brute_force import solved
from command_line import complaint, output
from graph_games import drawn_games, solved_exactly
from perfectplay import (
    DRAW,
    FIRST,
    LOSS,
    ONGOING,
    SECOND,
    WIN,
    BadArgument,
    BadPlayer,
    Match,
    TooBig,
    certify,
    certify_all,
    legal_moves,
    odds,
)
from perfectplay.__main__ import main
from rings import nightly

GAME = "tic-tac-toe"
LEARNER = """
import os, random, sys, time
LINES = [[(i, j) for j in range(3)] for i in range(3)] + [[(j, i) for j in range(3)] for i in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
def free(board): return [(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark is None]
def won(board, side): return any(all(board[r][c] == side for r, c in line) for line in LINES)
def other(side): return "O" if side == "X" else "X"
seen = {}
def score(board, side):
    key = tuple(map(tuple, board)), side
    if key not in seen: seen[key] = negamax(board, side)
    return seen[key]
def negamax(board, side):
    if won(board, other(side)): return len(free(board)) * -1 - 1
    return max([-after(board, side, move) for move in free(board)], default=0)
def after(board, side, move):
    r, c = move
    return score([[side if (i, j) == (r, c) else board[i][j] for j in range(3)] for i in range(3)], other(side))
def right(board, side): return min(free(board), key=lambda move: after(board, side, move))
def slow(board, side):
    return next(m for m in free(board) if (after(board, side, m) > 0) - (after(board, side, m) < 0)
                == min((after(board, side, n) > 0) - (after(board, side, n) < 0) for n in free(board)))
def once_wrong(board, side):
    corners = board[0][0] == board[2][2] == "X" and board[1][1] == "O"
    return (0, 2) if side == "O" and corners and len(free(board)) == 6 else right(board, side)
def wavers(board, side): return random.choice(free(board)) if len(free(board)) > 7 else right(board, side)
def prints(board, side):
    print("I think", side, flush=True); print("more" * 10**6, file=sys.stderr, flush=True); return free(board)[0]
def crashes(board, side): return free(board)[8]
def illegal(board, side): return 3, 3
def dies(board, side): os._exit(7) if len(free(board)) < 9 else None; return right(board, side)
def sleeps(board, side): time.sleep(100) if len(free(board)) < 9 else None; return right(board, side)
"""
HERE = {}
exec(LEARNER, HERE)
"""The learner's players, in this process."""


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """The name of a learner's player in a file, which plays in a process of its own."""
    (tmp_path / "ai.py").write_text(LEARNER)
    monkeypatch.chdir(tmp_path)
    return lambda name: f"./ai.py:{name}"


@pytest.fixture
def learner(elsewhere, bots_here):
    """The same, but it plays here."""
    return elsewhere


@pytest.fixture(scope="module")
def wrong():
    """The certificate of the player that errs in one position."""
    return certify(GAME, HERE["once_wrong"])


def test_a_right_player_gets_a_certificate():
    found = certify(GAME, HERE["right"])
    assert found.perfect
    assert bool(found)
    assert not found.loses
    assert found.mistakes == ()
    assert found.counterexample is None
    assert [side.worst for side in found.sides] == ["draw", "draw"]
    assert found.varying == 0
    assert all(side.calls == 3 * side.asked for side in found.sides)
    assert found.side("first").against_random.win == Fraction(191, 192)


@pytest.mark.nightly
def test_the_first_move_is_counted_if_the_player_makes_it(learner):
    counted = [certify(GAME, learner("right"), side=side, repeats=1).first_move_calls for side in ("first", "second")]
    assert counted[0] > 0
    assert counted[1] is None


def test_a_player_that_is_wrong_in_one_position_is_refuted(wrong):
    assert not wrong
    assert wrong.loses
    assert wrong.side("first").perfect
    (mistake,) = wrong.mistakes
    assert (mistake.position, mistake.move) == ("O:X../.O./..X", "c1")
    assert (mistake.before, mistake.after) == ("draw", "loss")
    assert mistake.better == ("b1", "a2", "c2", "b3")
    game = wrong.counterexample
    assert game.side == "second"
    assert game.moves == ("a1", "b2", "c3", "c1", "a3", "b1", "a2")
    assert game.values == ("draw", "draw", "draw", "draw", "loss", "loss", "loss", "loss")
    assert Match(GAME).play(*game.moves).result.winner == FIRST


def test_a_player_that_dawdles_is_perfect_and_told_so():
    found = certify(GAME, HERE["slow"], repeats=1)
    assert found.perfect
    assert sum(side.slow_wins for side in found.sides) > 0
    assert any("wins later than it could" in remark for remark in found.remarks)


def test_answers_that_differ_are_all_followed():
    wavers = HERE["wavers"]
    found = certify(GAME, wavers, side="second")
    assert found.varying > 0
    assert all(side.estimated_from for side in found.sides)
    assert found.loses
    with pytest.raises(BadPlayer, match=r"differently from call to call in O:.../.../...: no exact odds"):
        odds(GAME, "random", wavers)
    estimate = odds(GAME, wavers, "random", games=50)
    assert estimate.games == 50
    assert estimate.win + estimate.draw + estimate.loss == pytest.approx(1)
    assert "estimated from 50 games" in str(estimate)


@pytest.mark.nightly
def test_all_answers_of_a_player_by_chance_are_found():
    """A player that plays any move for its first two moves meets what a random player can meet there."""
    found, known = (certify(GAME, player, side="first") for player in (HERE["wavers"], "random"))
    early = {mistake.position for mistake in known.mistakes if mistake.position.count(".") > 7}
    assert early == {mistake.position for mistake in found.mistakes if mistake.position.count(".") > 7}


def test_what_a_player_prints_is_kept_and_does_not_show(elsewhere, capfd):
    found = certify("lines:3,1,3", elsewhere("prints"), repeats=1)
    assert found.perfect
    assert "I think X" in found.printed
    assert "more" in found.printed
    assert len(found.printed) == 2_000
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "word"),
    [("crashes", "IndexError"), ("illegal", "(3, 3)"), ("dies", "exit code 7"), *nightly(("sleeps", "within 0.2"))],
)
def test_a_player_that_fails_is_refuted_by_the_position(elsewhere, name, word):
    seconds, ends = (0.2 if name == "sleeps" else 60.0), name in ("dies", "sleeps")
    found = certify(GAME, elsewhere(name) if ends else HERE[name], side="second", seconds=seconds)
    assert not found.perfect
    assert found.loses
    assert found.faults > 0
    game = found.counterexample
    assert game.result == "loss"
    assert word in game.fault
    assert " in\n  a b c\n" in game.fault
    assert found.stopped == ends


def test_functions_are_certified_like_files():
    def first_free(board, side):
        return next((r, c) for r in range(3) for c in range(3) if board[r][c] is None)

    state = random.getstate()
    found = certify(GAME, first_free, side="second", repeats=1)
    assert random.getstate() == state
    assert found.player == "first_free"
    assert found.loses
    assert found.sides[0].calls == found.asked


@pytest.mark.parametrize(
    ("player", "is_known", "perfect"),
    [
        ("blocks", True, False),
        *nightly((HERE["right"], False, True), ("perfect", True, True), ("minimax", True, True)),
    ],
)
def test_a_certificate_has_the_exact_odds_against_a_random_opponent(player, is_known, perfect):
    found = certify(GAME, player, repeats=1)
    assert (found.known, found.perfect) == (is_known, perfect)
    for side, players in zip(found.sides, ((player, "random"), ("random", player)), strict=True):
        exact = odds(GAME, *players, exact=True)
        mine = (exact.win, exact.draw, exact.loss)[:: 1 if side.side == "first" else -1]
        assert (side.against_random.win, side.against_random.draw, side.against_random.loss) == mine


@pytest.mark.parametrize("name", ["fading:3,2", *nightly("tactic-toe")])
def test_games_with_cycles(name):
    found = certify(name, "perfect", side="first")
    assert found.perfect
    assert found.sides[0].worst == "win"
    refuted = certify(name, "random", side="second")
    assert refuted.sides[0].worst == "loss"
    exact = odds(name, "random", "random")
    assert float(refuted.sides[0].against_random.win) == pytest.approx(exact.loss, abs=1e-12)


@settings(max_examples=40)
@given(drawn_games(), st.randoms(use_true_random=False), st.sampled_from([FIRST, SECOND]))
def test_drawn_games_with_cycles(game, dice, side):
    """Perfect is a player after whose moves nothing worse can come than what each position was worth."""
    if game.outcome(*game.start) != ONGOING:
        return
    entries = solved(game)
    choices = {at: dice.choice(legal_moves(game, at)) for at in entries if game.outcome(*at) == ONGOING}
    found = certify(game, lambda position: choices[position], side=("first", "second")[side], repeats=1)

    def ways(state):
        position, turn = state
        moves = [choices[position]] if turn == side else legal_moves(game, position)
        return [(game.play(*position, move), 1 - turn) for move in moves]

    def value(state):
        return entries[state[0]].value * (1 if state[1] == side else -1)

    start = (game.start, FIRST)
    reached, _ = followed(start, lambda state: ways(state) if state[0] in choices else [])
    ends = {state: value(state) for state in reached if state[0] not in choices}
    assert found.asked == sum(turn == side for _, turn in reached - ends.keys())
    assert found.loses == (LOSS in ends.values())

    def worst(state):
        seen, endless = followed(state, lambda here: [] if here in ends else ways(here))
        return min([ends[here] for here in seen & ends.keys()] + [DRAW] * endless)

    assert found.perfect == all(value(state) <= worst(state) for state in reached)
    assert NAMES[found.sides[0].worst] == worst(start)
    numbers = {state: number for number, state in enumerate(reached)}
    steps = [{} if state in ends else chances([numbers[child] for child in ways(state)]) for state in reached]
    for wanted, chance in ((WIN, found.sides[0].against_random.win), (LOSS, found.sides[0].against_random.loss)):
        expected = solved_exactly(len(numbers), steps, [Fraction(ends.get(state) == wanted) for state in reached])
        assert float(chance) == pytest.approx(float(expected[numbers[start]]), abs=1e-12)
    check_counterexample(found, game, side, choices, value, ends)


NAMES = {"win": WIN, "draw": DRAW, "loss": LOSS}


def followed(state, ways):
    """The states that can be reached from this one, and whether one of them can come again."""
    graph, waiting = {}, [state]
    while waiting:
        here = waiting.pop()
        if here not in graph:
            graph[here] = ways(here)
            waiting += graph[here]
    left = {*graph}
    while ends := {here for here in left if not left & {*graph[here]}}:
        left -= ends
    return {*graph}, bool(left)


def chances(children):
    """Each of the children equally likely."""
    return {child: Fraction(children.count(child), len(children)) for child in children}


def check_counterexample(found, game, side, choices, value, ends):
    """The game is legal, the player plays its own moves, and it ends or repeats worse than what was promised."""
    refuted = found.counterexample
    assert (refuted is None) == found.perfect
    if refuted is None:
        return
    match, states = Match(game), []
    for move, name in zip(refuted.moves, refuted.values, strict=False):
        states.append((match.position, match.turn))
        assert NAMES[name] == value(states[-1])
        if match.turn == side:
            assert match.number_of(move) == choices[match.position]
        match.play(move)
    state = (match.position, match.turn)
    assert NAMES[refuted.result] < max(map(value, [*states, state]))
    if refuted.repeats is None:
        assert ends[state] == NAMES[refuted.result]
    else:
        assert states[refuted.repeats] == state


def test_the_shortest_game_is_the_shortest(wrong):
    """No opponent wins against this player in fewer plies: all games of up to six plies are tried."""

    def lost_within(match, plies):
        if match.result is not None:
            return match.result.winner == FIRST
        if plies == 0:
            return False
        if match.turn == SECOND:
            rows = match.text().split(":")[1].split("/")
            board = [[None if mark == "." else mark for mark in row] for row in rows]
            r, c = HERE["once_wrong"](board, "O")
            return lost_within(match.copy().play(3 * r + c), plies - 1)
        return any(lost_within(match.copy().play(move), plies - 1) for move in match.legal_moves())

    assert not lost_within(Match(GAME), len(wrong.counterexample.moves) - 1)


def test_json(learner, capsys):
    assert main(["certify", GAME, learner("once_wrong"), "--json", "--side", "second", "--repeats", "1"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found == found | {
        "game": GAME,
        "player": "./ai.py:once_wrong",
        "side": "second",
        "perfect": False,
        "loses": True,
        "mistakes": 1,
        "counterexample": ["a1", "b2", "c3", "c1", "a3", "b1", "a2"],
        "worst_as_first": None,
        "worst_as_second": "loss",
    }
    assert found["seconds_per_move"] > 0
    assert main(["certify", GAME, "perfect", "--json", "--side", "first"]) == 0
    assert json.loads(capsys.readouterr().out)["counterexample"] is None


class Page(HTMLParser):
    """What a page refers to, and how many boards it draws."""

    def __init__(self, text):
        super().__init__()
        self.boards, self.outside = 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.boards += tag == "svg" and ("role", "img") in attrs
        self.outside += [value for name, value in attrs if name in ("src", "href") and not value.startswith("#")]


def test_the_game_that_refutes_is_drawn_at_the_terminal_and_on_a_page_of_its_own(learner, tmp_path, capsys):
    assert main(["certify", GAME, learner("once_wrong"), "--repeats", "1", "--to", "one.html"]) == 1
    out = capsys.readouterr().out
    for said in ("is refuted: it loses", "4. O c1 ??", "draw becomes loss", "better: b1 a2 c2 b3"):
        assert said in out
    assert "1 X X O" in out or "1 X . O" in out
    text = (tmp_path / "one.html").read_text()
    page = Page(text)
    assert page.boards == 7 + 1
    assert page.outside == []
    assert "draw becomes loss" in text
    styles = re.findall("<style>.*?</style>", text)
    assert len(styles) == len({*styles})


def test_a_class(learner, tmp_path, capsys):
    (tmp_path / "class").mkdir()
    for name in ("right", "once_wrong", "crashes"):
        (tmp_path / "class" / f"{name}.py").write_text(LEARNER + f"\nai = {name}\n")
    (tmp_path / "class/syntax.py").write_text("def ai(:\n")
    (tmp_path / "class/<b>.py").write_text("import nosuchmodule\n")
    command = ["certify", GAME, "class/*.py:ai", "--side", "second", "--repeats", "1"]
    assert main([*command, "--to", "class.html", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["players"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 4]
    assert [row["player"][6:-6] for row in rows[:3]] == ["right", "once_wrong", "crashes"]
    assert {row["player"][6:-6]: row["unusable"] is not None for row in rows[3:]} == {"<b>": True, "syntax": True}
    assert any("nosuchmodule" in row["unusable"] for row in rows[3:])
    page = (tmp_path / "class.html").read_text()
    assert "&lt;b&gt;.py" in page
    assert "<b>" not in page
    assert Page(page).outside == []
    assert re.findall(r'href="#([\w-]+)"', page) == re.findall(r'<section id="([\w-]+)"><h2>', page)
    assert page.count("<h3>The shortest game that refutes it (O is the player, loss)</h3>") == 2


def test_what_is_printed_stands_on_the_page(elsewhere):
    report = certify_all("lines:3,1,3", [elsewhere("prints"), "perfect"], repeats=1)
    assert "It prints, beginning with 'I think X" in str(report)
    for page in (report.to_html(), report.certificates[0].to_html()):
        assert re.search(r"<h\d>What it prints</h\d><pre>I think X", page)


@pytest.mark.parametrize("jobs", [1, *nightly(2)])
def test_the_table_of_a_class(jobs, capsys):
    assert main(["certify", "nim:1,2", "random", "perfect", "--jobs", str(jobs)]) == 1
    table = capsys.readouterr().out
    assert "2 players, 1 perfect" in table
    assert re.search(r"(?s)\n +1  perfect .*\n +2  random ", table)


def test_a_class_in_python(learner):
    report = certify_all("lines:3,1,3", [HERE["crashes"], "perfect", learner("nobody")])
    assert [found.player for found in report.certificates] == ["perfect", "crashes", "./ai.py:nobody"]
    assert report.ranks == (1, 2, 3)
    assert not report.perfect
    assert "no function 'nobody'" in report.certificates[-1].unusable
    assert re.search(r"3 players, 1 perfect(?s:.*)\n +1  perfect .*is perfect", str(report))
    assert certify_all("lines:3,1,3", ["perfect"])
    with pytest.raises(BadArgument, match="jobs above 1"):
        certify_all(GAME, [lambda position: 0], jobs=2)


@pytest.mark.parametrize(
    ("ask", "kind", "said"),
    [
        (lambda: certify(GAME, "perfect", side="third"), BadArgument, "'first', 'second' or 'both'"),
        (lambda: certify(GAME, "perfect", repeats=0), BadArgument, "repeats"),
        (lambda: certify("connect-four", "random"), TooBig, "certificates need a solved game"),
        (lambda: certify(GAME, "human"), BadPlayer, "human"),
        (lambda: odds(GAME, "random", "random", games=5, exact=True), BadArgument, "exact=True and games"),
    ],
)
def test_bad_input(ask, kind, said):
    with pytest.raises(kind, match=said):
        ask()


def test_bad_input_at_the_terminal(capsys):
    assert "no file matches 'nosuch*.py'" in complaint(capsys, f"certify {GAME} nosuch*.py:ai")
    assert "does not end in .html or .htm" in complaint(capsys, f"certify {GAME} random --to report.pdf")


def test_odds_with_players_that_are_asked(learner, capsys):
    assert odds(GAME, HERE["right"], HERE["right"]).draw == 1
    assert odds(GAME, HERE["right"], HERE["crashes"]).win == 1
    assert odds(GAME, HERE["crashes"], "random", exact=True).loss == 1
    assert "--games 10000 estimates" in complaint(capsys, f"odds {GAME} ./ai.py:wavers random")
    assert main(["odds", GAME, learner("crashes"), "random", "--exact"]) == 0
    assert f"{learner('crashes')} forfeits with probability 1: raised an error" in capsys.readouterr().out
    assert main(["odds", GAME, learner("crashes"), "random", "--games", "3"]) == 0
    assert f"{learner('crashes')} forfeited 3 games, first game 1: raised an error" in capsys.readouterr().out


def test_odds_stop_at_the_first_position_whose_answers_differ():
    asked = []

    def varying(position):
        asked.append(position)
        return len(asked) % 2

    with pytest.raises(BadPlayer, match=r"varying answers differently from call to call in X:.../.../...: "):
        odds(GAME, varying, "random")
    assert asked == [(0, 0)] * 2


def first_free(position):
    return next(move for move in range(9) if not (position[0] | position[1]) >> move & 1)


@pytest.mark.parametrize("exact", [False, True])
def test_odds_tell_forfeits(exact):
    """The side that moves first plays the first free square, but an illegal move once the second has taken square 4."""

    def afraid(position):
        return 9 if position[1] >> 4 & 1 else first_free(position)

    found = odds(GAME, afraid, "random", exact=exact)
    (forfeit,) = found.forfeits
    (played,) = odds(GAME, afraid, "random", games=500, seed=1).forfeits
    assert played.probability == played.games / 500 == pytest.approx(float(forfeit.probability), abs=0.05)
    assert played.reason == "move 9 is not a legal move for X"
    assert (forfeit.player, forfeit.side, forfeit.games) == ("afraid", 0, None)
    assert forfeit.reason == "move 9 is not a legal move for X in X:X../.O./..."
    assert isinstance(forfeit.probability, Fraction if exact else float)
    assert forfeit.probability < found.loss
    assert found.to_dict()["forfeits"] == [forfeit.to_dict()]
    assert str(found).endswith(f"\n{forfeit}")


def test_forfeits_that_never_come_up_are_not_told():
    """It fails where the opponent has not taken the first free square, which this opponent always takes."""

    def wary(position):
        return 9 if position[0] == 1 and position[1] != 2 else first_free(position)

    assert odds(GAME, wary, first_free).forfeits == ()
    assert odds(GAME, wary, "random", exact=True).forfeits[0].probability == Fraction(7, 8)
    assert "forfeits" not in odds(GAME, "random", "random").to_dict()


SCORED = """
VALUES = {}
def scores(board, side): return {(0, i): VALUES[i] for i in range(3) if board[0][i] is None}
def ai(board, side): return max(scores(board, side), key=scores(board, side).get)
"""


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1, 2, 1], "gives symmetric moves the same score in the 2 positions asked"),
        ([0, 2, 1], "gives symmetric moves different scores, first in X:...: a1 0, c1 1"),
    ],
)
def test_symmetric_moves_have_the_same_score(values, said, tmp_path, bots_here, capsys):
    file = tmp_path / "scored.py"
    file.write_text(SCORED.replace("{}", repr(values), 1))
    found = certify("lines:3,1,3", f"{file}:ai", repeats=1)
    assert f"It {said}." in found.remarks
    assert found.to_dict()["symmetric_scores"]["same"] == ("same" in said)
    assert f"\n  {said}\n" in output(capsys, f"compare lines:3,1,3 --with {file}:ai")


def test_a_player_without_scores_is_not_asked_for_them():
    assert certify("lines:3,1,3", "perfect").to_dict()["symmetric_scores"] is None
