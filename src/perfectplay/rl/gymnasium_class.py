"""The class of the environments; it imports Gymnasium, so import this module only where that is there."""

from typing import Any

from gymnasium import Env

from perfectplay.arena.referee import MOST_PLIES
from perfectplay.commands.play.playing import Contestant
from perfectplay.commands.terminal.arguments import GameLike, check_seconds, game_of
from perfectplay.rl.episode import LOSE, RESULT, Episode, SharedGame, one_of, position_in
from perfectplay.rl.observing import Observation, action_space, observation_space, observed
from perfectplay.rl.opponent import Opponent
from perfectplay.rl.rendering import RENDER_MODES, Screen
from perfectplay.rules.notation import move_name
from perfectplay.words import FIRST, SECOND, BadArgument

ALTERNATE, RANDOM = "alternate", "random"

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class OpponentEnv(Env):  # type: ignore[misc]
    """A game of one agent against a player."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike | SharedGame,
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
    ) -> None:
        one_of("side", side, (FIRST, SECOND, ALTERNATE, RANDOM))
        check_seconds(seconds)
        shared = game if isinstance(game, SharedGame) else SharedGame(game_of(game))
        self.episode = Episode(shared, reward, illegal, max_plies, repetitions)
        self.sides, self.side = side, SECOND if side == SECOND else FIRST
        self.opponent = Opponent(opponent, seconds)
        self.opponent.in_seat(self.episode, 1 - self.side)
        self.screen, self.render_mode = Screen(render_mode), render_mode
        self.action_space, self.observation_space = action_space(shared.game), observation_space(shared.game)
        self.first_seed, self.episodes, self.running, self.replies = seed, 0, False, list[str]()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a new game, and lets the opponent move until it is the agent's turn."""
        seed, self.first_seed = self.first_seed if seed is None else seed, None
        super().reset(seed=seed)
        self.episodes = 1 if seed is not None else self.episodes + 1
        dice, coin = (int(number) for number in self.np_random.integers(2**62, size=2))
        if self.sides == ALTERNATE:
            self.side = (self.episodes - 1) % 2
        elif self.sides == RANDOM:
            self.side = coin & 1
        self.episode.begin(position_in(options))
        self.opponent.begin(self.episode, 1 - self.side, dice)
        self.running = True
        self.screen.changed(self.episode)
        self.reply()
        return observed(self.episode, self.side), self.info()

    def step(self, action: Any) -> Step:
        """Makes the agent's move and the opponent's replies, until it is the agent's turn or the game ends."""
        if not self.running:
            when = f"the episode is over in {self.episode.text()}" if self.episodes else "no episode has begun"
            raise BadArgument(f"{when}; call reset()")
        episode = self.episode
        self.replies = []
        if not episode.ended:  # a game may be over before the agent's first move
            episode.play(action)
            self.screen.changed(episode)
            self.reply()
        self.running = not episode.ended
        reward = episode.reward_of(self.side) if episode.ended else 0.0
        return observed(episode, self.side), reward, episode.over, episode.cut, self.info()

    def reply(self) -> None:
        """Lets the opponent move while it is its turn."""
        episode, self.replies = self.episode, []
        while not episode.ended and episode.side != self.side:
            position, side, move = episode.position, episode.side, self.opponent.move(episode)
            self.replies.append(move_name(episode.game, position, side, move))
            episode.play(move)
            self.screen.changed(episode)

    def info(self) -> dict[str, Any]:
        """The position, the agent's moves, its side, and the moves that the opponent has just made."""
        return {**self.episode.info(self.side), "side": self.side, "replies": tuple(self.replies)}

    def render(self) -> Any:
        """The board in the render mode of this environment."""
        if not self.episodes:
            raise BadArgument("no episode has begun; call reset() first")
        return self.screen.render(self.episode)

    def close(self) -> None:
        """Ends the processes of bots."""
        self.opponent.close()
