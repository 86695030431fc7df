"""The tasks for games with cycles: edges from each position to its parents, then messages along them in waves.

Wave d decides all positions that are d plies from the end: a partition receives which of its positions have a child
decided in the wave before, counts down the children they wait for, and notifies the parents of newly decided positions.
Its state is saved now and then; a later state is rebuilt from it and the messages since.
A parent ~i moves again after the move to its child. In a game for points a message carries the grade that the child
gives its parent, and a position is decided with its last child.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import key_coding
from perfectplay.compiler.kernels import array_kernels
from perfectplay.solvers.memory.cyclic import SCALE
from perfectplay.solvers.memory.expansion import (
    ASTRAY,
    GradeArray,
    Run,
    earlier_of,
    ends_of,
    expanded,
    judged,
    scale_of,
    ungraded,
)
from perfectplay.solvers.memory.sorted_keys import Keys, index_of, kind_for
from perfectplay.solvers.out_of_core.chunk_files import ChunkFile, Packer, packing
from perfectplay.solvers.out_of_core.exchange import Block, Share, cells_for, received
from perfectplay.solvers.out_of_core.layer_file import KEYS, LayerFile, pieces
from perfectplay.solvers.out_of_core.layered_tasks import GRADES
from perfectplay.solvers.out_of_core.worker_state import Facts, WorkerState, name_of, shared
from perfectplay.words import DRAW, LOSS, WIN, BadGame, Entry

LINKS, EDGES, STATE, NEWS = "links", "edges", "state", "news"
DECIDE, COUNT_DOWN = 0, 1
"""What a decided child does to its parents: it decides them, or they wait for one child fewer."""
ENDLESS = SCALE.grade(Entry(DRAW, None))
DRAWN = SCALE.grade(Entry(DRAW, 0))
MOST_LOST, LEAST_WON = SCALE.longest + 1, 2 * SCALE.longest + 4
GRADE_BITS = 16
"""The bits of a message, in a game for points, that hold a grade; the parent is above them."""


def link(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Sends the parents of all children of this partition's positions; writes the initial state.

    A section has three blocks of a segment per cell: children, each child's number of parents, and the parents,
    numbered across all partitions.
    """
    waiting, grades = [np.empty(0, np.uint8)], [np.empty(0, np.uint16)]
    sent, first, kind = 0, facts["offsets"][part], kind_for(facts["offsets"][-1])
    with (
        LayerFile(state, part, 0, facts["what"]) as layer,
        packing(state.workdir, name_of(LINKS, 0, part)) as links,
    ):
        for cells in layer.chunks():
            run = ungraded(scale_of(state.kernels), layer.keys(cells))
            for piece in pieces(run, state.plan.at_once):
                counts, parents = write_links(state, piece, kind(first), links)
                waiting.append(counts)
                first += piece.keys.size
                sent += parents
            grades.append(run.grades)
    with packing(state.workdir, name_of(STATE, 0, part)) as packer:
        packer.add_array(np.concatenate(waiting))
        packer.add_array(np.concatenate(grades))
    return {"sent": sent, "bytes": links.bytes + packer.bytes}


def write_links(state: WorkerState, run: Run, first: Any, links: Packer) -> tuple[NDArray[np.uint8], int]:
    """Writes a section for positions numbered from `first` on; returns the children of each, and in all."""
    counts, children, lists = links_of(state, run)
    if children.size:
        cuts = state.cut(children)
        state.add_section(links, children)
        links.add_numbers(np.diff(lists.starts[: children.size + 1]), cuts)
        links.add_numbers(np.where(lists.parents < 0, lists.parents - first, lists.parents + first), lists.starts[cuts])
    return counts, lists.parents.size


class Lists(NamedTuple):
    """The parents of all positions, concatenated, and where each position's begin."""

    starts: NDArray[np.int64]
    parents: NDArray[Any]


