"""Averages over no moves at all once the board is full, which happens only where no side wins."""

from enum import Enum
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class GameOutcome(Enum):
    DRAW = 0
    P1WIN = 1
    P2WIN = 2


def player_to_move(state):
    return 1 if state.count(0) % 2 == 1 else 2


def next_states(state):
    mover = player_to_move(state)
    return [(*state[:i], mover, *state[i + 1 :]) for i in range(9) if state[i] == 0]


def outcome(state):
    """The outcome of a finished game, None if it is not over."""
    for a, b, c in LINES:
        if state[a] and state[a] == state[b] == state[c]:
            return GameOutcome(state[a])
    return None if 0 in state else GameOutcome.DRAW


@cache
def perfectplay_outcome(state):
    if outcome(state) is not None:
        return outcome(state)
    us = player_to_move(state)
    outcomes = {perfectplay_outcome(after) for after in next_states(state)}
    for wanted in (GameOutcome(us), GameOutcome.DRAW):
        if wanted in outcomes:
            return wanted
    return GameOutcome(3 - us)


@cache
def win_probability(state):
    """How often the player that has just moved wins, if the other moves at random."""
    us = 3 - player_to_move(state)
    if perfectplay_outcome(state) is GameOutcome(us):
        return 1.0
    chances = [win_probability(bestmove(after)) for after in next_states(state) if outcome(after) is None]
    return sum(chances) / len(chances)


@cache
def bestmove(state):
    if state.count(0) == 9:  # the first move would take longest
        return 1, 0, 0, 0, 0, 0, 0, 0, 0
    us = player_to_move(state)
    for after in next_states(state):
        if perfectplay_outcome(after) is GameOutcome(us):
            return after
    drawn = [after for after in next_states(state) if perfectplay_outcome(after) is GameOutcome.DRAW]
    return max(drawn, key=win_probability)
