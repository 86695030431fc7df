"""Who plays in the terminal: as the command names them, or as the person there answers."""

import sys
from collections.abc import Sequence
from random import Random

from rich.console import Console
from rich.text import Text

from perfectplay.arena.bot_makers import close, isolated_maker
from perfectplay.commands.terminal.progress import waiting
from perfectplay.commands.terminal.terminal import say
from perfectplay.game import Game
from perfectplay.players.models.levels import LEVELS
from perfectplay.players.player_kind import HUMAN
from perfectplay.players.registry import KINDS, plain_name, strongest
from perfectplay.players.seat import Seat
from perfectplay.words import SECOND, BadArgument, PerfectplayError

OFFERED = [kind.name for kind in KINDS if kind.label]
CHOICES = f"""Type how strong the other side is to play, or who it is:
  1 to {LEVELS}   from random to the best there is
  a name    such as {", ".join(OFFERED)}, ./bots.py:my_ai; perfectplay players lists all
  human     another person
  Enter     the strongest player that this game has
  quit      ends the program"""


class Quit(Exception):
    """The person at the terminal has had enough, or there is no more input."""


def named_players(named: Sequence[str], first: str | None, second: str | None) -> tuple[str, str | None]:
    """The players behind the game, or those of the options: one alone is the opponent of a person, who moves first."""
    if named and (first or second):
        raise BadArgument("name the players once: PLAYER PLAYER behind the game, or --first and --second")
    if len(named) > 2:
        raise BadArgument(f"two can play, not {len(named)}: {' '.join(named)}; name one player or two behind the game")
    if named:
        first, second = named if len(named) == 2 else (HUMAN, named[0])
    return plain_name(first or HUMAN), second


def opponent(game: Game, console: Console) -> str:
    """Whom the person wants to play; where nobody can be asked, the strongest player. Raises Quit."""
    seat = Seat(game, SECOND, Random(), lazy=True)
    if sys.stdin is None or not sys.stdin.isatty():
        return strongest(seat)[0]
    while True:
        text = asked(console, f"How strong? 1 to {LEVELS}, a player's name, or help; Enter for the strongest: ")
        match text.lower():
            case "quit" | "exit" | "q":
                raise Quit
            case "help" | "?":
                say(console, CHOICES)
                continue
        name = f"level:{text}" if text.isdecimal() else plain_name(text)
        if name == HUMAN:
            return name
        try:
            with waiting("the player looks at the game; a search is compiled the first time, some seconds"):
                if not name:
                    return strongest(seat)[0]
                maker = isolated_maker(name)
                maker(seat)
                close(maker)
            return name
        except PerfectplayError as fault:
            say(console, f"{fault}.")


def asked(console: Console, prompt: str) -> str:
    """What the person types; Quit when there is no more input."""
    try:
        if sys.stdin is None:
            raise EOFError
        return console.input(Text(prompt)).strip()
    except EOFError:
        console.print()
        raise Quit from None
