"""`games`: the games that come with the package, and what is known about one."""

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import Named
from perfectplay.commands.verb import Call, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.listing import GameInfo
    from perfectplay.views.document import Cell

WHOLE = 10_000
"""No line is cut that is not for a screen."""


@verb("play", "list the built-in games", "games", "games nim", name="games", runs_rules=False)
def list_games(
    game: Annotated[
        str | None, Named("tell the rules, sizes and results of this game", metavar="GAME", argument=True)
    ] = None,
) -> "list[GameInfo]":
    """The games that come with the package, group by group, and those of plug-ins that load; or one by name."""
    from perfectplay.commands.listing import Listed, game_info, game_named, plugin_games
    from perfectplay.rules.families import describe_games, groups, load_family
    from perfectplay.views.document import Strong

    columns: dict[str, Callable[[GameInfo], Cell]] = {
        "game": lambda one: Strong(one.name),
        "sizes": lambda one: one.sizes.replace(",", ", "),
        "also called": lambda one: ", ".join(one.aliases),
        "what it is": lambda one: one.summary,
        "with best play": lambda one: one.known,
    }
    if game is not None:
        return Listed("game", "games", columns, [game_named(game)])
    order = groups()
    found = sorted(describe_games(), key=lambda one: (order.index(one.group), one.name))
    bundled = [game_info(one, load_family(one.name)) for one in found]
    return Listed("game", "games", columns, bundled + plugin_games().working)


@on_command_line("games")
def show(call: Call) -> int:
    """Prints a line for each game, or all that is known about one."""
    from shutil import get_terminal_size

    from perfectplay.commands.listing import plugin_games, print_faults

    games = call.result()
    if call.options.game is not None:
        return call.finish(games[0])
    print_faults(plugin_games())
    wide = get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else WHOLE  # it may be closed
    return call.finish(games, "\n".join(game_lines(games, max(80, wide))))


def game_lines(games: "list[GameInfo]", width: int) -> Iterator[str]:
    """A line for each game, group by group, cut to the width; below it the well-known games among its sizes."""
    from textwrap import fill, shorten

    from perfectplay.commands.listing import without_name

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
