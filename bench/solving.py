"""Measures complete solutions, compared with other solvers.

python bench/solving.py [--record]   the latter writes bench/results/solving.md; ten minutes, most of it OpenSpiel's

Needs the packages of the extra `bench`. Times are the minimum of some runs, in this process, after one run that
compiles; ratios mean more than times.
"""

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import plain_retrograde

from perfectplay import load
from perfectplay.compiler.compiled import load_kernels
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.engine import cores
from perfectplay.solvers.retrograde import Work, retrograde
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool

NEVER = 1e9


def seconds(work, runs=3):
    """The minimum time of some runs."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def solver(name):
    """A function that solves the game completely in memory: values, distances and counts."""
    game = load(name)
    kernels, pool = load_kernels(game), ThreadPool(cores())

    def solve():
        saved = CheckpointFolder(Path(tempfile.gettempdir()) / "perfectplay-bench-unused", name, "", NEVER)
        return finished(retrograde(Work(game, kernels, pool, 1 << 60, saved), resume=False))

    solve()
    return solve


def line(what, ours, theirs, aim):
    """A row of the table: the task, our time, theirs, the ratio, the goal."""
    ratio = "-" if theirs is None else f"{theirs / ours:,.3g}"
    other = "-" if theirs is None else f"{theirs:,.4f}"
    return f"| {what} | {ours:,.4f} | {other} | {ratio} | {aim} |"


def open_spiel_alpha_beta():
    """OpenSpiel's alpha-beta on its C++ tic-tac-toe: the value of the start only."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("tic_tac_toe")
    return seconds(lambda: minimax.alpha_beta_search(game))


def open_spiel_value_iteration():
    """OpenSpiel's value iteration on connect four with 4 columns and 4 rows."""
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    game = pyspiel.load_game("connect_four(rows=4,columns=4)")
    return seconds(lambda: value_iteration.value_iteration(game, -1, 0.01), runs=1)


def easy_ai():
    """easyAI's solver on an easyAI game: tic-tac-toe by depth-first search, won or not."""
    from easyAI import TwoPlayerGame, solve_with_iterative_deepening

    class TicTacToe(TwoPlayerGame):
        LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

        def __init__(self, players):
            self.players, self.board, self.current_player = players, [0] * 9, 1

        def possible_moves(self):
            return [i for i, mark in enumerate(self.board) if mark == 0]

        def make_move(self, move):
            self.board[move] = self.current_player

        def unmake_move(self, move):
            self.board[move] = 0

        def lose(self):
            return any(all(self.board[i] == self.opponent_index for i in row) for row in self.LINES)

        def is_over(self):
            return not self.possible_moves() or self.lose()

        def scoring(self):
            return -100 if self.lose() else 0

        def ttentry(self):
            return tuple(self.board)

    game = TicTacToe([None, None])
    return seconds(lambda: solve_with_iterative_deepening(game, range(2, 10), win_score=100, verbose=False), runs=1)


def fresh_process(*command):
    """The minimum time of a process that starts with an empty folder for tables and compiled code."""

    def run():
        with tempfile.TemporaryDirectory() as home:
            subprocess.run(command, env={**os.environ, "PERFECTPLAY_HOME": home}, stdout=subprocess.DEVNULL, check=True)

    return seconds(run, runs=9)


def rows():
    """The rows of the table, as they are measured."""
    tic_tac_toe = seconds(solver("tic-tac-toe"), 20)
    yield line(
        "tic-tac-toe, complete; OpenSpiel alpha_beta_search, value only",
        tic_tac_toe,
        open_spiel_alpha_beta(),
        "10 times faster",
    )
    yield line("tic-tac-toe, complete; easyAI, whether it is won", tic_tac_toe, easy_ai(), "-")
    rich = fresh_process(sys.executable, "-c", "import rich")
    program = str(Path(sys.executable).with_name("perfectplay"))
    analyse = fresh_process(program, "analyse", "tic-tac-toe", "--json")
    yield line("`analyse tic-tac-toe --json`, fresh; `import rich`", analyse, rich, "ratio at least 0.25")
    plain = seconds(lambda: plain_retrograde.solve(), runs=1)
    yield line(
        "tactic-toe, complete; plain Python", seconds(solver("tactic-toe"), 20), plain, "0.015 s, 50 times faster"
    )
    drop = seconds(solver("drop:4,4,4"), 10)
    yield line("`drop:4,4,4`, complete; OpenSpiel value_iteration", drop, open_spiel_value_iteration(), "500 times")
    solve = solver("drop:5,5,4")
    large = seconds(solve, 3)
    rate = f"{34_888_367 / large / 1e6:.1f} million classes/s"
    yield line(f"`drop:5,5,4`, complete: {rate}", large, None, "12 million classes/s")
    peak = subprocess.run(
        [sys.executable, __file__, "--peak"], capture_output=True, text=True, check=True
    ).stdout.strip()
    yield f"| `drop:5,5,4`, peak memory of the process | {peak} MiB | - | - | 600 MiB |"


def main():
    """Prints the measurements, and with --record writes them to their file."""
    if "--peak" in sys.argv:
        solver("drop:5,5,4")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    head = [
        f"Measured by `python bench/solving.py --record`: {platform.machine()}, {cores()} cores, "
        f"Python {platform.python_version()}.",
        "",
        "| work | perfectplay, s | other, s | other / perfectplay | to reach |",
        "|---|---|---|---|---|",
    ]
    print("\n".join(head))
    found = []
    for row in rows():
        print(row, flush=True)
        found.append(row)
    if "--record" in sys.argv:
        place = Path(__file__).parent / "results" / "solving.md"
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(["# Solving", "", *head, *found]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
