"""Rows of the page of limits: cluster."""

import json
import os
import sys
from pathlib import Path

from limit_rows.row import Found, Row, run_program

BENCH = Path(__file__).parent.parent


def model(folder: Path) -> Found:
    """The hours by the model, from costs of many partitions measured now and recorded costs per position."""
    command = [sys.executable, str(BENCH / "disk_cost.py"), "--exchange", "--json"]
    env = {"PERFECTPLAY_HOME": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = run_program(command, BENCH.parent, env)
    found = json.loads(ran.output.splitlines()[-1])
    opened = {(one["partitions"], one["combined"]): one["opened"] for one in found["exchanges"]}
    counts = ", ".join(
        f"{partitions} partitions open {opened[partitions, True]:,} files a step instead of "
        f"{opened[partitions, False]:,}"
        for partitions in sorted({partitions for partitions, _ in opened})
    )
    note = f"extrapolated, without joining a table; 10 machines {found['hours']['10']:.1f} h; measured: {counts}"
    return Found(found["hours"]["100"], memory=ran.memory, note=note)


ROWS = [Row("18", "7x6 connect four on 100 machines, by the cost model", "h", 18.0, 1.0, model)]
