"""The referee: the only judge of legality, and the keeper of a game's record."""

import re
from operator import index
from time import perf_counter
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.players.seat import Clock, SoFar
from perfectplay.rules.loading import checked_after, checked_moves, checked_outcome
from perfectplay.rules.notation import illegal_move
from perfectplay.words import (
    DRAW,
    FIRST,
    ONGOING,
    SECOND,
    WIN,
    BotFault,
    Cause,
    IllegalMove,
    Move,
    Player,
    Position,
    Turn,
)

MOST_PLIES = 1_000
"""A game that can repeat is called a draw after this many plies."""


class Record(NamedTuple):
    """A game that was played: its moves, the winner (None for a draw), and whether it ended before its end.

    `forfeit`: the illegal move, or the fault of a bot, that lost the game. `unfinished`: the game was called a draw
    because it went on too long. `margin`: by how many points the first side was ahead at the end of a game for points.
    `cause`: what kind of forfeit it was. `movers` and `seconds`: the side that made each move, and the time it took.
    """

    moves: tuple[Move, ...]
    winner: int | None
    forfeit: str = ""
    unfinished: bool = False
    margin: int | None = None
    cause: Cause | None = None
    movers: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


class UnderWay:
    """A game while it is played: where the players begin, their moves, who made them and how long they took.

    `opening` are moves that were made for the players, from the position `before`; the clock is there if they have one.
    """

    def __init__(
        self, begin: Turn, clock: Clock | None = None, before: Turn | None = None, opening: tuple[Move, ...] = ()
    ) -> None:
        self.begin, self.clock, self.opening = begin, clock, opening
        self.before = begin if before is None else before
        self.moves: list[Move] = []
        self.movers: list[int] = []
        self.seconds: list[float] = []

    def so_far(self) -> SoFar:
        """The game as a player may know it, with its opening."""
        return SoFar(self.before, (*self.opening, *self.moves), self.clock)

    def add(self, side: int, move: Move, seconds: float) -> None:
        """Notes a move, and takes its time off the clock."""
        self.moves.append(move)
        self.movers.append(side)
        self.seconds.append(seconds)
        if self.clock is not None:
            remaining = [*self.clock.left]
            remaining[side] += self.clock.increment[side] - seconds
            self.clock = self.clock._replace(left=(remaining[0], remaining[1]))

    def record(self, winner: int | None, fault: IllegalMove | BotFault | None = None) -> Record:
        """The record of the game, which ends here; a fault has lost it."""
        forfeit, cause = ("", None) if fault is None else (str(fault), fault.cause)
        movers, seconds = tuple(self.movers), tuple(self.seconds)
        return Record(tuple(self.moves), winner, forfeit, cause=cause, movers=movers, seconds=seconds)


def play_move(game: Game, position: Position, side: int, move: Move) -> Position:
    """The position after the move; raises IllegalMove if the rules do not allow it."""
    return play_turn(game, position, side, move)[0]


def play_turn(game: Game, position: Position, side: int, move: Move) -> Turn:
    """The same, with the side that moves next."""
    try:
        number = index(move)
    except TypeError:
        number = -1
    if number < 0 or not game.moves(*position) >> number & 1:
        raise illegal_move(game, position, side, f"move {move!r}")
    return checked_after(game, position, side, number)


def winner_of(outcome: int, side: int) -> int | None:
    """The side that has won, given the outcome for the side to move; None if neither has."""
    if outcome in (DRAW, ONGOING):
        return None
    return side if outcome == WIN else 1 - side


def play_game(
    game: Game,
    first: Player,
    second: Player,
    most_plies: int = MOST_PLIES,
    forfeits: bool = False,
    under_way: UnderWay | None = None,
) -> Record:
    """The record of one game; IllegalMove and BotFault are raised, or with `forfeits` lose the game.

    The game begins at the start, or as `under_way` says, which is kept up to date for players that want to know it.
    Raises BadGame if the outcome of a position is impossible, or if a player fails where there is no legal move.
    """
    now = UnderWay((game.start, FIRST)) if under_way is None else under_way
    (position, side), players = now.begin, (first, second)
    while (outcome := checked_outcome(game, position, side)) == ONGOING:
        if len(now.moves) == most_plies:
            return now.record(None)._replace(unfinished=True)
        begin = perf_counter()
        try:
            move = players[side](position)
            seconds = perf_counter() - begin
            turn = play_turn(game, position, side, move)
        except Exception as fault:
            checked_moves(game, position, side)  # nobody can move where the rules allow no move
            if not (forfeits and isinstance(fault, IllegalMove | BotFault)):
                raise
            return now.record(SECOND - side, fault)
        now.add(side, index(move), seconds)
        position, side = turn
    return now.record(winner_of(outcome, side))._replace(margin=margin_of_first(game, position, side))


def margin_of_first(game: Game, position: Position, side: int) -> int | None:
    """The points by which the first side is ahead at the end, where this side is to move; None without points."""
    if game.margin is None:
        return None
    return game.margin(*position) if side == FIRST else -game.margin(*position)


def fault_line(fault: str, name: str = "") -> str:
    """A forfeit in a line, without the position, and without the name of the player."""
    return re.sub(r"(; [^;]* was to move)? in$", "", fault.partition("\n")[0]).removeprefix(f"{name} ")
