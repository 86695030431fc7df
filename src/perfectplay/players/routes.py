"""`routes`: looks some plies ahead and then counts rows still open, routes:4; also `easy`, `medium`, `hard`."""

from collections.abc import Callable

from perfectplay.game import legal_moves
from perfectplay.players.field import Field
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import Move, Player, Position

Depth = Callable[[int], int]
"""How deep to look with so many squares open."""


def routes_maker(name: str, depth_of: Depth) -> Maker:
    """The maker of players that look so deep, or as deep as their time allows."""

    def make(seat: Seat) -> Player:
        field = Field(seat.game, name)

        def choose(position: Position) -> Move:
            moves = legal_moves(seat.game, position)
            best = moves
            field.set_up(position)
            with field.clock(seat.seconds):
                for depth in range(1, depth_of(len(moves)) + 1):
                    scores = {move: field.score_after(move, depth, clever=False) for move in moves}
                    if field.stopped:
                        break
                    best = [move for move in moves if scores[move] == max(scores.values())]
            return seat.rng.choice(best)

        return choose

    return make
