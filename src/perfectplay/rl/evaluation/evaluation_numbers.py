"""From move probabilities to an evaluation's numbers: pairings, best responses, regret and the worst positions."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.commands.know.probability import Probability
from perfectplay.players.models.absorbing_chains import Reach, add_at, reaching, zeros
from perfectplay.players.models.best_response import BestResponse, best_responding
from perfectplay.players.models.game_graph import Graph, Numbers, fractions
from perfectplay.rl.evaluation.evaluation_parts import (
    BestResponses,
    Mistake,
    Number,
    Pairing,
    PolicyMove,
    Regret,
    Reply,
    Seat,
)
from perfectplay.rl.evaluation.policy_tables import PolicyTable
from perfectplay.rl.solved_positions import SolvedPositions
from perfectplay.solvers.steps import Steps, finished
from perfectplay.views.document import Board
from perfectplay.words import FIRST, SECOND

LONGEST_LINE = 60
"""The most moves of a line that are shown."""


@dataclass(frozen=True, eq=False)
class Worth:
    """What positions are worth to the side to move: their value, or their margin, and what each edge gives away."""

    graph: Graph
    margin: bool
    exact: bool

    @cached_property
    def values(self) -> Numbers:
        """The worth of each position under best play."""
        margins = self.graph.margins
        values: Numbers = margins if self.margin and margins is not None else self.graph.values
        return values.astype(object if self.exact else float)

    @cached_property
    def losses(self) -> Numbers:
        """What each edge gives away: the worth of its position less its own."""
        return self.values[self.graph.parents] - self.graph.after(self.values, -self.values)

    @cached_property
    def gives_away(self) -> NDArray[np.bool_]:
        """The edges that give the result away: a win for a draw, a draw for a loss, a win for a loss."""
        return np.asarray(self.graph.results < self.graph.values[self.graph.parents], bool)

    def share(self, count: int) -> Number:
        """One of so many."""
        return Fraction(1, max(1, count)) if self.exact else 1 / max(1, count)

    def per_position(self, probabilities: Numbers, edges: Numbers) -> Numbers:
        """What the policy comes to in each position, given what each edge does."""
        sums = zeros(self.graph.counts.size, self.exact)
        some = np.flatnonzero((edges != 0) & (probabilities != 0))
        add_at(sums, self.graph.parents[some], probabilities[some] * edges[some])
        return sums


class Gifts(NamedTuple):
    """What a policy gives away in each position by expectation, and how likely it gives the result away."""

    regrets: Numbers
    mistaken: Numbers


def gifts_of(worth: Worth, policy: PolicyTable) -> tuple[Gifts, Gifts]:
    """What the policy gives away when it moves first, and when it moves second."""
    edges = worth.losses, worth.gives_away.astype(np.int64)
    first = Gifts(*(worth.per_position(policy.first, one) for one in edges))
    return first, Gifts(*(worth.per_position(policy.second, one) for one in edges)) if policy.by_side else first


def number_of(value: Any) -> Number:
    """A number of an array as Python's own."""
    number: Number = value.item() if isinstance(value, np.generic) else value
    return number


def pairing(
    worth: Worth, policy: PolicyTable, gifts: tuple[Gifts, Gifts], opponent: PolicyTable, name: str
) -> Steps[tuple[Pairing, tuple[Reach, Reach]]]:
    """The policy against an opponent, and how often play gets where: as first and as second."""
    as_first = yield from reaching(worth.graph, policy.first, opponent.second)
    same = policy is opponent
    as_second = as_first if same else (yield from reaching(worth.graph, opponent.first, policy.second))
    seats = [seat(worth, reach, gifts[side], side) for side, reach in ((FIRST, as_first), (SECOND, as_second))]
    return Pairing(name, *seats), (as_first, as_second)


def seat(worth: Worth, reach: Reach, gifts: Gifts, side: int) -> Seat:
    """What the policy comes to on one side."""
    win, draw, loss = reach.odds()
    sign = 1 if side == FIRST else -1
    met = np.flatnonzero(worth.graph.going & (reach.visits[side] != 0))
    visits, endless = reach.visits[side][met], reach.endless
    let_go = (endless[FIRST] * worth.values).sum() - (endless[SECOND] * worth.values).sum() if endless.any() else 0
    return Seat(
        Probability(win, draw, loss) if side == FIRST else Probability(loss, draw, win),
        number_of(sign * reach.expected(worth.values)),
        number_of((visits * gifts.regrets[met]).sum()),
        number_of((visits * gifts.mistaken[met]).sum()),
        number_of(visits.sum()),
        number_of(endless.sum()),
        number_of(sign * let_go),
    )


