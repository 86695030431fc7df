"""A solve on disk from start to end: the forward pass, the backward pass, and the table."""

from collections import Counter
from itertools import accumulate, pairwise
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perfectplay.game import Game, start_is_symmetric
from perfectplay.solvers.forecast import expected_positions, in_bytes, in_time, in_words, longest_game, most_positions
from perfectplay.solvers.memory import cyclic
from perfectplay.solvers.memory.expansion import Run, start_keys
from perfectplay.solvers.memory.layered import NotLayered
from perfectplay.solvers.memory.packing import pack_all
from perfectplay.solvers.memory.work import WIDEST
from perfectplay.solvers.out_of_core import cyclic_tasks, layered_tasks, symmetry_folding, table_sections
from perfectplay.solvers.out_of_core.chunk_files import ChunkFile
from perfectplay.solvers.out_of_core.driver import Driver, added, bytes_sent
from perfectplay.solvers.out_of_core.layer_file import KEYS
from perfectplay.solvers.out_of_core.worker_state import Facts, mixing, name_of
from perfectplay.solvers.retrograde import ENOUGH, SURE
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table import table_parts
from perfectplay.solvers.table.block_coding import SIZE
from perfectplay.solvers.table.grades import BYTE, TWO_BYTE_POINTS, TWO_BYTES, Scale
from perfectplay.solvers.table.table import header_for
from perfectplay.solvers.table.table_file import Header, Sink, TableSink, Writer
from perfectplay.solvers.table.table_parts import PartsWriter
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import REPEATS, BadGame, Entry, TooBig

LAYERED, CYCLIC = "levelled", "circular"
KEPT_AFTER = 0.5
"""Messages per position after which the state is saved again."""
MOST_RANGES = 1 << 16
DEALT_AT_ONCE = 256
"""The most ranges to which positions are distributed in one step."""
SAMPLES = 16
"""Sampled keys per range, from which the borders are chosen."""


class Graded(NamedTuple):
    """All classes, graded: their files, their scale of grades, and the number of positions with each entry."""

    what: str
    steps: list[int]
    scale: Scale
    counts: Counter[Entry]
    start: Entry
    classes: int


def graded(driver: Driver, game: Game) -> Steps[Graded]:
    """Grades all classes of the game, layer by layer if it has layers."""
    if driver.kind == LAYERED:
        try:
            last = yield from forward(driver, game)
            what, _ = yield from folded(driver, game, list(range(1, last + 1)), [])
            return (yield from backward(driver, game, last, what))
        except NotLayered:
            driver.restart(CYCLIC)
    last = yield from forward(driver, game)
    return (yield from in_waves(driver, game, last))


def scale_for(game: Game, narrow: bool = False) -> Scale:
    """The scale of grades while the game is solved; `narrow`: with short distances."""
    return TWO_BYTE_POINTS if game.margin is not None else BYTE if narrow else TWO_BYTES


def forward(driver: Driver, game: Game) -> Steps[int]:
    """Reaches all positions and returns the number of steps; raises NotLayered."""
    symmetric, known = start_is_symmetric(game), driver.kind == CYCLIC
    marks = sum(word.bit_count() for word in game.start)
    found = yield from driver.step("begin", 0, driver.for_all(symmetric=symmetric), "forward")
    sent = added(found, "sent")
    step, room, borders = 0, Room(driver, game, layered=not known), driver.plan.cell_borders()
    while sent:
        step += 1
        combined = yield from driver.exchange(layered_tasks.SENT, step - 1, borders, bytes_sent(found))
        driver.drop_received(layered_tasks.SENT, step - 1, combined)
        facts = {"step": step, "symmetric": symmetric, "marks": marks + step - 1, "known": known, "combined": combined}
        found = yield from driver.step("grow", step, driver.for_all(**facts), "forward", sent)
        if not known and not all(facts["alike"] for facts in found):
            raise NotLayered
        sent = added(found, "sent")
        room.add(found)
    driver.drop(layered_tasks.SENT, step)  # all are empty
    return step


def folded(driver: Driver, game: Game, steps: list[int], sizes: list[int]) -> Steps[tuple[str, list[int]]]:
    """The kind of files with the classes, and each partition's number of them.

    They are those of positions, with the given sizes, or folded ones where not all images are reachable.
    """
    if start_is_symmetric(game):
        return KEYS, sizes
    found = yield from driver.step("fold", 0, driver.for_all(steps=steps), "folding")
    each, sent, borders = bytes_sent(found) // len(steps), added(found, "sent"), driver.plan.cell_borders()
    for step in steps:
        driver.drop(KEYS, step)
        combined = yield from driver.exchange(symmetry_folding.FOLDED, step, borders, each)
    for step in steps:
        driver.drop_received(symmetry_folding.FOLDED, step, combined)
    found = yield from driver.step("unfold", 0, driver.for_all(steps=steps, combined=combined), "folding", sent)
    return symmetry_folding.CLASSES, [facts["positions"] for facts in found]


