"""Examines a player: asks it in every position that it can meet, whatever its opponent plays.

A player may answer differently each time, by chance or because it remembers what it was asked before. So every position
is asked several times, in another order each time, and all answers are followed. The first round asks one side alone,
as if the other were never played; the others mix the sides.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from random import Random
from time import perf_counter
from typing import NamedTuple

from perfectplay.arena.referee import play_move
from perfectplay.bits import bit_numbers
from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.loading import checked_moves, checked_outcome
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    ONGOING,
    WIN,
    BotFault,
    BotSilent,
    IllegalMove,
    Move,
    Player,
    Position,
    Sides,
    TooBig,
)

SECONDS = 60.0
"""Seconds that a bot may take for a move, unless it is told otherwise."""
REPEATS = 3
"""How often a player is asked in each position, unless it is told otherwise."""
AGAIN = 8
"""A player whose answers differ is asked until so many questions for each answer seen have brought no new one."""
MOST_POSITIONS = 1_000_000
"""The most positions in which a player is asked."""
MOST_SILENT = 3
"""The positions in which a player may take too long or end its process before it is not asked any more."""
ESTIMATED_AFTER = 2.0
"""Seconds of asking after which the number of positions is estimated, for the time left."""
MOST_ESTIMATED = 100_000
"""The most positions that an estimate counts, which takes some seconds: of larger games it is a lower bound."""

State = tuple[Position, int]
"""A position and the side to move."""
Chances = dict[Move, Fraction | float]
"""Moves with their probabilities, or how often they were played."""
ChancesAt = Callable[[Position], Chances]
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
    has_chances: bool
    """Whether its move probabilities are known, so that no answer is missing."""

    @property
    def varying(self) -> int:
        """The number of positions in which its answers differed."""
        return sum(len(moves) + (position in self.faults) > 1 for position, moves in self.moves.items())


class Examination:
    """A player under examination on one side, in a game of at most MOST_POSITIONS positions.

    `seed` is called before each question with its number. `chances` gives the player's move probabilities, if there are
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
        chances: ChancesAt | None = None,
        stop_when_varying: bool = False,
        turn: int = FIRST,
    ) -> None:
        self.game, self.side, self.player, self.repeats, self.seed = game, side, player, repeats, seed
        self.chances, self.stop_when_varying, self.turn = chances, stop_when_varying, turn
        self.moves: dict[Position, Chances] = {}
        self.faults: dict[Position, str] = {}
        self.questions: dict[Position, int] = {}
        self.last_new: dict[Position, int] = {}
        """The number of the question that brought the latest new answer."""
        self.calls, self.seconds, self.stopped = 0, 0.0, False
        self.silent: set[Position] = set()
        """Where it took too long, or its process ended: it is not asked there again."""
        self.waiting: deque[State] = deque([(game.start, turn)])
        self.met: set[State] = {(game.start, turn)}

    def first_round(self) -> Steps[None]:
        """Asks once in every position that can be met."""
        try:
            yield from self.follow()
        except BotSilent:
            self.stopped = True

    def due(self) -> list[Position]:
        """The positions that must be asked again."""
        return [] if self.stopped else [position for position in self.questions if self.is_due(position)]

    def again(self, position: Position) -> Steps[None]:
        """Asks once more in the position, and in all positions that a new answer leads to."""
        try:
            self.ask(position)
            self.compare(position)
            yield Step("questions", self.calls)
            yield from self.follow()
        except BotSilent:
            self.stopped = True

    @property
    def answers(self) -> Answers:
        """What the player has answered so far."""
        has_chances = self.chances is not None
        return Answers(self.side, self.moves, self.faults, self.calls, self.seconds, self.stopped, has_chances)

    def is_due(self, position: Position) -> bool:
        """Whether the position must be asked again."""
        if self.chances is not None or position in self.silent:
            return False
        answers = len(self.moves[position]) + (position in self.faults)
        if answers > 1 and len(self.moves[position]) == self.game.moves(*position).bit_count():
            return False  # there is no other move
        enough = self.repeats if answers == 1 else self.last_new[position] + AGAIN * answers
        return self.questions[position] < enough

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
        if len(self.questions) >= MOST_POSITIONS:
            raise TooBig(f"{self.game.name} has more than {MOST_POSITIONS:,} positions that the player can meet")
        self.seed(self.calls)
        self.calls += 1
        self.questions[position] = self.questions.get(position, 0) + 1
        counts = self.moves.setdefault(position, {})
        begin = perf_counter()
        try:
            move = self.player(position)
            self.seconds += perf_counter() - begin
            play_move(self.game, position, self.side, move)
        except (IllegalMove, BotFault) as fault:
            if position not in self.faults:
                self.faults[position] = str(fault)
                self.last_new[position] = self.questions[position]
            if isinstance(fault, BotSilent):
                self.silent.add(position)
                if len(self.silent) == MOST_SILENT:
                    raise
            return
        for answer, chance in ({move: 1} if self.chances is None else self.chances(position)).items():
            if answer not in counts:
                self.last_new[position] = self.questions[position]
                self.reach(position, self.side, answer)
            counts[answer] = counts.get(answer, 0) + chance

    def reach(self, position: Position, turn: int, move: Move) -> None:
        """Notes the state after the move."""
        state = after(self.game, position, turn, move)
        if state not in self.met:
            self.met.add(state)
            self.waiting.append(state)


