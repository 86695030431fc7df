"""The tasks for games whose positions form layers; games with cycles use the forward tasks, too.

Forward, a partition receives the keys that all partitions sent it, finds the new ones, and sends their children to the
partitions that own them. Backward, it requests the grades of its positions' children, then grades its positions.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from perfectplay.compiler import key_coding
from perfectplay.solvers.memory.expansion import (
    ASTRAY,
    GradeArray,
    Run,
    earlier_of,
    ends_of,
    expanded,
    judged,
    kind_of,
    scale_of as first_scale,
    start_keys,
    ungraded,
)
from perfectplay.solvers.memory.layered import grade_by_children
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.out_of_core.chunk_files import ChunkFile, Packer, packing
from perfectplay.solvers.out_of_core.exchange import Block, Share, cells_for, received
from perfectplay.solvers.out_of_core.layer_file import KEYS, LayerFile, pieces
from perfectplay.solvers.out_of_core.worker_state import Facts, WorkerState, name_of, shared
from perfectplay.solvers.table.grades import BYTE, Scale
from perfectplay.words import BadGame

SENT, ASKED, REPLIES, GRADES = "sent", "asked", "replies", "grades"
AT_ONCE = 128
"""Requests that a task holds in memory per position: a byte or two each, much less than a position's children."""


