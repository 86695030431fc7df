"""Certificates: a player is perfect in every position that it can meet, or a shortest game shows that it is not."""

import json
import random
import re
from fractions import Fraction
from html.parser import HTMLParser
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from perfectplay.front.cli import main

LEARNER = """
import os, random, sys, time
LINES = [[(i, j) for j in range(3)] for i in range(3)] + [[(j, i) for j in range(3)] for i in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
def free(board): return [(r, c) for r in range(3) for c in range(3) if board[r][c] is None]
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
asked = 0
def remembers(board, side):
    global asked
    asked += 1
    return free(board)[asked % len(free(board))]
def prints(board, side): print("I think", side); print("more", file=sys.stderr); return right(board, side)
def floods(board, side): print("x" * 10**6); return right(board, side)
def crashes(board, side): return free(board)[8]
def illegal(board, side): return 3, 3
def dies(board, side): os._exit(7) if len(free(board)) < 9 else None; return right(board, side)
def sleeps(board, side): time.sleep(100) if len(free(board)) < 9 else None; return right(board, side)
"""


SIDES = ("first", "second", "both")


@pytest.fixture
def learner(tmp_path, monkeypatch):
    (tmp_path / "ai.py").write_text(LEARNER)
    monkeypatch.chdir(tmp_path)
    return lambda name: f"./ai.py:{name}"


def test_a_right_player_gets_a_certificate(learner):
    found = certify("tic-tac-toe", learner("right"))
    assert found.perfect
    assert bool(found)
    assert not found.loses
    assert found.mistakes == ()
    assert found.counterexample is None
    assert [side.worst for side in found.sides] == ["draw", "draw"]
    assert found.varying == 0
    assert all(side.calls == 3 * side.asked for side in found.sides)
    for side, names in zip(found.sides, ((learner("right"), "random"), ("random", learner("right"))), strict=True):
        chances = odds("tic-tac-toe", *names, exact=True)
        mine = (chances.win, chances.draw, chances.loss)[:: 1 if side.side == "first" else -1]
        assert (side.against_random.win, side.against_random.draw, side.against_random.loss) == mine


def test_the_first_move_is_counted_if_the_player_makes_it(learner):
    counted = [certify("tic-tac-toe", learner("right"), side=side, repeats=1).first_move_calls for side in SIDES]
    assert counted == [counted[0], None, counted[0]]
    assert counted[0] > 0


def test_a_player_that_is_wrong_in_one_position_is_refuted(learner):
    found = certify("tic-tac-toe", learner("once_wrong"))
    assert not found
    assert found.loses
    assert found.side("first").perfect
    (mistake,) = found.mistakes
    assert (mistake.position, mistake.move) == ("O:X../.O./..X", "c1")
    assert (mistake.before, mistake.after) == ("draw", "loss")
    assert mistake.better == ("b1", "a2", "c2", "b3")
    game = found.counterexample
    assert game.side == "second"
    assert game.moves == ("a1", "b2", "c3", "c1", "a3", "b1", "a2")
    assert game.values == ("draw", "draw", "draw", "draw", "loss", "loss", "loss", "loss")
    assert Match("tic-tac-toe").play(*game.moves).result.winner == FIRST


def test_a_player_that_dawdles_is_perfect_and_told_so(learner, capsys):
    found = certify("tic-tac-toe", learner("slow"), repeats=1)
    assert found.perfect
    assert sum(side.slow_wins for side in found.sides) > 0
    assert main(["certify", "tic-tac-toe", learner("slow"), "--repeats", "1"]) == 0
    assert "wins later than it could" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["wavers", pytest.param("remembers", marks=pytest.mark.nightly)])
def test_answers_that_differ_are_all_followed(learner, name):
    found = certify("tic-tac-toe", learner(name), side="second")
    assert found.varying > 0
    assert all(side.estimated_from for side in found.sides)
    assert found.loses
    with pytest.raises(BadPlayer, match=r"differently from call to call in O:.../.../...: no exact odds"):
        odds("tic-tac-toe", "random", learner(name))
    estimate = odds("tic-tac-toe", learner(name), "random", games=50)
    assert estimate.games == 50
    assert estimate.win + estimate.draw + estimate.loss == pytest.approx(1)
    assert "estimated from 50 games" in str(estimate)


def test_all_answers_of_a_player_by_chance_are_found(learner):
    """A player that plays any move for its first two moves meets what a random player can meet there."""
    found = certify("tic-tac-toe", learner("wavers"), side="first")
    known = certify("tic-tac-toe", "random", side="first")
    early = {mistake.position for mistake in known.mistakes if mistake.position.count(".") > 7}
    assert early == {mistake.position for mistake in found.mistakes if mistake.position.count(".") > 7}


