"""The referee: the only judge of legality, and the keeper of a game's record."""

import re
from operator import index
from typing import NamedTuple

from perfectplay.game import Game, after
from perfectplay.notation import illegal_move
from perfectplay.rule_results import checked_moves, checked_outcome
from perfectplay.words import DRAW, FIRST, ONGOING, SECOND, WIN, BotFault, IllegalMove, Move, Player, Position, Turn

MOST_PLIES = 1_000
"""A game that can repeat is called a draw after this many plies."""


class Record(NamedTuple):
    """A game that was played: its moves, the winner (None for a draw), and whether it ended before its end.

    `forfeit`: the illegal move, or the fault of a bot, that lost the game. `unfinished`: the game was called a draw
    because it went on too long. `margin`: by how many points the first side was ahead at the end of a game for points.
    """

    moves: tuple[Move, ...]
    winner: int | None
    forfeit: str = ""
    unfinished: bool = False
    margin: int | None = None


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
    return after(game, position, side, number)


def winner_of(outcome: int, side: int) -> int | None:
    """The side that has won, given the outcome for the side to move; None if neither has."""
    if outcome in (DRAW, ONGOING):
        return None
    return side if outcome == WIN else 1 - side


def play_game(
    game: Game, first: Player, second: Player, most_plies: int = MOST_PLIES, forfeits: bool = False
) -> Record:
    """The record of one game; IllegalMove and BotFault are raised, or with `forfeits` lose the game.

    Raises BadGame if the outcome of a position is impossible, or if a player fails where there is no legal move.
    """
    moves: list[Move] = []
    position, side, players = game.start, FIRST, (first, second)
    while (outcome := checked_outcome(game, position, side)) == ONGOING:
        if len(moves) == most_plies:
            return Record(tuple(moves), None, unfinished=True)
        try:
            move = players[side](position)
            turn = play_turn(game, position, side, move)
        except Exception as fault:
            checked_moves(game, position, side)  # nobody can move where the rules allow no move
            if not (forfeits and isinstance(fault, IllegalMove | BotFault)):
                raise
            return Record(tuple(moves), SECOND - side, forfeit=str(fault))
        moves.append(move)
        position, side = turn
    return Record(tuple(moves), winner_of(outcome, side), margin=margin_of_first(game, position, side))


def margin_of_first(game: Game, position: Position, side: int) -> int | None:
    """The points by which the first side is ahead at the end, where this side is to move; None without points."""
    if game.margin is None:
        return None
    return game.margin(*position) if side == FIRST else -game.margin(*position)


def fault_line(fault: str, name: str = "") -> str:
    """What is said of a forfeited move, in a line, without the position, and without the name of the player."""
    return re.sub(r"(; [^;]* was to move)? in$", "", fault.partition("\n")[0]).removeprefix(f"{name} ")