def begin(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Sends the start to its partition."""
    start = state.mixing.mix(start_keys(state.game, facts["symmetric"]).astype(np.int64)).astype(state.kind)
    with packing(state.workdir, name_of(SENT, 0, part)) as sent:
        if part == 0:
            state.add_section(sent, start)
    return {"sent": int(part == 0), "bytes": sent.bytes}


def grow(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Receives the keys sent in the step before and sends their children.

    `known` says that positions reached in earlier steps are not new, for games without layers.
    """
    step, symmetric, marks, keys_received, totals = facts["step"], facts["symmetric"], facts["marks"], 0, Totals()
    waiting: list[Keys] = []
    with (
        received(state, SENT, step - 1, part, cells_for(state, part), facts["combined"]) as inbox,
        ExitStack() as stack,
        packing(state.workdir, name_of(KEYS, step, part)) as keys,
        packing(state.workdir, name_of(SENT, step, part)) as sent,
    ):
        known = [stack.enter_context(LayerFile(state, part, i)) for i in range(1, step if facts["known"] else 1)]
        for i, cell in enumerate(state.cells_of(part)):
            found = [block.numbers(i, state.cell_kind) for block in inbox if block.count(i)]
            keys_received += sum(each.size for each in found)
            fresh = state.distinct(found)
            for earlier in known:
                fresh = without(fresh, earlier.cell(i))
            keys.add_numbers(fresh, np.array([0, fresh.size]))
            if waiting and sum(each.size for each in waiting) + fresh.size > state.plan.at_once:
                totals.add(send_all(state, np.concatenate(waiting), sent, symmetric, marks))
                waiting = []
            waiting.append(state.in_place(cell, fresh))
        totals.add(send_all(state, np.concatenate(waiting), sent, symmetric, marks))
    return {"received": keys_received, **totals.facts(), "bytes": keys.bytes + sent.bytes, "kept": keys.bytes}


class Totals:
    """The totals over several chunks."""

    def __init__(self) -> None:
        self.positions = self.children = self.sent = 0
        self.alike = True

    def add(self, sections: Iterable[tuple[int, int, int, bool]]) -> None:
        """Adds each section's positions, children and keys sent, and whether its positions have the right bit count."""
        for positions, children, sent, alike in sections:
            self.positions += positions
            self.children += children
            self.sent += sent
            self.alike &= alike

    def facts(self) -> Facts:
        """The totals as JSON values."""
        return dict(vars(self))


def send_all(
    state: WorkerState, keys: Keys, sent: Packer, symmetric: bool, marks: int
) -> Iterator[tuple[int, int, int, bool]]:
    """Sends the children of a chunk, a section per piece; yields the totals of each."""
    for piece in pieces(ungraded(first_scale(state.kernels, narrow=True), keys), state.plan.at_once):
        yield send(state, piece, sent, symmetric, marks)


def send(state: WorkerState, run: Run, sent: Packer, symmetric: bool, marks: int) -> tuple[int, int, int, bool]:
    """Sends the children; returns the positions, children and keys, and whether the bit counts are right."""
    ends = ends_of(first_scale(state.kernels, narrow=True))
    children, alike = judged(state.kernels, state.pool, run, ends, marks)
    found = expanded(state.kernels, state.pool, run, children, symmetric) if sum(children) else run.keys[:0]
    state.add_section(sent, found)
    return run.keys.size, sum(children), found.size, alike


def without(keys: Keys, others: Keys) -> Keys:
    """The keys that are not among the others; both sorted."""
    if not keys.size or not others.size:
        return keys
    places = np.empty(keys.size, np.int64)
    key_coding.places_of(keys, others, places)
    return keys[places < 0]


def scale_of(state: WorkerState, facts: Facts) -> Scale:
    """The grades of this solve."""
    return first_scale(state.kernels, narrow=facts["longest"] <= BYTE.longest)


def settle(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Grades a layer by the replies to its requests; then sends the requests of the layer before."""
    with packing(state.workdir, name_of(GRADES, facts["step"], part)) as grades:
        counts, positions, replied = grade_layer(state, part, facts, grades)
    totals = (
        ask(state, part, facts["step"] - 1, facts["what"])
        if facts["step"] > 1
        else {"asked": 0, "sections": 0, "bytes": 0}
    )
    totals["bytes"] += grades.bytes
    return {**totals, "counts": counts, "positions": positions, "received": replied, "kept": grades.bytes}


def ask(state: WorkerState, part: int, step: int, what: str) -> Facts:
    """Requests the grades of the children of a layer, a section per piece."""
    asked, sections = 0, 0
    with (
        LayerFile(state, part, step, what) as layer,
        packing(state.workdir, name_of(ASKED, step, part)) as packer,
    ):
        for cells in layer.chunks():
            for _, _, sent, _ in send_all(state, layer.keys(cells), packer, symmetric=True, marks=0):
                asked += sent
                sections += 1
    return {"asked": asked, "sections": sections, "bytes": packer.bytes}


def answer(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Answers all requests for grades of this partition's positions, section by section."""
    step, answered = facts["step"], 0
    kind = kind_of(scale_of(state, facts))
    with (
        received(state, ASKED, step, part, cells_for(state, part), facts["combined"]) as asking,
        LayerFile(state, part, step + 1, facts["what"]) as layer,
        ChunkFile(state.workdir, name_of(GRADES, step + 1, part)) as grades,
        packing(state.workdir, name_of(REPLIES, step, part)) as packer,
    ):
        width = layer.sizes.size
        questions = [
            Questions(block, int(block.file.counts[block.first : block.first + width].sum())) for block in asking
        ]
        for some in in_batches(questions, AT_ONCE * state.plan.at_once):
            for reply in replies_to(state, some, layer, grades, kind):
                packer.add_array(reply)
                answered += reply.size
    return {"received": answered, "bytes": packer.bytes}


class Questions(NamedTuple):
    """A section of requests to this partition, and their number."""

    asking: Block
    size: int


def in_batches(questions: list[Questions], most: int) -> Iterator[list[Questions]]:
    """The sections in order, in groups of at most `most` requests; at least one section each."""
    some: list[Questions] = []
    for each in questions:
        if some and sum(section.size for section in some) + each.size > most:
            yield some
            some = []
        some.append(each)
    if some:
        yield some


def replies_to(
    state: WorkerState, questions: list[Questions], layer: LayerFile, grades: ChunkFile, kind: Any
) -> list[GradeArray]:
    """The grades that each section requests."""
    replies = [np.empty(section.size, kind) for section in questions]
    filled = [0] * len(questions)
    for i in range(layer.sizes.size):
        keys, known = layer.cell(i), grades.array(i, kind)
        for number, (asking, _) in enumerate(questions):
            if not asking.count(i):
                continue
            wanted = asking.numbers(i, state.cell_kind)
            places = np.empty(wanted.size, np.int64)
            if key_coding.places_of(wanted, keys, places):
                raise BadGame(ASTRAY)
            replies[number][filled[number] : filled[number] + wanted.size] = known[places]
            filled[number] += wanted.size
    return replies


def grade_layer(state: WorkerState, part: int, facts: Facts, grades: Packer) -> tuple[list[tuple[int, int]], int, int]:
    """Writes the grades of a layer; returns the positions of each grade, the classes, and the replies read.

    In the last layer all games are finished, so there are no requests.
    """
    step, last = facts["step"], facts["step"] == facts["levels"]
    scale = scale_of(state, facts)
    kind, ends, earlier = kind_of(scale), ends_of(scale), earlier_of(scale)
    counts, positions, replied = np.zeros(scale.size, np.int64), 0, 0
    with LayerFile(state, part, step, facts["what"]) as layer, ExitStack() as stack:
        asked = None if last else stack.enter_context(asked_by(state, part, facts, kind))
        sections = count()
        for cells in layer.chunks():
            run = Run(layer.keys(cells), np.empty(layer.size(cells), kind))
            for piece in pieces(run, state.plan.at_once):
                judged(state.kernels, state.pool, piece, ends, 0)
                if asked is not None:
                    below = asked.section(next(sections))
                    replied += below.keys.size
                    if below.keys.size:
                        grade_by_children(state.kernels, state.pool, piece, below, earlier)
            layer.write_grades(cells, run.grades, grades)
            layer.weigh(cells, run, counts)
            positions += run.keys.size
    return shared(counts), positions, replied


class Asked(NamedTuple):
    """The children that a partition requested, with the grades received."""

    state: WorkerState
    asked: ChunkFile
    replies: list[Block]
    kind: Any

    def section(self, number: int) -> Run:
        """The children of a piece, sorted, and their grades."""
        cells, grades = self.state.cells, [np.empty(0, self.kind)]
        keys = self.asked.all_numbers(number * cells, (number + 1) * cells, self.state.kind, self.state.shift)
        grades += [reply.file.array(reply.first + number, self.kind) for reply in self.replies if reply.count(number)]
        return Run(keys, np.concatenate(grades))


@contextmanager
def asked_by(state: WorkerState, part: int, facts: Facts, kind: Any) -> Iterator[Asked]:
    """What the partition requested for a step; `replies` says which of all sections are its own."""
    step, share = facts["step"], Share(*facts["replies"])
    with (
        ChunkFile(state.workdir, name_of(ASKED, step, part)) as asked,
        received(state, REPLIES, step, part, share, facts["combined"]) as replies,
    ):
        yield Asked(state, asked, replies, kind)
