"""What a C file stores: all values, or only those that a short search does not find, within a budget of bytes."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.exports.c.c_level import QUICK, Opponent
from perfectplay.exports.c.static_function import size_of
from perfectplay.exports.c.thinning import Thinned, frequencies, thinnings
from perfectplay.exports.export_report import Report
from perfectplay.game import Game
from perfectplay.players.models.game_graph import Graph
from perfectplay.rules.notation import number_of, plies_text
from perfectplay.words import TooBig

CodeSize = Callable[[bool, bool], int]
"""The bytes of code of a file that searches or not, and looks values up or not."""


class Fit(NamedTuple):
    """A way to write the solution: what is left to store, in how many rows and bytes, those of the code included."""

    thinned: Thinned
    rows: int
    table: int
    code: int

    @property
    def size(self) -> int:
        """The bytes in all."""
        return self.table + self.code


def chosen_fit(
    game: Game,
    code_size: CodeSize,
    graph: Graph,
    classes: NDArray[np.int64],
    grades: NDArray[np.int64],
    budget: int | None,
    opponent: Opponent | None,
) -> Fit:
    """The way to write the solution: with the shortest search that fits the budget.

    Without a budget it is the one without a search, and for an opponent the smallest that is quick.
    """
    fits: list[Fit] = []
    deepest = graph.counts.size if opponent is None else opponent.deepest
    for thinned in thinnings(graph):
        if thinned.plies > deepest:
            break
        stored = classes[thinned.missing[classes]]
        found = frequencies(grades[stored])
        code = code_size(thinned.plies > 0, len(found) > 1)
        alike = opponent is not None and len(found) < 2  # what the search does not find looks like a draw
        fits.append(Fit(thinned, *((0, 0) if alike else (stored.size, size_of(found))), code))
        enough = opponent is None if budget is None else fits[-1].size <= budget
        if enough:
            return fits[-1]
    least = min(fits, key=lambda one: one.size)
    if budget is None:
        return min((fit for fit in fits if fit.thinned.looked_at <= QUICK), key=lambda one: one.size, default=fits[0])
    raise TooBig(
        f"{game.name} does not fit into {budget:,} bytes, as far as the size of code can be told; "
        f"the smallest budget is {least.size:,}, with a search of {plies_text(least.thinned.plies)}"
    )


def report(game: Game, classes: int, fit: Fit, opponent: Opponent | None) -> Report:
    """What there is to say about the file."""
    plies = fit.thinned.plies
    rest = f"a search of {plies_text(plies)} finds the rest" if plies else "the rest follow from the rules"
    stored = f"{fit.rows:,} of {classes:,} canonical positions {'is' if fit.rows == 1 else 'are'} stored"
    density = f", {8 * fit.table / fit.rows:.2f} bits per position" if fit.rows else ""
    lines = [
        *([f"{game.name}, {opponent.about}"] if opponent else []),
        f"{game.name}: {stored}; {rest}",
        f"{number_of(fit.table, 'byte')} of table{density}, and at most about {fit.code:,} bytes of code",
        f"a move looks at up to {number_of(fit.thinned.looked_at, 'position')}",
    ]
    sizes = {"table_bytes": fit.table, "code_bytes": fit.code, "looked_at": fit.thinned.looked_at}
    facts = {"plies": plies, "rows": fit.rows, "classes": classes, **sizes}
    return Report(lines, facts | (opponent.facts if opponent else {}))
