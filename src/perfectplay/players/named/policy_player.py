"""Players that sample from a policy, for games that are solved or small."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from perfectplay.game import Game, legal_moves
from perfectplay.players.player_kind import SOLVED_GAMES, PlayerKind, PlayerName, PolicyMaker, suits_solved
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.notation import kinds_of_squares
from perfectplay.words import BadPlayer, Move, Player, Position, Sides

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


# `weighted:centre=3,a1=2`: some moves more often than others.


def weighted(name: PlayerName, game: Game) -> "Policy":
    """Moves by their weights; those without one weigh 1."""
    from perfectplay.players.models import policies  # numpy: only when it is wanted

    return policies.Policy(policies.weighted(weights_in(name, game)), symmetric=False)


def weights_in(name: PlayerName, game: Game) -> dict[Move, Fraction]:
    """The weights of moves: by the move's name, or on a board of squares centre, corner and edge."""
    if not name.parameter:
        raise name.needs("weights of moves")
    names = game.move_names
    if isinstance(names, Sides) or callable(names):
        raise BadPlayer(f"{name.text!r}: the moves of {game.name} have no names that stay the same; try noisy:0.1")
    places = {one: [move] for move, one in enumerate(names)}
    places |= kinds_of_squares(game)
    weights: dict[Move, Fraction] = {}
    for part in name.parameter.split(","):
        place, _, number = part.partition("=")
        if place not in places:
            examples = " ".join([*list(places)[:12], "..."] if len(places) > 12 else places)
            raise BadPlayer(f"{name.text!r}: no move is called {place!r}; weigh one of {examples}")
        weight = name._replace(parameter=number).number(Fraction(1, 1000), 10**6)
        weights |= dict.fromkeys(places[place], weight)
    return weights


WEIGHTED = PlayerKind(
    "weighted",
    "plays some moves more often than others",
    sampling(weighted),
    "weighted:centre=3,a1=2",
    policy=weighted,
    games=SOLVED_GAMES,
    fault=suits_solved,
)
