"""Odds: the exact result of two players, which battles only come near to; levels, and models learned from records."""

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from command_line import complaint, output
from perfectplay import BadPlayer, load
from perfectplay.arena.battle import match, sum_of
from perfectplay.players.models.game_graph import graph_for
from perfectplay.players.models.level_policies import ladder, level, scores
from perfectplay.players.models.levels import ALL, LEVELS
from perfectplay.players.models.odds import computing_odds
from perfectplay.players.models.policies import likeliest_noise, moves_in, perfect, uniform
from perfectplay.players.models.win_probability import WinProbability
from perfectplay.players.named.policy_player import probabilities_by
from perfectplay.players.registry import player_maker, policy_named
from perfectplay.players.seat import Seat
from perfectplay.solvers.steps import finished
from plain_odds import Solved
from rings import nightly

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
    ("name", "a", "b"),
    [
        ("lines:3,2,3", "level:3", "noisy:0.5"),
        *nightly(
            ("tic-tac-toe", "wins", "blocks"),
            ("tic-tac-toe", "tricky", "shallow:3"),
            ("tic-tac-toe", "minimax", "weighted:centre=3"),
            ("tic-tac-toe", "level:6", "level:5"),
            ("misere", "blocks", "softmax:0.3"),
            ("misere", "streetwise:noisy:0.3", "noisy:0.3"),
            ("drop:4,3,3", "level:3", "perfect"),
            ("tactic-toe", "blocks", "random"),
            ("kingpawns", "blocks", "noisy:0.5"),
            ("kalah:3,2", "level:3", "noisy:0.5"),
        ),
    ],
)
def test_a_long_battle_comes_near_the_odds(name, a, b):
    game, games = load(name), 1_000
    expected = odds(game, a, b)
    tally = sum_of(match(game, (player_maker(a), player_maker(b)), seed=3)(range(games)))
    for count, probability in zip((tally.wins[0], tally.draws, tally.wins[1]), expected, strict=True):
        assert abs(count - probability * games) <= 3 * (probability * (1 - probability) * games) ** 0.5 + 1e-6


@pytest.mark.parametrize("name", ["drop:4,3,3", *nightly("tic-tac-toe", "misere")])
def test_players_choose_by_the_probabilities_that_odds_take(name):
    game = load(name)
    graph = graph_for(game)
    for player in ("wins", "blocks", "perfect", "tricky", "minimax"):
        probabilities = policy_named(player, game).probabilities(graph, False)
        choose = player_maker(player)(Seat(game, 0, Random(1)))
        for number in Random(4).sample(np.flatnonzero(graph.going).tolist(), 60):
            edges = graph.edges(number)
            liked = set(graph.moves[edges][probabilities[edges] > 0].tolist())
            chosen = {choose(graph.position(number)) for _ in range(20 * len(liked) if len(liked) > 1 else 2)}
            assert chosen <= liked
            assert len(liked) > 4 or chosen == liked


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("drop:3,3,3", [0.550, 0.551, 0.553, 0.560, 0.561, 0.586, 0.552, 0.544, 0.571]),
        *nightly(("tic-tac-toe", [0.579, 0.580, 0.583, 0.589, 0.579, 0.573, 0.587, 0.638, 0.698])),
    ],
)
def test_the_ladder_of_levels_goes_up_in_even_steps(name, expected):
    graph = graph_for(load(name))
    levels = ladder(graph)
    steps = scores(graph, list(levels))
    assert len(levels) == LEVELS
    assert [round(float(steps[i + 1, i]), 3) for i in range(LEVELS - 1)] == expected
    assert (levels[0].noise, levels[-1]) == (1, (0, ALL))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("lines:3,2,2", 0.5),
        *nightly(("misere", 0.555), ("drop:4,3,3", 0.57), ("tactic-toe", 0.57), ("kingpawns", 0.55)),
        *nightly(("kalah:3,2", 0.54), ("dots:2,2", 0.54)),
    ],
)
def test_each_level_is_better_than_the_one_below(name, least):
    graph = graph_for(load(name))
    levels = [level(number)(graph, False) for number in range(1, LEVELS + 1)]
    for below, above in pairwise(levels):
        first, second = (finished(computing_odds(graph, *pair)) for pair in ((above, below), (below, above)))
        assert (first.win + first.draw / 2 + second.loss + second.draw / 2) / 2 > least
    assert (levels[0] == uniform(graph, False)).all()
    assert (levels[-1] == perfect(graph, False)).all()


