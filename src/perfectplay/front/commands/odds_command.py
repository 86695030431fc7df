"""`perfectplay odds`: the exact result of two players, computed, not played."""

import json
from argparse import Namespace
from fractions import Fraction

from perfectplay.explain.game_graph import graphing
from perfectplay.explain.odds import computing_odds
from perfectplay.explain.policy_names import policy_named
from perfectplay.front.commands.analyse_command import how_to_solve
from perfectplay.front.probability_text import chance_fields, share_text
from perfectplay.front.progress import watch
from perfectplay.loading import load_game
from perfectplay.players import CLASSIC_NAMES
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.words import BadPlayer, TooBig


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
    chance = watch(computing_odds(graph, first, second), "done")
    if options.json:
        print(json.dumps({"game": options.game, "players": options.players, **chance_fields(chance)}))
        return 0
    a, b = options.players
    print(f"{options.game}: {a} moves first, {b} second")
    if a == b:
        a, b = f"first {a}", f"second {b}"
    names = (f"{a} wins", "drawn", f"{b} wins")
    wide = max(len(name) for name in names)
    for name, number in zip(names, chance, strict=True):
        more = f"   {float(number):.12f}" if isinstance(number, Fraction) else f"   {number:.12f}"
        print(f"  {name:<{wide}}  {share_text(number):>10}{more}")
    return 0
