"""The forecast, compared with games of known size."""

import pytest

from perfectplay import load
from perfectplay.solvers.forecast import expected_positions, in_bytes, in_time, in_words, is_hopeless, longest_game
from perfectplay.solvers.interpreted import forecast_count

CONNECT_FOUR = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
"""Positions of each of the first plies; 4,531,985,219,092 in all (published)."""
FIVE_BY_FIVE = [1, 3, 13, 49, 177, 545, 1686, 4699, 12562, 30477, 69873, 150005]
"""Classes of drop:5,5,4; 34,888,367 in all."""


@pytest.mark.parametrize(
    ("sizes", "longest", "total"),
    [(CONNECT_FOUR, 42, 4_531_985_219_092), (FIVE_BY_FIVE, 25, 34_888_367), ([1, 9, 72, 252, 756], 9, 5_478)],
)
def test_games_of_known_size_within_a_factor_of_two(sizes, longest, total):
    assert total / 2 < expected_positions(sizes, longest) < total * 2


def test_with_cycles_only_known_positions_count():
    assert expected_positions([1, 9, 72, 504], None) == 586


def test_the_longest_game():
    assert longest_game(load("tic-tac-toe")) == 9
    assert longest_game(load("fading:6,5")) is None


def test_figures_in_words():
    assert [in_words(n) for n in (5478, 34_888_367, 4_531_985_219_092)] == ["5,478", "34.9 million", "4.5e12"]
    assert [in_bytes(n) for n in (512, 500 << 20, 3 << 40)] == ["512 bytes", "500 MiB", "3 TiB"]
    assert [in_time(s) for s in (0.2, 90, 4000, 9000, 200_000, 1e9)] == [
        *("1 s", "90 s", "67 min", "2 h", "2 days", "31.7 years"),
    ]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tic-tac-toe", 5_478),
        ("kingpawns", 11_851),
        ("drop:5,4,4", 1_706_255),
        ("lines:4,4,4", 9_722_011),
        ("morris:6", 28_001_571),
    ],
)
def test_a_game_is_forecast_from_its_first_plies(name, count):
    found = forecast_count(load(name))
    assert found == count if count < 60_000 else count / 10 < found < count * 10


def test_what_is_hopeless():
    assert is_hopeless(forecast_count(load("connect-four")))
    assert is_hopeless(forecast_count(load("lines:7,7,5")))
    assert is_hopeless(forecast_count(load("morris:9")))
    assert not is_hopeless(forecast_count(load("drop:5,5,4")))
    assert forecast_count(load("tactic-toe")) is None  # positions may repeat
    assert not is_hopeless(None)
