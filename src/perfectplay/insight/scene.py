"""A position with the side to move and an oracle: what a sentence about it needs, computed once and named."""

from collections.abc import Iterable
from functools import cached_property

from perfectplay.game import after, legal_moves
from perfectplay.insight.ideas import Ideas, ideas_of
from perfectplay.insight.threats import Threats, answers, completed_lines, is_double, threats
from perfectplay.players.named.one_ply_players import winning_moves
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.worth import Study
from perfectplay.words import Move, Position


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
    def ideas(self) -> Ideas:
        """Its ideas; the game is not over."""
        return ideas_of(self.oracle, self.position, self.side)

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
