"""The tasks of games whose positions fall into levels; growing serves those that go round in circles as well.

Forward, a partition takes the keys that all sent it, finds those that are new, and sends their children to whom they
belong. Backward it asks for the grades of its positions' children, gets them, and grades its positions.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from perfectplay.engines import coding
from perfectplay.solve.expansion import ASTRAY, GradeArray, Run, expanded, judged, start_keys
from perfectplay.solve.keys import Keys
from perfectplay.solve.levelled import take_back
from perfectplay.solve.spread.level import KEYS, Level, pieces
from perfectplay.solve.spread.parcels import Packer, Parcel, packing
from perfectplay.solve.spread.site import Facts, Site, name_of, shared
from perfectplay.table.grades import BYTE, Grades
from perfectplay.words import BadGame

SENT, ASKED, REPLIES, GRADES = "sent", "asked", "replies", "grades"
AT_ONCE = 128
"""Questions that a task has in memory for each position: a byte or two each, much less than a position's children."""


def received_in(site: Site, parcels: list[Parcel], cell: int) -> list[Keys]:
    """The keys of the cell on every sheet, each sheet's sorted; they count from where the cell begins."""
    return [
        parcel.numbers(number, site.cell_kind)
        for parcel in parcels
        for number in range(cell, parcel.counts.size, site.cells)
        if parcel.counts[number]
    ]


def begin(site: Site, part: int, facts: Facts) -> Facts:
    """Sends the start to whom it belongs."""
    start = site.mixing.mix(start_keys(site.game, facts["symmetric"]).astype(np.int64)).astype(site.kind)
    with packing(site.workdir, name_of(SENT, 0, part)) as sent:
        if part == 0:
            site.add_sheet(sent, start)
    return {"sent": int(part == 0)}


def grow(site: Site, part: int, facts: Facts) -> Facts:
    """Takes the keys sent in the step before and sends their children on.

    Where positions have no levels, `known` says that those reached in earlier steps are not new.
    """
    step, symmetric, marks, received, told = facts["step"], facts["symmetric"], facts["marks"], 0, Told()
    waiting: list[Keys] = []
    with (
        site.parcels(SENT, step - 1) as inbox,
        ExitStack() as stack,
        packing(site.workdir, name_of(KEYS, step, part)) as keys,
        packing(site.workdir, name_of(SENT, step, part)) as sent,
    ):
        known = [stack.enter_context(Level(site, part, i)) for i in range(1, step if facts["known"] else 1)]
        for i, cell in enumerate(site.cells_of(part)):
            found = received_in(site, inbox, cell)
            received += sum(each.size for each in found)
            fresh = site.distinct(found)
            for earlier in known:
                fresh = without(fresh, earlier.cell(i))
            keys.add_numbers(fresh, np.array([0, fresh.size]))
            if waiting and sum(each.size for each in waiting) + fresh.size > site.plan.at_once:
                told.add(send_all(site, np.concatenate(waiting), sent, symmetric, marks))
                waiting = []
            waiting.append(site.in_place(cell, fresh))
        told.add(send_all(site, np.concatenate(waiting), sent, symmetric, marks))
    return {"received": received, **told.facts(), "bytes": keys.bytes + sent.bytes, "kept": keys.bytes}


class Told:
    """What several chunks add up to."""

    def __init__(self) -> None:
        self.positions = self.children = self.sent = 0
        self.alike = True

    def add(self, sheets: Iterable[tuple[int, int, int, bool]]) -> None:
        """Adds the positions, children and keys sent of each sheet, and whether its positions have the right bits."""
        for positions, children, sent, alike in sheets:
            self.positions += positions
            self.children += children
            self.sent += sent
            self.alike &= alike

    def facts(self) -> Facts:
        """In words that travel."""
        return dict(vars(self))


def send_all(site: Site, keys: Keys, sent: Packer, symmetric: bool, marks: int) -> Iterator[tuple[int, int, int, bool]]:
    """Sends the children of a chunk, a sheet for each piece of it; what each comes to."""
    for piece in pieces(Run(keys, np.empty(keys.size, np.uint8)), site.plan.at_once):
        yield send(site, piece, sent, symmetric, marks)


def send(site: Site, run: Run, sent: Packer, symmetric: bool, marks: int) -> tuple[int, int, int, bool]:
    """Sends the children of these positions; how many positions, children and keys, and whether bits are right."""
    children, alike = judged(site.kernels, site.crew, run, np.array(BYTE.ends(), np.uint8), marks)
    found = expanded(site.kernels, site.crew, run, children, symmetric) if sum(children) else run.keys[:0]
    site.add_sheet(sent, found)
    return run.keys.size, sum(children), found.size, alike


def without(keys: Keys, others: Keys) -> Keys:
    """Those of the keys that are not among the others; both sorted."""
    if not keys.size or not others.size:
        return keys
    places = np.empty(keys.size, np.int64)
    coding.places_of(keys, others, places)
    return keys[places < 0]


def scale_of(facts: Facts) -> tuple[Grades, Any]:
    """The grades that are enough for so many levels, and their type."""
    scale = Grades(facts["longest"])
    return scale, np.uint8 if scale == BYTE else np.uint16


