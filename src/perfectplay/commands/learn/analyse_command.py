"""`perfectplay analyse`: what a position and its moves are worth, and win probabilities against a model."""

import json
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from threading import current_thread, main_thread
from types import FrameType

from perfectplay.commands.know.analysing import Analysis, looked_up, searched, with_grundy_values, with_tie_breaks
from perfectplay.commands.matches.match import Match
from perfectplay.commands.terminal.progress import shown_progress, waiting
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of
from perfectplay.solvers.engine import cores
from perfectplay.solvers.oracle import SearchOracle
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.views.document import Notes


def show_analyse(options: Namespace) -> int:
    """Plays the moves and prints what the position and each of its moves are worth."""
    match = Match(load_game(options.game), options.moves, options.position)
    with redirect_stdout(sys.stderr), shown_progress() as progress:
        found = looked_up(match, options.against, options.exact, progress)
    if found is None:
        return show_searched(options, match)
    show_analysis(options, found)
    return 0


def show_searched(options: Namespace, match: Match) -> int:
    """Searches the position and prints what is proven."""
    with waiting(f"loading the search of {options.game}; the first time it is compiled, some seconds"):
        SearchOracle(match.game).ready(match.position)
    begin = time.monotonic()
    limits = Limits(options.seconds, options.nodes, options.threads or cores())
    with interrupts_stop(limits), shown_progress("nodes") as progress:
        found = searched(match, limits, progress)
    alone = "" if found.nodes_here is None else f", {found.nodes_here:,} of them for the position alone"
    effort = f"found by search: {number_of(found.nodes or 0, 'node')} in {time.monotonic() - begin:.2f} s{alone}"
    show_analysis(options, found, effort if found.nodes else "")
    if limits.stopped:
        options.kept = lambda: "this is what is proven so far"
        raise KeyboardInterrupt
    return 0


def show_analysis(options: Namespace, found: Analysis, effort: str = "") -> None:
    """Prints the analysis, for scripts or for people, who learn what it took."""
    found = with_grundy_values(found)
    found = with_tie_breaks(found) if options.tie_break else found
    if options.json:
        print(json.dumps(found.to_dict()), flush=True)
    else:
        show(found.document().followed_by(Notes(effort)))


@contextmanager
def interrupts_stop(limits: Limits) -> Iterator[None]:
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
