"""Certificates: whether a player is perfect, shown in every position that it can meet, or a game that refutes it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from perfectplay.api.arguments import GameLike, Progress, check_seconds, game_of, whole
from perfectplay.api.evaluation import Probability
from perfectplay.api.playing import Contestant, maker_of, name_of
from perfectplay.api.solved_games import solved_lookup
from perfectplay.arena.bot_process import close
from perfectplay.arena.examination import Examination, Known
from perfectplay.arena.findings import Findings
from perfectplay.game import Game
from perfectplay.notation import VALUE_NAMES, move_name, show_position
from perfectplay.players import Seat, policy_named
from perfectplay.solvers.lookup_or_solve import entries_of_moves
from perfectplay.solvers.steps import finished
from perfectplay.words import FIRST, SECOND, BadArgument, BadPlayer, Brief, Lookup, Move, Position, TooBig

SIDES = {"first": (FIRST,), "second": (SECOND,), "both": (FIRST, SECOND)}
"""The sides that a player is examined on."""
SECONDS = 60.0
"""Seconds that a bot may take for a move."""


@dataclass(frozen=True)
class Mistake(metaclass=Brief):
    """A move that gives a result away.

    `line` is a shortest game that leads to the position, `move` what the player plays there. `before` and `after` are
    "win", "draw" or "loss", the values to the player, and `better` are the moves that keep the result.
    """

    position: str
    move: str
    before: str
    after: str
    better: tuple[str, ...]
    line: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.position} {self.move}: {self.before} -> {self.after}; better {' '.join(self.better)}"

    def to_dict(self) -> dict[str, object]:
        """The mistake as in JSON."""
        return {
            "position": self.position,
            "move": self.move,
            "before": self.before,
            "after": self.after,
            "better": list(self.better),
            "line": list(self.line),
        }


@dataclass(frozen=True)
class Counterexample(metaclass=Brief):
    """The shortest game that refutes a player: what it could have had, and what it got."""

    side: str
    moves: tuple[str, ...]
    result: str
    could_have: str