def settle(site: Site, part: int, facts: Facts) -> Facts:
    """Grades a level by the replies of those that were asked; then asks for the level before."""
    with packing(site.workdir, name_of(GRADES, facts["step"], part)) as grades:
        counts, positions, replied = grade_level(site, part, facts, grades)
    told = (
        ask(site, part, facts["step"] - 1, facts["what"])
        if facts["step"] > 1
        else {"asked": 0, "sheets": 0, "bytes": 0}
    )
    told["bytes"] += grades.bytes
    return {**told, "counts": counts, "positions": positions, "received": replied, "kept": grades.bytes}


def ask(site: Site, part: int, step: int, what: str) -> Facts:
    """Asks for the grades of the children of a level, a sheet for each piece of it."""
    asked, sheets = 0, 0
    with (
        Level(site, part, step, what) as level,
        packing(site.workdir, name_of(ASKED, step, part)) as packer,
    ):
        for cells in level.chunks():
            for _, _, sent, _ in send_all(site, level.keys(cells), packer, symmetric=True, marks=0):
                asked += sent
                sheets += 1
    return {"asked": asked, "sheets": sheets, "bytes": packer.bytes}


def answer(site: Site, part: int, facts: Facts) -> Facts:
    """Answers all who asked for grades of this partition's positions, sheet by sheet."""
    step, here, answered = facts["step"], site.cells_of(part), 0
    _, kind = scale_of(facts)
    with (
        site.parcels(ASKED, step) as asking,
        Level(site, part, step + 1, facts["what"]) as level,
        Parcel(site.workdir, name_of(GRADES, step + 1, part)) as grades,
        packing(site.workdir, name_of(REPLIES, step, part)) as packer,
    ):
        questions = [
            Questions(parcel, first, int(parcel.counts[first + here.start : first + here.stop].sum()))
            for parcel in asking
            for first in range(0, parcel.counts.size, site.cells)
        ]
        for some in few_at_once(questions, AT_ONCE * site.plan.at_once):
            for reply in replies_to(site, some, level, grades, kind):
                packer.add_array(reply)
                answered += reply.size
    return {"received": answered, "bytes": packer.bytes}


class Questions(NamedTuple):
    """A sheet of those who ask: its first segment, and how many questions it has for this partition."""

    asking: Parcel
    first: int
    size: int


def few_at_once(questions: list[Questions], most: int) -> Iterator[list[Questions]]:
    """The sheets in order, as many together as have that many questions, or one."""
    some: list[Questions] = []
    for each in questions:
        if some and sum(sheet.size for sheet in some) + each.size > most:
            yield some
            some = []
        some.append(each)
    if some:
        yield some


def replies_to(site: Site, questions: list[Questions], level: Level, grades: Parcel, kind: Any) -> list[GradeArray]:
    """The grades that each sheet asks for."""
    replies = [np.empty(sheet.size, kind) for sheet in questions]
    filled = [0] * len(questions)
    for i in range(level.sizes.size):
        keys, known = level.cell(i), grades.array(i, kind)
        for number, (asking, first, _) in enumerate(questions):
            wanted = asking.numbers(first + level.first + i, site.cell_kind)
            places = np.empty(wanted.size, np.int64)
            if coding.places_of(wanted, keys, places):
                raise BadGame(ASTRAY)
            replies[number][filled[number] : filled[number] + wanted.size] = known[places]
            filled[number] += wanted.size
    return replies


def grade_level(site: Site, part: int, facts: Facts, grades: Packer) -> tuple[list[tuple[int, int]], int, int]:
    """Writes the grades of a level; how many positions have each, how many classes, how many replies were read.

    On the last level all games have ended, so nobody was asked.
    """
    step, last = facts["step"], facts["step"] == facts["levels"]
    scale, kind = scale_of(facts)
    ends, earlier = np.array(scale.ends(), kind), np.array(scale.earlier(), kind)
    counts, positions, replied = np.zeros(scale.size, np.int64), 0, 0
    with Level(site, part, step, facts["what"]) as level, ExitStack() as stack:
        asked = None if last else stack.enter_context(asked_by(site, part, step, facts["sheets"], kind))
        sheets = count()
        for cells in level.chunks():
            run = Run(level.keys(cells), np.empty(level.size(cells), kind))
            for piece in pieces(run, site.plan.at_once):
                judged(site.kernels, site.crew, piece, ends, 0)
                if asked is not None:
                    below = asked.sheet(next(sheets))
                    replied += below.keys.size
                    if below.keys.size:
                        take_back(site.kernels, site.crew, piece, below, earlier)
            level.write_grades(cells, run.grades, grades)
            level.weigh(cells, run, counts)
            positions += run.keys.size
    return shared(counts), positions, replied


class Asked(NamedTuple):
    """The children that a partition asked for, with the grades that came back."""

    site: Site
    asked: Parcel
    replies: list[Parcel]
    first: int
    kind: Any

    def sheet(self, number: int) -> Run:
        """The children of a piece, sorted, and their grades."""
        site = self.site
        keys = [
            self.asked.numbers(number * site.cells + cell, site.kind, cell << site.shift) for cell in range(site.cells)
        ]
        grades = [reply.array(self.first + number, self.kind) for reply in self.replies]
        return Run(np.concatenate(keys), np.concatenate(grades))


@contextmanager
def asked_by(site: Site, part: int, step: int, sheets: list[int], kind: Any) -> Iterator[Asked]:
    """What the partition asked for in a step; `sheets` says how many all have written, so where its own begin."""
    with Parcel(site.workdir, name_of(ASKED, step, part)) as asked, site.parcels(REPLIES, step) as replies:
        yield Asked(site, asked, replies, sum(sheets[:part]), kind)
