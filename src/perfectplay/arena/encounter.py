"""All games between two players at once, as a Markov chain: who plays what where, with which probability."""

import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import NamedTuple

from perfectplay.arena.examination import Answers, Chances, ChancesAt, State
from perfectplay.arena.referee import winner_of
from perfectplay.game import Game, after, legal_moves
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, WIN, Position, Sides


class Encounter(NamedTuple):
    """A game between two players whose choices are known, seen by one side."""

    game: Game
    choices: Sides[ChancesAt]
    """The moves of each player in a position, with weights; none where it forfeits the game."""
    side: int

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

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
        winner = winner_of(outcome, turn)
        return DRAW if winner is None else WIN if winner == self.side else LOSS


class ForfeitsOnly(NamedTuple):
    """An encounter of which only forfeits count: whoever is forfeited against wins, all other games are drawn."""

    encounter: Encounter

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.encounter.name

    def steps(self, state: State) -> Iterator[tuple[State, Fraction]]:
        """The states that may come next, each with its probability."""
        return self.encounter.steps(state)

    def result(self, state: State) -> int | None:
        """Who has forfeited the game; a draw if nobody has, None if it is not over."""
        result = self.encounter.result(state)
        return result if result is None or self.encounter.forfeited(state) else DRAW


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

    def choices(position: Position) -> Chances:
        return {} if position in answers.faults else answers.moves[position]

    return choices


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
