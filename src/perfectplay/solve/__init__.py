"""Solvers: they take a game's functions and know no particular game.

The package itself can be called, `perfectplay.solve(game)`, and imported from: docs/decisions/0008.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perfectplay.game import Game
    from perfectplay.solve.searcher import Searcher
    from perfectplay.table.table import Table


def solve(game: "Game", engine: str = "auto") -> "Table":
    """The table of the game, held in memory; the engine is auto, python, numba, cuda, disk or cluster."""
    from perfectplay.game import Game
    from perfectplay.solve.complete import solving  # not needed for play
    from perfectplay.solve.engine import Options
    from perfectplay.solve.steps import finished
    from perfectplay.words import BadGame

    if not isinstance(game, Game):
        raise BadGame(f"{game!r} is not a Game; write perfectplay.solve(perfectplay.load({str(game)!r}))")
    return finished(solving(game, Options(engine)))


def search(game: "Game") -> "Searcher":
    """Looks up positions of a game too large for a table: in its book, or by searching with compiled rules."""
    from perfectplay.solve.searcher import searcher_for  # imports numba

    return searcher_for(game)


class CallablePackage(ModuleType):
    """A package that is called like its main function."""

    __call__ = staticmethod(solve)


sys.modules[__name__].__class__ = CallablePackage