def test_what_a_player_prints_is_kept_and_does_not_show(learner, capfd):
    found = certify("tic-tac-toe", learner("prints"), repeats=1)
    assert found.perfect
    assert "I think X" in found.printed
    assert "more" in found.printed
    assert capfd.readouterr() == ("", "")
    assert len(certify("tic-tac-toe", learner("floods"), side="second").printed) == 2_000


@pytest.mark.parametrize(
    ("name", "word"),
    [("crashes", "IndexError"), ("illegal", "(3, 3)"), ("dies", "exit code 7"), ("sleeps", "within 0.2")],
)
def test_a_player_that_fails_is_refuted_by_the_position(learner, name, word):
    found = certify("tic-tac-toe", learner(name), seconds=0.2 if name == "sleeps" else 60.0)
    assert not found.perfect
    assert found.loses
    assert found.faults > 0
    game = found.counterexample
    assert game.result == "loss"
    assert word in game.fault
    assert " in\n  a b c\n" in game.fault
    assert found.stopped == (name in ("dies", "sleeps"))


def test_functions_are_certified_like_files():
    def first_free(board, side):
        return next((r, c) for r in range(3) for c in range(3) if board[r][c] is None)

    state = random.getstate()
    found = certify("tic-tac-toe", first_free, side="second", repeats=1)
    assert random.getstate() == state
    assert found.player == "first_free"
    assert found.loses
    assert found.sides[0].calls == found.asked


@pytest.mark.parametrize(
    ("name", "perfect"),
    [("perfect", True), pytest.param("minimax", True, marks=pytest.mark.nightly), ("blocks", False)],
)
def test_named_players_are_known(name, perfect):
    found = certify("tic-tac-toe", name)
    assert found.known
    assert found.perfect == perfect
    for side, players in zip(found.sides, ((name, "random"), ("random", name)), strict=True):
        exact = odds("tic-tac-toe", *players, exact=True)
        assert side.against_random.draw == exact.draw
        assert side.against_random.win == (exact.win if side.side == "first" else exact.loss)


@pytest.mark.parametrize("name", ["fading:3,2", pytest.param("tactic-toe", marks=pytest.mark.nightly)])
def test_games_with_cycles(name):
    found = certify(name, "perfect", side="first")
    assert found.perfect
    assert found.sides[0].worst == "win"
    refuted = certify(name, "random", side="second")
    assert refuted.sides[0].worst == "loss"
    exact = odds(name, "random", "random")
    assert float(refuted.sides[0].against_random.win) == pytest.approx(exact.loss, abs=1e-12)


def reference(game, side, choose):
    """The states that can be reached, what each is worth, and the worst that can come of it, computed another way."""
    start = (game.start[0], FIRST)
    places = range(8)

    def outcome(place):
        return game.outcome(place, 0)

    def ways(place, turn, free=False):
        moves = legal_moves(game, (place, 0))
        return [game.play(place, 0, m)[0] for m in (moves if free or turn != side else [choose(place)])]

    def end(place, turn):
        return outcome(place) if turn == side else -outcome(place)

    values = {}
    states = [(place, turn) for place in places for turn in (FIRST, SECOND) if place in reached_places(game)]
    for state in states:
        if outcome(state[0]) != ONGOING:
            values[state] = end(*state)
    while True:
        new = {}
        for place, turn in states:
            if (place, turn) not in values:
                after = [values.get((child, 1 - turn)) for child in ways(place, turn, free=True)]
                wish = WIN if turn == side else LOSS
                if wish in after:
                    new[place, turn] = wish
                elif all(value == -wish for value in after):
                    new[place, turn] = -wish
        if not new:
            break
        values |= new
    reached, waiting = {start}, [start]
    while waiting:
        place, turn = waiting.pop()
        if outcome(place) == ONGOING:
            for child in ways(place, turn):
                if (child, 1 - turn) not in reached:
                    reached.add((child, 1 - turn))
                    waiting.append((child, 1 - turn))
    return reached, {state: values.get(state, DRAW) for state in states}, ways, end


def reached_places(game):
    """The places that can be reached at all."""
    found, waiting = {game.start[0]}, [game.start[0]]
    while waiting:
        place = waiting.pop()
        for move in legal_moves(game, (place, 0)):
            child = game.play(place, 0, move)[0]
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


