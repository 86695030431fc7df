"""`perfectplay games` and `perfectplay players`: what there is, a line each."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from shutil import get_terminal_size
from textwrap import fill, shorten

from perfectplay.commands.listing import (
    GameInfo,
    game_named,
    list_games,
    list_players,
    plugin_games,
    plugin_players,
    without_name,
)
from perfectplay.commands.terminal.streams import show
from perfectplay.views.document import Cell, Document, Notes, Section, Table

WHOLE = 10_000
"""No line is cut that is not for a screen."""


def show_games(options: Namespace) -> int:
    """Prints the games that come with the package, or what is known about one."""
    if options.game is not None:
        one = game_named(options.game)
        if options.json:
            print(json.dumps(one.to_dict()))
        else:
            show(one.document())
        return 0
    found = list_games()
    print_faults(plugin_games().faults)
    if options.json:
        print(json.dumps([game.to_dict() for game in found]))
        return 0
    wide = get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else WHOLE  # it may be closed
    print("\n".join(list_lines(found, max(80, wide))))
    return 0


def print_faults(faults: list[str]) -> None:
    """Prints what is wrong with plug-ins that are not in a list."""
    for fault in faults:
        print(f"perfectplay: {fault}", file=sys.stderr)


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


def show_players(options: Namespace) -> int:
    """Prints the players that have a name."""
    found = list_players()
    print_faults(plugin_players().faults)
    if options.json:
        print(json.dumps([player.to_dict() for player in found]))
        return 0
    groups: dict[str, list[tuple[Cell, ...]]] = {}
    for player in found:
        also = f" (also {', '.join(player.aliases)})" if player.aliases else ""
        groups.setdefault(player.games, []).append((player.usage, player.summary + also))
    sections = (Section(f"For {games}:", Table(rows, indent=2)) for games, rows in groups.items())
    show(Document(None, *sections, Notes("A function of your own is a player, too: ./bots.py:my_ai")))
    return 0
