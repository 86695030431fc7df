"""Makes an opening book: searches every position of the last ply, and derives earlier plies from their children."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.compilable import check_compiles
from perfectplay.game import Game, canonical, end_entry, images, legal_moves, move_entries
from perfectplay.processes.folders import replacing
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.loading import absolute_name
from perfectplay.rules.notation import entry_text, plies_text
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.scores import entry_of_score
from perfectplay.solvers.search.alphabeta import Question, Search
from perfectplay.solvers.search.search_clock import SLICE
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import Table, table_in_file, tabulate
from perfectplay.solvers.table.table_file import Reader
from perfectplay.solvers.table.table_folder import BOOK, checkpoint_of, remove_outdated
from perfectplay.solvers.validity.full_check import check_entry, check_start, wrong
from perfectplay.solvers.validity.validation import check_hints, check_rules
from perfectplay.words import DRAW, ONGOING, BadArgument, BadGame, Entry, PointsEntry, Position, TooBig

SLOT_BITS = 26
"""The transposition table of a book's searches: 512 MiB, since neighbouring positions share much of their trees."""
UNKNOWN, NO_POINTS = 999, 1 << 30
"""A score that is not known yet, and a margin."""
CHECKED = 20
"""Positions of the last ply near which the hints of a user's game are checked."""
MOST = 5_000_000
"""The most positions that the last ply may have."""


Scores = NDArray[np.int16] | NDArray[np.int32]
"""The scores of the last ply's positions, or their margins."""


class Options(NamedTuple):
    """How to make a book: its depth, its file, the number of threads, and whether to resume an interrupted one."""

    plies: int
    path: Path
    threads: int
    resume: bool = False
    save_after: float = 60.0
    slot_bits: int = SLOT_BITS


def progress_of_book(game: Game) -> Path:
    """The folder for checkpoints of this game's book."""
    return checkpoint_of(game, BOOK)


def making_book(game: Game, options: Options, target: AbstractContextManager[BinaryIO] | None = None) -> Steps[Table]:
    """Makes the book of the game, in steps; `target` opens its file if it is the user's own."""
    check_compiles(game)
    game = replace(game, name=absolute_name(game.name))
    if game.plies_left is None and game.margin is None:
        raise BadGame(f"{game.name} has no hint plies_left, which a book needs for the length of its draws")
    fingerprint(game)  # without one, a book could not be kept
    layers = yield from classes_by_ply(game, options.plies)
    check_rules(game, compiled=False)
    for position in Random(1).sample(layers[-1], min(CHECKED, len(layers[-1]))):
        check_hints(game, position)
    entries = yield from last_ply(game, layers[-1], options)
    for layer in reversed(layers[:-1]):
        entries.update(entries_from_children(game, layer, entries))
    everywhere = {image: entry for position, entry in entries.items() for image in all_images(game, position)}
    sink = BytesIO()
    tabulate(game, everywhere, sink, options.plies)
    book = write_book(game, sink.getvalue(), options.path, target or replacing(options.path))
    if target is None and book.unwritten is None:
        remove_outdated(options.path, book.header)
    return book


def write_book(game: Game, data: bytes, path: Path, file: AbstractContextManager[BinaryIO]) -> Table:
    """The book, written to its file; or held in memory, with the reason and the checkpoint kept, if writing fails."""
    try:
        with file as sink:
            sink.write(data)
    except (OSError, BadArgument) as fault:  # BadArgument: a file that has appeared meanwhile
        book = Table(game, Reader(data, f"the book of {game.name}"))
        book.unwritten = fault
        return book
    CheckpointFolder(progress_of_book(game), game.name, "", 0.0).forget()
    return table_in_file(path, game)


def classes_by_ply(game: Game, plies: int) -> Steps[list[list[Position]]]:
    """One position of each symmetry class on each ply; positions with a common parent are neighbours."""
    smallest = canonical(game)
    layers = [[smallest(*game.start)]]
    seen = set(layers[0])
    for ply in range(plies):
        fresh: dict[Position, None] = {}
        for position in layers[-1]:
            for move in legal_moves(game, position):
                fresh[smallest(*game.play(*position, move))] = None
        layers.append([position for position in fresh if position not in seen])
        seen.update(layers[-1])
        if len(layers[-1]) > MOST:
            raise TooBig(
                f"{game.name} has {len(layers[-1]):,} canonical positions after {plies_text(ply + 1)}; try fewer plies"
            )
        yield Step("positions", len(seen))
    return layers


def all_images(game: Game, position: Position) -> set[Position]:
    """The position and all its images."""
    turns = images(game)
    return {turns.image(*position, i) for i in range(turns.count)}


def entries_from_children(
    game: Game, layer: Sequence[Position], entries: dict[Position, Entry]
) -> dict[Position, Entry]:
    """The entries of one ply's positions, derived from those of their children."""
    smallest = canonical(game)
    layer_entries = {}
    for position in layer:
        moves = move_entries(game, position, lambda child: entries[smallest(*child)])
        layer_entries[position] = max(moves.values(), key=Entry.preference) if moves else end_entry(game, position)
    return layer_entries


