"""Measures the size of a solution in C: the table by k, code and stack by compiler, and alternatives.

python bench/exporting.py [--record]

Needs gcc, and for the Cortex-M0 columns gcc-arm-none-eabi (Debian packages). All numbers are counts: no run differs
from another with the same compilers. Alternatives, computed only: sorted keys beside the same values (keys take
the 2 + log2(universe / keys) bits each of an Elias-Fano code), and the game's graph instead of rules
(each move the number of a class and of an image, no compression).
"""

import argparse
import platform
import re
import shutil
import subprocess
import tempfile
from io import BytesIO
from math import ceil, log2
from pathlib import Path

from perfectplay import load
from perfectplay.exports.c import c_file
from perfectplay.exports.c.c_file import frequencies, grades_of, thinnings
from perfectplay.exports.c.static_function import bits_needed
from perfectplay.exports.export_rows import classes_of, levels_of
from perfectplay.game import canonical, images
from perfectplay.players.models.game_graph import graph_for
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table import keys_of

GAMES = ("tactic-toe", "tic-tac-toe", "kingpawns", "drop:4,4,4")
CHIP = ("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Os", "-fstack-usage", "-c")
MOST_LOOKED_AT = 30_000
"""The most positions per move; larger searches are left out."""


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    lines = [
        "| game | k | rows | table | `.text + .rodata`, gcc | the same, Cortex-M0 | stack, Cortex-M0 | looked at |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in GAMES:
        for row in by_plies(name):
            print(row)
            lines.append(row)
    lines += ["", "| game | classes | as here | keys and values | graph |", "|---|---|---|---|---|"]
    for name in GAMES:
        lines.append(other_ways(name))
        print(lines[-1])
    if options.record:
        machine = f"{platform.machine()}, {version('gcc')}, {version(CHIP[0])}"
        text = f"# Exports to C\n\nCounted by `python bench/exporting.py --record` on {machine}. Bytes.\n\n"
        Path(__file__).with_name("results").joinpath("exporting.md").write_text(text + "\n".join(lines) + "\n")


def version(compiler: str) -> str:
    """A compiler's version."""
    if shutil.which(compiler) is None:
        return f"no {compiler}"
    return subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.partition("\n")[0]


def by_plies(name: str) -> list[str]:
    """One line per k."""
    game, found = load(name), []
    for thinning in thinnings(graph_for(game)):
        if thinning.plies and thinning.looked_at > MOST_LOOKED_AT:
            break
        sink, budget = BytesIO(), None
        if thinning.plies:
            budget = sizes(name)[thinning.plies]
        facts = finished(c_file.c_writing(game, sink, False, budget)).facts
        if facts["plies"] != thinning.plies:
            continue
        host, _ = measured(("gcc",), sink.getvalue(), thinning.plies)
        chip, stack = measured(CHIP, sink.getvalue(), thinning.plies)
        table = facts["rows"], facts["table_bytes"]
        cells = [f"`{name}`", thinning.plies, *table, host, chip, stack, thinning.looked_at]
        found.append("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells) + " |")
    return found


def sizes(name: str) -> dict[int, int]:
    """For each k, the smallest budget that it fits."""
    game = load(name)
    graph = graph_for(game)
    classes, (_, grades) = classes_of(game, graph, levels_of(graph)), grades_of(graph)
    rules, found = c_file.Translation(game), {}
    for thinning in thinnings(graph):
        values = frequencies(grades[classes[thinning.unsolved[classes]]])
        found[thinning.plies] = c_file.size_bound(values) + rules.size(thinning.plies > 0, len(values) > 1)
    return found


def measured(compiler: tuple[str, ...], source: bytes, plies: int) -> tuple[int | str, int | str]:
    """The bytes of code and constants, and the stack if all functions were called at once."""
    if shutil.which(compiler[0]) is None:
        return "-", "-"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "solved.c")
        path.write_bytes(source)
        subprocess.run([*compiler, *FLAGS, path, "-o", path.with_suffix(".o")], check=True)
        size = "arm-none-eabi-size" if compiler == CHIP else "size"
        listed = subprocess.run([size, "-A", path.with_suffix(".o")], capture_output=True, text=True).stdout
        flash = sum(int(count) for count in re.findall(r"^\.(?:text|rodata)\S*\s+(\d+)", listed, re.MULTILINE))
        frames = re.findall(r":(\w+)\s+(\d+)\s+static", path.with_suffix(".su").read_text())
        return flash, sum(int(size) * (plies + 1 if "searched" in name else 1) for name, size in frames)


def other_ways(name: str) -> str:
    """The size of the whole solution in alternative forms."""
    game = load(name)
    graph = graph_for(game)
    classes, (_, grades) = classes_of(game, graph, levels_of(graph)), grades_of(graph)
    going = classes[graph.going[classes]]
    count = going.size
    value_bits = bits_needed(frequencies(grades[going]))
    (key, _), smallest = keys_of(game), canonical(game)
    universe = max(key(*smallest(*graph.position(number))) for number in classes.tolist())
    keys = count * (2 + log2(universe / count))
    edges = int(graph.counts[classes].sum())
    a_move = ceil(log2(classes.size)) + ceil(log2(images(game).count))
    facts = finished(c_file.c_writing(game, BytesIO(), False, None)).facts
    cells = [facts["table_bytes"], round((keys + value_bits) / 8), round((edges * a_move + value_bits) / 8)]
    return f"| `{name}` | {classes.size:,} | " + " | ".join(f"{cell:,}" for cell in cells) + " |"


if __name__ == "__main__":
    main()
