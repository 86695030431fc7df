"""Games as environments of PettingZoo and of Gymnasium."""

import re
from typing import Annotated, Any, Unpack

from perfectplay.commands.kinds import MOVE_SECONDS, Choice, seed as seed_kind
from perfectplay.commands.matches.playing import Contestant
from perfectplay.commands.terminal.arguments import GameLike
from perfectplay.commands.verb import checked
from perfectplay.rl.episode import ALTERNATE, METADATA, RANDOM, RENDER_MODE, Episode, EpisodeOptions, SharedGame
from perfectplay.words import FIRST, SECOND, require

ENTRY = "perfectplay.rl.environments:gymnasium"
"""What Gymnasium calls to make an environment."""


@checked
def pettingzoo(
    game: GameLike, render_mode: Annotated[str | None, RENDER_MODE] = None, **options: Unpack[EpisodeOptions]
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

    return PlayersEnv(Episode(SharedGame(game), options), render_mode)


class OpponentOptions(EpisodeOptions, total=False):
    """What may be chosen of an episode against an opponent."""

    seed: Annotated[int | None, seed_kind("makes the sides that are drawn and the opponent's choices repeatable")]
    seconds: Annotated[float | None, MOVE_SECONDS]


@checked
def gymnasium(
    game: GameLike,
    opponent: Contestant = "noisy:0.1",
    side: Annotated[int | str, Choice("the agent's side", (FIRST, SECOND, ALTERNATE, RANDOM))] = FIRST,
    render_mode: Annotated[str | None, RENDER_MODE] = None,
    **options: Unpack[OpponentOptions],
) -> Any:
    """An environment of Gymnasium in which an agent plays any game against one of our players, or a function.

    The agent plays the side FIRST, 0, or SECOND, 1; "alternate" changes sides after each episode, and "random" draws
    the side. It observes a dict: "observation" has planes of 0 and 1, its own pieces first, and "action_mask" has a 1
    for each legal action. Actions are the numbers of moves. The opponent replies within the step. The info has the
    position as text, the action of each move by name, the agent's side, and the names of the moves of the opponent.

    At the end the reward is 1 for a win, -1 for a loss and 0 for a draw; reward="points" gives the points by which the
    agent is ahead, in games for points. An illegal action ends the game with -1; illegal="raise" raises IllegalMove
    instead. A game is truncated after `max_plies` of both sides, with 0; None never truncates. With `repetitions`, a
    position that occurs this many times ends the game in a draw. reset(options={"position": text}) begins elsewhere.

    A seed, given here or to reset(), makes the opponent's random choices repeatable, too. `seconds` is its time per
    move. An error in the opponent is raised: it does not count as a win. close() ends the processes of bots.

    `render_mode`: "human" prints the board after each change, "ansi" returns it as text, "rgb_array" as pixels.
    """
    registration = require("gymnasium.envs.registration", "rl", "perfectplay.rl.gymnasium")
    from perfectplay.rl.gymnasium_class import OpponentEnv

    shared, seed = SharedGame(game), options.pop("seed")
    environment = OpponentEnv(Episode(shared, options), opponent, options["seconds"], side, render_mode, seed)
    settings = {"game": shared, "opponent": opponent, "side": side, "render_mode": render_mode, **options}
    environment.spec = registration.EnvSpec(id_of(shared.game.name), ENTRY, kwargs=settings)
    return environment


gymnasium.metadata = METADATA  # type: ignore[attr-defined]  # Gymnasium asks whatever makes environments


def id_of(name: str) -> str:
    """The name of the environment of this game, such as perfectplay/tic-tac-toe-v0."""
    return f"perfectplay/{re.sub('[^A-Za-z0-9_.=]+', '-', name).strip('-.')}-v0"
