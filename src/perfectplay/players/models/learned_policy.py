"""A model learned from recorded games: what was played in a position and its images, and the noise that fits best."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from perfectplay.game import Game, canonical, moves_again
from perfectplay.players.models.game_graph import Graph, Numbers
from perfectplay.players.models.policies import Weigh, noisy
from perfectplay.rules.game_records import read_games
from perfectplay.rules.notation import parse_position, replay
from perfectplay.words import FIRST, BadArgument, BadPlayer, BadPosition, IllegalMove, Move, Position

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
