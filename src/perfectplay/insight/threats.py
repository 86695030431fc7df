"""Threats: what the other side would win, or win back, if the side to move could pass."""

from functools import lru_cache
from random import Random
from typing import NamedTuple

from perfectplay.game import Game, after, legal_moves
from perfectplay.players.named.one_ply_players import is_win, winning_moves
from perfectplay.rules.notation import parse_position, show_position, side_letter
from perfectplay.solvers.oracle import REMEMBERED, Oracle
from perfectplay.solvers.search.lookahead import look_ahead
from perfectplay.solvers.validity.plausibility import only_adds
from perfectplay.solvers.worth import Study
from perfectplay.views.board_squares import winning_lines
from perfectplay.words import FIRST, ONGOING, WIN, BadPosition, Move, Position

GLANCE = 1_500
"""Positions of the look ahead from a position that no table holds, because only a pass leads there."""


SOON = 5
"""A threat that takes at most so many plies is worth telling."""


class Threats(NamedTuple):
    """The threats of the other side: the position in which it would be to move, and its moves there.

    `value` is what these moves would be worth to it, and `plies` how soon they win; None where they do not, or in games
    for points.
    """

    position: Position
    moves: tuple[Move, ...]
    value: int
    plies: int | None

    @property
    def at_once(self) -> bool:
        """Whether they win at once."""
        return self.value == WIN and self.plies == 1

    @property
    def soon(self) -> bool:
        """Whether they win so soon that a person would look for them."""
        return self.value == WIN and self.plies is not None and self.plies <= SOON


@lru_cache(maxsize=REMEMBERED)
def threats(oracle: Oracle, position: Position, side: int) -> Threats | None:
    """The threats of the other side; None if nothing is proven to be threatened."""
    other = after_pass(oracle.game, position, side)
    if other is None or not legal_moves(oracle.game, position):
        return None
    wins = winning_moves(oracle.game, other)
    if wins:
        return Threats(other, tuple(wins), WIN, 1) if makes_sense(oracle, other) else None
    study, here = study_after_pass(oracle, other), oracle.study(position).here
    if study is None or study.here.value is None or -study.here.value >= here.least:
        return None
    return Threats(other, tuple(study.best), study.here.value, study.here.distance)


def makes_sense(oracle: Oracle, other: Position) -> bool:
    """Whether a position that a pass leads to makes sense: it can be reached, or moves only add pieces."""
    if only_adds(oracle.game) or not oracle.proves:
        return only_adds(oracle.game)
    try:
        oracle.study(other)
    except BadPosition:
        return False
    return True


@lru_cache(maxsize=REMEMBERED)
def study_after_pass(oracle: Oracle, other: Position) -> Study | None:
    """The study of a position that a pass leads to: complete if it can be reached, else by a short search."""
    if not makes_sense(oracle, other):
        return None
    if oracle.proves:
        try:
            return oracle.study(other)
        except BadPosition:
            pass
    if len(legal_moves(oracle.game, other)) ** 2 > GLANCE:  # even two plies take too long
        return None
    return look_ahead(oracle.game, other, GLANCE)


def answers(game: Game, position: Position, side: int) -> list[Move]:
    """The moves after which the other side cannot win at once."""
    turns = {move: after(game, position, side, move) for move in legal_moves(game, position)}
    return [move for move, (child, mover) in turns.items() if mover == side or not winning_moves(game, child)]


def is_double(game: Game, position: Position, side: int, theirs: Threats | None) -> bool:
    """Whether two or more moves threaten to win at once and no single move answers: none wins first or stops all."""
    if theirs is None or not theirs.at_once or len(theirs.moves) < 2:
        return False
    return not winning_moves(game, position) and not answers(game, position, side)


def completed_lines(game: Game, position: Position, side: int, move: Move) -> list[str]:
    """The lines that a winning move completes, as the names of their squares: a3-b2-c1.

    Where squares have no names of their own, as in a game of columns, it is their number: 4 in a row.
    """
    child, mover = after(game, position, side, move)
    lines = [] if mover == side else winning_lines(game, child, mover)
    if not all(game.look.rows) or not all(game.look.columns):
        return [f"{len(line)} in a row" for line in lines]
    return ["-".join(square_name(game, square) for square in line) for line in lines]


def square_name(game: Game, square: int) -> str:
    """The name of a square: its column and row."""
    width, _ = game.shape
    return game.look.columns[square % width] + game.look.rows[square // width]


# The same board with the other side to move: what would be if the side to move could pass.
#
# No rule allows a pass, so it is made by the position's text, which says who is to move and what stands where. In some
# games that is no position, or one of another meaning: where the roles of the sides follow from the number of pieces, a
# pass exchanges them. Random games show that: a move that wins at once after a pass must also win after some move.


GAMES, LONGEST = 12, 60
"""Random games, and their plies at most, that show whether a pass makes sense in a game."""
ENOUGH = 60
"""Wins after a pass that settle it."""
MOST_MOVES = 20_000
"""Moves looked at, at most: on a large board random games have few wins."""


def after_pass(game: Game, position: Position, side: int) -> Position | None:
    """The position that the other side sees if this side passes; None where a pass makes no sense."""
    return swap_sides(game, position, side) if may_pass(game) else None


def swap_sides(game: Game, position: Position, side: int) -> Position | None:
    """The position with the same board and the other side to move; None if there is none or it is finished."""
    if only_adds(game):  # then the board of either side is its word
        swapped = (position[1], position[0])
    else:
        board = show_position(game, position, side).partition(":")[2]
        try:
            swapped, _ = parse_position(game, f"{side_letter(game, 1 - side)}:{board}")
        except BadPosition:
            return None
    return swapped if game.outcome(*swapped) == ONGOING else None


@lru_cache(maxsize=64)
def may_pass(game: Game) -> bool:
    """Whether the game stays the same game after a pass: legal play does not contradict the wins that a pass allows."""
    rng, votes, count = Random(1), 0, 0
    for _ in range(GAMES):
        position, side = game.start, FIRST
        for _ in range(LONGEST):
            legal = legal_moves(game, position)
            count += len(legal)
            if not legal or abs(votes) > ENOUGH or count > MOST_MOVES:
                break
            other = swap_sides(game, position, side)
            for win in [] if other is None else winning_moves(game, other):
                votes += vote(game, position, side, win)
            position, side = after(game, position, side, rng.choice(legal))
    return votes >= 0


def vote(game: Game, position: Position, side: int, win: Move) -> int:
    """1 if the other side's winning move also wins after some move of this side, -1 if not, 0 if it is never legal."""
    turns = [after(game, position, side, move) for move in legal_moves(game, position)]
    children = [child for child, mover in turns if mover != side and win in legal_moves(game, child)]
    return 0 if not children else 1 if any(is_win(game, child, win) for child in children) else -1
