"""What is proven by search, in the words and fields that the page uses."""

from perfectplay.api import evaluation
from perfectplay.api.evaluation import evaluation_of
from perfectplay.game import Game
from perfectplay.solve.analysis import Analysis, Known
from perfectplay.words import Move


def fields(known: Known) -> dict[str, object]:
    """What is known as scripts rely on it."""
    return evaluation_of(known).fields()


def known_text(known: Known) -> str:
    """What is known, in words."""
    return evaluation_of(known).text


def verdict(game: Game, side: int, analysis: Analysis, names: dict[Move, str]) -> str:
    """Who wins and how soon, in a sentence, or what is known of that."""
    moves = {names[move]: evaluation_of(known) for move, known in analysis.moves.items()}
    return evaluation.verdict(game, side, evaluation_of(analysis.here), moves)
