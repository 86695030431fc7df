"""`tricky`: perfect, and among moves that are worth the same prefers threats and corners."""

from perfectplay.explain.tie_breaks import trick
from perfectplay.players.perfect import choices_of
from perfectplay.players.seat import Seat
from perfectplay.words import Move, Player, Position


def tricky_player(seat: Seat) -> Player:
    """A perfect player with the classic hand-made tie-break."""
    choices, game = choices_of(seat), seat.game

    def choose(position: Position) -> Move:
        tricks = {move: trick(game, position, move) for move in choices(position)}
        most = max(tricks.values())
        return seat.rng.choice(sorted(move for move in tricks if tricks[move] == most))

    return choose
