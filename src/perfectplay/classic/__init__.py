"""The classic tic-tac-toe exercise: players are plain functions of (board, side) that return (row, column).

`board` is a list of rows of 'X', 'O' or None, of any size; as many in a row win as its shorter side has squares, or as
`k` says. `side`, 'X' or 'O', is the side to move: it comes from the argument alone, so boards on which O moved first
are as good as any.

    >>> from perfectplay.classic import finds_winning_moves_ai, get_winner, make_move, new_board, render
    >>> finds_winning_moves_ai([["X", "O", None], [None, "O", None], ["X", None, None]], "X")
    (1, 0)
    >>> board = make_move(new_board(), (1, 1), "X")
    >>> print(render(board))
      0 1 2
    0 . . .
    1 . X .
    2 . . .
    >>> get_winner(board) is None
    True

For the readers of another classic exercise there are functions of a state, a tuple of nine squares that hold 0 for
empty, 1 or 2; player 1 moves first, so the state tells which player is to move.

    >>> from perfectplay.classic import bestmove, perfectplay_outcome, win_probability
    >>> perfectplay_outcome((0, 0, 0, 0, 0, 0, 0, 0, 0))
    <GameOutcome.Draw: 0>
    >>> win_probability((1, 0, 0, 0, 0, 0, 0, 0, 0)) == 191 / 192
    True
"""

from perfectplay.classic.ais import (
    find_winning_and_losing_moves_ai,
    find_winning_moves_ai,
    finds_winning_and_losing_moves_ai,
    finds_winning_moves_ai,
    human_player,
    minimax_ai,
    minimax_score,
    minmax_ai,
    random_ai,
    street_smart_minimax_ai,
    street_smart_minmax_ai,
)
from perfectplay.classic.battles import GameOutcome, Tally, play, repeated_battle
from perfectplay.classic.grids import get_winner, is_full, legal_moves, make_move, new_board, render
from perfectplay.classic.nine_squares import bestmove, perfectplay_outcome, win_probability


def __dir__() -> list[str]:
    """The public names."""
    return __all__


__all__ = [
    "GameOutcome",
    "Tally",
    "bestmove",
    "find_winning_and_losing_moves_ai",
    "find_winning_moves_ai",
    "finds_winning_and_losing_moves_ai",
    "finds_winning_moves_ai",
    "get_winner",
    "human_player",
    "is_full",
    "legal_moves",
    "make_move",
    "minimax_ai",
    "minimax_score",
    "minmax_ai",
    "new_board",
    "perfectplay_outcome",
    "play",
    "random_ai",
    "render",
    "repeated_battle",
    "street_smart_minimax_ai",
    "street_smart_minmax_ai",
    "win_probability",
]
