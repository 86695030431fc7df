"""Tic-tac-toe as anyone would write it: perfectplay play examples/tictactoe.py."""

from perfectplay import DRAW, LOSS, ONGOING, Game

FULL = 0b111_111_111
LINES = (0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124)


def moves(mine, theirs):
    return FULL & ~(mine | theirs)


def play(mine, theirs, move):
    return theirs, mine | 1 << move


def outcome(mine, theirs):
    for line in LINES:
        if theirs & line == line:
            return LOSS
    return DRAW if mine | theirs == FULL else ONGOING


def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=9, shape=(3, 3))
