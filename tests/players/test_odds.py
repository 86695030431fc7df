"""Odds: the exact result of two players, which battles only come near to."""

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from command_line import complaint, output
from graph_games import drawn_games, solved_exactly
from perfectplay import LOSS, WIN, load
from perfectplay.arena.battle import match, summed
from perfectplay.models.game_graph import graph_for
from perfectplay.models.level_policies import ladder, probabilities_of, scores
from perfectplay.models.levels import ALL, LEVELS
from perfectplay.models.odds import computing_odds
from perfectplay.models.policies import noisy, shallow, uniform
from perfectplay.models.win_probability import WinProbability, computing
from perfectplay.players import Seat, player_maker, policy_named
from perfectplay.solvers.steps import finished

load = cache(load)
"""Each game is loaded once, so that its solution and its graph are found again."""


def odds(game, a, b, exact=False):
    policies = [policy_named(name, game) for name in (a, b)]
    graph = graph_for(game, all(policy.symmetric for policy in policies))
    return finished(computing_odds(graph, *(policy.probabilities(graph, exact) for policy in policies)))


def test_random_against_random():
    game = load("tic-tac-toe")
    expected = WinProbability(Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert odds(game, "random", "random", exact=True) == expected
    assert odds(game, "random", "random") == pytest.approx([float(probability) for probability in expected], abs=1e-15)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("tic-tac-toe", ("streetwise", "uniform")),
        ("drop:3,3,3", ("uniform", "streetwise")),
        ("drop:3,3,3", ("streetwise:blocks", "blocks")),
        pytest.param("tic-tac-toe", ("uniform", "streetwise"), marks=pytest.mark.nightly),
        pytest.param("tic-tac-toe", ("streetwise:blocks", "blocks"), marks=pytest.mark.nightly),
    ],
)
def test_odds_agree_with_win_probabilities(name, names):
    game = load(name)
    graph = graph_for(game)
    model = names[1] if names[0].startswith("streetwise") else names[0]
    probabilities = finished(computing(graph, policy_named(model, game).probabilities(graph, True)))
    number = graph.number(game.start)
    if names[1] == model:
        assert odds(game, *names, exact=True) == probabilities.when_mine(number)
    else:
        assert odds(game, *names, exact=True) == WinProbability(*reversed(probabilities.when_theirs(number)))


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("tic-tac-toe", "wins", "blocks"),
        pytest.param("tic-tac-toe", "tricky", "shallow:3", marks=pytest.mark.nightly),
        pytest.param("tic-tac-toe", "minimax", "weighted:centre=3", marks=pytest.mark.nightly),
        pytest.param("misere", "blocks", "softmax:0.3", marks=pytest.mark.nightly),
        ("drop:4,3,3", "level:3", "perfect"),
        pytest.param("tactic-toe", "blocks", "random", marks=pytest.mark.nightly),
        ("kingpawns", "blocks", "noisy:0.5"),
    ],
)
def test_a_long_battle_comes_near_the_odds(name, a, b):
    game, games = load(name), 3_000
    expected = odds(game, a, b)
    tally = summed(match(game, (player_maker(a), player_maker(b)), seed=3)(range(games)))
    for count, probability in zip((tally.wins[0], tally.draws, tally.wins[1]), expected, strict=True):
        assert abs(count - probability * games) <= 3 * (probability * (1 - probability) * games) ** 0.5 + 1e-6


@pytest.mark.parametrize("player", ["wins", "blocks", "perfect", "tricky", "minimax"])
@pytest.mark.parametrize("name", ["tic-tac-toe", "misere", "drop:4,3,3"])
def test_players_choose_by_the_probabilities_that_odds_take(name, player):
    game = load(name)
    graph = graph_for(game)
    probabilities = policy_named(player, game).probabilities(graph, False)
    choose = player_maker(player)(Seat(game, 0, Random(1)))
    for number in Random(4).sample(np.flatnonzero(graph.going).tolist(), 60):
        edges = graph.edges(number)
        liked = {
            int(move) for move, probability in zip(graph.moves[edges], probabilities[edges], strict=True) if probability
        }
        chosen = {choose(graph.position(number)) for _ in range(20 * len(liked) if len(liked) > 1 else 2)}
        assert chosen <= liked
        assert len(liked) > 4 or chosen == liked


