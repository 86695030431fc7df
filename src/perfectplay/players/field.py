"""A game's position on a board of rows, for the players that count rows."""

from collections import Counter
from random import Random
from typing import Any

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.players.clock import Clock
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadPlayer, Move, Position

MOST_SQUARES, MOST_ROWS, MOST_THROUGH = 1024, 4096, 511
"""How great a board may be, how many rows it may have, and how many may go through a square."""
WALKS = 3
"""Random games along which the rows are compared with the rules."""


class Field:
    """The board of a game, the side to move always 0."""

    def __init__(self, game: Game, player: str) -> None:
        fault = rows_fault(game)
        if fault:
            raise cannot_play(player, game, fault)
        from perfectplay.engines.boards import load_routes  # numba: only when it is wanted

        self.clock, self.loops = Clock(), load_routes()
        self.board = board_of_rows(self.loops, game)
        self.stack = self.loops.new_stack(self.board.area)
        self.won: int = self.loops.WON
        self.sign = 1 if full_row_outcome(game) == LOSS else -1
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
        score = self.loops.search(self.board, 1, depth - 1, -self.won, high, self.sign, *self.stack, self.clock.work)
        self.loops.take(self.board, move)
        return -int(score)


def board_of_rows(loops: Any, game: Game) -> Any:
    """The empty board with the game's rows."""
    assert game.rows is not None
    return loops.new_board(game.shape[0] * game.shape[1], [bit_numbers(row) for row in game.rows()])


def set_up(loops: Any, board: Any, position: Position) -> None:
    """Puts the marks of a position on a board, and no others."""
    loops.clear(board)
    for side, word in enumerate(position):
        for square in bit_numbers(word):
            loops.put(board, square, side)


def cannot_play(player: str, game: Game, fault: str) -> BadPlayer:
    """The error that a player cannot play a game."""
    return BadPlayer(f"{player} cannot play {game.name}: {fault}; it plays boards such as lines:15,15,5")


def full_row_outcome(game: Game) -> int:
    """What a full row means for the side to move after it: LOSS, or WIN if who makes it loses."""
    assert game.rows is not None
    return game.outcome(0, game.rows()[0])


def rows_fault(game: Game) -> str:
    """Why the game is not one of rows on a board of free squares, if so: found by comparing it along random games."""
    rows = [] if game.rows is None else [*game.rows()]
    if not rows:
        return "it has no rows"
    if len({row.bit_count() for row in rows}) > 1:
        return "its rows are not of one length"
    through = Counter(square for row in rows for square in bit_numbers(row))
    if game.shape[0] * game.shape[1] > MOST_SQUARES or len(rows) > MOST_ROWS or max(through.values()) > MOST_THROUGH:
        return "it is too big"
    if full_row_outcome(game) not in (LOSS, WIN):
        return "a full row does not end the game"
    rng = Random(1)
    return next(filter(None, (fault_on_a_walk(game, rows, rng) for _ in range(WALKS))), "")


def fault_on_a_walk(game: Game, rows: list[int], rng: Random) -> str:
    """What is not as it should be along a random game, if anything."""
    ended, full = full_row_outcome(game), (1 << game.shape[0] * game.shape[1]) - 1
    mine, theirs = game.start
    while True:
        made = any(theirs & row == row for row in rows)
        expected = ended if made else DRAW if mine | theirs == full else ONGOING
        if game.outcome(mine, theirs) != expected:
            return "its rows are not what ends the game"
        if expected != ONGOING:
            return ""
        if game.moves(mine, theirs) != full & ~(mine | theirs):
            return "not every empty square may be taken"
        move = rng.choice(bit_numbers(game.moves(mine, theirs)))
        after = (theirs, mine | 1 << move)
        if game.play(mine, theirs, move) != after:
            return "a move is more than a mark on a square"
        mine, theirs = after
