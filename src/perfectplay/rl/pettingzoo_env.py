"""Games as environments of PettingZoo."""

from typing import Any

from perfectplay.arena.referee import MOST_PLIES
from perfectplay.commands.terminal.arguments import GameLike, game_of
from perfectplay.rl.episode import LOSE, RESULT, Episode, SharedGame
from perfectplay.words import require


def pettingzoo(
    game: GameLike,
    render_mode: str | None = None,
    *,
    reward: str = RESULT,
    illegal: str = LOSE,
    max_plies: int | None = MOST_PLIES,
    repetitions: int | None = None,
) -> Any:
    """An AEC environment of PettingZoo in which `player_0` and `player_1` play any game.

    An agent observes a dict: "observation" has planes of 0 and 1, its own pieces first, and "action_mask" has a 1 for
    each legal action. Actions are the numbers of moves. An agent acts again where the rules give it another turn. Its
    info has the position as text and the action of each move by name.

    At the end the winner is rewarded with 1, the loser with -1, and a draw with 0; reward="points" rewards both with
    the points by which they are ahead, in games for points. An illegal action ends the game with -1 for that agent and
    0 for the other, as in PettingZoo's own games; illegal="raise" raises IllegalMove instead. A game is truncated after
    `max_plies`, with 0 for both; None never truncates. With `repetitions`, a position that occurs this many times ends
    the game in a draw. reset(options={"position": text}) begins elsewhere.

    `render_mode`: "human" prints the board after each change, "ansi" returns it as text, "rgb_array" as pixels.
    """
    require("pettingzoo", "rl", "perfectplay.rl.pettingzoo")
    from perfectplay.rl.pettingzoo_class import PlayersEnv

    return PlayersEnv(Episode(SharedGame(game_of(game)), reward, illegal, max_plies, repetitions), render_mode)
