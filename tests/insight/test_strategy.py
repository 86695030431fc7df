"""Strategies in words: every list is proven again by other means, and lists said to fail do fail."""

import json
import re
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import perfectplay
from command_line import complaint, output
from graph_games import drawn_games
from homes import ROOT
from perfectplay import DRAW, FIRST, LOSS, ONGOING, SECOND, WIN, BadArgument, Match, TooBig
from perfectplay.bits import bit_numbers
from perfectplay.game import after
from perfectplay.insight.strategies.kept_result import Goal, Rule, graphing, own_moves
from perfectplay.insight.strategies.rule_search import Refuter, states_of
from perfectplay.insight.strategies.square_rules import Board
from perfectplay.insight.strategies.strategy_finding import distinct, lost_play, probability_of_error, vocabulary
from perfectplay.solvers.steps import finished
from plain_strategies import Seat, keeps, left_by
from rings import nightly
from turn_games import random_game, random_points

VALUES = {"win": WIN, "draw": DRAW, "loss": LOSS}
SIDES = {"first": FIRST, "second": SECOND}


strategy = cache(perfectplay.strategy)
"""The strategy of a game, found once for all tests."""


def goal_of(game, side):
    """The graph of a game for one side."""
    return Goal(game, finished(graphing(game)), side)


@pytest.mark.parametrize(
    ("name", "side", "rules"),
    [
        ("hexapawn", "second", "stop"),
        ("nim", "first", "balance-columns"),
        ("nim:1,3,5,7", "second", "balance-columns"),
        *nightly(
            ("tic-tac-toe", "first", "play:centre no-fork"),
            ("tic-tac-toe", "second", "play:centre open:corner no-fork"),
            ("drop:4,4,4", "first", "few-dangers play:1,4 outer"),
            ("tactic-toe", "first", "open:edge few-escapes not:edge near-other play:corner"),
        ),
    ],
)
def test_the_list_keeps_the_result_by_the_rules_alone(name, side, rules):
    found = strategy(name, None if side == "first" or name == "hexapawn" else side)
    rules, value, failing = rules.split(), found.entry.value, found.failing
    assert (found.side, [rule.rule for rule in found.rules], found.proven, found.shortest) == (side, rules, True, True)
    game = perfectplay.load(name)
    assert keeps(game, SIDES[side], value, lambda seat: left_by(rules, seat))
    assert keeps(game, SIDES[side], value, lambda seat: left_by(["win", *rules], seat)) or not found.win_first
    assert len(failing.rules) == len(rules) - 1
    if failing.repeats is None:
        check_refutation(game, side, failing, value)


def check_refutation(game, side, failing, value):
    """Every move of our side in the game is allowed, and the last gives the result away, by an analysis."""
    match = Match(game)
    for number, move in enumerate(failing.moves):
        if match.turn == SIDES[side]:
            seat = Seat(game, match.position, match.turn)
            assert move in [seat.name(one) for one in left_by([rule.rule for rule in failing.rules], seat)]
        if number + 1 == len(failing.moves):
            assert (match.text(), match.turn) == (failing.position, SIDES[side])
        match = match.play(move)
    entry = perfectplay.solve(game).lookup(match.position)
    assert (entry.value if match.turn == SIDES[side] else -entry.value) == VALUES[failing.after] < value


@pytest.mark.parametrize("rules", [["no-fork"], ["open:corner", "play:centre"]])
def test_wrong_lists_are_refuted(rules):
    game = perfectplay.load("tic-tac-toe")
    goal = goal_of(game, SECOND)
    moves = own_moves(goal)
    known = {rule.name: rule for rule in vocabulary(moves, Board(goal))}
    reach = goal.reach(moves.choice([known[rule] for rule in rules]))
    assert not reach.proven
    assert reach.given_away.any()
    assert not keeps(game, SECOND, DRAW, lambda seat: left_by(rules, seat))
    play = lost_play(reach)
    assert not goal.good[play.edges[-1]]
    assert 0 < probability_of_error(goal, reach.choice) <= 1


def test_all_shorter_lists_fail():
    goal = goal_of(perfectplay.load("tic-tac-toe"), FIRST)
    moves = own_moves(goal)
    rules = vocabulary(moves, Board(goal))
    lists = [(), *((rule,) for rule in rules)]
    assert len(lists) == strategy("tic-tac-toe").refuted
    assert not any(goal.reach(moves.choice(one)).proven for one in lists)