@settings(max_examples=100)
@given(drawn_games())
def test_odds_in_games_with_cycles_are_those_of_a_linear_system(game):
    graph = graph_for(game)
    size = graph.counts.size
    for first, second in ((uniform, noisy(Fraction(1, 3))), (shallow(1), uniform), (shallow(3), shallow(1))):
        steps = [{} for _ in range(2 * size)]
        for here, there, weigh in ((0, size, first), (size, 0, second)):
            weights = weigh(graph, True)
            for i in range(size):
                edges = graph.edges(i)
                for child, probability in zip(graph.children[edges].tolist(), weights[edges].tolist(), strict=True):
                    steps[here + i][there + child] = steps[here + i].get(there + child, Fraction(0)) + probability
        ended = (~graph.going).tolist()
        values = graph.values.tolist()
        found = []
        for mine, theirs in ((WIN, LOSS), (LOSS, WIN)):
            ends = [e and v == mine for e, v in zip(ended, values, strict=True)]
            ends += [e and v == theirs for e, v in zip(ended, values, strict=True)]
            found.append(solved_exactly(2 * size, steps, ends)[graph.number(game.start)])
        expected = WinProbability(found[0], 1 - found[0] - found[1], found[1])
        assert finished(computing_odds(graph, first(graph, True), second(graph, True))) == expected
        decimals = finished(computing_odds(graph, first(graph, False), second(graph, False)))
        assert decimals == pytest.approx([float(probability) for probability in expected], abs=1e-12)


@pytest.mark.nightly
def test_two_perfect_players_may_go_on_for_ever():
    # After b2 nobody need lose: what never ends is drawn.
    game = load("tactic-toe")
    assert odds(game, "perfect", "perfect", exact=True) == WinProbability(1, 0, 0)
    centre = policy_named("weighted:b2=1000000", game)
    graph = graph_for(game, symmetric=False)
    perfect = policy_named("perfect", game).probabilities(graph, False)
    first = perfect.copy()
    edges = graph.edges(graph.number(game.start))
    first[edges] = centre.probabilities(graph, False)[edges]
    found = finished(computing_odds(graph, first, perfect))
    assert found.draw > 0.9999
    assert found.loss == 0


def test_the_ladder_of_levels_goes_up_in_even_steps():
    graph = graph_for(load("tic-tac-toe"))
    levels = ladder(graph)
    steps = scores(graph, list(levels))
    assert len(levels) == LEVELS
    assert [round(steps[i + 1, i], 3) for i in range(LEVELS - 1)] == [
        *(0.579, 0.580, 0.583, 0.589, 0.579, 0.573, 0.587, 0.638, 0.698),
    ]
    assert (levels[0].noise, levels[-1]) == (1, (0, ALL))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("misere", 0.555),
        ("drop:4,3,3", 0.57),
        pytest.param("tactic-toe", 0.57, marks=pytest.mark.nightly),
        ("kingpawns", 0.55),
    ],
)
def test_each_level_is_better_than_the_one_below(name, least):
    graph = graph_for(load(name))
    probabilities = [probabilities_of(graph, level, False) for level in ladder(graph)]
    for below, above in pairwise(probabilities):
        first, second = (finished(computing_odds(graph, *pair)) for pair in ((above, below), (below, above)))
        assert (first.win + first.draw / 2 + second.loss + second.draw / 2) / 2 > least


def test_levels_are_played_as_they_are_computed():
    game, games = load("tic-tac-toe"), 2_000
    tally = summed(match(game, (player_maker("level:6"), player_maker("level:5")), seed=1, swap=True)(range(games)))
    assert (tally.wins[0] + tally.draws / 2) / games > 0.55


