"""The algorithms of the ladder, in order."""

from typing import NamedTuple

from perfectplay.insight.ladder.bounds import bounds
from perfectplay.insight.ladder.depth_aware import depth_aware
from perfectplay.insight.ladder.exact_cache import exact_cache
from perfectplay.insight.ladder.flagged_table import flagged_table
from perfectplay.insight.ladder.meter import Search
from perfectplay.insight.ladder.naive_table import naive_table
from perfectplay.insight.ladder.negamax import negamax
from perfectplay.insight.ladder.plain_alphabeta import alphabeta
from perfectplay.insight.ladder.plain_minimax import values
from perfectplay.insight.ladder.retrograde_analysis import retrograde_analysis
from perfectplay.insight.ladder.symmetric_cache import symmetric_cache
from perfectplay.insight.ladder.table_lookup import table_lookup


class Algorithm(NamedTuple):
    """One way to find the value of a position, with a one-line description; an unsound one may find a wrong value."""

    name: str
    about: str
    search: Search
    sound: bool = True


ALGORITHMS = (
    Algorithm("minimax", "searches every line to its end; values only", values),
    Algorithm("depth-aware", "minimax that prefers quick wins and late losses", depth_aware),
    Algorithm("negamax", "the same with one rule for both sides", negamax),
    Algorithm("alpha-beta", "prunes moves that the opponent avoids; searches each root move in full", alphabeta),
    Algorithm("cache", "visits each position once", exact_cache),
    Algorithm("symmetry", "visits one position of each symmetry class", symmetric_cache),
    Algorithm("naive-table", "WRONG: alpha-beta that caches cutoff values as exact", naive_table, sound=False),
    Algorithm("flags", "the same, corrected: each entry is exact, a lower or an upper bound", flagged_table),
    Algorithm("bounds", "flags with iterative deepening", bounds),
    Algorithm("retrograde", "lists all positions, then works backwards from the ends", retrograde_analysis),
    Algorithm("table", "looks up the position and its moves in the solved game", table_lookup),
)
