"""A game's position on a board of rows, for the players that count rows; and how long they may think."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadPlayer, Move, Position

TABLE_BITS = 18
"""The table of scores of a search has 2 ** TABLE_BITS places: 10 MiB."""
WALKS = 3
"""Random games along which the rows are compared with the rules."""


class Field:
    """The board of a game, the side to move always 0."""

    def __init__(self, game: Game, player: str) -> None:
        fault = rows_fault(game)
        if fault:
            raise BadPlayer(f"{player} cannot play {game.name}: {fault}; it plays boards such as lines:15,15,5")
        import numpy as np  # and numba: only when it is wanted

        from perfectplay.engines import forcing, rows, rows_search

        assert game.rows is not None
        width, height = game.shape
        self.forcing: Any = forcing
        self.searches: Any = rows_search
        self.rows: Any = rows
        self.board = self.rows.new_board(width, height, [bit_numbers(row) for row in game.rows()])
        self.stack = self.searches.new_stack(width * height, TABLE_BITS)
        self.won: int = self.searches.WON
        self.work: Any = np.zeros(3, np.int64)
        self.wins = full_row_outcome(game) == LOSS
        self.warm_up()

    def warm_up(self) -> None:
        """Compiles or loads all loops, so that no move has to wait for it."""
        self.set_up((0, 1))
        with self.clock(None, nodes=1):
            self.forcing.win_by_force(self.board, 0, 0, self.work)
            for clever in (False, True):
                self.score_after(1, 1, clever)
            self.promising(0, 1)

    def set_up(self, position: Position) -> None:
        """Puts the marks of a position on the board."""
        self.rows.clear(self.board)
        for side, word in enumerate(position):
            for square in bit_numbers(word):
                self.rows.put(self.board, square, side)

    def score_after(self, move: Move, depth: int, clever: bool = True, low: int | None = None) -> int:
        """What a move of side 0 comes to, looked at to that depth, the move counted; at most `low` if it is no more."""
        sign = 1 if self.wins else -1
        self.rows.put(self.board, move, 0)
        if self.board.state[2]:
            score = sign * self.won
        else:
            beta = self.won if low is None else -low
            score = -int(
                self.searches.search(self.board, 1, depth - 1, -self.won, beta, sign, clever, self.stack, self.work)
            )
        self.rows.take(self.board, move)
        return score

    def promising(self, side: int, most: int) -> list[Move]:
        """The most promising squares near marks, no more than so many."""
        count = self.searches.promising(self.board, side, most, False, self.stack.moves[0])
        return [int(square) for square in self.stack.moves[0, :count]]

    @contextmanager
    def clock(self, seconds: float | None, nodes: int = 1 << 60) -> Iterator[None]:
        """Lets a search work on so long and on so many nodes, then stops it."""
        self.work[:] = (0, nodes, 0)
        alarm = None if seconds is None else Timer(seconds, self.stop)
        if alarm is not None:
            alarm.daemon = True
            alarm.start()
        try:
            yield
        finally:
            if alarm is not None:
                alarm.cancel()

    def stop(self) -> None:
        """Ends the search that is going on, from any thread."""
        self.work[self.forcing.STOP] = 1

    @property
    def stopped(self) -> bool:
        """Whether the search was stopped."""
        return bool(self.work[self.forcing.STOP])


def full_row_outcome(game: Game) -> int:
    """What a full row means for the side to move after it: LOSS, or WIN if who makes it loses."""
    assert game.rows is not None
    return game.outcome(0, game.rows()[0])


def rows_fault(game: Game) -> str:
    """Why the game is not one of rows on a board of free squares, if so: found by comparing it along random games."""
    from random import Random

    if game.rows is None:
        return "it has no rows"
    rng, rows, ended = Random(1), [*game.rows()], full_row_outcome(game)
    full = (1 << game.shape[0] * game.shape[1]) - 1
    if ended not in (LOSS, WIN):
        return "a full row does not end the game"
    for _ in range(WALKS):
        mine, theirs = game.start
        while True:
            made = any(theirs & row == row for row in rows)
            expected = ended if made else DRAW if mine | theirs == full else ONGOING
            if game.outcome(mine, theirs) != expected:
                return "its rows are not what ends the game"
            if expected != ONGOING:
                break
            if game.moves(mine, theirs) != full & ~(mine | theirs):
                return "not every empty square may be taken"
            move = rng.choice(bit_numbers(game.moves(mine, theirs)))
            after = (theirs, mine | 1 << move)
            if game.play(mine, theirs, move) != after:
                return "a move is more than a mark on a square"
            mine, theirs = after
    return ""
