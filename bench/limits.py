"""Measures what people wait for, row by row, beside goals and peers, and writes one page of ratios.

python bench/limits.py [--gpu] [--rows 1,2,17] [--record]

The first form takes the rows of the CPU, `--gpu` those that need one. `--record` writes bench/results/limits.md or
bench/results/limits-gpu.md; rows that were not measured keep their lines. Every figure is taken from outside, in
new processes with a home of their own. Needs the packages of the extra `bench` for the peers.
"""

import argparse
import datetime
import importlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from limit_rows.row import Found, Row

CPU_GROUPS = ("waiting", "cyclic", "layered", "searches", "tables", "cluster", "tests", "peers")
GPU_GROUPS = ("gpu",)
RESULTS = Path(__file__).parent / "results"
HEAD = """| # | what | unit | before | goal | now | goal reached | peer | memory | load | note |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def rows_of(groups: tuple[str, ...]) -> list[Row]:
    """All rows of these groups, in order of their numbers."""
    rows = [row for group in groups for row in importlib.import_module(f"limit_rows.{group}").ROWS]
    return sorted(rows, key=order)


def order(row: Row) -> tuple[int, str]:
    """A row's place: by its number, then by its letter."""
    return int(re.match(r"\d+", row.number)[0]), row.number


def number(value: float | None) -> str:
    """A figure with three digits that matter."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def line(row: Row, found: Found, load: float) -> str:
    """The row of the page."""
    peer = (
        "-"
        if found.peer is None
        else f"{number(found.value / found.peer[1])} of {found.peer[0]}'s {number(found.peer[1])}"
    )
    memory = "-" if found.memory is None else f"{found.memory / 2**20:,.0f} MiB"
    reached = "yes" if row.reached(found.value) else f"no, {number(found.value / row.goal)} of it"
    cells = (row.number, row.what, row.unit, number(row.before), number(row.goal), number(found.value), reached, peer)
    return f"| {' | '.join(cells)} | {memory} | {load:.1f} | {found.note or '-'} |"


def measured(row: Row) -> str | None:
    """The line of a row that is measured now in an empty folder; None, with a word, if it cannot be."""
    folder = Path(tempfile.mkdtemp(prefix="perfectplay-limits-"))
    load, begin = os.getloadavg()[0], time.perf_counter()
    try:
        text = line(row, row.measure(folder), load)
    except Exception as error:  # one row that fails must not cost the others
        print(f"row {row.number}, {row.what}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{text}  ({time.perf_counter() - begin:.0f} s)", flush=True)
    return text


def kept_lines(file: Path) -> dict[str, str]:
    """The lines of an earlier page by the numbers of their rows."""
    text = file.read_text() if file.exists() else ""
    return {found[1]: found[0] for found in re.finditer(r"^\| (\d+\w*) \|.*$", text, re.MULTILINE)}


def page(title: str, command: str, lines: dict[str, str], rows: list[Row]) -> str:
    """The page of ratios."""
    today = datetime.datetime.now(datetime.UTC).date()
    where = f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}, {today}"
    body = "\n".join(lines[row.number] for row in rows if row.number in lines)
    return (
        f"# {title}\n\nMeasured by `{command}`; last run on {where}. `load` is the load average of the last minute "
        "when a row began: above 0.5 something else was running, often the row before. `before` was measured on a "
        f"machine of the same kind before the work on these rows began.\n\n{HEAD}{body}\n"
    )


def main() -> None:
    """Measures the chosen rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpu", action="store_true", help="rows that need a GPU")
    parser.add_argument("--rows", help="numbers, separated by commas")
    parser.add_argument("--record", action="store_true", help="write the page")
    asked = parser.parse_args()
    rows = rows_of(GPU_GROUPS if asked.gpu else CPU_GROUPS)
    chosen = rows
    if asked.rows is not None:
        numbers = asked.rows.split(",")
        chosen = [row for row in rows if row.number in numbers or row.number.rstrip("abcdef") in numbers]
        if not chosen:
            parser.error(f"no row {asked.rows}; there are {', '.join(row.number for row in rows)}")
    file = RESULTS / ("limits-gpu.md" if asked.gpu else "limits.md")
    lines, failed = kept_lines(file), 0
    print(HEAD, end="")
    for row in chosen:
        text = measured(row)
        failed += text is None
        if text is not None:
            lines[row.number] = text
        if asked.record:
            command = "python bench/limits.py" + (" --gpu" if asked.gpu else "") + " --record"
            title = "Limits on a GPU" if asked.gpu else "Limits on the CPU"
            file.write_text(page(title, command, lines, rows))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
