"""`perfectplay certify`: proves that a player is perfect, or shows the shortest game that refutes it."""

import ast
import fnmatch
import json
from argparse import Namespace
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path

from perfectplay.arena.certificate_html import chances_text
from perfectplay.commands.compete.certificates import (
    SIDE_NAMES,
    Certificate,
    ClassReport,
    Examined,
    positions_text,
)
from perfectplay.commands.compete.certifying import certify, certify_all
from perfectplay.commands.know.refutations import Counterexample
from perfectplay.commands.terminal.draw_many import draw_game
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.game import Game
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of, replay
from perfectplay.rules.outputs import HTML, output_by_ending
from perfectplay.words import FIRST, BadPlayer

REFUTED = 1
"""The exit code without a certificate."""
LISTED = 10
"""The most mistakes to list."""
FAILURES = 3
"""The most failures to list, which are often the same."""


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
        lines = as_text(game, found) if isinstance(found, Certificate) else class_text(found)
        print("\n".join(lines))
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


def class_text(report: ClassReport) -> Iterator[str]:
    """The table of several players."""
    perfect = sum(found.perfect for found in report.certificates)
    yield f"{report.game}: {number_of(len(report.certificates), 'player')}, {perfect} perfect"
    yield ""
    wide = max(len(found.player) for found in report.certificates)
    yield f"rank  {'player':<{wide}}  mistakes  vs random  result"
    for rank, found in zip(report.ranks, report.certificates, strict=True):
        time = f"; {time_text(found)}{calls_text(found)}" if found.seconds_per_move else ""
        yield f"{rank:>4}  {found.player:<{wide}}  {numbers_text(found)}  {found.verdict}{time}"
        game = found.counterexample
        if game is not None:
            yield f"{'':>6}{game}"
        if found.failures and not (game and game.fault):
            yield f"{'':>6}fails in {positions_text(found.faults)}, first in {found.failures[0]}"
        yield from (f"{'':>6}{line}" for said in found.remarks for line in said.splitlines()[:1])
    yield ""
    yield "vs random: mean score against a random opponent, a draw counting half"


def numbers_text(found: Certificate) -> str:
    """The numbers in a player's row."""
    if not found.sides:
        return " " * 19
    points = found.points_against_random
    score = "" if points is None else f"{100 * points:.2f}%"
    return f"{found.mistake_count:>8,}  {score:>9}"


def time_text(found: Certificate) -> str:
    """The mean time of a move."""
    return f"{1000 * found.seconds_per_move:.3g} ms per move"


def calls_text(found: Certificate) -> str:
    """How many calls the first move takes, if they were counted."""
    count = found.first_move_calls
    return "" if count is None else f", {number_of(count, 'call')} for the first move"


def as_text(game: Game, found: Certificate) -> Iterator[str]:
    """The certificate as people read it, line by line."""
    yield f"{found.game}: {found.player} {found.verdict}."
    yield ""
    for side in found.sides:
        yield side_text(game, side)
    yield from ([""] if found.functions else [])
    yield from map(str, found.functions)
    if found.counterexample is not None:
        yield ""
        yield from game_text(game, found.counterexample)
    if found.failures:
        yield ""
        shown = "" if found.faults <= FAILURES else f", of which {FAILURES} are shown"
        yield f"Positions in which it fails: {found.faults:,}{shown}"
        yield from (f"  {failure}" for failure in found.failures[:FAILURES])
    if found.mistakes:
        yield ""
        count = found.mistake_count
        shown = "" if count <= LISTED else f", of which {LISTED} are shown"
        yield f"Moves that give a result away: {count:,}{shown}"
        yield from (f"  {mistake}" for mistake in found.mistakes[:LISTED])
    yield ""
    yield from found.remarks
    yield f"{number_of(sum(side.calls for side in found.sides), 'question')}, {time_text(found)}{calls_text(found)}"


def side_text(game: Game, side: Examined) -> str:
    """What came of one side, in a line."""
    name = game.look.sides[SIDE_NAMES.index(side.side)]
    worst = f"{positions_text(side.asked)}, worst result: {side.worst}"
    return f"as {name}, moving {side.side}: {worst}; against random: {chances_text(side.to_dict())}"


def game_text(game: Game, found: Counterexample) -> Iterator[str]:
    """The game that refutes the player, drawn move by move."""
    own = SIDE_NAMES.index(found.side)
    yield f"The shortest game that refutes it ({game.look.sides[own]} is the player, {found.result}):"
    movers = [side for _, side, _ in replay(game, game.start, FIRST, found.moves)]
    changes = zip(movers, found.values, found.values[1:], strict=False)
    notes = {
        ply: f"{before} becomes {after}"
        for ply, (side, before, after) in enumerate(changes, 1)
        if side == own and before != after
    }
    if found.moves:
        yield from draw_game(game, found.moves, notes)
    if found.fault:
        yield ""
        yield found.fault
    if found.repeats is not None:
        yield f"From move {found.repeats + 1} on, the moves can repeat for ever."
