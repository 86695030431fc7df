"""What the other modules need from solved games: a lookup, and win probabilities in one position."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import Game
from perfectplay.players.registry import policy_named
from perfectplay.solvers.steps import finished
from perfectplay.views.json_facts import Fact
from perfectplay.words import BadPlayer, BadPosition, Lookup, Position

if TYPE_CHECKING:
    from perfectplay.players.models.win_probability import MoveProbabilities, WinProbabilities


class Standing(Protocol):
    """A position of a game and the side to move, as a match has them."""

    @property
    def game(self) -> Game:
        """The rules."""

    @property
    def position(self) -> Position:
        """The position."""

    @property
    def turn(self) -> int:
        """The side to move."""

    def text(self) -> str:
        """The position as text."""


STANDING = Fact("match", encode=lambda match: {"game": match.game.name, "position": match.text()}, spread=True)
"""The position of a result that has a match, as facts of the result."""


def move_probabilities_at(
    game: Game, position: Position, against: str, exact: bool = False, progress: Progress | None = None
) -> "MoveProbabilities":
    """The probabilities of the side to move in a solved game, here and after each move."""
    from perfectplay.players.models.win_probability import (  # numpy: only when it is wanted
        move_probabilities,
        win_probabilities_against,
    )

    checked_players((against,))
    kept = cached_probabilities(game, against, bool(exact))
    if not kept:
        kept.append(finished(win_probabilities_against(game, policy_named(against, game), exact), progress))
    return move_probabilities(game, kept[0], position)


@lru_cache(maxsize=8)
def cached_probabilities(game: Game, against: str, exact: bool) -> "list[WinProbabilities]":
    """A list that holds the probabilities in all positions of the game once they are computed."""
    return []


def check_reached(match: Standing, lookup: Lookup) -> None:
    """Raises BadPosition if the position of the match is unreachable."""
    try:
        lookup(match.position)
    except BadPosition:
        name = match.game.name
        raise BadPosition(f"{match.text()} cannot be reached in {name} by legal play from the start") from None


def checked_players(names: Sequence[object]) -> list[str]:
    """The names of players; raises BadPlayer if one is not a string."""
    for name in names:
        if not isinstance(name, str):
            raise BadPlayer(f"{name!r} is not the name of a player whose probabilities are known, such as 'random'")
    return [str(name) for name in names]