def backward(driver: Driver, game: Game, last: int, what: str) -> Steps[Graded]:
    """Grades all layers from the last to the first."""
    scale = scale_for(game, narrow=last <= BYTE.longest)
    counts: Counter[Entry] = Counter()
    asked, classes, found = 0, 0, list[Facts]()
    driver.progress.total = driver.progress.done
    for step in range(last, 0, -1):
        facts: Facts = {"step": step, "levels": last, "longest": scale.longest, "what": what}
        tasks = driver.for_all(**facts) if step == last else (yield from replied(driver, facts, found))
        driver.drop(layered_tasks.ASKED, step)
        found = yield from driver.step("settle", step, tasks, "backward", asked)
        asked = added(found, "asked")
        classes += added(found, "positions")
        here = counted(scale, found)
        counts += here
    [start] = here
    return Graded(what, list(range(1, last + 1)), scale, counts, start, classes)


def replied(driver: Driver, facts: Facts, found: list[Facts]) -> Steps[list[Facts]]:
    """The tasks that grade a layer, when the requests that a step `found` to be sent have been answered."""
    step, asked, borders = facts["step"], added(found, "asked"), driver.plan.cell_borders()
    combined = yield from driver.exchange(layered_tasks.ASKED, step, borders, bytes_sent(found), keep=True)
    if combined:
        driver.drop_received(layered_tasks.ASKED, step, combined)
    sections = [0, *accumulate(facts["sections"] for facts in found)]
    tasks = driver.for_all(**facts, combined=combined)
    found = yield from driver.step("answer", step, tasks, "backward", asked)
    combined = yield from driver.exchange(layered_tasks.REPLIES, step, sections, bytes_sent(found))
    driver.drop_received(layered_tasks.REPLIES, step, combined)
    return [{**facts, "combined": combined, "replies": [*share, sections[-1]]} for share in pairwise(sections)]


def in_waves(driver: Driver, game: Game, last: int) -> Steps[Graded]:
    """Grades all positions in waves from finished positions, wins and losses first, then draws; or by margins."""
    found = yield from driver.step("gather", 0, driver.for_all(steps=list(range(1, last + 1))), "gathering")
    for step in range(1, last + 1):
        driver.drop(KEYS, step)
    what, sizes = yield from folded(driver, game, [0], [facts["positions"] for facts in found])
    offsets = [0, *accumulate(sizes)]
    driver.progress.total = offsets[-1]
    found = yield from driver.step("link", 0, driver.for_all(what=what, offsets=offsets), "linking")
    sent = added(found, "sent")
    combined = yield from driver.exchange(cyclic_tasks.LINKS, 0, driver.plan.cell_borders(), bytes_sent(found))
    driver.drop_received(cyclic_tasks.LINKS, 0, combined)
    yield from driver.step("lay", 0, driver.for_all(what=what, offsets=offsets, combined=combined), "linking", sent)
    facts = yield from waves(driver, {"what": what, "offsets": offsets, "points": game.margin is not None})
    mixed = mixing(game.key_bits).mix(int(start_keys(game, symmetric=True)[0]))
    found = yield from driver.step("finish", 0, driver.for_all(**facts, start=mixed), "backward")
    [start] = [facts["start"] for facts in found if facts["start"] is not None]
    scale = scale_for(game)
    if any(facts["undecided"] for facts in found):
        raise BadGame(f"{game.name} {REPEATS}")
    return Graded(what, [0], scale, counted(scale, found), scale.entry(start), offsets[-1])


