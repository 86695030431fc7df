"""Games with far ends: one that words of 64 bits cannot follow, and one with a single line of moves."""

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


def corridor(plies):
    """A game with one move at a time; the last move wins."""
    return Game(
        moves=lambda mine, theirs: 1,
        play=lambda mine, theirs, move: (theirs, mine + 1),
        outcome=lambda mine, theirs: LOSS if mine + theirs == plies else ONGOING,
        bits=12,
        shape=(12, 1),
        move_names=("on",),
    )
