"""Puzzles as plain fields, and the set of a solved game that every page of it has."""

from random import Random

from perfectplay.game import Game
from perfectplay.insight.puzzles.puzzle_choice import Candidate, Wish, choosing, in_table
from perfectplay.insight.puzzles.puzzle_kinds import kind_named
from perfectplay.insight.puzzles.puzzle_lines import SolutionLine
from perfectplay.insight.puzzles.puzzle_scan import Scan
from perfectplay.players.models.levels import LEVELS
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.steps import finished
from perfectplay.solvers.worth import entry_fields

ON_A_PAGE = 100
"""The puzzles of a page, at most."""
SEED = 1
"""The same on every page, so that everybody has the same puzzle of the day."""


def names_in(game: Game, line: SolutionLine) -> tuple[str, ...]:
    """The moves of a solution by name."""
    return tuple(move_name(game, *turn, move) for turn, move in zip(line.before, line.moves, strict=True))


def fields_of(oracle: Oracle, puzzle: Candidate) -> dict[str, object]:
    """A puzzle as in JSON."""
    game, line, names = oracle.game, puzzle.line, names_in(oracle.game, puzzle.line)
    entry = oracle.study(line.position).here.entry
    assert entry is not None
    return {
        "position": show_position(game, line.position, line.side),
        **entry_fields(entry),
        "solution": list(names[:1]),
        "line": list(names),
        "difficulty": puzzle.difficulty,
    }


def page_puzzles(oracle: Oracle, scan: Scan) -> list[dict[str, object]]:
    """The puzzles of a page: of the usual kind and all difficulties, the easiest first."""
    wish = Wish(kind_named(None), None, 1, LEVELS)
    selection = finished(choosing(oracle, in_table(scan, wish, Random(SEED)), wish, ON_A_PAGE))
    return [fields_of(oracle, one) for one in selection.puzzles]
