"""The opponent in a single-agent environment: any player, with dice of its own."""

from operator import index
from random import Random
from typing import Any

from perfectplay.arena.bot_makers import close, new_game
from perfectplay.commands.play.playing import Contestant, maker_of, name_of
from perfectplay.players import HUMAN, Seat
from perfectplay.players.seat import Maker, SoFar
from perfectplay.rl.episode import Episode
from perfectplay.solvers.lookup_or_solve import why_unsolved
from perfectplay.words import BadPlayer, IllegalMove, Move, Player, TooBig


class Opponent:
    """A player by name, or a function, that moves for the other side."""

    def __init__(self, contestant: Contestant, seconds: float | None) -> None:
        if name_of(contestant) == HUMAN:
            raise BadPlayer("an environment cannot ask a person for moves; name another opponent, such as 'noisy:0.1'")
        self.contestant, self.seconds, self.dice = contestant, seconds, Random(0)
        self.maker: Maker = maker_of(contestant)
        self.seated: dict[int, Player] = {}
        self.episode: Episode | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> "Opponent":
        copied = Opponent(self.contestant, self.seconds)
        copied.dice.setstate(self.dice.getstate())
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (self.contestant, self.seconds, self.dice.getstate())

    def in_seat(self, episode: Episode, side: int) -> Player:
        """The player when it plays that side; raises BadPlayer or TooBig if it cannot play the game."""
        if side not in self.seated:
            seat = Seat(episode.game, side, self.dice, self.seconds, so_far=self.so_far, lazy=True)
            try:
                self.seated[side] = self.maker(seat)
            except TooBig:
                name, why = name_of(self.contestant), why_unsolved(episode.game)
                raise TooBig(
                    f"the opponent {name} needs a solved game; {why}; or name another, such as 'blocks'"
                ) from None
        return self.seated[side]

    def begin(self, episode: Episode, side: int, seed: int) -> None:
        """Makes the player ready for a new game on that side, with new dice."""
        self.dice.seed(seed)
        self.episode = episode
        self.in_seat(episode, side)
        new_game(self.maker, seed % 2**31)

    def move(self, episode: Episode) -> Move:
        """The move in an episode in which it is to move; raises IllegalMove or BotFault if it makes none."""
        self.episode = episode
        move = self.in_seat(episode, episode.side)(episode.position)
        try:
            number = index(move)
        except TypeError:
            number = -1
        if number < 0 or not episode.legal >> number & 1:
            raise IllegalMove(f"the opponent {name_of(self.contestant)} chose {move!r}, not legal in {episode.text()}")
        return number

    def so_far(self) -> SoFar | None:
        """The game until now, for players that are told more than the position."""
        return None if self.episode is None else SoFar(self.episode.start, tuple(self.episode.moves))

    def close(self) -> None:
        """Ends the processes of bots; a move starts them again."""
        close(self.maker)


def remade(contestant: Contestant, seconds: float | None, dice: tuple[Any, ...]) -> Opponent:
    """The same opponent with its dice as they were."""
    opponent = Opponent(contestant, seconds)
    opponent.dice.setstate(dice)
    return opponent
