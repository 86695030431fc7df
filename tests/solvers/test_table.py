"""Tables survive a round trip, and damaged, foreign or outdated ones are never trusted."""

import dataclasses
import json
import random
import struct
import zlib

import pytest

import perfectplay
from perfectplay import DRAW, LOSS, WIN, BadPosition, BadTable, Entry, load, open_table
from perfectplay.game import images
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.table.grades import Grades
from perfectplay.solvers.table.table import tabulate
from perfectplay.solvers.table.table_folder import kept_tables, table_path


@pytest.fixture(scope="module")
def tic_tac_toe():
    return perfectplay.solve(load("tic-tac-toe"), "python")


@pytest.fixture
def saved(tic_tac_toe, tmp_path):
    tic_tac_toe.save(tmp_path / "ttt.table")
    return tmp_path / "ttt.table"


@pytest.mark.parametrize("longest", [0, 1, 2, 9, 83, 84, 1000])
def test_grades_are_entries_in_the_order_of_preference(longest):
    grades = Grades(longest)
    entries = [grades.entry(grade) for grade in range(1, grades.size)]
    assert [grades.grade(entry) for entry in entries] == list(range(1, grades.size))
    assert entries == sorted(entries, key=Entry.preference)
    assert grades.ends() == [grades.grade(Entry(value, 0)) for value in (LOSS, DRAW, WIN)]
    earlier = grades.earlier()
    assert earlier[0] == 0
    for grade, entry in enumerate(entries, 1):
        before = entry.before()
        if before.distance is not None:
            before = before._replace(distance=min(longest, before.distance))
        assert grades.entry(earlier[grade]) == before


def test_all_positions_and_images_are_found(saved):
    table, game = open_table(saved), load("tic-tac-toe")
    turns = images(game)
    for position, entry in solved_positions(game).items():
        assert table.lookup(position) == table.lookup(turns.image(*position, 5)) == entry
    assert len(table) == len(list(table.entries())) == 765
    assert all(table.lookup(position) == entry for position, entry in table.entries())


UNREACHABLE = [(0b111, 0b111000), (1, 1), (0b11, 0)]
NO_POSITIONS = [(512, 0), (-1, 0), (0, 0, 0), "X:.../.../...", None, (0.0, 1)]


@pytest.mark.parametrize(
    ("position", "why"),
    [*((p, "cannot be reached") for p in UNREACHABLE), *((p, "not a position") for p in NO_POSITIONS)],
)
def test_an_unreachable_position_is_an_error(tic_tac_toe, position, why):
    with pytest.raises(BadPosition, match=why):
        tic_tac_toe.lookup(position)


@pytest.mark.parametrize("name", ["drop:4,3,3", "fading:3,2"])
def test_random_words_are_found_only_if_they_are_reachable(name):
    game, rng = load(name), random.Random(1)
    entries, turns = solved_positions(game), images(game)
    table = perfectplay.solve(game, "python")
    for _ in range(1000):
        position = (rng.getrandbits(game.bits), rng.getrandbits(game.bits))
        if rng.random() < 0.5:  # a real one with a bit changed
            mine, theirs = rng.choice(list(entries))
            position = (mine ^ 1 << rng.randrange(game.bits), theirs)
        try:
            found = table.lookup(position)
        except BadPosition:
            continue
        assert any(entries.get(turns.image(*position, i)) == found for i in range(turns.count))


