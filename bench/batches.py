"""Measures batches of games: steps per second of connect four, beside pgx on the same machine in the same run.

python bench/batches.py [--gpu] [--record] [--pgx PYTHON] [--games connect-four ...]

A step is one ply in one game: the check that the action is legal, the rules, the outcome, the legal moves as a word,
rewards, and the reset of a finished game. What a row adds stands in its name. Each row is the best of several batch
sizes, the best of three runs each. `--pgx` names a Python that has pgx and JAX, if this one has not; without one its
rows are left out. `--record` writes bench/results/batches.md or batches-gpu.md.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay.rl import Batch, batch

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
SIZES = {"cpu": (1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20), "cuda": (1 << 16, 1 << 20, 1 << 22, 1 << 24)}
PLIES = 100
"""The plies of one call of random games."""
LEAST, RUNS = 0.3, 3
"""Seconds of a run, and runs."""
GOALS = {"cpu": 20e6, "cuda": 1e9}
GIVEN, MASKED, OBSERVED, FUSED = (
    "step, actions given",
    "random actions, step, legal masks",
    "random actions, step, legal masks, observations",
    "random games in one call",
)


class Timed(NamedTuple):
    """Steps per second, and the batch size that reached it."""

    rate: float
    n: int


def settle(games: Batch) -> None:
    """Waits until the device has done all."""
    if games.device == "cuda":
        from perfectplay.compiler.cuda import driver

        driver().synchronize()


def seconds_of_steps(games: Batch) -> float:
    """The seconds of a step whose actions are given: drawing them is not counted."""
    actions, taken, count = games.sample(), 0.0, 0
    while taken < LEAST:
        games.sample(actions)
        settle(games)
        begin = time.perf_counter()
        games.step(actions)
        taken, count = taken + time.perf_counter() - begin, count + 1
    return taken / count


def seconds_of(work: Callable[[], Any], games: Batch) -> float:
    """The seconds of a call."""
    work()
    settle(games)
    begin, count = time.perf_counter(), 0
    while True:
        work()
        count += 1
        if count % 8 == 0 or games.n > 1 << 18:
            settle(games)
            if time.perf_counter() - begin > LEAST:
                return (time.perf_counter() - begin) / count


def rates(games: Batch) -> dict[str, float]:
    """Steps per second of each kind of work."""
    actions, planes = games.sample(), games.observe()

    def masked() -> None:
        games.step(games.sample(actions))
        _ = games.legal

    def observed() -> None:
        masked()
        games.observe(planes)

    games.play_random(PLIES)
    found = {GIVEN: min(seconds_of_steps(games) for _ in range(RUNS))}
    for name, work in ((MASKED, masked), (OBSERVED, observed)):
        found[name] = min(seconds_of(work, games) for _ in range(RUNS))
    found[FUSED] = min(seconds_of(lambda: games.play_random(PLIES), games) for _ in range(RUNS)) / PLIES
    return {name: games.n / seconds for name, seconds in found.items()}


def best_rates(name: str, device: str) -> dict[str, Timed]:
    """The best rates over all batch sizes."""
    best: dict[str, Timed] = {}
    for n in SIZES[device]:
        for work, rate in rates(batch(name, n, seed=1, device=device)).items():
            best[work] = max(best.get(work, Timed(0, 0)), Timed(rate, n))
            print(f"{name}, {n:,} games, {work}: {rate / 1e6:,.0f} million steps/s", file=sys.stderr, flush=True)
    return best


def pgx_rates(python: str) -> dict[str, Any]:
    """What pgx reaches with this Python; empty if it has no pgx."""
    if subprocess.run([python, "-c", "import pgx"], capture_output=True).returncode:
        return {}
    ran = subprocess.run([python, ROOT / "bench" / "pgx_games.py"], check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def lines_of(name: str, found: dict[str, Timed], pgx: dict[str, Any], goal: float) -> list[str]:
    """The rows of the table."""
    lines = []
    for work, (rate, n) in found.items():
        peer = {OBSERVED: "observed", FUSED: "plain"}.get(work) if name == "connect-four" else None
        beside = "-"
        if peer and pgx:
            theirs = pgx[peer]["rate"]
            beside = f"{theirs / 1e6:,.1f} with {pgx[peer]['n']:,} games: {rate / theirs:,.0f} times as many"
        reached = ("yes" if rate >= goal else "no") if name == "connect-four" else "-"
        lines.append(f"| {name} | {work} | {rate / 1e6:,.0f} | {n:,} | {reached} | {beside} |")
    return lines


def page(lines: list[str], device: str, pgx: dict[str, Any]) -> str:
    """The page of results."""
    today = datetime.datetime.now(datetime.UTC).date()
    where = f"{os.cpu_count()} cores {platform.machine()}"
    if device == "cuda":
        from perfectplay.compiler.cuda import find_gpu

        where = find_gpu().name
    command = "python bench/batches.py" + (" --gpu" if device == "cuda" else "") + " --record"
    beside = f"pgx {pgx['pgx']} with JAX {pgx['jax']}, on {pgx['device']}" if pgx else "pgx was not there"
    head = f"| game | a step includes | million steps/s | batch | {GOALS[device] / 1e6:,.0f} million reached | pgx |"
    return (
        f"# Batches of games{' on a GPU' if device == 'cuda' else ''}\n\n"
        f"Measured by `{command}`: {where}, Python {platform.python_version()}, {today}; {beside}. "
        "A step is one ply in one game: the check that the action is legal, the rules, the outcome, the legal moves as "
        "a word, rewards, and the reset of a finished game; more where a row says so. pgx computes the same in one "
        "compiled loop, with legal masks always, and observations in the row that names them.\n\n"
        f"{head}\n|---|---|---|---|---|---|\n" + "\n".join(lines) + "\n"
    )


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--pgx", default=sys.executable, metavar="PYTHON", help="a Python that has pgx")
    parser.add_argument("--games", nargs="+", default=["connect-four", "tic-tac-toe", "kalah:6,4", "lines:7,6,4"])
    options = parser.parse_args()
    device = "cuda" if options.gpu else "cpu"
    pgx = pgx_rates(options.pgx)
    if not pgx:
        print(f"{options.pgx} has no pgx: its rows are left out", file=sys.stderr)
    lines = [row for name in options.games for row in lines_of(name, best_rates(name, device), pgx, GOALS[device])]
    text = page(lines, device, pgx)
    print(text)
    if options.record:
        file = RESULTS / ("batches-gpu.md" if options.gpu else "batches.md")
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
