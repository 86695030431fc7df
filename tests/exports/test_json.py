"""JSON: what was written agrees with the table, and the player from a file plays as well as the table does."""

import gzip
import json
from collections import Counter

import pytest

from command_line import complaint, output
from export_files import export, truth
from perfectplay.game import canonical
from perfectplay.loading import load_game
from perfectplay.notation import move_name, parse_position, value_name
from perfectplay.players import player_maker
from perfectplay.players.json_player import choices
from perfectplay.table.json_reader import best_moves_in

GAMES = {
    "tic-tac-toe": (765, 5_478),
    "tactic-toe": (9_190, 73_450),
    "kingpawns": (11_509, 11_851),
    "examples/hexapawn.py": (69, 131),
}


@pytest.mark.parametrize(
    ("name", "everything"),
    [
        pytest.param(name, everything, marks=pytest.mark.nightly if name in ("tactic-toe", "kingpawns") else ())
        for everything in (False, True)
        for name in GAMES
    ],
)
def test_round_trip(tmp_path, capsys, name, everything):
    path = tmp_path / "solved.json"
    facts = export(capsys, name, path, *(["--all"] if everything else []))
    solved = json.loads(path.read_text())
    game, known = load_game(name), truth(name)
    smallest = canonical(game)
    assert solved["format"] == "perfectplay-solution-1"
    assert solved["game"] == name
    assert solved["all"] is everything
    assert (solved["value"], solved["distance"]) == (value_name(known[game.start][0]), known[game.start][0].distance)
    assert facts["rows"] == solved["count"] == len(solved["positions"]) == GAMES[name][everything]
    assert next(iter(solved["positions"])) == solved["start"]
    seen = set()
    for text, said in solved["positions"].items():
        position, side = parse_position(game, text)
        entry, best = known[position]
        names = [move_name(game, position, side, move) for move in best]
        assert said == {"value": value_name(entry), "distance": entry.distance, "best": names}
        seen.add(position if everything else smallest(*position))
    assert seen == (set(known) if everything else {smallest(*position) for position in known})


def test_packed_is_the_same(tmp_path, capsys):
    export(capsys, "tic-tac-toe", tmp_path / "a.json")
    export(capsys, "tic-tac-toe", tmp_path / "b.json.gz")
    export(capsys, "tic-tac-toe", tmp_path / "c", "--format", "json.gz")
    plain, packed = (tmp_path / "a.json").read_bytes(), (tmp_path / "b.json.gz").read_bytes()
    assert gzip.decompress(packed) == plain
    assert (tmp_path / "c").read_bytes() == packed  # nothing in it but the solution: no time, no name


def test_a_million_positions_are_not_held_as_text(tmp_path, capsys, monkeypatch):
    from perfectplay.exporters import json_export

    written = []

    class Sink:
        def write(self, data):
            written.append(len(data))

    monkeypatch.setattr(json_export, "OFTEN", 100)
    for _ in json_export.writing(load_game("tic-tac-toe"), Sink(), packed=False, everything=True):
        pass
    assert len(written) == 3 + 5_477 // 100 + 1  # the head, the start, the end, and the others a hundred at a time
    assert max(written) < 100 * 400


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly if name in ("tactic-toe", "kingpawns") else ()) for name in GAMES],
)
def test_the_player_knows_all_best_moves(tmp_path, capsys, name):
    path = tmp_path / "solved.json.gz"
    export(capsys, name, path)
    game, known = load_game(name), truth(name)
    found, smallest = best_moves_in(path, game), canonical(game)
    for position, (_, best) in list(known.items())[:: 1 if len(known) < 20_000 else 7]:
        if best:
            assert choices(game, position, found[smallest(*position)]) == best


