"""Extra turns and points on disk: the tables equal those of the engine that works in memory, byte for byte."""

import pytest
from runs import compiled_table, table_on_disk

from perfectplay import BadGame, load
from rings import nightly
from turn_game_files import written


@pytest.mark.parametrize("name", ["dots:2,1", *nightly("centre", "coins", "dots:2,2", "kalah:3,2", "morris:3,2")])
def test_the_table_has_the_bytes_of_the_compiled_one(name, tmp_path):
    name = name if ":" in name else written(tmp_path, name)
    table, _ = table_on_disk(name, tmp_path / "work", 3, 1000)
    assert table == compiled_table(load(name))


@pytest.mark.nightly
def test_points_with_cycles_are_refused(tmp_path):
    path = tmp_path / "endless.py"
    text = "from dataclasses import replace\n\nfrom perfectplay import load\n\n\ndef game():\n"
    path.write_text(f'{text}    return replace(load("fading:3,2"), margin=lambda mine, theirs: -1)\n')
    with pytest.raises(BadGame, match="can repeat"):
        table_on_disk(str(path), tmp_path / "work", 3, 300)
