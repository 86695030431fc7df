"""`book`: an opening book for a game too large for a table."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Unpack

from perfectplay.commands.kinds import FORCE, GAME, THREADS, Checkpoints, Named, Whole
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.processes.folders import PathLike

if TYPE_CHECKING:
    from perfectplay.commands.prove.solving import Book


@verb(
    "keep",
    "make an opening book for a game too large for a table",
    "book drop:4,4,4 --plies 2",
    "book drop:4,3,3 --plies 3 --to drop.book",
    name="book",
)
def make_book(
    game: Annotated[GameLike, GAME],
    plies: Annotated[int, Whole("depth of the book in plies", 0, 60)],
    *,
    path: Annotated[
        PathLike | None,
        Named("write the book here (default: where analyse and play find it)", metavar="FILE", flag="--to"),
    ] = None,
    threads: Annotated[int | None, THREADS] = None,
    force: Annotated[bool, FORCE] = False,
    progress: Progress | None = None,
    **checkpoints: Unpack[Checkpoints],
) -> "Book":
    """Makes an opening book for a game too large for a table, with all positions up to `plies` plies from the start.

    It is kept where searches find it, or written to the file `path`; force=True replaces a file that is no book, too.
    It saves a checkpoint every `save_after` seconds; resume=True resumes an interrupted book from its last checkpoint.
    """
    import time

    from perfectplay.commands.prove.solving import Book
    from perfectplay.solvers.engine import cores
    from perfectplay.solvers.search.book import Options, making_book  # numba: only when it is wanted
    from perfectplay.solvers.steps import finished
    from perfectplay.solvers.table.table import table_output
    from perfectplay.solvers.table.table_folder import place_of_book

    game, begin = game_of(game), time.monotonic()
    target = None if path is None else table_output(path, force)
    place = place_of_book(game) if target is None else target.path
    how = Options(plies, place, threads or cores(), **checkpoints)
    book = finished(making_book(game, how, None if target is None else target.writing()), progress)
    book.game = game
    return Book(
        game=game.name,
        value=book.header.value,
        distance=book.header.distance,
        margin=book.header.margin,
        plies=plies,
        classes=len(book),
        size=book.reader.size,
        seconds=time.monotonic() - begin,
        path=str(place) if book.unwritten is None else None,
        table=book,
    )


@on_command_line("book")
def show(call: Call) -> int:
    """Makes the book, keeps it and prints what it holds."""
    from perfectplay.commands.prove.solve_report import tell_unwritten
    from perfectplay.commands.terminal.progress import resumable
    from perfectplay.rules.loading import load_game
    from perfectplay.solvers.checkpoints import is_saved
    from perfectplay.solvers.search.book import progress_of_book

    given = call.options
    saved = partial(is_saved, progress_of_book(load_game(given.game)))
    place = "" if given.path is None else f" --to {given.path}{' --force' * given.force}"
    again = f"perfectplay book {given.game} --plies {given.plies}{place}"
    resumable(given, saved, f"a book of {given.game}", again)
    book = call.result()
    call.finish(book)
    if book.table.unwritten is not None:
        return tell_unwritten("the book", book.table.unwritten, f"{again} --resume" if saved() else "")
    return 0
