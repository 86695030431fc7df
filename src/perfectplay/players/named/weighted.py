"""`weighted:centre=3,a1=2`: some moves more often than others."""

from fractions import Fraction
from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.named.policy_player import sampling
from perfectplay.players.player_kind import SOLVED_GAMES, PlayerKind, PlayerName, suits_solved
from perfectplay.rules.notation import kinds_of_squares
from perfectplay.words import BadPlayer, Move, Sides

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy


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
