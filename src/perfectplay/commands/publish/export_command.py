"""`perfectplay export`: a solution for other programs, in the format that the file's name ends in."""

import json
import sys
from argparse import Namespace
from contextlib import redirect_stdout

from perfectplay.commands.publish.exporting import export
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game
from perfectplay.views.document import Document, Notes


def show_export(options: Namespace) -> int:
    """Writes the file, whole or not at all, and prints what there is to say about it."""
    with redirect_stdout(sys.stderr), shown_progress() as progress:  # rules may print, and results go to stdout
        report = export(
            load_game(options.game),
            options.to,
            format=options.format,
            all_positions=options.all,
            budget=options.budget,
            level=options.level,
            force=options.force,
            progress=progress,
        )
    if options.json:
        print(json.dumps(report.to_dict()))
    else:
        show(Document(None, Notes(*report.lines)))
    return 0
