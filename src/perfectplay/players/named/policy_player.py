"""Players that sample from a policy, for games that are solved or small: models of imperfect players, and their foes.

Each of these models has a parameter, `noisy:0.1`, `shallow:2`, and is a player, too.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfectplay.game import Game, legal_moves
from perfectplay.players.player_kind import (
    ANY_MOVE,
    SOLVED_GAMES,
    PlayerKind,
    PlayerName,
    PolicyMaker,
    never_served,
    suits_solved,
)
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


def sampling_kind(name: str, about: str, policy: PolicyMaker, example: str = "", **more: Any) -> PlayerKind:
    """The kind of players that follow the policy, which takes a solved game."""
    maker = sampling(policy)
    return PlayerKind(name, about, maker, example, policy=policy, games=SOLVED_GAMES, fault=suits_solved, **more)


# Models of imperfect players.


FARTHEST = 10**6
"""More plies than any player sees."""


def noisy(name: PlayerName, game: Game) -> "Policy":
    """The best moves, but with that probability any move."""
    from perfectplay.players.models import policies

    return policies.Policy(policies.noisy(name.number(0, 1)))


def shallow(name: PlayerName, game: Game) -> "Policy":
    """The best within that many plies."""
    from perfectplay.players.models import policies

    return policies.Policy(policies.shallow(name.whole_number(0, FARTHEST)))


def softmax(name: PlayerName, game: Game) -> "Policy":
    """The better, the likelier, by that temperature."""
    from perfectplay.players.models import policies

    return policies.Policy(policies.softmax(float(name.number(Fraction(1, 1000), 10**6))), exact=False)


def learned(name: PlayerName, game: Game) -> "Policy":
    """As in the recorded games of that file."""
    from perfectplay.players.models import policies

    if not name.parameter:
        raise name.needs("a file of recorded games")
    return policies.Policy(policies.learned(game, Path(name.parameter)))


UNIFORM = sampling_kind("uniform", "any legal move", ANY_MOVE.policy)
NOISY = sampling_kind("noisy", "plays best moves, but with that probability any legal move", noisy, "noisy:0.1")
SHALLOW = sampling_kind(
    "shallow", "sees that many plies ahead and plays the best move that it sees", shallow, "shallow:2"
)
SOFTMAX = sampling_kind(
    "softmax",
    "prefers moves by value and distance; a higher temperature makes it more random",
    softmax,
    "softmax:0.5",
)
LEARNED = sampling_kind("learned", "plays as in recorded games", learned, "learned:games.txt", served=never_served)


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


WEIGHTED = sampling_kind("weighted", "plays some moves more often than others", weighted, "weighted:centre=3,a1=2")


# `streetwise`: keeps the result and sets the traps that an imperfect opponent most likely falls into.
#
# `exploit` is its reckless twin: both expect an opponent of a model, and only `streetwise` keeps the result.


MOST_NESTED = 4
"""How many players that expect a model may expect each other."""
USUAL = "uniform"
"""The model that they expect if their name says nothing else: a random opponent."""
EXPECTING = ("streetwise", "exploit")
"""The players that expect a model, each with a response in `players/models/policies.py`."""

PolicyNamed = Callable[[str, Game], "Policy"]
Served = Callable[[str], bool]


def model_in(name: PlayerName) -> str:
    """The name of the model that a player expects."""
    return name.parameter if ":" in name.text else USUAL


def expecting_kind(name: str, about: str, policy_named: PolicyNamed, may_be_served: Served, label: str) -> PlayerKind:
    """The kind of players that play against a model, which is a player's name itself: the table is asked for it."""

    def response(player_name: PlayerName, game: Game) -> "Policy":
        from perfectplay.players.models import policies  # numpy: only when it is wanted

        if sum(player_name.parameter.count(one) for one in EXPECTING) > MOST_NESTED:
            raise BadPlayer(f"a player of kind {name} expects at most {MOST_NESTED} others behind its name")
        model = policy_named(model_in(player_name), game)
        return model._replace(probabilities=getattr(policies, name)(model.probabilities))

    def served(player_name: PlayerName) -> bool:
        return may_be_served(model_in(player_name))

    return sampling_kind(name, about, response, f"{name}:noisy:0.1", bare=True, label=label, served=served)


def expecting_kinds(policy_named: PolicyNamed, may_be_served: Served) -> tuple[PlayerKind, PlayerKind]:
    """`streetwise` and `exploit`, with the table's two questions about the model."""
    traps = "keeps the result and sets the traps that the given opponent most likely falls into"
    risks = "wins as often as possible against the given opponent, even where a move risks the result"
    return (
        expecting_kind("streetwise", traps, policy_named, may_be_served, "Street-smart"),
        expecting_kind("exploit", risks, policy_named, may_be_served, ""),
    )