@pytest.mark.parametrize(
    ("ending", "name", "results"),
    [
        ("json", "tic-tac-toe", [0, 0, 60]),
        ("json.gz", "tic-tac-toe", [0, 0, 60]),
        pytest.param("json", "tactic-toe", [60, 0, 0], marks=pytest.mark.nightly),
    ],
)
def test_the_player_against_perfect(tmp_path, capsys, ending, name, results):
    path = tmp_path / f"solved.{ending}"
    export(capsys, name, path)
    played = json.loads(output(capsys, f"battle {name} json:{path} perfect --games 60 --seed 1 --json"))
    assert [*played["wins"], played["draws"]] == results
    assert played["forfeits"] == [0, 0]
    swapped = json.loads(output(capsys, f"battle {name} perfect json:{path} --games 60 --seed 1 --json"))
    assert [*swapped["wins"], swapped["draws"]] == results
    played = json.loads(output(capsys, f"battle {name} json:{path} random --games 60 --seed 1 --json"))
    assert played["wins"][1] == 0


def test_the_player_takes_a_file_set_in_other_lines(tmp_path, capsys):
    path = tmp_path / "solved.json"
    export(capsys, "tic-tac-toe", path)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    assert len(best_moves_in(path, load_game("tic-tac-toe"))) == 765


def test_the_player_needs_nothing_else(tmp_path, capsys, monkeypatch):
    path = tmp_path / "solved.json"
    export(capsys, "tic-tac-toe", path)
    monkeypatch.setattr("perfectplay.solvers.lookup_or_solve.lookup_for", None)
    monkeypatch.setattr("perfectplay.table.table_folder.kept_table", None)
    assert '"draws": 9' in output(capsys, f"battle tic-tac-toe json:{path} json:{path} --games 9 --seed 1 --json")


def test_moves_are_chosen_at_random(tmp_path, capsys):
    from random import Random

    from perfectplay.players import Seat

    path = tmp_path / "solved.json"
    export(capsys, "tic-tac-toe", path)
    game = load_game("tic-tac-toe")
    player = player_maker(f"json:{path}")(Seat(game, 0, Random(1)))
    counts = Counter(player(game.start) for _ in range(900))
    assert len(counts) == 9
    assert min(counts.values()) > 60


def test_files_that_cannot_be_used(tmp_path, capsys):
    path = tmp_path / "solved.json"
    facts = export(capsys, "tic-tac-toe", path)
    text = path.read_text()
    battle = f"battle {{}} json:{path} random --games 2 --seed 1"
    assert "is the solution of tic-tac-toe, and not of tactic-toe" in complaint(capsys, battle.format("tactic-toe"))
    lines = text.splitlines(keepends=True)
    for damaged, why in [
        ("".join(lines[:100]), "positions of 765 are there"),
        ("".join(lines[:99]) + "\n".join(lines[100:]), "positions of 765 are there"),
        (text.replace('["b2"]', '["b9"]', 1), "'b9' is not a legal move"),
        (text.replace("O:X../.../...", "O:X../.../..", 1), "is not 3 rows of 3 squares"),
        (text[:5000], "cannot be used"),
        (text.replace('["b2"]', "[]", 1), "has the best moves []"),
        (
            text.replace('["b2"]', '["b2", "b2"]', 1).replace('"count": 765', '"count": 764'),
            "positions of 764 are there",
        ),
        (text.replace(lines[12], lines[11]), "is there twice"),
        (text + "more", "something behind its end"),
        ("[" * 100_000, "cannot be used"),
        ("{}", "is not an exported solution"),
        ("[1, 2]", "is not an exported solution"),
        ("nonsense", "cannot be used"),
        ("", "cannot be used"),
    ]:
        path.write_text(damaged)
        assert why in complaint(capsys, battle.format("tic-tac-toe"))
    packed = tmp_path / "solved.json.gz"
    export(capsys, "tic-tac-toe", packed)
    packed.write_bytes(packed.read_bytes()[:-200])
    assert "cannot be used" in complaint(capsys, battle.format("tic-tac-toe").replace(str(path), str(packed)))
    assert "needs a file that perfectplay exported" in complaint(capsys, "battle tic-tac-toe json: random")
    assert "cannot be read: No such file" in complaint(capsys, "battle tic-tac-toe json:none.json random")
    assert "cannot be read: Is a directory" in complaint(capsys, f"battle tic-tac-toe json:{tmp_path} random")
    assert facts["bytes"] == len(text)
