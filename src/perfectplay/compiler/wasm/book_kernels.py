# mypy: ignore-errors
"""The loop that finds the positions of an opening book again: a pattern like `compiler/kernels/search_kernels.py`."""

from perfectplay.compiler.intrinsics import lowest
from perfectplay.compiler.kernels.default_hints import inside
from perfectplay.compiler.pattern_stubs import key, moves, outcome, play, smallest, unkey

# ---- below this line the text is the same for every game ----


@inside
def expand(pool, begin, end, to):
    """Writes the keys of the canonical children of the keys from `begin` to `end`; returns where the children end."""
    for at in range(begin, end):
        mine, theirs = unkey(pool[at])
        if outcome(mine, theirs) == 2:
            rest = moves(mine, theirs)
            while rest:
                next_mine, next_theirs = play(mine, theirs, lowest(rest))
                rest &= rest - 1
                least_mine, least_theirs = smallest(next_mine, next_theirs)
                pool[to] = key(least_mine, least_theirs)
                to += 1
    return to
