"""How a player chooses: the probability of each move of each position.

A policy is a model of an opponent, a player whose odds can be computed, and a player to play against, all in one.
Each is a small function from a graph to probabilities, one for each edge.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import full_line_outcome
from perfectplay.game import Game, canonical, moves_again
from perfectplay.players.models.game_graph import TOP, Graph, Numbers
from perfectplay.players.models.win_probability import computing
from perfectplay.rules.game_records import read_games
from perfectplay.rules.notation import parse_position, replay
from perfectplay.solvers.steps import finished
from perfectplay.words import FIRST, LOSS, BadArgument, BadPlayer, BadPosition, IllegalMove, Move, Position

Weigh = Callable[[Graph, bool], Numbers]
"""The probability of each edge; with True as fractions."""


class Policy(NamedTuple):
    """How a player chooses."""

    probabilities: Weigh
    symmetric: bool = True
    """Whether images of a position are treated alike."""
    exact: bool = True
    """Whether the probabilities can be given as fractions."""

    def check(self, exact: bool) -> None:
        """Raises BadPlayer if fractions are wanted and the policy has none."""
        if exact and not self.exact:
            raise BadPlayer("the move probabilities of this player are not fractions; leave out exact=True")


def any_of(edges: Callable[[Graph], NDArray[np.bool_]]) -> Weigh:
    """Any of these edges of a position, all with the same probability."""
    return lambda graph, exact: graph.normalised(edges(graph).astype(np.int64), exact)


uniform = any_of(lambda graph: graph.every)
"""All legal moves alike."""
perfect = any_of(lambda graph: graph.best(graph.scores))
"""The best moves alike: quickest win, else any draw, else latest loss; in games for points the greatest margin."""


def first_of(edges: Callable[[Graph], NDArray[np.bool_]]) -> Weigh:
    """The first of these edges of a position, in the order of its moves."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        among = edges(graph)
        before = np.concatenate([[0], np.cumsum(among)])[:-1]
        earlier = before - before[graph.firsts[:-1][graph.parents]]
        return graph.normalised((among & (earlier == 0)).astype(np.int64), exact)

    return weigh


def mixture(probability: Fraction, a: Weigh, b: Weigh) -> Weigh:
    """The first with that probability, else the second."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        part = probability if exact else float(probability)
        return part * a(graph, exact) + (1 - part) * b(graph, exact)

    return weigh


def noisy(probability: Fraction) -> Weigh:
    """The best moves, but with that probability any move."""
    return mixture(probability, uniform, perfect)


def shallow(plies: int) -> Weigh:
    """The best moves within that many plies; whatever lies further looks alike."""
    return any_of(lambda graph: graph.best(scores_within(graph, plies)))


def scores_within(graph: Graph, plies: int) -> Numbers:
    """For each edge its score by a search of that many plies, the move counted: 0 where the game lasts longer."""
    if graph.margins is None:
        return np.where(TOP - np.abs(graph.scores) <= plies, graph.scores, 0)
    if plies == 0:
        return np.zeros(graph.children.size)
    margins = margins_within(graph, plies - 1)
    return graph.after(margins, -margins)


def margins_within(graph: Graph, plies: int) -> Numbers:
    """For each position of a game for points its margin by a search of that many plies: 0 where that does not end."""
    assert graph.margins is not None
    margins = ended = np.where(graph.going, 0, graph.margins)
    for _ in range(plies):
        before, margins = margins, graph.over_edges(np.maximum, graph.after(margins, -margins), ended)
        if np.array_equal(margins, before):
            break
    return margins


def softmax(temperature: float) -> Weigh:
    """Prefers by value and distance: the probability is proportional to exp(u / t).

    u is 0 for a draw, 1 + 1 / d for a win after d plies and the negative for a loss; in games for points the margin.
    """

    def weigh(graph: Graph, exact: bool) -> Numbers:
        liking = utilities(graph) / temperature
        most = graph.over_edges(np.maximum, liking, np.zeros(graph.counts.size))
        return graph.normalised(np.exp(liking - most[graph.parents]))

    return weigh


def utilities(graph: Graph) -> Numbers:
    """For each edge what a player by temperature likes about it."""
    if graph.margins is not None:
        return graph.scores
    sooner: Numbers = 1 + 1 / np.maximum(TOP - np.abs(graph.scores), 1)
    return np.sign(graph.scores) * sooner


def weighted(weights: dict[int, Fraction]) -> Weigh:
    """Some moves more often than others, which weigh 1."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        edge_weights = np.array([weights.get(move, Fraction(1)) for move in graph.moves.tolist()], object)
        return graph.normalised(edge_weights, exact)

    return weigh


