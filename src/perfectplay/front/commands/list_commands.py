"""`perfectplay games` and `perfectplay players`: what there is, a line each."""

import json
from argparse import Namespace

from perfectplay.api.listing import list_games, list_players


def show_games(options: Namespace) -> int:
    """Prints the games that come with the package."""
    found = list_games()
    if options.json:
        print(json.dumps([game.to_dict() for game in found]))
        return 0
    for game in found:
        print(f"{game.name:<10} {', '.join(game.aliases) or '-':<30} {game.summary}")
    print("\nSizes follow the name, by place or by keyword:")
    for game in found:
        print(f"  {game.name}:{game.sizes}" if game.sizes else f"  {game.name}")
    print("A file of your own is a game, too: perfectplay play ./mygame.py:5,5")
    return 0


def show_players(options: Namespace) -> int:
    """Prints the players that have a name."""
    found = list_players()
    if options.json:
        print(json.dumps([player.to_dict() for player in found]))
        return 0
    for games in dict.fromkeys(player.games for player in found):
        print(f"For {games}:")
        for player in found:
            if player.games == games:
                also = f" (also {', '.join(player.aliases)})" if player.aliases else ""
                print(f"  {player.usage:<24}{player.summary}{also}")
    print("A function of your own is a player, too: ./bots.py:my_ai")
    return 0