def test_probability_of_error_is_that_of_all_games():
    game = perfectplay.load("tic-tac-toe")
    goal = goal_of(game, FIRST)

    @cache
    def error(position, side):
        if game.outcome(*position) != ONGOING:
            return 0
        parts = []
        for move in bit_numbers(game.moves(*position)):
            wrong = side == FIRST and not goal.good[edge_of(goal, position, move)]
            parts.append(1 if wrong else error(*after(game, position, side, move)))
        return sum(parts) / len(parts)

    assert probability_of_error(goal, own_moves(goal).choice([])) == pytest.approx(error(game.start, FIRST))


def test_ranks_tell_the_scores_of_each_position_from_the_greatest():
    moves, rng = own_moves(goal_of(perfectplay.load("nim"), FIRST)), Random(1)
    scores = np.array([rng.randrange(-2, 3) for _ in moves.edges])
    ranks = moves.ranks(scores)
    for here in np.split(np.arange(scores.size), moves.firsts[1:]):
        descending = sorted({*scores[here]}, reverse=True)
        assert [descending[rank] for rank in ranks[here]] == [*scores[here]]


def moves_allowed(goal, edges):
    """Of a seat the moves that are among these edges."""
    return lambda seat: [move for move in seat.moves if edges[edge_of(goal, seat.position, move)]]


def some_rules(moves, rng, count=6):
    """Rules that like moves at random."""
    return distinct(
        moves, [Rule(f"rule{i}", "", 1, np.array([rng.randrange(3) for _ in moves.edges])) for i in range(count)]
    )


def check_states(game, seed):
    """Lists of random rules keep the result among states just if they do in the game itself."""
    rng = Random(seed)
    for side in (FIRST, SECOND):
        goal = goal_of(game, side)
        if goal.value == LOSS or not goal.graph.going[goal.start]:
            continue
        moves = own_moves(goal)
        rules = some_rules(moves, rng)
        if not moves.edges.size:
            assert goal.reach(moves.choice(())).proven
            continue
        refuter = Refuter(states_of(moves, rules))
        for _ in range(10):
            chosen = tuple(rng.sample(range(len(rules)), rng.randint(0, len(rules))))
            reach = goal.reach(moves.choice([rules[rule] for rule in chosen]))
            assert refuter.fails(chosen) != reach.proven
            assert (lost_play(reach) is None) == reach.proven
            allowed = moves_allowed(goal, reach.choice)
            assert keeps(game, side, goal.value, allowed) == reach.proven


@settings(max_examples=20)
@given(drawn_games(most=9), st.integers(0, 1000))
def test_states_stand_for_games_with_cycles(game, seed):
    check_states(game, seed)


@settings(max_examples=10)
@given(st.integers(0, 200), st.integers(0, 1000))
def test_states_stand_for_games_with_extra_turns(seed, more):
    check_states(random_game(seed), more)
    check_states(random_points(seed), more)


@settings(max_examples=5)
@given(st.integers(0, 200))
def test_strategies_of_games_with_extra_turns(seed):
    for game in (random_game(seed), random_points(seed)):
        try:
            found = perfectplay.strategy(game, seconds=0.2)
        except BadArgument:
            assert game.outcome(*game.start) != ONGOING or perfectplay.analyse(game).value == LOSS
            continue
        assert found.proven or found.given_away or found.failing.repeats is not None
        assert str(found)
        assert json.dumps(found.to_dict())


def test_a_win_must_be_reached():
    """A list that always keeps a win may put it off for ever; the follower finds that, too."""
    game = perfectplay.load("tactic-toe")
    goal = goal_of(game, FIRST)
    moves = own_moves(goal)
    keeping = Rule("keeping", "Keep the win.", 1, moves.good)
    reach = goal.reach(moves.choice([keeping]))
    assert not reach.given_away.any()
    assert not reach.proven
    assert lost_play(reach).repeats is not None
    assert not keeps(game, FIRST, WIN, moves_allowed(goal, goal.good))
    assert Refuter(states_of(moves, distinct(moves, [keeping]))).fails((0,))


def edge_of(goal, position, move):
    """The number of an edge."""
    legal = bit_numbers(goal.game.moves(*position))
    return int(goal.graph.firsts[goal.graph.number(position)]) + legal.index(move)


