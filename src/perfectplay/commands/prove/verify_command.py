"""`perfectplay verify`: whether a table is right."""

import sys
from argparse import Namespace

from perfectplay.commands.prove.checking import verify
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.views.document import Document


def show_verify(options: Namespace) -> int:
    """Checks a table, given as a file or as the game whose table is kept; raises BadTable if it is wrong."""
    with shown_progress() as progress:
        found = verify(options.table, sample=options.sample, seed=options.seed, progress=progress)
    show(Document(str(found)))
    why = found.unmarked
    if why is not None:
        print(f"perfectplay: the result of the check could not be saved beside the table: {why}", file=sys.stderr)
    return 0
