"""Measures sweeps: all small boards of `lines`, with value, distance, fairness and depth, on two processes.

python bench/sweeping.py [--record]

The sweep runs in a folder of its own: first without compiled code, then with it, then with the results known, each as
a command from start to end. The seconds of each variant show what it costs beside its positions.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
VARIANTS = "lines:2..4,2..4,2..4,misere=false|true"
SECONDS = 60.0
"""To reach on two cores, with compiled code in the cache."""
BANDS = (1_000, 10_000, 100_000, 1_000_000, 10**9)
"""Variants with fewer positions than this are counted together."""


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = measured(Path(folder))
    print("\n".join(lines))
    if options.record:
        text = "# Sweeps\n\nMeasured by `python bench/sweeping.py --record`: "
        text += f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; "
        text += f"`{VARIANTS.replace('|', '&#124;')}`, value, distance, fairness and depth, two processes.\n\n"
        (ROOT / "bench" / "results" / "sweeping.md").write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def measured(home: Path) -> list[str]:
    """The rows of both tables."""
    cold, rows = swept(home)
    shutil.rmtree(home / "data" / "sweeps")
    warm, rows = swept(home)
    known, _ = swept(home)
    return [
        "| what | measured | to reach |",
        "|---|---|---|",
        f"| {len(rows)} variants, nothing compiled | {cold:.1f} s | - |",
        f"| the same, compiled code in the cache | {warm:.1f} s | {SECONDS:g} s |",
        f"| the same, everything known | {known:.2f} s | - |",
        "",
        "| positions of a variant | variants | positions in all | seconds in all | microseconds per position |",
        "|---|---|---|---|---|",
        *bands(rows),
    ]


def swept(home: Path) -> tuple[float, list[dict[str, object]]]:
    """The seconds that the command takes, and its rows."""
    command = [sys.executable, "-m", "perfectplay", "sweep", VARIANTS, "--measure", "fairness,depth", "--jobs", "2"]
    begin = time.perf_counter()
    done = subprocess.run(
        [*command, "--json"],
        env={**os.environ, "PERFECTPLAY_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - begin, json.loads(done.stdout)


def bands(rows: list[dict[str, object]]) -> list[str]:
    """What variants of about the same size cost, a row for each."""
    found, least = [], 0
    for most in BANDS:
        here = [row for row in rows if least <= int(str(row["positions"])) < most]
        positions = sum(int(str(row["positions"])) for row in here)
        seconds = sum(float(str(row["seconds"])) for row in here)
        if here:
            each = 1e6 * seconds / positions
            label = f"{least:,} to {most:,}" if most < BANDS[-1] else f"{least:,} and more"
            found.append(f"| {label} | {len(here)} | {positions:,} | {seconds:.1f} | {each:,.1f} |")
        least = most
    return found


if __name__ == "__main__":
    main()
