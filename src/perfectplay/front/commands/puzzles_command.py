"""`perfectplay puzzles`: positions to solve, printed, written to a file, or solved in the terminal."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from perfectplay.api.puzzling import PuzzleSet, puzzles
from perfectplay.folders import replacing
from perfectplay.front.progress import shown_progress
from perfectplay.front.solve_puzzles import Solving
from perfectplay.loading import load_game
from perfectplay.notation import number_of
from perfectplay.words import BadArgument


def as_json(found: PuzzleSet) -> str:
    """The set as a JSON file."""
    return json.dumps(found.to_dict(), indent=1) + "\n"


FORMATS: dict[str, Callable[[PuzzleSet], str]] = {".json": as_json, ".html": PuzzleSet.to_html}
"""The kinds of files, by the end of a file's name."""


def show_puzzles(options: Namespace) -> int:
    """Makes the puzzles and prints them, writes them, or lets a person solve them."""
    if options.to is not None and not options.to.endswith(tuple(FORMATS)):
        raise BadArgument(f"{options.to!r} does not end in {' or '.join(FORMATS)}")
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
    if found.remark and (found.puzzles or options.json or options.to):
        print(f"perfectplay: {found.remark}", file=sys.stderr)
    if options.to is not None:
        with replacing(Path(options.to)) as sink:
            sink.write(FORMATS[Path(options.to).suffix](found).encode())
    if options.json:
        print(json.dumps(found.to_dict()))
    elif options.to is not None:
        print(f"{options.to}: {number_of(len(found), 'puzzle')} of {found.game}")
    elif options.solve and found.puzzles:
        Solving(game, found).run()
    else:
        print(found)
    return 0
