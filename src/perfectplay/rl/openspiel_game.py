"""Games of ours for the algorithms of OpenSpiel."""

from typing import Annotated, Any

from perfectplay.commands.kinds import Whole
from perfectplay.commands.terminal.arguments import GameLike, game_of
from perfectplay.commands.verb import checked
from perfectplay.words import BadArgument, require

MOST = 1_000_000


@checked
def openspiel(
    game: GameLike,
    *,
    points: Annotated[int | None, Whole("the most points that a side can be ahead by", 1, MOST)] = None,
    length: Annotated[int | None, Whole("plies after which an unfinished game is a draw", 1, MOST)] = None,
) -> Any:
    """The game as a pyspiel.Game, for every algorithm of OpenSpiel; its actions are our moves by number.

    The game is registered there: pyspiel.load_game(str(it)), such as "python_perfectplay(game=drop:5;4;4)", loads it
    again. Observations are the planes of the position, and one plane more, which is 1 everywhere if the second player
    is to move. Information states are the moves so far, as in all games of perfect information there.

    Returns are 1, 0 and -1. `points`: in a game for points they are points instead; this is the most that a side can
    be ahead by. `length`: the plies after which an unfinished game is a draw, for games that can repeat or go on for
    long; by default 1,000, or if the rules say how long a game can last, that.
    """
    rules = game_of(game)
    if points is not None and rules.margin is None:
        raise BadArgument(f"{rules.name} is not a game for points, so its returns are 1, 0 and -1: leave points out")
    require("open_spiel", "openspiel", "perfectplay.rl.openspiel")
    from perfectplay.players.bots.openspiel_states import handed_over

    return handed_over(rules, points or 0, length or 0)
