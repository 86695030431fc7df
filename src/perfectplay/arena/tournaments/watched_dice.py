"""Dice that note whether a real choice was thrown; the numbers are those of Python's own."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any


class WatchedDice(random.Random):
    """`thrown` says whether a number of more than one outcome has come since the dice were last seeded.

    To choose among one takes a number, too, and decides nothing: a player with one best move throws no dice.
    """

    thrown: bool

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Starts the dice afresh: nothing has been thrown yet."""
        super().seed(a, version)
        self.thrown = False

    def setstate(self, state: Any) -> None:
        """Sets the dice as they are elsewhere: thrown, if they are not as they are here."""
        self.thrown = self.thrown or state != self.getstate()
        super().setstate(state)

    def random(self) -> float:
        """A number from 0 up to 1."""
        self.thrown = True
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """A number of k bits."""
        self.thrown = self.thrown or k > 0
        return super().getrandbits(k)

    def _randbelow(self, n: int) -> int:
        """A number below n: what Python's choice, sample, shuffle and randrange are made of."""
        thrown = self.thrown or n > 1
        number: int = super()._randbelow(n)  # type: ignore[misc]
        self.thrown = thrown
        return number

    def choices(
        self,
        population: Any,
        weights: Sequence[float | Fraction] | None = None,
        *,
        cum_weights: Sequence[float | Fraction] | None = None,
        k: int = 1,
    ) -> list[Any]:
        """So many elements, each chosen by weight."""
        thrown = self.thrown
        chosen = super().choices(population, weights, cum_weights=cum_weights, k=k)
        weighed = [*weights] if weights is not None else [*steps_of(cum_weights)] if cum_weights is not None else None
        outcomes = len(population) if weighed is None else sum(weight > 0 for weight in weighed)
        self.thrown = thrown or (k > 0 and outcomes > 1)
        return chosen


def steps_of(sums: Sequence[float | Fraction]) -> Iterator[float | Fraction]:
    """The numbers of which these are the sums, one after another."""
    before: float | Fraction = 0
    for total in sums:
        yield total - before
        before = total


@contextmanager
def pythons_dice(seed: str) -> Iterator[Callable[[], bool]]:
    """Python's own dice, from a seed, and whether they have been used since; afterwards they are as before."""
    before = random.getstate()
    random.seed(seed)
    seeded = random.getstate()
    try:
        yield lambda: random.getstate() != seeded
    finally:
        random.setstate(before)
