"""Measures the search just beyond the opening book of connect four.

python bench/behind_book.py [--record] [COUNT]   the former writes bench/results/behind_book.md; about 20 minutes

Random classes one ply beyond the book, among all that are unfinished and have no immediate win: the time to
the exact score, and the time until `perfect` has a proven best move, each with an empty transposition table.
"""

import platform
import sys
import time
from pathlib import Path
from random import Random

import numpy as np

from perfectplay import load
from perfectplay.game import canonical, legal_moves
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import Searcher
from perfectplay.solvers.steps import finished
from perfectplay.words import ONGOING

HEAD = "| | mean | median | 99th percentile | worst |\n|---|---|---|---|---|"


def main() -> None:
    """Measures and prints a table."""
    count = next((int(text) for text in sys.argv[1:] if text.isdecimal()), 1000)
    game = load("connect-four")
    searcher = Searcher(game)
    if searcher.book is None:
        sys.exit("there is no book of connect four")
    plies = searcher.book.header.plies
    positions = Random(1).sample(behind(game, searcher.book, plies), count)
    ways = {
        "exact score": lambda position: searcher.search.score(position),
        "proven best move": lambda position: finished(searcher.choosing(position, Limits())),
    }
    lines = [f"{count} positions of {plies + 1} plies, seconds on one core of {platform.machine()}.", "", HEAD]
    for name, answer in ways.items():
        times = np.array([timed(searcher, answer, position) for position in positions])
        cells = [times.mean(), np.median(times), np.percentile(times, 99), times.max()]
        lines.append(f"| {name} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    print("\n".join(lines))
    if "--record" in sys.argv:
        text = "# Behind the opening book\n\nMeasured by `python bench/behind_book.py --record`: "
        target = Path(__file__).parent / "results" / "behind_book.md"
        target.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def behind(game, book, plies) -> list:
    """One position of each class on the ply beyond the book that needs a search."""
    smallest = canonical(game)
    last = [position for position, _ in book.entries() if (position[0] | position[1]).bit_count() == plies]
    children = {smallest(*game.play(*here, move)) for here in last for move in legal_moves(game, here)}
    return sorted(here for here in children if game.outcome(*here) == ONGOING and not game.wins(*here))


def timed(searcher, answer, position) -> float:
    """The seconds that the answer takes, with an empty transposition table."""
    searcher.search.forget()
    begin = time.perf_counter()
    answer(position)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
