"""`analyse`: what a position and its moves are worth; `search`: what a search alone proves of them."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import (
    GAME,
    MOVES,
    POSITION,
    SEARCH_NODES,
    SEARCH_SECONDS,
    SEARCH_THREADS,
    Flag,
    Named,
)
from perfectplay.commands.terminal.arguments import GameLike, MoveLike, Progress
from perfectplay.commands.verb import Call, checked, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.know.analysing import Analysis
    from perfectplay.commands.matches.match import Match
    from perfectplay.solvers.search.search_clock import Limits


@verb(
    "know",
    "show the value of a position and of each move",
    "analyse tic-tac-toe b2 a1",
    "analyse connect-four 4 4 4 --seconds 2",
)
def analyse(
    game: Annotated["GameLike | Match", GAME],
    *moves: Annotated[MoveLike, MOVES],
    position: Annotated[str | None, POSITION] = None,
    seconds: Annotated[float | None, SEARCH_SECONDS] = None,
    nodes: Annotated[int | None, SEARCH_NODES] = None,
    threads: Annotated[int | None, SEARCH_THREADS] = None,
    against: Annotated[
        str | None,
        Named(
            "add win probabilities against an imperfect opponent: uniform, noisy:0.1, ./bots.py:my_ai ...",
            metavar="MODEL",
        ),
    ] = None,
    exact: Annotated[bool, Flag("print probabilities as fractions")] = False,
    tie_break: Annotated[
        bool,
        Flag("add the number by which the player tricky chooses among equally good moves: threats and corners"),
    ] = False,
    progress: Progress | None = None,
) -> "Analysis":
    """The value of the position after these moves and of each of its moves, for the side to move, and the best line.

    Without a table, a search finds the values; `seconds` and `nodes` limit it, and hard positions are searched by
    `threads`, by default one per core. `against` adds win probabilities against
    a model of an imperfect opponent, or a bot such as ./bots.py:my_ai that always answers the same, as fractions with
    exact=True. tie_break=True adds the number by which the player
    `tricky` chooses among equally good moves.
    """
    from perfectplay.commands.know.analysing import analysis_of
    from perfectplay.commands.matches.match import match_of

    limits = search_limits(seconds, nodes, threads)
    return analysis_of(match_of(game, moves, position), limits, against, exact, tie_break, progress)


analyze = analyse


@checked
def search(
    game: Annotated["GameLike | Match", GAME],
    *moves: Annotated[MoveLike, MOVES],
    position: Annotated[str | None, POSITION] = None,
    seconds: Annotated[float | None, SEARCH_SECONDS] = None,
    nodes: Annotated[int | None, SEARCH_NODES] = None,
    threads: Annotated[int | None, SEARCH_THREADS] = None,
    progress: Progress | None = None,
) -> "Analysis":
    """The analysis of the position after these moves by search alone, also where `analyse` has a table to look it up.

    `seconds` and `nodes` limit the search; hard positions are searched by `threads`, by default one per core. It uses
    the opening book of the game, if there is one.
    """
    from perfectplay.commands.know.analysing import completed, searched
    from perfectplay.commands.matches.match import match_of

    return completed(searched(match_of(game, moves, position), search_limits(seconds, nodes, threads), progress))


def search_limits(seconds: float | None, nodes: int | None, threads: int | None) -> "Limits":
    """The limits of a search; without a number of threads, it takes one per core."""
    from perfectplay.solvers.engine import cores
    from perfectplay.solvers.search.search_clock import Limits

    return Limits(seconds, nodes, threads or cores())


@on_command_line("analyse")
def show(call: Call) -> int:
    """Plays the moves and prints what the position and each of its moves are worth."""
    from perfectplay.commands.know.analysing import completed, looked_up
    from perfectplay.commands.matches.match import match_of
    from perfectplay.commands.terminal.progress import shown_progress
    from perfectplay.rules.loading import load_game

    options = call.options
    match = match_of(load_game(options.game), options.moves, options.position)  # no search of it is remembered
    with redirect_stdout(sys.stderr), shown_progress() as progress:
        found = looked_up(match, options.against, options.exact, progress)
    return show_searched(call, match) if found is None else call.finish(completed(found, options.tie_break))


def show_searched(call: Call, match: "Match") -> int:
    """Searches the position until it is interrupted, and prints what is proven and what that took."""
    from time import monotonic

    from perfectplay.commands.know.analysing import completed, searched
    from perfectplay.commands.terminal.progress import shown_progress, waiting
    from perfectplay.rules.notation import number_of
    from perfectplay.solvers.oracle import SearchOracle
    from perfectplay.views.document import Notes

    options = call.options
    with waiting(f"loading the search of {options.game}; the first time it is compiled, some seconds"):
        SearchOracle(match.game).ready(match.position)
    begin, limits = monotonic(), search_limits(options.seconds, options.nodes, options.threads)
    with interrupts_stop(limits), shown_progress("nodes") as progress:
        found = searched(match, limits, progress)
    alone = "" if found.nodes_here is None else f", {found.nodes_here:,} of them for the position alone"
    effort = f"found by search: {number_of(found.nodes or 0, 'node')} in {monotonic() - begin:.2f} s{alone}"
    code = call.finish(completed(found, options.tie_break), below=Notes(effort if found.nodes else ""))
    if limits.stopped:
        options.kept = lambda: "this is what is proven so far"
        raise KeyboardInterrupt
    return code


@contextmanager
def interrupts_stop(limits: "Limits") -> Iterator[None]:
    """Ctrl-C stops the search, so that it tells what it has found; the second time it interrupts as ever."""
    usual = signal.getsignal(signal.SIGINT)
    if usual in (signal.SIG_IGN, None) or current_thread() is not main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, usual)
        limits.stop()

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