def waves(driver: Driver, shared: Facts) -> Steps[Facts]:
    """Runs all waves; returns the facts by which a task rebuilds the state after the last of them.

    Messages are replayed until there are too many for the number of positions; then the state is saved.
    """
    kept, step, sent, since = 0, 0, 0, 0
    draws_from, combined, borders = None, list[bool](), list(range(driver.plan.partitions + 1))
    while True:
        keep = since > shared["offsets"][-1] * KEPT_AFTER
        facts = {**shared, "step": step, "kept": kept, "draws_from": draws_from, "keep": keep, "combined": combined}
        if keep:
            driver.drop(cyclic_tasks.STATE, kept)
            for then in range(kept, step):
                driver.drop_received(cyclic_tasks.NEWS, then, combined[then])
        found = yield from driver.step("wave", step, driver.for_all(**facts), "backward", sent)
        sent = added(found, "sent")
        kept, since = (step, sent) if keep else (kept, since + sent)
        if not sent and (draws_from is not None or shared["points"]):
            return {**facts, "kept": kept}
        combined = [*combined, (yield from driver.exchange(cyclic_tasks.NEWS, step, borders, bytes_sent(found)))]
        if not sent:
            draws_from = step + 1
        step += 1
        if step - (draws_from or 0) >= cyclic.SCALE.longest and not shared["points"]:
            raise TooBig(cyclic.TOO_FAR)


def counted(scale: Scale, found: list[Facts]) -> Counter[Entry]:
    """The number of positions with each entry."""
    counts: Counter[Entry] = Counter()
    for facts in found:
        for grade, count in facts["counts"]:
            counts[scale.entry(grade)] += count
    return counts


def bound(driver: Driver, game: Game, graded: Graded, sink: Sink, path: Path | None) -> Steps[Header]:
    """Writes the table; a large one in parts, if it has a path for them."""
    kind = "<u1" if graded.scale == BYTE else "<u2"
    buckets = yield from dealt(driver, graded, kind)
    header = header_for(game, graded.start, graded.counts, graded.classes, buckets.greatest)
    scale = header.scale
    pairs = [(graded.scale.grade(entry), scale.grade(entry)) for entry in graded.counts]
    offsets = accumulate(buckets.totals, initial=0)
    facts = {"kind": kind, "regrade": pairs, "grade_bytes": header.grade_bytes}
    tasks = [{**facts, **where, "offset": offset} for where, offset in zip(buckets.places, offsets, strict=False)]
    found = yield from driver.step("bind", 0, tasks, "writing", graded.classes)
    regraded = table_sections.regrading(pairs, header.grade_bytes)
    writer: Writer | PartsWriter
    if path is not None and added(found, "bytes") > table_parts.PART_BYTES:
        writer = PartsWriter(sink, header, path, table_parts.PART_BYTES)
    else:
        writer = Writer(sink, header)
    try:
        yield from join(driver, writer, buckets.totals, regraded, np.dtype(kind))
    except BaseException as fault:
        if isinstance(writer, PartsWriter):
            writer.abandon(fault)
        if not isinstance(fault, OSError) or not isinstance(sink, TableSink):
            raise
        sink.fault = fault
    return header


class Buckets(NamedTuple):
    """All positions by key range: the size of each range, where its positions are, and the greatest key."""

    totals: list[int]
    places: list[Facts]
    greatest: int


