"""`threats`: an engine for great boards: searches near marks, and for wins by fours and open threes, threats:0.5."""

from typing import Any

from perfectplay.bits import bit_numbers, run_masks, runs
from perfectplay.game import Game, legal_moves
from perfectplay.players.clock import ENDLESS, Clock
from perfectplay.players.field import full_row_outcome, rows_fault
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import LOSS, BadPlayer, Move, Player, Position

TABLE_BITS = 18
"""The table of scores has 2 ** TABLE_BITS places: 10 MiB."""
FORCE_NODES = 30_000
"""Nodes of a search for a win by force, for either side."""
SAFE_NODES = 10_000
"""The same after each move that is to be safe."""
ROOT_MOVES = 30
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
    """What a player keeps from move to move: the board, on which the side to move is 0, and the table of scores."""

    def __init__(self, seat: Seat) -> None:
        from perfectplay.engines import shapes, threat_search  # numba: only when it is wanted

        fault = threats_fault(seat.game)
        if fault:
            raise BadPlayer(
                f"threats cannot play {seat.game.name}: {fault}; it plays boards such as lines:15,15,5"
            )
        width, height = seat.game.shape
        self.seat, self.clock = seat, Clock()
        self.shapes: Any = shapes
        self.searches: Any = threat_search
        self.won: int = threat_search.WON
        self.board = shapes.new_shapes(width, height, row_length(seat.game))
        self.stack = threat_search.new_stack(width * height, TABLE_BITS)
        self.choose((0, 1), 0.001)  # compiles or loads, so that no move has to wait for it

    def set_up(self, position: Position) -> None:
        """Puts the marks of a position on the board."""
        self.shapes.clear(self.board)
        for side, word in enumerate(position):
            for square in bit_numbers(word):
                self.shapes.put(self.board, square, side)

    def search(self, side: int, mode: int, depth: int, low: int, high: int) -> int:
        """The score for a side to move on the board as it is."""
        return int(self.searches.search(self.board, side, mode, depth, low, high, self.stack, self.clock.work))

    def choose(self, position: Position, seconds: float | None) -> Move:
        """The move found in so many seconds, or in a second if nothing is said."""
        legal = legal_moves(self.seat.game, position)
        self.set_up(position)
        with self.clock.running((1.0 if seconds is None else seconds) - MARGIN):
            moves = self.answers() or legal
            if len(moves) == 1:
                return moves[0]
            if not self.board.count:
                return self.seat.rng.choice(self.most_worth(moves))
            best = self.win_by_force(0, FORCE_NODES)
            return self.deepened(moves[:ROOT_MOVES]) if best is None else best

    def answers(self) -> list[Move]:
        """The moves to be looked at, the most promising first; one that wins or must be is the only one."""
        squares, board = self.stack.moves[0], self.board
        five, never = self.shapes.FIVE, self.searches.NEVER
        for mine, theirs in ((five, never), (never, five), (self.shapes.WINNING, never)):
            count = self.searches.squares_of_kind(board, 0, mine, theirs, squares)
            if count:
                return [int(squares[0]) & self.searches.LOW]
        count = self.searches.candidates(board, 0, self.searches.EVERY, False, False, squares)
        return [promise & self.searches.LOW for promise in sorted(squares[:count].tolist(), reverse=True)]

    def most_worth(self, moves: list[Move]) -> list[Move]:
        """The squares that are worth most."""
        worth = self.board.worth[0]
        return [move for move in moves if worth[move] == max(worth[moves])]

    def win_by_force(self, side: int, nodes: int) -> Move | None:
        """The first move of a win of the side by fours and open threes, which are looked for deeper and deeper."""
        searches, work = self.searches, self.clock.work
        for mode in (searches.FOURS, searches.THREES):
            before = -1
            self.clock.allow(nodes)
            for depth in range(1, DEEPEST):
                begin = work[0]
                score = self.search(side, mode, depth, 0, 1)
                if self.clock.spent:
                    break
                if score >= searches.SURE:
                    return int(self.stack.numbers[0, searches.BEST_MOVE])
                if work[0] - begin == before:
                    break  # nothing was cut off by the depth
                before = work[0] - begin
        return None

    def deepened(self, moves: list[Move]) -> Move:
        """The best move that a search deeper and deeper finds before the time is up, and that is not refuted by force."""
        best, safe, lost = moves[0], set[Move](), set[Move]()
        for depth in range(1, DEEPEST):
            self.clock.allow(ENDLESS)
            scores = self.scores(moves, depth)
            if self.clock.stopped and len(scores) < 2:
                return best
            moves = sorted(scores, key=scores.__getitem__, reverse=True) + [move for move in moves if move not in scores]
            while moves[0] not in safe and not self.clock.stopped and len(lost) + 1 < len(moves):
                if self.loses_by_force(moves[0]):
                    lost.add(moves[0])
                    moves = [*moves[1:], moves[0]]
                else:
                    safe.add(moves[0])
            best = moves[0]
            if self.clock.stopped or len(moves) == 1 or abs(scores.get(best, 0)) >= self.searches.SURE:
                break
            moves = [move for move in moves if move not in lost] or moves
        return best

    def loses_by_force(self, move: Move) -> bool:
        """Whether the other side is found to win by force after a move."""
        self.shapes.put(self.board, move, 0)
        lost = self.board.tally[0, self.shapes.FIVE] == 0 and self.win_by_force(1, SAFE_NODES) is not None
        self.shapes.take(self.board, move)
        return bool(lost)

    def scores(self, moves: list[Move], depth: int) -> dict[Move, int]:
        """What the moves come to, looked at to that depth; less good ones at most that. Some only, if time is up."""
        found: dict[Move, int] = {}
        low = -self.won
        for move in moves:
            self.shapes.put(self.board, move, 0)
            score = -self.search(1, self.searches.EVERY, depth - 1, -self.won, -low)
            self.shapes.take(self.board, move)
            if self.clock.stopped:
                break
            found[move] = score
            low = max(low, score)
        return found


def threats_fault(game: Game) -> str:
    """Why the engine cannot play the game, if so."""
    fault = rows_fault(game)
    if fault:
        return fault
    if full_row_outcome(game) != LOSS:
        return "it tries to make rows, and here who makes one loses"
    (width, height), length = game.shape, row_length(game)
    if {*game.rows()} != {*run_masks(runs(width, height, length), length)}:
        return "its rows are not the straight ones"
    if width * height > 1024 or max(width, height) + 2 * length > 64:
        return "it is too big"
    return ""


def row_length(game: Game) -> int:
    """The squares of a row."""
    assert game.rows is not None
    return game.rows()[0].bit_count()
