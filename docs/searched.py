"""Writes docs/reference/searched.md, the values of boards by search alone: `make searched`, some minutes."""

import time
from pathlib import Path

from perfectplay import load
from perfectplay.solvers.scores import TOP
from perfectplay.solvers.search.alphabeta import Search

PAGE = Path(__file__).parent / "reference" / "searched.md"
DROP = [*((w, total - w) for total in range(8, 13) for w in range(4, total - 3)), (7, 6)]
"""Width and height of the boards on which marks drop, four in a row."""
LINES = ["4,4,3", "4,4,4", "5,4,4", "5,5,4", "6,4,4", "6,5,4", "7,4,4", "5,5,5"]
HEAD = """# Boards by search

<!-- Written by docs/searched.py: make searched -->

These values come from search alone, without tables and without an opening book. The search starts with an empty \
transposition table of 16 million entries. Node counts are exact and tested; times are from one run on one core.

| game | with best play | nodes | seconds |
|---|---|---|---|
"""


def row(name: str) -> str:
    """The row of a game."""
    game = load(name)
    search = Search(game, 24)
    begin = time.perf_counter()
    score = search.score(game.start)
    seconds = time.perf_counter() - begin
    return f"| `{name}` | {verdict(game, score)} | {search.nodes():,} | {seconds:.2f} |\n"


def verdict(game, score: int) -> str:
    """The winner and the distance."""
    if score == 0:
        return f"draw, {game.plies_left(*game.start)} plies"
    return f"{'first' if score > 0 else 'second'} player wins, {TOP - abs(score)} plies"


def main() -> None:
    """Writes the page."""
    rows = []
    for name in [f"drop:{w},{h},4" for w, h in DROP] + [f"lines:{sizes}" for sizes in LINES]:
        rows.append(row(name))
        print(rows[-1], end="", flush=True)
    PAGE.write_text(HEAD.replace("\\\n", "") + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