def test_a_record_teaches(tmp_path):
    record = tmp_path / "games.txt"
    record.write_text("# three games\nb2 a1 c3  # centre\nb2 c1\n\nb2 a2\na1\n")
    game = load("tic-tac-toe")
    graph = graph_for(game)
    probabilities = policy_named(f"learned:{record}", game).probabilities(graph, True)
    start = dict(zip(graph.moves[graph.edges(0)].tolist(), probabilities[graph.edges(0)].tolist(), strict=True))
    assert sum(start.values()) == 1
    assert start[4] == (3 + Fraction(1, 9)) / 5
    assert start[0] == start[2] == start[6] == start[8] == (Fraction(1, 4) + Fraction(1, 9)) / 5
    centre = graph.edges(graph.number((0, 1 << 4)))
    answers = dict(zip(graph.moves[centre].tolist(), probabilities[centre].tolist(), strict=True))
    assert answers[0] == answers[8] > answers[1] == answers[5] > 0
    record.write_text("a1 a1\n")
    with pytest.raises(Exception, match="line 1: 'a1' is not a legal move"):
        policy_named(f"learned:{record}", game)
    record.write_text("# nothing\n")
    with pytest.raises(Exception, match="has no moves"):
        policy_named(f"learned:{record}", game)


def test_noise_is_fitted_to_the_record(tmp_path):
    game, record = load("tic-tac-toe"), tmp_path / "games.txt"
    rng, lines = Random(5), []
    players = [player_maker("noisy:0.3")(Seat(game, side, rng)) for side in (0, 1)]
    for _ in range(300):
        position, names = game.start, []
        while game.outcome(*position) == 2:
            move = players[len(names) % 2](position)
            names.append("abc"[move % 3] + "123"[move // 3])
            position = game.play(*position, move)
        lines.append(" ".join(names))
    record.write_text("\n".join(lines))
    from perfectplay.models.learned_policy import fitted, moves_in

    assert abs(fitted(graph_for(game), list(moves_in(game, record))) - Fraction(3, 10)) < Fraction(4, 100)


@pytest.mark.nightly
def test_fractions_of_a_game_without_end(capsys):
    assert "blocks wins        4/567" in output(capsys, "odds tactic-toe blocks perfect --exact")


def test_fractions_that_would_fill_pages_are_refused(capsys, monkeypatch):
    monkeypatch.setattr("perfectplay.models.odds.MOST_WORK", 10**6)
    assert "has cycles too large" in complaint(capsys, "odds kingpawns random random --exact")


def test_the_command(capsys):
    found = json.loads(output(capsys, "odds tic-tac-toe random random --json"))
    assert list(found) == ["game", "players", "win", "draw", "loss"]
    assert found["players"] == ["random", "random"]
    assert found["win"] == pytest.approx(737 / 1260, abs=1e-14)
    exact = json.loads(output(capsys, "odds tic-tac-toe streetwise random_ai --exact --json"))
    assert (exact["win"], exact["draw"], exact["loss"]) == ("191/192", "1/192", "0")
    assert "  noisy:1/3 wins  44143/87480" in output(capsys, "odds kingpawns noisy:1/3 perfect --exact")
    said = "mcts has no known move probabilities; perfectplay battle plays it"
    assert said in complaint(capsys, "odds tic-tac-toe random mcts")
    assert complaint(capsys, "odds tic-tac-toe human random").endswith("human has no known move probabilities\n")
    assert "no model or player with known move probabilities" in complaint(capsys, "odds tic-tac-toe random nobody")
    for game in ("connect-four", "gomoku"):
        said = f"odds need a solved game; {game} is too large to solve"
        assert said in complaint(capsys, f"odds {game} random random")
    assert "drop:5,4,4 is not solved yet; run: perfectplay solve" in complaint(capsys, "odds drop:5,4,4 wins random")
