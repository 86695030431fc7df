"""Views of puzzles: the board and the task; the solution waits behind a title."""

from typing import TYPE_CHECKING

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import (
    BOARD,
    LARGE,
    board,
    boards,
    folded,
    framed,
    listed,
    more,
    note,
    position_note,
)
from perfectplay.rules.notation import number_of, read_position
from perfectplay.views.charts import tag

if TYPE_CHECKING:
    from perfectplay.commands.learn.puzzling import Puzzle, PuzzleSet
    from perfectplay.game import Game

MOST_PUZZLES = 12
"""The puzzles of a set that are drawn."""


def puzzle_view(found: "Puzzle") -> Markup:
    """One puzzle."""
    return framed(
        found.task,
        picture(found, found.rules, LARGE),
        note(f"difficulty {found.difficulty} of 10"),
        folded("Solution", tag("p", " ".join(found.line))),
        position_note(found.position),
    )


def puzzle_set_view(found: "PuzzleSet") -> Markup:
    """The puzzles beside each other, and their solutions."""
    shown = found.puzzles[:MOST_PUZZLES]
    figures = [
        (
            picture(puzzle, puzzle.rules or found.rules, BOARD),
            f"{at}. {puzzle.task} Difficulty {puzzle.difficulty}.",
        )
        for at, puzzle in enumerate(shown, 1)
    ]
    return framed(
        f"{found.game}: {number_of(len(found), 'puzzle')}",
        boards(figures),
        more(len(found) - MOST_PUZZLES, "puzzles"),
        folded("Solutions", listed((" ".join(puzzle.line) for puzzle in shown), "ol")) if shown else "",
        note(found.remark),
    )


def picture(puzzle: "Puzzle", game: "Game | None", size: int) -> Markup:
    """The position drawn; as text where the rules are not at hand."""
    if game is None:
        return tag("pre", puzzle.drawn)
    return board(game, *read_position(game, puzzle.position), size=size)
