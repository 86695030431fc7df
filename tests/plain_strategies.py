"""Strategies followed by other means: what the rules mean, written again from the rules of the game alone.

A score function takes a Seat and a move; a list keeps the moves with the greatest score, rule after rule.
"""

from functools import cache
from itertools import product

from perfectplay import ONGOING, WIN
from perfectplay.bits import bit_numbers
from perfectplay.game import after
from perfectplay.rules.notation import board_rows, move_name

CORNERS, EDGES = ("a1", "c1", "a3", "c3"), ("b1", "a2", "c2", "b3")


class Seat:
    """A position with our side to move, and what a person sees there."""

    def __init__(self, game, position, side):
        self.game, self.position, self.side = game, position, side
        self.moves = bit_numbers(game.moves(*position))

    def name(self, move):
        return move_name(self.game, self.position, self.side, move)

    def after(self, move):
        return self.game.play(*self.position, move)

    def board(self):
        """The texts of the squares, by column and row."""
        return squares(self.game, self.position, self.side)

    def board_after(self, move):
        return squares(self.game, self.after(move), 1 - self.side)

    def landing(self, move):
        """The squares on which a piece of our side stands after the move and not before."""
        own = set(self.game.look.pieces[self.side])
        before, after = self.board(), self.board_after(move)
        return [at for at in after if after[at] in own and before[at] not in own]


def squares(game, position, side):
    rows = board_rows(game, position, side)
    return {(x, y): text for y, row in enumerate(rows) for x, text in enumerate(row)}


@cache
def replies(game, position):
    """The positions one move on; none when the game is over."""
    if game.outcome(*position) != ONGOING:
        return ()
    return tuple(game.play(*position, move) for move in bit_numbers(game.moves(*position)))


def wins_now(game, position):
    """Whether the mover can win at once."""
    return any(game.outcome(*child) == -WIN for child in replies(game, position))


def has_lost(game, position):
    return game.outcome(*position) == -WIN


def loses_next(game, position):
    """Whether whatever the mover plays lets the other side win at once, or the game is lost."""
    if game.outcome(*position) != ONGOING:
        return has_lost(game, position)
    return all(wins_now(game, child) or game.outcome(*child) == WIN for child in replies(game, position))


def can_double(game, position):
    """Whether the mover can win at once or make a double threat."""
    return any(loses_next(game, child) for child in replies(game, position))


def unsafe(game, position):
    """How many moves of the mover let the other side win at once."""
    return sum(wins_now(game, child) or game.outcome(*child) == WIN for child in replies(game, position))


def threatening(game, position):
    """How many moves of the mover win at once or make a threat: after some reply it could win at once."""
    return sum(has_lost(game, child) or unsafe(game, child) > 0 for child in replies(game, position))


def ended_badly(seat, move):
    return seat.game.outcome(*seat.after(move)) == WIN


def few_escapes(seat, move):
    child = seat.after(move)
    if has_lost(seat.game, child):
        return 0
    if seat.game.outcome(*child) != ONGOING:
        return -1000
    return unsafe(seat.game, child) - len(replies(seat.game, child))


def near_other(seat, move):
    board, others = seat.board(), seat.game.look.pieces[1 - seat.side]
    steps = [step for step in product((-1, 0, 1), repeat=2) if any(step)]
    return any(board.get((x + i, y + j)) in others for x, y in seat.landing(move) for i, j in steps)


def far_from_middle(seat, move):
    width, height = seat.game.shape
    return max((2 * x - width + 1) ** 2 + (2 * y - height + 1) ** 2 for x, y in seat.landing(move))


def balanced(seat, move):
    board = seat.board_after(move)
    total = 0
    for column in {x for x, _ in board}:
        total ^= sum(text == "o" for (x, _), text in board.items() if x == column)
    return total == 0


def is_first(seat):
    begin = seat.game.start
    return seat.position == begin or (seat.side == 1 and seat.position in replies(seat.game, begin))


MEANINGS = {
    "win": lambda seat, move: has_lost(seat.game, seat.after(move)),
    "stop": lambda seat, move: not ended_badly(seat, move) and not wins_now(seat.game, seat.after(move)),
    "no-fork": lambda seat, move: not ended_badly(seat, move) and not can_double(seat.game, seat.after(move)),
    "fork": lambda seat, move: loses_next(seat.game, seat.after(move)),
    "few-dangers": lambda seat, move: -threatening(seat.game, seat.after(move)),
    "few-escapes": few_escapes,
    "near-other": near_other,
    "outer": far_from_middle,
    "high": lambda seat, move: -min(y for _, y in seat.landing(move)),
    "balance-columns": balanced,
    "play:centre": lambda seat, move: seat.name(move) == "b2",
    "play:corner": lambda seat, move: seat.name(move) in CORNERS,
    "not:edge": lambda seat, move: seat.name(move) not in EDGES,
    "open:edge": lambda seat, move: is_first(seat) and seat.name(move) in EDGES,
    "open:corner": lambda seat, move: is_first(seat) and seat.name(move) in CORNERS,
    "play:1,4": lambda seat, move: seat.name(move) in ("1", "4"),
}
"""What the rules mean, by their names; of kinds of squares those of boards of 3 x 3 squares."""


def left_by(rules, seat):
    """The moves that are left when the rules are applied in turn."""
    moves = seat.moves
    for rule in rules:
        scores = [int(MEANINGS[rule](seat, move)) for move in moves]
        moves = [move for move, score in zip(moves, scores, strict=True) if score == max(scores)]
    return moves


def keeps(game, side, value, choose):
    """Whether the side gets this value or more, whatever the other plays and whichever chosen moves it makes itself.

    A win must come to an end. `choose` takes a Seat and returns moves, none where the value is given away already.
    """
    met, way = {}, set()

    def kept(position, mover):
        turn = position, mover
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return (outcome if mover == side else -outcome) >= value
        if turn in way:
            return value < WIN
        if turn not in met:
            way.add(turn)
            moves = choose(Seat(game, position, side)) if mover == side else bit_numbers(game.moves(*position))
            met[turn] = bool(moves) and all(kept(*after(game, position, mover, move)) for move in moves)
            way.discard(turn)
        return met[turn]

    return kept(game.start, 0)
