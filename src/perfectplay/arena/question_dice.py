"""The dice of a player under examination, thrown anew for each question, so that an examination can be repeated."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
