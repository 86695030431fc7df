# mypy: ignore-errors
"""The defaults for whose turn it is, points and tiers, where a game does not give them: the pattern before the kernels.

AGAIN, POINTS and TIERED are constants of a module, so that code for what a game does not have is not compiled.
"""

from numba import njit as guard

from perfectplay.compiler.pattern_stubs import again, margin, tier

# ---- below this line the text is the same for every game ----

AGAIN, POINTS, TIERED = again is not None, margin is not None, tier is not None


@guard
def never_again(mine, theirs, move):
    """The sides alternate."""
    return False


@guard
def no_number(mine, theirs):
    """No points, and a single tier."""
    return 0


again = again or never_again
margin = margin or no_number
tier = tier or no_number
