"""`perfectplay games` and `perfectplay players`: what there is, a line each."""

import json
from argparse import Namespace
from inspect import getdoc, getmodule

from perfectplay.loading import describe_games
from perfectplay.players import BY_ROWS, BY_SHARES, CLASSIC_NAMES, HUMAN, MAKERS


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
    about = {HUMAN: "a person at the terminal"}
    for name, maker in MAKERS.items():
        about[name] = (getdoc(getmodule(maker)) or "").partition("\n")[0].partition(": ")[2].removesuffix(".")
    if options.json:
        print(
            json.dumps([{"name": name, "summary": summary} for name, summary in (about | BY_SHARES | BY_ROWS).items()])
        )
        return 0
    for name, summary in about.items():
        classic = [other for other, meant in CLASSIC_NAMES.items() if meant == name]
        print(f"{name:<11} {summary}" + (f" (also {', '.join(classic)})" if classic else ""))
    print("\nFor solved games, with more behind the name; also models of opponents:")
    for name, summary in BY_SHARES.items():
        print(f"{name + ':':<11} {summary}" if name != "uniform" else f"{name:<11} {summary}")
    print("\nFor boards of rows, up to 1,024 squares, such as lines:15,15,5:")
    for name, summary in BY_ROWS.items():
        print(f"{name:<11} {summary}")
    print("\nA file of perfectplay export is a player: json:tic-tac-toe.json")
    print("A function of your own is a player, too: ./bots.py:my_ai")
    return 0
