"""Probabilities of a win, a draw and a loss, as numbers and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from perfectplay.solvers.worth import Worth
from perfectplay.views.document import Cell, Document, Share, Table, Valued
from perfectplay.views.json_facts import json_facts
from perfectplay.views.numbers import per_cent
from perfectplay.views.result import ResultClass
from perfectplay.words import Brief

KINDS = ("win", "draw", "loss")
"""The three results."""


@dataclass(frozen=True)
class Probability(metaclass=ResultClass):
    """The probabilities of a win, a draw and a loss; fractions if exact=True. An endless game is a draw."""

    win: Fraction | float
    draw: Fraction | float
    loss: Fraction | float

    def __str__(self) -> str:
        return f"win {per_cent(self.win)}, draw {per_cent(self.draw)}, loss {per_cent(self.loss)}"

    to_dict = json_facts()

    def document(self) -> Document:
        """The three probabilities."""
        return Document("Probabilities", Table(probability_rows(self)))


class Probable(metaclass=Brief):
    """Something with probabilities, which are also attributes of its own."""

    probability: Probability

    @property
    def win(self) -> Fraction | float:
        """The probability of a win: `probability.win`."""
        return self.probability.win

    @property
    def draw(self) -> Fraction | float:
        """The probability of a draw: `probability.draw`."""
        return self.probability.draw

    @property
    def loss(self) -> Fraction | float:
        """The probability of a loss: `probability.loss`."""
        return self.probability.loss


def probability_rows(
    found: Probability,
    labels: tuple[str, str, str] = ("win", "draw", "loss"),
    remarks: Sequence[str] = ("", "", ""),
) -> list[tuple[Cell, ...]]:
    """A row for each probability: its label, the number, a bar and a remark."""
    return [
        (Valued(kind, label), per_cent(number), Share(float(number), kind), remark)
        for kind, label, number, remark in zip(KINDS, labels, (found.win, found.draw, found.loss), remarks, strict=True)
    ]


def counted_rows(
    labels: Sequence[str], counts: Sequence[int], remarks: Sequence[str] = ("", "", "")
) -> list[tuple[Cell, ...]]:
    """A row for each of three results that were counted: its label, the number, its share, a bar and a remark."""
    total = max(1, sum(counts))
    return [
        (Valued(kind, label), f"{count:,}", f"{count / total:.1%}", Share(count / total, kind), remark)
        for kind, label, count, remark in zip(KINDS, labels, counts, remarks, strict=True)
    ]


@dataclass(frozen=True, kw_only=True)
class Prospect(Worth):
    """What is proven of a position or a move, and the probability of a win, if that was asked for."""

    probability: Probability | None = None

    def fields(self) -> dict[str, object]:
        """What is known, as in JSON."""
        return super().fields() | ({} if self.probability is None else {"chance": self.probability.to_dict()})
