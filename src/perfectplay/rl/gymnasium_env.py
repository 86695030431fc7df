"""Games as environments of Gymnasium."""

import re
from typing import Any

from perfectplay.arena.referee import MOST_PLIES
from perfectplay.commands.matches.playing import Contestant
from perfectplay.commands.terminal.arguments import GameLike, game_of, whole
from perfectplay.rl.episode import LOSE, RESULT, SharedGame
from perfectplay.words import FIRST, require

CLASS = "perfectplay.rl.gymnasium_class:OpponentEnv"


def gymnasium(
    game: GameLike,
    opponent: Contestant = "noisy:0.1",
    side: int | str = FIRST,
    render_mode: str | None = None,
    *,
    seed: int | None = None,
    reward: str = RESULT,
    illegal: str = LOSE,
    max_plies: int | None = MOST_PLIES,
    repetitions: int | None = None,
    seconds: float | None = None,
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

    whole("seed", seed, 0, 2**63 - 1)
    shared_game = SharedGame(game_of(game))
    settings: dict[str, Any] = {
        "game": shared_game,
        "opponent": opponent,
        "side": side,
        "reward": reward,
        "illegal": illegal,
        "max_plies": max_plies,
        "repetitions": repetitions,
        "seconds": seconds,
    }
    environment = OpponentEnv(**settings, seed=seed, render_mode=render_mode)
    environment.spec = registration.EnvSpec(
        id_of(shared_game.game.name), CLASS, kwargs=settings | {"render_mode": render_mode}
    )
    return environment


def id_of(name: str) -> str:
    """The name of the environment of this game, such as perfectplay/tic-tac-toe-v0."""
    return f"perfectplay/{re.sub('[^A-Za-z0-9_.=]+', '-', name).strip('-.')}-v0"
