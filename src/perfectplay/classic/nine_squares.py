"""The functions that the win-probability exercise asks for. A state is nine squares: 0 empty, 1 or 2."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from perfectplay.classic.battles import GameOutcome
from perfectplay.classic.grids import in_a_row
from perfectplay.solvers.steps import finished
from perfectplay.words import DRAW, WIN, BadPosition, Position

if TYPE_CHECKING:
    from perfectplay.players.models.win_probability import WinProbabilities

State = tuple[int, ...]
"""Nine squares in reading order: 0 empty, 1 or 2."""


def position_in(state: Sequence[int]) -> Position:
    """The position, seen by the player to move: 1 if both have equally many marks, else 2; raises BadPosition."""
    if len(state) != 9 or not all(mark in (0, 1, 2) for mark in state):
        raise BadPosition(f"a state is nine numbers, each 0, 1 or 2, not {state!r}")
    one, two = (sum(1 << square for square, mark in enumerate(state) if mark == player) for player in (1, 2))
    if one.bit_count() - two.bit_count() not in (0, 1):
        raise BadPosition(f"1 moves first, so 1 has as many marks as 2 or one more, not as in {state!r}")
    return (one, two) if one.bit_count() == two.bit_count() else (two, one)


def player_to_move(state: Sequence[int]) -> int:
    """1 or 2."""
    return 1 + sum(mark != 0 for mark in state) % 2


@cache
def probabilities_against_random(centre: int) -> "WinProbabilities":
    """Our win probabilities against a random player that takes the centre `centre` times as often."""
    if not 0.001 <= centre <= 10**6:
        raise ValueError(f"centre must be 0.001 to 1000000, as many times as it is likelier, not {centre}")
    from perfectplay.players.models.game_graph import graph_for
    from perfectplay.players.models.policies import weighted
    from perfectplay.players.models.win_probability import computing  # numpy: only when it is wanted

    graph = graph_for(in_a_row(3, 3, 3))
    return finished(computing(graph, weighted({4: Fraction(centre)})(graph, False)))


def perfectplay_outcome(state: Sequence[int]) -> GameOutcome:
    """Draw, P1win or P2win under best play: 0, 1 or 2."""
    position = position_in(state)
    graph = probabilities_against_random(1).graph
    value, mover = int(graph.values[graph.number(position)]), player_to_move(state)
    return GameOutcome.Draw if value == DRAW else GameOutcome(mover if value == WIN else 3 - mover)


def bestmove(state: Sequence[int], centre: int = 1) -> State:
    """The next state after the move that keeps the result and wins most often against a random player.

    The other player takes the centre `centre` times as often as any other square.
    """
    position = position_in(state)
    chances = probabilities_against_random(centre)
    edges = chances.graph.edges(chances.graph.number(position))
    if edges.start == edges.stop:
        raise BadPosition(f"the game is over in {tuple(state)!r}")
    square = int(chances.graph.moves[edges][chances.chosen[edges]][0])
    return *state[:square], player_to_move(state), *state[square + 1 :]


def win_probability(state: Sequence[int], centre: int = 1) -> float:
    """The win probability of the player that has just moved, against a random player.

    The random player takes the centre `centre` times as often as any other square.
    """
    chances = probabilities_against_random(centre)
    return float(chances.when_theirs(chances.graph.number(position_in(state))).win)
