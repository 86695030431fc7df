"""Several threads that search one position find the same bounds as one, and stop wherever one would."""

import json
from dataclasses import replace
from random import Random

import pytest

import perfectplay
from command_line import output
from homes import ROOT
from perfectplay import ONGOING, load
from perfectplay.solvers.scores import TOP, score_of
from perfectplay.solvers.search import alphabeta
from perfectplay.solvers.search.alphabeta import Question, Search
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import Searcher
from perfectplay.solvers.steps import finished
from rings import nightly
from turn_games import random_points

FOUR = load("connect-four")
SETS = ROOT / "bench" / "sets"


@pytest.fixture
def eager(monkeypatch):
    """Threads join at once and meet often."""
    monkeypatch.setattr(alphabeta, "HARD", 0)
    monkeypatch.setattr(alphabeta, "ROUND", 1 << 9)


def position_after(moves, game=FOUR):
    """The position after these moves, numbered from 1."""
    position = game.start
    for move in moves:
        position = game.play(*position, int(move) - 1)
    return position


def from_set(name, count):
    """Positions of a set of connect four, with their scores."""
    for line in (SETS / f"{name}.txt").read_text(encoding="ascii").splitlines()[:count]:
        moves, value, distance = line.split()
        yield position_after(moves), {"win": 1, "draw": 0, "loss": -1}[value] * (TOP - int(distance))


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_find_the_same_scores(eager, threads):
    question = Question(Search(FOUR, 14, threads), threads)
    for position, score in from_set("middle-hard", 6):
        assert question.ask(position).answer() == (score, score)
        assert len(question.helpers) == threads - 1


def test_easy_positions_and_turn_games_take_one_thread():
    question, alone = Question(Search(FOUR, 14, 4), 4), Question(Search(FOUR, 14))
    for position, _ in from_set("middle-medium", 3):
        assert question.ask(position).answer() == alone.ask(position).answer()
        assert (question.nodes, question.helpers) == (alone.nodes, [])
    assert Question(Search(random_points(0), 10, 4), 4).threads == 1


def test_threads_divide_the_work(eager):
    position = position_after("1234567123")
    alone = Question(Search(FOUR, 18)).ask(position)
    question = Question(Search(FOUR, 18, 2), 2).ask(position)
    assert question.answer() == alone.answer()
    assert question.nodes < 1.7 * alone.nodes


@pytest.mark.parametrize("hints", [{}, *nightly({"plies_left": None, "key": None, "unkey": None})])
def test_threads_agree_with_the_table_where_slots_are_few(eager, monkeypatch, hints):
    monkeypatch.setattr(alphabeta, "ROUND", 3)
    game = load("drop:4,4,4")
    question = Question(Search(replace(game, **hints), 3, 4), 4)
    for position, entry in Random(5).sample(list(perfectplay.solve(game).entries()), 40):
        if game.outcome(*position) == ONGOING:
            assert question.ask(position).answer() == (score_of(entry), score_of(entry))


def test_any_pause_leads_to_the_same_bounds(eager):
    position, score = next(from_set("middle-medium", 1))
    question = Question(Search(FOUR, 14, 3), 3).ask(position)
    while not question.pursue(100):
        assert question.bounds.low <= score <= question.bounds.high
    assert question.bounds == (score, score)
    assert question.ask(position).at_most(score)
    assert not question.ask(position).at_least(score + 1)


def test_a_node_limit_counts_the_nodes_of_all_threads(eager):
    found = Searcher(FOUR).analyse(position_after("444442351126"), nodes=20_000, threads=2)
    assert not found.exact
    assert 20_000 <= found.nodes < 30_000


def test_a_stopped_search_tells_what_is_proven(eager):
    limits = Limits(threads=2)
    studying = Searcher(FOUR).studying(position_after("44444235"), limits)
    found = finished(studying, lambda step: limits.stop())
    assert found.here.bounds.low <= found.here.bounds.high
    assert not found.exact


def test_what_a_thread_raises_ends_the_search(eager, monkeypatch):
    search = Search(FOUR, 14, 2)
    question = Question(search, 2).ask(position_after("444442351126"))

    def broken(work, *more):
        raise ArithmeticError("in a thread")

    monkeypatch.setattr(search.kernels, "catch_up", broken)
    with pytest.raises(ArithmeticError, match="in a thread"):
        question.answer()


def test_the_option_changes_no_answer(capsys):
    one, two = (json.loads(output(capsys, f"analyse drop:4,4,4 1 1 2 3 --json --threads {n}")) for n in (1, 2))
    assert one | {"nodes": 0} == two | {"nodes": 0}
