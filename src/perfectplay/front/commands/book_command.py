"""`perfectplay book`: makes the opening book of a game too big for a table."""

import json
import time
from argparse import Namespace
from functools import partial
from pathlib import Path

from perfectplay.front.commands.solve_command import fields, tell_unwritten, verdict
from perfectplay.front.progress import resumable, watch
from perfectplay.loading import load_game
from perfectplay.solve.book import Options, making_book, progress_of_book
from perfectplay.solve.checkpoints import is_saved
from perfectplay.solve.engine import cores
from perfectplay.solve.forecast import in_bytes
from perfectplay.table.opening_books import place_of_book
from perfectplay.table.table import check_target
from perfectplay.words import FIRST, Entry


def show_book(options: Namespace) -> int:
    """Makes the book, keeps it and prints what came out."""
    game = load_game(options.game)
    begin = time.monotonic()
    path = place_of_book(game) if options.book is None else Path(options.book)
    if options.book is not None:
        check_target(path)
    how = Options(options.plies, path, options.threads or cores(), options.resume, options.save_after)
    place = "" if options.book is None else f" --book {options.book}"
    saved = partial(is_saved, progress_of_book(game))
    again = f"perfectplay book {options.game} --plies {options.plies}{place}"
    with resumable(saved, f"a book of {options.game}", options.resume, again):
        book = watch(making_book(game, how))
    start, seconds = Entry(book.header.value, book.header.distance), time.monotonic() - begin
    if options.json:
        facts = {
            "game": options.game,
            **fields(start),
            "plies": options.plies,
            "classes": len(book),
            "bytes": book.reader.size,
            "seconds": round(seconds, 2),
            "book": str(path) if book.unwritten is None else None,
        }
        print(json.dumps(facts))
    else:
        print(f"{options.game}: {verdict(game, FIRST, start)}")
        size = "" if book.unwritten is not None else f"; {in_bytes(book.reader.size)} in {path}"
        print(f"{len(book):,} classes up to {options.plies} plies in {seconds:.1f} s{size}")
    if book.unwritten is not None:
        return tell_unwritten("the book", book.unwritten, f"{again} --resume" if saved() else "")
    return 0
