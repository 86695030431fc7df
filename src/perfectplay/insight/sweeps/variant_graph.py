"""The graph of a variant that is being swept: one that gives the same odds as `odds` does."""

from perfectplay.game import COMPILED_BITS, Game, images, start_is_symmetric
from perfectplay.players.models.game_graph import Graph, compiled_graph, plain_graph
from perfectplay.players.models.level_games import LevelGames
from perfectplay.solvers.memory.interpreted import SMALL, Reached
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import NotCompiled

FOLDED = 10_000
"""Games with cycles of more positions than this are faster with one position of each symmetry class, compiled."""


def graph_of(game: Game, positions: int) -> Steps[Graph]:
    """The graph of a game of so many positions; raises TooBig or NotCompiled.

    Only small games without cycles have levels of their own, and these depend on how many moves the graph has; so
    such a game has all its positions in the graph, as it has for `odds`.
    """
    if positions > SMALL:
        return (yield from compiled_graph(game, symmetric=True))
    forward = Reached(game)
    while forward.next_ply():
        yield Step("positions", len(forward.positions), positions)
    graph = plain_graph(game, forward)
    if positions > FOLDED and folds(game) and not LevelGames(graph, 0).ends:
        try:
            return (yield from compiled_graph(game, symmetric=True))
        except NotCompiled:
            pass
    return graph


def folds(game: Game) -> bool:
    """Whether compiled rules can take one position for all its images."""
    return game.key is not None and game.bits <= COMPILED_BITS and start_is_symmetric(game) and images(game).count > 1
