"""Verifies an opening book: derives all plies from the last one, and searches a sample of the last one again."""

from random import Random

from perfectplay.rules.notation import entry_text, plies_text
from perfectplay.solvers.search.alphabeta import Question, Search
from perfectplay.solvers.search.book import classes_by_ply, scored_entry
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.validity.table_checks import check_entry, check_start, wrong
from perfectplay.words import ONGOING

SAMPLE = 100
"""The default number of positions of the last ply that are searched again."""


def verified_book(book: Table, sample: int, seed: int) -> Steps[int]:
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
    chosen = Random(seed).sample(last, min(sample, len(last)))
    search = Search(book.game)
    question = Question(search)
    for done, position in enumerate(chosen):
        search.forget()
        bounds = question.ask(position, deepen=True).answer()
        found, right = book.lookup(position), scored_entry(book.game, position, bounds.low)
        if found != right:
            raise wrong(book, f"{position} has {entry_text(found)}, but a search gives {entry_text(right)}")
        yield Step("searching again", done, len(chosen))
    return len(classes) - len(last) + len(chosen)
