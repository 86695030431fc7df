"""Small games with extra turns and points, as files, for engines that load them by name."""

CENTRE = """
from dataclasses import replace

from perfectplay import LOSS, WIN, load


def game():
    base = load("fading:3,2")
    put, over = base.play, base.outcome

    def again(mine, theirs, move):
        return move == 4

    def play(mine, theirs, move):
        other, own = put(mine, theirs, move)
        return (own, other) if move == 4 else (other, own)

    def outcome(mine, theirs):
        return WIN if over(theirs, mine) == LOSS else over(mine, theirs)

    return replace(base, play=play, outcome=outcome, again=again)
"""
"""Fading marks, two in a row, in which the centre gives another turn: it has cycles, and a side can win to move."""

COINS = """
from perfectplay import DRAW, LOSS, ONGOING, WIN, Game


def game():
    def moves(mine, theirs):
        return 127 & ~(mine | theirs)

    def play(mine, theirs, move):
        return (mine | 1 << move, theirs) if move % 3 == 0 else (theirs, mine | 1 << move)

    def again(mine, theirs, move):
        return move % 3 == 0

    def margin(mine, theirs):
        return mine.bit_count() + (mine >> 2).bit_count() - theirs.bit_count() - (theirs >> 2).bit_count()

    def outcome(mine, theirs):
        lead = margin(mine, theirs)
        return ONGOING if mine | theirs != 127 else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    return Game(moves=moves, play=play, outcome=outcome, again=again, margin=margin, bits=7, shape=(7, 1))
"""
"""Take one of seven coins, of which five are worth two points; every third gives another turn: it has layers."""


def written(folder, name):
    """The path of a file with that game."""
    path = folder / f"{name}.py"
    path.write_text({"centre": CENTRE, "coins": COINS}[name])
    return str(path)
