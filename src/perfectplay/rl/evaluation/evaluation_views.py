"""An evaluation as a DataFrame and as plots."""

from typing import TYPE_CHECKING, Any

import numpy as np

from perfectplay.rl.evaluation.evaluation_numbers import Rows
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.words import require

if TYPE_CHECKING:
    from perfectplay.rl.evaluation.policy_evaluation import PolicyEvaluation


def as_frame(rows: Rows) -> Any:
    """A DataFrame with a row for each unfinished position."""
    pandas = require("pandas", "notebook", "to_pandas()")
    numbers, sides, texts, graph = rows.numbers, rows.sides, rows.positions, rows.positions.graph
    likeliest, best, chances = [], [], []
    for number, side in zip(numbers.tolist(), sides.tolist(), strict=True):
        edges = graph.edges(number)
        edge = edges.start + int(np.argmax(rows.probabilities[side][edges]))
        likeliest.append(texts.move_name(edge, side))
        chances.append(rows.probabilities[side][edge])
        keeping = np.flatnonzero(rows.worth.losses[edges] == 0)
        best.append(" ".join(texts.move_name(edges.start + int(place), side) for place in keeping))
    columns: dict[str, Any] = {
        "position": [texts.text(number, side) for number, side in zip(numbers.tolist(), sides.tolist(), strict=True)],
        "class": rows.classes,
        "ply": rows.plies,
        "value": [VALUE_NAMES[one] for one in graph.values[numbers].tolist()],
    }
    if graph.margins is None:
        distances = pandas.array(graph.distances[numbers], dtype="Int64")
        distances[graph.distances[numbers] < 0] = pandas.NA
        columns["distance"] = distances
    else:
        columns["margin"] = graph.margins[numbers]
    columns |= {"move": likeliest, "probability": chances, "best": best, "regret": rows.regrets}
    columns |= {"mistake": rows.mistaken, **{f"reach {name}": reach for name, reach in rows.reach.items()}}
    return pandas.DataFrame(columns if rows.predicted is None else {**columns, "predicted": rows.predicted})


def as_figure(evaluation: "PolicyEvaluation") -> Any:
    """A Figure with scores, regret by ply, and the calibration of the value function if there is one."""
    pyplot = require("matplotlib.pyplot", "notebook", "plot()")
    count = 2 if evaluation.calibration is None else 3
    figure, axes = pyplot.subplots(1, count, figsize=(4.5 * count, 3.6), layout="constrained")
    draw_scores(axes[0], evaluation)
    draw_regret(axes[1], evaluation)
    if evaluation.calibration is not None:
        draw_calibration(axes[2], evaluation)
    figure.suptitle(f"{evaluation.policy} in {evaluation.game}")
    pyplot.close(figure)  # or a notebook shows it twice
    return figure


def draw_scores(axes: Any, evaluation: "PolicyEvaluation") -> None:
    """The score against each opponent, as first and as second, and against the best response."""
    names = [*evaluation.against, "best response"]
    replies = evaluation.best_responses
    first = [float(one.first.score) for one in evaluation.against.values()] + [-float(replies.second.score)]
    second = [float(one.second.score) for one in evaluation.against.values()] + [-float(replies.first.score)]
    places = np.arange(len(names))
    axes.barh(places - 0.2, first, 0.38, label="as first")
    axes.barh(places + 0.2, second, 0.38, label="as second", hatch="//", alpha=0.7)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("margin" if evaluation.score == "margin" else "score: win 1, draw 0, loss -1")
    axes.legend()


def draw_regret(axes: Any, evaluation: "PolicyEvaluation") -> None:
    """The mean regret by ply: over all positions, and weighted by how often the policy gets there."""
    rows, regrets = evaluation.rows, evaluation.rows.regrets.astype(float)
    plies, places = np.unique(rows.plies, return_inverse=True)
    every = np.bincount(places, regrets) / np.maximum(np.bincount(places), 1)
    axes.plot(plies, every, marker="o", label="all positions")
    for (name, reach), line in zip(rows.reach.items(), ("--", "-.", ":", "-") * len(rows.reach), strict=False):
        weights = np.bincount(places, reach.astype(float))
        met = weights > 0
        mean = np.bincount(places, regrets * reach.astype(float))[met] / weights[met]
        axes.plot(plies[met], mean, marker=".", linestyle=line, label=f"against {name}")
    axes.set_xlabel("ply")
    axes.set_ylabel("regret a move")
    axes.legend()


def draw_calibration(axes: Any, evaluation: "PolicyEvaluation") -> None:
    """The true value by what is predicted."""
    assert evaluation.calibration is not None
    for name, errors, mark in (
        ("all positions", evaluation.calibration.all, "o"),
        ("by reach", evaluation.calibration.by_reach, "s"),
    ):
        axes.plot([one.predicted for one in errors.bins], [one.true for one in errors.bins], marker=mark, label=name)
    most = max(1.0, *(abs(end) for one in (axes.get_xlim(), axes.get_ylim()) for end in one))
    axes.plot([-most, most], [-most, most], color="grey", linewidth=0.8, label="exact")
    axes.set_xlabel("predicted value")
    axes.set_ylabel("true value, mean")
    axes.legend()
