"""Measures what the check of a table costs, on ten games: the CPU seconds of a solve, and of the check in them.

python bench/checking.py [--record] [GAME ...]   the former writes bench/results/checking.md; five minutes

Each game is solved in two processes: the first has an empty cache, so it compiles, and the second has what the first
left. Files of the library are copied, so that their rules count as a user's own, unless a name stands for itself.
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

ROOT = Path(__file__).parents[1]
MIRRORED = '''"""Four in a row across on a board of 4x3, which may be mirrored."""

from perfectplay import DRAW, LOSS, ONGOING, Game, Images

FULL = (1 << 12) - 1


def moves(mine, theirs):
    return FULL & ~(mine | theirs)


def play(mine, theirs, move):
    return theirs, mine | 1 << move


def outcome(mine, theirs):
    for row in (0b1111, 0b11110000, 0b111100000000):
        if theirs & row == row:
            return LOSS
    return DRAW if (mine | theirs) == FULL else ONGOING


def turned(word):
    return (word & 0x111) << 3 | (word & 0x222) << 1 | (word & 0x444) >> 1 | (word & 0x888) >> 3


def image(mine, theirs, i):
    return (turned(mine), turned(theirs)) if i else (mine, theirs)


def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=12, shape=(4, 3), symmetries=SYMMETRIES)
'''
GAMES = {
    "mirrored.py": "a function, 2 images",
    "plain.py": "no symmetries",
    "lines.py:4,3,3": "permutations, 4 images",
    "fading.py:3,3": "cycles, a function, 8 images",
    "drop.py:4,4,4": "a function, 2 images, key and unkey, hints",
    "kalah.py:3,3": "extra turns, points",
    "morris.py:3": "tiers, cycles",
    "kingpawns.py": "cycles, key and unkey",
    "lines.py:4,4,4": "permutations, 8 images; a sample",
    "drop:5,4,4": "the library's; not checked",
}
"""The games, and what there is to check."""


def main():
    """Prints a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.one)))
        return
    lines = [
        f"Measured by `python bench/checking.py --record`: {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}. CPU seconds of the process, with numba's import; the ratio is the check "
        "over the rest.",
        "",
        "| game | what is checked | classes | checked | first solve | check | ratio | again | check | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines))
    for name in options.games or GAMES:
        with tempfile.TemporaryDirectory() as folder:
            lines.append(row(name, Path(folder)))
        print(lines[-1], flush=True)
    if options.record:
        (ROOT / "bench/results/checking.md").write_text("\n".join(["# Checking what is kept", "", *lines, ""]))


def row(name, folder):
    """The line of a game, solved in two processes."""
    (folder / "mirrored.py").write_text(MIRRORED.replace("SYMMETRIES", "Images(2, image)"))
    (folder / "plain.py").write_text(MIRRORED.replace("SYMMETRIES", "()"))
    file = name.partition(":")[0]
    if file.endswith(".py") and not (folder / file).exists():
        (folder / file).write_text((ROOT / "src/perfectplay/games" / file).read_text())
    game = str(folder / name) if file.endswith(".py") else name
    found = []
    for _ in range(2):
        home = {**os.environ, "PERFECTPLAY_HOME": str(folder / "home")}
        done = subprocess.run([sys.executable, __file__, "--one", game], env=home, capture_output=True, check=True)
        found.append(json.loads(done.stdout))
    times = " | ".join(f"{one['solve']:.2f} | {one['check']:.2f} | {one['check'] / one['solve']:.2f}" for one in found)
    return f"| `{name}` | {GAMES.get(name, '')} | {found[0]['classes']:,} | {found[0]['checked']} | {times} |"


def measured(name):
    """The CPU seconds of a solve without its check, and of the check."""
    from perfectplay.commands.solve import solve
    from perfectplay.solvers import complete
    from perfectplay.solvers.table.table_file import mark_field

    spent, check = [], complete.check_table

    def timed(table, solved, threads):
        begin = time.process_time()
        part = yield from check(table, solved, threads)
        spent.append(time.process_time() - begin)
        return part

    complete.check_table = timed
    table = solve(name, keep=True)
    total = time.process_time()
    (seconds,) = spent
    part = mark_field(table.checked)
    return {"solve": total - seconds, "check": seconds, "classes": len(table), "checked": part}


if __name__ == "__main__":
    main()
