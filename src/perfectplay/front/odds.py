"""`perfectplay odds`, and the winning chances that `analyse` shows: computed, not played."""

import json
from argparse import Namespace
from fractions import Fraction
from typing import NamedTuple

from perfectplay.explain.by_name import policy_named
from perfectplay.explain.chance import ALIKE, Chance, computing
from perfectplay.explain.graph import Graph, graphing
from perfectplay.explain.odds import computing_odds
from perfectplay.front.analysed import how_to_solve
from perfectplay.front.progress import watch
from perfectplay.game import Game, legal_moves
from perfectplay.loading import load_game
from perfectplay.players import CLASSIC_NAMES
from perfectplay.solve.answers import lookup_for
from perfectplay.words import BadPlayer, Move, Position, TooBig


class Shown(NamedTuple):
    """Chances on their way to a reader."""

    chance: Chance

    def fields(self) -> dict[str, object]:
        """The chances as scripts rely on them: decimals, or fractions as text."""
        named = zip(("win", "draw", "loss"), self.chance, strict=True)
        return {name: str(number) if isinstance(number, Fraction) else number for name, number in named}

    def text(self) -> str:
        """The chances in words."""
        named = zip(("win", "draw", "loss"), self.chance, strict=True)
        return ", ".join(f"{name} {share_text(number)}" for name, number in named)


def share_text(number: Fraction | float) -> str:
    """191/192 as it is, a decimal in per cent; what is not quite all or nothing never looks like it."""
    if isinstance(number, Fraction):
        return str(number)
    if ALIKE < number < 0.00005:
        return "<0.01 %"
    if ALIKE < 1 - number < 0.00005:
        return ">99.99 %"
    return f"{100 * number:.2f} %"


class Prospects(NamedTuple):
    """Our chances in a position and after each of our moves, and the moves that a street-smart player chooses from."""

    here: Shown
    moves: dict[Move, Shown]
    chosen: list[Move]


def prospects_of(game: Game, position: Position, model: str, exact: bool) -> Prospects:
    """The chances of the side to move against an opponent of that kind."""
    policy = policy_named(model, game)
    graph = graph_for_fractions(game, policy.symmetric, exact)
    if exact and not policy.exact:
        raise BadPlayer(f"the shares of {model} are no fractions; leave --exact out")
    chances = watch(computing(graph, policy.shares(graph, exact)), "rounds")
    after = {move: graph.number(game.play(*position, move)) for move in legal_moves(game, position)}
    number = graph.number(position)
    edges = graph.edges(number)
    liked = set(graph.children[edges][chances.chosen[edges]].tolist())
    return Prospects(
        Shown(chances.when_mine(number)),
        {move: Shown(chances.when_theirs(child)) for move, child in after.items()},
        [move for move, child in after.items() if child in liked],
    )


def graph_for_fractions(game: Game, symmetric: bool, exact: bool) -> Graph:
    """The graph of the game, made with progress shown; with fractions the game must end."""
    graph = watch(graphing(game, symmetric))
    if exact and not graph.ends:
        raise TooBig(f"{game.name} can go on for ever, where chances are limits, not fractions; leave --exact out")
    return graph


def show_odds(options: Namespace) -> int:
    """Computes the odds and prints them."""
    game = load_game(options.game)
    policies = [policy_named(CLASSIC_NAMES.get(name, name), game) for name in options.players]
    try:
        lookup_for(game)
    except TooBig:
        raise TooBig(f"odds need a solved game; {how_to_solve(options.game)}") from None
    graph = watch(graphing(game, all(policy.symmetric for policy in policies)))
    for name, policy in zip(options.players, policies, strict=True):
        if options.exact and not policy.exact:
            raise BadPlayer(f"the shares of {name} are no fractions; leave --exact out")
    first, second = (policy.shares(graph, options.exact) for policy in policies)
    shown = Shown(watch(computing_odds(graph, first, second), "done"))
    if options.json:
        print(json.dumps({"game": options.game, "players": options.players, **shown.fields()}))
        return 0
    a, b = options.players
    print(f"{options.game}: {a} moves first, {b} second")
    if a == b:
        a, b = f"first {a}", f"second {b}"
    names = (f"{a} wins", "drawn", f"{b} wins")
    wide = max(len(name) for name in names)
    for name, number in zip(names, shown.chance, strict=True):
        more = f"   {float(number):.12f}" if isinstance(number, Fraction) else f"   {number:.12f}"
        print(f"  {name:<{wide}}  {share_text(number):>10}{more}")
    return 0
