"""Several threads that search one position find the same bounds as one, and stop wherever one would."""

import json
from dataclasses import replace
from random import Random

import pytest

import perfectplay
from command_line import output
from homes import ROOT
from perfectplay import ONGOING, load
from perfectplay.solvers import alphabeta, joint_search
from perfectplay.solvers.alphabeta import Limits, Question, Search
from perfectplay.solvers.scores import TOP, score_of
from perfectplay.solvers.searcher import Searcher
from perfectplay.solvers.steps import finished

SETS = ROOT / "bench" / "sets"
SIGNS = {"win": 1, "draw": 0, "loss": -1}


@pytest.fixture
def eager(monkeypatch):
    """Threads join at once and meet often."""
    monkeypatch.setattr(alphabeta, "HARD", 0)
    monkeypatch.setattr(joint_search, "ROUND", 1 << 9)


def position_after(game, moves):
    position = game.start
    for move in moves:
        position = game.play(*position, int(move) - 1)
    return position


def from_set(game, name, count):
    """Positions of a set of connect four, with their scores."""
    for line in (SETS / f"{name}.txt").read_text(encoding="ascii").splitlines()[:count]:
        moves, value, distance = line.split()
        yield position_after(game, moves), SIGNS[value] * (TOP - int(distance))


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_find_the_same_scores(eager, threads):
    game = load("connect-four")
    question = Question(Search(game, 14, threads), threads)
    for position, score in from_set(game, "middle-hard", 12):
        assert question.ask(position).answer() == (score, score)
        assert len(question.helpers) == threads - 1


def test_threads_divide_the_work(eager):
    game = load("connect-four")
    position = position_after(game, "1234567123")
    alone = Question(Search(game, 18)).ask(position)
    question = Question(Search(game, 18, 2), 2).ask(position)
    assert question.answer() == alone.answer()
    assert question.nodes < 1.7 * alone.nodes


@pytest.mark.parametrize("name", ["drop:4,4,4", pytest.param("lines:4,3,4,misere=true", marks=pytest.mark.nightly)])
def test_threads_agree_with_the_table_where_slots_are_few(eager, monkeypatch, name):
    monkeypatch.setattr(joint_search, "ROUND", 3)
    game = load(name)
    for hints in ({}, {"plies_left": None, "key": None, "unkey": None}):
        changed = replace(game, **hints)
        question = Question(Search(changed, 3, 4), 4)
        for position, entry in Random(5).sample(list(perfectplay.solve(game).entries()), 60):
            if game.outcome(*position) == ONGOING:
                assert question.ask(position).answer() == (score_of(entry), score_of(entry))


def test_any_pause_leads_to_the_same_bounds(eager):
    game = load("connect-four")
    position, score = next(from_set(game, "middle-medium", 1))
    question = Question(Search(game, 14, 3), 3).ask(position)
    while not question.pursue(100):
        assert question.bounds.low <= score <= question.bounds.high
    assert question.bounds == (score, score)
    assert question.ask(position).at_most(score)
    assert not question.ask(position).at_least(score + 1)


def test_easy_positions_take_one_thread():
    game = load("connect-four")
    question, alone = Question(Search(game, 14, 4), 4), Question(Search(game, 14))
    for position, _ in from_set(game, "middle-medium", 3):
        assert question.ask(position).answer() == alone.ask(position).answer()
        assert (question.nodes, question.helpers) == (alone.nodes, [])


def test_a_node_limit_counts_the_nodes_of_all_threads(eager):
    searcher = Searcher(load("connect-four"))
    position = position_after(searcher.game, "444442351126")
    found = searcher.analyse(position, nodes=20_000, threads=2)
    assert not found.exact
    assert 20_000 <= found.nodes < 30_000


def test_a_stopped_search_tells_what_is_proven(eager):
    searcher = Searcher(load("connect-four"))
    limits = Limits(threads=2)
    position = position_after(searcher.game, "44444235")
    found = finished(searcher.analysing(position, limits), lambda step: limits.stop())
    assert found.here.bounds.low <= found.here.bounds.high
    assert not found.exact


def test_what_a_thread_raises_ends_the_search(eager, monkeypatch):
    game = load("connect-four")
    search = Search(game, 14, 2)
    question = Question(search, 2).ask(position_after(game, "444442351126"))

    def broken(work, *more):
        raise ArithmeticError("in a thread")

    monkeypatch.setattr(search.kernels, "catch_up", broken)
    with pytest.raises(ArithmeticError, match="in a thread"):
        question.answer()


def test_the_option_changes_no_answer(capsys):
    line = "analyse drop:5,4,4 1 1 2 3 --json"
    answers = [json.loads(output(capsys, f"{line} --threads {threads}")) for threads in (1, 2)]
    for answer in answers:
        del answer["nodes"]
    assert answers[0] == answers[1]


def test_turn_games_are_searched_by_one_thread():
    game = load("kalah:3,2")
    assert Question(Search(game, 10, 4), 4).threads == 1
