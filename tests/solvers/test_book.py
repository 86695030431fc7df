"""Opening books are made by search, correct, and resumable; damaged ones are refused."""

import json
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import numpy as np
import pytest

import perfectplay
from command_line import complaint, output
from perfectplay import BadArgument, BadTable, Entry, load
from perfectplay.__main__ import main
from perfectplay.game import canonical, levels
from perfectplay.processes.folders import replacing
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.search.alphabeta import Question
from perfectplay.solvers.search.book import Options, making_book, progress_of_book, verify_book
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import Searcher
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table import table_in_file, table_output, tabulate
from perfectplay.solvers.table.table_folder import SHIPPED, book_of, place_of_book

SMALL = {"threads": 2, "slot_bits": 16}


def made(game, plies, **more):
    """The book of the game, in its default place."""
    return finished(making_book(game, Options(plies, place_of_book(game), **{**SMALL, **more})))


def test_a_book_agrees_with_the_table():
    game = load("drop:4,4,4")
    table, book = perfectplay.solve(game), made(game, 5)
    entries = dict(book.entries())
    assert entries == {position: table.lookup(position) for position in entries}
    smallest = canonical(game)
    assert entries.keys() == {smallest(*words) for level in islice(levels(game), 6) for words in level}
    assert book.header.plies == 5
    assert book.header.positions == sum(len(level) for level in islice(levels(game), 6))
    assert finished(verify_book(book, 20, 1)) > 100


def test_answers_come_from_the_book_and_beyond_its_last_ply_it_still_helps():
    game = load("drop:4,4,4")
    beyond = game.play(*game.play(*game.start, 0), 0)

    def answers(searcher):
        found = searcher.analyse(beyond)
        rest = finished(searcher.choosing(beyond, Limits()))[:3]
        return found.nodes, (found.here, found.moves, searcher.best_moves(beyond), rest)

    nodes, alone = answers(Searcher(game))
    made(game, 2)
    searcher = Searcher(game)
    fewer, helped = answers(searcher)
    assert helped == alone
    assert 0 < fewer < nodes
    analysis = searcher.analyse(game.play(*game.start, 2))
    assert (analysis.exact, analysis.nodes, analysis.here.distance) == (True, 0, 15)
    assert searcher.best_moves(game.start) == [0, 1, 2, 3]


def test_the_deepest_book_of_the_current_rules_is_used(home):
    game = load("drop:4,4,4")
    assert book_of(game) is None
    made(game, 2)
    path = place_of_book(game).with_name("another.book")
    finished(making_book(game, Options(4, path, **SMALL)))
    assert book_of(game).header.plies == 4
    path.write_bytes(b"nonsense")
    assert book_of(game).header.plies == 2
    assert book_of(load("drop:4,4,3")) is None


def test_the_bundled_book():
    game = load("connect-four")
    book = book_of(game)
    assert Path(book.reader.name).parent == SHIPPED
    assert len(book.reader.data) < 10_000_000
    assert (book.header.plies, len(book)) == (8, 130_811)
    assert book.header.positions == sum(len(level) for level in islice(levels(game), 9))
    analysis = Searcher(game).analyse(game.start)
    assert analysis.nodes == 0
    entries = [(known.value, known.distance) for _, known in sorted(analysis.moves.items())]
    assert entries == [(-1, 40), (-1, 42), (0, 42), (1, 41), (0, 42), (-1, 42), (-1, 40)]
    assert book_of(load("drop:7,6,4")).header.plies == 8
    assert book_of(load("drop:6,7,4")) is None


@pytest.mark.nightly
def test_the_bundled_book_is_correct(capsys):
    said = output(capsys, "verify connect-four --sample 150")
    assert "is right: verified 39,666 canonical positions" in said


def test_a_wrong_book_is_detected(tmp_path):
    game = load("drop:4,4,4")
    entries = dict(made(game, 3).entries())
    for position in (game.start, max(entries, key=lambda words: sum(words).bit_count())):
        with replacing(tmp_path / "wrong.book") as sink:
            tabulate(game, {**entries, position: Entry(1, 9)}, sink, 3)
        with pytest.raises(BadTable, match="is wrong"):
            finished(verify_book(table_in_file(tmp_path / "wrong.book", game), 100, 1))


def test_an_interrupted_book_resumes(monkeypatch):
    game, calls = load("drop:4,4,4"), count()
    whole = Question.pursue

    def breaks_down(question, nodes):
        if next(calls) == 40:
            raise RuntimeError("interrupted")
        return whole(question, nodes)

    monkeypatch.setattr(Question, "pursue", breaks_down)
    with pytest.raises(RuntimeError, match="interrupted"):
        made(game, 5, threads=1)
    assert not place_of_book(game).exists()
    book = finished(making_book(game, Options(5, place_of_book(game), resume=True, **SMALL)))
    assert next(calls) - 41 < 219 - 30  # it does not search again what is known
    assert not progress_of_book(game).exists()
    assert dict(book.entries()) == dict(made(game, 5).entries())


def test_a_damaged_book_is_found_by_its_game(capsys):
    place_of_book(load("drop:6,6,4")).parent.mkdir(parents=True)
    place_of_book(load("drop:6,6,4")).write_bytes(b"nonsense")
    assert "is not a complete table" in complaint(capsys, "verify drop:6,6,4")


def test_an_unreadable_checkpoint_is_not_resumed():
    game = load("drop:4,4,4")
    book = made(game, 3)
    folder = progress_of_book(game)
    saved = CheckpointFolder(folder, game.name, f"{fingerprint(game)} 3", 0.0)
    saved.keep({"scores1": np.zeros(4, np.int16)}, {"scores": "scores1"})
    next(folder.glob("*.npy")).write_bytes(b"")
    assert dict(made(game, 3, resume=True).entries()) == dict(book.entries())


def test_a_book_in_a_file_of_the_users_removes_no_other(tmp_path, monkeypatch):
    """In the folder of books one of earlier rules is outdated; elsewhere it is somebody's file."""
    removed = []
    monkeypatch.setattr("perfectplay.solvers.search.book.remove_outdated", lambda *seen: removed.append(seen))
    path = tmp_path / "own.book"
    finished(making_book(load("drop:4,4,4"), Options(0, path, **SMALL), table_output(path).writing()))
    assert path.exists()
    assert not removed


def test_a_book_outlives_a_file_that_appears_meanwhile(tmp_path):
    path = tmp_path / "mine.book"

    @contextmanager
    def taken():
        with table_output(path).writing() as sink:
            path.write_text("mine")
            yield sink

    game = load("drop:4,4,4")
    book = finished(making_book(game, Options(2, path, **SMALL), taken()))
    assert isinstance(book.unwritten, BadArgument)
    assert book.lookup(game.start) == perfectplay.solve(game).lookup(game.start)
    assert path.read_text() == "mine"


def test_the_command(capsys, tmp_path):
    path = tmp_path / "small.book"
    found = json.loads(output(capsys, f"book drop:4,4,4 --plies 2 --to {path} --json"))
    assert found.pop("seconds") > 0
    assert found == {
        "game": "drop:4,4,4",
        "value": "draw",
        "distance": 16,
        "plies": 2,
        "classes": 11,
        "bytes": path.stat().st_size,
        "book": str(path),
    }
    assert "is right: verified 11 canonical positions" in output(capsys, f"verify {path}")
    assert "draws, in 16 plies with best play" in output(capsys, "book drop:4,4,4 --plies 1")
    assert main("book drop:4,4,4 --plies 1 --resume".split()) == 0
    assert "no saved progress for a book of drop:4,4,4; starting from the beginning" in capsys.readouterr().err