def links_of(state: WorkerState, run: Run) -> tuple[NDArray[np.uint8], Keys, Lists]:
    """The number of children of each position, all children sorted, and their parents; grades finished positions."""
    children, _ = judged(state.kernels, state.pool, run, ends_of(scale_of(state.kernels)), 0)
    counts = np.zeros(run.keys.size, np.uint8)
    if not sum(children):
        return counts, run.keys[:0], Lists(np.zeros(1, np.int64), np.empty(0, np.int32))
    found = expanded(state.kernels, state.pool, run, children, symmetric=True)
    places = np.empty(sum(children), np.int32)
    state.kernels.number_children(run.keys, run.grades, places, counts, *index_of(state.pool, found))
    starts = np.zeros(found.size + 2, np.int64)
    array_kernels.count_parents(places, starts)
    np.cumsum(starts, out=starts)
    parents = np.empty(places.size, np.int32)
    array_kernels.fill_parents(places, counts, starts, parents)
    return counts, found, Lists(starts, parents)


def lay(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Writes the parents of this partition's positions, cell by cell, numbered across all partitions."""
    edges_received, kind = 0, kind_for(facts["offsets"][-1])
    with (
        received(state, LINKS, 0, part, cells_for(state, part), facts["combined"]) as blocks,
        LayerFile(state, part, 0, facts["what"]) as layer,
        packing(state.workdir, name_of(EDGES, 0, part)) as edges,
    ):
        for i, cell in enumerate(state.cells_of(part)):
            lists = laid(state, layer.cell(i), blocks, i, cell, kind)
            edges.add_array(lists.starts)
            edges.add_array(lists.parents)
            edges_received += lists.parents.size
    return {"received": edges_received, "bytes": edges.bytes, "kept": edges.bytes}


def laid(state: WorkerState, keys: Keys, blocks: list[Block], i: int, cell: int, kind: Any) -> Lists:
    """The parents of the positions of a partition's cell i, which is `cell` of all."""
    linked = []
    starts = np.zeros(keys.size + 2, np.int64)
    for children_sent, counts_sent, parents_sent in zip(blocks[::3], blocks[1::3], blocks[2::3], strict=True):
        if children_sent.count(i):
            children = children_sent.numbers(i, state.cell_kind)
            counts = counts_sent.numbers(i, np.int32, cell)
            places = np.empty(children.size, np.int64)
            if key_coding.places_of(children, keys, places):
                raise BadGame(ASTRAY)
            key_coding.count_edges(places, counts, starts)
            linked.append((places, counts, parents_sent))
    np.cumsum(starts, out=starts)
    parents = np.empty(int(starts[-1]), kind)
    for places, counts, parents_sent in linked:
        key_coding.fill_edges(places, counts, parents_sent.numbers(i, kind, cell), starts, parents)
    return Lists(starts[:-1], parents)


def wave(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Applies the messages of the wave before and notifies parents of what they decide; saves the state if `keep`."""
    step = facts["step"]
    current = State(state, part, facts)
    new = current.caught_up()
    kept = 0
    if facts["keep"]:
        with packing(state.workdir, name_of(STATE, step, part)) as packer:
            for array in (current.waiting, current.grades, *([current.best] if facts["points"] else [])):
                packer.add_array(array)
        kept = packer.bytes
    with packing(state.workdir, name_of(NEWS, step, part)) as news:
        sent = notify_parents(state, part, facts, np.sort(new), current.grades, news)
    return {"received": current.received, "positions": int(new.size), "sent": sent, "bytes": news.bytes + kept}


class State:
    """A partition's positions after some wave: their grades, and how many children each waits for."""

    def __init__(self, state: WorkerState, part: int, facts: Facts) -> None:
        self.state, self.part, self.facts = state, part, facts
        self.received = 0
        with ChunkFile(state.workdir, name_of(STATE, facts["kept"], part)) as chunk_file:
            self.waiting = chunk_file.array(0, np.uint8).copy()
            self.grades = chunk_file.array(1, np.uint16).copy()
            saved = facts["points"] and facts["kept"] > 0
            self.best = chunk_file.array(2, np.uint16).copy() if saved else np.zeros_like(self.grades)
            """In a game for points the best grade so far."""

    def caught_up(self) -> NDArray[np.int32]:
        """Applies all messages since the state was saved; returns the positions that the last of them decide.

        The first wave starts from finished positions that are won or lost, the first wave of draws from drawn ones.
        """
        step, draws_from = self.facts["step"], self.facts["draws_from"]
        new = np.empty(0, np.int32)
        for then in range(self.facts["kept"] + 1, step + 1):
            new = self.apply_wave(then)
        if step == 0:
            first = self.grades != 0 if self.facts["points"] else (self.grades != 0) & (self.grades != DRAWN)
            new = np.flatnonzero(first).astype(np.int32)
        elif step == draws_from:
            new = np.flatnonzero(self.grades == DRAWN).astype(np.int32)
        return new

    def apply_wave(self, step: int) -> NDArray[np.int32]:
        """Applies the messages of one wave; returns the positions that they decide."""
        parts, own = self.state.plan.partitions, self.facts["offsets"][self.part]
        kind, draws_from = message_kind(self.facts), self.facts["draws_from"]
        drawn = draws_from is not None and step > draws_from
        distance = step - draws_from if drawn else step
        entries = (Entry(DRAW if drawn else WIN, distance), Entry(LOSS, distance))
        decided = [np.empty(0, np.int32)]
        self.received = 0
        share = Share(self.part, self.part + 1, parts)
        with received(self.state, NEWS, step - 1, self.part, share, self.facts["combined"][step - 1]) as blocks:
            for how, entry in enumerate(entries):
                for block in blocks[how::2]:
                    parents = block.numbers(0, kind, how * parts + self.part)
                    new = np.empty(parents.size, np.int32)
                    if self.facts["points"]:
                        arrays = (self.grades, self.best, self.waiting)
                        count = key_coding.decide_by_points(*arrays, parents, own, GRADE_BITS, new)
                    else:
                        how_much = (how == DECIDE, SCALE.grade(entry))
                        count = key_coding.decide(self.grades, self.waiting, parents - kind(own), *how_much, new)
                    decided.append(new[:count].copy())  # much smaller than `new`
                    self.received += parents.size
        return np.concatenate(decided)


def message_kind(facts: Facts) -> Any:
    """The type of a message: the number of a parent, or with a grade below it."""
    return np.int64 if facts["points"] else kind_for(facts["offsets"][-1])


def notify_parents(
    state: WorkerState, part: int, facts: Facts, new: NDArray[np.int32], grades: GradeArray, news: Packer
) -> int:
    """Notifies the parents of all these positions; returns the number of messages."""
    sent = 0
    earlier = earlier_of(scale_of(state.kernels)).astype(np.int64)
    waiting: tuple[list[Keys], list[Keys]] = ([], [])
    with (
        LayerFile(state, part, 0, facts["what"]) as layer,
        ChunkFile(state.workdir, name_of(EDGES, 0, part)) as edges,
    ):
        begins = np.concatenate([[0], np.cumsum(layer.sizes)])
        cuts = np.searchsorted(new, begins)
        for i in np.flatnonzero(np.diff(cuts)).tolist():
            here = new[cuts[i] : cuts[i + 1]]
            lists = Lists(edges.array(2 * i, np.int64), edges.array(2 * i + 1, kind_for(facts["offsets"][-1])))
            places, known = here - int(begins[i]), grades[here]
            for how, found in (
                with_grades(lists, places, known, earlier)
                if facts["points"]
                else kinds_of(lists, places, known, state.kernels.AGAIN)
            ):
                waiting[how].append(found)
                sent += found.size
            if sum(found.size for how in waiting for found in how) > 4 * state.plan.at_once:
                write_news(facts, waiting, news)
                waiting = ([], [])
        write_news(facts, waiting, news)
    return sent


def parents_in(lists: Lists, places: NDArray[np.int32]) -> Keys:
    """The parents of all these places, one list after another."""
    found = np.empty(int((lists.starts[places + 1] - lists.starts[places]).sum()), lists.parents.dtype)
    key_coding.parents_of(places, lists.starts, lists.parents, found)
    return found


def kinds_of(lists: Lists, places: NDArray[np.int32], grades: GradeArray, again: bool) -> Iterator[tuple[int, Keys]]:
    """The messages to the parents of these places, by kind."""
    won = grades >= LEAST_WON
    if not again:
        yield DECIDE, parents_in(lists, places[~won])
        yield COUNT_DOWN, parents_in(lists, places[won])
        return
    lost = grades <= MOST_LOST
    for which, other, same in ((lost, DECIDE, COUNT_DOWN), (won, COUNT_DOWN, DECIDE), (~lost & ~won, DECIDE, DECIDE)):
        found = parents_in(lists, places[which])
        yield other, found[found >= 0]
        yield same, ~found[found < 0]


def with_grades(
    lists: Lists, places: NDArray[np.int32], grades: GradeArray, earlier: NDArray[np.int64]
) -> Iterator[tuple[int, Keys]]:
    """The messages to the parents of these places in a game for points: each with the grade from its view."""
    found = parents_in(lists, places).astype(np.int64)
    each = np.repeat(grades.astype(np.int64), lists.starts[places + 1] - lists.starts[places])
    same = found < 0
    yield DECIDE, np.where(same, ~found, found) << GRADE_BITS | earlier[each + same * (earlier.size // 2)]


def write_news(facts: Facts, waiting: tuple[list[Keys], list[Keys]], news: Packer) -> None:
    """Writes a section of messages: for both kinds, a segment per partition."""
    kind, shift = message_kind(facts), GRADE_BITS if facts["points"] else 0
    borders = [offset << shift for offset in facts["offsets"]]
    found = [np.sort(np.concatenate([np.empty(0, kind), *parents])) for parents in waiting]
    cuts = [np.searchsorted(parents, borders) for parents in found]
    news.add_numbers(np.concatenate(found), np.concatenate([cuts[0], cuts[1][1:] + found[0].size]))


def finish(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Writes the grades of all positions; undecided positions are endless draws, or counted in a game for points."""
    current = State(state, part, facts)
    current.caught_up()
    grades = current.grades
    undecided = int((grades == 0).sum()) if facts["points"] else 0
    grades[grades == 0] = ENDLESS
    counts, at, start = np.zeros(scale_of(state.kernels).size, np.int64), 0, None
    with (
        LayerFile(state, part, 0, facts["what"]) as layer,
        packing(state.workdir, name_of(GRADES, 0, part)) as packer,
    ):
        for cells in layer.chunks():
            run = Run(layer.keys(cells), grades[at : at + layer.size(cells)])
            layer.weigh(cells, run, counts)
            layer.write_grades(cells, run.grades, packer)
            at += run.keys.size
            place = int(np.searchsorted(run.keys, facts["start"]))
            if place < run.keys.size and run.keys[place] == facts["start"]:
                start = int(run.grades[place])
    totals = {"positions": at, "bytes": packer.bytes, "kept": packer.bytes}
    return {**totals, "counts": shared(counts), "start": start, "undecided": undecided}


def gather(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Merges the positions of all steps in key order."""
    positions = 0
    steps = [LayerFile(state, part, step) for step in facts["steps"]]
    with packing(state.workdir, name_of(KEYS, 0, part)) as keys:
        for i in range(len(state.cells_of(part))):
            found = state.distinct([layer.cell(i) for layer in steps])
            keys.add_numbers(found, np.array([0, found.size]))
            positions += found.size
    for layer in steps:
        layer.source.close()
    return {"positions": positions, "bytes": keys.bytes, "kept": keys.bytes}
