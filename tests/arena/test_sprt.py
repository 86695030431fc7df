from math import log, sqrt
from random import Random

import numpy as np
import pytest

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.sprt import UPPER, Sprt, likelihood_ratios, sprt
from perfectplay.arena.tournaments.tournament_settings import Tournament
from rings import nightly

MATCH = Tournament("tic-tac-toe", ("a", "b"), 1, sprt=(0.0, 60.0))


def games_of(scores, swap=True, openings=5, start=0):
    """Games in which a scores so much, moving first in the even ones, each opening from both sides."""
    games = []
    for number, score in enumerate(scores, start):
        turned = swap and number % 2 == 1
        result = "1/2-1/2" if score == 0.5 else "1-0" if (score == 1) != turned else "0-1"
        opening = (f"o{number // 2 % openings}",)
        games.append(
            PlayedGame(number, "tic-tac-toe", ("b", "a") if turned else ("a", "b"), (), result, opening, thrown=True)
        )
    return games


def random_scores(rng, games, elo, draws):
    expected = 1 / (1 + 10 ** (-elo / 400))
    return [0.5 if (dice := rng.random()) < draws else 1 if dice < draws / 2 + expected else 0 for _ in range(games)]


def decisions(elo, test, draws, size, alike, tests=400, most=200, seed=1):
    """How often H0 and H1 are accepted after observations of so many games; `alike` pairs have opposite results."""
    rng = np.random.default_rng(seed)
    expected = 1 / (1 + 10 ** (-elo / 400))
    dice = rng.random((tests, most, size))
    if size == 2:
        dice[..., 1] = np.where(rng.random((tests, most)) < alike, 1 - dice[..., 0], dice[..., 1])
    won, lost = dice < expected - draws / 2, dice >= expected + draws / 2
    steps = np.eye(2 * size + 1)[(1 + won.astype(int) - lost).sum(axis=-1)]
    counts = np.cumsum(steps, axis=1).reshape(tests * most, -1)
    ratios = likelihood_ratios(counts, *test).reshape(tests, most)
    over = np.abs(ratios) >= UPPER
    ends = ratios[np.arange(tests), over.argmax(axis=1)][over.any(axis=1)]
    return (ends < 0).mean(), (ends > 0).mean()


@pytest.mark.parametrize(
    ("test", "draws", "size", "alike"),
    [
        ((-20, 40), 0.3, 2, 0.6),
        *nightly(((0, 100), 0.0, 1, 0), ((0, 60), 0.7, 1, 0), ((0, 60), 0.5, 2, 0), ((0, 300), 0.1, 2, 0)),
    ],
)
def test_wrong_decisions_are_as_rare_as_promised(test, draws, size, alike):
    tolerance = 3 * sqrt(0.05 * 0.95 / 400)
    wrong = decisions(test[0], test, draws, size, alike)[1], decisions(test[1], test, draws, size, alike)[0]
    assert max(wrong) <= 0.05 + tolerance
    assert sum(wrong) / 2 <= 0.06


def test_games_with_two_results_have_the_exact_ratio():
    """Without draws the distributions have nothing to fit: the ratio is that of two coins."""
    wins, losses = 70, 50
    p0, p1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (0, 40))
    exact = wins * log(p1 / p0) + losses * log((1 - p1) / (1 - p0))
    found = likelihood_ratios(np.array([[losses, 0, wins]]), 0, 40)
    assert found[0] == pytest.approx(exact, rel=0.001)


def test_clear_results_decide():
    better = sprt(MATCH, games_of([1, 0.5, 1, 1, 0.5, 1, 1, 0] * 60))
    assert (better.state, better.decided) == ("accepted H1", True)
    assert better.llr >= better.bounds[1] == -better.bounds[0] == pytest.approx(log(19))
    equal = sprt(MATCH, games_of([1, 0.5, 0, 1, 0.5, 0, 0, 1] * 60))
    assert equal.state == "accepted H0"
    assert better.last % 2 == equal.last % 2 == 1  # the second game of a pair
    assert sprt(MATCH, games_of([1, 0.5, 1, 0.5])).state == "continue"
    assert sprt(MATCH, []) == Sprt(0.0, 60.0)


def test_draws_only_have_no_variance_and_still_decide():
    found = sprt(MATCH, games_of([0.5] * 2000))
    assert found.state == "accepted H0"
    assert found.observations < 100


def test_games_after_the_decision_change_nothing():
    scores = random_scores(Random(1), 2000, 60, 0.4)
    whole = sprt(MATCH, games_of(scores))
    assert whole.decided
    assert sprt(MATCH, games_of(scores[: whole.last + 1])) == whole
    assert sprt(MATCH, games_of(scores[: whole.last + 1] + [0] * 500)) == whole
    assert not sprt(MATCH, games_of(scores[: whole.last])).decided


def test_the_decision_does_not_depend_on_which_game_ends_first():
    games = games_of(random_scores(Random(2), 200, 120, 0.4))
    whole, rng = sprt(MATCH, games), Random(3)
    assert whole.decided
    for _ in range(2):
        arrived, left = [], [*games]
        while True:
            # four games are under way; any of them may end next
            arrived.append(left.pop(rng.randrange(min(4, len(left)))))
            found = sprt(MATCH, arrived, {game.number for game in left})
            if found.decided:
                break
        assert found == whole


def test_games_that_are_never_played_are_left_out():
    games = games_of(random_scores(Random(4), 300, 60, 0.2))
    without = [game for game in games if game.number not in (0, 1, 8, 9)]
    assert sprt(MATCH, without).observations <= sprt(MATCH, games).observations + 2
    assert sprt(MATCH, without, pending={8, 9}).last == 7
    assert sprt(MATCH, games, pending={0}).observations == 0


def test_a_player_that_always_moves_first_has_single_games():
    games = games_of([1, 0, 1, 1, 0.5] * 40, swap=False)
    found = sprt(MATCH, games)
    assert found.decided
    assert found.last == found.observations - 1


def test_repeated_games_are_no_evidence():
    games = games_of([1] * 400, openings=2)
    same = [PlayedGame(**{**vars(game), "thrown": False}) for game in games]
    assert sprt(MATCH, games).decided
    assert sprt(MATCH, same).observations <= 2
    assert not sprt(MATCH, same).decided
