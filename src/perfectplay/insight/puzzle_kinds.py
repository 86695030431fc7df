"""The kinds of puzzles: in each, exactly one move keeps the result, and something more holds."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.game import Game, after, legal_moves, moves_again
from perfectplay.insight.oracle import Oracle
from perfectplay.insight.threats import is_double, threats
from perfectplay.players.blocks import safety
from perfectplay.players.wins import is_win
from perfectplay.words import DRAW, ONGOING, WIN, BadArgument, Move, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from perfectplay.insight.puzzle_scan import Scan

RANDOM_PLIES = 3
"""How many plies a hasty player imagines after a move, all at random."""
GRAIN = 10**6
"""What differs by less than a millionth looks alike to a hasty player."""
FORK_PLIES = 3
"""A double threat wins in so many plies: the move, any reply, the win."""


class Kind(NamedTuple):
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


def misleads(oracle: Oracle, position: Position, side: int, move: Move) -> bool:
    """Whether another move looks better than this one to a hasty player."""
    return move not in hasty_moves(oracle.game, position)


def sensible_moves(game: Game, position: Position) -> list[Move]:
    """The moves that take a win at once if there is one, else those that leave the fewest wins at once."""
    legal = legal_moves(game, position)
    wins = [move for move in legal if is_win(game, position, move)]
    safeties = {move: safety(game, position, move) for move in wins or legal}
    return [move for move, safe in safeties.items() if safe == max(safeties.values())]


def hasty_moves(game: Game, position: Position) -> list[Move]:
    """The sensible moves that look best to a player who imagines a few random plies after each."""

    @cache
    def expected(here: Position, plies: int) -> float:
        """What the position is worth on average to the side to move; 0 where the game lasts longer."""
        outcome = game.outcome(*here)
        if outcome != ONGOING or plies == 0:
            return 0 if outcome == ONGOING else outcome
        moves = legal_moves(game, here)
        return sum(seen(here, move, plies) for move in moves) / len(moves)

    def seen(here: Position, move: Move, plies: int) -> float:
        found = expected(game.play(*here, move), plies - 1)
        return found if moves_again(game, here, move) else -found

    looks = {move: round(GRAIN * seen(position, move, RANDOM_PLIES + 1)) for move in sensible_moves(game, position)}
    return [move for move, look in looks.items() if look == max(looks.values())]


KINDS = (
    Kind("win", "exactly one move keeps the win", (WIN,)),
    Kind("save", "exactly one move keeps the draw, all others lose", (DRAW,)),
    Kind("only", "exactly one move keeps the win or the draw", (WIN, DRAW)),
    Kind("trap", "as only, and the move that looks best is wrong", (WIN, DRAW), misleads, lambda scan: scan.misleading),
    Kind("fork", "the winning move makes a double threat", (WIN,), makes_double_threat, lambda scan: scan.forking),
)
USUAL = "only"


def kind_named(name: str | None) -> Kind:
    """The kind of that name, the usual one for None; raises BadArgument."""
    for kind in KINDS:
        if kind.name == (name or USUAL):
            return kind
    raise BadArgument(f"no kind of puzzle is called {name!r}; there are {', '.join(kind.name for kind in KINDS)}")
