"""How random games go: their results, lengths and choices, and one of them from the first move to the last."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from perfectplay.arena.referee import margin_of_first, winner_of
from perfectplay.commands.know.best_lines import turns
from perfectplay.commands.know.probability import counted_rows
from perfectplay.compiler.checks.sample_positions import Met, following, random_trails
from perfectplay.game import Game, legal_moves
from perfectplay.rules.loading import NeverReturns, checked_outcome
from perfectplay.rules.notation import draw_position, in_turn, move_name, number_of, plies_text, show_position
from perfectplay.views.document import Document, Notes, Part, Plain, Section, Table, game_boards
from perfectplay.views.document_text import text
from perfectplay.views.json_facts import json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, ONGOING, SECOND

BEGINNING = 12
"""The plies that are shown of a game that does not end."""
LINES = 32
"""The most lines that the boards of a whole game may take; of a longer game only the last board is drawn."""


@dataclass(frozen=True)
class SampleGame(metaclass=ResultClass):
    """A random game: its moves by name, the side that makes each, the result in words, and the last position.

    `result` is empty if the game goes on. `board` is the last position as a drawing.
    """

    moves: tuple[str, ...]
    movers: tuple[str, ...]
    result: str
    position: str
    board: str

    @property
    def heading(self) -> str:
        """What it is: the shortest game, X wins; or how a game begins."""
        return f"the shortest game, {self.result}" if self.result else "how a game begins"

    def document(self) -> Document:
        """The moves and the last position."""
        return Document(f"{self.heading}:", *moves_and_board(self))

    to_dict = json_facts("moves", "movers", "result", "position")


def moves_and_board(sample: SampleGame) -> tuple[Part, ...]:
    """The moves of a game in turns, and its last position."""
    made = "; ".join(f"{mover} {in_turn(moves)}" for mover, moves in turns(sample.movers, sample.moves))
    return Notes(made), Plain(sample.board)


class Spread(NamedTuple):
    """The least, the average and the greatest of some numbers."""

    least: int
    average: float
    greatest: int

    def __str__(self) -> str:
        if self.least == self.greatest:
            return str(self.least)
        return f"{self.least} to {self.greatest}, {self.average:.1f} on average"

    def to_dict(self) -> dict[str, object]:
        """The numbers by name."""
        return {**self._asdict(), "average": round(self.average, 3)}


@dataclass(frozen=True)
class RandomGames(metaclass=ResultClass):
    """The results of random games: many wins of the wrong side, or games too short, show that rules are not as meant.

    `plies` has the shortest, the average and the longest game, `choices` the same of the legal moves in a position,
    `margins` of the points of the first side at the end of a game for points. `unfinished` games were not over when
    the walk stopped. `sample` is the shortest game that ended, or the beginning of one if none did.
    """

    sides: tuple[str, str]
    played: int
    first: int
    second: int
    drawn: int
    unfinished: int
    plies: Spread
    choices: Spread
    margins: Spread | None
    sample: SampleGame

    @property
    def shortest(self) -> int:
        """The plies of the shortest game."""
        return self.plies.least

    @property
    def longest(self) -> int:
        """The plies of the longest game."""
        return self.plies.greatest

    def document(self) -> Document:
        """How random games end, how long they are, and one of them."""
        labels = (f"won by {self.sides[0]}", "drawn", f"won by {self.sides[1]}")
        return Document(
            number_of(self.played, "random game"),
            Table(counted_rows(labels, (self.first, self.drawn, self.second))),
            Notes(
                f"{self.unfinished:,} unfinished" if self.unfinished else "",
                f"plies: {self.plies}",
                f"legal moves in a position: {self.choices}",
                "" if self.margins is None else f"{self.sides[0]}'s margin: {self.margins}",
            ),
            Section(f"{self.sample.heading}:", *moves_and_board(self.sample)),
        )

    @property
    def line(self) -> str:
        """The results in a line."""
        won = f"{self.first} won by {self.sides[0]}, {self.second} by {self.sides[1]}, {self.drawn} drawn"
        rest = f", {self.unfinished} unfinished" if self.unfinished else ""
        length = plies_text(self.longest)
        if self.shortest != self.longest:
            length = f"{self.shortest} to {length}, {self.plies.average:.1f} on average"
        points = "" if self.margins is None else f"; {self.sides[0]}'s margin {self.margins}"
        return f"{number_of(self.played, 'random game')}: {won}{rest}; {length}; legal moves {self.choices}{points}"

    to_dict = json_facts(
        *("played", "first", "second", "drawn", "unfinished", "shortest", "longest"),
        *("plies", "choices", "margins", "sample"),
    )


def random_games(game: Game, walks: int, seed: int) -> RandomGames | None:
    """How as many random games go; None if the rules do not allow to play them."""
    try:
        trails = list(random_trails(game, Met(game.start, FIRST), walks, seed))
        outcomes = [checked_outcome(game, *trail[-1]) for trail in trails]
        return summed_up(game, trails, outcomes)
    except NeverReturns:
        raise
    except Exception:  # whatever the rules do: a check has told it
        return None


def summed_up(game: Game, trails: Sequence[Sequence[Met]], outcomes: Sequence[int]) -> RandomGames:
    """The results of the games whose positions these are."""
    finished = [trail for trail, outcome in zip(trails, outcomes, strict=True) if outcome != ONGOING]
    winners = Counter(winner_of(game.outcome(*trail[-1].position), trail[-1].side) for trail in finished)
    margins = [margin for trail in finished if (margin := margin_of_first(game, *trail[-1])) is not None]
    choices = [len(legal_moves(game, met.position)) for trail in trails for met in trail[:-1]]
    shown = min(finished, key=len, default=trails[0][: BEGINNING + 1])
    return RandomGames(
        sides=(game.look.sides.first, game.look.sides.second),
        played=len(trails),
        first=winners[FIRST],
        second=winners[SECOND],
        drawn=winners[None],
        unfinished=len(trails) - len(finished),
        plies=spread([len(trail) - 1 for trail in trails]),
        choices=spread(choices or [0]),
        margins=spread(margins) if margins else None,
        sample=sample_game(game, shown),
    )


def spread(numbers: Sequence[int]) -> Spread:
    """The least, the average and the greatest of them."""
    return Spread(min(numbers), fmean(numbers), max(numbers))


def sample_game(game: Game, trail: Sequence[Met]) -> SampleGame:
    """The game whose positions these are."""
    names = []
    for met, then in pairwise(trail):
        made = next(move for move in legal_moves(game, met.position) if following(game, met, move) == then)
        names.append(move_name(game, *met, made))
    position, side = trail[-1]
    movers = tuple(game.look.sides[met.side] for met in trail[:-1])
    board = draw_position(game, position, side)
    return SampleGame(tuple(names), movers, result_text(game, trail[-1]), show_position(game, position, side), board)


def result_text(game: Game, met: Met) -> str:
    """How the game ended: X wins, X wins by 4, a draw; empty if it goes on."""
    outcome = game.outcome(*met.position)
    if outcome == ONGOING:
        return ""
    winner, margin = winner_of(outcome, met.side), margin_of_first(game, *met)
    if winner is None:
        return "a draw"
    return f"{game.look.sides[winner]} wins" + (f" by {abs(margin)}" if margin else "")


def sample_section(game: Game, sample: SampleGame) -> Section | None:
    """The random game: all its boards if they take little room, else its moves and the last board."""
    if not sample.moves:
        return None
    boards = game_boards(game, sample.moves, {})
    short = len(text(Document(None, boards)).splitlines()) <= LINES
    return Section(f"{sample.heading}:", *((boards,) if short else moves_and_board(sample)))
