"""The classic tic-tac-toe exercise: players are plain functions of (board, side) that return (row, column).

`board` is a list of three rows of 'X', 'O' or None; `side`, 'X' or 'O', is the side to move: it comes from the
argument alone, so boards on which O moved first are as good as any.

    >>> from perfectplay.classic import finds_winning_moves_ai
    >>> finds_winning_moves_ai([["X", "O", None], [None, "O", None], ["X", None, None]], "X")
    (1, 0)

For the readers of another classic exercise there are functions of a state, a tuple of nine squares that hold 0 for
empty, 1 or 2; player 1 moves first, so the state tells which player is to move.

    >>> from perfectplay.classic import bestmove, perfectplay_outcome, win_probability
    >>> perfectplay_outcome((0, 0, 0, 0, 0, 0, 0, 0, 0))
    0
    >>> win_probability((1, 0, 0, 0, 0, 0, 0, 0, 0)) == 191 / 192
    True
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

from perfectplay.arena.battle import match, summed
from perfectplay.arena.referee import play_game
from perfectplay.bits import bit_numbers
from perfectplay.games.lines import game as lines
from perfectplay.notation import draw_position
from perfectplay.players import Maker, Seat, player_maker
from perfectplay.players.classic_board import Grid as Board
from perfectplay.players.classic_player import Classic, classic_player
from perfectplay.players.tricky import trick
from perfectplay.solvers.lookup_or_solve import best_moves
from perfectplay.solvers.minimax import minimax, minimax_moves
from perfectplay.solvers.steps import finished
from perfectplay.words import DRAW, FIRST, LOSS, SECOND, WIN, BadPosition, Player, Position

if TYPE_CHECKING:
    from perfectplay.explain.win_probability import WinProbabilities

__all__ = [
    "Tally",
    "bestmove",
    "finds_winning_and_losing_moves_ai",
    "finds_winning_moves_ai",
    "human_player",
    "minimax_ai",
    "minimax_score",
    "perfectplay_outcome",
    "play",
    "random_ai",
    "repeated_battle",
    "street_smart_minimax_ai",
    "win_probability",
]

GAME = lines(3, 3, 3)


class Tally(NamedTuple):
    """How many games were drawn, won by the first and by the second: `tally[play(...)]` is where a game counts."""

    draws: int
    first: int
    second: int


def position_of(board: Board, side: str) -> tuple[Position, int]:
    """The position, seen by the side to move, and that side by number."""
    if side not in ("X", "O"):
        raise BadPosition(f"side {side!r} is neither 'X' nor 'O'")
    if not is_grid(board):
        raise BadPosition(f"the classic board is 3 rows of 3 squares, not {board!r}")
    marks = [mark for row in board for mark in row]
    if not all(mark in ("X", "O", None) for mark in marks):
        raise BadPosition(f"a square holds 'X', 'O' or None; the board is {board!r}")
    x, o = (sum(1 << square for square, mark in enumerate(marks) if mark == wanted) for wanted in "XO")
    if GAME.outcome(x, o) == GAME.outcome(o, x) == LOSS:
        raise BadPosition(f"both sides have three in a row on the board {board!r}")
    return ((x, o), FIRST) if side == "X" else ((o, x), SECOND)


def is_grid(board: object) -> bool:
    """Whether this is three rows of three."""
    rows = (list, tuple)
    return isinstance(board, rows) and len(board) == 3 and all(isinstance(r, rows) and len(r) == 3 for r in board)


def winner(position: Position, side: int) -> int | None:
    """The side that has three in a row, whoever is to move."""
    mine, theirs = position
    if GAME.outcome(theirs, mine) == LOSS:
        return side
    return 1 - side if GAME.outcome(mine, theirs) == LOSS else None


@cache
def seated(name: str, side: int) -> Player:
    """The player of that name, which keeps what it has worked out and uses Python's module `random`."""
    return player_maker(name)(Seat(GAME, side, cast(random.Random, random)))


def open_position(board: Board, side: str) -> tuple[Position, int]:
    """The position and the side to move, of a game that is not over."""
    position, number = position_of(board, side)
    if winner(position, number) is not None or not GAME.moves(*position):
        raise BadPosition(f"the game is over, {side} has no move in\n{draw_position(GAME, position, number)}")
    return position, number


def answer(name: str, board: Board, side: str) -> tuple[int, int]:
    """The square that the player of that name takes."""
    position, number = open_position(board, side)
    return divmod(seated(name, number)(position), 3)


def random_ai(board: Board, side: str) -> tuple[int, int]:
    """Any empty square."""
    return answer("random", board, side)


def finds_winning_moves_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that wins, else any."""
    return answer("wins", board, side)


def finds_winning_and_losing_moves_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that wins, else one that keeps the other side from winning, else any."""
    return answer("blocks", board, side)


