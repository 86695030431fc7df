"""Which squares a move is clicked on, for pages of games whose boards alone do not tell it."""

from typing import NamedTuple

from perfectplay.exporters.page.page_solution import Carried, Squares
from perfectplay.game import Game
from perfectplay.notation import spots
from perfectplay.page.board_squares import Change, changes
from perfectplay.words import FIRST, SECOND


class Clicks(NamedTuple):
    """A move on the first side's board: the squares to click, those that are left, and which of these vanish."""

    to: Squares
    left: Squares
    faded: Squares

    def moved(self, squares: Squares) -> "Clicks":
        """The same on a board whose squares were moved."""
        return Clicks(*(tuple(sorted(squares[square] for square in part)) for part in self))


def clicks_by_label(carried: Carried) -> list[Clicks | None]:
    """The clicks of each label of a move; none where boards tell them, or where they differ between positions."""
    if boards_tell(carried.game):
        return []
    found: dict[int, Clicks] = {}
    for position, edges in zip(carried.positions, carried.edges, strict=True):
        for edge, change in zip(edges, changes(carried.game, position, FIRST).values(), strict=True):
            clicks = clicks_of(change)
            if found.setdefault(edge.label, clicks) != clicks:
                return []
    for squares, labelled in zip(carried.squares, carried.labelled, strict=True):
        for label, clicks in [*found.items()]:
            there = clicks.moved(squares)
            if found.setdefault(labelled[label], there) != there:
                return []
    return [found.get(label) for label in range(len(carried.labels))]


def clicks_of(change: Change) -> Clicks:
    """The clicks of a move that changes a board so."""
    faded = [square for square, kind in change.left.items() if kind not in change.arrived.values()]
    return Clicks(tuple(change.to), tuple(sorted(change.left)), tuple(sorted(faded)))


def boards_tell(game: Game) -> bool:
    """Whether the page sees what a move does: each kind of piece is one side's, and stands where it may in its word."""
    shared = set(game.look.pieces.first) & set(game.look.pieces.second)
    plain = all(len(spot) == 2 for side in (FIRST, SECOND) for square in spots(game, side) for spot in square)
    return plain and not shared and game.look.board != "pits"
