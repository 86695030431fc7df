"""Rows that need a GPU: large boards of connect four, with and without their tables."""

import json
from functools import partial
from pathlib import Path

from limit_rows.row import Found, Row, run


def solved(home: Path, words: tuple[str, ...], published: int, again: bool) -> Found:
    """Solves in a new home, where kernels are compiled first, and if `again` a second time, which then counts."""
    command = ("solve", *words, "--engine", "cuda", "--json")
    first = run(command, home)
    ran = run(command, home) if again else first
    found = json.loads(ran.output.splitlines()[-1])
    if found["positions"] != published:
        raise ValueError(f"{words[0]} has {published:,} positions, not {found['positions']:,}")
    note = f"{found['classes']:,} classes, {found['value']}; "
    note += f"{first.seconds:.1f} s in a new home" if again else "in a new home"
    return Found(ran.seconds, ran.memory, note=note)


ROWS: list[Row] = [
    Row(
        *("12", "`solve drop:6,5,4 --engine cuda`, 1.4 billion classes, with its table", "s", 125, 25),
        partial(solved, words=("drop:6,5,4",), published=2_818_972_642, again=True),
    ),
    Row(
        *("13", "`solve drop:6,6,4 --engine cuda --no-table`, 35 billion classes", "s", 42, 15),
        partial(solved, words=("drop:6,6,4", "--no-table"), published=69_173_028_785, again=True),
    ),
    Row(
        *("14", "`solve drop:7,5,4 --engine cuda --no-table`, 56 billion classes", "s", None, 600),
        partial(solved, words=("drop:7,5,4", "--no-table"), published=112_829_665_923, again=False),
    ),
]
