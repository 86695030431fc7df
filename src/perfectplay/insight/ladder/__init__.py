"""The ladder of algorithms, to read: each adds one idea to the one before."""

from perfectplay.insight.ladder.algorithms import ALGORITHMS, Algorithm
from perfectplay.insight.ladder.bounds import Measured, Meter, measure
from perfectplay.insight.ladder.repairs import REPAIRS, Repair

__all__ = ["ALGORITHMS", "REPAIRS", "Algorithm", "Measured", "Meter", "Repair", "measure"]
