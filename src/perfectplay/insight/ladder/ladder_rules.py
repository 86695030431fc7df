"""The rules as the algorithms of the ladder use them: extra turns as signs, points or plies as scores."""

from collections.abc import Iterator

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, moves_again
from perfectplay.solvers.scores import entry_of_score
from perfectplay.words import Entry, Move, PointsEntry, Position

LONGER = 1 << 60
"""The score of a win at the root: more plies than any machine can search, and more points than any game has.

The usual 10 or 50 fails in longer games, where a late win would score below a draw.
"""


def children(game: Game, position: Position) -> Iterator[tuple[Move, Position, int]]:
    """The moves, where they lead, and the sign that makes a score there a score for the side that moves.

    It is 1 if the same side moves again, else -1.
    """
    for move in bit_numbers(game.moves(*position)):
        yield move, game.play(*position, move), 1 if moves_again(game, position, move) else -1


def end_value(game: Game, position: Position, outcome: int) -> int:
    """The value of a finished position with that outcome; its points, where the game has them."""
    return outcome if game.margin is None else game.margin(*position)


def end_score(game: Game, position: Position, outcome: int, depth: int) -> int:
    """The score of a finished position at that depth: a quick win is greater than a late one, unless points count."""
    return outcome * (LONGER - depth) if game.margin is None else game.margin(*position)


def value_entry(game: Game, value: int) -> Entry:
    """The entry of a value, of which the distance is not known."""
    return Entry(value, None) if game.margin is None else PointsEntry(value)


def score_entry(game: Game, score: int) -> Entry:
    """The entry of a score."""
    return entry_of_score(score, LONGER) if game.margin is None else PointsEntry(score)
