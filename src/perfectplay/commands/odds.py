"""`odds`: the exact result of two players, computed, not played."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import BOT_SECONDS, GAME, Flag, Whole, players as player_names, seed as seed_number
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import verb

if TYPE_CHECKING:
    from perfectplay.commands.chances.probabilities import Odds
    from perfectplay.commands.matches.playing import Contestant

PLAYER = player_names("random, wins, blocks, perfect, level:5, noisy:0.1 ..., or your own function (./bots.py:my_ai)")


@verb(
    "check",
    "compute the exact win, draw and loss probabilities of two players",
    "odds tic-tac-toe streetwise blocks --exact",
    "odds nim level:3 random",
)
def odds(
    game: Annotated[GameLike, GAME],
    first: Annotated["Contestant", PLAYER],
    second: Annotated["Contestant", PLAYER],
    *,
    exact: Annotated[bool, Flag("print fractions")] = False,
    games: Annotated[int | None, Whole("play this many games and estimate, for players that vary", 1, 10**9)] = None,
    seed: Annotated[int, seed_number("the seed of the games (default: 0)")] = 0,
    seconds: Annotated[float | None, BOT_SECONDS] = 60.0,
    progress: Progress | None = None,
) -> "Odds":
    """The exact odds between two players of a solved game, as fractions with exact=True.

    The move probabilities of a player must be known, as of random, wins, blocks, perfect, streetwise, level:5, ...; or
    it is a function or a bot that always answers the same, which is asked in every position. A bot may take `seconds`
    for a move. For other players the odds are estimated if `games` says how many games to play, from a seed.
    """
    from perfectplay.commands.chances.probabilities import computed, estimated
    from perfectplay.words import BadArgument

    if games is None:
        return computed(game_of(game), (first, second), exact, seconds, progress)
    if exact:
        raise BadArgument("exact=True and games do not go together: games only estimate the odds")
    return estimated(game_of(game), (first, second), games, seed, seconds, progress)
