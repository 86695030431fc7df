"""A best line in words: the moves of best play by name, and where an endless draw repeats."""

from dataclasses import dataclass

from perfectplay.game import Game
from perfectplay.notation import move_name
from perfectplay.solvers.best_line import Line
from perfectplay.words import ONGOING, Brief, Position


@dataclass(frozen=True)
class BestLine(metaclass=Brief):
    """The moves of best play, by name: the quickest win against the longest defence, or a draw.

    `repeats` is the number of moves after which the position stood that stands again at the end, in an endless draw;
    None otherwise. `complete`: the line leads to the end of the game or repeats; a search may prove only a part of it.
    """

    moves: tuple[str, ...]
    repeats: int | None = None
    complete: bool = True

    def __str__(self) -> str:
        line = " ".join(self.moves)
        if self.repeats is not None:
            return f"{line}, then again from move {self.repeats + 1}, {self.moves[self.repeats]}"
        return line if self.complete else f"{line} ..."

    def to_dict(self) -> dict[str, object]:
        """The line as in JSON."""
        return {"moves": list(self.moves), "repeats": self.repeats, "complete": self.complete}


def named_line(game: Game, position: Position, side: int, line: Line) -> BestLine:
    """The line with the names of its moves, the first of them made by that side in that position."""
    names = []
    for move in line.moves:
        names.append(move_name(game, position, side, move))
        position, side = game.play(*position, move), 1 - side
    return BestLine(tuple(names), line.repeats, line.repeats is not None or game.outcome(*position) != ONGOING)