def minimax_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that keeps the best result: quickest win, else draw, else latest loss."""
    return answer("minimax", board, side)


def street_smart_minimax_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that keeps the best result, and among those worth the same threats and corners: the player `tricky`."""
    position, number = open_position(board, side)
    try:
        return divmod(seated("tricky", number)(position), 3)
    except BadPosition:  # not from an ordinary game, but a board all the same
        best = best_moves(minimax_moves(GAME, position))
        return divmod(max(best, key=lambda move: trick(GAME, position, move)), 3)


def minimax_score(board: Board, side: str) -> int:
    """+10 if X wins with best play, -10 if O does, 0 if neither does; `side` is to move."""
    position, number = position_of(board, side)
    won_by = winner(position, number)
    if won_by is None:
        value = minimax(GAME, position).value
        return 10 * (value if number == FIRST else -value)
    return 10 if won_by == FIRST else -10


def human_player(board: Board, side: str) -> tuple[int, int]:
    """The square that the person at the terminal names, asked again until it is an empty one."""
    position, _ = position_of(board, side)
    empty = [divmod(square, 3) for square in bit_numbers(GAME.moves(*position))]
    for label, row in zip(" 012", [("0", "1", "2"), *board], strict=True):
        print(label, *(mark or "." for mark in row))
    while True:
        words = input(f"{side}, your move as row and column, 0 to 2 each: ").replace(",", " ").split()
        if len(words) == 2 and all(word in ("0", "1", "2") for word in words):
            square = (int(words[0]), int(words[1]))
            if square in empty:
                return square
            print(f"{square} is taken.")
        else:
            print("Two numbers please, such as: 1 1")


def play(first: Classic | str, second: Classic | str) -> int:
    """0 if the game is drawn, 1 if the first player wins, 2 if the second does; a name stands for a player, too.

    An illegal move raises IllegalMove.
    """
    seats = (Seat(GAME, side, cast(random.Random, random)) for side in (FIRST, SECOND))
    record = play_game(GAME, maker_of(first)(next(seats)), maker_of(second)(next(seats)))
    return 0 if record.winner is None else record.winner + 1


def repeated_battle(first: Classic | str, second: Classic | str, games: int) -> Tally:
    """How many of the games end in a draw and how many each player wins; an illegal move loses the game."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    seed = random.getrandbits(32)
    tally = summed(match(GAME, (maker_of(first), maker_of(second)), seed)(range(games)))
    return Tally(tally.draws, *tally.wins)


def maker_of(player: Classic | str) -> Maker:
    """The maker for a function of (board, side) or for a player's name."""
    return player_maker(player) if isinstance(player, str) else classic_player(player)


State = tuple[int, ...]
"""Nine squares in reading order: 0 empty, 1 or 2."""


def position_in(state: Sequence[int]) -> Position:
    """The position, seen by the player to move: 1 if both have as many marks, else 2."""
    if len(state) != 9 or not all(mark in (0, 1, 2) for mark in state):
        raise BadPosition(f"a state is nine numbers, each 0, 1 or 2, not {state!r}")
    one, two = (sum(1 << square for square, mark in enumerate(state) if mark == wanted) for wanted in (1, 2))
    if one.bit_count() - two.bit_count() not in (0, 1):
        raise BadPosition(f"1 moves first, so 1 has as many marks as 2 or one more, not as in {state!r}")
    return (one, two) if one.bit_count() == two.bit_count() else (two, one)


@cache
def probabilities(centre: int) -> "WinProbabilities":
    """Our win probabilities against a random player that takes the centre `centre` times as often."""
    if not 0.001 <= centre <= 10**6:
        raise ValueError(f"centre must be 0.001 to 1000000, as many times as it is likelier, not {centre}")
    from perfectplay.explain.game_graph import graph_for
    from perfectplay.explain.policies import weighted
    from perfectplay.explain.win_probability import computing  # numpy: only when it is wanted

    graph = graph_for(GAME)
    return finished(computing(graph, weighted({4: Fraction(centre)})(graph, False)))


def perfectplay_outcome(state: Sequence[int]) -> int:
    """0 if best play draws, else the player who wins, 1 or 2."""
    position = position_in(state)
    found = probabilities(1)
    value = int(found.graph.values[found.graph.number(position)])
    mover = 1 + sum(position).bit_count() % 2
    return 0 if value == DRAW else mover if value == WIN else 3 - mover


def bestmove(state: Sequence[int], centre: int = 1) -> State:
    """The next state after the move that keeps the result and wins most often against a random player.

    The other player takes the centre `centre` times as often as any other square.
    """
    position = position_in(state)
    found = probabilities(centre)
    edges = found.graph.edges(found.graph.number(position))
    if edges.start == edges.stop:
        raise BadPosition(f"the game is over in {tuple(state)!r}")
    square = int(found.graph.moves[edges][found.chosen[edges]][0])
    mover = 1 + sum(position).bit_count() % 2
    return *state[:square], mover, *state[square + 1 :]


def win_probability(state: Sequence[int], centre: int = 1) -> float:
    """The win probability of the player that has just moved, against a random player."""
    found = probabilities(centre)
    return float(found.when_theirs(found.graph.number(position_in(state))).win)
