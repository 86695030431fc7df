"""What refutes a player: moves that give a result away, positions in which it fails, and a game in which it does."""

from dataclasses import dataclass

from perfectplay.arena.referee import fault_line
from perfectplay.views.json_facts import Fact, json_facts, or_none
from perfectplay.views.result import ResultClass


@dataclass(frozen=True)
class Mistake(metaclass=ResultClass):
    """A move that gives a result away: where it is played, what it costs, and which moves keep the result.

    `before` and `after` are "win", "draw" or "loss", for the player. `line` has the moves of a shortest game that leads
    to the position.
    """

    position: str
    move: str
    before: str
    after: str
    better: tuple[str, ...]
    line: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.position} {self.move}: {self.before} becomes {self.after}; better: {' '.join(self.better)}"

    to_dict = json_facts()


@dataclass(frozen=True)
class Failure(metaclass=ResultClass):
    """A position in which a player fails: an illegal move, an error, or no answer in time.

    `reason` says what happened. `line` has the moves of a shortest game that leads to the position.
    """

    position: str
    reason: str
    line: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.position}: {self.reason}"

    to_dict = json_facts()


@dataclass(frozen=True)
class Counterexample(metaclass=ResultClass):
    """A game that refutes a player: the shortest that it loses and need not have lost, or else gives away otherwise.

    `values` has "win", "draw" or "loss", for the player, before each move and at the end. `repeats` is the number of
    moves before those that can be repeated for ever, None if the game ends; `fault` is why the player forfeits.
    """

    side: str
    moves: tuple[str, ...]
    values: tuple[str, ...]
    result: str
    repeats: int | None = None
    fault: str = ""

    def __str__(self) -> str:
        reason = fault_line(self.fault)
        moves = " ".join(self.moves) or "at the start"
        return f"moving {self.side}: {moves}, {self.result}{': ' if reason else ''}{reason}"

    to_dict = json_facts("side", "moves", "values", "result", "repeats", Fact("fault", encode=or_none))
