"""`play`: games in the terminal, between people and players in any mixture."""

from typing import Annotated

from perfectplay.commands.kinds import GAME, MOVE_SECONDS, SEARCH_THREADS, Flag, Named, players as player_names, seed
from perfectplay.commands.verb import verb


@verb(
    "play",
    "play a game in the terminal",
    "play tic-tac-toe --first human --second minimax",
    "play connect-four level:5",
    prints=True,
)
def play(
    game: Annotated[str, GAME],
    *players: Annotated[str, player_names("your opponent, or two players, the first to move first")],
    first: Annotated[str | None, Named("the first player (default: human)", metavar="PLAYER")] = None,
    second: Annotated[
        str | None, Named("the second player (default: ask; Enter for the strongest)", metavar="PLAYER")
    ] = None,
    toss: Annotated[bool, Flag("choose at random who moves first in each game")] = False,
    seconds: Annotated[float | None, MOVE_SECONDS] = None,
    threads: Annotated[int | None, SEARCH_THREADS] = None,
    seed: Annotated[int | None, seed("make random choices repeatable")] = None,
) -> int:
    """Plays games until nobody wants another."""
    from random import Random

    from perfectplay.commands.matches.choose_players import named_players
    from perfectplay.commands.matches.terminal_games import play_games
    from perfectplay.rules.loading import load_game
    from perfectplay.solvers.engine import cores

    names = named_players(players, first, second)
    play_games(load_game(game), *names, Random(seed), toss, seconds, threads or cores())
    return 0