def last_ply(game: Game, layer: Sequence[Position], options: Options) -> Steps[dict[Position, Entry]]:
    """The entries of the last ply's positions, each from a search; writes checkpoints."""
    rules = f"{fingerprint(game)} {options.plies}"
    saved = CheckpointFolder(progress_of_book(game), game.name, rules, options.save_after)
    facts = saved.load() if options.resume else {}
    scores = saved.array(facts["scores"]) if facts else no_scores(game, len(layer))
    if not facts:
        saved.forget()
    search = Search(game, options.slot_bits)
    todo = np.flatnonzero(unknown(scores)).tolist()
    solvers = Solvers(search, layer, todo, scores, options.threads)
    try:
        while not solvers.is_complete():
            yield Step("searching", int((~unknown(scores)).sum()), len(layer))
            time.sleep(0.2)
            if time.monotonic() >= saved.due:
                save_scores(saved, scores)
                saved.due = time.monotonic() + options.save_after
    finally:
        solvers.stop()
        save_scores(saved, scores)
    return {position: book_entry(game, position, int(score)) for position, score in zip(layer, scores, strict=True)}


def no_scores(game: Game, size: int) -> Scores:
    """So many scores, none of them known; margins take more room."""
    return np.full(size, UNKNOWN, np.int16) if game.margin is None else np.full(size, NO_POINTS, np.int32)


def unknown(scores: Scores) -> NDArray[np.bool_]:
    """Which of the scores are not known yet."""
    return np.equal(scores, UNKNOWN if scores.dtype == np.int16 else NO_POINTS)


def save_scores(saved: CheckpointFolder, scores: Scores) -> None:
    """Saves the scores known so far."""
    name = f"scores{int((~unknown(scores)).sum())}"
    saved.keep_now({name: scores.copy()}, {"scores": name})


def book_entry(game: Game, position: Position, score: int) -> Entry:
    """The entry of a position with this score."""
    if game.margin is not None:
        return PointsEntry(score)
    if score == 0 and game.plies_left is not None:
        return Entry(DRAW, game.plies_left(*position))
    return entry_of_score(score)


class Solvers:
    """Threads that search positions one after another and share a transposition table."""

    def __init__(
        self, search: Search, layer: Sequence[Position], todo: Sequence[int], scores: Scores, threads: int
    ) -> None:
        self.search, self.layer, self.todo, self.scores = search, layer, todo, scores
        self.next = count()
        self.stopped = False
        if search.kernels.WIDE:  # slots of two words would need locks
            threads = 1
        self.pool = ThreadPoolExecutor(threads)
        self.running = [self.pool.submit(self.work) for _ in range(threads)]

    def work(self) -> None:
        """Searches the next position that no thread has taken, until none is left."""
        question = Question(self.search)
        for number in self.next:
            if number >= len(self.todo):
                return
            place = self.todo[number]
            question.ask(self.layer[place])
            while not question.pursue(SLICE):
                if self.stopped:
                    return
            if not question.bounds.exact:
                raise TooBig(f"{self.search.game.name} has positions that a search of a hundred plies does not decide")
            self.scores[place] = question.bounds.low

    def is_complete(self) -> bool:
        """Whether all threads are done; raises what a thread has raised."""
        threads = [thread for thread in self.running if thread.done()]
        for thread in threads:
            thread.result()
        return len(threads) == len(self.running)

    def stop(self) -> None:
        """Ends the threads within a fraction of a second."""
        self.stopped = True
        self.pool.shutdown()


# Verifies an opening book: derives all plies from the last one, and searches a sample of the last one again.


SAMPLE = 100
"""The default number of positions of the last ply that are searched again."""


def verify_book(book: Table, sample: int, seed: int) -> Steps[int]:
    """Returns the number of classes checked; raises BadTable at the first that is wrong."""
    check_start(book)
    plies = book.header.plies or 0
    layers = yield from classes_by_ply(book.game, plies)
    classes = [position for layer in layers for position in layer]
    if len(classes) != len(book) or any(book.find(position) is None for position in classes):
        raise wrong(book, f"its positions are not exactly those of the first {plies_text(plies)}")
    for position in (position for layer in layers[:-1] for position in layer):
        check_entry(book, book.key_of(position), book.lookup(position))
    last = [position for position in layers[-1] if book.game.outcome(*position) == ONGOING]
    positions = Random(seed).sample(last, min(sample, len(last)))
    search = Search(book.game)
    question = Question(search)
    for number, position in enumerate(positions):
        search.forget()
        bounds = question.ask(position, deepen=True).answer()
        entry, right = book.lookup(position), book_entry(book.game, position, bounds.low)
        if entry != right:
            raise wrong(book, f"{position} has {entry_text(entry)}, but a search gives {entry_text(right)}")
        yield Step("searching again", number, len(positions))
    return len(classes) - len(last) + len(positions)
