"""Forfeits: how often a player loses by an illegal move, an exception or a timeout, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from perfectplay.arena.encounter import Encounter, ForfeitsOnly, forfeited_states
from perfectplay.arena.referee import fault_line
from perfectplay.commands.know.probability import per_cent
from perfectplay.commands.play.battle_result import BattleResult, games_text
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.rules.notation import show_position
from perfectplay.solvers.steps import finished
from perfectplay.words import FIRST, Brief, Position, in_notebook


@dataclass(frozen=True)
class Forfeit(metaclass=Brief):
    """How often a player forfeits the game, as a probability, and the reason of the first time.

    `side` is 0 if it moves first, 1 if second. Where games were played, `games` is the number of forfeited ones, and
    `first_game` the number of the first of them, from 1.
    """

    player: str
    side: int
    probability: Fraction | float
    reason: str
    games: int | None = None
    first_game: int | None = None

    def __str__(self) -> str:
        return self.line(self.player)

    def line(self, name: str) -> str:
        """The forfeits in a line, the player called by that name."""
        if self.games is None:
            return f"{name} forfeits with probability {per_cent(self.probability)}: {self.reason}"
        return f"{name} forfeited {games_text(self.games)}, first game {self.first_game}: {self.reason}"

    def to_dict(self) -> dict[str, object]:
        """The forfeits as in JSON."""
        number = str(self.probability) if isinstance(self.probability, Fraction) else self.probability
        facts = {"player": self.player, "side": self.side, "probability": number, "reason": self.reason}
        return facts if self.games is None else {**facts, "games": self.games, "first_game": self.first_game}

    _repr_html_ = in_notebook


def played_forfeits(result: BattleResult) -> tuple[Forfeit, ...]:
    """The forfeits in the games of a battle in which A always moved first."""
    return tuple(
        Forfeit(name, side, count / result.games, fault_line(fault[1], name), count, fault[0] + 1)
        for side, (name, count, fault) in enumerate(zip(result.players, result.forfeits, result.faults, strict=True))
        if fault is not None
    )


def exact_forfeits(
    encounter: Encounter,
    names: Sequence[str],
    faults: Sequence[Mapping[Position, str]],
    exact: bool,
    progress: Progress | None,
) -> tuple[Forfeit, ...]:
    """The forfeits between two players, given where each of them fails; with the position nearest to the start."""
    from perfectplay.players.models.odds import in_decimals, in_fractions  # numpy: only when it is wanted

    game = encounter.game
    nearest: dict[int, Position] = {}
    for position, turn in forfeited_states(encounter) if any(faults) else ():
        nearest.setdefault(turn, position)
    if not nearest:
        return ()
    computing = in_fractions if exact else in_decimals
    chances = finished(computing(ForfeitsOnly(encounter), (game.start, FIRST)), progress)
    by_side = (chances.loss, chances.win) if encounter.side == FIRST else (chances.win, chances.loss)
    return tuple(
        Forfeit(
            names[side],
            side,
            by_side[side],
            f"{fault_line(faults[side][here], names[side])} in {show_position(game, here, side)}",
        )
        for side, here in sorted(nearest.items())
    )
