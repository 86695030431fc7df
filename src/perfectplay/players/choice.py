"""Players that pick any of the moves they like best: defined once, for one position and for a whole graph."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.game import Game, legal_moves
from perfectplay.players.player_kind import PlayerName
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import Move, Player, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from perfectplay.players.models.game_graph import Graph, Numbers
    from perfectplay.players.models.policies import Policy

MovesAt = Callable[[Position], list[Move]]
"""The moves that a player picks from in a position, in order."""


class Liking(NamedTuple):
    """A number for a move, the greater the better: of one move, and of all edges of a graph if that is faster."""

    of_move: Callable[[Game, Position, Move], float]
    of_edges: "Callable[[Graph], Numbers] | None" = None


def suits_any(game: Game) -> None:
    """Every game can be played."""


class MoveSet(NamedTuple):
    """The moves that a player picks from, all with the same probability: in one position, and as edges of a graph."""

    moves: Callable[[Seat], MovesAt]
    edges: "Callable[[Graph], NDArray[np.bool_]]"
    suits: Callable[[Game], None] = suits_any
    """Raises BadPlayer for a game that the player cannot play."""

    def preferring(self, liking: Liking) -> "MoveSet":
        """Of these moves those that are liked best."""

        def moves(seat: Seat) -> MovesAt:
            before, game, of_move = self.moves(seat), seat.game, liking.of_move

            def liked(position: Position) -> list[Move]:
                numbers = {move: of_move(game, position, move) for move in before(position)}
                most = max(numbers.values())
                return [move for move, number in numbers.items() if number == most]

            return liked

        def edges(graph: "Graph") -> "NDArray[np.bool_]":
            among = self.edges(graph)
            numbers = graph.rated(among, liking.of_move) if liking.of_edges is None else liking.of_edges(graph)
            return graph.best(numbers, among)

        return MoveSet(moves, edges, self.suits)

    def make(self, seat: Seat) -> Player:
        """The player in that seat."""
        self.suits(seat.game)
        moves, rng = self.moves(seat), seat.rng
        return lambda position: rng.choice(moves(position))

    def maker(self, name: PlayerName) -> Maker:
        """The maker of these players."""
        return self.make

    def policy(self, name: PlayerName, game: Game) -> "Policy":
        """The probability of each move."""
        from perfectplay.players.models.policies import Policy, any_of  # numpy: only when it is wanted

        self.suits(game)
        return Policy(any_of(self.edges))


def legal_moves_at(seat: Seat) -> MovesAt:
    """All legal moves."""
    game = seat.game
    return lambda position: legal_moves(game, position)


ANY_MOVE = MoveSet(legal_moves_at, lambda graph: graph.every)
