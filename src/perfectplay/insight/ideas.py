"""The ideas that hold for every game, computed for one position: threats, only moves, traps, zugzwang, and the like."""

from fractions import Fraction
from typing import NamedTuple

from perfectplay.insight.puzzles.difficulty import depth_to_see, difficulty
from perfectplay.insight.threats import Threats, after_pass, is_double, study_after_pass, threats
from perfectplay.players.models.levels import ALL
from perfectplay.players.named.one_ply_players import winning_moves
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.worth import Study
from perfectplay.words import Move, Position

OBVIOUS = 2
"""A player who sees this many plies ahead sees wins at once and threats to win at once: what it sees is no trap."""


class Ideas(NamedTuple):
    """The ideas of a position for the side to move.

    `wins`: the moves that win at once. `threats`: what the other side threatens. `double`: no single move answers it.
    `traps`: the moves that worsen the result although a player of two plies takes them for fine, each with the depth
    from which on one sees it. `zugzwang`: every move worsens what passing would keep.
    """

    study: Study
    wins: tuple[Move, ...]
    threats: Threats | None
    double: bool
    traps: dict[Move, int]
    zugzwang: bool

    @property
    def only_move(self) -> Move | None:
        """The only move that keeps the result, while others do not; None if there are several, or if all do."""
        keeping = self.study.keeping
        forced = len(keeping) == 1 and self.study.decided and len(self.study.moves) > 1
        return keeping[0] if forced else None

    @property
    def sharpness(self) -> Fraction | None:
        """The share of the moves that keep the result; None if that is not proven of all."""
        return Fraction(len(self.study.keeping), len(self.study.moves)) if self.study.decided else None

    @property
    def difficulty(self) -> Fraction | None:
        """The probability that a player goes wrong here, over the levels 1 to 10; None if that is not proven."""
        return difficulty(self.study) if self.study.decided else None


def ideas_of(oracle: Oracle, position: Position, side: int) -> Ideas:
    """The ideas of the position for this side, which is to move; the game is not over."""
    study = oracle.study(position)
    theirs = threats(oracle, position, side)
    return Ideas(
        study,
        tuple(winning_moves(oracle.game, position)),
        theirs,
        is_double(oracle.game, position, side, theirs),
        traps(study),
        is_zugzwang(oracle, position, side),
    )


def traps(study: Study) -> dict[Move, int]:
    """The moves that worsen the result but look best to a player of two plies, with the depth that shows it.

    Games for points have none, because nothing is known of how soon points are made.
    """
    depths = {move: depth_to_see(study, move) for move in study.failing} if study.decided else {}
    return {move: depth for move, depth in depths.items() if OBVIOUS < depth < ALL}


def is_zugzwang(oracle: Oracle, position: Position, side: int) -> bool:
    """Whether it is proven that every move worsens what passing would keep."""
    other, here = after_pass(oracle.game, position, side), oracle.study(position).here
    if other is None or here.value is None:
        return False
    study = study_after_pass(oracle, other)
    return study is not None and -study.here.most > here.value