def examine_sides(examinations: Sequence[Examination], renew: Callable[[], None]) -> Steps[list[Answers]]:
    """The answers of a player on each side, once all questions are asked.

    `renew` makes the player forget what it was asked, as far as that is possible: it is called before each first round
    and before the rounds that mix the sides.
    """
    begin, order = perf_counter(), Random(0)
    estimates: dict[int, int] = {}

    def step() -> Step:
        """How far the questions are; the total is an estimate until the first rounds are over."""
        questions = sum(examination.calls for examination in examinations)
        if perf_counter() - begin < ESTIMATED_AFTER:
            return Step("questions", questions)
        total = 0
        for examination in examinations:
            if examination.side not in estimates:
                estimates[examination.side] = positions_to_meet(examination.game, examination.side, examination.turn)
            total += (1 if examination.chances else examination.repeats) * max(
                estimates[examination.side], len(examination.questions)
            )
        return Step("questions", questions, max(questions, total))

    for examination in examinations:
        renew()
        for _ in examination.first_round():
            yield step()
        estimates[examination.side] = len(examination.questions)
    if any(examination.due() for examination in examinations):
        renew()
    while due := [(examination, position) for examination in examinations for position in examination.due()]:
        order.shuffle(due)
        for examination, position in due:
            for _ in [] if examination.stopped else examination.again(position):
                yield step()
    return [examination.answers for examination in examinations]


def positions_to_meet(game: Game, side: int, turn: int = FIRST) -> int:
    """The number of positions that a player of that side meets if it chooses one move at random in each.

    MOST_ESTIMATED at most; `turn` is the side to move at the start.
    """
    dice = Random(0)
    waiting: list[State] = [(game.start, turn)]
    met, count = set(waiting), 0
    while waiting and count < MOST_ESTIMATED:
        position, turn = waiting.pop()
        moves = legal_moves(game, position)
        if turn == side and moves:
            count += 1
            moves = [dice.choice(moves)]
        for move in moves:
            state = after(game, position, turn, move)
            if state not in met:
                met.add(state)
                waiting.append(state)
    return count


# All games between two players at once, as a Markov chain: who plays what where, with which probability.


class Encounter(NamedTuple):
    """A game between two players whose choices are known, seen by one side."""

    game: Game
    choices: Sides[ChancesAt]
    """The moves of each player in a position, with weights; none where it forfeits the game."""
    side: int

    def steps(self, state: State) -> Iterator[tuple[State, Fraction]]:
        """The states that may come next, each with its probability."""
        position, turn = state
        if self.game.outcome(*position) == ONGOING:
            weights = self.choices[turn](position)
            total = Fraction(sum(weights.values()))
            for move, weight in weights.items():
                if weight:
                    yield after(self.game, position, turn, move), Fraction(weight) / total

    def forfeited(self, state: State) -> bool:
        """Whether the side to move forfeits the game."""
        position, turn = state
        return self.game.outcome(*position) == ONGOING and not self.choices[turn](position)

    def result(self, state: State) -> int | None:
        """What an ended game is worth to the side, a forfeit included; None for one that is not over."""
        position, turn = state
        outcome = self.game.outcome(*position)
        if outcome == ONGOING:
            if not self.forfeited(state):
                return None
            return LOSS if turn == self.side else WIN
        return outcome if turn == self.side else -outcome


class ForfeitsOnly(Encounter):
    """An encounter of which only forfeits count: whoever is forfeited against wins, all other games are drawn."""

    def result(self, state: State) -> int | None:
        """Who has forfeited the game; a draw if nobody has, None if it is not over."""
        result = super().result(state)
        return result if result is None or self.forfeited(state) else DRAW


def forfeited_states(encounter: Encounter) -> Iterator[State]:
    """The states in which the side to move forfeits, as far as they come up, the nearest first."""
    waiting: deque[State] = deque([(encounter.game.start, FIRST)])
    met = set(waiting)
    while waiting:
        state = waiting.popleft()
        if encounter.forfeited(state):
            yield state
        fresh = {child: None for child, _ in encounter.steps(state) if child not in met}
        met.update(fresh)
        waiting.extend(fresh)


def uniform(game: Game) -> ChancesAt:
    """The choices of a player that plays at random."""
    return lambda position: dict.fromkeys(legal_moves(game, position), 1)


def choices_of(answers: Answers) -> ChancesAt:
    """The choices of a player that was examined: each move as often as it was played, none where it failed."""
    return lambda position: {} if position in answers.faults else answers.moves[position]


# The dice of a player under examination, thrown anew for each question, so that an examination can be repeated.


@contextmanager
def thrown_dice(seed: int) -> Iterator[tuple[random.Random, Callable[[int], None]]]:
    """The player's dice, and the function that throws them and Python's own for the question of a number."""
    dice, pythons = random.Random(), random.getstate()

    def throw(question: int) -> None:
        dice.seed(f"{seed}/{question}")
        random.seed(f"{seed}/{question}/")

    try:
        yield dice, throw
    finally:
        random.setstate(pythons)
