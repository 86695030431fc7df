"""A position for the picture of a game: as it may stand in the middle of a game between people."""

from functools import lru_cache
from math import dist
from random import Random

from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.notation import moves_are_squares, pieces_on
from perfectplay.views.board_art import SQUARE, places_of
from perfectplay.views.shared_pieces import is_new
from perfectplay.words import FIRST, ONGOING, Move, Position, Turn

PLAYED = 0.45
"""How much of the game has been played."""
LONGEST = 54
"""The most plies of the game; a small board has at most as many as it has squares."""
LOOKED_AT = 40
"""Moves looked at in a position, where a move must be made to see where it goes."""


@lru_cache(maxsize=256)
def typical_position(game: Game) -> Turn:
    """A position and its side to move, the same for the same game."""
    dice = Random(f"{game.look.title} {game.look.summary} {game.shape}")
    most = min(LONGEST, game.shape[0] * game.shape[1])
    position, side = game.start, FIRST
    states = [(position, side)]
    while len(states) <= most:
        turn = natural_turn(game, position, side, dice)
        if turn is None:
            break
        position, side = turn
        states.append(turn)
    return states[round(PLAYED * (len(states) - 1))]


def natural_turn(game: Game, position: Position, side: int, dice: Random) -> Turn | None:
    """The turn after a move near what stands, which neither ends the game nor lets the other side win at once."""
    moves = legal_moves(game, position)
    if not moves_are_squares(game):
        moves = dice.sample(moves, min(LOOKED_AT, len(moves)))
    ongoing = None
    for move in nearest_first(game, position, side, moves, dice):
        turn = after(game, position, side, move)
        if game.outcome(*turn[0]) != ONGOING:
            continue
        if not (game.wins and game.wins(*turn[0])):
            return turn
        ongoing = ongoing or turn
    return ongoing


def nearest_first(game: Game, position: Position, side: int, moves: list[Move], dice: Random) -> list[Move]:
    """The moves, those first that go near the pieces, or to the middle of an empty board; about as near, any first."""
    places = places_of(game)
    old = pieces_on(game, position, side)
    standing = [place for place, at in zip(places, old, strict=True) if at]
    middle = tuple(sum(axis) / len(axis) for axis in zip(*(standing or places), strict=True))

    def far(move: Move) -> float:
        squares = [move]
        if not moves_are_squares(game):
            new = pieces_on(game, *after(game, position, side, move))
            squares = [square for square, at in enumerate(new) if is_new(game, old[square], at)]
        there = places[squares[0]] if squares else middle
        nearest = min((dist(there, place) for place in standing if place != there), default=0.0)
        near = (nearest + dist(there, middle) / 3) / SQUARE
        return near + 1.5 * dice.random() if standing else near

    return sorted(moves, key=far)
