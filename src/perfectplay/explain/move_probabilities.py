"""Our chances in one position against somebody who errs, and after each of our moves."""

from typing import NamedTuple

from perfectplay.explain.game_graph import graphing
from perfectplay.explain.policy_names import policy_named
from perfectplay.explain.win_probability import Chance, Chances, computing
from perfectplay.game import Game, legal_moves
from perfectplay.solve.steps import Steps
from perfectplay.words import BadPlayer, Move, Position, TooBig


class Prospects(NamedTuple):
    """Our chances in a position and after each of our moves, and the moves that a street-smart player chooses from."""

    here: Chance
    moves: dict[Move, Chance]
    chosen: list[Move]


def chances_against(game: Game, model: str, exact: bool = False) -> Steps[Chances]:
    """Our chances in every position against an opponent of that kind, as fractions if they are to be exact."""
    policy = policy_named(model, game)
    if exact and not policy.exact:
        raise BadPlayer(f"the shares of {model} are no fractions; leave --exact out")
    graph = yield from graphing(game, policy.symmetric)
    if exact and not graph.ends:
        raise TooBig(f"{game.name} can go on for ever, where chances are limits, not fractions; leave --exact out")
    return (yield from computing(graph, policy.shares(graph, exact)))


def prospects(game: Game, chances: Chances, position: Position) -> Prospects:
    """The chances of the side to move."""
    graph = chances.graph
    number = graph.number(position)
    after = {move: graph.number(game.play(*position, move)) for move in legal_moves(game, position)}
    edges = graph.edges(number)
    liked = set(graph.children[edges][chances.chosen[edges]].tolist())
    return Prospects(
        chances.when_mine(number),
        {move: chances.when_theirs(child) for move, child in after.items()},
        [move for move, child in after.items() if child in liked],
    )
