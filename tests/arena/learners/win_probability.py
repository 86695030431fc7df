"""Keeps the outcome; wins soon where it can, and else as often as possible against a random opponent."""

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
    if outcome(state) is not None:
        return 1.0 if outcome(state) is GameOutcome(us) else 0.0
    return sum(after_random_move(after) for after in next_states(state)) / state.count(0)


def after_random_move(state):
    return 0.0 if outcome(state) is not None else win_probability(bestmove(state))


def moves_that_keep_the_outcome(state):
    return [after for after in next_states(state) if perfectplay_outcome(after) is perfectplay_outcome(state)]


@cache
def plies_left(state):
    """The plies to the end if the winner hurries and the loser delays."""
    if outcome(state) is not None:
        return 0
    hurry = perfectplay_outcome(state) is GameOutcome(player_to_move(state))
    return 1 + (min if hurry else max)(plies_left(after) for after in moves_that_keep_the_outcome(state))


@cache
def bestmove(state):
    kept = moves_that_keep_the_outcome(state)
    if perfectplay_outcome(state) is GameOutcome(player_to_move(state)):
        return min(kept, key=plies_left)
    return max(kept, key=win_probability)
