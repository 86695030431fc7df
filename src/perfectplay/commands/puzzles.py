"""`puzzles`: positions to solve, printed, written to a file, or solved in the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, GAME, Choice, Flag, Named, Range, Whole, seed as seed_of
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.words import BadArgument

if TYPE_CHECKING:
    from perfectplay.commands.learn.puzzling import PuzzleSet

KINDS = ("win", "save", "only", "trap", "fork")
MOST, LONGEST = 1_000, 1_000
"""The most puzzles of a set, and the longest win that can be asked for."""


@verb(
    "know",
    "make puzzles: positions in which exactly one move keeps the result",
    "puzzles tic-tac-toe --kind fork --count 3",
    "puzzles tic-tac-toe --difficulty 3..5 --to puzzles.html",
)
def puzzles(
    game: Annotated[GameLike, GAME],
    kind: Annotated[
        str | None,
        Choice(
            "win, save (a draw), only (either, the default), trap (what looks best is wrong), fork (a double threat)",
            KINDS,
            named=True,
        ),
    ] = None,
    *,
    plies: Annotated[int | None, Whole("wins in N plies only", 1, LONGEST, flag="--in", metavar="N")] = None,
    count: Annotated[int, Whole("how many (default: 10)", 1, MOST, metavar="K")] = 10,
    difficulty: Annotated[
        tuple[int, int], Range("1 to 10, such as 3..5 or 7", what="difficulty", metavar="LOW..HIGH")
    ] = (1, 10),
    seed: Annotated[int, seed_of("number that decides which puzzles are chosen (default: 1)")] = 1,
    games: Annotated[
        str | Path | None, Named("from these recorded games, one a line, such as: b2 a1 c3", metavar="FILE")
    ] = None,
    progress: Progress | None = None,
) -> "PuzzleSet":
    """Positions in which exactly one move keeps the result, with their solutions, the easiest first.

    `kind` is win, save, only (the default: both), trap or fork; `plies` asks for wins in so many plies. They come from
    the whole table, or from `games`, a file of recorded games, or where no table fits, from random games, searched.
    """
    from perfectplay.commands.learn.puzzling import puzzle_set, wish_of

    rules = game_of(game)
    return puzzle_set(rules, wish_of(rules, kind, plies, difficulty), count, seed, games, progress)


@on_command_line("puzzles")
def show(
    call: Call,
    *,
    to: Annotated[str | None, Named("write FILE.json, or FILE.html: a page to solve them on", metavar="FILE")] = None,
    force: Annotated[bool, FORCE] = False,
    solve: Annotated[bool, Flag("solve them here, in the terminal")] = False,
) -> int:
    """Makes the puzzles and prints them, writes them, or lets a person solve them."""
    from perfectplay.commands.learn.puzzling import FORMATS
    from perfectplay.rules.notation import number_of
    from perfectplay.rules.outputs import output_by_ending

    json = call.options.json
    target = None if to is None else output_by_ending(to, [*FORMATS], force)
    if solve and (json or target):
        raise BadArgument(f"--solve is done here, in the terminal; leave {'--json' if json else '--to'} out")
    found = call.result()
    if target is not None and not found.puzzles:
        raise BadArgument(f"{found.remark}; nothing is written")
    if found.remark and (json or target or (solve and found.puzzles)):
        print(f"perfectplay: {found.remark}", file=sys.stderr)
    if target is not None:
        target.write(FORMATS[target.kind](found).encode())
        return call.finish(found, f"{to}: {number_of(len(found), 'puzzle')} of {found.game}")
    if not solve or not found.puzzles:
        return call.finish(found)
    from perfectplay.commands.learn.solve_puzzles import Solving

    Solving(found.rules, found).run()
    return 0
