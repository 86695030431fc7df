"""The tasks of games that go round in circles: edges from each position to its parents, then news along them in waves.

In wave d all positions are decided that are d plies from the end: a partition hears which of its positions have a
child decided in the wave before, counts down the children they wait for, and passes on which are decided by that.
Its state is kept now and then; between, it is that state and the news since, told again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines import arrays, coding
from perfectplay.solve.circular import ENDS, SCALE
from perfectplay.solve.expansion import ASTRAY, GradeArray, Run, expanded, judged
from perfectplay.solve.keys import Keys, index_of, kind_for
from perfectplay.solve.spread.level import KEYS, Level, pieces
from perfectplay.solve.spread.levels import GRADES
from perfectplay.solve.spread.parcels import Packer, Parcel, packing
from perfectplay.solve.spread.site import Facts, Site, name_of, shared
from perfectplay.words import DRAW, LOSS, WIN, BadGame, Entry

LINKS, EDGES, STATE, NEWS = "links", "edges", "state", "news"
AT_ONCE, BY_AND_BY = 0, 1
"""What a decided child does to its parents: it decides them, or they wait for one child less."""
ENDLESS = SCALE.grade(Entry(DRAW, None))
DRAWN = SCALE.grade(Entry(DRAW, 0))
LEAST_WON = 2 * SCALE.longest + 4


def link(site: Site, part: int, facts: Facts) -> Facts:
    """Tells all children of this partition's positions whose children they are; writes the state to begin with.

    A sheet has three segments a cell: children, how many parents each has, the parents' places in their partition.
    """
    waiting, grades = [np.empty(0, np.uint8)], [np.empty(0, np.uint16)]
    first = sent = 0
    with (
        Level(site, part, 0, facts["what"]) as level,
        packing(site.workdir, name_of(LINKS, 0, part)) as links,
    ):
        for cells in level.chunks():
            run = Run(level.keys(cells), np.empty(level.size(cells), np.uint16))
            for piece in pieces(run, site.plan.at_once):
                counts, parents = write_links(site, piece, first, links)
                waiting.append(counts)
                first += piece.keys.size
                sent += parents
            grades.append(run.grades)
    with packing(site.workdir, name_of(STATE, 0, part)) as state:
        state.add_array(np.concatenate(waiting))
        state.add_array(np.concatenate(grades))
    return {"positions": first, "sent": sent, "bytes": links.bytes + state.bytes}


def write_links(site: Site, run: Run, first: int, links: Packer) -> tuple[NDArray[np.uint8], int]:
    """Writes a sheet for positions that have places from the first on; how many children each has, how many in all."""
    counts, children, lists = links_of(site, run)
    if children.size:
        cuts = site.cut(children)
        site.add_sheet(links, children)
        links.add_numbers(np.diff(lists.starts[: children.size + 1]), cuts)
        links.add_numbers(lists.parents + first, lists.starts[cuts])
    return counts, lists.parents.size


class Lists(NamedTuple):
    """The parents of positions, one after another, and where those of each begin."""

    starts: NDArray[np.int64]
    parents: NDArray[Any]


def links_of(site: Site, run: Run) -> tuple[NDArray[np.uint8], Keys, Lists]:
    """How many children each position has, all children sorted, and the parents of each; grades the ended ones."""
    children, _ = judged(site.kernels, site.crew, run, ENDS, 0)
    counts = np.zeros(run.keys.size, np.uint8)
    if not sum(children):
        return counts, run.keys[:0], Lists(np.zeros(1, np.int64), np.empty(0, np.int32))
    found = expanded(site.kernels, site.crew, run, children, symmetric=True)
    places = np.empty(sum(children), np.int32)
    site.kernels.number_children(run.keys, run.grades, places, counts, *index_of(site.crew, found))
    starts = np.zeros(found.size + 2, np.int64)
    arrays.count_parents(places, starts)
    np.cumsum(starts, out=starts)
    parents = np.empty(places.size, np.int32)
    arrays.fill_parents(places, counts, starts, parents)
    return counts, found, Lists(starts, parents)


def lay(site: Site, part: int, facts: Facts) -> Facts:
    """Lays down the parents of this partition's positions, all partitions' numbered through, cell by cell."""
    offsets, received = facts["offsets"], 0
    kind = kind_for(offsets[-1])
    with (
        site.parcels(LINKS, 0) as parcels,
        Level(site, part, 0, facts["what"]) as level,
        packing(site.workdir, name_of(EDGES, 0, part)) as edges,
    ):
        for i, cell in enumerate(site.cells_of(part)):
            lists = laid(site, level.cell(i), parcels, cell, offsets, kind)
            edges.add_array(lists.starts)
            edges.add_array(lists.parents)
            received += lists.parents.size
    return {"received": received, "bytes": edges.bytes, "kept": edges.bytes}


def laid(site: Site, keys: Keys, parcels: list[Parcel], cell: int, offsets: list[int], kind: Any) -> Lists:
    """The parents of the positions of a cell."""
    linked = []
    starts = np.zeros(keys.size + 2, np.int64)
    for parcel, offset in zip(parcels, offsets, strict=False):
        for number in range(cell, parcel.counts.size, 3 * site.cells):
            if parcel.counts[number]:
                children = parcel.numbers(number, site.cell_kind)
                counts = parcel.numbers(number + site.cells, np.int32, cell)
                places = np.empty(children.size, np.int64)
                if coding.places_of(children, keys, places):
                    raise BadGame(ASTRAY)
                coding.count_edges(places, counts, starts)
                linked.append((places, counts, parcel, number + 2 * site.cells, offset))
    np.cumsum(starts, out=starts)
    parents = np.empty(int(starts[-1]), kind)
    for places, counts, parcel, number, offset in linked:
        coding.fill_edges(places, counts, parcel.numbers(number, kind, cell), offset, starts, parents)
    return Lists(starts[:-1], parents)


def wave(site: Site, part: int, facts: Facts) -> Facts:
    """Hears the news of the wave before, and passes on what they decide; keeps the state if it shall."""
    step = facts["step"]
    told = State(site, part, facts)
    new = told.heard()
    kept = 0
    if facts["keep"]:
        with packing(site.workdir, name_of(STATE, step, part)) as state:
            state.add_array(told.waiting)
            state.add_array(told.grades)
        kept = state.bytes
    with packing(site.workdir, name_of(NEWS, step, part)) as news:
        sent = pass_on(site, part, facts, np.sort(new), told.grades, news)
    return {"received": told.received, "positions": int(new.size), "sent": sent, "bytes": news.bytes + kept}


class State:
    """What a partition knows of its positions after some wave: their grades, and how many children they wait for."""

    def __init__(self, site: Site, part: int, facts: Facts) -> None:
        self.site, self.part, self.facts = site, part, facts
        self.received = 0
        with Parcel(site.workdir, name_of(STATE, facts["kept"], part)) as state:
            self.waiting = state.array(0, np.uint8).copy()
            self.grades = state.array(1, np.uint16).copy()

    def heard(self) -> NDArray[np.int32]:
        """Hears all news since the state was kept; which positions the last of them decide.

        The first wave of all begins with the won and lost ends, the first one for draws with the drawn ends.
        """
        step, draws_from = self.facts["step"], self.facts["draws_from"]
        new = np.empty(0, np.int32)
        for then in range(self.facts["kept"] + 1, step + 1):
            new = self.hear(then)
        if step == 0:
            new = np.flatnonzero((self.grades != 0) & (self.grades != DRAWN)).astype(np.int32)
        elif step == draws_from:
            new = np.flatnonzero(self.grades == DRAWN).astype(np.int32)
        return new

    def hear(self, step: int) -> NDArray[np.int32]:
        """Hears the news that the wave before passed on; which positions they decide."""
        parts, own = self.site.plan.partitions, self.facts["offsets"][self.part]
        kind, draws_from = kind_for(self.facts["offsets"][-1]), self.facts["draws_from"]
        drawn = draws_from is not None and step > draws_from
        distance = step - draws_from if drawn else step
        entries = (Entry(DRAW if drawn else WIN, distance), Entry(LOSS, distance))
        decided = [np.empty(0, np.int32)]
        self.received = 0
        with self.site.parcels(NEWS, step - 1) as parcels:
            for how, entry in enumerate(entries):
                for parcel in parcels:
                    for number in range(how * parts + self.part, parcel.counts.size, 2 * parts):
                        parents = parcel.numbers(number, kind, how * parts + self.part) - kind(own)
                        new = np.empty(parents.size, np.int32)
                        count = coding.told(self.grades, self.waiting, parents, how == AT_ONCE, SCALE.grade(entry), new)
                        decided.append(new[:count].copy())  # few of many
                        self.received += parents.size
        return np.concatenate(decided)


def pass_on(site: Site, part: int, facts: Facts, new: NDArray[np.int32], grades: GradeArray, news: Packer) -> int:
    """Tells the parents of all these positions that they are decided; how many it tells."""
    sent = 0
    waiting: tuple[list[Keys], list[Keys]] = ([], [])
    with (
        Level(site, part, 0, facts["what"]) as level,
        Parcel(site.workdir, name_of(EDGES, 0, part)) as edges,
    ):
        begins = np.concatenate([[0], np.cumsum(level.sizes)])
        cuts = np.searchsorted(new, begins)
        for i in np.flatnonzero(np.diff(cuts)).tolist():
            here = new[cuts[i] : cuts[i + 1]]
            starts, parents = edges.array(2 * i, np.int64), edges.array(2 * i + 1, kind_for(facts["offsets"][-1]))
            won = grades[here] >= LEAST_WON
            for how, places in ((AT_ONCE, here[~won]), (BY_AND_BY, here[won])):
                places = places - int(begins[i])
                found = np.empty(int((starts[places + 1] - starts[places]).sum()), parents.dtype)
                coding.parents_of(places, starts, parents, found)
                waiting[how].append(found)
                sent += found.size
            if sum(found.size for how in waiting for found in how) > 4 * site.plan.at_once:
                write_news(facts["offsets"], waiting, news)
                waiting = ([], [])
        write_news(facts["offsets"], waiting, news)
    return sent


def write_news(offsets: list[int], waiting: tuple[list[Keys], list[Keys]], news: Packer) -> None:
    """Writes a sheet of news: for both kinds, a segment for each partition."""
    kind = kind_for(offsets[-1])
    found = [np.sort(np.concatenate([np.empty(0, kind), *parents])) for parents in waiting]
    cuts = [np.searchsorted(parents, offsets) for parents in found]
    news.add_numbers(np.concatenate(found), np.concatenate([cuts[0], cuts[1][1:] + found[0].size]))


def finish(site: Site, part: int, facts: Facts) -> Facts:
    """Writes the grades of all positions; what was never decided is drawn without end."""
    told = State(site, part, facts)
    told.heard()
    grades = told.grades
    grades[grades == 0] = ENDLESS
    counts, at, start = np.zeros(SCALE.size, np.int64), 0, None
    with (
        Level(site, part, 0, facts["what"]) as level,
        packing(site.workdir, name_of(GRADES, 0, part)) as packer,
    ):
        for cells in level.chunks():
            run = Run(level.keys(cells), grades[at : at + level.size(cells)])
            level.weigh(cells, run, counts)
            level.write_grades(cells, run.grades, packer)
            at += run.keys.size
            place = int(np.searchsorted(run.keys, facts["start"]))
            if place < run.keys.size and run.keys[place] == facts["start"]:
                start = int(run.grades[place])
    return {"counts": shared(counts), "start": start, "positions": at, "bytes": packer.bytes, "kept": packer.bytes}


def gather(site: Site, part: int, facts: Facts) -> Facts:
    """Puts the positions of all steps into one order."""
    positions = 0
    steps = [Level(site, part, step) for step in facts["steps"]]
    with packing(site.workdir, name_of(KEYS, 0, part)) as keys:
        for i in range(len(site.cells_of(part))):
            found = site.distinct([level.cell(i) for level in steps])
            keys.add_numbers(found, np.array([0, found.size]))
            positions += found.size
    for level in steps:
        level.source.close()
    return {"positions": positions, "bytes": keys.bytes, "kept": keys.bytes}
