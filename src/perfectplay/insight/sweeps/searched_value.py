"""What a search proves about the start of a variant that is not solved."""

import time
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.solvers.scores import Bounds
from perfectplay.words import DRAW, LOSS, WIN, BadGame, TooBig


class Proven(NamedTuple):
    """The least and the greatest value of the start, which are the same if it is known, and how far the end is."""

    values: tuple[int, int]
    distance: int | None
    margin: int | None


SEARCH_SECONDS = 1.0
"""Seconds that a search has in any case: compiling it may have taken all the time."""


def searched(game: Game, end: float, threads: int) -> Proven | None:
    """What an opening book, or a search until that time, proves; None if nothing."""
    from perfectplay.solvers.search.alphabeta import Limits, Question  # numba: only when it is wanted
    from perfectplay.solvers.search.searcher import Searcher

    try:
        searcher = Searcher(game)
        book = None if searcher.book is None else searcher.book.find(game.start)
        if book is not None:
            return Proven((book.value, book.value), book.distance, book.margin)
        searcher.check(game.start)
        question = Question(searcher.search, threads)
        limits = Limits(max(SEARCH_SECONDS, end - time.monotonic()), None, threads)
        question.ask(game.start)
        while (budget := limits.budget()) and not question.pursue(budget):
            pass
    except (TooBig, BadGame):  # the rules do not compile, or a search cannot deal with them
        return None
    return proven_by(game, question.bounds)


def proven_by(game: Game, bounds: Bounds) -> Proven | None:
    """What the bounds prove; None if nothing."""
    least, most = sign(bounds.low), sign(bounds.high)
    if (least, most) == (LOSS, WIN):
        return None
    if least == most == DRAW and game.margin is None:
        return Proven((DRAW, DRAW), None if game.plies_left is None else game.plies_left(*game.start), None)
    return Proven((least, most), bounds.distance(), bounds.margin())


def sign(number: int) -> int:
    """The value that a score stands for."""
    return (number > 0) - (number < 0)
