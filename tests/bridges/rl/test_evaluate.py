"""evaluate() beside brute force: dictionaries of fractions over the game's own rules, sharing nothing with it."""

import json
import random
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest

from brute_force import edges, solved
from perfectplay import Probability, load, odds
from perfectplay.rl import evaluate
from perfectplay.words import LOSS, WIN
from plain_odds import Solved
from turn_games import random_points

load = cache(load)
SMALL = "lines:3,2,3"
"""A game with wins, draws and losses, and with symmetries."""
nightly = pytest.mark.nightly


def drawn_table(game, rng, sparse=False):
    """Random move probabilities as fractions: {position: {move: probability}}."""
    table = {}
    for position, moves in edges(game).items():
        if moves:
            weights = [rng.choice([0, 0, 1, 3] if sparse else [0, 1, 1, 2]) for _ in moves]
            weights = weights if any(weights) else [1] * len(weights)
            table[position] = {move: Fraction(one, sum(weights)) for move, one in zip(moves, weights, strict=True)}
    return table


class BruteForce(Solved):
    """A game that ends, from the definitions."""

    def entry(self, position, move):
        child, again = self.edges[position][move]
        return self.entries[child].before(again)

    def worth(self, position, margin=False):
        return self.entries[position].margin if margin else self.entries[position].value

    def loss(self, position, move, margin=False):
        entry = self.entry(position, move)
        return self.worth(position, margin) - (entry.margin if margin else entry.value)

    def walk(self, players):
        """{(position, side): how often it comes up}, in the order in which play gets there."""
        found, wave = {}, {(self.game.start, 0): Fraction(1)}
        while wave:
            following = {}
            for (position, side), weight in wave.items():
                found[position, side] = found.get((position, side), 0) + weight
                if self.edges[position]:
                    for move, share in players[side](position).items():
                        child, again = self.edges[position][move]
                        state = child, side if again else 1 - side
                        if share:
                            following[state] = following.get(state, 0) + weight * share
            wave = following
        return found

    def seat(self, policy, opponent, side, margin=False):
        """Win, draw, loss, score, regret, mistakes and moves of the policy on that side."""
        reach = self.walk((policy, opponent) if side == 0 else (opponent, policy))
        ends = {WIN: Fraction(0), 0: Fraction(0), LOSS: Fraction(0)}
        score = regret = mistakes = moves = Fraction(0)
        for (position, turn), weight in reach.items():
            if not self.edges[position]:
                sign = 1 if turn == side else -1
                ends[sign * self.worth(position)] += weight
                score += weight * sign * self.worth(position, margin)
            elif turn == side:
                moves += weight
                for move, share in policy(position).items():
                    regret += weight * share * self.loss(position, move, margin)
                    mistakes += weight * share * (self.loss(position, move) > 0)
        return (ends[WIN], ends[0], ends[LOSS]), score, regret, mistakes, moves

    def best_response(self, policy, side, margin=False):
        """What the best player on that side scores against the policy, by expectimax."""

        @cache
        def worth(position, turn):
            if not self.edges[position]:
                return Fraction(self.worth(position, margin) * (1 if turn == side else -1))
            after = {
                move: worth(child, turn if again else 1 - turn) for move, (child, again) in self.edges[position].items()
            }
            if turn == side:
                return max(after.values())
            return sum(share * after[move] for move, share in policy(position).items())

        return worth(self.game.start, 0)


brute_force = cache(BruteForce)


def check(name, table, against=("perfect", "uniform"), score="result"):
    game = load(name) if isinstance(name, str) else name
    right = brute_force(game)
    policy, margin = table.__getitem__, score == "margin"
    found = evaluate(game, table, exact=True, against=against, score=score)
    models = {name: partial(right.probabilities, name) for name in against} | {"itself": policy}
    for opponent in (*against, "itself"):
        pairing = found.against[opponent]
        for side, seat in ((0, pairing.first), (1, pairing.second)):
            shares = seat.probability.win, seat.probability.draw, seat.probability.loss
            expected = right.seat(policy, models[opponent], side, margin)
            assert (shares, seat.score, seat.regret, seat.mistakes, seat.moves) == expected
            assert seat.endless == seat.let_go == 0
    replies = [right.best_response(policy, side, margin) for side in (0, 1)]
    assert [found.best_responses.first.score, found.best_responses.second.score] == replies
    assert found.nash_conv == sum(replies)
    assert found.exploitability == sum(replies) / 2
    regrets = {
        position: sum(share * right.loss(position, move, margin) for move, share in here.items())
        for position, here in table.items()
    }
    assert found.regret.mean == sum(regrets.values()) / len(regrets)
    assert found.positions == len(table)
    return found, right, regrets


CASES = [(SMALL, seed) for seed in range(4)]
CASES += [pytest.param("tic-tac-toe", seed, marks=nightly) for seed in range(20)]


@pytest.mark.parametrize(("name", "seed"), [*CASES, ("kalah:2,1", 1)])
def test_a_random_policy_is_worth_what_brute_force_says(name, seed):
    table = drawn_table(load(name), random.Random(seed), sparse=True)
    check(name, table, (("perfect",), ("uniform",))[seed % 2])


@pytest.mark.parametrize("score", ["result", "margin"])
def test_extra_turns_and_points(score):
    for seed in range(4):
        game = random_points(seed)
        check(game, drawn_table(game, random.Random(seed)), score=score)