def streetwise(opponent: Weigh) -> Weigh:
    """Keeps the result and wins as often as possible against an opponent of that policy."""
    return responding(opponent, keeping=True)


def exploit(opponent: Weigh) -> Weigh:
    """Wins as often as possible against an opponent of that policy, whatever it risks; then loses least often."""
    return responding(opponent, keeping=False)


def responding(opponent: Weigh, keeping: bool) -> Weigh:
    """The moves that are best against an opponent of that policy, all with the same probability.

    In games with cycles the probabilities are limits, so that the moves are chosen by decimals.
    """

    def weigh(graph: Graph, exact: bool) -> Numbers:
        response = finished(computing(graph, opponent(graph, exact and graph.ends), keeping))
        return graph.normalised(response.chosen.astype(np.int64), exact)

    return weigh


# Players that search a line game to some depth and there measure its lines.
#
# A position is worth two numbers: the outcome as far as the search sees it, the greater the sooner a win and the later
# a loss; and only where that is equal, what is measured on the board where the search stops.


Measure = Callable[[Graph], NDArray[np.int64]]
"""For each position how much better its lines are for the side to move than for the other."""


def best_by_search(plies: int, measure: Measure) -> Weigh:
    """The moves that are best by a search of that many plies, all with the same probability."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        outcomes, measures = np.where(graph.going, 0, TOP * graph.values.astype(np.int64)), measure(graph)
        best = graph.every
        for _ in range(min(plies, deepest(graph))):
            after = graph.after(outcomes, -outcomes)
            sooner, here = after - np.sign(after), graph.after(measures, -measures)
            best = graph.best(here, graph.best(sooner))
            outcomes = graph.over_edges(np.maximum, sooner, outcomes)
            measures = graph.over_edges(np.maximum, np.where(best, here, here.min(initial=0) - 1), measures)
        return graph.normalised(best.astype(np.int64), exact)

    return weigh


def deepest(graph: Graph) -> int:
    """The plies of the longest game: a line game has no more than squares."""
    return graph.game.shape[0] * graph.game.shape[1]


def open_lines(graph: Graph) -> NDArray[np.int64]:
    """The lines open to one side alone, each worth six times as much with every mark; finished games have none."""
    totals = np.zeros(graph.counts.size, np.int64)
    for mine, theirs in marks_in_lines(graph):
        totals += np.where(theirs == 0, weight(mine), 0) - np.where(mine == 0, weight(theirs), 0)
    return np.where(graph.going, sign(graph) * totals, 0)


def weight(marks: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a line with so many marks is worth: as in `players/line_games/line_board.py`."""
    return np.where(marks > 0, 6 ** np.minimum(np.maximum(marks - 1, 0), 18), 0)


def ways_to_win(graph: Graph) -> NDArray[np.int64]:
    """How close each side is to a full line, by the number of lines in which it is that close."""
    lines = [(np.where(theirs == 0, mine, 0), np.where(mine == 0, theirs, 0)) for mine, theirs in marks_in_lines(graph)]
    totals = np.zeros(graph.counts.size, np.int64)
    for side, factor in ((0, 1), (1, -1)):
        close = np.max([line[side] for line in lines], axis=0)
        totals += factor * close * np.sum([line[side] == close for line in lines], axis=0)
    return sign(graph) * totals


