"""Games as environments of PettingZoo."""


def pettingzoo(game: object) -> object:
    """An environment."""
    raise NotImplementedError
