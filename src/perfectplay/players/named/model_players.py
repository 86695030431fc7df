"""Models of imperfect players: policies with a parameter, `noisy:0.1`, `shallow:2`, each of which is a player, too."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.named.policy_player import sampling
from perfectplay.players.player_kind import ANY_MOVE, SOLVED_GAMES, PlayerKind, PlayerName, never_served, suits_solved

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

FARTHEST = 10**6
"""More plies than any player sees."""


def noisy(name: PlayerName, game: Game) -> "Policy":
    """The best moves, but with that probability any move."""
    from perfectplay.players.models import policies  # numpy: only when it is wanted

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
    from perfectplay.players.models.learned_policy import learned
    from perfectplay.players.models.policies import Policy

    if not name.parameter:
        raise name.needs("a file of recorded games")
    return Policy(learned(game, Path(name.parameter)))


UNIFORM = PlayerKind(
    "uniform",
    "any legal move",
    sampling(ANY_MOVE.policy),
    policy=ANY_MOVE.policy,
    games=SOLVED_GAMES,
    fault=suits_solved,
)
NOISY = PlayerKind(
    "noisy",
    "plays best moves, but with that probability any legal move",
    sampling(noisy),
    "noisy:0.1",
    policy=noisy,
    games=SOLVED_GAMES,
    fault=suits_solved,
)
SHALLOW = PlayerKind(
    "shallow",
    "sees that many plies ahead and plays the best move that it sees",
    sampling(shallow),
    "shallow:2",
    policy=shallow,
    games=SOLVED_GAMES,
    fault=suits_solved,
)
SOFTMAX = PlayerKind(
    "softmax",
    "prefers moves by value and distance; a higher temperature makes it more random",
    sampling(softmax),
    "softmax:0.5",
    policy=softmax,
    games=SOLVED_GAMES,
    fault=suits_solved,
)
LEARNED = PlayerKind(
    "learned",
    "plays as in recorded games",
    sampling(learned),
    "learned:games.txt",
    policy=learned,
    games=SOLVED_GAMES,
    fault=suits_solved,
    served=never_served,
)
