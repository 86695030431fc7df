"""Our win probability in one position against an imperfect opponent, and after each of our moves."""

from typing import NamedTuple

from perfectplay.game import Game, legal_moves
from perfectplay.players.models.game_graph import graphing
from perfectplay.players.models.policies import Policy
from perfectplay.players.models.win_probability import WinProbabilities, WinProbability, computing
from perfectplay.solvers.steps import Steps
from perfectplay.words import Move, Position, TooBig


class MoveProbabilities(NamedTuple):
    """Our win probability in a position and after each move, and the moves that a street-smart player chooses from."""

    here: WinProbability
    moves: dict[Move, WinProbability]
    chosen: list[Move]


def win_probabilities_against(game: Game, policy: Policy, exact: bool = False) -> Steps[WinProbabilities]:
    """Our win probability in every position against an opponent of that policy, as a fraction if it is to be exact."""
    policy.check(exact)
    graph = yield from graphing(game, policy.symmetric)
    if exact and not graph.ends:
        raise TooBig(f"{game.name} has cycles, where win probabilities are limits, not fractions; leave out exact=True")
    return (yield from computing(graph, policy.probabilities(graph, exact)))


def move_probabilities(game: Game, probabilities: WinProbabilities, position: Position) -> MoveProbabilities:
    """The win probability of the side to move."""
    graph = probabilities.graph
    number = graph.number(position)
    targets = {move: graph.target(position, move) for move in legal_moves(game, position)}
    edges = graph.edges(number)
    liked = set(graph.targets[edges][probabilities.chosen[edges]].tolist())
    return MoveProbabilities(
        probabilities.when_mine(number),
        {move: probabilities.after(target) for move, target in targets.items()},
        [move for move, target in targets.items() if target in liked],
    )
