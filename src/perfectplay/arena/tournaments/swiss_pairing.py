"""The pairings of a round in the Swiss system: equal scores meet, and nobody meets twice while that can be avoided."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

PRIME = (1 << 61) - 1
Met = Mapping[tuple[int, int], int]
"""How often two players have met, the lower index first; nothing for those who have not."""


def paired(ranked: Sequence[int], scores: Sequence[Fraction], met: Met) -> list[tuple[int, int]]:
    """The pairs of a round, from the highest rank down; those who have met least often, and of about equal score.

    Within a group of equal scores the upper half meets the lower half. The number of players is even; where it would be
    odd, one of them is nobody, and meets whom gets a bye.
    """
    most = fewest_meetings(ranked, met)
    left, pairs = [*ranked], []
    while left:
        top = left.pop(0)
        for other in by_preference(top, left, scores):
            rest = [player for player in left if player != other]
            if meetings(met, top, other) <= most and can_pair(rest, met, most):
                pairs.append((top, other))
                left = rest
                break
    return pairs


def by_preference(top: int, others: Sequence[int], scores: Sequence[Fraction]) -> list[int]:
    """The possible opponents, the best first: about the same score, and half of the group of equal scores away."""
    group = [player for player in others if scores[player] == scores[top]]
    half = (len(group) - 1) // 2
    places = {player: abs(place - half) for place, player in enumerate(group)}
    return sorted(others, key=lambda other: (scores[top] - scores[other], places.get(other, 0)))


def meetings(met: Met, one: int, other: int) -> int:
    """How often the two have met."""
    return met.get((min(one, other), max(one, other)), 0)


def fewest_meetings(players: Sequence[int], met: Met) -> int:
    """The least number of earlier meetings that some pair must have had if all are paired; 0 without a rematch."""
    most = 0
    while not can_pair(players, met, most):
        most += 1
    return most


def can_pair(players: Sequence[int], met: Met, most: int) -> bool:
    """Whether all players can be paired so that no pair has met more than `most` times.

    Where everybody may meet at least half of the others, that is certain (Dirac). Otherwise it is so if and only if the
    determinant of the Tutte matrix is not 0; with random numbers for its variables, a wrong answer has a probability of
    10^-16. The numbers are always the same.
    """
    size, rng = len(players), Random(0)
    may = [[one != other and meetings(met, one, other) <= most for other in players] for one in players]
    if size == 0 or all(2 * sum(row) >= size for row in may):
        return True
    matrix = [[0] * size for _ in players]
    for i in range(size):
        for j in range(i):
            if may[i][j]:
                matrix[i][j] = rng.randrange(1, PRIME)
                matrix[j][i] = PRIME - matrix[i][j]
    return is_regular(matrix)


def is_regular(matrix: list[list[int]]) -> bool:
    """Whether the determinant is not 0 modulo PRIME; the matrix is used up."""
    while matrix:
        pivot = next((row for row in matrix if row[0]), None)
        if pivot is None:
            return False
        matrix.remove(pivot)
        inverse = pow(pivot[0], -1, PRIME)
        for i, row in enumerate(matrix):
            factor = row[0] * inverse % PRIME
            matrix[i] = [(a - factor * b) % PRIME for a, b in zip(row[1:], pivot[1:], strict=True)]
    return True
