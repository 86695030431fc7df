"""Games for OpenSpiel."""


def openspiel(game: object) -> object:
    """A game of OpenSpiel."""
    raise NotImplementedError
