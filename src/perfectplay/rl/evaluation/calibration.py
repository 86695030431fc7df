"""How far a value function is from the truth, over all positions and weighted by how often a policy gets there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.rl.evaluation.evaluation_numbers import Rows
from perfectplay.rl.evaluation.evaluation_parts import score_text
from perfectplay.rl.evaluation.policy_tables import Questions, asking, position_of
from perfectplay.rl.solved_positions import SolvedPositions
from perfectplay.solvers.steps import Steps
from perfectplay.views.document import Code, Document, Section, Table
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, BadPlayer

BINS = 10
"""Bins between the least and the greatest value."""
TOLERANCE = 1e-5
"""How far a value may be outside its range."""
NAME = "the value function"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bin:
    """Predictions in a range: their weight, their mean, and the mean of the true values."""

    low: float
    high: float
    weight: float
    predicted: float
    true: float

    to_dict = json_facts()


@dataclass(frozen=True)
class Errors(metaclass=ResultClass):
    """The errors of a value function: `bias` is the mean of predicted less true value.

    `confusion[true][said]` is the weight of positions that are a loss, a draw or a win, by what the value function
    says: whichever is nearest. `bins` compare predictions with the truth.
    """

    absolute: float
    squared: float
    bias: float
    correct: float
    """The weight of positions whose result is the nearest to the prediction."""
    confusion: dict[str, dict[str, float]]
    bins: tuple[Bin, ...]

    to_dict = json_facts()


WORST = ("position", "predicted", "true")
"""What is known of a position with a large error."""


@dataclass(frozen=True)
class Calibration(metaclass=ResultClass):
    """A value function beside the truth: over all positions alike, and weighted by how often the policy gets there.

    `worst` has the positions with the largest errors, with what is predicted and what is true.
    """

    all: Errors
    by_reach: Errors
    worst: tuple[tuple[str, float, float], ...]

    def document(self) -> Document:
        """The errors, and the positions with the largest."""
        rows = [(Code(text), score_text(predicted), score_text(true)) for text, predicted, true in self.worst]
        worst = Section("Farthest from the truth:", Table(rows, WORST, indent=2))
        return Document("Value function", self.table(), worst if rows else None)

    def table(self) -> Table:
        """The errors over all positions, and weighted by how often the policy gets there."""
        rows = [
            (
                name,
                f"{one.absolute:.4f}",
                f"{one.squared:.4f}",
                f"{one.bias:+.4f}",
                f"{100 * one.correct:.2f}%",
            )
            for name, one in (("all positions", self.all), ("where it gets", self.by_reach))
        ]
        return Table(rows, ("", "mean absolute error", "squared", "bias", "result right"), indent=2)

    to_dict = json_facts(
        *("all", "by_reach", Fact("worst", encode=lambda worst: [dict(zip(WORST, one, strict=True)) for one in worst]))
    )


def calibration_of(rows: Rows, worst: int) -> Calibration:
    """The calibration of the rows' predictions; one position of each symmetry class is among the worst."""
    assert rows.predicted is not None
    predicted, true = rows.predicted, rows.worth.values[rows.numbers].astype(float)
    order = np.argsort(-np.abs(predicted - true), kind="stable")
    _, first = np.unique(rows.classes[order], return_index=True)
    places = order[np.sort(first)[:worst]].tolist()
    return Calibration(
        errors(predicted, true, np.ones(true.size)),
        errors(predicted, true, rows.mean_reach.astype(float)),
        tuple(
            (rows.positions.text(int(rows.numbers[place])), float(predicted[place]), float(true[place]))
            for place in places
        ),
    )


def errors(predicted: Floats, true: Floats, weights: Floats) -> Errors:
    """The errors, weighted."""
    weights = weights / max(float(weights.sum()), 1e-300)
    off = predicted - true
    results = np.sign(true)
    said = np.clip(np.rint(predicted), -1, 1)
    names = {-1: "loss", 0: "draw", 1: "win"}
    confusion = {names[a]: {names[b]: float(weights[(results == a) & (said == b)].sum()) for b in names} for a in names}
    return Errors(
        float((weights * np.abs(off)).sum()),
        float((weights * off * off).sum()),
        float((weights * off).sum()),
        float(weights[results == said].sum()),
        confusion,
        bins_of(predicted, true, weights),
    )


def bins_of(predicted: Floats, true: Floats, weights: Floats) -> tuple[Bin, ...]:
    """The predictions in bins of equal width; empty ones are left out."""
    most = max(1.0, float(np.abs(true).max(initial=0)))
    edges = np.linspace(-most, most, BINS + 1)
    places = np.clip(np.searchsorted(edges, predicted, side="right") - 1, 0, BINS - 1)
    bins = []
    for place in range(BINS):
        here = places == place
        weight = float(weights[here].sum())
        if weight > 0:
            means = [float((weights[here] * one[here]).sum() / weight) for one in (predicted, true)]
            bins.append(Bin(float(edges[place]), float(edges[place + 1]), weight, *means))
    return tuple(bins)


def predicting(positions: SolvedPositions, value: Any, batch_size: int, margin: bool) -> Steps[Floats]:
    """The value of each unfinished position by a value function: to the side to move, from -1 to 1 or as a margin."""
    if isinstance(value, Mapping):
        return mapped_values(positions, value, margin)
    if not callable(value):
        raise BadPlayer(f"{value!r} is no value function: give a function of observations, a torch module or a mapping")
    return (yield from asking(positions, value, NAME, batch_size, partial(checked_values, margin=margin), "values"))


def mapped_values(positions: SolvedPositions, value: Mapping[Any, Any], margin: bool) -> Floats:
    """The values of a mapping from positions or their texts."""
    entries = {key if isinstance(key, str) else position_of(positions, key): one for key, one in value.items()}
    values = []
    for number in positions.unfinished.tolist():
        text = positions.text(number)
        one = entries.get(positions.position(number), entries.get(text))
        if one is None:
            raise BadArgument(f"{NAME} has no entry for {text}")
        values.append(one)
    return checked_values(Questions(positions, NAME, positions.unfinished), np.array(values, float), margin)


def checked_values(questions: Questions, values: NDArray[Any], margin: bool) -> Floats:
    """The values as numbers, from numbers or from probabilities of win and loss, or win, draw and loss."""
    size = questions.numbers.size
    if values.shape == (size, 1):
        values = values[:, 0]
    count = values.shape[1] if values.ndim == 2 else 1
    if values.shape not in ((size,), (size, 2), (size, 3)):
        raise BadArgument(
            f"{NAME} returned an array of shape {values.shape} for a batch of {size:,}; "
            "return a number for each position, (win, loss) or (win, draw, loss)"
        )
    if values.dtype.kind not in "fiubO":
        raise BadArgument(f"{NAME} returned {values.dtype} where values are numbers")
    rows = values.astype(float).reshape(size, count)
    bad = ~np.isfinite(rows).all(axis=1)
    if count > 1:
        total = rows.sum(axis=1)
        bad |= (rows < -TOLERANCE).any(axis=1) | (total > 1 + TOLERANCE)
        bad |= (count == 3) & (total < 1 - TOLERANCE)
    elif not margin:
        bad |= np.abs(rows[:, 0]) > 1 + TOLERANCE
    if bad.any():
        row = int(np.argmax(bad))
        text = ", ".join(f"{one:g}" for one in rows[row].tolist())
        right = "probabilities" if count > 1 else "a number" if margin else "a number from -1 to 1"
        raise BadArgument(f"{NAME} returned {text}, which is not {right}, for {questions.text(row)}")
    return rows[:, 0] if count == 1 else rows[:, 0] - rows[:, -1]
