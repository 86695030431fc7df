"""`perfectplay odds`: the exact result of two players, computed, not played."""

import json
from argparse import Namespace
from fractions import Fraction

from perfectplay.explain.game_graph import graphing
from perfectplay.explain.odds import computing_odds
from perfectplay.front.commands.analyse_command import how_to_solve
from perfectplay.front.probability_text import probability_fields, probability_text
from perfectplay.front.progress import watch
from perfectplay.loading import load_game
from perfectplay.players import policy_named
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.words import TooBig


def show_odds(options: Namespace) -> int:
    """Computes the odds and prints them."""
    game = load_game(options.game)
    policies = [policy_named(name, game) for name in options.players]
    for policy in policies:
        policy.check(options.exact)
    try:
        lookup_for(game)
    except TooBig:
        raise TooBig(f"odds need a solved game; {how_to_solve(options.game)}") from None
    graph = watch(graphing(game, all(policy.symmetric for policy in policies)))
    first, second = (policy.probabilities(graph, options.exact) for policy in policies)
    probability = watch(computing_odds(graph, first, second), "done")
    if options.json:
        print(json.dumps({"game": options.game, "players": options.players, **probability_fields(probability)}))
        return 0
    a, b = options.players
    print(f"{options.game}: {a} moves first, {b} second")
    if a == b:
        a, b = f"first {a}", f"second {b}"
    names = (f"{a} wins", "drawn", f"{b} wins")
    wide = max(len(name) for name in names)
    for name, number in zip(names, probability, strict=True):
        more = f"   {float(number):.12f}" if isinstance(number, Fraction) else f"   {number:.12f}"
        print(f"  {name:<{wide}}  {probability_text(number):>10}{more}")
    return 0
