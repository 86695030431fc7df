"""`perfectplay book`: makes the opening book of a game too big for a table."""

import json
from argparse import Namespace
from functools import partial

from perfectplay.commands.prove.solve_command import tell_unwritten
from perfectplay.commands.prove.solving import make_book
from perfectplay.commands.terminal.progress import resumable, shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game
from perfectplay.solvers.checkpoints import is_saved
from perfectplay.solvers.search.book import progress_of_book


def show_book(options: Namespace) -> int:
    """Makes the book, keeps it and prints what came out."""
    game = load_game(options.game)
    saved = partial(is_saved, progress_of_book(game))
    place = "" if options.book is None else f" --book {options.book}{' --force' * options.force}"
    again = f"perfectplay book {options.game} --plies {options.plies}{place}"
    resumable(options, saved, f"a book of {options.game}", again)
    with shown_progress() as progress:
        book = make_book(
            game,
            options.plies,
            path=options.book,
            threads=options.threads,
            resume=options.resume,
            save_after=options.save_after,
            force=options.force,
            progress=progress,
        )
    if options.json:
        print(json.dumps(book.to_dict()))
    else:
        show(book.document())
    if book.table.unwritten is not None:
        return tell_unwritten("the book", book.table.unwritten, f"{again} --resume" if saved() else "")
    return 0
