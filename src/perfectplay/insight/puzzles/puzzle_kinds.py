"""The kinds of puzzles: in each, exactly one move keeps the result, and something more holds."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.game import after, legal_moves
from perfectplay.insight.threats import is_double, threats
from perfectplay.players.named.one_ply_players import hasty_moves
from perfectplay.solvers.oracle import Oracle
from perfectplay.words import DRAW, WIN, BadArgument, Move, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from perfectplay.insight.puzzles.puzzle_scan import Scan


class PuzzleKind(NamedTuple):
    """A kind of puzzle: the values that it is about, and what must hold besides.

    `holds` decides for one position and its only good move; `among` is necessary for that, for all positions at once.
    """

    name: str
    about: str
    values: tuple[int, ...]
    holds: Callable[[Oracle, Position, int, Move], bool] = lambda oracle, position, side, move: True
    among: "Callable[[Scan], NDArray[np.bool_] | bool]" = lambda scan: True


def makes_double_threat(oracle: Oracle, position: Position, side: int, move: Move) -> bool:
    """Whether the move makes two threats to win at once that no single reply answers."""
    child, mover = after(oracle.game, position, side, move)
    if mover == side or not legal_moves(oracle.game, child):
        return False
    return is_double(oracle.game, child, mover, threats(oracle, child, mover))


KINDS = (
    PuzzleKind("win", "exactly one move keeps the win", (WIN,)),
    PuzzleKind("save", "exactly one move keeps the draw, all others lose", (DRAW,)),
    PuzzleKind("only", "exactly one move keeps the win or the draw", (WIN, DRAW)),
    PuzzleKind(
        "trap",
        "as only, and the move that looks best is wrong",
        (WIN, DRAW),
        lambda oracle, position, side, move: move not in hasty_moves(oracle.game, position),
        lambda scan: scan.misleading,
    ),
    PuzzleKind(
        "fork", "the winning move makes a double threat", (WIN,), makes_double_threat, lambda scan: scan.forking
    ),
)
USUAL = "only"


def kind_named(name: str | None) -> PuzzleKind:
    """The kind of that name, the usual one for None; raises BadArgument."""
    for kind in KINDS:
        if kind.name == (name or USUAL):
            return kind
    raise BadArgument(f"no kind of puzzle is called {name!r}; there are {', '.join(kind.name for kind in KINDS)}")
