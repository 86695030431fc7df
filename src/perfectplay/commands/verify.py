"""`verify`: whether a table is right, by the rules alone."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import Named, Whole, seed
from perfectplay.commands.terminal.arguments import GameLike, Progress
from perfectplay.commands.verb import Call, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.prove.checking import Verification
    from perfectplay.solvers.table.table import Table


@verb(
    "keep",
    "check a table independently of the solver that made it",
    "solve nim --to nim.table",
    "verify nim.table --sample 100",
    kept="the table is as it was",
)
def verify(
    table: Annotated[
        "Table | GameLike", Named("a table file, or a game whose table is saved", metavar="TABLE", argument=True)
    ],
    *,
    sample: Annotated[int | None, Whole("check N random entries", 1, 10**12, metavar="N")] = None,
    seed: Annotated[int, seed("seed for --sample (default: 1)")] = 1,
    progress: Progress | None = None,
) -> "Verification":
    """Checks a table by the rules alone, independently of the solver; raises BadTable at the first wrong entry.

    `table` is a table, the path of one, or a game whose table is kept. `sample` limits the check to that many
    canonical positions, chosen at random; `seed` makes the choice repeatable.
    """
    from perfectplay.commands.prove.checking import Verification, table_of
    from perfectplay.solvers.steps import finished
    from perfectplay.solvers.validity.verify import verify_sample, verify_table

    found = table_of(table)
    name = found.reader.name
    if found.header.plies is not None:
        from perfectplay.solvers.search.book import SAMPLE, verify_book  # numba: only when it is wanted

        most = SAMPLE if sample is None else sample
        count = finished(verify_book(found, most, seed), progress)
        return Verification(name, count, f"canonical positions; at the last ply, at most {most:,} were searched again")
    if sample is not None and sample < len(found):
        count, which = finished(verify_sample(found, sample, seed), progress), "canonical positions chosen at random"
    else:
        count, which = finished(verify_table(found), progress), "canonical positions, all of them"
    return Verification(name, count, which, found.note_checked(count / len(found)))


@on_command_line("verify")
def show(call: Call) -> int:
    """Checks a table, given as a file or as the game whose table is kept; raises BadTable if it is wrong."""
    from perfectplay.commands.prove.checking import print_unmarked

    found = call.result()
    code = call.finish(found, str(found))
    print_unmarked(found.unmarked)
    return code
