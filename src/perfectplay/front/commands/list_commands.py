"""`perfectplay games` and `perfectplay players`: what there is, a line each."""

import json
from argparse import Namespace

from perfectplay.api.catalogue import games, players


def show_games(options: Namespace) -> int:
    """Prints the games that come with the package."""
    found = games()
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
    found = players()
    if options.json:
        print(json.dumps([player.to_dict() for player in found]))
        return 0
    for player in found:
        if "any" in player.kinds:
            also = f" (also {', '.join(player.aliases)})" if player.aliases else ""
            print(f"{player.name:<11} {player.plain}{also}")
    print("\nFor solved games, with more behind the name; also models of opponents:")
    for player in found:
        if "solved" in player.kinds:
            name = player.name if player.name == "uniform" else f"{player.name}:"
            print(f"{name:<11} {player.summary}")
    print("\nFor games won by a line of pieces, up to 1,024 squares, such as lines:15,15,5:")
    for player in found:
        if "line" in player.kinds:
            print(f"{player.name:<11} {player.summary}")
    print("\nA file of perfectplay export is a player: json:tic-tac-toe.json")
    print("A function of your own is a player, too: ./bots.py:my_ai")
    return 0
