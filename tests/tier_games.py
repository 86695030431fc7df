"""Tiers of known games, and small games whose tiers lead to each other."""

from perfectplay import Game


def marks(mine, theirs):
    """The tier of games in which marks are only added."""
    return mine.bit_count() + theirs.bit_count()


def one(mine, theirs):
    """A single tier."""
    return 7


def half(mine, theirs):
    """Tiers of two plies, counted from below zero."""
    return (mine.bit_count() + theirs.bit_count()) // 2 - 3


def taken(mine, theirs):
    """The seeds in the stores of kalah:2,2."""
    return (mine >> 8) + (theirs >> 8)


def endless_above(tier=None):
    """A game whose lower tier leads to an endless draw in the higher one: 2 and 3 repeat, and 4 loses for 3."""
    children = (1, 1, 2, 2, 3, 3, 2, 4)

    def moves(mine, theirs):
        return 3

    def play(mine, theirs, move):
        return children[2 * mine + move] if mine < 4 else 0, 0

    def outcome(mine, theirs):
        return 1 if mine == 4 else 2

    return Game(moves=moves, play=play, outcome=outcome, bits=3, shape=(3, 1), name="endless above", tier=tier)


def from_two(mine, theirs):
    """The tiers of that game."""
    return 1 if mine > 1 else 0
