"""Whether an opening book is right: all that follows from its last ply, and of the last ply a sample, searched anew."""

from random import Random

from perfectplay.notation import entry_text
from perfectplay.solve.alphabeta import Question, Search
from perfectplay.solve.book import classes_by_ply, scored_entry
from perfectplay.solve.steps import Step, Steps
from perfectplay.solve.table_checks import check_entry, check_start, wrong
from perfectplay.table.table import Table
from perfectplay.words import ONGOING

SAMPLE = 100
"""Positions of the last ply that are searched anew, if nothing else is said."""


def verified_book(book: Table, sample: int, seed: int) -> Steps[int]:
    """The number of classes that were checked; raises BadTable at the first that is wrong."""
    check_start(book)
    plies = book.header.plies or 0
    levels = yield from classes_by_ply(book.game, plies)
    classes = [position for level in levels for position in level]
    if len(classes) != len(book) or any(book.find(position) is None for position in classes):
        raise wrong(book, f"it does not have just the positions up to {plies} plies")
    for position in (position for level in levels[:-1] for position in level):
        check_entry(book, book.key_of(position), book.lookup(position))
    last = [position for position in levels[-1] if book.game.outcome(*position) == ONGOING]
    chosen = Random(seed).sample(last, min(sample, len(last)))
    search = Search(book.game)
    question = Question(search)
    for done, position in enumerate(chosen):
        search.forget()
        bounds = question.ask(position, deepen=True).answer()
        found, right = book.lookup(position), scored_entry(book.game, position, bounds.low)
        if found != right:
            raise wrong(book, f"{position} has {entry_text(found)}, but a search gives {entry_text(right)}")
        yield Step("searching anew", done, len(chosen))
    return len(classes) - len(last) + len(chosen)
