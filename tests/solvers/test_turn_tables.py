"""Tables of games with extra turns and points: every position as an independent solution over dictionaries has it."""

from collections import Counter
from io import BytesIO
from itertools import product

import pytest

import perfectplay
from brute_force import solved
from perfectplay import ONGOING, BadTable, Entry, verify
from perfectplay.game import canonical
from perfectplay.rules.loading import load_game
from perfectplay.solvers.table.table import Table, tabulate
from perfectplay.solvers.table.table_file import Reader
from perfectplay.words import PointsEntry
from rings import nightly
from turn_game_files import written
from turn_games import random_game, random_points

ENGINES = ("python", "numba")
SMALL = ["dots:2,1", "kalah:2,2", "centre"]
LARGER = ["dots:1,1", "dots:2,2", "kalah:1,3", "kalah:2,3", "kalah:3,2", "morris:3,2"]
RESULTS = {"dots:1,1": -1, "dots:2,1": 0, "dots:2,2": 2, "kalah:2,2": -2, "kalah:3,2": 4}
"""The margin of the start, and for kalah the winner as Irving, Donkers and Uiterwijk published it."""


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        *(*product(SMALL, ENGINES), ("coins", "python")),
        *nightly(("coins", "numba"), *product(LARGER, ENGINES)),
    ],
)
def test_every_position(name, engine, tmp_path):
    game = load_game(name if ":" in name else written(tmp_path, name))
    right = solved(game)
    table = perfectplay.solve(game, engine)
    assert {position: table.lookup(position) for position in right} == right
    assert table.header.positions == len(right)
    assert table.summary().margin == RESULTS.get(name, table.summary().margin)
    assert table.counts() == Counter(right.values())
    verify(table)


@pytest.mark.parametrize(
    ("make", "engine"),
    [
        *((random_game, "python"), (random_game, "numba"), (random_points, "python")),
        *nightly((random_points, "numba")),
    ],
)
def test_random_games(make, engine):
    for seed in range(2 if engine == "numba" else 20):
        game = make(seed)
        right = solved(game)
        table = perfectplay.solve(game, engine)
        assert {position: table.lookup(position) for position in right} == right


@pytest.mark.parametrize("name", ["dots:2,1", "centre"])
def test_a_table_with_one_wrong_entry_is_found(name, tmp_path):
    game = load_game(name if ":" in name else written(tmp_path, name))
    entries, smallest = solved(game), canonical(game)
    before = next(position for position in sorted(entries) if game.outcome(*position) == ONGOING)
    wrong = PointsEntry(entries[before].margin + 1) if game.margin else Entry(entries[before].value, 17)
    forged = {p: wrong if smallest(*p) == smallest(*before) else entry for p, entry in entries.items()}
    sink = BytesIO()
    tabulate(game, forged, sink)
    with pytest.raises(BadTable, match="but its moves give"):
        verify(Table(game, Reader(sink.getvalue(), "forged")))
