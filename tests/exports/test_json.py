"""JSON: what was written agrees with the table, and the player from a file plays as well as the table does."""

import gzip
import json
from collections import Counter
from random import Random

import pytest

from command_line import complaint, output
from export_files import export, truth
from perfectplay.game import canonical
from perfectplay.players.bots.json_player import choices
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, parse_position, value_name
from perfectplay.solvers.table.json_reader import best_moves_in

GAMES = {"tic-tac-toe": (765, 5_478), "examples/hexapawn.py": (69, 131)}
MORE = {"tactic-toe": (9_190, 73_450), "kingpawns": (11_509, 11_851)}
CASES = [(name, *counts) for name, counts in GAMES.items()]
CASES += [pytest.param(name, *counts, marks=pytest.mark.nightly) for name, counts in MORE.items()]


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize(("name", "classes", "positions"), CASES)
def test_round_trip(tmp_path, capsys, name, classes, positions, everything):
    path = tmp_path / "solved.json.gz"
    facts = export(capsys, name, path, *(["--all"] if everything else []))
    solved = json.loads(gzip.decompress(path.read_bytes()))
    game, known = load_game(name), truth(name)
    smallest = canonical(game)
    assert (solved["format"], solved["game"], solved["all"]) == ("perfectplay-solution-1", name, everything)
    assert (solved["value"], solved["distance"]) == (value_name(known[game.start][0]), known[game.start][0].distance)
    assert facts["rows"] == solved["count"] == len(solved["positions"]) == (positions if everything else classes)
    assert next(iter(solved["positions"])) == solved["start"]
    seen, told = set(), best_moves_in(path, game)
    for text, said in solved["positions"].items():
        position, side = parse_position(game, text)
        entry, best = known[position]
        names = [move_name(game, position, side, move) for move in best]
        assert said == {"value": value_name(entry), "distance": entry.distance, "best": names}
        seen.add(position if everything else smallest(*position))
    assert seen == (set(known) if everything else {smallest(*position) for position in known})
    for position, (_, best) in known.items():  # what the player chooses from
        assert not best or choices(game, position, told[smallest(*position)]) == best


def test_packed_is_the_same(tmp_path, capsys):
    export(capsys, "tic-tac-toe", tmp_path / "a.json")
    export(capsys, "tic-tac-toe", tmp_path / "b.json.gz")
    export(capsys, "tic-tac-toe", tmp_path / "c", "--format", "json.gz")
    plain, packed = (tmp_path / "a.json").read_bytes(), (tmp_path / "b.json.gz").read_bytes()
    assert gzip.decompress(packed) == plain
    assert (tmp_path / "c").read_bytes() == packed  # nothing in it but the solution: no time, no name


def test_a_million_positions_are_not_held_as_text(tmp_path, capsys, monkeypatch):
    from perfectplay.exports import json_export

    written = []

    class Sink:
        def write(self, data):
            written.append(len(data))

    monkeypatch.setattr(json_export, "OFTEN", 100)
    for _ in json_export.json_writing(load_game("tic-tac-toe"), Sink(), compress=False, everything=True):
        pass
    assert len(written) == 3 + 5_477 // 100 + 1  # the head, the start, the end, and the others a hundred at a time
    assert max(written) < 100 * 400


@pytest.mark.parametrize(
    ("name", "results"),
    [("lines:4,2,3", [0, 0, 20]), pytest.param("tactic-toe", [20, 0, 0], marks=pytest.mark.nightly)],
)
def test_the_player_against_perfect_needs_nothing_but_its_file(tmp_path, capsys, monkeypatch, name, results):
    path = tmp_path / "solved.json"
    export(capsys, name, path)
    for seats in (f"json:{path} perfect", f"perfect json:{path}"):
        played = json.loads(output(capsys, f"battle {name} {seats} --games 20 --seed 1 --json"))
        assert [*played["wins"], played["draws"]] == results
        assert played["forfeits"] == [0, 0]
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))  # set in other lines
    monkeypatch.setattr("perfectplay.solvers.oracle.lookup_while", None)
    monkeypatch.setattr("perfectplay.solvers.table.table_folder.kept_table", None)
    played = json.loads(output(capsys, f"battle {name} json:{path} random --games 60 --seed 1 --json"))
    assert played["wins"][1] == 0


def test_moves_are_chosen_at_random(tmp_path, capsys):
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
    twice = text.replace('["b2"]', '["b2", "b2"]', 1).replace('"count": 765', '"count": 764')
    for damaged, why in [
        ("".join(lines[:100]), "positions of 765 are there"),
        (twice, "positions of 764 are there"),
        (text.replace('["b2"]', '["b9"]', 1), "'b9' is not a legal move"),
        (text.replace("O:X../.../...", "O:X../.../..", 1), "is not 3 rows of 3 squares"),
        (text.replace('["b2"]', "[]", 1), "has the best moves []"),
        (text.replace(lines[12], lines[11]), "is there twice"),
        (text + "more", "something behind its end"),
        (text[:5000], "cannot be used"),
        ("[" * 100_000, "cannot be used"),
        ("[1, 2]", "is not an exported solution"),
        ("", "cannot be used"),
    ]:
        path.write_text(damaged)
        assert why in complaint(capsys, battle.format("tic-tac-toe"))
    packed = tmp_path / "solved.json.gz"
    packed.write_bytes(gzip.compress(text.encode())[:-200])
    assert "cannot be used" in complaint(capsys, battle.format("tic-tac-toe").replace(str(path), str(packed)))
    assert "needs a file that perfectplay exported" in complaint(capsys, "battle tic-tac-toe json: random")
    assert "cannot be read: No such file" in complaint(capsys, "battle tic-tac-toe json:none.json random")
    assert "cannot be read: Is a directory" in complaint(capsys, f"battle tic-tac-toe json:{tmp_path} random")
    assert facts["bytes"] == len(text)
