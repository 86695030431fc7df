"""The same board with the other side to move: what would be if the side to move could pass.

No rule allows a pass, so it is made by the position's text, which says who is to move and what stands where. In some
games that is no position, or one of another meaning: where the roles of the sides follow from the number of pieces, a
pass exchanges them. Random games show that: a move that wins at once after a pass must also win after some move.
"""

from functools import lru_cache
from random import Random

from perfectplay.game import Game, after, legal_moves
from perfectplay.players.named.wins import is_win, winning_moves
from perfectplay.rules.notation import parse_position, show_position, side_letter
from perfectplay.solvers.validity.plausibility import only_adds
from perfectplay.words import FIRST, ONGOING, BadPosition, Move, Position

GAMES, LONGEST = 12, 60
"""Random games, and their plies at most, that show whether a pass makes sense in a game."""
ENOUGH = 60
"""Wins after a pass that settle it."""
MOST_MOVES = 20_000
"""Moves looked at, at most: on a large board random games have few wins."""


def passed(game: Game, position: Position, side: int) -> Position | None:
    """The position that the other side sees if this side passes; None where a pass makes no sense."""
    return exchanged(game, position, side) if may_pass(game) else None


def exchanged(game: Game, position: Position, side: int) -> Position | None:
    """The position with the same board and the other side to move; None if there is none or it is finished."""
    if only_adds(game):  # then the board of either side is its word
        found = (position[1], position[0])
    else:
        board = show_position(game, position, side).partition(":")[2]
        try:
            found, _ = parse_position(game, f"{side_letter(game, 1 - side)}:{board}")
        except BadPosition:
            return None
    return found if game.outcome(*found) == ONGOING else None


@lru_cache(maxsize=64)
def may_pass(game: Game) -> bool:
    """Whether the game stays the same game after a pass: legal play does not contradict the wins that a pass allows."""
    rng, votes, seen = Random(1), 0, 0
    for _ in range(GAMES):
        position, side = game.start, FIRST
        for _ in range(LONGEST):
            legal = legal_moves(game, position)
            seen += len(legal)
            if not legal or abs(votes) > ENOUGH or seen > MOST_MOVES:
                break
            other = exchanged(game, position, side)
            for win in [] if other is None else winning_moves(game, other):
                votes += vote(game, position, side, win)
            position, side = after(game, position, side, rng.choice(legal))
    return votes >= 0


def vote(game: Game, position: Position, side: int, win: Move) -> int:
    """1 if the other side's winning move also wins after some move of this side, -1 if not, 0 if it is never legal."""
    turns = [after(game, position, side, move) for move in legal_moves(game, position)]
    children = [child for child, mover in turns if mover != side and win in legal_moves(game, child)]
    return 0 if not children else 1 if any(is_win(game, child, win) for child in children) else -1
