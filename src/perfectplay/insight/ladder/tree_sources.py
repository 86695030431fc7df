"""The sources of a recorded search: a game from a position on, or a tree of given numbers."""

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, after, canonical
from perfectplay.insight.ladder.bounds import LONGER
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import TableOracle, solved_oracle
from perfectplay.words import FIRST, ONGOING, BadPosition, Position, TooBig, Turn


class GameSource:
    """A game from a position on; the first side maximises."""

    is_game = True

    def __init__(self, game: Game, position: Position, side: int) -> None:
        self.game, self.root, self.hurries = game, (position, side), game.margin is None
        self.smallest = canonical(game)

    def maximising(self, state: Turn) -> bool:
        """Whether the first side moves."""
        return state[1] == FIRST

    def children(self, state: Turn) -> list[tuple[str, Turn]]:
        """The moves by name and where they lead; empty at the end of the game."""
        position, side = state
        if self.game.outcome(*position) != ONGOING:
            return []
        return [
            (move_name(self.game, position, side, move), after(self.game, position, side, move))
            for move in bit_numbers(self.game.moves(*position))
        ]

    def value(self, state: Turn) -> float:
        """The score of a finished game for the first side: its points, where it is played for them."""
        position, side = state
        score = LONGER * self.game.outcome(*position) if self.game.margin is None else self.game.margin(*position)
        return score if side == FIRST else -score

    def key(self, state: Turn) -> Hashable:
        """The position, whoever is to move."""
        return state[0]

    def class_key(self, state: Turn) -> Hashable:
        """The canonical position, whoever is to move."""
        return self.smallest(*state[0])

    @cached_property
    def table(self) -> TableOracle:
        """What is known of the game; raises TooBig if it is neither solved nor small."""
        return solved_oracle(self.game)

    def table_score(self, state: Turn) -> float:
        """The score in the table for the first side; raises TooBig if there is none."""
        position, side = state
        try:
            entry = self.table.lookup(position)
        except BadPosition:
            raise TooBig("not in the table: it cannot be reached from the start") from None
        score = entry.value * (LONGER - (entry.distance or 0)) if entry.margin is None else entry.margin
        return score if side == FIRST else -score

    def node_fields(self, state: Turn) -> dict[str, Any]:
        """The position as text, and to be drawn."""
        return {"position": show_position(self.game, *state), "board": state}


class NumberSource:
    """A tree in which every node but the leaves has the same number of children; a state is (level, index)."""

    is_game = hurries = False

    def __init__(self, leaves: Sequence[float], branching: int, minimise: bool) -> None:
        self.leaves, self.branching, self.minimise = leaves, branching, minimise
        self.root = (0, 0)
        self.levels = 0
        while branching**self.levels < len(leaves):
            self.levels += 1

    def maximising(self, state: tuple[int, int]) -> bool:
        """Whether this level takes the greatest number: every second one."""
        return (state[0] % 2 == 0) != self.minimise

    def children(self, state: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        """The nodes below."""
        level, index = state
        if level == self.levels:
            return []
        return [("", (level + 1, index * self.branching + i)) for i in range(self.branching)]

    def value(self, state: tuple[int, int]) -> float:
        """The number at a leaf."""
        return self.leaves[state[1]]

    def key(self, state: tuple[int, int]) -> Hashable:
        """The node itself: no two are the same."""
        return state

    class_key = key

    def table_score(self, state: tuple[int, int]) -> float:
        """No tree of numbers has a table."""
        raise TooBig("a tree of numbers has no table")

    def node_fields(self, state: tuple[int, int]) -> dict[str, Any]:
        """A leaf that is cut shows its number, too."""
        return {"score": self.leaves[state[1]]} if state[0] == self.levels else {}
