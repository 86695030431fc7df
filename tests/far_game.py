"""A game that words of 64 bits cannot follow to its end."""

from perfectplay import LOSS, ONGOING, Game


def far_game():
    """A game whose outcome is right interpreted; compiled without a guard, the shift would come around to 1."""

    def moves(mine, theirs):
        return 3

    def play(mine, theirs, move):
        return mine + 1 + move, theirs

    def outcome(mine, theirs):
        return LOSS if (1 << mine) > (1 << 62) else ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=7, shape=(2, 1))
