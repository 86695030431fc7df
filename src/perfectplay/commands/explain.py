"""`explain`: who wins, how soon and why, in sentences."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import GAME, MOVES, POSITION, SEARCH_THREADS, Seconds
from perfectplay.commands.terminal.arguments import GameLike, MoveLike
from perfectplay.commands.verb import verb

if TYPE_CHECKING:
    from perfectplay.commands.learn.explaining import Explanation
    from perfectplay.commands.matches.match import Match


@verb(
    "know",
    "say who wins, how soon and why",
    "explain tic-tac-toe b2 b1",
    "explain tic-tac-toe --position O:X../.../...",
    waits="looking for reasons in {game}; a search is compiled the first time, some seconds",
)
def explain(
    game: Annotated["GameLike | Match", GAME],
    *moves: Annotated[MoveLike, MOVES],
    position: Annotated[str | None, POSITION] = None,
    seconds: Annotated[float | None, Seconds("time limit of a search (default: 10)")] = None,
    threads: Annotated[int | None, SEARCH_THREADS] = None,
) -> "Explanation":
    """Who wins after these moves, how soon and why, in at most eight sentences.

    `seconds` limits a search; hard positions are searched by `threads`, by default one per core.
    """
    from perfectplay.commands.learn.explaining import explanation_by
    from perfectplay.commands.matches.match import match_of
    from perfectplay.solvers.engine import cores
    from perfectplay.solvers.oracle import oracle_for

    match = match_of(game, moves, position)
    return explanation_by(oracle_for(match.game, seconds, threads=threads or cores()), match)
