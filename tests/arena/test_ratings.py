from itertools import pairwise, permutations, product
from math import log, log10, sqrt

import numpy as np
import pytest

from perfectplay.arena.tournaments.ratings import SURE, Result, rate
from rings import nightly

LOGISTIC = log(10) / 400


def elo(share):
    """The difference that goes with a score."""
    return 400 * log10(share / (1 - share))


def balanced(wins, draws, losses):
    """Games of player 0 against 1, the same from either side, each an observation of its own."""
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return [Result(0, 1, s, i) for i, s in enumerate(scores)] + [
        Result(1, 0, 1 - s, len(scores) + i) for i, s in enumerate(scores)
    ]


def height(results, ratings, advantage):
    """The logarithmic likelihood, written plainly; a draw is half a win and half a loss."""
    total = 0.0
    for first, second, score, _ in results:
        expected = 1 / (1 + 10 ** (-(ratings[first] - ratings[second] + advantage) / 400))
        total += score * log(expected) + (1 - score) * log(1 - expected)
    return total


def brute_force(results, players):
    """The ratings and the advantage of the greatest likelihood, by coordinate ascent."""
    values = [0.0] * (players + 1)
    step = 64.0
    best = height(results, values[:-1], values[-1])
    while step > 0.01:
        moved = False
        for place, change in product(range(players + 1), (step, -step)):
            tried = [*values]
            tried[place] += change
            found = height(results, tried[:-1], tried[-1])
            if found > best:
                values, best, moved = tried, found, True
        if not moved:
            step /= 2
    ratings = np.array(values[:-1])
    return ratings - ratings.mean(), values[-1]


def random_games(rng, players, games, draws=0.3, advantage=50.0, spread=150.0):
    strength = rng.normal(0, spread, players)
    found = []
    for cluster in range(games):
        first, second = rng.choice(players, 2, replace=False)
        found.append(Result(int(first), int(second), played(rng, strength, first, second, advantage, draws), cluster))
    return found


def played(rng, strength, first, second, advantage, draws, dice=None):
    """A score of the first player, drawn as often as its expected score allows, at most `draws`."""
    expected = 1 / (1 + 10 ** (-(strength[first] - strength[second] + advantage) / 400))
    drawn = min(draws, 1.9 * expected, 1.9 * (1 - expected))
    dice = rng.random() if dice is None else dice
    return 0.5 if dice < drawn else 1.0 if dice < drawn / 2 + expected else 0.0


@pytest.mark.parametrize("counts", [(30, 10, 20), (1, 0, 2), (5, 90, 5), (999, 0, 1)])
def test_two_players_differ_by_what_their_score_says(counts):
    wins, draws, _ = counts
    found = rate(balanced(*counts), 2)
    share = (wins + draws / 2) / sum(counts)
    assert found.elo[0] - found.elo[1] == pytest.approx(elo(share), abs=1e-6)
    assert found.elo.sum() == pytest.approx(0, abs=1e-9)
    assert found.advantage == pytest.approx(0, abs=1e-6)
    assert not found.prior
    assert not found.sided


def test_the_error_of_two_players_without_draws_is_the_binomial_one():
    found = rate(balanced(60, 0, 40), 2)
    binomial = 1 / sqrt(200 * 0.6 * 0.4) / LOGISTIC
    assert found.difference_error(0, 1) == pytest.approx(binomial, rel=0.01)
    assert found.error(0) == pytest.approx(found.difference_error(0, 1) / 2)
    low, high = found.interval(0)
    assert (high - low) / 2 == pytest.approx(SURE * found.error(0))


