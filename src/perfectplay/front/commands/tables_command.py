"""`perfectplay tables`: lists and removes what is kept, which is tables, books, checkpoints and compiled code."""

import json
from argparse import Namespace

from perfectplay.api.kept import CODE, KINDS, kept, remove_kept
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
        for item in items:
            print(item)
        if items and kind.one != CODE:
            count = f"{len(items):,} {kind.one if len(items) == 1 else kind.many}"
            print(f"{count}, {in_bytes(sum(item.size for item in items))}, in {kind.folder()}")
        elif kind.one == "table":
            print(f"no tables yet in {kind.folder()}")
    return 0


def remove(options: Namespace) -> int:
    """Removes what is kept of the games named, or all of a kind, or everything."""
    removed = remove_kept(*(options.remove or ()), everything=options.remove_all)
    if options.json:
        print(json.dumps({"removed": [str(path) for path in removed]}))
    else:
        print("\n".join(f"removed {path}" for path in removed) or "nothing to remove")
    return 0