def dealt(driver: Driver, graded: Graded, kind: str) -> Steps[Buckets]:
    """Distributes all positions to key ranges that fit in a task's memory, in two steps if there are many ranges."""
    ranges = max(1, min(MOST_RANGES, graded.classes // driver.plan.at_once))
    most = max(1, SAMPLES * ranges // driver.plan.partitions)
    facts: Facts = {"what": graded.what, "steps": graded.steps, "kind": kind, "most": most}
    driver.progress.total = graded.classes
    found = yield from driver.step("survey", 0, driver.for_all(**facts), "dealing")
    keys = np.sort(np.concatenate([np.array(facts["keys"], np.int64) for facts in found]))
    borders = np.unique(keys[[keys.size * i // ranges for i in range(1, ranges if keys.size else 1)]]).tolist()
    width = 1 if len(borders) < DEALT_AT_ONCE else isqrt(len(borders)) + 1  # ranges in a group
    for step in graded.steps:
        driver.drop(graded.what, step)
        driver.drop(layered_tasks.GRADES, step)
    outer = driver.for_all(**facts, borders=borders[width - 1 :: width])
    found = yield from driver.step("deal", 0, outer, "dealing", graded.classes)
    greatest, everyone = max(facts["greatest"] for facts in found), [0, driver.plan.partitions]
    totals = np.sum([facts["totals"] for facts in found], axis=0).tolist()
    places = [
        {"dealt": table_sections.DEALT, "parts": everyone, "number": number, "ranges": len(totals)}
        for number in range(len(totals))
    ]
    driver.drop(table_sections.DEALT, 0)
    if width == 1:
        return Buckets(totals, places, greatest)
    inner = [borders[i : i + width - 1] for i in range(0, len(borders) + 1, width)]
    tasks = [{"kind": kind, **where, "borders": within} for where, within in zip(places, inner, strict=True)]
    found = yield from driver.step("share", 0, tasks, "sharing", graded.classes)
    driver.drop(table_sections.SHARED, 0, len(inner))
    places = [
        {"dealt": table_sections.SHARED, "parts": [group, group + 1], "number": number, "ranges": len(within) + 1}
        for group, within in enumerate(inner)
        for number in range(len(within) + 1)
    ]
    return Buckets([total for facts in found for total in facts["totals"]], places, greatest)


def join(driver: Driver, writer: Writer | PartsWriter, totals: list[int], regrade: Any, kind: Any) -> Steps[None]:
    """Joins the ranges into one table; the positions between their blocks form blocks, too."""
    header, done = writer.header, 0
    rest = Run(np.empty(0, np.int64), np.empty(0, kind))
    pool = ThreadPool(1)

    def add_rest() -> None:
        if rest.keys.size:
            [block] = pack_all(pool, rest, regrade, header.grade_bytes)
            writer.add(int(rest.keys[0]), block)

    for part, total in enumerate(totals):
        with ChunkFile(driver.workdir, name_of(table_sections.BOUND, 0, part)) as chunk_file:
            rest = behind(rest, chunk_file, 0, kind)
            if rest.keys.size == SIZE:
                add_rest()
                rest = Run(rest.keys[:0], rest.grades[:0])
            for number, first in enumerate(chunk_file.array(4, np.int64).tolist()):
                writer.add(first, chunk_file.segment(5 + number))
            rest = behind(rest, chunk_file, 2, kind)
        done += total
        yield Step("joining", done, header.classes)
    add_rest()
    writer.finish()


def behind(rest: Run, chunk_file: ChunkFile, number: int, kind: Any) -> Run:
    """The positions, followed by those of a segment."""
    return table_sections.joined([rest, Run(chunk_file.array(number, np.int64), chunk_file.array(number + 1, kind))])


# The disk space that a solve will take, forecast from its first steps and watched while it runs.


BOTH_WAYS = 3.0
"""The time of a solve over the time of its forward pass."""
TABLE_BYTES = 0.7
"""Approximate bytes of a class in a table."""
EDGE_BYTES = 7.0
"""Bytes of an edge: sent, then written, then as a message."""


class Room:
    """Forecasts from the steps of the forward pass."""

    def __init__(self, driver: Driver, game: Game, layered: bool) -> None:
        self.driver, self.game = driver, game
        self.longest = longest_game(game) if layered else None
        self.most = most_positions(game, start_is_symmetric(game))
        self.sizes: list[int] = []
        self.children = self.sent_bytes = 0
        self.note = ""

    def add(self, found: list[Facts]) -> None:
        """Adds a step; raises TooBig as soon as the disk turns out to be too small.

        Replayed steps give no forecast: what came after them is on disk already.
        """
        self.sizes.append(added(found, "positions"))
        self.children += added(found, "children")
        self.sent_bytes += bytes_sent(found)
        done = sum(self.sizes)
        if done < ENOUGH or not self.sizes[-1] or self.driver.replayed:
            return
        positions = max(done, expected_positions(self.sizes, self.longest, self.most))
        needed = self.needed(positions)
        free = self.driver.workdir.free()
        if self.longest is not None:
            self.driver.progress.total = positions
        if not self.note:
            took = sum(facts["seconds"] for facts in found) / self.driver.executor.workers
            seconds = BOTH_WAYS * took * positions / self.sizes[-1]
            about = "about" if self.longest else "at least"
            left = "" if free is None else f" ({in_bytes(free)} are free)"
            self.note = f"{about} {in_words(positions)} positions, {in_bytes(needed)} of disk{left}, {in_time(seconds)}"
            self.driver.say(self.note)
        doubt = max(1.5, SURE / done) if self.longest else 1.0
        if free is not None and needed / doubt > free + self.driver.progress.kept:
            raise TooBig(
                f"{self.game.name} will not fit the disk: {self.note}; "
                "choose workdir=... with more space, or a smaller size"
            )

    def needed(self, positions: int) -> int:
        """The peak bytes on disk for a solve of this many positions."""
        done = sum(self.sizes)
        key_bytes = self.driver.progress.kept / done
        if self.longest is None:
            return int(positions * (2 * key_bytes + 8 + EDGE_BYTES * self.children / done))
        copies = 3 if self.driver.plan.groups else 2
        aside = max(copies * WIDEST * self.sent_bytes / done, key_bytes + 1 + TABLE_BYTES)
        return int(positions * (key_bytes + 1 + aside))
