"""Compares the search with the C++ engine `bitbully` (AGPL; a referee from PyPI, none of its code is used).

python bench/searching.py [--record] [SET ...]   the former writes bench/results/searching.md; about ten minutes

Needs the packages of the extra `bench`. Each engine searches the same positions in turn in this process, its
table cleared before each, outside the timer, and without a book; every score is compared. Ratios mean more than
times.
"""

import platform
import sys
import time
from pathlib import Path

from bitbully import bitbully_core

from perfectplay import load
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.solvers.scores import TOP
from perfectplay.solvers.search.alphabeta import Search

FOLDER = Path(__file__).parent / "sets"
SETS = [f"{phase}-{kind}" for phase in ("end", "middle", "opening") for kind in ("easy", "medium", "hard")]
SIGNS = {text: number for number, text in VALUE_NAMES.items()}
HEAD = """| set | nodes | bitbully's | ratio | microseconds | bitbully's | ratio | ns a node |
|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Measures the given sets, or all, and prints a table."""
    record = "--record" in sys.argv
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or SETS
    game = load("connect-four")
    ours, theirs = Search(game), bitbully_core.BitBullyCore()
    lines = [HEAD]
    print(HEAD)
    for name in names:
        lines.append(measured(name, game, ours, theirs))
        print(lines[-1], flush=True)
    if record:
        text = f"# Search, beside bitbully\n\nMeasured by `python bench/searching.py --record` on {machine()}.\n\n"
        target = Path(__file__).parent / "results" / "searching.md"
        target.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def measured(name, game, ours, theirs) -> str:
    """The row of a set; both engines must agree with the score in the file."""
    positions = [line.split() for line in (FOLDER / f"{name}.txt").read_text(encoding="ascii").splitlines()]
    nodes, seconds, their_nodes, their_seconds = 0, 0.0, 0, 0.0
    for moves, value, distance in positions:
        position = game.start
        for move in moves:
            position = game.play(*position, int(move) - 1)
        ours.forget()
        begin = time.perf_counter()
        score = ours.score(position)
        seconds += time.perf_counter() - begin
        nodes += ours.nodes()
        assert score == SIGNS[value] * (TOP - int(distance)), (name, moves)
    for moves, value, distance in positions:
        board = bitbully_core.BoardCore()
        for move in moves:
            board.play(int(move) - 1)
        theirs.resetTranspositionTable()
        theirs.resetNodeCounter()
        begin = time.perf_counter()
        stones = theirs.mtdf(board, 0)
        their_seconds += time.perf_counter() - begin
        their_nodes += theirs.getNodeCounter()
        assert stones == SIGNS[value] * ((42 - len(moves) - int(distance)) // 2 + 1), (name, moves)
    count = len(positions)
    return (
        f"| {name} | {nodes / count:,.1f} | {their_nodes / count:,.1f} | {nodes / their_nodes:.2f} "
        f"| {seconds / count * 1e6:,.1f} | {their_seconds / count * 1e6:,.1f} | {seconds / their_seconds:.2f} "
        f"| {seconds / nodes * 1e9:,.0f} |"
    )


def machine() -> str:
    """The machine and the Python version."""
    return f"{platform.machine()}, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
