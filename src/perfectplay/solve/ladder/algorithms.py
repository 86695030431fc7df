"""The algorithms of the ladder, in the order in which one climbs it."""

from typing import NamedTuple

from perfectplay.solve.ladder.bounds import bounds
from perfectplay.solve.ladder.depth_aware import depth_aware
from perfectplay.solve.ladder.exact_cache import exact_cache
from perfectplay.solve.ladder.meter import Search
from perfectplay.solve.ladder.negamax import negamax
from perfectplay.solve.ladder.plain_alphabeta import alphabeta
from perfectplay.solve.ladder.plain_minimax import values
from perfectplay.solve.ladder.symmetric_cache import symmetric_cache


class Algorithm(NamedTuple):
    """One way to find the value of a position, and what it does in a line."""

    name: str
    about: str
    search: Search


ALGORITHMS = (
    Algorithm("minimax", "every game to its end, values only", values),
    Algorithm("depth-aware", "the same, but a quick win scores more and a late loss less badly", depth_aware),
    Algorithm("negamax", "the same with one rule for both sides", negamax),
    Algorithm("alpha-beta", "leaves out what the other side would not allow; the root's moves each in full", alphabeta),
    Algorithm("cache", "looks at each position once", exact_cache),
    Algorithm("symmetry", "looks at one position of each class", symmetric_cache),
    Algorithm("bounds", "alpha-beta with a table of bounds and depths, deeper and deeper", bounds),
)
