"""Computes every result that the game files tell, and writes the pages of results and of games.

`make tables` computes all of them; `make tables GAMES="nim chomp"` those of some families only, and keeps the other
rows. Nothing else comes from earlier runs: tables and compiled code are in a folder that is new and empty.
"""

import os
import re
import sys
import tempfile
import time
from pathlib import Path

from game_pages import GAMES, RESULTS, games_part, written

import perfectplay
from perfectplay.exports.page.cards import result_text
from perfectplay.game import Game
from perfectplay.rules.families import Result, describe_games
from perfectplay.solvers.scores import TOP
from perfectplay.solvers.search.alphabeta import Search
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.words import DRAW, WIN, Entry, TooBig

ROOT = Path(__file__).parent.parent
HEAD = [
    "| game | with best play | positions | up to symmetry | by side | won | drawn | lost | longest | seconds |",
    "|---|---|---|---|---|---|---|---|---|---|",
]
MEMORY = "4G"
SLOT_BITS = 24
"""Entries of the transposition table of a search, as a power of two."""


def told() -> dict[str, list[Result]]:
    """The results of each family that can be computed."""
    found = {known.name: [one for one in known.results if not one.reported] for known in describe_games()}
    return {name: known for name, known in found.items() if known}


def verdict(entry: Entry) -> str:
    """Who wins, and how soon or by how many points."""
    who = "draw" if entry.value == DRAW else "first player wins" if entry.value == WIN else "second player wins"
    if entry.margin is not None:
        return f"{who} by {abs(entry.margin)}" if entry.margin else who
    return "endless draw" if entry.endless else f"{who}, {entry.distance} {'ply' if entry.distance == 1 else 'plies'}"


def searched_entry(game: Game) -> Entry:
    """The entry of the start by search alone: no opening book is asked."""
    if not book_of(game):
        return perfectplay.analyse(game).entry
    score = Search(game, SLOT_BITS).score(game.start)
    return Entry((score > 0) - (score < 0), TOP - abs(score) if score else game.plies_left(*game.start))


def result_row(result: Result) -> str:
    """A row of the page of results; raises ValueError if the file tells another result than the one computed."""
    game = perfectplay.load(result.game)
    begin = time.perf_counter()
    try:
        found = perfectplay.solve(game, memory=MEMORY, sides=True).solved
    except TooBig:
        entry = searched_entry(game)
        cells = ["by search", *"------", f"{time.perf_counter() - begin:.2f}"]
    else:
        entry = found.start
        drawn = f"{found.draws:,}"
        if found.endless:
            drawn += f", {'all' if found.endless == found.draws else f'{found.endless:,}'} endless"
        longest = "-" if entry.margin is not None else str(found.longest)
        cells = [f"{found.positions:,}", f"{found.classes:,}", f"{found.classes_by_side:,}"]
        cells += [f"{found.wins:,}", drawn, f"{found.losses:,}", longest, f"{found.seconds_in_all:.2f}"]
    if not re.fullmatch(f"{re.escape(result.text)}(, endless| (in|by) [0-9]+)?", result_text(entry)):
        raise ValueError(f"{result.game} is told as {result.text!r}, but computed as {result_text(entry)!r}")
    return " | ".join([f"| `{result.game}`", verdict(entry), *cells]) + " |"


def rows_in(page: str) -> dict[str, str]:
    """The rows of a page by their games."""
    return {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}


def results_part(rows: dict[str, str]) -> str:
    """The tables of results of these rows, family by family."""
    parts = []
    for family, known in told().items():
        there = [rows[result.game] for result in known if result.game in rows]
        parts += [f"## {family}", "", *HEAD, *there, ""] if there else []
    return "\n".join(parts)


def compute(wanted: list[str]) -> None:
    """Computes the rows of these families and writes them into the page of results, family by family."""
    begin = time.perf_counter()
    for family in wanted:
        fresh = {}
        for result in told()[family]:
            fresh[result.game] = result_row(result)
            print(f"{time.perf_counter() - begin:6.0f} s  {fresh[result.game]}", flush=True)
        page = RESULTS.read_text(encoding="utf-8")
        write(RESULTS, results_part(rows_in(page) | fresh))


def write(page: Path, part: str) -> None:
    """Writes the part into the page."""
    page.write_text(written(page.read_text(encoding="utf-8"), part), encoding="utf-8")


def main(wanted: list[str]) -> None:
    """Writes both pages."""
    if unknown := {*wanted} - {*told()}:
        sys.exit(f"no family is called {', '.join(sorted(unknown))}; there are {', '.join(told())}")
    with tempfile.TemporaryDirectory() as home:
        os.environ["PERFECTPLAY_HOME"] = home
        compute(wanted or [*told()])
    write(GAMES, games_part())


if __name__ == "__main__":
    main(sys.argv[1:])
