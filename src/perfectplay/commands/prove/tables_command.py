"""`perfectplay tables`: lists and removes what is kept: tables, books, checkpoints, sweeps and compiled code."""

import json
from argparse import Namespace
from collections.abc import Iterator

from perfectplay.commands.prove.kept import CODE, KINDS, SWEEPS, Kept, kept, removed
from perfectplay.solvers.forecast import in_bytes


def show_tables(options: Namespace) -> int:
    """Lists what is kept, or removes some of it."""
    if options.remove or options.remove_all:
        return remove(options)
    found = kept()
    if options.json:
        print(json.dumps([item.to_dict() for item in found]))
        return 0
    for kind in KINDS:
        items = [item for item in found if item.kind == kind.one]
        for line in aligned(items):
            print(line)
        if items and kind.one not in (SWEEPS, CODE):
            count = f"{len(items):,} {kind.one if len(items) == 1 else kind.many}"
            print(f"{count}, {in_bytes(sum(item.size for item in items))}, in {kind.folder()}")
        elif kind.one == "table":
            print(f"no tables yet in {kind.folder()}")
    return 0


def aligned(items: list[Kept]) -> Iterator[str]:
    """The items in columns: numbers to the right, all else to the left."""
    widths = [max(map(len, column)) for column in zip(*(item.cells for item in items), strict=True)]
    for item in items:
        parts = [
            cell.rjust(width) if i and cell[:1].isdigit() else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(item.cells, widths, strict=True))
        ]
        yield "  ".join(parts).rstrip()


def remove(options: Namespace) -> int:
    """Removes what is kept of the games named, or all of a kind, or everything."""
    gone = removed(*(options.remove or ()), everything=options.remove_all)
    if options.json:
        print(json.dumps({"removed": [str(item.path) for item in gone]}))
    else:
        lines = [f"removed {item.path}{f', the {item.kind} of {item.game}' if item.game else ''}" for item in gone]
        print("\n".join(lines) or "nothing to remove")
    return 0
