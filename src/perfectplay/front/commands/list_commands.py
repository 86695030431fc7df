"""`perfectplay games` and `perfectplay players`: what there is, a line each."""

import json
from argparse import Namespace

from perfectplay.loading import describe_games
from perfectplay.players import KINDS


def show_games(options: Namespace) -> int:
    """Prints the games that come with the package."""
    games = list(describe_games())
    if options.json:
        print(json.dumps([game._asdict() for game in games]))
        return 0
    for game in games:
        print(f"{game.name:<10} {', '.join(game.aliases) or '-':<30} {game.summary}")
    print("\nSizes follow the name, by place or by keyword:")
    for game in games:
        print(f"  {game.name}:{game.sizes}" if game.sizes else f"  {game.name}")
    print("A file of your own is a game, too: perfectplay play ./mygame.py:5,5")
    return 0


def show_players(options: Namespace) -> int:
    """Prints the players that have a name."""
    if options.json:
        print(json.dumps([{"name": kind.name, "summary": kind.about} for kind in KINDS]))
        return 0
    for games in dict.fromkeys(kind.games for kind in KINDS):
        print(f"For {games}:")
        for kind in KINDS:
            if kind.games == games:
                also = f" (also {', '.join(kind.aliases)})" if kind.aliases else ""
                print(f"  {kind.usage:<24}{kind.about}{also}")
    print("A function of your own is a player, too: ./bots.py:my_ai")
    return 0
