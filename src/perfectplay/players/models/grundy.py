"""Grundy values of impartial games: the size of the nim heap that a position is worth."""

from perfectplay.game import Game, legal_moves
from perfectplay.words import Move, Position, TooBig

MOST_MOVES = 1_000_000
"""The most moves that are followed: a few seconds."""


def grundy_values(game: Game, position: Position) -> tuple[int, dict[Move, int]]:
    """The Grundy value of the position, and of the position after each move; raises TooBig.

    The Grundy value is the smallest number that no position one move on has: 0 is lost, all others are won.
    """
    values: dict[Position, int] = {}
    following: dict[Position, list[Position]] = {}
    budget, way = MOST_MOVES, [position]
    while way:
        here = way[-1]
        if here not in following:
            following[here] = [game.play(*here, move) for move in legal_moves(game, here)]
            budget -= len(following[here])
            if budget < 0:
                raise TooBig(f"they need more than {MOST_MOVES:,} moves of {game.name}")
            way += [child for child in following[here] if child not in following]
            continue
        way.pop()
        if here not in values:
            if any(child not in values for child in following[here]):
                raise TooBig(f"{game.name} can repeat, and they are for games that end")
            values[here] = mex({values[child] for child in following[here]})
            following[here] = []
    after = {move: values[game.play(*position, move)] for move in legal_moves(game, position)}
    return values[position], after


def mex(numbers: set[int]) -> int:
    """The smallest number from 0 that is not among them (mex)."""
    return next(number for number in range(len(numbers) + 1) if number not in numbers)
