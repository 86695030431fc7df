"""The class of the environments; it imports Gymnasium, so import this module only where that is there."""

from copy import copy, deepcopy
from operator import index
from random import Random
from typing import Any

from gymnasium import Env

from perfectplay.arena.bot_makers import close, new_game
from perfectplay.commands.matches.playing import Contestant, maker_of, name_of
from perfectplay.players.player_kind import HUMAN
from perfectplay.players.seat import Maker, Seat, SoFar
from perfectplay.rl.episode import ALTERNATE, METADATA, RANDOM, Episode, Observation, Screen
from perfectplay.rules.notation import move_name
from perfectplay.solvers.unsolved import why_unsolved
from perfectplay.words import FIRST, SECOND, BadArgument, BadPlayer, IllegalMove, Move, Player, TooBig

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class OpponentEnv(Env):  # type: ignore[misc]
    """A game of one agent against a player."""

    metadata: dict[str, Any] = METADATA

    def __init__(
        self,
        episode: Episode,
        opponent: Contestant,
        seconds: float | None,
        side: int | str,
        render_mode: str | None,
        seed: int | None,
    ) -> None:
        self.episode, self.sides, self.side = episode, side, SECOND if side == SECOND else FIRST
        self.opponent = Opponent(episode, opponent, seconds)
        self.opponent.in_seat(1 - self.side)
        self.screen, self.render_mode = Screen(render_mode), render_mode
        self.action_space, self.observation_space = episode.action_space, episode.observation_space
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
        self.episode.reset(options)
        self.opponent.begin(1 - self.side, dice)
        self.running = True
        self.screen.update(self.episode)
        self.reply()
        return self.episode.observation(self.side), self.info()

    def step(self, action: Any) -> Step:
        """Makes the agent's move and the opponent's replies, until it is the agent's turn or the game ends."""
        if not self.running:
            when = f"the episode is over in {self.episode.text()}" if self.episodes else "no episode has begun"
            raise BadArgument(f"{when}; call reset()")
        episode = self.episode
        self.replies = []
        if not episode.ended:  # a game may be over before the agent's first move
            episode.play(action)
            self.screen.update(episode)
            self.reply()
        self.running = not episode.ended
        reward = episode.reward_of(self.side) if episode.ended else 0.0
        return episode.observation(self.side), reward, episode.over, episode.cut, self.info()

    def reply(self) -> None:
        """Lets the opponent move while it is its turn."""
        episode, self.replies = self.episode, []
        while not episode.ended and episode.side != self.side:
            position, side, move = episode.position, episode.side, self.opponent.move()
            self.replies.append(move_name(episode.game, position, side, move))
            episode.play(move)
            self.screen.update(episode)

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


# The opponent in a single-agent environment: any player, with dice of its own.


class Opponent:
    """A player by name, or a function, that moves for the other side."""

    def __init__(
        self, episode: Episode, contestant: Contestant, seconds: float | None, dice: Random | None = None
    ) -> None:
        if name_of(contestant) == HUMAN:
            raise BadPlayer("an environment cannot ask a person for moves; name another opponent, such as 'noisy:0.1'")
        self.episode, self.contestant, self.seconds, self.dice = episode, contestant, seconds, dice or Random(0)
        self.maker: Maker = maker_of(contestant)
        self.seated: dict[int, Player] = {}

    def __deepcopy__(self, memo: dict[int, object]) -> "Opponent":
        return Opponent(deepcopy(self.episode, memo), self.contestant, self.seconds, copy(self.dice))

    def __reduce__(self) -> tuple[Any, ...]:
        return Opponent, (self.episode, self.contestant, self.seconds, self.dice)

    def in_seat(self, side: int) -> Player:
        """The player when it plays that side; raises BadPlayer or TooBig if it cannot play the game."""
        if side not in self.seated:
            seat = Seat(self.episode.game, side, self.dice, self.seconds, so_far=self.so_far, lazy=True)
            try:
                self.seated[side] = self.maker(seat)
            except TooBig:
                name, why = name_of(self.contestant), why_unsolved(self.episode.game)
                raise TooBig(
                    f"the opponent {name} needs a solved game; {why}; or name another, such as 'blocks'"
                ) from None
        return self.seated[side]

    def begin(self, side: int, seed: int) -> None:
        """Makes the player ready for a new game on that side, with new dice."""
        self.dice.seed(seed)
        self.in_seat(side)
        new_game(self.maker, seed % 2**31)

    def move(self) -> Move:
        """Its move, when it is to move; raises IllegalMove or BotFault if it makes none."""
        episode = self.episode
        move = self.in_seat(episode.side)(episode.position)
        try:
            number = index(move)
        except TypeError:
            number = -1
        if number < 0 or not episode.legal >> number & 1:
            raise IllegalMove(f"the opponent {name_of(self.contestant)} chose {move!r}, not legal in {episode.text()}")
        return number

    def so_far(self) -> SoFar:
        """The game until now, for players that are told more than the position."""
        return SoFar(self.episode.start, tuple(self.episode.moves))

    def close(self) -> None:
        """Ends the processes of bots; a move starts them again."""
        close(self.maker)
