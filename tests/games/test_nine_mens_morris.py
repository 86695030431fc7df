"""The recorded solution of nine men's morris: its tiers add up, and what the documentation says is in it."""

import json
from math import comb
from pathlib import Path

import pytest

from perfectplay import load

SOLVED = json.loads(Path("bench/results/nine-mens-morris.json").read_text(encoding="utf-8"))
MEN = 9


def parts(tier):
    """The stones placed, those lost, whether a stone is to be removed, and by how many the sides differ."""
    rest, difference = divmod(tier, MEN + 1)
    rest, removing = divmod(rest, 2)
    placed, lost = divmod(rest, 2 * MEN)
    return placed, lost, removing, difference


def after_placing():
    """The number of canonical positions without a stone to remove, by the stones of the side that has more."""
    found = {}
    for tier in SOLVED["tiers"]:
        placed, lost, removing, difference = parts(tier["tier"])
        if placed == 2 * MEN and not removing:
            fewer = (2 * MEN - lost - difference) // 2
            found[fewer + difference, fewer] = tier["classes"]
    return found


def test_the_parts_of_a_tier_are_those_of_the_game():
    game = load("morris:9")
    assert parts(game.tier(*game.start)) == (0, 0, 0, 0)
    hand, removes = 24, 1 << 28
    closed = (0b111 | 6 << hand | removes, 0b11 << 5 | 7 << hand)
    assert parts(game.tier(*closed)) == (5, 0, 1, 0)
    assert parts(game.tier(closed[1] & ~(1 << 5), closed[0] & ~removes)) == (5, 1, 0, 1)


def test_tiers_add_up():
    for count in ("positions", "classes", "wins", "draws", "losses"):
        assert sum(tier[count] for tier in SOLVED["tiers"]) == SOLVED[count]
    assert SOLVED["wins"] + SOLVED["draws"] + SOLVED["losses"] == SOLVED["positions"]
    assert sum(line["positions"] for line in SOLVED["histogram"]) == SOLVED["positions"]


def test_the_start_is_an_endless_draw():
    assert (SOLVED["value"], SOLVED["distance"]) == ("draw", None)
    assert SOLVED["tiers"][0] == {"tier": 0, "positions": 1, "classes": 1, "wins": 0, "draws": 1, "losses": 0}


def test_the_first_plies_are_those_of_the_rules():
    by_tier = {tier["tier"]: tier["positions"] for tier in SOLVED["tiers"]}
    placed = [by_tier[game_tier] for game_tier in (0, 360, 720, 1080, 1440)]
    assert placed == [comb(24, (n + 1) // 2) * comb(24 - (n + 1) // 2, n // 2) for n in range(5)]


def test_there_are_no_more_positions_than_boards():
    for (more, fewer), classes in after_placing().items():
        boards = comb(24, more) * comb(24 - more, fewer) * (1 if more == fewer else 2)
        assert boards / 16 * 0.2 < classes < boards / 16 * 1.2 or fewer < 3


@pytest.mark.parametrize(("more", "fewer", "classes"), [(9, 9, 95_978_501), (3, 3, 169_626), (8, 8, 568_710_185)])
def test_figures_of_the_notes(more, fewer, classes):
    notes = Path("bench/NOTES.md").read_text(encoding="utf-8")
    assert after_placing()[more, fewer] == classes
    assert f"{classes:,}" in notes
    assert f"{sum(n for (_, least), n in after_placing().items() if least > 2):,}" in notes
    assert f"{SOLVED['classes']:,}" in notes
    assert f"{SOLVED['positions']:,}" in notes


def test_figures_of_the_documentation():
    text = Path("docs/explanation/gpu.md").read_text(encoding="utf-8")
    assert f"{SOLVED['positions'] // 10**9} billion positions, {SOLVED['classes'] // 10**9} billion up to" in text
