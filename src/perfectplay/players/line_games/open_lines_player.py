"""`routes`: looks some plies ahead and then counts lines still open, routes:4; also `easy`, `medium`, `hard`."""

from collections.abc import Callable

from perfectplay.game import legal_moves
from perfectplay.players.line_games.line_position import Field
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import Move, Player, Position

Depth = Callable[[int], int]
"""How deep to look with so many squares open."""


def routes_maker(name: str, depth_of: Depth, seconds: float | None = None) -> Maker:
    """The maker of players that look so deep, or as deep as their time allows: their seat's, else so many seconds."""

    def make(seat: Seat) -> Player:
        field = Field(seat.game, name)
        time = seconds if seat.seconds is None else seat.seconds

        def choose(position: Position) -> Move:
            moves = legal_moves(seat.game, position)
            best = moves
            field.set_up(position)
            with field.clock.running(time):
                for depth in range(1, depth_of(len(moves)) + 1):
                    scores = scores_after(field, moves, depth)
                    if field.clock.stopped:
                        break
                    best = [move for move in moves if scores[move] == max(scores.values())]
                    moves.sort(key=scores.__getitem__, reverse=True)
            return seat.rng.choice(sorted(best))

        return choose

    return make


def scores_after(field: Field, moves: list[Move], depth: int) -> dict[Move, int]:
    """What the moves come to; the best ones exactly, of the others no more than that they are less good."""
    scores: dict[Move, int] = {}
    low = -field.won
    for move in moves:
        scores[move] = field.score_after(move, depth, max(low - 1, -field.won))
        low = max(low, scores[move])
    return scores