@settings(max_examples=60)
@given(drawn_games(), st.randoms(use_true_random=False), st.sampled_from([FIRST, SECOND]))
def test_drawn_games_with_cycles(game, dice, side):
    """Perfect is a player after whose moves nothing worse can come than what each position was worth."""
    if game.outcome(*game.start) != ONGOING:
        return
    choices = {
        place: dice.choice(legal_moves(game, (place, 0)))
        for place in range(8)
        if place in reached_places(game) and game.outcome(place, 0) == ONGOING
    }
    name = ("first", "second")[side]
    found = certify(game, lambda position: choices[position[0]], side=name, repeats=1)
    reached, values, ways, end = reference(game, side, choices.get)
    ongoing = [state for state in reached if game.outcome(state[0], 0) == ONGOING]
    assert found.asked == sum(turn == side for _, turn in ongoing)
    ends = {state: end(*state) for state in reached if state not in ongoing}
    assert found.loses == (LOSS in ends.values())

    def worst(state):
        seen, waiting, endless = {state}, [(state, (state,))], False
        while waiting:
            here, path = waiting.pop()
            for child in [] if here in ends else ways(*here):
                after = (child, 1 - here[1])
                endless = endless or after in path
                if after not in path and len(path) < 14:
                    seen.add(after)
                    waiting.append((after, (*path, after)))
        return min([ends[here] for here in seen if here in ends] + [DRAW] * endless)

    assert found.perfect == all(values[state] <= worst(state) for state in reached)
    assert found.sides[0].worst == {LOSS: "loss", DRAW: "draw", WIN: "win"}[worst((game.start[0], FIRST))]
    numbers = {state: number for number, state in enumerate(reached)}
    steps = [
        {} if state in ends else chances([numbers[child, 1 - state[1]] for child in ways(*state)]) for state in reached
    ]
    for value, chance in ((WIN, found.sides[0].against_random.win), (LOSS, found.sides[0].against_random.loss)):
        wanted = [Fraction(ends.get(state) == value) for state in reached]
        expected = solved_exactly(len(numbers), steps, wanted)[numbers[game.start[0], FIRST]]
        assert float(chance) == pytest.approx(float(expected), abs=1e-12)
    check_counterexample(found, game, side, choices, values, ends)


def chances(children):
    """Each of the children equally likely."""
    found = {}
    for child in children:
        found[child] = found.get(child, Fraction(0)) + Fraction(1, len(children))
    return found


def check_counterexample(found, game, side, choices, values, ends):
    """The game is legal, the player plays its own moves, and it ends or repeats worse than what was promised."""
    refuted = found.counterexample
    assert (refuted is None) == found.perfect
    if refuted is None:
        return
    names = {"win": WIN, "draw": DRAW, "loss": LOSS}
    match, promised, states = Match(game), LOSS, []
    for number, move in zip(count(), refuted.moves):
        state = (match.position[0], match.turn)
        states.append(state)
        assert names[refuted.values[number]] == values[state]
        promised = max(promised, values[state])
        if match.turn == side:
            assert match.number_of(move) == choices[match.position[0]]
        match.play(move)
    state = (match.position[0], match.turn)
    promised = max(promised, values[state])
    assert names[refuted.result] < promised
    if refuted.repeats is None:
        assert ends[state] == names[refuted.result]
    else:
        assert states[refuted.repeats] == state


def test_the_shortest_game_is_the_shortest(learner):
    """No opponent wins against this player in fewer plies: all games of up to six plies are tried."""
    refuted = certify("tic-tac-toe", learner("once_wrong"), side="second").counterexample
    scope = {}
    exec(LEARNER, scope)

    def lost_within(match, plies):
        if match.result is not None:
            return match.result.winner == FIRST
        if plies == 0:
            return False
        if match.turn == SECOND:
            rows = match.text().split(":")[1].split("/")
            board = [[None if mark == "." else mark for mark in row] for row in rows]
            r, c = scope["once_wrong"](board, "O")
            return lost_within(match.copy().play(3 * r + c), plies - 1)
        return any(lost_within(match.copy().play(move), plies - 1) for move in match.legal_moves())

    assert not lost_within(Match("tic-tac-toe"), len(refuted.moves) - 1)


