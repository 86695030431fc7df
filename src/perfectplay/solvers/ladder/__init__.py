"""The ladder: from plain minimax to a transposition table, one idea per file, each algorithm measured."""

from perfectplay.solvers.ladder.algorithms import ALGORITHMS, Algorithm
from perfectplay.solvers.ladder.meter import Measured, Meter, measure
from perfectplay.solvers.ladder.repairs import REPAIRS, Repair

__all__ = ["ALGORITHMS", "REPAIRS", "Algorithm", "Measured", "Meter", "Repair", "measure"]
