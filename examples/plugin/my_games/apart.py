"""Apart: mark squares of a strip, never beside a marked one; who cannot move loses."""

from perfectplay import LOSS, ONGOING, BadGame, Game

ALIASES = {"far-apart": "15"}
RESULTS = {"": "First player wins in 3"}


def game(squares=7):
    """The game on a strip of so many squares."""
    if not 1 <= squares <= 30:
        raise BadGame(f"a strip has 1 to 30 squares, not {squares}")
    strip = (1 << squares) - 1

    def moves(mine, theirs):
        marks = mine | theirs
        return strip & ~(marks | marks << 1 | marks >> 1)

    def play(mine, theirs, move):
        return theirs, mine | 1 << move

    def outcome(mine, theirs):
        return ONGOING if moves(mine, theirs) else LOSS

    return Game(moves=moves, play=play, outcome=outcome, bits=squares, shape=(squares, 1))
