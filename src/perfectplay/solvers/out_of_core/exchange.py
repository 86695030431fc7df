"""How the receivers of a step get what all partitions sent them.

A sender writes blocks of segments, one file per partition; in each block, some consecutive segments are for the first
receiver, the next for the second, and so on. With few partitions a receiver opens the files of all senders. With many,
that would open as many files as the square of the number of partitions, so groups of partitions combine their files:

    files of senders        one bundle per group of senders     one inbox per group of receivers
    0 1 2 | 3 4 5 | ...     a page per group of receivers       a page per receiver

A file of a sender is opened once, a bundle once per group, and a receiver opens one inbox: with about as many groups as
the square root of the number of partitions, opens grow linearly. Segments are copied as they are; the receiver verifies
the checksums that the sender wrote.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.out_of_core.chunk_files import ChunkFile, packing
from perfectplay.solvers.out_of_core.worker_state import Facts, WorkerState, bundle_of, inbox_of, name_of


class Share(NamedTuple):
    """A receiver's segments in each block of a sender: from `first` to `stop`, of `block` segments."""

    first: int
    stop: int
    block: int


class Block(NamedTuple):
    """A receiver's segments in one block: in this file, from `first` on."""

    file: ChunkFile
    first: int

    def numbers(self, i: int, kind: Any, base: int = 0) -> Keys:
        """The numbers of the receiver's segment i."""
        return self.file.numbers(self.first + i, kind, base)

    def count(self, i: int) -> int:
        """The count of numbers in the receiver's segment i."""
        return int(self.file.counts[self.first + i])


def cells_for(state: WorkerState, part: int) -> Share:
    """A partition's share of blocks that have a segment per cell."""
    here = state.cells_of(part)
    return Share(here.start, here.stop, state.cells)


@contextmanager
def received(
    state: WorkerState, what: str, step: int, part: int, share: Share, combined: bool
) -> Iterator[list[Block]]:
    """All blocks sent to a partition, in order of their senders."""
    plan = state.plan
    with ExitStack() as stack:
        if combined:
            group = plan.group_of(part)
            name, page = name_of(inbox_of(what), step, group), part - plan.members(group).start
            inbox = stack.enter_context(ChunkFile(state.workdir, name, page))
            yield [Block(inbox, first) for first in range(0, inbox.counts.size, share.stop - share.first)]
            return
        names = [name_of(what, step, sender) for sender in range(plan.partitions)]
        files = [stack.enter_context(ChunkFile(state.workdir, name)) for name in names]
        yield [Block(file, first + share.first) for file in files for first in range(0, file.counts.size, share.block)]


def bundle(state: WorkerState, group: int, facts: Facts) -> Facts:
    """Combines the files that a group sent, a page for each receiving group."""
    what, step, borders, plan = facts["what"], facts["step"], facts["borders"], state.plan
    with ExitStack() as stack:
        names = [name_of(what, step, part) for part in plan.members(group)]
        files = [stack.enter_context(ChunkFile(state.workdir, name)) for name in names]
        packer = stack.enter_context(packing(state.workdir, name_of(bundle_of(what), step, group)))
        for receivers in map(plan.members, range(plan.groups)):
            first, stop = borders[receivers.start], borders[receivers.stop]
            for file in files:
                for begin in range(0, file.counts.size, borders[-1]):
                    packer.copy(file, begin + first, begin + stop)
            packer.end_page()
    return {"bytes": packer.bytes}


def deliver(state: WorkerState, group: int, facts: Facts) -> Facts:
    """Collects from all bundles what was sent to a group, a page for each of its partitions."""
    what, step, borders, plan = facts["what"], facts["step"], facts["borders"], state.plan
    members = plan.members(group)
    start, stop = borders[members.start], borders[members.stop]
    with ExitStack() as stack:
        names = [name_of(bundle_of(what), step, sender) for sender in range(plan.groups)]
        files = [stack.enter_context(ChunkFile(state.workdir, name, group)) for name in names]
        packer = stack.enter_context(packing(state.workdir, name_of(inbox_of(what), step, group)))
        for part in members:
            for file in files:
                for begin in range(0, file.counts.size, stop - start):
                    packer.copy(file, begin + borders[part] - start, begin + borders[part + 1] - start)
            packer.end_page()
    return {"bytes": packer.bytes}
