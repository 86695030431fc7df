"""Who wins: solvers that take a game's functions and know no game.

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
    """The table of the game, held in memory; the engine is auto, plain, compiled, cuda, disk or cluster."""
    from perfectplay.game import Game
    from perfectplay.solve.complete import solving  # not needed by those who only play
    from perfectplay.solve.engine import Options
    from perfectplay.solve.steps import finished
    from perfectplay.words import BadGame

    if not isinstance(game, Game):
        raise BadGame(f"{game!r} is not a Game; write perfectplay.solve(perfectplay.load({str(game)!r}))")
    return finished(solving(game, Options(engine)))


def search(game: "Game") -> "Searcher":
    """Answers positions of a game too big for a table, by search over compiled rules and from a book."""
    from perfectplay.solve.searcher import searcher_for  # numba: only when it is wanted

    return searcher_for(game)


class CallablePackage(ModuleType):
    """A package that is called like its main function."""

    __call__ = staticmethod(solve)


sys.modules[__name__].__class__ = CallablePackage