def test_a_thousand_corruptions_are_all_detected(saved):
    whole = saved.read_bytes()
    rng = random.Random(7)
    for _ in range(1000):
        damaged, at = bytearray(whole), rng.randrange(len(whole))
        match rng.randrange(5):
            case 0:  # a flipped bit
                damaged[at] ^= 1 << rng.randrange(8)
            case 1:  # some bytes overwritten
                size = rng.randint(1, 40)
                damaged[at : at + size] = rng.randbytes(len(damaged[at : at + size]))
            case 2:  # truncated
                del damaged[at:]
            case 3:  # bytes removed or inserted
                damaged[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
            case 4:  # two parts swapped
                a, b = sorted(rng.sample(range(len(whole)), 2))
                damaged = damaged[:a] + damaged[b:] + damaged[a:b]
        if bytes(damaged) == whole:
            continue
        saved.write_bytes(damaged)
        with pytest.raises(BadTable):
            open_table(saved)


def test_a_damaged_block_of_a_large_table_is_detected_when_read(saved, monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.table.table_file.CHECKED_AT_ONCE", 0)
    damaged = bytearray(saved.read_bytes())
    damaged[40] ^= 1
    saved.write_bytes(damaged)
    table = open_table(saved)
    with pytest.raises(BadTable, match="block 0 is damaged"):
        table.lookup((0, 0))


@pytest.mark.parametrize("content", [b"", b"x", b"PK\3\4" * 100, b"\x89perfectplay\r\n\x1a\n" * 2])
def test_foreign_files_are_refused(tmp_path, content):
    (tmp_path / "foreign").write_bytes(content)
    with pytest.raises(BadTable):
        open_table(tmp_path / "foreign")


def test_missing_files_and_folders_are_refused(tmp_path):
    for path, why in ((tmp_path / "missing", "No such file"), (tmp_path, "cannot be read")):
        with pytest.raises(BadTable, match=why):
            open_table(path)


def test_changed_rules_never_read_an_old_table(saved):
    game = load("tic-tac-toe")
    changes = (
        {"start": (0, 1)},
        {"symmetries": ()},
        # differs at one of 5,478 positions only, which a sample may miss
        {"outcome": lambda m, t: DRAW if (m, t) == (0b000101001, 0b1010010) else game.outcome(m, t)},
    )
    for changed in (load("misere"), *(dataclasses.replace(game, **change) for change in changes)):
        with pytest.raises(BadTable, match="made for other rules"):
            open_table(saved, changed)
    assert open_table(saved, dataclasses.replace(game, name="by another name")).lookup((0, 0)) == Entry(DRAW, 9)


def test_a_table_of_a_missing_game(tmp_path):
    game = dataclasses.replace(load("tic-tac-toe"), name="./gone.py")
    with (tmp_path / "gone.table").open("wb") as sink:
        tabulate(game, solved_positions(game), sink)
    with pytest.raises(BadTable, match=r"is a table of ./gone.py, which does not load"):
        open_table(tmp_path / "gone.table")
    assert open_table(tmp_path / "gone.table", game).lookup((0, 0)) == Entry(DRAW, 9)


def test_no_unfinished_file_is_left(tic_tac_toe, saved, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    before = saved.read_bytes()
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        tic_tac_toe.save(saved)
    assert {file.name for file in saved.parent.iterdir()} == {"ttt.table", "ttt.table.checked"}
    assert saved.read_bytes() == before


def test_the_format_matches_its_documentation(saved):
    """An independent reader, written from docs/reference/table-format.md alone."""
    data = saved.read_bytes()
    mark = b"\x89perfectplay\r\n\x1a\n"
    assert data[:16] == data[-16:] == mark
    index_length, header_length, index_check, header_check = struct.unpack("<QIII", data[-36:-16])
    header_text = data[-36 - header_length : -36]
    index = data[-36 - header_length - index_length : -36 - header_length]
    assert (zlib.crc32(index), zlib.crc32(header_text)) == (index_check, header_check)
    header = json.loads(header_text)
    assert (header["format"], header["game"], header["classes"]) == (1, "tic-tac-toe", 765)
    keys, grades, at = [], [], 16
    for i in range(0, len(index), header["key_bytes"] + 8):
        key = int.from_bytes(index[i : i + header["key_bytes"]], "little")
        length, check = struct.unpack_from("<II", index, i + header["key_bytes"])
        assert zlib.crc32(data[at : at + length]) == check
        text = zlib.decompress(data[at : at + length])
        at += length
        count = min(header["block"], header["classes"] - len(keys))
        width, steps = text[0], count - 1
        keys.append(key)
        for n in range(steps):
            key += sum(text[1 + plane * steps + n] << 8 * plane for plane in range(width))
            keys.append(key)
        grades += text[1 + width * steps :]
    assert at == len(data) - 36 - header_length - index_length
    entries, far = {}, header["longest"]
    for key, grade in zip(keys, grades, strict=True):
        if grade <= far + 1:
            entry = (-1, grade - 1)
        elif grade == far + 2:
            entry = (0, None)
        elif grade <= 2 * far + 3:
            entry = (0, 2 * far + 3 - grade)
        else:
            entry = (1, 3 * far + 4 - grade)
        entries[key >> 9, key & 511] = entry
    assert len(entries) == 765
    assert entries.items() <= solved_positions(load("tic-tac-toe")).items()


# The table folder


def test_file_names_are_plain_and_distinguish_games():
    names = [table_path(load(name)).name for name in ("tic-tac-toe", "lines:3,3,3,misere=true", "drop:4,4,4")]
    assert len(set(names)) == 3
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.") for name in names)
    assert [name.partition("-")[0] for name in names] == ["lines", "lines", "drop"]


def test_the_table_folder_lists_damaged_tables_too(home, tic_tac_toe):
    table_folder = home / "data" / "tables"
    table_folder.mkdir(parents=True)
    tic_tac_toe.save(table_folder / "a.table")
    (table_folder / "b.table").write_bytes(b"nonsense")
    good, bad = kept_tables()
    assert good.header.game == "tic-tac-toe"
    assert isinstance(bad.header, BadTable)
