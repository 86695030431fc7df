"""Exact evaluation of policies: how good is my policy, by the solution of the game."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from perfectplay.arena.examination import SECONDS
from perfectplay.commands.terminal.arguments import GameLike, Progress, check_seconds, game_of, whole
from perfectplay.rl.evaluation.calibration import Calibration, calibration_of, predicting
from perfectplay.rl.evaluation.evaluation_numbers import (
    Rows,
    Worth,
    costliest,
    gifts_of,
    overall,
    pairing,
    responses,
    rows_for,
    worst_by_regret,
)
from perfectplay.rl.evaluation.policy_evaluation import ITSELF, PolicyEvaluation
from perfectplay.rl.evaluation.policy_tables import BATCH, OUTPUTS, TOLERANCE, PolicyTable, Reading, tabulating
from perfectplay.rl.solved_positions import solved_positions
from perfectplay.solvers.steps import Steps, finished
from perfectplay.words import BadArgument

SCORES = ("result", "margin")


def evaluate(
    game: GameLike,
    policy: Any,
    *,
    against: Any = ("perfect", "uniform"),
    exact: bool = False,
    outputs: str = "probabilities",
    value: Any = None,
    score: str = "result",
    batch_size: int = BATCH,
    tolerance: float = TOLERANCE,
    worst: int = 10,
    seconds: float | None = SECONDS,
    progress: Progress | None = None,
) -> PolicyEvaluation:
    """What a policy is worth in a solved game, by the solution: nothing is played, nothing is estimated.

    A policy is the name of a player whose move probabilities are known or that always answers the same; a function
    from a batch of observations, and of legal moves if it takes two arguments, to the probabilities of actions; a torch
    module, called the same way; or a mapping from positions or their texts to a move or to probabilities of moves.
    Opponents are given the same way. `value` is a value function of observations. With exact=True everything is in
    fractions. `score="margin"` counts points instead of results. TooBig is raised if the game is not solved.
    """
    check_options(outputs, exact, score, tolerance)
    whole("batch_size", batch_size, 1, optional=False)
    whole("worst", worst, 0, 10**6, optional=False)
    check_seconds(seconds)
    game = game_of(game)
    if score == "margin" and game.margin is None:
        raise BadArgument(f"score='margin' is for games for points, and {game.name} is none")
    positions = solved_positions(game, "exact evaluations", progress)
    reading = Reading(exact, outputs, batch_size, tolerance, seconds)
    worth = Worth(positions.graph, score == "margin", exact)

    def computing() -> Steps[PolicyEvaluation]:
        table = yield from tabulating(positions, policy, reading)
        gifts, pairings, reaches = gifts_of(worth, table), {}, {}
        opponents = yield from opposing(positions, against, reading)
        for name, opponent in {**opponents, ITSELF: table}.items():
            pairings[name], reaches[name] = yield from pairing(worth, table, gifts, opponent, name)
        replies = yield from responses(worth, positions, table)
        rows = rows_for(worth, positions, table, gifts, reaches)
        if value is not None:
            predicted = yield from predicting(positions, value, batch_size, worth.margin)
            everywhere = np.zeros(positions.graph.counts.size)
            everywhere[positions.unfinished] = predicted
            rows = replace(rows, predicted=everywhere[rows.numbers])
        return PolicyEvaluation(
            game.name,
            table.name,
            score,
            positions.unfinished.size,
            int(np.unique(positions.classes[positions.unfinished]).size),
            pairings,
            replies,
            overall(rows),
            costliest(rows, worst),
            worst_by_regret(rows, worst),
            None if value is None else calibration_of_rows(rows, worst),
            rows,
        )

    return finished(computing(), progress)


def check_options(outputs: str, exact: bool, score: str, tolerance: float) -> None:
    """Raises BadArgument if an option is none, or if two of them exclude each other."""
    for name, value, choices in (("outputs", outputs, OUTPUTS), ("score", score, SCORES)):
        if value not in choices:
            raise BadArgument(f"{name}={value!r} is neither {' nor '.join(map(repr, choices))}")
    if exact and outputs == "logits":
        raise BadArgument("exact=True and outputs='logits' do not go together: a softmax gives no fractions")
    if not 0 <= tolerance < 1:
        raise BadArgument(f"tolerance={tolerance!r} is not a number from 0 to below 1")


def opposing(positions: Any, against: Any, reading: Reading) -> Steps[dict[str, PolicyTable]]:
    """The opponents by name."""
    single = isinstance(against, (str, PolicyTable)) or not isinstance(against, Iterable) or hasattr(against, "keys")
    tables: dict[str, PolicyTable] = {}
    for opponent in [against] if single else against:
        table = yield from tabulating(positions, opponent, reading)
        name, count = table.name, 1
        while name in tables or name == ITSELF:
            count += 1
            name = f"{table.name} ({count})"
        tables[name] = table
    return tables


def calibration_of_rows(rows: Rows, worst: int) -> Calibration:
    """The calibration of the rows' predictions."""
    assert rows.predicted is not None
    true = rows.worth.values[rows.numbers].astype(float)
    reach = rows.mean_reach.astype(float)
    return calibration_of(rows.positions, rows.numbers, rows.predicted, true, reach, worst)
