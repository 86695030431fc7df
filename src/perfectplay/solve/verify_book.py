"""Whether an opening book is right: all that follows from its last ply, and of the last ply a sample, searched anew."""

from random import Random

from perfectplay.game import canonical, legal_moves
from perfectplay.solve.alphabeta import Question, Search
from perfectplay.solve.book import classes_by_ply, entry_of
from perfectplay.solve.checks import wrong
from perfectplay.solve.steps import Step, Steps
from perfectplay.table.table import Table
from perfectplay.words import ONGOING, Entry, Position

SAMPLE = 100
"""Positions of the last ply that are searched anew, if nothing else is said."""


def verified_book(book: Table, sample: int, seed: int) -> Steps[int]:
    """The number of classes that were checked; raises BadTable at the first that is wrong."""
    plies = book.header.plies or 0
    levels = yield from classes_by_ply(book.game, plies)
    classes = [position for level in levels for position in level]
    if len(classes) != len(book) or any(book.find(position) is None for position in classes):
        raise wrong(book, f"it does not have just the positions up to {plies} plies")
    smallest = canonical(book.game)
    for position in (position for level in levels[:-1] for position in level):
        children = [smallest(*book.game.play(*position, move)) for move in legal_moves(book.game, position)]
        best = max((book.lookup(child).before() for child in children), key=Entry.preference, default=None)
        check(book, position, Entry(book.game.outcome(*position), 0) if best is None else best)
    last = [position for position in levels[-1] if book.game.outcome(*position) == ONGOING]
    chosen = Random(seed).sample(last, min(sample, len(last)))
    search = Search(book.game)
    question = Question(search)
    for done, position in enumerate(chosen):
        search.forget()
        bounds = question.ask(position, deepen=True).answer()
        check(book, position, entry_of(book.game, position, bounds.low))
        yield Step("searching anew", done, len(chosen))
    return len(classes) - len(last) + len(chosen)


def check(book: Table, position: Position, right: Entry) -> None:
    """Raises BadTable if the book does not say what is right."""
    if book.lookup(position) != right:
        raise wrong(book, f"{position} is {book.lookup(position)} in it and should be {right}")
