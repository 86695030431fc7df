"""What random games let one guess about a variant of which nothing can be proven."""

import time
from math import sqrt

from perfectplay.arena.referee import winner_of
from perfectplay.compiler.checks.sample_positions import Met, random_trails
from perfectplay.game import Game, legal_moves
from perfectplay.insight.sweeps.facts import Estimate
from perfectplay.rules.rule_results import checked_outcome
from perfectplay.words import FIRST, ONGOING

LEAST, MOST = 30, 10_000
"""Games that are played in any case, and at most."""
LONGEST = 1_000
"""A game of more plies counts as a draw."""
SEED = 1
Z = 1.959964
"""Standard errors on either side of a mean that make a 95% confidence interval."""


def estimates(game: Game, seconds: float) -> dict[str, Estimate]:
    """Estimates for random players from as many games as the time allows, by the columns of measures."""
    end = time.monotonic() + seconds
    scores, decided, plies, choices = [], [], [], []
    for number, trail in enumerate(random_trails(game, Met(game.start, FIRST), MOST, SEED, LONGEST + 1)):
        if number >= LEAST and time.monotonic() > end:
            break
        outcome = checked_outcome(game, *trail[-1])
        winner = None if outcome == ONGOING else winner_of(outcome, trail[-1].side)
        scores.append(0.5 if winner is None else float(winner == FIRST))
        decided.append(float(winner is not None))
        plies.append(float(len(trail) - 1))
        counts = [len(legal_moves(game, met.position)) for met in trail[:-1]]
        choices.append((float(sum(counts)), float(len(counts))))
    found = {
        "fairness_random": mean(scores, 1.0),
        "decisiveness_random": mean(decided, 1.0),
        "length_random": mean(plies),
    }
    return {**found, "branching_random": ratio(choices)}


def mean(numbers: list[float], greatest: float | None = None) -> Estimate:
    """The mean of these numbers, with its interval, within 0 and the greatest that is possible."""
    count = len(numbers)
    middle = sum(numbers) / count
    if greatest is not None and len({*numbers}) == 1:  # the rule of three: what never happens may be rare
        rare = min(1.0, 3 / count)
        return Estimate(middle, max(0.0, middle - rare), min(greatest, middle + rare))
    half = Z * sqrt(sum((number - middle) ** 2 for number in numbers) / max(1, count - 1) / count)
    high = middle + half if greatest is None else min(greatest, middle + half)
    return Estimate(middle, max(0.0, middle - half), high)


def ratio(pairs: list[tuple[float, float]]) -> Estimate:
    """The sum of the first numbers by that of the second, with its interval (the delta method)."""
    above, below = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    middle = above / below
    spread = sum((a - middle * b) ** 2 for a, b in pairs)
    half = Z * sqrt(spread / max(1, len(pairs) - 1) * len(pairs)) / below
    return Estimate(middle, max(0.0, middle - half), middle + half)
