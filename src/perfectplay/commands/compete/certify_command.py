"""`perfectplay certify`: proves that a player is perfect, or shows the shortest game that refutes it."""

import ast
import fnmatch
import json
from argparse import Namespace
from glob import glob, has_magic
from pathlib import Path

from perfectplay.commands.compete.certificates import Certificate, ClassReport
from perfectplay.commands.compete.certifying import certify, certify_all
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game
from perfectplay.rules.outputs import HTML, output_by_ending
from perfectplay.words import BadPlayer

REFUTED = 1
"""The exit code without a certificate."""


def show_certify(options: Namespace) -> int:
    """Examines the players and prints the certificates or the refutations."""
    target = None if options.report is None else output_by_ending(options.report, [HTML], options.force)
    game = load_game(options.game)
    players = expanded(options.players)
    terms = {"side": options.side, "seconds": options.seconds, "repeats": options.repeats, "seed": options.seed}
    found: Certificate | ClassReport
    with shown_progress("players" if len(players) > 1 else "questions") as progress:
        if len(players) == 1:
            found = certify(game, players[0], **terms, progress=progress)
        else:
            found = certify_all(game, players, **terms, jobs=options.jobs, progress=progress)
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        show(found.document())
    if target is not None:
        target.write(found.to_html().encode())
    return 0 if found.perfect else REFUTED


def expanded(players: list[str]) -> list[str]:
    """The players, with all files and functions that a pattern such as submissions/*.py:ai or bots.py:*_ai means."""
    found = []
    for player in players:
        pattern, colon, function = player.partition(":")
        files = sorted(glob(pattern, recursive=True)) if has_magic(pattern) else [pattern]
        if not files:
            raise BadPlayer(f"no file matches {pattern!r}")
        if not has_magic(function):
            found += [file + colon + function for file in files]
            continue
        matching = [f"{file}:{name}" for file in files for name in matching_functions(file, function)]
        if not matching:
            raise BadPlayer(f"no function in {pattern} matches {function!r}")
        found += matching
    return found


def matching_functions(file: str, pattern: str) -> list[str]:
    """The functions of a file that match, in order, without running it; the pattern itself if the file is no Python."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except OSError as fault:
        raise BadPlayer(f"{file} cannot be read: {fault.strerror}") from fault
    except (ValueError, SyntaxError):
        return [pattern]
    return fnmatch.filter([node.name for node in tree.body if isinstance(node, ast.FunctionDef)], pattern)
