"""The ladder: from plain minimax to a transposition table, one idea per file, each algorithm measured."""

from perfectplay.solve.ladder.algorithms import ALGORITHMS, Algorithm
from perfectplay.solve.ladder.meter import Measured, Meter, measure
from perfectplay.solve.ladder.repairs import REPAIRS, Repair

__all__ = ["ALGORITHMS", "REPAIRS", "Algorithm", "Measured", "Meter", "Repair", "measure"]
