"""Players that choose by known shares: `streetwise:MODEL`, `level:5`, `slips:0.1` and all the other models."""

from collections.abc import Callable
from functools import lru_cache

from perfectplay.game import Game, legal_moves
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import Move, Player, Position

Shares = dict[Move, float]


def policy_maker(name: str) -> Maker:
    """The maker of players that choose so, for games that are solved or small."""

    def make(seat: Seat) -> Player:
        shares_at = shares_function(seat.game, name)

        def choose(position: Position) -> Move:
            shares = shares_at(position)
            return seat.rng.choices(list(shares), list(shares.values()))[0]

        return choose

    return make


@lru_cache(maxsize=8)
def shares_function(game: Game, name: str) -> Callable[[Position], Shares]:
    """The function that tells the share of each legal move of a position."""
    from perfectplay.explain.game_graph import graph_for
    from perfectplay.explain.policy_names import policy_named  # numpy: only when it is wanted

    policy = policy_named(name, game)
    graph = graph_for(game, policy.symmetric)
    shares = policy.shares(graph, False)

    def shares_at(position: Position) -> Shares:
        # In a graph of classes an edge stands for a move of an image: moves to the same class have the same share.
        edges = graph.edges(graph.number(position))
        by_child = dict(zip(graph.children[edges].tolist(), shares[edges].tolist(), strict=True))
        return {move: by_child[graph.number(game.play(*position, move))] for move in legal_moves(game, position)}

    return shares_at