@pytest.mark.parametrize(
    "name", [SMALL, "ponghauki", *(pytest.param(name, marks=nightly) for name in ("tic-tac-toe", "misere"))]
)
@pytest.mark.parametrize("policy", ["noisy:1/3", "shallow:2"])
def test_pairings_are_the_odds(name, policy):
    exact = name == "ponghauki"
    found = evaluate(name, policy, against=("perfect", "uniform", "wins"), exact=exact)
    for opponent in ("perfect", "uniform", "wins"):
        first = odds(name, policy, opponent, exact=exact).probability
        second = odds(name, opponent, policy, exact=exact).probability
        turned = Probability(second.loss, second.draw, second.win)
        pairing = found.against[opponent]
        for mine, right in ((pairing.first, first), (pairing.second, turned)):
            numbers = [*vars(mine.probability).values()]
            assert numbers == pytest.approx([*vars(right).values()], abs=0 if exact else 1e-12)
            assert mine.score == pytest.approx(numbers[0] - numbers[2], abs=1e-12)


@pytest.mark.parametrize("name", ["ponghauki", pytest.param("mutorere", marks=nightly)])
def test_a_score_is_the_value_less_what_was_given_away(name):
    """What a policy scores is the value of the start, less its own gifts, plus the opponent's, less endless games."""
    one, other = (
        evaluate(name, "noisy:0.4", against=("softmax:2",)),
        evaluate(name, "softmax:2", against=("noisy:0.4",)),
    )
    value = evaluate(name, "perfect").itself.first.score
    mine, theirs = one.against["softmax:2"], other.against["noisy:0.4"]
    for seat, rival, sign in ((mine.first, theirs.second, 1), (mine.second, theirs.first, -1)):
        assert seat.score == pytest.approx(sign * value - seat.regret + rival.regret - seat.let_go, abs=1e-9)


def test_the_perfect_player_gives_nothing_away():
    for name in (SMALL, "ponghauki"):
        found = evaluate(name, "perfect", exact=name == "ponghauki")
        assert found.regret.mean == found.regret.largest == found.regret.positions == 0
        assert found.mistakes == found.worst == ()
        assert all(one.regret_per_game == 0 for one in found.against.values())
    assert evaluate(SMALL, "perfect").exploitability == 0


def test_no_player_does_better_than_the_best_response():
    found = evaluate(SMALL, "level:5", against=("perfect", "exploit:level:5", "streetwise:level:5", "uniform"))
    for seat, response in (("first", found.best_responses.second), ("second", found.best_responses.first)):
        assert -response.score <= min(getattr(one, seat).score for one in found.against.values()) + 1e-12


def test_the_best_response_can_be_played():
    game = load(SMALL)
    table = drawn_table(game, random.Random(7))
    response = evaluate(game, table, exact=True).best_responses.first
    answers = response.moves()
    played = evaluate(game, table, against=({**table, **answers},), exact=True)
    assert played.against["the table"].second.score == -response.score
    assert response.line[0] == answers["X:.../..."]


def test_mistakes_are_the_positions_that_cost_most():
    found, _, regrets = check(SMALL, drawn_table(load(SMALL), random.Random(5)))
    frame = found.to_pandas()
    assert len(frame) == found.positions
    assert frame["regret"].sum() == sum(regrets.values())
    reach = sum(frame[f"reach {name}"] for name in found.against) / len(found.against)
    costs = (frame["regret"] * reach).groupby(frame["class"]).sum().sort_values(ascending=False)
    assert [one.cost for one in found.mistakes] == costs.tolist()[: len(found.mistakes)]
    assert found.worst[0].regret == found.regret.largest == frame["regret"].max()
    assert sum(one.probability for one in found.mistakes[0].choices) == 1
    classes = frame.groupby("class")["regret"].agg(lambda one: sum(one) / len(one))
    assert float(found.regret.by_class) == pytest.approx(float(sum(classes)) / len(classes))


def test_a_value_function_is_compared_with_the_truth():
    truth = {position: entry.value for position, entry in solved(load(SMALL)).items()}
    right = evaluate(SMALL, "uniform", value=truth).calibration
    assert right.all.absolute == right.by_reach.squared == right.all.bias == 0
    assert right.all.correct == pytest.approx(1)
    wrong = evaluate(SMALL, "uniform", value=lambda observations: np.full((len(observations), 2), [0.25, 0.75]))
    values = np.array([truth[position] for position, moves in edges(load(SMALL)).items() if moves])
    assert wrong.calibration.all.absolute == pytest.approx(np.abs(values + 0.5).mean())
    assert wrong.calibration.all.squared == pytest.approx(((values + 0.5) ** 2).mean())
    assert wrong.calibration.all.bias == pytest.approx((-0.5 - values).mean())
    (only,) = wrong.calibration.all.bins
    assert (only.predicted, only.true) == pytest.approx((-0.5, values.mean()))
    assert wrong.calibration.all.confusion["win"]["win"] == 0
    assert abs(wrong.calibration.worst[0][2] - -0.5) == 1.5


def test_results_are_shown():
    found = evaluate(SMALL, "level:3", value=lambda observations: np.zeros(len(observations)))
    text = str(found)
    assert all(word in text for word in ("perfect", "itself", "Exploitability", "NashConv", "Regret", "better"))
    page = found._repr_html_()
    assert page.count("<figure") == 6
    assert "<script" not in page
    worst = found.mistakes[0]
    for one in (worst, found.calibration):
        assert "<table" in one._repr_html_()
    assert all(choice.move in str(worst) for choice in worst.choices)
    assert found.calibration.worst[0][0] in str(found.calibration)
    assert json.loads(json.dumps(found.to_dict()))["best_responses"]["nash_conv"] == found.nash_conv
    assert len(found.plot().axes) == 3
