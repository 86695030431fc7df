"""`squares`: takes a square that most winning lines go through: on 3x3 the centre, then corners, then edges."""

from functools import lru_cache

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import full_line_outcome, lines_fault
from perfectplay.game import Game
from perfectplay.players.player_kind import ANY_MOVE, LINE_GAMES, Liking, PlayerKind
from perfectplay.solvers.search.threat_engine import cannot_play
from perfectplay.words import LOSS, Move, Position


@lru_cache(maxsize=8)
def square_values(game: Game) -> list[int]:
    """For each square how many winning lines go through it; the negative where a full line loses."""
    assert game.winning_lines is not None
    values, sign = [0] * (game.shape[0] * game.shape[1]), 1 if full_line_outcome(game) == LOSS else -1
    for line in game.winning_lines():
        for square in bit_numbers(line):
            values[square] += sign
    return values


def refuse_without_lines(game: Game) -> None:
    """Raises BadPlayer for a game that is not a line game."""
    fault = lines_fault(game)
    if fault:
        raise cannot_play("squares", game, fault)


def value_of(game: Game, position: Position, move: Move) -> int:
    """What the square that the move takes is worth, whatever stands on the board."""
    return square_values(game)[move]


A_GOOD_SQUARE = ANY_MOVE._replace(suits=refuse_without_lines).preferring(Liking(value_of))

SQUARES = PlayerKind(
    "squares",
    "takes the square that the most winning lines go through, whatever stands on the board",
    A_GOOD_SQUARE.maker,
    policy=A_GOOD_SQUARE.policy,
    games=LINE_GAMES,
    fault=lambda game, solved: lines_fault(game),
)
