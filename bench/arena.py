"""Measures tournaments: 1,000 games of tic-tac-toe between two bots in C, compared with bare pipes to the same bots.

python bench/arena.py [--record] [--games 1000]

The bot is examples/bots/tictactoe.c, built with cc; two of them, with random choices among their best moves and some
careless moves, play on two processes, and on one. Then the same questions, taken from the record of the games, go to
the same bots through bare pipes: what the manager takes beyond that is its overhead. Each is the fastest of three runs.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "examples" / "bots" / "tictactoe.c"
RUNS = 3
SECONDS, MILLISECONDS = 10.0, 1.0
"""To reach: the time of 1,000 games on two cores, and the overhead per move."""


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PERFECTPLAY_HOME"] = folder
        bot = Path(folder) / "tictactoe"
        subprocess.run(["cc", "-O2", "-o", bot, SOURCE], check=True)
        bots = [f"{bot} 7 20", f"{bot} 8 20"]
        lines = measured(bots, options.games, Path(folder) / "games.jsonl")
    print("\n".join(lines))
    if options.record:
        text = "# The arena\n\nMeasured by `python bench/arena.py --record`: "
        text += f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.\n\n"
        (ROOT / "bench" / "results" / "arena.md").write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def measured(bots: list[str], games: int, record: Path) -> list[str]:
    """The rows of the table."""
    lines = ["| what | measured | to reach |", "|---|---|---|"]
    fastest(bots, 2, 1, record)  # the table of the game is made by the first
    start = fastest(bots, 2, 1, record)
    two = fastest(bots, games, 2, record)
    one = fastest(bots, games, 1, record)
    questions, moves = asked(record)
    bare = min(through_pipes(bots, questions) for _ in range(RUNS))
    managed, plain = 1_000 * (one - start) / moves, 1_000 * bare / moves
    overhead = managed - plain
    reach = f"{SECONDS:g} s" if games == 1_000 else "-"
    lines += [
        f"| {games:,} games, {moves:,} moves, two processes | {two:.2f} s | {reach} |",
        f"| the same, one process | {one:.2f} s, of which {start:.2f} to start and end | - |",
        f"| a move, one process | {managed:.3f} ms | - |",
        f"| the same questions through bare pipes | {plain:.3f} ms | - |",
        f"| overhead per move | {overhead:.3f} ms | {MILLISECONDS:g} ms |",
    ]
    return lines


def fastest(bots: list[str], games: int, jobs: int, record: Path) -> float:
    """The least seconds of some tournaments, from the command to its end."""
    return min(tournament(bots, games, jobs, record) for _ in range(RUNS))


def tournament(bots: list[str], games: int, jobs: int, record: Path) -> float:
    """The seconds of a tournament, whose record is written."""
    record.unlink(missing_ok=True)
    words = ["--games", str(games), "--jobs", str(jobs), "--seed", "1", "--record", str(record), "--json"]
    command = [
        sys.executable,
        "-m",
        "perfectplay",
        "tournament",
        "tic-tac-toe",
        *(f"cmd:{bot}" for bot in bots),
        *words,
    ]
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def asked(record: Path) -> tuple[list[tuple[int, bytes]], int]:
    """All that the bots were asked in the games of a record, each with the number of the bot, and the moves."""
    questions: list[tuple[int, bytes]] = []
    moves = 0
    games = [json.loads(line) for line in record.read_text().splitlines()[1:]]
    names = sorted({tuple(game["players"]) for game in games})[0]
    for game in games:
        questions += [(bot, b"uginewgame\nisready\n") for bot in (0, 1)]
        for ply in range(len(game["moves"])):
            bot = names.index(game["players"][ply % 2])
            played = " moves " + " ".join(game["moves"][:ply]) if ply else ""
            questions.append((bot, f"position startpos{played}\nisready\ngo movetime 1000\n".encode()))
            moves += 1
    return questions, moves


def through_pipes(bots: list[str], questions: list[tuple[int, bytes]]) -> float:
    """The seconds that the bots take to answer, one question after another."""
    running = [subprocess.Popen(bot.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) for bot in bots]
    begin = time.perf_counter()
    for bot, question in questions:
        sink, source = running[bot].stdin.fileno(), running[bot].stdout.fileno()  # type: ignore[union-attr]
        os.write(sink, question)
        last = b"bestmove" if b"go" in question else b"readyok"
        answer = b""
        while last not in answer or not answer.endswith(b"\n"):
            answer += os.read(source, 4096)
    taken = time.perf_counter() - begin
    for one in running:
        one.communicate(b"quit\n")
    return taken


if __name__ == "__main__":
    main()
