"""`streetwise`: keeps the result and sets the traps that an imperfect opponent most likely falls into."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.player_kind import SOLVED_GAMES, PlayerKind, PlayerName, suits_solved
from perfectplay.players.policy_player import sampling
from perfectplay.words import BadPlayer

if TYPE_CHECKING:
    from perfectplay.explain.policies import Policy

MOST_NESTED = 4
"""How many street-smart players may expect each other."""


def streetwise_kind(policy_named: "Callable[[str, Game], Policy]", may_be_served: Callable[[str], bool]) -> PlayerKind:
    """The kind of players that play against a model, which is a player's name itself: the table is asked for it."""

    def model_in(name: PlayerName) -> str:
        return name.parameter if ":" in name.text else "uniform"

    def streetwise(name: PlayerName, game: Game) -> "Policy":
        from perfectplay.explain import policies  # numpy: only when it is wanted

        if name.parameter.count("streetwise") > MOST_NESTED:
            raise BadPlayer(f"a streetwise player expects at most {MOST_NESTED} others behind its name")
        model = policy_named(model_in(name), game)
        return model._replace(probabilities=policies.streetwise(model.probabilities))

    return PlayerKind(
        "streetwise",
        "keeps the result and sets the traps that the given opponent most likely falls into",
        sampling(streetwise),
        "streetwise:noisy:0.1",
        bare=True,
        policy=streetwise,
        games=SOLVED_GAMES,
        fault=suits_solved,
        label="Street-smart",
        served=lambda name: may_be_served(model_in(name)),
    )
