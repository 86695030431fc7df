"""Batches of games that are played side by side."""


class Batch:
    """Games side by side."""


def batch(game: object, n: int) -> Batch:
    """Games side by side."""
    raise NotImplementedError
