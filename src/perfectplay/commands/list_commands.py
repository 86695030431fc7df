"""`perfectplay games` and `perfectplay players`: what there is, a line each."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from shutil import get_terminal_size
from textwrap import fill, shorten, wrap

from perfectplay.commands.listing import GameInfo, game_named, list_games, list_players
from perfectplay.rules.families import letters_of, size_example

WIDE = 100
"""The longest line of a text."""
WHOLE = 10_000
"""No line is cut that is not for a screen."""


def show_games(options: Namespace) -> int:
    """Prints the games that come with the package, or what is known about one."""
    if options.game is not None:
        one = game_named(options.game)
        print(json.dumps(one.to_dict()) if options.json else "\n".join(about(one)))
        return 0
    found = list_games()
    if options.json:
        print(json.dumps([game.to_dict() for game in found]))
        return 0
    wide = get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else WHOLE  # it may be closed
    print("\n".join(list_lines(found, max(80, wide))))
    return 0


def list_lines(games: list[GameInfo], width: int) -> Iterator[str]:
    """A line for each game, group by group, cut to the width; below it the well-known games among its sizes."""
    wide = max(len(game.name) for game in games)
    yield "With best play at the default sizes, in plies or by points:"
    for group in dict.fromkeys(game.group for game in games):
        yield f"\n{group}:"
        for game in games:
            if game.group == group:
                result = game.known.replace(" player", "").lower() or "-"
                begins = f"  {game.name:<{wide}}  {result:<17}  "
                room = width - len(begins)
                yield begins + shorten(without_name(game), room, placeholder=" ...", break_on_hyphens=False)
                if names := [alias for alias, sizes in game.aliases.items() if sizes]:
                    yield fill(
                        ", ".join(names),
                        width,
                        initial_indent=" " * 4,
                        subsequent_indent=" " * 4,
                        break_on_hyphens=False,
                    )
    yield "\nperfectplay games NAME tells the rules, the sizes and the results of one."
    yield "A file of your own is a game, too: perfectplay play ./mygame.py:5,5"


def without_name(game: GameInfo) -> str:
    """The summary, which may begin with the name."""
    title, _, rest = game.summary.partition(": ")
    return rest[:1].upper() + rest[1:] if letters_of(title) == letters_of(game.name) else game.summary


def about(game: GameInfo) -> Iterator[str]:
    """A game's rules, sizes, names and results."""
    yield f"{game.name}: {game.summary}\n"
    yield from paragraphs(game.rules)
    yield f"\nsizes    {game.name}:{game.sizes}" if game.sizes else "\nsizes    none"
    if example := size_example(game.name):
        yield f"         {example}"
    for alias, sizes in game.aliases.items():
        yield f"         {alias} is {game.name}{sizes and f':{sizes}'}"
    if game.history:
        yield ""
        yield from wrap(game.history.replace("*", ""), WIDE)
    if game.results:
        yield "\nresults with best play"
        wide = max(len(result.game) for result in game.results)
        long = max(len(result.text) for result in game.results)
        for result in game.results:
            source = result.source.replace("*", "") or "no source known to us"
            yield f"  {result.game:<{wide}}  {result.text:<{long}}  {source}"


def paragraphs(text: str) -> Iterator[str]:
    """The lines of the rules, each a paragraph."""
    for line in text.splitlines():
        yield from wrap(line, WIDE)


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
