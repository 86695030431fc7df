"""Examines a player: asks it in every position that it can meet, whatever its opponent plays.

A player may answer differently each time, by chance or because it remembers what it was asked before. So every position
is asked several times, in another order each time, and all answers are followed.
"""

from collections import deque
from collections.abc import Callable
from fractions import Fraction
from random import Random
from time import perf_counter
from typing import NamedTuple

from perfectplay.arena.referee import play_move
from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.rule_results import checked_moves, checked_outcome
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, ONGOING, BotFault, BotSilent, IllegalMove, Move, Player, Position, TooBig

AGAIN = 8
"""A player whose answers differ is asked until so many questions for each answer seen have brought no new one."""
MOST_POSITIONS = 1_000_000
"""The most positions in which a player is asked."""
MOST_SILENT = 3
"""The positions in which a player may take too long or end its process before it is not asked any more."""

State = tuple[Position, int]
"""A position and the side to move."""
Chances = dict[Move, Fraction | float]
"""Moves with their probabilities, or how often they were played."""
Known = Callable[[Position], Chances]
"""The move probabilities of a player for which they are known."""


class AnswersDiffer(Exception):
    """A player has answered differently in the same position, its only argument."""


class Answers(NamedTuple):
    """What a player does in every position that it can meet on one side."""

    side: int
    moves: dict[Position, Chances]
    """How often it played each move, or the probability of each; empty where it only failed."""
    faults: dict[Position, str]
    """Where it failed: the illegal move, the exception, the timeout."""
    calls: int
    seconds: float
    """The time of all calls."""
    stopped: bool
    """Whether it stopped answering, so that positions are missing."""
    known: bool
    """Whether its move probabilities are known, so that no answer is missing."""

    @property
    def varying(self) -> int:
        """The number of positions in which its answers differed."""
        return sum(len(moves) + (position in self.faults) > 1 for position, moves in self.moves.items())


class Examination:
    """A player under examination on one side, in a game of at most MOST_POSITIONS positions.

    `seed` is called before each question with its number. `known` gives the player's move probabilities, if there are
    any: then each position is asked once, and all moves of a positive probability are followed. With
    `stop_when_varying`, each position is asked twice at first, and AnswersDiffer is raised at once if answers differ.
    `turn` is the side to move at the start.
    """

    def __init__(
        self,
        game: Game,
        side: int,
        player: Player,
        repeats: int,
        seed: Callable[[int], None],
        known: Known | None = None,
        stop_when_varying: bool = False,
        turn: int = FIRST,
    ) -> None:
        self.game, self.side, self.player, self.repeats, self.seed = game, side, player, repeats, seed
        self.known, self.stop_when_varying = known, stop_when_varying
        self.moves: dict[Position, Chances] = {}
        self.faults: dict[Position, str] = {}
        self.asked: dict[Position, int] = {}
        self.last_new: dict[Position, int] = {}
        """The number of the question that brought the latest new answer."""
        self.calls, self.seconds = 0, 0.0
        self.silent: set[Position] = set()
        """Where it took too long, or its process ended: it is not asked there again."""
        self.waiting: deque[State] = deque([(game.start, turn)])
        self.met: set[State] = {(game.start, turn)}

    def asking(self) -> Steps[Answers]:
        """The answers, once all questions are asked."""
        order = Random(0)
        stopped = False
        try:
            yield from self.follow()
            while due := [position for position in self.asked if self.is_due(position)]:
                order.shuffle(due)
                for position in due:
                    self.ask(position)
                    self.compare(position)
                    yield Step("questions", self.calls, max(self.calls, self.repeats * len(self.asked)))
                    yield from self.follow()
        except BotSilent:
            stopped = True
        known = self.known is not None
        return Answers(self.side, self.moves, self.faults, self.calls, self.seconds, stopped, known)

    def is_due(self, position: Position) -> bool:
        """Whether the position must be asked again."""
        if self.known is not None or position in self.silent:
            return False
        answers = len(self.moves[position]) + (position in self.faults)
        if answers > 1 and len(self.moves[position]) == self.game.moves(*position).bit_count():
            return False  # there is no other move
        wanted = self.repeats if answers == 1 else self.last_new[position] + AGAIN * answers
        return self.asked[position] < wanted

    def follow(self) -> Steps[None]:
        """Visits the states that have been reached and not visited yet, the nearest first, and all that follow."""
        while self.waiting:
            position, turn = self.waiting.popleft()
            if checked_outcome(self.game, position, turn) != ONGOING:
                continue
            if turn == self.side:
                self.ask(position)
                if self.stop_when_varying and self.is_due(position):
                    self.ask(position)
                    self.compare(position)
            else:
                for move in bit_numbers(checked_moves(self.game, position, turn)):
                    self.reach(position, turn, move)
            yield Step("questions", self.calls)

    def compare(self, position: Position) -> None:
        """Raises AnswersDiffer if answers in the position differ and that is enough to know."""
        if self.stop_when_varying and len(self.moves[position]) + (position in self.faults) > 1:
            raise AnswersDiffer(position)

    def ask(self, position: Position) -> None:
        """Asks the player once; raises BotSilent if it is not to be asked any more."""
        if len(self.asked) >= MOST_POSITIONS:
            raise TooBig(f"{self.game.name} has more than {MOST_POSITIONS:,} positions that the player can meet")
        self.seed(self.calls)
        self.calls += 1
        self.asked[position] = self.asked.get(position, 0) + 1
        played = self.moves.setdefault(position, {})
        begin = perf_counter()
        try:
            move = self.player(position)
            self.seconds += perf_counter() - begin
            play_move(self.game, position, self.side, move)
        except (IllegalMove, BotFault) as fault:
            if position not in self.faults:
                self.faults[position] = str(fault)
                self.last_new[position] = self.asked[position]
            if isinstance(fault, BotSilent):
                self.silent.add(position)
                if len(self.silent) == MOST_SILENT:
                    raise
            return
        for answer, chance in ({move: 1} if self.known is None else self.known(position)).items():
            if answer not in played:
                self.last_new[position] = self.asked[position]
                self.reach(position, self.side, answer)
            played[answer] = played.get(answer, 0) + chance

    def reach(self, position: Position, turn: int, move: Move) -> None:
        """Notes the state after the move."""
        state = self.game.play(*position, move), 1 - turn
        if state not in self.met:
            self.met.add(state)
            self.waiting.append(state)
