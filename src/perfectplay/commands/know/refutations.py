"""What refutes a player: moves that give a result away, positions in which it fails, and a game in which it does."""

from dataclasses import dataclass

from perfectplay.arena.referee import fault_line
from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, parse_move, read_position, replay
from perfectplay.views.document import Board, Notes, Plain, Record, Section, game_boards
from perfectplay.words import FIRST

SIDE_NAMES = ("first", "second")
VALUES = {name: value for value, name in VALUE_NAMES.items()}


@dataclass(frozen=True)
class Mistake(Record):
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
        return f"{self.position} {self.move}: {self.outcome}"

    @property
    def outcome(self) -> str:
        """What it costs, and which moves are better."""
        return f"{self.before} becomes {self.after}; better: {' '.join(self.better)}"

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

    def board(self, game: Game) -> Board:
        """The position, with what the move and the better ones are worth."""
        position, side = read_position(game, self.position)
        worth = {self.move: (VALUES[self.after], "", False)}
        worth |= dict.fromkeys(self.better, (VALUES[self.before], "", True))
        hints = {parse_move(game, position, side, name): hint for name, hint in worth.items()}
        said = f"{game.look.sides[side]} {self.move}: {self.outcome}"
        return Board(game, position, side, note=said, hints=hints)


@dataclass(frozen=True)
class Failure(Record):
    """A position in which a player fails: an illegal move, an error, or no answer in time.

    `reason` says what happened. `line` has the moves of a shortest game that leads to the position.
    """

    position: str
    reason: str
    line: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.position}: {self.reason}"

    def to_dict(self) -> dict[str, object]:
        """The failure as in JSON."""
        return {"position": self.position, "reason": self.reason, "line": list(self.line)}

    def board(self, game: Game) -> Board:
        """The position, with what happens there."""
        return Board(game, *read_position(game, self.position), note=self.reason)


@dataclass(frozen=True)
class Counterexample(Record):
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

    def to_dict(self) -> dict[str, object]:
        """The game as in JSON."""
        return {
            "side": self.side,
            "moves": list(self.moves),
            "values": list(self.values),
            "result": self.result,
            "repeats": self.repeats,
            "fault": self.fault or None,
        }

    def section(self, game: Game) -> Section:
        """The game, board by board, its mistakes marked."""
        own = SIDE_NAMES.index(self.side)
        movers = [side for _, side, _ in replay(game, game.start, FIRST, self.moves)]
        changes = zip(movers, self.values, self.values[1:], strict=False)
        mistakes = {
            ply: f"{before} becomes {after}"
            for ply, (side, before, after) in enumerate(changes, 1)
            if side == own and before != after
        }
        endless = "" if self.repeats is None else f"From move {self.repeats + 1} on, the moves can repeat for ever."
        return Section(
            f"The shortest game that refutes it ({game.look.sides[own]} is the player, {self.result}):",
            game_boards(game, self.moves, mistakes),
            Plain(self.fault),
            Notes(endless),
        )
