"""Certificates: proof that a player is perfect, from every position that it can meet, or a game that refutes it."""

import random
from dataclasses import dataclass, field

from perfectplay.api.arguments import GameLike, Progress, check_seconds, game_of, whole
from perfectplay.api.evaluation import Probability
from perfectplay.api.playing import Contestant, maker_of, name_of
from perfectplay.api.solved_games import solved_lookup
from perfectplay.arena.bot_process import close
from perfectplay.arena.examination import Answers, Examination, Known
from perfectplay.arena.findings import Findings
from perfectplay.arena.findings import Mistake as FoundMistake
from perfectplay.arena.project_check import FunctionCheck, check_project, project_name
from perfectplay.game import Game, legal_moves
from perfectplay.notation import VALUE_NAMES, move_name, played, show_position
from perfectplay.players import Seat
from perfectplay.players.registry import found as found_kind
from perfectplay.solvers.steps import finished
from perfectplay.words import FIRST, SECOND, BadArgument, Brief, Lookup, Move, TooBig

SIDES = {"first": (FIRST,), "second": (SECOND,), "both": (FIRST, SECOND)}
"""The sides that a player is examined on, by the name of the choice."""
SIDE_NAMES = ("first", "second")
SECONDS = 60.0
"""Seconds that a bot may take for a move, unless it is told otherwise."""
REPEATS = 3
"""How often a player is asked in each position."""


@dataclass(frozen=True)
class Mistake(metaclass=Brief):
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
        return f"moving {self.side}: {' '.join(self.moves)}, {self.result}"

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


@dataclass(frozen=True, kw_only=True)
class Examined(metaclass=Brief):
    """What came of asking a player on one side, "first" or "second".

    `worst` is the worst result that an opponent can reach. `against_random` has the exact probabilities against an
    opponent who plays at random, None if they cannot be computed; if the answers vary, each counts as often as it came.
    """

    side: str
    asked: int
    calls: int
    seconds: float
    perfect: bool
    loses: bool
    worst: str
    value: str
    """The value of the game to this side: what a perfect player reaches at least."""
    varying: int = 0
    """The positions in which the answers differed from call to call."""
    slow_wins: int = 0
    """The positions in which it wins later than it could."""
    faults: int = 0
    """The positions in which it failed."""
    stopped: bool = False
    """Whether it stopped answering, so that some positions were not asked."""
    mistakes: tuple[Mistake, ...] = field(default=(), repr=False)
    counterexample: Counterexample | None = field(default=None, repr=False)
    against_random: Probability | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, object]:
        """What was found, as in JSON."""
        return {
            "side": self.side,
            "asked": self.asked,
            "calls": self.calls,
            "perfect": self.perfect,
            "loses": self.loses,
            "worst": self.worst,
            "value": self.value,
            "varying": self.varying,
            "slow_wins": self.slow_wins,
            "faults": self.faults,
            "stopped": self.stopped,
            "against_random": self.against_random and self.against_random.to_dict(),
        }


