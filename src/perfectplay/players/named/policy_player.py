"""Players that sample from a policy, for games that are solved or small."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from perfectplay.game import Game, legal_moves
from perfectplay.players.player_kind import PlayerName, PolicyMaker
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import Move, Player, Position

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

Probabilities = dict[Move, Fraction | float]


def sampling(policy: PolicyMaker) -> Callable[[PlayerName], Maker]:
    """How the players are made that follow the policy."""

    def maker(name: PlayerName) -> Maker:
        def make(seat: Seat) -> Player:
            probabilities_at = probabilities_function(seat.game, policy, name)

            def choose(position: Position) -> Move:
                probabilities = probabilities_at(position)
                return seat.rng.choices(list(probabilities), list(probabilities.values()))[0]

            return choose

        return make

    return maker


@lru_cache(maxsize=8)
def probabilities_function(
    game: Game, policy_maker: PolicyMaker, name: PlayerName, exact: bool = False
) -> Callable[[Position], Probabilities]:
    """The function from a position to the probability of each of its legal moves, a fraction if it is to be exact."""
    policy = policy_maker(name, game)
    return probabilities_by(game, policy, exact and policy.exact)


def probabilities_by(game: Game, policy: "Policy", exact: bool) -> Callable[[Position], Probabilities]:
    """The function from a position to the probability of each of its legal moves by this policy."""
    from perfectplay.players.models.game_graph import graph_for  # numpy: only when it is wanted

    graph = graph_for(game, policy.symmetric)
    probabilities = policy.probabilities(graph, exact)

    def probabilities_at(position: Position) -> Probabilities:
        # In a graph of classes an edge stands for a move of an image: moves to the same class are equally likely.
        edges = graph.edges(graph.number(position))
        by_target = dict(zip(graph.targets[edges].tolist(), probabilities[edges].tolist(), strict=True))
        return {move: by_target[graph.target(position, move)] for move in legal_moves(game, position)}

    return probabilities_at
