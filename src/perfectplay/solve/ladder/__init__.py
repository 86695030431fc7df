"""The ladder: from plain minimax to a table of bounds, one small idea a file, each rung measured."""

from perfectplay.solve.ladder.meter import Measured, Meter, measure
from perfectplay.solve.ladder.repairs import REPAIRS, Repair
from perfectplay.solve.ladder.rungs import RUNGS, Rung

__all__ = ["REPAIRS", "RUNGS", "Measured", "Meter", "Repair", "Rung", "measure"]
