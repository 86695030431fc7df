"""How a match ended."""

from dataclasses import dataclass

from perfectplay.commands.terminal.arguments import check_side
from perfectplay.words import DRAW, LOSS, WIN, Brief, in_notebook


@dataclass(frozen=True)
class Result(metaclass=Brief):
    """How a match ended: `winner` is FIRST, SECOND, or None for a draw; `name` is the winner's name.

    `margin` has the points by which the winner is ahead; None in a game that has no points.
    """

    winner: int | None
    name: str | None = None
    margin: int | None = None

    def __str__(self) -> str:
        points = f" by {self.margin}" if self.margin else ""
        return "draw" if self.winner is None else f"{self.name} wins{points}"

    def to_dict(self) -> dict[str, object]:
        """The result as in JSON."""
        facts: dict[str, object] = {"winner": self.winner, "name": self.name}
        return facts if self.margin is None else {**facts, "margin": self.margin}

    _repr_html_ = in_notebook

    def score(self, side: int) -> int:
        """The result for that side, FIRST or SECOND: 1 for a win, 0 for a draw, -1 for a loss."""
        check_side(side)
        return DRAW if self.winner is None else WIN if self.winner == side else LOSS