def test_json(learner, capsys):
    assert main(["certify", "tic-tac-toe", learner("once_wrong"), "--json", "--side", "second"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found | {"seconds_per_move": 0} == found | {
        "game": "tic-tac-toe",
        "player": "./ai.py:once_wrong",
        "side": "second",
        "perfect": False,
        "loses": True,
        "mistakes": 1,
        "counterexample": ["a1", "b2", "c3", "c1", "a3", "b1", "a2"],
        "worst_as_first": None,
        "worst_as_second": "loss",
        "seconds_per_move": 0,
    }
    assert found["seconds_per_move"] > 0
    assert found == json.loads(json.dumps(certify("tic-tac-toe", learner("once_wrong"), side="second").to_dict())) | {
        "seconds_per_move": found["seconds_per_move"]
    }
    assert main(["certify", "tic-tac-toe", learner("right"), "--json", "--side", "first"]) == 0
    assert json.loads(capsys.readouterr().out)["counterexample"] is None


def test_the_terminal_draws_the_game_that_refutes(learner, capsys):
    assert main(["certify", "tic-tac-toe", learner("once_wrong")]) == 1
    out = capsys.readouterr().out
    assert "is refuted: it loses" in out
    assert "4. O c1 ??" in out
    assert "draw becomes loss" in out
    assert "better: b1 a2 c2 b3" in out
    assert "1 X X O" in out or "1 X . O" in out


class Page(HTMLParser):
    """What a page refers to, and how many boards it draws."""

    def __init__(self, text):
        super().__init__()
        self.boards, self.outside = 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.boards += tag == "svg"
        self.outside += [value for name, value in attrs if name in ("src", "href") and not value.startswith("#")]


def test_the_report_is_a_page_of_its_own(learner, tmp_path, capsys):
    assert main(["certify", "tic-tac-toe", learner("once_wrong"), "--report", "one.html"]) == 1
    page = Page((tmp_path / "one.html").read_text())
    assert page.boards == 7 + 1
    assert page.outside == []
    assert "draw becomes loss" in (tmp_path / "one.html").read_text()


def test_a_class(learner, tmp_path, capsys):
    submissions = tmp_path / "class"
    submissions.mkdir()
    for name in ("right", "once_wrong", "crashes", "prints"):
        (submissions / f"{name}.py").write_text(LEARNER + f"\nai = {name}\n")
    (submissions / "syntax.py").write_text("def ai(:\n")
    (submissions / "nameless.py").write_text("def other(board, side): return 0, 0\n")
    (submissions / "<b>.py").write_text("import nosuchmodule\n")
    assert main(["certify", "tic-tac-toe", "class/*.py:ai", "--report", "class.html", "--json", "--repeats", "1"]) == 1
    rows = json.loads(capsys.readouterr().out)["players"]
    assert [row["rank"] for row in rows] == [1, 1, 3, 4, 5, 5, 5]
    assert [row["player"][6:-6] for row in rows[:4]] == ["prints", "right", "once_wrong", "crashes"]
    assert rows[0]["printed"].startswith("I think")
    assert {row["player"][6:-6]: row["unusable"] is not None for row in rows[4:]} == dict.fromkeys(
        ("<b>", "nameless", "syntax"), True
    )
    assert any("nosuchmodule" in row["unusable"] for row in rows[4:])
    page = (tmp_path / "class.html").read_text()
    assert "&lt;b&gt;.py" in page
    assert "<b>" not in page
    assert Page(page).outside == []
    assert main(["certify", "tic-tac-toe", "class/*.py:ai", "--repeats", "1", "--jobs", "2"]) == 1
    table = capsys.readouterr().out
    assert "7 players, 2 perfect" in table
    assert re.search(r"3  class/once_wrong.py:ai +1 ", table)


def test_a_class_in_python(learner):
    report = certify_all("tic-tac-toe", [learner("crashes"), "perfect", "random", learner("nobody")], side="second")
    assert [found.player for found in report.certificates] == [
        "perfect",
        "random",
        "./ai.py:crashes",
        "./ai.py:nobody",
    ]
    assert report.ranks == (1, 2, 3, 4)
    assert not report.perfect
    assert "no function 'nobody'" in report.certificates[-1].unusable
    assert str(report).startswith("1. perfect is perfect")
    assert certify_all("tic-tac-toe", ["perfect"])
    with pytest.raises(BadArgument, match="jobs above 1"):
        certify_all("tic-tac-toe", [lambda position: 0], jobs=2)


def test_bad_input(learner, capsys):
    with pytest.raises(BadArgument, match="'first', 'second' or 'both'"):
        certify("tic-tac-toe", "perfect", side="third")
    with pytest.raises(BadArgument, match="repeats"):
        certify("tic-tac-toe", "perfect", repeats=0)
    with pytest.raises(TooBig, match="certificates need a solved game"):
        certify("connect-four", "random")
    with pytest.raises(BadPlayer, match="human"):
        certify("tic-tac-toe", "human")
    with pytest.raises(BadArgument, match="exact=True and games"):
        odds("tic-tac-toe", "random", "random", games=5, exact=True)
    assert "no file matches 'nosuch*.py'" in complaint(capsys, "certify tic-tac-toe nosuch*.py:ai")
    assert "does not end in .html or .htm" in complaint(capsys, "certify tic-tac-toe random --report report.pdf")


def test_odds_with_bots_on_both_sides(learner, capsys):
    assert odds("tic-tac-toe", learner("right"), learner("right")).draw == 1
    assert odds("tic-tac-toe", learner("right"), learner("crashes")).win == 1
    assert odds("tic-tac-toe", learner("crashes"), "random", exact=True).loss == 1
    assert main(["odds", "tic-tac-toe", learner("wavers"), "random", "--games", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 20
    assert "--games 10000 estimates" in complaint(capsys, "odds tic-tac-toe ./ai.py:wavers random")


def test_odds_stop_at_the_first_position_whose_answers_differ():
    asked = []

    def varying(position):
        asked.append(position)
        return len(asked) % 2

    with pytest.raises(BadPlayer, match=r"varying answers differently from call to call in X:.../.../...: "):
        odds("tic-tac-toe", varying, "random")
    assert asked == [(0, 0)] * 2


@pytest.mark.parametrize("exact", [False, True])
def test_odds_tell_forfeits(exact):
    """The side that moves first plays the first free square, but an illegal move once the second has taken square 4."""

    def afraid(position):
        mine, theirs = position
        return 9 if theirs >> 4 & 1 else next(move for move in range(9) if not (mine | theirs) >> move & 1)

    found = odds("tic-tac-toe", afraid, "random", exact=exact)
    (forfeit,) = found.forfeits
    played = [odds("tic-tac-toe", afraid, "random", games=500, seed=seed).forfeits[0] for seed in range(4)]
    assert abs(sum(part.games for part in played) / 2000 - forfeit.probability) < 0.05
    assert all(part.probability == part.games / 500 for part in played)
    assert (forfeit.player, forfeit.side, forfeit.games) == ("afraid", 0, None)
    assert forfeit.reason == "move 9 is not a legal move for X in X:X../.O./..."
    assert isinstance(forfeit.probability, Fraction if exact else float)
    assert forfeit.probability < found.loss
    assert found.to_dict()["forfeits"] == [forfeit.to_dict()]
    assert str(found).endswith(f"\n{forfeit}")
    assert played[0].reason == "move 9 is not a legal move for X"
    assert "forfeits" not in odds("tic-tac-toe", "random", "random").to_dict()


def test_forfeits_that_never_come_up_are_not_told():
    """It fails where the opponent has not taken the first free square, which this opponent always takes."""

    def wary(position):
        mine, theirs = position
        return 9 if mine == 1 and theirs != 2 else next(move for move in range(9) if not (mine | theirs) >> move & 1)

    def first(position):
        return next(move for move in range(9) if not (position[0] | position[1]) >> move & 1)

    assert odds("tic-tac-toe", wary, first).forfeits == ()
    assert odds("tic-tac-toe", wary, "random", exact=True).forfeits[0].probability == Fraction(7, 8)


def test_odds_of_bots_that_fail_say_so(learner, capsys):
    assert main(["odds", "tic-tac-toe", learner("crashes"), learner("crashes"), "--exact"]) == 0
    assert f"second {learner('crashes')} forfeits with probability 1: raised an error" in capsys.readouterr().out
    assert main(["odds", "tic-tac-toe", learner("crashes"), "random", "--games", "3"]) == 0
    assert f"{learner('crashes')} forfeited 3 games, first game 1: raised an error" in capsys.readouterr().out


SCORED = """
VALUES = {}

def scores(board, side):
    return {(0, i): VALUES[i] for i in range(3) if board[0][i] is None}

def ai(board, side):
    return max(scores(board, side), key=scores(board, side).get)
"""


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1, 2, 1], "gives symmetric moves the same score in the 2 positions asked"),
        ([0, 2, 1], "gives symmetric moves different scores, first in X:...: a1 0, c1 1"),
    ],
)
def test_symmetric_moves_have_the_same_score(values, said, tmp_path, capsys):
    file = tmp_path / "scored.py"
    file.write_text(SCORED.replace("{}", repr(values), 1))
    found = certify("lines:3,1,3", f"{file}:ai", repeats=1)
    assert f"It {said}." in found.remarks
    assert found.to_dict()["symmetric_scores"]["same"] == ("same" in said)
    assert f"\n  {said}\n" in output(capsys, f"compare lines:3,1,3 --with {file}:ai")


def test_a_player_without_scores_is_not_asked_for_them():
    assert certify("lines:3,1,3", "perfect").to_dict()["symmetric_scores"] is None
