"""The result of a tournament in the terminal: as wide as the terminal is, in ASCII where it knows no more."""

from rich.console import Console
from rich.text import Text

from perfectplay.arena.tournaments.standings import Standings
from perfectplay.arena.tournaments.standings_text import is_heading, without_unicode
from perfectplay.commands.terminal.streams import can_print


def draw_standings(console: Console, standings: Standings) -> None:
    """Prints the result as it is: names may look like markup, or like emoji."""
    for number, section in enumerate(standings.sections(console.width)):
        if number:
            console.print()
        for line in section:
            text = line if can_print(line) else without_unicode(line)
            heading = number == 0 or is_heading(line)
            console.print(Text(text, style="bold" if heading else ""), soft_wrap=True)
