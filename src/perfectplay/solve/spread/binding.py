"""The tasks that make the table: mixed keys back in their own order, then blocks as every table has them.

All partitions deal out their positions by ranges of keys, and a range is bound into blocks. Blocks begin at multiples
of their size over the whole table, so the first and the last few positions of a range are left to whoever joins them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from perfectplay.solve.expansion import GradeArray, Run
from perfectplay.solve.keys import Keys
from perfectplay.solve.packing import pack_all
from perfectplay.solve.spread.level import Level
from perfectplay.solve.spread.levels import GRADES
from perfectplay.solve.spread.parcels import Parcel, packing
from perfectplay.solve.spread.site import Facts, Site, name_of
from perfectplay.table.blocks import SIZE

DEALT, BOUND = "dealt", "bound"


def survey(site: Site, part: int, facts: Facts) -> Facts:
    """Some of the keys, spread evenly: those of a cell of each level, which mixing has made a fair choice."""
    found: list[Keys] = []
    for step in facts["steps"]:
        with Level(site, part, step, facts["what"]) as level:
            first = int(np.argmax(level.sizes > 0))
            found.append(site.mixing.unmix(level.keys(range(first, first + 1)).astype(np.int64)))
    keys = np.sort(np.concatenate(found))
    return {"keys": keys[:: max(1, keys.size // facts["most"])].tolist(), "bytes": 0}


def deal(site: Site, part: int, facts: Facts) -> Facts:
    """Deals out the positions of all levels by ranges of their keys: in each range, the keys and the grades."""
    borders, kind = np.array(facts["borders"], np.int64), np.dtype(facts["kind"])
    totals = np.zeros(borders.size + 1, np.int64)
    greatest = 0
    with packing(site.workdir, name_of(DEALT, 0, part)) as dealt:
        for keys, grades in gathered(site, part, facts, kind):
            ranges = np.searchsorted(borders, keys, side="right")
            order = np.argsort(ranges.astype(np.uint16), kind="stable")
            cuts = np.concatenate([[0], np.cumsum(np.bincount(ranges, minlength=totals.size))])
            dealt.add_numbers(keys[order], cuts)
            grades = grades[order]
            for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
                dealt.add_array(grades[begin:end])
            totals += np.diff(cuts)
            greatest = max(greatest, int(keys.max()))
    return {"totals": totals.tolist(), "received": int(totals.sum()), "greatest": greatest, "bytes": dealt.bytes}


def gathered(site: Site, part: int, facts: Facts, kind: Any) -> Iterator[tuple[Keys, GradeArray]]:
    """All positions with their own keys and their grades, about as many at once as a task has in memory."""
    keys: list[Keys] = []
    grades: list[GradeArray] = []
    for step in facts["steps"]:
        with (
            Level(site, part, step, facts["what"]) as level,
            Parcel(site.workdir, name_of(GRADES, step, part)) as known,
        ):
            for cells in level.chunks():
                keys.append(level.keys(cells))
                grades.extend(known.array(i, kind) for i in cells)
                if sum(each.size for each in keys) >= site.plan.at_once:
                    yield site.mixing.unmix(np.concatenate(keys).astype(np.int64)), np.concatenate(grades)
                    keys, grades = [], []
    if sum(each.size for each in keys):
        yield site.mixing.unmix(np.concatenate(keys).astype(np.int64)), np.concatenate(grades)


def bind(site: Site, part: int, facts: Facts) -> Facts:
    """Binds a range: its first positions up to where a block begins, the blocks, the positions that are left."""
    kind, ranges = np.dtype(facts["kind"]), facts["ranges"]
    keys: list[Keys] = []
    grades: list[GradeArray] = []
    with site.parcels(DEALT, 0) as parcels:
        for parcel in parcels:
            for number in range(part, parcel.counts.size, 2 * ranges):
                keys.append(parcel.numbers(number, np.int64, part))
                grades.append(parcel.array(number + ranges, kind))
    found = np.concatenate(keys)
    order = np.argsort(found, kind="stable")
    run = Run(found[order], np.concatenate(grades)[order])
    head = min(run.keys.size, -facts["offset"] % SIZE)
    whole = head + (run.keys.size - head) // SIZE * SIZE
    regrade = regrading(facts["regrade"], facts["grade_bytes"])
    with packing(site.workdir, name_of(BOUND, 0, part)) as bound:
        for piece in (slice(0, head), slice(whole, None)):
            bound.add_array(run.keys[piece])
            bound.add_array(run.grades[piece])
        bound.add_array(run.keys[head:whole:SIZE])
        if whole > head:
            body = Run(run.keys[head:whole], run.grades[head:whole])
            for block in pack_all(site.crew, body, regrade, facts["grade_bytes"]):
                bound.add(block, SIZE)
    return {"received": run.keys.size, "positions": run.keys.size, "bytes": bound.bytes}


def regrading(pairs: list[tuple[int, int]], grade_bytes: int) -> GradeArray:
    """From the grades of a solve to those of its table, as an array."""
    regrade = np.zeros(1 + max(grade for grade, _ in pairs), f"<u{grade_bytes}")
    for grade, other in pairs:
        regrade[grade] = other
    return regrade