def responses(worth: Worth, positions: SolvedPositions, policy: PolicyTable) -> Steps[BestResponses]:
    """The best responses to the policy, on either side."""
    replies = []
    for side in (FIRST, SECOND):
        other = policy.on(1 - side)
        best = yield from best_responding(worth.graph, other, worth.values)
        replies.append(reply(positions, best, other, side))
    return BestResponses(*replies)


def reply(positions: SolvedPositions, best: BestResponse, other: Numbers, side: int) -> Reply:
    """The best response on that side, as it is shown."""
    graph, start = positions.graph, positions.graph.number(positions.game.start)
    score = best.mine[start] if side == FIRST else best.theirs[start]
    line: list[str] = []
    seen: set[tuple[int, int]] = set()
    probability, number, turn = Fraction(1) if other.dtype == object else 1.0, start, FIRST
    while graph.going[number] and (number, turn) not in seen and len(line) < LONGEST_LINE:
        seen.add((number, turn))
        edges = graph.edges(number)
        edge = int(best.choice[number]) if turn == side else edges.start + int(np.argmax(other[edges]))
        probability = probability if turn == side else probability * other[edge]
        line.append(positions.move_name(edge, turn))
        number, turn = int(graph.children[edge]), turn if graph.again[edge] else 1 - turn
    return Reply(
        number_of(score), tuple(line), number_of(probability), lambda: reply_moves(positions, best, other, side)
    )


def reply_moves(positions: SolvedPositions, best: BestResponse, other: Numbers, side: int) -> dict[str, str]:
    """The best response's move in each position that comes up against the policy, as text."""
    graph = positions.graph
    mine = np.zeros(graph.children.size, other.dtype)
    mine[best.choice[graph.going]] = 1
    sides = (mine, other) if side == FIRST else (other, mine)
    if other.dtype == object:
        sides = (fractions(sides[0]), fractions(sides[1]))
    reach = finished(reaching(graph, *sides))
    there = np.flatnonzero(graph.going & ((reach.visits[side] > 0) | (reach.endless[side] > 0)))
    return {
        positions.text(number, side): positions.move_name(int(best.choice[number]), side) for number in there.tolist()
    }


@dataclass(frozen=True, eq=False)
class Rows:
    """The unfinished positions, each with the side to move: twice if the policy plays differently by side.

    `regrets` and `mistaken` are the policy's, `reach` how often it gets there in a game, by opponent.
    """

    positions: SolvedPositions
    worth: Worth
    numbers: NDArray[np.int64]
    sides: NDArray[np.int64]
    probabilities: tuple[Numbers, Numbers]
    regrets: Numbers
    mistaken: Numbers
    reach: dict[str, Numbers]
    predicted: NDArray[np.float64] | None = None
    """What the value function says, if there is one."""

    @cached_property
    def mean_reach(self) -> Numbers:
        """How often the policy gets there in a game, the mean of all pairings."""
        return np.asarray(sum(self.reach.values()) * self.worth.share(len(self.reach)))

    @property
    def classes(self) -> NDArray[np.int64]:
        """The symmetry class of each."""
        return self.positions.classes[self.numbers]

    @property
    def plies(self) -> NDArray[np.int64]:
        """The fewest plies from the start to each."""
        return self.positions.plies[self.sides, self.numbers]


