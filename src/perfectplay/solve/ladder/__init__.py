"""The ladder: from plain minimax to a table of bounds, one small idea a file, each algorithm measured."""

from perfectplay.solve.ladder.algorithms import ALGORITHMS, Algorithm
from perfectplay.solve.ladder.meter import Measured, Meter, measure
from perfectplay.solve.ladder.repairs import REPAIRS, Repair

__all__ = ["ALGORITHMS", "REPAIRS", "Algorithm", "Measured", "Meter", "Repair", "measure"]
