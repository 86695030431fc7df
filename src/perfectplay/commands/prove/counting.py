"""Counts of move sequences and of finished games, ply by ply."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from perfectplay.arena.referee import winner_of
from perfectplay.commands.know.probability import counted_rows
from perfectplay.commands.terminal.arguments import Progress, told
from perfectplay.game import Game, legal_moves, next_ply
from perfectplay.rules.loading import checked_outcome
from perfectplay.rules.notation import number_of, plies_text
from perfectplay.views.document import Document, Table
from perfectplay.views.json_facts import json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, ONGOING, SECOND, TooBig, Turn

SMALL = 250_000
"""The most moves of all positions of a game that is counted to its end without a depth: a second or two."""


class Ply(NamedTuple):
    """The move sequences of one length: how many, the positions they end in, and how many finish the game there.

    `ended` counts the sequences that end in a win of the first side, a win of the second side, and a draw.
    """

    sequences: int
    positions: int
    ended: tuple[int, int, int]

    @property
    def ongoing(self) -> int:
        """The sequences after which the game continues."""
        return self.sequences - sum(self.ended)


@dataclass(frozen=True, kw_only=True)
class GameCount(metaclass=ResultClass):
    """How many different games of at most `depth` plies can be played, by result; two games differ if a move does.

    `wins` are those of the side that moves first and of the other. `ongoing` is the number of sequences of `depth`
    moves after which the game is not over: where it is 0, these are all games that there are.
    """

    game: str
    sides: tuple[str, str]
    depth: int
    games: int
    wins: tuple[int, int]
    draws: int
    ongoing: int

    @property
    def complete(self) -> bool:
        """Whether every game is over within `depth` plies."""
        return self.ongoing == 0

    def document(self) -> Document:
        """How many games there are, by result."""
        within = f"within {plies_text(self.depth)}"
        if not self.games:
            return Document(f"no game is over {within}")
        rest = f"{number_of(self.ongoing, 'sequence')} {'is' if self.ongoing == 1 else 'are'} not over"
        ends = "all that can be played" if self.complete else f"over {within}; {rest}"
        labels = (f"won by {self.sides[0]}", "drawn", f"won by {self.sides[1]}")
        return Document(
            f"{self.game}: {number_of(self.games, 'game')}, {ends}",
            Table(counted_rows(labels, (self.wins[0], self.draws, self.wins[1]))),
        )

    to_dict = json_facts("game", "depth", "games", "wins", "draws", "ongoing", "complete")


def counted(game: Game, depth: int | None, found: list[Ply]) -> GameCount:
    """The games that are over at these plies, which reach to that depth, or to the end."""
    first, second, drawn = (sum(ply.ended[result] for ply in found) for result in range(3))
    return GameCount(
        game=game.name,
        sides=(game.look.sides.first, game.look.sides.second),
        depth=len(found) - 1 if depth is None else depth,
        games=first + second + drawn,
        wins=(first, second),
        draws=drawn,
        ongoing=found[-1].ongoing,
    )


def plies(game: Game, depth: int | None, progress: Progress | None = None) -> Iterator[Ply]:
    """For each length up to the depth, or else to the end, the move sequences and how they end."""
    ways: dict[Turn, int] = {(game.start, FIRST): 1}
    moves = 0
    for ply in itertools.count() if depth is None else range(depth + 1):
        if ply:
            ways = next_ply(game, told(ways.items(), len(ways), f"ply {ply}", progress))
        found = Ply(sum(ways.values()), len({position for position, _ in ways}), ended(game, ways))
        yield found
        if depth is None:
            if not found.ongoing:
                return
            moves += sum(len(legal_moves(game, position)) for position, _ in ways)
            if moves > SMALL:
                end = f"more than {SMALL:,} moves lead from the positions of the first {plies_text(ply)}"
                raise TooBig(f"{game.name} is too large to count to its end: {end}; give a depth, such as {ply}")


def ended(game: Game, ways: dict[Turn, int]) -> tuple[int, int, int]:
    """The sequences to these positions that end in a win of either side, or in a draw."""
    ends = {FIRST: 0, SECOND: 0, None: 0}
    for (position, side), count in ways.items():
        outcome = checked_outcome(game, position, side)
        if outcome != ONGOING:
            ends[winner_of(outcome, side)] += count
    return ends[FIRST], ends[SECOND], ends[None]
