"""A game's position on a board of lines, for the players that count lines."""

from typing import Any

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import full_line_outcome, lines_fault
from perfectplay.game import Game
from perfectplay.solvers.search.search_clock import Clock, StopSignal
from perfectplay.solvers.search.threat_engine import cannot_play, set_up
from perfectplay.words import LOSS, Move, Position


class Field:
    """The board of a game, the side to move always 0; with `ways` only the ways to win are measured."""

    def __init__(self, game: Game, player: str, ways: bool = False, stop: StopSignal | None = None) -> None:
        fault = lines_fault(game)
        if fault:
            raise cannot_play(player, game, fault)
        from perfectplay.players.line_games.line_kernels import load_routes  # numba: only when it is wanted

        self.clock, self.loops = Clock(stop), load_routes()
        self.board = board_with_lines(self.loops, game)
        self.stack = self.loops.new_stack(self.board.area)
        self.won: int = self.loops.WON
        self.sign = 1 if full_line_outcome(game) == LOSS else -1
        self.measure: int = self.loops.WAYS if ways else self.loops.OPEN_LINES
        self.set_up(game.start)
        self.score_after(0, 1)  # compiles or loads, so that no move has to wait for it

    def set_up(self, position: Position) -> None:
        """Puts the marks of a position on the board."""
        set_up(self.loops, self.board, position)
        self.stack[-1][:] = 0

    def score_after(self, move: Move, depth: int, low: int | None = None) -> int:
        """What a move of side 0 comes to, looked at to that depth, the move counted; at most `low` if it is no more."""
        high = self.won if low is None else -low
        self.loops.put(self.board, move, 0)
        how = self.sign, self.measure, *self.stack, self.clock.work
        score = self.loops.search(self.board, 1, depth - 1, -self.won, high, *how)
        self.loops.take(self.board, move)
        return -int(score)


def board_with_lines(loops: Any, game: Game) -> Any:
    """The empty board with the game's lines."""
    assert game.winning_lines is not None
    return loops.new_board(game.shape[0] * game.shape[1], [bit_numbers(line) for line in game.winning_lines()])
