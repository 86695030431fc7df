"""Draws terminals and boards for the README and the docs, each from a real game: `make pictures`."""

import io
import re
from contextlib import nullcontext, suppress
from pathlib import Path
from random import Random

from rich.console import Console

from perfectplay.commands.matches.match import Match
from perfectplay.commands.matches.terminal_games import Evening, Quit
from perfectplay.rules.loading import load_game

FOLDER = Path(__file__).parent


class Typist(Console):
    """A console at which the given lines are typed."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(record=True, width=64, file=io.StringIO(), force_terminal=True, highlight=False, markup=False)
        self.lines = iter(lines)

    def input(self, prompt="", **options):  # type: ignore[no-untyped-def, override]
        """The next line, shown after the prompt."""
        line = next(self.lines, "quit")
        self.print(prompt, line, sep="")
        return line

    def status(self, *arguments, **options):  # type: ignore[no-untyped-def, override]
        """Nothing: what spins on a terminal stands still on a picture."""
        return nullcontext()


def draw(file: str, game: str, opponent: str, lines: list[str], seed: int) -> None:
    """Plays the game and saves what the terminal showed."""
    console = Typist(lines)
    evening = Evening(load_game(game), ["human", opponent], Random(seed), toss=False, seconds=None, console=console)
    with suppress(Quit):
        evening.run()
    svg = console.export_svg(title=f"perfectplay play {game}", unique_id=file)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the reader's own font: nothing is fetched
    svg = svg.replace("Fira Code,", "ui-monospace, DejaVu Sans Mono,")
    (FOLDER / f"{file}.svg").write_text(svg, encoding="utf-8")
    print(f"wrote {file}.svg")


def draw_boards() -> None:
    """Saves the pictures of boards that the docs show; they follow the theme of the reader's system."""
    played = Match("tic-tac-toe", ["a1", "b1"])
    played.save_picture(FOLDER / "board-hints.svg", hints=True, values=True, dark=None)
    game = Match("tic-tac-toe", ["a1", "b2", "c3", "a3", "c1", "b1", "c2"])
    game.save_picture(FOLDER / "line-of-play.svg", animate=True, values=True, dark=None)
    print("wrote board-hints.svg\nwrote line-of-play.svg")


if __name__ == "__main__":
    draw("tic-tac-toe", "tic-tac-toe", "perfect", ["a1", "hint", "c3", "quit"], seed=2)
    draw_boards()
