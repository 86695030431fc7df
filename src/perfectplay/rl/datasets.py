"""Positions of a solved game, to train with."""


class Dataset:
    """Positions."""


def dataset(game: object) -> Dataset:
    """Positions."""
    raise NotImplementedError
