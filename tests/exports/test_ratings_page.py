import pytest

from homes import ROOT
from perfectplay import tournament
from perfectplay.arena.tournaments.ratings import SURE, Result, rate
from perfectplay.arena.tournaments.sprt import UPPER

PAGE = (ROOT / "docs/explanation/ratings.md").read_text(encoding="utf-8")


def row(*cells):
    return f"| {' | '.join(map(str, cells))} |"


def two_players(wins, draws, losses):
    """The ratings after these games, half of them from each side, in an order that favours neither."""
    scores = [score for score, count in ((1.0, wins), (0.5, draws), (0.0, losses)) for _ in range(count)]
    turns = [(0, 1), (1, 0)]
    return rate([Result(*turns[i % 2], score if i % 2 == 0 else 1 - score, i) for i, score in enumerate(scores)], 2)


def test_expected_scores():
    differences = (0, 50, 100, 200, 400)
    assert row("difference", *differences) in PAGE
    assert row("expected score", *(f"{1 / (1 + 10 ** (-d / 400)):.1%}" for d in differences)) in PAGE


@pytest.mark.parametrize("counts", [(60, 0, 40), (40, 40, 20), (25, 70, 5)])
def test_draws_make_intervals_narrower(counts):
    found = two_players(*counts)
    assert round(found.elo[0] - found.elo[1]) in (70, 71)
    assert row(", ".join(map(str, counts)), f"±{SURE * found.difference_error(0, 1):.0f}") in PAGE


def test_ten_and_a_hundred_wins():
    ten, hundred = (found.elo[0] - found.elo[1] for found in (two_players(10, 0, 0), two_players(100, 0, 0)))
    assert f"the difference is then {ten:.0f}, after 100 in 100 it is {hundred:.0f}" in PAGE


def test_the_bounds_of_the_test():
    assert f"when the LLR reaches {UPPER:.2f}, and H0 when it reaches {-UPPER:.2f}" in PAGE


@pytest.mark.parametrize("games", [50, *(pytest.param(n, marks=pytest.mark.nightly) for n in (100, 200))])
def test_regret_tells_two_players_apart_before_results_do(games):
    found = tournament("tic-tac-toe", ["random", "level:9", "level:8"], format="gauntlet", games=games, seed=1)
    nine, eight = (next(row for row in found.players if row.name == name) for name in ("level:9", "level:8"))
    regrets = [f"{one.regret_per_game:.3f} ± {one.regret_error:.3f}" for one in (nine, eight)]
    assert row(games, nine.score, eight.score, *regrets) in PAGE
    assert nine.regret_per_game + nine.regret_error < eight.regret_per_game - eight.regret_error
    if games == 200:
        assert found.players[0] is nine
        assert f"the likelihood of superiority is {nine.superiority:.0%}" in PAGE