def rows_for(
    worth: Worth,
    positions: SolvedPositions,
    policy: PolicyTable,
    gifts: tuple[Gifts, Gifts],
    reaches: dict[str, tuple[Reach, Reach]],
) -> Rows:
    """The rows of an evaluation, given how often play gets where when the policy is first, and when it is second."""
    numbers, sides = positions.unfinished, positions.sides[positions.unfinished]
    if policy.by_side:
        met = [positions.met_by(side) for side in (FIRST, SECOND)]
        numbers, sides = np.concatenate(met), np.repeat([FIRST, SECOND], [one.size for one in met])

    def of_both(first: Numbers, second: Numbers) -> Numbers:
        return np.where(sides == FIRST, first[numbers], second[numbers])

    def visits(reach: tuple[Reach, Reach]) -> Numbers:
        both = reach[FIRST].visits[FIRST], reach[SECOND].visits[SECOND]
        return np.asarray((of_both(*both) if policy.by_side else sum(both)[numbers]) * worth.share(2))

    return Rows(
        positions,
        worth,
        numbers,
        sides,
        (policy.first, policy.second),
        of_both(gifts[FIRST].regrets, gifts[SECOND].regrets),
        of_both(gifts[FIRST].mistaken, gifts[SECOND].mistaken),
        {name: visits(reach) for name, reach in reaches.items()},
    )


def overall(rows: Rows) -> Regret:
    """What the policy gives away over all positions."""
    regrets, share = rows.regrets, rows.worth.share
    kinds, places, sizes = np.unique(rows.classes, return_inverse=True, return_counts=True)
    weights = np.array([share(size) for size in sizes.tolist()], object if rows.worth.exact else float)[places]
    return Regret(
        number_of(regrets.sum() * share(regrets.size)),
        number_of((regrets * weights).sum() * share(kinds.size)),
        number_of(rows.mistaken.sum() * share(regrets.size)),
        int((rows.mistaken > 0).sum()),
        number_of(regrets.max(initial=0)),
    )


# The positions in which a policy gives most away; images of a position count as one.


Floats = NDArray[np.float64]


def costliest(rows: Rows, most: int) -> tuple[Mistake, ...]:
    """Where the policy gives away most in a game: its regret, weighted by how often it gets there."""
    costs = (rows.regrets * rows.mean_reach).astype(float)
    kinds, places = np.unique(rows.classes, return_inverse=True)
    totals = np.bincount(places, costs, kinds.size).astype(float)
    return greatest_mistakes(rows, np.argsort(-totals, kind="stable"), totals, costs, places, most)


def worst_by_regret(rows: Rows, most: int) -> tuple[Mistake, ...]:
    """Where the policy gives away most when it gets there; the more often it does, the earlier, if that is equal."""
    regrets = rows.regrets.astype(float)
    kinds, places = np.unique(rows.classes, return_inverse=True)
    largest = np.zeros(kinds.size)
    np.maximum.at(largest, places, regrets)
    reach = np.bincount(places, rows.mean_reach.astype(float), kinds.size)
    order = np.lexsort((reach, np.round(largest, 9)))[::-1]
    return greatest_mistakes(rows, order, largest, regrets, places, most)


def greatest_mistakes(
    rows: Rows, order: NDArray[np.int64], totals: Floats, within: Floats, places: NDArray[np.int64], most: int
) -> tuple[Mistake, ...]:
    """The first classes in this order whose total is above 0, each by its image that is greatest within it."""
    classes = (np.flatnonzero(places == kind) for kind in order[:most].tolist() if totals[kind] > 0)
    return tuple(mistake(rows, images, int(images[np.argmax(within[images])])) for images in classes)


def mistake(rows: Rows, images: NDArray[np.int64], row: int) -> Mistake:
    """A row as a mistake, with all its images."""
    positions, number, side = rows.positions, int(rows.numbers[row]), int(rows.sides[row])
    graph = positions.graph
    edges = np.arange(graph.edges(number).start, graph.edges(number).stop)
    entries = [graph.entry(child) for child in graph.children[edges].tolist()]
    choices = [
        PolicyMove(
            positions.move_name(edge, side),
            number_of(rows.probabilities[side][edge]),
            entry.before(bool(graph.again[edge])),
            number_of(rows.worth.losses[edge]),
            int(graph.moves[edge]),
        )
        for edge, entry in zip(edges.tolist(), entries, strict=True)
    ]
    ordered = tuple(sorted(choices, key=lambda choice: -choice.probability))
    hints = {choice.number: (choice.entry.value, f"{100 * float(choice.probability):.0f}%") for choice in ordered}
    return Mistake(
        positions.text(number, side),
        graph.entry(number),
        number_of(rows.regrets[row]),
        number_of(rows.mean_reach[row]),
        number_of((rows.regrets[images] * rows.mean_reach[images]).sum()),
        images.size,
        ordered,
        Board(positions.game, positions.position(number), side, hints=hints),
    )
