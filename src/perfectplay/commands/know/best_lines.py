"""A best line in words: the moves of best play by name, and where an endless draw repeats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from perfectplay.game import Game, after
from perfectplay.rules.notation import in_turn, move_name
from perfectplay.solvers.search.best_line import Line
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import ONGOING, Position

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True)
class BestLine(metaclass=ResultClass):
    """The moves of best play, by name: the quickest win against the longest defence, or a draw.

    `repeats` is the number of moves after which the position stood that stands again at the end, in an endless draw;
    None otherwise. `complete`: the line leads to the end of the game or repeats; a search may prove only a part of it.
    `movers` has the name of the side that makes each move, in games in which a side may move again; else it is empty.
    """

    moves: tuple[str, ...]
    repeats: int | None = None
    complete: bool = True
    movers: tuple[str, ...] = ()

    def __str__(self) -> str:
        line = "; ".join(f"{mover} {in_turn(moves)}" for mover, moves in turns(self.movers, self.moves))
        line = line or " ".join(self.moves)
        if self.repeats is not None:
            return f"{line}, then again from move {self.repeats + 1}, {self.moves[self.repeats]}"
        return line if self.complete else f"{line} ..."

    to_dict = json_facts("moves", "repeats", "complete", Fact("movers", rare=True))


def turns(movers: Sequence[T], moves: Sequence[S]) -> Iterator[tuple[T, list[S]]]:
    """The moves of one side in a row, for each such row, with that side."""
    for mover, made in groupby(zip(movers, moves, strict=False), key=lambda one: one[0]):
        yield mover, [move for _, move in made]


def named_line(game: Game, position: Position, side: int, line: Line) -> BestLine:
    """The line with the names of its moves, the first of them made by that side in that position."""
    names, movers = [], []
    for move in line.moves:
        names.append(move_name(game, position, side, move))
        movers.append(game.look.sides[side])
        position, side = after(game, position, side, move)
    complete = line.repeats is not None or game.outcome(*position) != ONGOING
    return BestLine(tuple(names), line.repeats, complete, () if game.again is None else tuple(movers))
