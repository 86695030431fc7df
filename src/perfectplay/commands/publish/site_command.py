"""`perfectplay site`: a gallery of solved games as a folder for any web server."""

import json
import sys
from argparse import Namespace
from contextlib import redirect_stdout

from perfectplay.commands.publish.site_exporting import export_site, site_lines
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.views.document import Document, Notes


def show_site(options: Namespace) -> int:
    """Writes the folder, whole or not at all, and prints what there is in it."""
    with redirect_stdout(sys.stderr), shown_progress() as progress:  # rules may print, and results go to stdout
        report = export_site(
            options.to, options.opened or None, url=options.url, force=options.force, progress=progress
        )
    if options.json:
        print(json.dumps(report.to_dict()))
    else:
        show(Document(None, Notes(*site_lines(report))))
    return 0
