"""Rows of the page of limits: the tests."""

import os
import re
from pathlib import Path

from limit_rows.row import Found, Row, run_program

ROOT = Path(__file__).parents[2]


def make_test(folder: Path) -> Found:
    """Minutes of `make test` where everything is installed; nothing is compiled yet, as on a fresh machine."""
    ran = run_program(["make", "-s", "test"], ROOT, {"TMPDIR": str(folder), "PERFECTPLAY_HOME": str(folder / "home")})
    passed = re.search(r"(\d+) passed", ran.output)
    share = ran.cpu / ran.seconds / (os.cpu_count() or 1)
    return Found(ran.seconds / 60, note=f"{passed[1] if passed else '?'} tests, cores busy {share:.0%} of the time")


ROWS = [Row("19", "`make test`", "minutes", 20, 8, make_test)]
