"""Whether a player gives symmetric moves the same score: a check of a search that needs no solution."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from perfectplay.arena.bot_process import BotMaker
from perfectplay.game import Game, symmetric_moves, unequal_scores
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.notation import move_name, number_of, show_position
from perfectplay.words import Brief, Turn, in_notebook

MOST = 100
"""The most positions in which a player's scores are asked."""


@dataclass(frozen=True)
class ScoreSymmetry(metaclass=Brief):
    """In how many positions scores were asked, and the first in which symmetric moves differ, with their scores."""

    asked: int
    position: str | None = None
    scores: tuple[tuple[str, float], ...] = ()

    @property
    def same(self) -> bool:
        """Whether symmetric moves always have the same score."""
        return self.position is None

    def __str__(self) -> str:
        if self.position is None:
            return f"gives symmetric moves the same score in the {number_of(self.asked, 'position')} asked"
        first = ", ".join(f"{move} {score:g}" for move, score in self.scores)
        return f"gives symmetric moves different scores, first in {self.position}: {first}"

    def to_dict(self) -> dict[str, object]:
        """The check as in JSON."""
        return {"same": self.same, "asked": self.asked, "position": self.position, "scores": dict(self.scores)}

    _repr_html_ = in_notebook


def score_symmetry(game: Game, maker: Maker, turns: Iterable[Turn], seconds: float | None) -> ScoreSymmetry | None:
    """The check in these positions; None for a player that has no scores, or where no moves are symmetric."""
    if not isinstance(maker, BotMaker):
        return None
    asked = 0
    for position, side in turns:
        if not symmetric_moves(game, position):
            continue
        scores = maker.scores(Seat(game, side, random.Random(0), seconds), position)
        if scores is None:
            return None
        asked += 1
        unequal = unequal_scores(game, position, scores)
        if unequal:
            shown = tuple((move_name(game, position, side, move), scores[move]) for move in unequal)
            return ScoreSymmetry(asked, show_position(game, position, side), shown)
        if asked == MOST:
            break
    return ScoreSymmetry(asked) if asked else None