def sign(graph: Graph) -> int:
    """1 where a full line wins, -1 where it loses."""
    return 1 if full_line_outcome(graph.game) == LOSS else -1


def marks_in_lines(graph: Graph) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each winning line the marks of either side in it, the side to move first, in every position."""
    assert graph.game.winning_lines is not None
    words = np.array([graph.position(number) for number in range(graph.counts.size)], np.int64)
    squares = [(words >> square & 1).T for square in range(deepest(graph))]
    lines = [sum(squares[square] for square in bit_numbers(line)) for line in graph.game.winning_lines()]
    return [(line[0], line[1]) for line in lines]  # type: ignore[index]


# A model learned from recorded games: what was played in a position and its images, and the noise that fits best.


Pairs = Counter[tuple[Position, Position, bool]]
"""How often play went from a class of positions to another, and whether the same side moved again."""


def moves_in(game: Game, path: Path) -> Iterator[tuple[Position, Move]]:
    """All positions of the recorded games with the moves that were made there."""
    try:
        records = read_games(path)
    except BadArgument as fault:
        raise BadPlayer(str(fault)) from None
    for record in records:
        try:
            begin = parse_position(game, record.position) if record.position else (game.start, FIRST)
            for position, _, move in replay(game, *begin, record.moves):
                yield position, move
        except (BadPosition, IllegalMove) as fault:
            raise BadPlayer(f"{record.source}: {fault}") from None


def learned(game: Game, path: Path) -> Weigh:
    """What was played before, images of a position taken together; noise where too little is known.

    In a position that came up n times, the record counts n times and the fitted `noisy` once.
    """
    record = list(moves_in(game, path))
    if not record:
        raise BadPlayer(f"the record {str(path)!r} has no moves; write a game a line, such as: b2 a1 c3")
    smallest = canonical(game)
    pairs: Pairs = Counter(
        (smallest(*here), smallest(*game.play(*here, move)), moves_again(game, here, move)) for here, move in record
    )
    visits = Counter(smallest(*here) for here, _ in record)

    def weigh(graph: Graph, exact: bool) -> Numbers:
        prior = noisy(likeliest_noise(graph, record))(graph, exact)
        counts = np.zeros(graph.children.size, np.int64).astype(object if exact else float)
        for number in np.flatnonzero(graph.going).tolist():
            here = smallest(*graph.position(number))
            if here in visits:
                edges = graph.edges(number)
                children = [smallest(*graph.position(child)) for child in graph.children[edges].tolist()]
                after = [*zip(children, graph.again[edges].tolist(), strict=True)]
                alike = Counter(after)
                probabilities = [Fraction(pairs[here, *turn], alike[turn]) for turn in after]
                counts[edges] = probabilities if exact else [float(probability) for probability in probabilities]
        return graph.normalised(counts + prior, exact)

    return weigh


def likeliest_noise(graph: Graph, record: list[tuple[Position, Move]]) -> Fraction:
    """The noise under which the recorded moves are most likely, in thousandths."""
    best = graph.best(graph.scores)
    kinds: Counter[tuple[bool, int, int]] = Counter()
    for position, move in record:
        edges = graph.edges(graph.number(position))
        is_move = graph.targets[edges] == graph.target(position, move)
        good = best[edges]
        kinds[bool(good[is_move].any()), int(good.sum()), good.size] += 1
    probability = np.arange(1001) / 1000
    likelihood = np.zeros(probability.size)
    with np.errstate(divide="ignore"):
        for (was_best, count, moves), times in kinds.items():
            likelihood += times * np.log(probability / moves + (1 - probability) / count * was_best)
    return Fraction(int(likelihood.argmax()), 1000)
