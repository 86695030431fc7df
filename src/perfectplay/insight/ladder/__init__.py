"""The ladder of algorithms, to read: each adds one idea to the one before."""

from perfectplay.insight.ladder.algorithms import ALGORITHMS, Algorithm
from perfectplay.insight.ladder.bounds import REPAIRS, Measured, Meter, Repair, measure

__all__ = ["ALGORITHMS", "REPAIRS", "Algorithm", "Measured", "Meter", "Repair", "measure"]
