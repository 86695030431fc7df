"""A position with the side to move and an oracle: what a sentence about it needs, computed once and named."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

from perfectplay.game import after, legal_moves
from perfectplay.insight.puzzles.difficulty import depth_to_see, difficulty
from perfectplay.insight.threats import (
    Threats,
    after_pass,
    answers,
    completed_lines,
    is_double,
    study_after_pass,
    threats,
)
from perfectplay.players.models.levels import ALL
from perfectplay.players.named.one_ply_players import winning_moves
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.worth import Study
from perfectplay.words import Move, Position

OBVIOUS = 2
"""A player who sees this many plies ahead sees wins at once and threats to win at once: what it sees is no trap."""


def traps(study: Study) -> dict[Move, int]:
    """The moves that worsen the result but look best to a player of two plies, with the depth that shows it.

    Games for points have none, because nothing is known of how soon points are made.
    """
    depths = {move: depth_to_see(study, move) for move in study.failing} if study.decided else {}
    return {move: depth for move, depth in depths.items() if OBVIOUS < depth < ALL}


class Scene:
    """A position in which a side is to move."""

    def __init__(self, oracle: Oracle, position: Position, side: int) -> None:
        self.oracle, self.position, self.side = oracle, position, side
        self.game = oracle.game

    @property
    def mover(self) -> str:
        """The name of the side to move."""
        return self.game.look.sides[self.side]

    @property
    def other(self) -> str:
        """The name of the other side."""
        return self.game.look.sides[1 - self.side]

    @cached_property
    def text(self) -> str:
        """The position as text."""
        return show_position(self.game, self.position, self.side)

    @cached_property
    def study(self) -> Study:
        """The proven values of the position and its moves."""
        return self.oracle.study(self.position)

    @cached_property
    def over(self) -> bool:
        """Whether the game is over."""
        return not legal_moves(self.game, self.position)

    @cached_property
    def wins(self) -> list[Move]:
        """The moves that win at once."""
        return winning_moves(self.game, self.position)

    @cached_property
    def threats(self) -> Threats | None:
        """The threats of the other side."""
        return None if self.over else threats(self.oracle, self.position, self.side)

    @cached_property
    def double(self) -> bool:
        """Whether the other side has a double threat."""
        return is_double(self.game, self.position, self.side, self.threats)

    @cached_property
    def answers(self) -> list[Move]:
        """The moves after which the other side cannot win at once."""
        return answers(self.game, self.position, self.side)

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

    @cached_property
    def traps(self) -> dict[Move, int]:
        """The moves that worsen the result although a player of two plies takes them for fine; see `traps`."""
        return traps(self.study)

    @cached_property
    def zugzwang(self) -> bool:
        """Whether it is proven that every move worsens what passing would keep; the game is not over."""
        other, here = after_pass(self.game, self.position, self.side), self.study.here
        if other is None or here.value is None:
            return False
        study = study_after_pass(self.oracle, other)
        return study is not None and -study.here.most > here.value

    def after(self, move: Move) -> "Scene":
        """The scene after the move."""
        return Scene(self.oracle, *after(self.game, self.position, self.side, move))

    def name(self, move: Move) -> str:
        """The name of a move of the side to move."""
        return move_name(self.game, self.position, self.side, move)

    def names(self, moves: Iterable[Move]) -> list[str]:
        """The names of moves, in the order of their numbers."""
        return [self.name(move) for move in sorted(moves)]

    def lines(self, move: Move) -> list[str]:
        """The lines that a move completes which wins at once."""
        return completed_lines(self.game, self.position, self.side, move)

    @property
    def if_passed(self) -> "Scene":
        """The scene after a pass; there is something that the other side threatens."""
        assert self.threats is not None
        return Scene(self.oracle, self.threats.position, 1 - self.side)
