"""The formats of tournaments in one table: which games are played, in which order, with which numbers.

A format is a generator of stages: it yields the fixtures of a stage and is sent the games played so far. Numbers come
from the schedule alone, so the same tournament has the same games on any number of processes, and a game that the
record already has is found by its number.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, log2
from random import Random

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.tournament_settings import Fixture, Tournament

Stages = Generator[list[Fixture], Sequence[PlayedGame], None]
"""Yields the fixtures of one stage after another; is sent the games played so far, of this stage and those before."""
Pairing = tuple[int, int]
"""Two players by index; the first of them moves first in the first of their games."""
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Format:
    """A format: what it is called, what it does, its stages and how many games they have in all."""

    name: str
    about: str
    stages: Callable[[Tournament], Stages]
    total: Callable[[Tournament], int]


def round_robin(tournament: Tournament) -> Stages:
    """One stage in which each player meets each other."""
    yield schedule(tournament, [*all_pairings(len(tournament.players))])


def gauntlet(tournament: Tournament) -> Stages:
    """One stage in which the first player meets each other, moving first and second in turn."""
    others = range(1, len(tournament.players))
    yield schedule(tournament, [(0, other) if other % 2 else (other, 0) for other in others])


def fixed_sides(tournament: Tournament) -> Stages:
    """One stage of two players, the first of whom always moves first."""
    openings = len(tournament.openings)
    yield [Fixture(number, 0, 1, number % openings if openings else None) for number in range(tournament.games)]


def swiss(tournament: Tournament) -> Stages:
    """A stage per round, in which players of about the same score meet who have not met yet.

    With an odd number of players one has a bye in each round: a win against nobody.
    """
    players, numbers = len(tournament.players), count()
    nobody = players
    seats = players + players % 2
    scores, firsts = [Fraction(0)] * players + [Fraction(-1)], [0] * players
    met: dict[Pairing, int] = {}
    for _ in range(swiss_rounds(tournament)):
        ranked = sorted(range(seats), key=lambda player: (-scores[player], player))
        pairs = swiss_pairs(ranked, scores, met)
        pairings = [
            pair if firsts[pair[0]] <= firsts[pair[1]] else reverse(pair)  # who has moved first less often is first
            for pair in pairs
            if nobody not in pair
        ]
        fixtures = schedule(tournament, pairings, numbers, [meetings(met, *pairing) for pairing in pairings])
        games = yield fixtures
        for fixture in fixtures:
            firsts[fixture.first] += 1
        for pair in pairs:
            met[pair_of(pair)] = meetings(met, *pair) + 1
        byes = {player: Fraction(1) for pair in pairs if nobody in pair for player in pair if player != nobody}
        for player, share in (shares(fixtures, games) | byes).items():
            scores[player] += share


def all_pairings(players: int) -> Iterator[Pairing]:
    """Every pair once, in rounds in which everybody plays (the circle method).

    Who moves first alternates along each player's opponents, so that nobody is ahead by more than one first move.
    """
    seats: list[int | None] = [*range(players), *([None] if players % 2 else [])]
    for _ in range(len(seats) - 1):
        for one, other in zip(seats[: len(seats) // 2], reversed(seats), strict=False):
            if one is not None and other is not None:
                pairing = pair_of((one, other))
                yield pairing if sum(pairing) % 2 else reverse(pairing)
        seats.insert(1, seats.pop())


def schedule(
    tournament: Tournament, pairings: Sequence[Pairing], numbers: Iterable[int] = (), before: Sequence[int] = ()
) -> list[Fixture]:
    """The games of these pairings: two of each at a time, one from each side, so that a part of them is fair, too.

    Games 2k and 2k + 1 of a pairing have opening k, and the first one again after the last one. `before` says how often
    each pair has met in earlier stages: it goes on with the next openings.
    """
    openings, number = len(tournament.openings), iter(numbers or count())
    pairs = ceil(tournament.games / 2)
    fixtures = []
    for start in range(0, tournament.games, 2):
        for place, pairing in enumerate(pairings):
            opening = start // 2 + (before[place] * pairs if before else 0)
            for game in range(start, min(start + 2, tournament.games)):
                first, second = reverse(pairing) if game % 2 else pairing
                fixtures.append(Fixture(next(number), first, second, opening % openings if openings else None))
    return fixtures


def pair_of(pairing: Pairing) -> Pairing:
    """The pair, whoever moves first."""
    return min(pairing), max(pairing)


def reverse(pairing: Pairing) -> Pairing:
    """The pair with the other one first."""
    return pairing[1], pairing[0]


def shares(fixtures: Iterable[Fixture], games: Iterable[PlayedGame]) -> dict[int, Fraction]:
    """Each player's score in a round, 0 to 1: its part of the points of its pairing, however many games were played."""
    winners = {game.number: game.winner for game in games}
    points: dict[int, list[int]] = {}
    for fixture in fixtures:
        for side, player in enumerate((fixture.first, fixture.second)):
            halves = points.setdefault(player, [])
            if fixture.number in winners:
                winner = winners[fixture.number]
                halves.append(1 if winner is None else 2 if winner == side else 0)
    return {player: Fraction(sum(won), 2 * len(won)) if won else HALF for player, won in points.items()}


def swiss_rounds(tournament: Tournament) -> int:
    """The rounds that are asked for; else one more than a knock-out has, as long as nobody must meet twice."""
    players = len(tournament.players)
    without_rematch = players - 1 + players % 2
    usual = min(ceil(log2(players)) + 1, without_rematch) if players > 1 else 0
    return usual if tournament.rounds is None else tournament.rounds


FORMATS = {
    one.name: one
    for one in (
        Format(
            "round-robin",
            "each player meets each other",
            round_robin,
            lambda t: t.games * len(t.players) * (len(t.players) - 1) // 2,
        ),
        Format(
            "gauntlet",
            "the first player meets each other",
            gauntlet,
            lambda t: t.games * (len(t.players) - 1),
        ),
        Format(
            "swiss",
            "in each round, players of about the same score meet who have not met yet",
            swiss,
            lambda t: t.games * swiss_rounds(t) * (len(t.players) // 2),
        ),
        Format(
            "fixed-sides",
            "two players, the first of whom always moves first",
            fixed_sides,
            lambda t: t.games,
        ),
    )
}
"""The formats by name."""


# The pairings of a round in the Swiss system: equal scores meet, and nobody meets twice while that can be avoided.


PRIME = (1 << 61) - 1
Met = Mapping[Pairing, int]
"""How often two players have met, the lower index first; nothing for those who have not."""


def swiss_pairs(ranked: Sequence[int], scores: Sequence[Fraction], met: Met) -> list[tuple[int, int]]:
    """The pairs of a round, from the highest rank down; those who have met least often, and of about equal score.

    Within a group of equal scores the upper half meets the lower half. The number of players is even; where it would be
    odd, one of them is nobody, and meets whom gets a bye.
    """
    most = fewest_meetings(ranked, met)
    waiting, pairs = [*ranked], []
    while waiting:
        top = waiting.pop(0)
        for other in by_preference(top, waiting, scores):
            rest = [player for player in waiting if player != other]
            if meetings(met, top, other) <= most and can_pair(rest, met, most):
                pairs.append((top, other))
                waiting = rest
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
    return met.get(pair_of((one, other)), 0)


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