def test_a_record_teaches(tmp_path):
    record = tmp_path / "games.txt"
    record.write_text("# three games\nb2 a1 c3  # centre\nb2 c1\n\nb2 a2\na1\n")
    game = load("tic-tac-toe")
    probabilities_at = probabilities_by(game, policy_named(f"learned:{record}", game), True)
    start = probabilities_at(game.start)
    assert sum(start.values()) == 1
    assert start[4] == (3 + Fraction(1, 9)) / 5
    assert start[0] == start[2] == start[6] == start[8] == (Fraction(1, 4) + Fraction(1, 9)) / 5
    answers = probabilities_at((0, 1 << 4))
    assert answers[0] == answers[8] > answers[1] == answers[5] > 0
    for text, fault in (("a1 a1\n", "line 1: 'a1' is not a legal move"), ("# nothing\n", "has no moves")):
        record.write_text(text)
        with pytest.raises(BadPlayer, match=fault):
            policy_named(f"learned:{record}", game)


def test_a_record_of_games_with_extra_turns_teaches(tmp_path):
    """In kalah:3,2 the first player played 2 and then 3, three times of four."""
    record, game = tmp_path / "games.txt", load("kalah:3,2")
    record.write_text("2 3\n2 3\n2 3\n2 1\n")
    probabilities_at = probabilities_by(game, policy_named(f"learned:{record}", game), True)
    assert [move for _, move in moves_in(game, record)] == [1, 2, 1, 2, 1, 2, 1, 0]
    noise = likeliest_noise(graph_for(game), [*moves_in(game, record)])
    assert 0 < noise < 1
    best, again = Solved(game), game.play(*game.start, 1)
    assert game.again(*game.start, 1)
    for position, played in ((game.start, {1: 4}), (again, {2: 3, 0: 1})):
        prior = best.probabilities(f"noisy:{noise}", position)
        expected = {move: (played.get(move, 0) + probability) / 5 for move, probability in prior.items()}
        assert probabilities_at(position) == expected


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
    assert abs(likeliest_noise(graph_for(game), list(moves_in(game, record))) - Fraction(3, 10)) < Fraction(4, 100)


@pytest.mark.nightly
def test_fractions_of_a_game_without_end(capsys):
    assert "blocks wins     4/567" in output(capsys, "odds tactic-toe blocks perfect --exact")
    assert "  noisy:1/3 wins  44143/87480" in output(capsys, "odds kingpawns noisy:1/3 perfect --exact")


def test_fractions_that_would_fill_pages_are_refused(capsys, monkeypatch):
    monkeypatch.setattr("perfectplay.players.models.odds.MOST_WORK", 10**3)
    assert "has cycles too large" in complaint(capsys, "odds mutorere random random --exact")


def test_the_command(capsys):
    found = json.loads(output(capsys, "odds tic-tac-toe random random --json"))
    assert list(found) == ["game", "players", "win", "draw", "loss"]
    assert found["players"] == ["random", "random"]
    assert found["win"] == pytest.approx(737 / 1260, abs=1e-14)
    exact = json.loads(output(capsys, "odds tic-tac-toe streetwise random_ai --exact --json"))
    assert (exact["win"], exact["draw"], exact["loss"]) == ("191/192", "1/192", "0")
    for line, said in (
        ("tic-tac-toe random mcts", "mcts has no known move probabilities; perfectplay battle plays it"),
        ("tic-tac-toe human random", "human has no known move probabilities\n"),
        ("tic-tac-toe random nobody", "no model or player with known move probabilities"),
        ("connect-four random random", "odds need a solved game; connect-four is too large to solve"),
        ("drop:5,4,4 wins random", "drop:5,4,4 is not solved yet; run: perfectplay solve"),
    ):
        assert said in complaint(capsys, f"odds {line}")
