"""The forecast, compared with games of known size."""

import re

import pytest

import perfectplay
from perfectplay import PerfectplayError, TooBig, load
from perfectplay.solvers import engine, forecast, retrograde, unsolved
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.forecast import (
    expected_positions,
    expected_with_cycles,
    in_bytes,
    in_time,
    in_words,
    longest_game,
    most_positions,
)
from perfectplay.solvers.memory.interpreted import forecast_count, solved_positions
from perfectplay.solvers.memory.work import HELD
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import finished
from perfectplay.solvers.unsolved import can_solve, is_hopeless
from rings import nightly

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
    assert expected_positions(sizes, None) == sum(sizes)  # with cycles only known positions count


def test_an_estimate_is_at_most_the_obvious_bound():
    game, sizes = load("lines:5,5,5"), [1, 6, 85, 904]
    most = most_positions(game, symmetric=True)
    assert most < 3**25 / 8 < expected_positions(sizes, 25)
    assert expected_positions(sizes, 25, most) == most
    assert expected_with_cycles([1, 3, 33, 426, 5466, 65520], 100_000) == (71_449, 100_000, True)


def test_the_longest_game():
    assert [longest_game(load(name)) for name in ("tic-tac-toe", "fading:6,5")] == [9, None]


def test_figures_in_words():
    numbers = (5478, 34_888_367, 5_900_000_000, 4_531_985_219_092)
    assert [in_words(n) for n in numbers] == ["5,478", "34.9 million", "5.9e9", "4.5e12"]
    assert [in_bytes(n) for n in (512, 500 << 20, 3 << 40)] == ["512 bytes", "500 MiB", "3 TiB"]
    assert [in_time(s) for s in (0.2, 90, 4000, 9000, 200_000, 1e9)] == [
        *("1 s", "90 s", "67 min", "2 h", "2 days", "31.7 years"),
    ]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(("tic-tac-toe", 5_478), ("drop:5,4,4", 1_706_255)),
        ("hex:11", 4.8e56),  # the boards with as many stones of each side, or one more of the first
        *nightly(("lines:4,4,4", 9_722_011), ("morris:6", 28_001_571)),
    ],
)
def test_a_game_is_forecast_from_its_first_plies(name, count):
    found = forecast_count(load(name))
    assert found == count if count < 60_000 else count / 10 < found < count * 10


@pytest.fixture
def sixteen_gigabytes(monkeypatch):
    for module in (engine, forecast):
        monkeypatch.setattr(module, "free_memory", lambda: 16 << 30)


@pytest.mark.parametrize(
    ("name", "hopeless"),
    [
        *(("connect-four", True), ("drop:5,5,4", False), ("kingpawns", False)),
        *nightly(("lines:7,7,5", True), ("morris:9", True)),
    ],
)
def test_what_is_hopeless(sixteen_gigabytes, name, hopeless):
    assert is_hopeless(load(name)) == hopeless


def test_no_count_where_positions_may_repeat_and_all_of_a_small_game():
    assert forecast_count(load("fading:4,3")) is None  # positions may repeat
    assert forecast_count(load("kingpawns")) == 11_851  # it is small, and they are all there


@pytest.mark.parametrize("name", ["tic-tac-toe", "kingpawns", "nim", "dots:2,1", *nightly("tactic-toe", "quixo")])
def test_no_game_has_more_positions_than_fit_on_its_squares(name):
    assert len(solved_positions(load(name))) <= most_positions(load(name))


SUGGESTIONS = (
    solved_oracle,
    perfectplay.verify,
    lambda game: perfectplay.certify(game, "random"),
    lambda game: perfectplay.certify_all(game, ["random"]),
    lambda game: perfectplay.odds(game, "random", "random"),
    lambda game: perfectplay.analyse(game, against="uniform"),
    lambda game: perfectplay.tree(game, algorithm="table"),
)
"""What needs a solved game, and suggests what to do about one that is not."""


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("drop:5,4,4", "run: perfectplay solve drop:5,4,4"),
        ("lines:5,5,5", "search it with perfectplay analyse"),
        *nightly(("fading:4,3", "may be too large; perfectplay solve fading:4,3 finds out")),
    ],
)
def test_no_message_suggests_a_solve_that_is_refused(name, suggestion, sixteen_gigabytes):
    game = load(name)
    for suggest in SUGGESTIONS:
        with pytest.raises(PerfectplayError, match=f"{suggestion}$"):
            suggest(game)
    assert can_solve(game) == suggestion.startswith("run")


WITH_CYCLES = {
    "dodgem:4": """1 4 14 49 170 383 855 1682 3270 5412 8767 12175 17255 20317 24511 26340 29368 26535 25328 21035
        18284 13010 9485 6406 3964 1695 371 146""",
    "hexapawn:5,4": "1 3 13 40 145 437 1035 2550 4877 9672 12668 20607 17076 22011 10496 10501 1978 1648 49 33",
}


@pytest.mark.parametrize("name", WITH_CYCLES)
def test_games_with_cycles_are_forecast(name):
    sizes = [int(size) for size in WITH_CYCLES[name].split()]
    total = sum(sizes)
    for plies in range(4, len(sizes)):
        low, likely, least = expected_with_cycles(sizes[:plies])
        known = sum(sizes[:plies]) / total
        assert low < 2 * total if known > 0.25 or least else True
        if not least and known > 0.5:
            assert total / 2 < likely < total * 2


def test_where_plies_still_double_the_next_one_is_a_lower_bound():
    assert expected_with_cycles([1, 3, 33, 426, 5466, 65520]) == (71_449, 71_449 + 65_520**2 // 5_466, True)
    assert expected_with_cycles([1, 3, 33, 426, 5466, 65520, 689832, 0]) == (761_281, 761_281, False)


@pytest.fixture
def early(monkeypatch):
    """Lets a solve forecast its memory from 20,000 positions on."""
    monkeypatch.setattr(retrograde, "ENOUGH", 20_000)
    monkeypatch.setattr(retrograde, "SURE", 50_000)


@pytest.mark.usefixtures("early")
def test_a_game_with_cycles_that_will_not_fit_is_refused_early():
    seen = []
    with pytest.raises(TooBig, match=r"dodgem:4 will not fit: about .* need .* of memory .* are allowed"):
        finished(solving(load("dodgem:4"), Options("numba", memory=HELD + (4 << 20))), seen.append)
    assert 10_000 < seen[-1].done < 80_000  # of 276,832


@pytest.mark.usefixtures("early")
def test_a_game_with_cycles_that_fits_is_solved_and_its_memory_foretold():
    steps = list(solving(load("dodgem:4"), Options("numba", memory=HELD + (30 << 20))))
    (note,) = [step.note for step in steps if step.note]
    assert re.fullmatch(r"about \d+,\d+ positions, 1\d\d MiB of memory, \d+ s", note)
    assert 138_000 < int(note.split()[1].replace(",", "")) < 554_000
    totals = [step.total for step in steps if step.phase == "forward" and step.total]
    assert totals[-1] == 276_832
    assert {"linking", "backward"} <= {step.phase for step in steps if step.total}
    assert all(step.done <= step.total for step in steps if step.phase in ("linking", "backward"))


def test_a_message_that_needs_a_forecast_raises_nothing(monkeypatch):
    asked = []
    monkeypatch.setattr(unsolved, "why_unsolved", lambda game: asked.append(game) or 1 // 0)
    with pytest.raises(TooBig) as fault:
        solved_oracle(load("connect-four"))
    assert asked == []
    assert "connect-four is not solved yet" in str(fault.value)
    assert str(fault.value)
    assert len(asked) == 1
