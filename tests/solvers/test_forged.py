"""Forged tables, parts and books with valid checksums are refused in one line, fast and in little memory."""

import os
import random
import subprocess
import sys
import tracemalloc
import zlib
from contextlib import suppress

import pytest

from forging import entries_of, index_of, put_together, taken_apart
from perfectplay import BadTable, load, open_table
from perfectplay.processes.folders import replacing
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.table.table import Table, reader_of, tabulate
from perfectplay.solvers.table.table_file import MARK, TAIL
from perfectplay.solvers.table.table_parts import PartsWriter, part_path

GAME = "tic-tac-toe"
BLOCK = 128
KINDS = ("table", "book", "head", "part")
HUGE = 10**400
NUMBERS = (1.5, float("nan"), -1, -HUGE, HUGE, 2**64)
NONSENSE = [None, True, "", "x", "\0\n\x1b[31m", *NUMBERS, [], {"a": 1}, [1] * 9]
CHANGES = {
    "positions": [1],
    "classes": [1, -1, BLOCK],
    "key_bytes": [1],
    "grade_bytes": [1, -1],
    "block": [1, -1, 1 << 16],
    "longest": [84],
    "distance": [100],
    "format": [1],
}
"""Changes of numbers that contradict the blocks, the index or other numbers."""
TEXTS = [
    *(b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"format": 1' + b"0" * 10_000 + b"}"),
    b'{"format": 1, "parts": [' + b"[0,1,2]," * 200_000 + b"[0,1,2]]}",
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A table of several blocks, the same in parts, and a book: the path of each, and the file to forge."""
    game, folder = load(GAME), tmp_path_factory.mktemp("forged")
    table, book, parts = (folder / name for name in ("whole.table", "some.book", "parts.table"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("perfectplay.solvers.table.table.SIZE", BLOCK)
        for path, plies in ((table, None), (book, 9)):
            with replacing(path) as sink:
                tabulate(game, solved_positions(game), sink, plies)
    whole = open_table(table, game)
    with replacing(parts) as sink:
        writer = PartsWriter(sink, whole.header, parts, 600)
        for number, first in enumerate(whole.reader.firsts):
            writer.add(first, whole.reader.block_bytes(number))
        writer.finish()
    assert len(whole.reader.firsts) == 6
    assert open_table(parts, game).header.parts[0][1] > BLOCK
    return {"table": (table, table), "book": (book, book), "head": (parts, parts), "part": (parts, part_path(parts, 0))}


def read_through(path):
    """Opens the table and reads all of it."""
    table = Table(load(GAME), reader_of(path))
    for _, entry in table.entries():
        assert entry.distance is None or entry.distance >= 0
    table.find(table.game.start)


def complaint_about(files, kind, forge):
    """The message about a file that was forged this way; restores the file afterwards."""
    path, forged = files[kind]
    whole = forged.read_bytes()
    try:
        forged.write_bytes(put_together(*forge(*taken_apart(whole))))
        return fault_of(lambda: read_through(path))
    finally:
        forged.write_bytes(whole)


def fault_of(read):
    """The message of the refusal: one short line."""
    with pytest.raises(BadTable) as caught:
        read()
    said = str(caught.value)
    assert "\n" not in said
    assert "\x1b" not in said
    assert len(said) < 500
    return said


def with_fields(**fields):
    """A forger of these fields of the header."""
    return lambda blocks, index, header: (blocks, index, {**header, **fields})


def with_block(place, *, key=None, packed=None):
    """A forger of a block: its first key, of those of the first two, or its bytes."""

    def forge(blocks, index, header):
        entries = entries_of(index, header["key_bytes"])
        if key is not None:
            entries[place] = (key(entries[0][0], entries[1][0]), *entries[place][1:])
        if packed is not None:
            begin = sum(length for _, length, _ in entries[:place])
            blocks = blocks[:begin] + packed + blocks[begin + entries[place][1] :]
            entries[place] = (entries[place][0], len(packed), zlib.crc32(packed))
        return blocks, index_of(entries, header["key_bytes"]), header

    return forge


@pytest.mark.parametrize("kind", KINDS)
def test_fields_that_are_missing_or_of_another_type_or_size_are_refused(files, kind):
    read_through(files[kind][0])
    optional = ("plies", "parts", "part")
    header = taken_apart(files[kind][1].read_bytes())[2]
    fields = [field for field in header if field not in optional]
    assert len(fields) == 15
    for field in fields:
        rest = {f: header[f] for f in fields if f != field}
        complaint_about(files, kind, lambda blocks, index, header, rest=rest: (blocks, index, rest))
    for field in (*fields, *optional):
        for value in NONSENSE[field in optional :]:
            if (field == "game" and isinstance(value, str) and value) or (field, value) == ("value", -1):
                continue  # any text may be a name; -1 is a loss
            complaint_about(files, kind, with_fields(**{field: value}))


@pytest.mark.parametrize("kind", KINDS)
def test_headers_that_contradict_the_file_are_refused(files, kind):
    header = taken_apart(files[kind][1].read_bytes())[2]
    for field, changes in CHANGES.items():
        for change in changes:
            complaint_about(files, kind, with_fields(**{field: header[field] + change}))
    for text in TEXTS:
        complaint_about(files, kind, lambda blocks, index, header, text=text: (blocks, index, text))


def test_impossible_parts_are_refused(files):
    [first, *rest] = taken_apart(files["head"][1].read_bytes())[2]["parts"]
    complaint_about(files, "head", with_fields(parts=[*rest[::-1], first]))
    for number in range(3):
        for change in (1, -1, BLOCK, 10**30, -(10**30)):
            wrong = [*first[:number], first[number] + change, *first[number + 1 :]]
            complaint_about(files, "head", with_fields(parts=[wrong, *rest]))


@pytest.mark.parametrize("kind", ["table", "book", "part"])
def test_keys_are_in_order(files, kind):
    for key in (lambda first, second: first, lambda first, second: max(first - 1, 0)):
        assert "not sorted" in complaint_about(files, kind, with_block(1, key=key))
    said = complaint_about(files, kind, with_block(0, key=lambda first, second: second - 1))
    assert "reach into the next" in said or "does not match the header" in said


@pytest.mark.parametrize("kind", ["table", "book"])
def test_impossible_blocks_are_refused(files, kind):
    steps, grades = b"\1" * (BLOCK - 1), b"\1" * BLOCK
    texts = (
        *(b"", b"\1", b"\0" + grades, b"\1" + b"\0" + steps[1:] + grades, b"\1" + steps + b"\0" + grades[1:]),
        *(b"\1" + steps + b"\xff" + grades[1:], b"\1" + steps + grades + b"\1"),
        b"\xff" + b"\1" * (255 * (BLOCK - 1)) + grades,
    )
    whole = zlib.compress(b"\1" + steps + grades)
    for packed in (*map(zlib.compress, texts), whole[:-5], whole + b"more"):
        complaint_about(files, kind, with_block(0, packed=packed))


@pytest.mark.parametrize("kind", KINDS)
def test_no_forgery_takes_much_memory(files, kind):
    packer = zlib.compressobj(1)
    bomb = b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(64)), packer.flush()])
    forgeries = [with_block(0, packed=bomb)] if kind in ("table", "book") else []
    for fields in (
        {"classes": 10**15, "block": 1},
        {"classes": 10**15, "wins": 10**15, "positions": 10**15},
        {"key_bytes": 1 << 40},
        {"longest": 1 << 40},
    ):
        forgeries.append(with_fields(**fields))
    load(GAME)
    tracemalloc.start()
    try:
        for forge in forgeries:
            complaint_about(files, kind, forge)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_every_forgery_is_refused_or_readable_to_its_end(files, kind):
    rng, (path, forged) = random.Random(1), files[kind]
    whole = forged.read_bytes()
    for _ in range(100):
        blocks, index, header = taken_apart(whole)
        for field in rng.sample([*header, "plies", "parts", "part"], rng.randint(1, 3)):
            number = header.get(field)
            near = [number + rng.randint(-3, 3), number * 2, number + BLOCK] if type(number) is int else [GAME]
            header[field] = rng.choice([*NONSENSE, *near, rng.randrange(1 << rng.randint(1, 80))])
        if rng.random() < 0.3:
            index = rng.randbytes(len(index) - rng.choice([0, 0, 1, 12]) if index else 5)
        forged.write_bytes(put_together(blocks, index, header))
        with suppress(BadTable):
            read_through(path)
    forged.write_bytes(whole)


def test_a_forged_name_gives_one_line(files, tmp_path):
    blocks, index, header = taken_apart(files["table"][0].read_bytes())
    for name in ("\0.py", "a\nb\x1b[31m", "x" * 100 + ".py", "lines:9999999999", "\udc80.py", "drop:4,3"):
        (tmp_path / "t.table").write_bytes(put_together(blocks, index, {**header, "game": name}))
        fault_of(lambda: open_table(tmp_path / "t.table"))


SHRINKS = """
import os, sys
from perfectplay import BadTable, load, open_table

game, wrong = load("tic-tac-toe"), 0
for path, part in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    whole = open(part, "rb").read()
    entries = dict(open_table(path, game).entries())
    for size in (len(whole) // 2, 20, 0):
        table = open_table(path, game)
        os.truncate(part, size)
        for position, entry in [*entries.items()][::7]:
            try:
                assert table.lookup(position) == entry
            except BadTable as fault:
                assert "\\n" not in str(fault) and os.path.basename(path) in str(fault)
                wrong += 1
        try:
            table.save(part + ".copy")
            assert dict(open_table(part + ".copy", game).entries()) == entries
        except BadTable:
            wrong += 1
        open(part, "wb").write(whole)
print(wrong)
"""


def test_a_file_that_shrinks_while_it_is_open_is_refused(files):
    """In a process of its own: a memory-mapped file would end it by SIGBUS."""
    paths = [str(path) for kind in KINDS for path in files[kind]]
    done = subprocess.run([sys.executable, "-c", SHRINKS, *paths], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 3 * 3 * 50  # all but the head of parts, which is read when it is opened


def test_a_file_that_is_replaced_while_it_is_open_goes_on_answering(files, tmp_path):
    (tmp_path / "some.table").write_bytes(files["table"][0].read_bytes())
    table, entries = open_table(tmp_path / "some.table"), solved_positions(load(GAME))
    (tmp_path / "other").write_bytes(b"another table")
    os.replace(tmp_path / "other", tmp_path / "some.table")
    assert all(table.lookup(position) == entry for position, entry in entries.items())


def test_a_forged_length_of_the_header_takes_no_memory(tmp_path):
    """A sparse file of a terabyte that says that all of it is header."""
    size, most = 1 << 40, (1 << 32) - 1
    with open(tmp_path / "some.table", "wb") as file:
        file.write(MARK)
        file.seek(size)
        file.write(TAIL.pack(0, most, 0, 0) + MARK)
    with pytest.raises(BadTable, match="header is too long"):
        open_table(tmp_path / "some.table")
