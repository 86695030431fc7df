"""The measures of a sweep: by hand, by plain Python, and by asking the rest of the package one question at a time."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings

import perfectplay
from graph_games import drawn_games, graph_game
from perfectplay import DRAW, LOSS, WIN, load
from perfectplay.insight.play_measures import depth, worsening
from perfectplay.insight.scene import OBVIOUS, traps
from perfectplay.insight.sweeps.finding import VariantLimits, finding
from perfectplay.insight.sweeps.measures import MEASURES
from perfectplay.players.models import level_games
from perfectplay.players.models.game_graph import compiled_graph, graph_for, plain_graph
from perfectplay.players.models.level_games import SKILLS, LevelGames
from perfectplay.players.models.level_policies import ladder
from perfectplay.players.models.levels import USUAL
from perfectplay.players.models.policies import scores_within
from perfectplay.solvers.memory.interpreted import Reached
from perfectplay.solvers.oracle import oracle_for
from perfectplay.solvers.steps import finished
from plain_measures import Played
from rings import nightly
from turn_games import random_game, random_points

MEMORY = 1 << 30


def whole_graph(game):
    """All positions, none for another."""
    reached = Reached(game)
    while reached.next_ply():
        pass
    return plain_graph(game, reached)


def measured(game, measures=MEASURES):
    """The measures of a game, as its row has them."""
    facts = finished(finding(game, measures, VariantLimits(600.0)))
    assert (facts.how, facts.why) == ("solved", None)
    return facts.measures


def play_measures(games):
    """The measures that need no solve, from the games of players of known strength."""
    return {column: cell for one in MEASURES if one.function for column, cell in finished(one.computing(games)).items()}


def close(expected):
    """Equal but for the errors of decimals; None is None."""
    numbers = [float(number) for number in expected] if isinstance(expected, list) else expected
    return None if numbers is None else pytest.approx(numbers, rel=1e-9, abs=1e-9)


def assert_same(found, expected):
    """Every column of the second is in the first, with the same numbers."""
    assert found.keys() >= expected.keys()
    for column, number in expected.items():
        assert found[column] == close(number), column


# By hand.


def test_two_in_a_row_on_four_squares_is_won_in_three_whatever_anybody_plays():
    third, positions = 2 / 3, 1 + 4 + 12 + 12
    expected = {
        "fairness": 1,
        "fairness_random": 1,
        "fairness_levels": [1] * 10,
        "decisiveness": 1,
        "decisiveness_random": 1,
        "decisiveness_levels": [1] * 10,
        "depth": 0,
        "drama": 0,
        "drama_levels": [0] * 9,
        "length": 3,
        "length_spread": 0,
        "length_random": 3,
        "length_random_spread": 0,
        "sharpness": 1,
        "traps": 0,
        "branching": 3,  # 4, then 3, then 2
        "branching_spread": math.sqrt(third),
        "branching_random": 3,
        "branching_random_spread": math.sqrt(third),
        "first_moves": 4,
        "first_moves_legal": 4,
        "classes": 6,  # empty; one stone; two, side by side or not; and so the first player's pair among three
        "longest": 3,
    }
    facts = finished(finding(load("lines:2,2,2"), MEASURES, VariantLimits(600.0)))
    assert (facts.value, facts.distance, facts.positions) == ("win", 3, positions)
    assert facts.measures.keys() == expected.keys()
    assert_same(facts.measures, expected)


SWINGING = graph_game([[1, 2], [0, 2], []], {2: WIN})
"""Whoever goes to place 2 loses; the others lead to each other."""
STAYING = graph_game([[0, 1], []], {1: WIN})
"""The same with one place that leads to itself."""

ON_THE_LINE = graph_game([[1, 4, 5], [1, 3, 0], [4], [5, 1, 0], [], []], {4: DRAW, 5: LOSS})
"""The perfect player scores 55% against the one with 20% of random moves: just enough to count in the depth."""


@pytest.mark.parametrize(("back", "places"), [(1, 4), (8, 3)])
def test_the_depth_of_a_game_that_takes_many_mistakes_in_a_row_to_end(back, places):
    # From each place `back` moves lead to the start and one leads on; whoever makes the last move on has lost. Random
    # players take hundreds of plies to get there, while what happens near the end is soon known.
    ways = [*([*[0] * back, place + 1] for place in range(places)), []]
    game = graph_game(ways, {places: WIN})
    assert finished(depth(LevelGames(whole_graph(game), MEMORY))) == {"depth": Played(game, float).depth()}


def test_a_trap_is_a_loss_that_two_plies_do_not_show():
    # To 5, a draw at once, or to 1, from where the only way is a loss in four plies.
    expected = {"sharpness": 0.5, "traps": 0.5, "length": 1, "length_spread": 0, "fairness_random": 0.25}
    expected |= {"decisiveness_random": 0.5, "length_random": 2.5, "length_random_spread": 1.5, "longest": 3}
    found = measured(graph_game([[1, 5], [2], [3], [4], [], []], {4: LOSS, 5: DRAW}))
    assert_same(found, expected)
    assert found["drama_levels"][0] == 0.5
    # To 4 instead, a loss in two: everybody who sees two plies sees it, and nothing else is asked of them.
    found = measured(graph_game([[1, 3], [2], [], []], {2: LOSS, 3: DRAW}))
    assert_same(found, {"sharpness": 0.5, "traps": 0, "length": 1})


def test_a_game_that_is_over_at_the_start_has_no_positions_to_choose_in():
    found = measured(graph_game([[]], {0: LOSS}))
    assert_same(found, {"length": 0, "length_spread": 0, "fairness": 0, "decisiveness": 1, "depth": 0, "drama": 0})
    assert_same(found, {"branching": None, "sharpness": None, "traps": None, "first_moves": 0, "first_moves_legal": 0})


def test_two_random_players_at_tic_tac_toe():
    # The first player wins 737 and draws 160 of 1260 games.
    found = measured(load("tic-tac-toe"), [one for one in MEASURES if one.name not in ("depth", "drama", "traps")])
    assert found["fairness_random"] == close((737 + 160 / 2) / 1260)
    assert found["decisiveness_random"] == close(1 - 160 / 1260)
    assert (found["first_moves"], found["first_moves_legal"], found["classes"], found["longest"]) == (9, 9, 765, 9)
    assert (found["length"], found["decisiveness_levels"][-1], found["fairness_levels"][-1]) == (9, 0, 0.5)


# By plain Python.


EXACT = ("lines:2,3,2", "dots:1,1", "nim:2,3", "kalah:2,2", "chomp:2,3", *nightly("dodgem:2", "hexapawn"))


@pytest.mark.parametrize("name", EXACT)
def test_as_plain_fractions_say(name):
    game = load(name)
    assert_same(measured(game), Played(game).measures(ladder(graph_for(game))))


PLAIN = [
    *("dots:1,2", "fading:2,1", "ponghauki", "popout:2,2,2"),
    *nightly("lines:3,2,3,misere=true", "isolation:2,3", "oware:1,2"),
    *nightly("tic-tac-toe", "misere", "drop:4,3,3", "kalah:3,2", "popout:3,2,2", "mutorere", "oware:2,2"),
]


@pytest.mark.parametrize("name", PLAIN)
def test_as_plain_decimals_say(name):
    game = load(name)
    assert_same(measured(game), Played(game, float).measures(ladder(graph_for(game))))


@pytest.mark.parametrize("make", [random_game, random_points])
@pytest.mark.parametrize("seed", range(3))
def test_on_random_graphs_with_extra_turns(make, seed):
    game = make(seed)
    assert_same(measured(game), Played(game, float).measures(ladder(graph_for(game))))


@settings(max_examples=25)
@example(SWINGING)
@example(STAYING)
@example(ON_THE_LINE)
@given(drawn_games())
def test_on_drawn_games_with_many_cycles(game):
    assert_same(measured(game), Played(game, float).measures(ladder(graph_for(game))))


# As the rest of the package says, asked one by one.


def score(game, a, b):
    """What a player scores against another, as first and second in turn."""
    first, second = perfectplay.odds(game, a, b), perfectplay.odds(game, b, a)
    return (first.win + first.draw / 2 + second.loss + second.draw / 2) / 2


@pytest.mark.parametrize("name", ["lines:2,3,3", "dots:1,2", *nightly("kalah:2,2", "fading:3,2")])
def test_a_row_says_what_a_solve_and_odds_say(name, in_process):
    (row,) = perfectplay.sweep(name, measures=["all"], seconds=600.0, jobs=1)
    told, game = perfectplay.summarise(name), load(name)
    start = told.to_dict()
    for column in ("value", "distance", "positions", "classes"):
        assert row[column] == start[column]
    assert row["longest"] == (None if told.margin is not None else told.longest)
    assert row.get("margin") == told.margin
    odds = [perfectplay.odds(game, f"level:{number}", f"level:{number}") for number in range(1, 11)]
    assert row["fairness_levels"] == close([one.win + one.draw / 2 for one in odds])
    assert row["decisiveness_levels"] == close([one.win + one.loss for one in odds])
    counted, last = 0, "noisy:1"
    for step in range(19, -1, -1):
        player = f"noisy:{step / 20}" if step else "perfect"
        if score(game, player, last) >= 0.55 - 1e-9:
            counted, last = counted + 1, player
    assert row["depth"] == counted


# What cannot matter.


@pytest.mark.parametrize(
    ("name", "turned"),
    [
        ("lines:2,3,2", "lines:3,2,2"),
        ("lines:2,4,2,misere=true", "lines:4,2,2,misere=true"),
        ("dots:1,2", "dots:2,1"),  # many players score the same here, but for the errors of floats
        ("nim:1,2,3", "nim:3,1,2"),
    ],
)
def test_a_board_that_is_turned_has_the_same_measures(name, turned):
    assert_same(measured(load(name)), measured(load(turned)))


@pytest.mark.parametrize("name", ["lines:3,2,3", *nightly("quixo:2", "fading:3,2")])
def test_one_position_of_each_symmetry_class_is_enough(name):
    game = load(name)
    plain, classes = (LevelGames(graph, MEMORY) for graph in (whole_graph(game), finished(compiled_graph(game, True))))
    assert classes.graph.counts.size < plain.graph.counts.size
    assert plain.ends == classes.ends == (name == "lines:3,2,3")
    plain.levels = classes.levels = USUAL
    assert_same(play_measures(classes), play_measures(plain))
    few = (SKILLS[0], SKILLS[7], SKILLS[-1], *USUAL[3:6])
    assert finished(classes.scores(few)) == pytest.approx(finished(plain.scores(few)), abs=1e-9)


@pytest.mark.parametrize("name", ["dots:1,2", "ponghauki"])
def test_however_few_positions_are_gone_through_between_two_steps(name, monkeypatch):
    graph = whole_graph(load(name))
    at_once = play_measures(LevelGames(graph, MEMORY))
    monkeypatch.setattr(level_games, "AT_ONCE", 7)
    games = LevelGames(graph, MEMORY)
    assert len(list(games.visited())) > 2
    assert play_measures(games) == at_once


@pytest.mark.parametrize("name", ["nim:1,2,3", "chomp:3,3", "mutorere"])
def test_traps_are_those_that_explanations_tell(name):
    game = load(name)
    graph, oracle = whole_graph(game), oracle_for(game)
    tempting = worsening(graph) & graph.best(scores_within(graph, OBVIOUS))
    told = [len(traps(oracle.study(graph.position(number)))) for number in np.flatnonzero(graph.going).tolist()]
    found = graph.over_edges(np.add, tempting.astype(int), np.zeros(graph.counts.size))[graph.going]
    assert found.tolist() == told
    assert sum(told) > 0
