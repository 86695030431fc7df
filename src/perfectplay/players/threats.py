"""`threats`: an engine for great boards: searches moves near marks, and wins by fours and threes, threats:0.5."""

from perfectplay.game import legal_moves
from perfectplay.players.field import Field
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import BadPlayer, Move, Player, Position

FORCE_NODES = 20_000
"""Nodes of a search for a win by force, for either side."""
SAFE_NODES = 4_000
THREES = 5
ROOT_MOVES = 24
"""So many squares are tried at the root."""
DEEPEST = 40
MARGIN = 0.01
"""Seconds kept back for what happens around a search."""


def threats_maker(seconds: float | None = None) -> Maker:
    """The maker of players that think so long; as long as their seat says if nothing is said."""

    def make(seat: Seat) -> Player:
        engine = Engine(seat)
        return lambda position: engine.choose(position, seat.seconds if seconds is None else seconds)

    return make


class Engine:
    """What a player keeps from move to move: the board and the table of scores."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.field = seat, Field(seat.game, "threats")
        if not self.field.wins:
            raise BadPlayer(
                f"threats cannot play {seat.game.name}: it tries to make rows, and here who makes one loses"
            )

    def choose(self, position: Position, seconds: float | None) -> Move:
        """The move found in so many seconds, or in a second if nothing is said."""
        seconds = 1.0 if seconds is None else seconds
        field, board = self.field, self.field.board
        legal = legal_moves(self.seat.game, position)
        field.set_up(position)
        if not board.state[1]:
            return self.middle(legal)
        with field.clock(max(0.001, seconds - MARGIN)):
            found = self.by_force()
            return found if found >= 0 else self.by_search(legal)

    def middle(self, legal: list[Move]) -> Move:
        """The square with the most rows through it."""
        worth = self.field.board.worth[0]
        most = max(worth[move] for move in legal)
        return self.seat.rng.choice([move for move in legal if worth[move] == most])

    def by_force(self) -> Move:
        """The first move of a win by force, or the answer that the other side's four asks for; -1 if neither is."""
        field, forcing = self.field, self.field.forcing
        forced = int(forcing.must_take(field.board, 0))
        field.work[forcing.LIMIT] = FORCE_NODES
        for threes in range(THREES):
            found = int(forcing.win_by_force(field.board, 0, threes, field.work))
            if found >= 0:
                return found
        return max(forced, -1)

    def by_search(self, legal: list[Move]) -> Move:
        """The best move that a search deeper and deeper finds before the time is up."""
        field, won = self.field, self.field.won
        field.work[field.forcing.LIMIT] = 1 << 60
        moves = field.promising(0, ROOT_MOVES) or legal
        moves = self.safe(moves) or moves
        best = moves[0]
        for depth in range(1, DEEPEST):
            low, scores = -won, dict[Move, int]()
            for move in moves:
                score = field.score_after(move, depth, low=low)
                if field.stopped:
                    return max(scores, key=scores.__getitem__, default=best)
                scores[move] = score
                low = max(low, score)
            moves.sort(key=scores.__getitem__, reverse=True)
            best = moves[0]
            if abs(scores[best]) >= field.searches.SURE or len(moves) == 1:
                break
        return best

    def safe(self, moves: list[Move]) -> list[Move]:
        """The moves after which the other side is not found to win by force."""
        field, forcing = self.field, self.field.forcing
        found = []
        for move in moves:
            field.rows.put(field.board, move, 0)
            field.work[forcing.NODES], field.work[forcing.LIMIT] = 0, SAFE_NODES
            if forcing.win_by_force(field.board, 1, 2, field.work) < 0:
                found.append(move)
            field.rows.take(field.board, move)
        field.work[forcing.LIMIT] = 1 << 60
        return found
