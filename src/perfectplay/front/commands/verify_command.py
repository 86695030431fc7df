"""`perfectplay verify`: whether a table is right."""

import sys
from argparse import Namespace

from perfectplay.api.checking import verify
from perfectplay.front.progress import shown_progress


def show_verify(options: Namespace) -> int:
    """Checks a table, given as a file or as the game whose table is kept; raises BadTable if it is wrong."""
    with shown_progress() as progress:
        found = verify(options.table, sample=options.sample, seed=options.seed, progress=progress)
    print(found)
    if found.unmarked is not None:
        print(f"perfectplay: that could not be noted beside the table: {found.unmarked}", file=sys.stderr)
    return 0