@dataclass(frozen=True, kw_only=True)
class Certificate(metaclass=Brief):
    """Whether a player is perfect, or loses, or what refutes it; true in a condition if it is perfect.

    A perfect player keeps the result of every position that it can meet, whatever its opponent plays.
    """

    game: str
    player: str
    sides: tuple[Examined, ...]
    known: bool = False
    """Whether the player's move probabilities are known, so that no answer was missed."""
    functions: tuple[FunctionCheck, ...] = field(default=(), repr=False)
    """The functions of a whole project, each checked on every board; empty for other players."""

    @property
    def perfect(self) -> bool:
        """Whether the player never lets a result slip, and all functions of a project are right."""
        return all(side.perfect for side in self.sides) and all(check.correct for check in self.functions)

    @property
    def loses(self) -> bool:
        """Whether the player loses some game."""
        return any(side.loses for side in self.sides)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The moves that give a result away."""
        return tuple(mistake for side in self.sides for mistake in side.mistakes)

    @property
    def counterexample(self) -> Counterexample | None:
        """The shortest game that refutes the player, a lost one if there is any; None if it is perfect."""
        games = [side.counterexample for side in self.sides if side.counterexample is not None]
        return min(games, key=lambda game: (game.result != "loss", len(game.moves)), default=None)

    @property
    def asked(self) -> int:
        """The number of positions in which the player was asked."""
        return sum(side.asked for side in self.sides)

    @property
    def varying(self) -> int:
        """The number of positions in which the answers differed from call to call."""
        return sum(side.varying for side in self.sides)

    @property
    def seconds_per_move(self) -> float:
        """The mean time of a move."""
        return sum(side.seconds for side in self.sides) / max(1, sum(side.calls for side in self.sides))

    def side(self, name: str) -> Examined | None:
        """What was found on the side "first" or "second", None if the player was not asked there."""
        return next((side for side in self.sides if side.side == name), None)

    def __bool__(self) -> bool:
        return self.perfect

    def __str__(self) -> str:
        return f"{self.game}: {self.player} {verdict(self)}"

    def to_dict(self) -> dict[str, object]:
        """The certificate as `perfectplay certify` prints it in JSON."""
        first, second = self.side("first"), self.side("second")
        refuted = self.counterexample
        return {
            "game": self.game,
            "player": self.player,
            "side": "both" if len(self.sides) == 2 else self.sides[0].side,
            "asked": self.asked,
            "perfect": self.perfect,
            "loses": self.loses,
            "mistakes": len(self.mistakes),
            "counterexample": refuted and list(refuted.moves),
            "worst_as_first": first and first.worst,
            "worst_as_second": second and second.worst,
            "seconds_per_move": self.seconds_per_move,
            "varying": self.varying,
            "sides": [side.to_dict() for side in self.sides],
            "positions": [mistake.to_dict() for mistake in self.mistakes],
            "game_that_refutes": refuted and refuted.to_dict(),
            "functions": [check.to_dict() for check in self.functions],
        }


def verdict(found: Certificate) -> str:
    """What the certificate says, in a few words."""
    if found.perfect:
        return "is perfect: it never lets a result slip"
    if all(side.perfect for side in found.sides):
        return f"plays perfectly, but not all is right: {', '.join(c.name for c in found.functions if not c.correct)}"
    if not found.loses:
        return "never loses, but lets wins slip"
    return "is refuted: it loses"


def certify(
    game: GameLike,
    player: Contestant,
    *,
    side: str = "both",
    seconds: float | None = SECONDS,
    repeats: int = REPEATS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Certificate:
    """Asks a player in every position that it can meet against any opponent, and proves or refutes it.

    The game must be solved or small. `player` is a name, such as "minimax" or "./bots.py:my_ai", or a function. `side`
    is "first", "second" or "both". Each position is asked `repeats` times, in another order each time, and all answers
    are followed. A bot in a file of its own may take `seconds` for a move.
    """
    if side not in SIDES:
        raise BadArgument(f"side={side!r} is not 'first', 'second' or 'both'")
    whole("repeats", repeats, 1, 1000, optional=False)
    whole("seed", seed, 0, 2**63 - 1, optional=False)
    check_seconds(seconds)
    game = game_of(game)
    lookup = solved_lookup(game, "certificates")
    known = probabilities_of(game, player)
    maker = maker_of(player)
    found = []
    try:
        for number in SIDES[side]:
            dice = random.Random()

            def throw(call: int, dice: random.Random = dice) -> None:
                dice.seed(f"{seed}/{call}")
                random.seed(f"{seed}/{call}/")

            seated = maker(Seat(game, number, dice, seconds))
            examination = Examination(game, number, seated, repeats, throw, known)
            found.append(examined(game, finished(examination.asking(), progress), lookup))
    finally:
        close(maker)
    project = project_name(player)
    functions = check_project(game, project) if project else ()
    return Certificate(
        game=game.name, player=name_of(player), sides=tuple(found), known=known is not None, functions=functions
    )


def probabilities_of(game: Game, player: Contestant) -> Known | None:
    """The function from a position to the moves that the player may play, None if only asking it can tell."""
    named = found_kind(player) if isinstance(player, str) else None
    if named is None or named.kind.policy is None:
        return None
    from perfectplay.players.policy_player import probabilities_function  # numpy: only when it is wanted

    at = probabilities_function(game, named.kind.policy, named.name, True)
    return lambda position: {move: chance for move, chance in at(position).items() if chance > 0}


def examined(game: Game, answers: Answers, lookup: Lookup) -> Examined:
    """The answers of a player on one side as a result."""
    found = Findings(game, answers, lookup)
    return Examined(
        side=SIDE_NAMES[answers.side],
        asked=len(answers.moves),
        calls=answers.calls,
        seconds=answers.seconds,
        perfect=found.perfect,
        loses=found.loses,
        worst=VALUE_NAMES[found.worst],
        value=VALUE_NAMES[found.value((game.start, FIRST))],
        varying=answers.varying,
        slow_wins=len({slow.position for slow in found.slow_wins}),
        faults=len(answers.faults),
        stopped=answers.stopped,
        mistakes=tuple(mistake_at(found, mistake) for mistake in found.mistakes),
        counterexample=counterexample(found),
        against_random=odds_against_random(found),
    )


def mistake_at(found: Findings, mistake: FoundMistake) -> Mistake:
    """The mistake with everything by name."""
    game, side, position = found.game, found.answers.side, mistake.position
    keep = [
        move
        for move in legal_moves(game, position)
        if -found.lookup(game.play(*position, move)).value == mistake.before
    ]
    return Mistake(
        show_position(game, position, side),
        move_name(game, position, side, mistake.move),
        VALUE_NAMES[mistake.before],
        VALUE_NAMES[mistake.after],
        tuple(move_name(game, position, side, move) for move in keep),
        names_of(game, found.path_to(position)),
    )


def counterexample(found: Findings) -> Counterexample | None:
    """The game that refutes the player, with everything by name."""
    game = found.refutation
    if game is None:
        return None
    return Counterexample(
        SIDE_NAMES[found.answers.side],
        names_of(found.game, game.moves),
        tuple(VALUE_NAMES[value] for value in game.values),
        VALUE_NAMES[game.result],
        game.repeats,
        game.fault,
    )


def names_of(game: Game, moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The names of moves that are played from the start."""
    return tuple(
        move_name(game, position, side, move) for position, side, move in played(game, game.start, FIRST, moves)
    )


def odds_against_random(found: Findings) -> Probability | None:
    """The exact probabilities against an opponent who plays at random; None if the fractions are too long."""
    from perfectplay.explain.odds import in_fractions  # numpy: only when it is wanted

    try:
        return Probability(*finished(in_fractions(found, (found.game.start, FIRST))))
    except TooBig:
        return None
