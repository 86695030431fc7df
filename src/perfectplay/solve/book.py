"""Making an opening book: the last ply by search, position by position, the plies above from their children."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines.compiled import check_compiles
from perfectplay.fingerprint import fingerprint
from perfectplay.folders import replacing
from perfectplay.game import Game, canonical, images, legal_moves
from perfectplay.loading import absolute_name
from perfectplay.solve.alphabeta import SLICE, Question, Search
from perfectplay.solve.checkpoints import Saved
from perfectplay.solve.scores import entry_of
from perfectplay.solve.steps import Step, Steps
from perfectplay.solve.validation import check_hints, check_rules
from perfectplay.table.opening_books import BOOK
from perfectplay.table.table import Table, opened, tabulate
from perfectplay.table.table_file import Reader
from perfectplay.table.table_folder import checkpoint_of, remove_outdated
from perfectplay.words import DRAW, BadGame, Entry, Position, TooBig

SLOT_BITS = 26
"""The table of bounds of a book's searches: 512 MiB, because neighbours in the book have much in common."""
UNKNOWN = 999
CHECKED = 20
"""Positions of the last ply from which the hints of a user's game are checked."""
MOST = 5_000_000
"""More positions than this on the last ply are not worth trying."""


class Options(NamedTuple):
    """How to make a book: how deep, where to, on how many threads, whether to go on with one that was begun."""

    plies: int
    path: Path
    threads: int
    resume: bool = False
    saved_after: float = 60.0
    slot_bits: int = SLOT_BITS


def progress_of_book(game: Game) -> Path:
    """Where the progress of a book of this game is saved."""
    return checkpoint_of(game, BOOK)


def booking(game: Game, options: Options) -> Steps[Table]:
    """The book of the game, in steps."""
    check_compiles(game)
    game = replace(game, name=absolute_name(game.name))
    if game.plies_left is None:
        raise BadGame(f"{game.name} has no hint plies_left, which a book needs to know how long its draws are")
    fingerprint(game)  # without one, a book could not be kept
    levels = yield from classes_by_ply(game, options.plies)
    check_rules(game, compiled=False)
    for position in Random(1).sample(levels[-1], min(CHECKED, len(levels[-1]))):
        check_hints(game, position)
    entries = yield from last_ply(game, levels[-1], options)
    for level in reversed(levels[:-1]):
        entries.update(taken_back(game, level, entries))
    everywhere = {image: entry for position, entry in entries.items() for image in all_images(game, position)}
    sink = BytesIO()
    tabulate(game, everywhere, sink, options.plies)
    return kept_book(game, sink.getvalue(), options.path)


def kept_book(game: Game, data: bytes, path: Path) -> Table:
    """The book in its file; or in memory if it cannot be written, and then it says why and its progress stays."""
    try:
        with replacing(path) as sink:
            sink.write(data)
    except OSError as fault:
        book = Table(game, Reader(data, f"the book of {game.name}"))
        book.unwritten = fault
        return book
    Saved(progress_of_book(game), game.name, "", 0.0).forget()
    book = opened(path, game)
    remove_outdated(path, book.header)
    return book


def classes_by_ply(game: Game, plies: int) -> Steps[list[list[Position]]]:
    """One position of each class on each ply, those with a parent in common side by side."""
    smallest = canonical(game)
    levels = [[smallest(*game.start)]]
    seen = set(levels[0])
    for ply in range(plies):
        fresh: dict[Position, None] = {}
        for position in levels[-1]:
            for move in legal_moves(game, position):
                fresh[smallest(*game.play(*position, move))] = None
        levels.append([position for position in fresh if position not in seen])
        seen.update(levels[-1])
        if len(levels[-1]) > MOST:
            raise TooBig(f"{game.name} has {len(levels[-1]):,} classes after {ply + 1} plies already; try fewer plies")
        yield Step("positions", len(seen))
    return levels


def all_images(game: Game, position: Position) -> set[Position]:
    """The position and all that look the same."""
    turns = images(game)
    return {turns.image(*position, i) for i in range(turns.count)}


def taken_back(game: Game, level: Sequence[Position], entries: dict[Position, Entry]) -> dict[Position, Entry]:
    """The entries of the positions of a ply, from those of their children."""
    smallest = canonical(game)
    found = {}
    for position in level:
        children = [smallest(*game.play(*position, move)) for move in legal_moves(game, position)]
        best = max((entries[child].before() for child in children), key=Entry.preference, default=None)
        found[position] = Entry(game.outcome(*position), 0) if best is None else best
    return found


def last_ply(game: Game, level: Sequence[Position], options: Options) -> Steps[dict[Position, Entry]]:
    """The entries of the positions of the last ply, each by a search; progress is saved now and then."""
    rules = f"{fingerprint(game)} {options.plies}"
    saved = Saved(progress_of_book(game), game.name, rules, options.saved_after)
    facts = saved.load() if options.resume else {}
    scores = saved.array(facts["scores"]) if facts else np.full(len(level), UNKNOWN, np.int16)
    if not facts:
        saved.forget()
    search = Search(game, options.slot_bits)
    todo = [number for number in range(len(level)) if scores[number] == UNKNOWN]
    solvers = Solvers(search, level, todo, scores, options.threads)
    try:
        while not solvers.finished():
            yield Step("searching", int((scores != UNKNOWN).sum()), len(level))
            time.sleep(0.2)
            if time.monotonic() >= saved.due:
                keep(saved, scores)
                saved.due = time.monotonic() + options.saved_after
    finally:
        solvers.stop()
        keep(saved, scores)
    return {position: scored_entry(game, position, int(score)) for position, score in zip(level, scores, strict=True)}


def keep(saved: Saved, scores: NDArray[np.int16]) -> None:
    """Saves the scores known so far."""
    name = f"scores{int((scores != UNKNOWN).sum())}"
    saved.keep_now({name: scores.copy()}, {"scores": name})


def scored_entry(game: Game, position: Position, score: int) -> Entry:
    """The entry of a position with this score."""
    if score == 0 and game.plies_left is not None:
        return Entry(DRAW, game.plies_left(*position))
    return entry_of(score)


class Solvers:
    """Threads that search positions one after another, all with the same table of bounds."""

    def __init__(
        self, search: Search, level: Sequence[Position], todo: Sequence[int], scores: NDArray[np.int16], threads: int
    ) -> None:
        self.search, self.level, self.todo, self.scores = search, level, todo, scores
        self.next = count()
        self.stopped = False
        if search.kernels.WIDE:  # slots of two words cannot be shared without locks
            threads = 1
        self.pool = ThreadPoolExecutor(threads)
        self.running = [self.pool.submit(self.work) for _ in range(threads)]

    def work(self) -> None:
        """Searches the next position that nobody has taken, until there is none."""
        question = Question(self.search)
        for number in self.next:
            if number >= len(self.todo):
                return
            place = self.todo[number]
            question.ask(self.level[place])
            while not question.pursue(SLICE):
                if self.stopped:
                    return
            if not question.bounds.exact:
                raise TooBig(f"{self.search.game.name} has positions that a search of a hundred plies does not solve")
            self.scores[place] = question.bounds.low

    def finished(self) -> bool:
        """Whether all is done; raises what a thread has raised."""
        done = [thread for thread in self.running if thread.done()]
        for thread in done:
            thread.result()
        return len(done) == len(self.running)

    def stop(self) -> None:
        """Ends the threads within a fraction of a second."""
        self.stopped = True
        self.pool.shutdown()
