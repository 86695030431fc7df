"""Games as environments of Gymnasium."""


def gymnasium(game: object) -> object:
    """An environment."""
    raise NotImplementedError