def test_where_no_list_is_found_the_nearest_one_is_shown():
    found = perfectplay.strategy("chomp:4,5")
    assert not found.proven
    assert found.exhausted
    assert 0 < found.given_away <= found.positions
    facts = found.to_dict()
    assert facts["errors"]["positions"] == found.given_away
    assert 0 < facts["errors"]["probability"] < 1
    assert "No list of the" in str(found)
    assert "It errs in" in str(found)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        *nightly(("lines:3,3,3,misere=true", ["play:centre", "opposite-point"]), ("cram:4,4", ["alike-point"])),
        ("kayles", ["win", "alike-point"]),
        ("nim:4,4", ["balance-columns"]),
        ("konane:4,4", ["mirror-left"]),
    ],
)
def test_known_strategies_come_out(name, rules):
    """Mirroring through the centre, symmetric play and Bouton's sums were known before; all come from the rules."""
    found = perfectplay.strategy(name)
    assert [rule.rule for rule in found.rules] == rules


def test_the_side_that_has_something_to_keep(capsys):
    said = complaint(capsys, "strategy hexapawn --side first")
    assert "White has nothing to keep in hexapawn: Black wins with best play; ask for --side second" in said


def test_json_and_text(capsys):
    facts = json.loads(output(capsys, "strategy tic-tac-toe --json"))
    assert facts["game"] == "tic-tac-toe"
    assert (facts["side"], facts["value"], facts["distance"], facts["length"]) == ("first", "draw", 9, 2)
    assert (facts["proven"], facts["shortest"], facts["given_away"], facts["errors"]) == (True, True, 0, None)
    assert facts["rules"][0] == {"rule": "play:centre", "text": "Play in the centre."}
    assert facts["shorter"].keys() >= {"rules", "moves", "position"}
    found = strategy("tic-tac-toe")
    assert facts == found.to_dict()
    for words in ("X, who moves first, holds the draw with 2 rules", "  1. Play in the centre.", "Shortest: all "):
        assert words in str(found)
    assert "fails:" in str(found)


def test_page(capsys, tmp_path):
    path = tmp_path / "strategy.html"
    assert f"{path}: hexapawn: Black" in output(capsys, f"strategy hexapawn --to {path}")
    page = path.read_text(encoding="utf-8")
    assert "Leave the other side no move that wins at once." in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_bad_input_gets_one_line(capsys):
    assert "'page.pdf' does not end in .html" in complaint(capsys, "strategy tic-tac-toe --to page.pdf")
    assert "gomoku has more than 1,000,000 positions" in complaint(capsys, "strategy gomoku")
    with pytest.raises(BadArgument, match="neither 'first' nor 'second'"):
        perfectplay.strategy("tic-tac-toe", "X")
    with pytest.raises(BadArgument, match="seconds=0"):
        perfectplay.strategy("tic-tac-toe", seconds=0)
    with pytest.raises(TooBig, match="smaller size"):
        perfectplay.strategy("connect-four")


def vocabulary_of(name, side):
    """The rules of a game, far ones too, and the number of its states under the near ones."""
    goal = goal_of(perfectplay.load(name), side)
    moves, board = own_moves(goal), Board(goal)
    return vocabulary(moves, board, deeper=True), len(states_of(moves, vocabulary(moves, board)).counts)


PAGE = ROOT / "docs/explanation/strategies.md"


@pytest.mark.nightly
def test_the_page_lists_every_rule():
    listed = re.findall(r"`([a-z0-9:-]+)`", PAGE.read_text(encoding="utf-8"))
    games = ("tic-tac-toe", SECOND), ("hexapawn", SECOND), ("nim", FIRST), ("dodgem", FIRST), ("cram:3,3", SECOND)
    for name, side in games:
        for rule in vocabulary_of(name, side)[0]:
            kind = re.sub(r"(?<=[:])[^:]*$|(?<=^multiple-)3|(?<=^multiple-)4", "", rule.name)
            kind = re.sub(r"^(mirror|alike|opposite|double)-.*", r"\1-", kind)
            assert kind in listed or kind == "multiple-", rule.name


@pytest.mark.nightly
def test_the_numbers_of_states_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"Tic-tac-toe has some (\d+) states, tactic-toe (\d+)", text)
    for name, said in zip(("tic-tac-toe", "tactic-toe"), found.groups(), strict=True):
        assert vocabulary_of(name, FIRST)[1] == pytest.approx(int(said), rel=0.05)