def test_draws_make_errors_smaller():
    errors = [rate(balanced(50 - draws // 2, draws, 50 - draws // 2), 2).error(0) for draws in (0, 40, 80, 100)]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] / errors[0] == pytest.approx(sqrt(0.6), rel=0.02)
    assert errors[-1] > 0


def test_the_advantage_is_that_of_the_first_side():
    results = [Result(a, b, score, i) for i, (a, b, score) in enumerate([(0, 1, 1), (1, 0, 1), (0, 1, 0), (1, 0, 0.5)])]
    found = rate(results * 10, 2)
    assert found.advantage == pytest.approx(elo(0.75) / 2)
    assert found.elo == pytest.approx([-elo(0.75) / 4, elo(0.75) / 4])


@pytest.mark.parametrize("seed", range(2))
def test_ratings_are_those_of_the_greatest_likelihood(seed):
    results = random_games(np.random.default_rng(seed), 4, 60)
    found = rate(results, 4)
    assert not found.prior
    ratings, advantage = brute_force(results, 4)
    assert found.elo == pytest.approx(ratings, abs=0.1)
    assert found.advantage == pytest.approx(advantage, abs=0.1)


def test_names_and_order_change_nothing():
    rng = np.random.default_rng(5)
    results = random_games(rng, 5, 120)
    found = rate(results, 5)
    names = [3, 0, 4, 1, 2]
    renamed = [Result(names[a], names[b], score, 1000 - cluster) for a, b, score, cluster in results]
    again = rate([renamed[i] for i in rng.permutation(len(renamed))], 5)
    assert again.elo[names] == pytest.approx(found.elo)
    assert again.covariance[np.ix_(names, names)] == pytest.approx(found.covariance)
    assert (again.advantage, again.advantage_error) == pytest.approx((found.advantage, found.advantage_error))


def test_superiority_is_even_for_equals_and_grows_with_the_difference():
    assert rate(balanced(10, 5, 10), 2).superiority(0, 1) == pytest.approx(0.5)
    found = [rate(balanced(50 + more, 0, 50 - more), 2) for more in (0, 5, 10, 20)]
    chances = [one.superiority(0, 1) for one in found]
    assert all(a < b for a, b in pairwise(chances))
    assert [one.superiority(1, 0) for one in found] == pytest.approx([1 - chance for chance in chances])


def test_pairs_of_games_that_cancel_out_are_better_evidence():
    """Openings that always win for one side tell nothing of the players: such a pair is drawn."""
    scores = [(1.0, 1.0), (0.0, 0.0)] * 20 + [(1.0, 0.0)] * 10 + [(0.0, 1.0)] * 5 + [(0.5, 0.5)] * 10
    pairs = [
        Result(*turn, s, i) for i, pair in enumerate(scores) for turn, s in zip([(0, 1), (1, 0)], pair, strict=True)
    ]
    single = [result._replace(cluster=i) for i, result in enumerate(pairs)]
    assert rate(pairs, 2).elo == pytest.approx(rate(single, 2).elo)
    assert rate(pairs, 2).error(0) < 0.8 * rate(single, 2).error(0)


@pytest.mark.parametrize("results", [[], [Result(0, 1, 1.0, 0)]], ids=["no games", "one game"])
def test_hardly_any_games_leave_everything_open(results):
    found = rate(results, 3)
    assert found.prior
    assert found.sided
    assert all(found.error(i) > 100 for i in range(3))
    assert (found.elo[0] - found.elo[1] > 1) == bool(results)
    low, high = found.interval(0)
    assert low < 0 < high


def test_all_wins_are_a_finite_difference_that_grows_with_their_number():
    found = [rate(balanced(n, 0, 0), 2) for n in (1, 5, 50, 500)]
    assert all(one.prior for one in found)
    gaps = [one.elo[0] - one.elo[1] for one in found]
    assert gaps == sorted(gaps)
    assert all(one.error(0) > 100 for one in found)
    assert found[-1].superiority(0, 1) > 0.97


def test_all_draws_are_finite():
    found = rate(balanced(0, 20, 0), 2)
    assert not found.prior
    assert found.elo == pytest.approx([0, 0])
    assert 0 < found.error(0) < rate(balanced(0, 5, 0), 2).error(0)


def test_the_first_side_always_wins():
    found = rate([Result(i % 2, 1 - i % 2, 1.0, i // 2) for i in range(40)], 2)
    assert found.prior
    assert not found.sided
    assert found.elo == pytest.approx([0, 0])
    assert found.advantage > 300
    assert found.error(0) > 100


def test_one_side_only_leaves_the_advantage_open():
    results = [Result(0, 1, score, i) for i, score in enumerate([1, 1, 0, 1, 0.5])]
    found = rate(results, 2)
    assert found.sided
    assert not found.prior
    assert (found.advantage, found.advantage_error) == (0, 0)
    assert found.elo[0] - found.elo[1] == pytest.approx(elo(0.7))


def test_a_circle_of_first_moves_tells_the_advantage():
    results = [Result(i % 3, (i + 1) % 3, float(i % 4 > 0), i) for i in range(60)]
    found = rate(results, 3)
    assert not found.sided
    assert found.advantage == pytest.approx(elo(0.75), abs=1e-6)
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-6)


def test_groups_that_never_met_and_a_player_without_games():
    first, second = balanced(15, 0, 5), balanced(5, 0, 15)
    found = rate([*first, *(Result(r.first + 2, r.second + 2, r.score, 100 + r.cluster) for r in second)], 5)
    assert found.prior
    assert found.elo[0] - found.elo[1] == pytest.approx(elo(0.75), rel=0.1)
    assert found.elo[2] - found.elo[3] == pytest.approx(elo(0.25), rel=0.1)
    assert found.difference_error(0, 2) > 2 * found.difference_error(0, 1)
    assert found.elo[4] == pytest.approx(0, abs=1)
    assert found.error(4) > 1.5 * found.error(0)


def test_players_who_lose_everything_do_not_change_the_others():
    rng, strong = np.random.default_rng(3), 10
    strength = np.concatenate([np.linspace(100, 0, strong), np.full(strong, -5000.0)])
    results = [
        Result(a, b, played(rng, strength, a, b, 0.0, 0.4), min(a, b) * 10_000 + max(a, b))
        for a, b in permutations(range(2 * strong), 2)
        for _ in range(10)
    ]
    found = rate(results, 2 * strong)
    assert found.prior
    assert found.elo[:strong].min() > found.elo[strong:].max() + 300
    assert np.isfinite(found.elo).all()
    assert all(0 < found.error(i) < 500 for i in range(2 * strong))
    alone = rate([result for result in results if max(result.first, result.second) < strong], strong)
    assert np.diff(found.elo[:strong]) == pytest.approx(np.diff(alone.elo), abs=2)
    assert found.difference_error(0, 1) == pytest.approx(alone.difference_error(0, 1), rel=0.1)


def simulated(rng, strength, pairs, draws, alike, advantage=30.0):
    """A round-robin of pairs of games, one from each side; `alike` pairs have the same dice for the first side."""
    results = []
    for one in range(len(strength)):
        for other in range(one):
            for _ in range(pairs):
                dice = rng.random(2)
                dice[1] = dice[0] if rng.random() < alike else dice[1]
                for turn, thrown in zip(((one, other), (other, one)), dice, strict=True):
                    score = played(rng, strength, *turn, advantage, draws, thrown)
                    results.append(Result(*turn, score, len(results) // 2))
    return results


@pytest.mark.parametrize(("draws", "alike"), [(0.2, 0.7), *nightly((0.0, 0.0), (0.8, 0.0))])
@pytest.mark.parametrize(("players", "pairs"), [(2, 20), (8, 5), *nightly((2, 60))])
def test_intervals_hold_the_truth_as_often_as_promised(players, pairs, draws, alike):
    """95% intervals of ratings, of differences and of the advantage: 93% to 97.5% hold it, give or take chance."""
    rng, tests = np.random.default_rng(players * pairs), 300
    strength = np.linspace(60, -60, players)
    inside = np.zeros(3)
    for _ in range(tests):
        found = rate(simulated(rng, strength, pairs, draws, alike), players)
        errors = [found.error(0), found.difference_error(0, 1), found.advantage_error]
        away = found.elo - strength
        inside += np.abs([away[0], away[0] - away[1], found.advantage - 30]) <= SURE * np.array(errors)
    chance = sqrt(0.05 * 0.95 / tests)
    assert (inside / tests >= 0.93 - chance).all()
    assert (inside / tests <= 0.975 + chance).all()
