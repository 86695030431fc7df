"""Players by name, to ask for moves one at a time."""

import random
from typing import Annotated

from perfectplay.arena.bot_makers import close, isolated_maker
from perfectplay.arena.referee import play_move
from perfectplay.commands.kinds import Seconds, seed as seed_number
from perfectplay.commands.know.positions import legal_moves
from perfectplay.commands.matches.match import Match
from perfectplay.commands.terminal.arguments import GameLike, check_side, game_of, same_rules
from perfectplay.commands.verb import checked
from perfectplay.game import Game
from perfectplay.players.seat import Seat
from perfectplay.rules.notation import move_name
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.words import FIRST, BadArgument, BadPlayer, BadPosition, Brief, Move, Player, Position


class SeatedPlayer(metaclass=Brief):
    """A player of one game: a call with a position returns a legal move; `choose` returns its name."""

    def __init__(self, name: str, game: Game, side: int, seed: int | None, seconds: float | None) -> None:
        self.name, self.game, self.side = name, game, side
        self._maker = isolated_maker(name)
        self._rng, self._seconds = random.Random(seed), seconds
        self._seated: dict[int, Player] = {}
        self.in_seat(side)

    @rule_faults
    def __call__(self, position: Position) -> Move:
        """The player's move, by number, in a position in which its side is to move."""
        if isinstance(position, Match):
            raise BadArgument("a player is called with a position, match.position; for a match use choose(match)")
        if not legal_moves(self.game, position):
            raise BadPosition(f"nobody is to move in {position}: the game is over, or it cannot be reached")
        return self.in_seat(self.side)(position)

    @rule_faults
    def choose(self, match: Match) -> str:
        """The name of the move that the player makes now, whichever side is to move."""
        if not isinstance(match, Match):
            raise BadArgument(f"{match!r} is not a match; call the player itself with a position")
        if not same_rules(match.game, self.game):
            raise BadArgument(f"{self.name} plays {self.game.name}, not {match.game.name}")
        if match.is_over:
            raise BadArgument(f"the game is over in {match.text()}; nobody is to move")
        move = self.in_seat(match.turn)(match.position)
        play_move(self.game, match.position, match.turn, move)
        return move_name(self.game, match.position, match.turn, move)

    def close(self) -> None:
        """Ends the processes of a player from your own file; the next move starts them again."""
        close(self._maker)

    def in_seat(self, side: int) -> Player:
        """The player as a function from position to move, when it plays that side."""
        if side not in self._seated:
            self._seated[side] = self._maker(Seat(self.game, side, self._rng, self._seconds, lazy=True))
        return self._seated[side]

    def __repr__(self) -> str:
        return f"<{self.name}, player of {self.game.name}>"


@checked
def player(
    name: str,
    game: GameLike,
    *,
    side: int = FIRST,
    seed: Annotated[int | None, seed_number("")] = None,
    seconds: Annotated[float | None, Seconds()] = None,
) -> SeatedPlayer:
    """The player of that name, such as perfect, level:5 or ./bots.py:my_ai; list_players() lists them.

    `seed` makes its random choices repeatable; `seconds` is its time per move.
    """
    if not isinstance(name, str):
        raise BadPlayer(f"{name!r} is not the name of a player, such as 'perfect'")
    check_side(side)
    return SeatedPlayer(name, game_of(game), side, seed, seconds)
