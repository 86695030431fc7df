"""The positions that two policies get to, and how often."""

from typing import Any

import numpy as np

from perfectplay.commands.terminal.arguments import Progress
from perfectplay.players.models.absorbing_chains import reaching
from perfectplay.rl.dataset_rows import Rows, SomePositions, by_class
from perfectplay.rl.evaluation.policy_tables import Reading, tabulating
from perfectplay.rl.position_facts import ClassGrades, Describer
from perfectplay.rl.solved_positions import solved_positions
from perfectplay.solvers.steps import finished


def reached_positions(
    solution: ClassGrades,
    describer: Describer,
    policy: Any,
    opponent: Any,
    outputs: str,
    images: bool,
    progress: Progress | None,
) -> SomePositions:
    """The positions that play gets to, each or by class, with the expected number of visits in a game."""
    positions, reading = solved_positions(solution.game, "on-policy datasets", progress), Reading(outputs=outputs)
    first = finished(tabulating(positions, policy, reading), progress)
    second = first if opponent is None else finished(tabulating(positions, opponent, reading), progress)
    reach = finished(reaching(positions.graph, first.first, second.second), progress)
    visits = (reach.visits + reach.endless).sum(axis=0).astype(float)
    met = np.flatnonzero(visits)
    mine, theirs = (words[met] for words in positions.words)
    rows = Rows(mine, theirs, describer.keys(mine, theirs), visits[met])
    return SomePositions(solution, describer, rows if images else by_class(rows, describer))
