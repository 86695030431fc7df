"""`perfectplay puzzles`: positions to solve, printed, written to a file, or solved in the terminal."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stdout

from perfectplay import __version__
from perfectplay.commands.learn.puzzling import PuzzleSet, puzzles
from perfectplay.commands.learn.solve_puzzles import Solving
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of
from perfectplay.rules.outputs import HTML, JSON, FileKind, output_by_ending
from perfectplay.words import BadArgument


def as_json(found: PuzzleSet) -> str:
    """The set as a JSON file."""
    return json.dumps({"perfectplay": __version__, **found.to_dict()}, indent=1) + "\n"


FORMATS: dict[FileKind, Callable[[PuzzleSet], str]] = {JSON: as_json, HTML: PuzzleSet.to_html}
"""What the kinds of files have."""


def show_puzzles(options: Namespace) -> int:
    """Makes the puzzles and prints them, writes them, or lets a person solve them."""
    target = None if options.to is None else output_by_ending(options.to, [*FORMATS], options.force)
    if options.solve and (options.json or options.to):
        raise BadArgument(f"--solve is done here, in the terminal; leave {'--json' if options.json else '--to'} out")
    game = load_game(options.game)
    with redirect_stdout(sys.stderr), shown_progress() as progress:
        found = puzzles(
            game,
            options.kind,
            plies=options.plies,
            count=options.count,
            difficulty=options.difficulty,
            seed=options.seed,
            games=options.games,
            progress=progress,
        )
    if options.to is not None and not found.puzzles:
        raise BadArgument(f"{found.remark}; nothing is written")
    if found.remark and (options.json or options.to or (options.solve and found.puzzles)):
        print(f"perfectplay: {found.remark}", file=sys.stderr)
    if target is not None:
        target.write(FORMATS[target.kind](found).encode())
    if options.json:
        print(json.dumps(found.to_dict()))
    elif options.to is not None:
        print(f"{options.to}: {number_of(len(found), 'puzzle')} of {found.game}")
    elif options.solve and found.puzzles:
        Solving(game, found).run()
    else:
        show(found.document())
    return 0
