"""`streetwise`: keeps the result and sets the traps that an imperfect opponent most likely falls into.

`exploit` is its reckless twin: both expect an opponent of a model, and only `streetwise` keeps the result.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.named.policy_player import sampling
from perfectplay.players.player_kind import SOLVED_GAMES, PlayerKind, PlayerName, suits_solved
from perfectplay.words import BadPlayer

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

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

    return PlayerKind(
        name,
        about,
        sampling(response),
        f"{name}:noisy:0.1",
        bare=True,
        policy=response,
        games=SOLVED_GAMES,
        fault=suits_solved,
        label=label,
        served=lambda player_name: may_be_served(model_in(player_name)),
    )


def streetwise_kind(policy_named: PolicyNamed, may_be_served: Served) -> PlayerKind:
    """`streetwise`, with the table's two questions about the model."""
    about = "keeps the result and sets the traps that the given opponent most likely falls into"
    return expecting_kind("streetwise", about, policy_named, may_be_served, "Street-smart")


def exploit_kind(policy_named: PolicyNamed, may_be_served: Served) -> PlayerKind:
    """`exploit`, with the table's two questions about the model."""
    about = "wins as often as possible against the given opponent, even where a move risks the result"
    return expecting_kind("exploit", about, policy_named, may_be_served, "")
