"""`perfectplay tables`: lists and removes what is kept: tables, books, checkpoints, sweeps and compiled code."""

import json
from argparse import Namespace

from perfectplay.commands.prove.kept import CODE, KINDS, SWEEPS, Kept, Kind, kept, removed
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.notation import number_of
from perfectplay.solvers.forecast import in_bytes
from perfectplay.views.document import Document, Notes, Part, Section, Table


def show_tables(options: Namespace) -> int:
    """Lists what is kept, or removes some of it."""
    if options.remove or options.remove_all:
        return remove(options)
    found = kept()
    if options.json:
        print(json.dumps([item.to_dict() for item in found]))
        return 0
    show(Document(None, *(of_kind(kind, [item for item in found if item.kind == kind.one]) for kind in KINDS)))
    return 0


def of_kind(kind: Kind, items: list[Kept]) -> Part | None:
    """What is kept of one kind, and how much that is."""
    if not items:
        return Notes(f"no tables yet in {kind.folder()}") if kind.one == "table" else None
    lines = Table([item.cells for item in items])
    size = in_bytes(sum(item.size for item in items))
    count = f"{number_of(len(items), kind.one, kind.many)}, {size}, in {kind.folder()}"
    return lines if kind.one in (SWEEPS, CODE) else Section(count, lines)


def remove(options: Namespace) -> int:
    """Removes what is kept of the games named, or all of a kind, or everything."""
    gone = removed(*(options.remove or ()), everything=options.remove_all)
    if options.json:
        print(json.dumps({"removed": [str(item.path) for item in gone]}))
    else:
        lines = [f"removed {item.path}{f', the {item.kind} of {item.game}' if item.game else ''}" for item in gone]
        print("\n".join(lines) or "nothing to remove")
    return 0
