"""Writes the computed tables of results into README.md and docs/reference/results.md: `make tables`, some minutes."""

from pathlib import Path

import searched

import perfectplay
from perfectplay import load
from perfectplay.solvers.alphabeta import Search
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.side_count import counting_by_side
from perfectplay.solvers.steps import finished
from perfectplay.table.table_file import Header
from perfectplay.words import DRAW, WIN

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- written by docs/tables.py -->\n", "<!-- end -->"
README_GAMES = {
    "tic-tac-toe": "folklore",
    "tactic-toe": "article by the game's author",
    "kingpawns": "-",
    "drop:5,5,4": "J. Tromp, table of small boards",
    "connect-four": "J. D. Allen 1988; V. Allis, *A Knowledge-based Approach of Connect-Four*, 1988",
    "examples/hexapawn.py": "M. Gardner, *Scientific American*, March 1962",
}
"""The games of the README's table, each with where its value was first published."""
BY_SEARCH = ["connect-four"]
"""Too large for a table, not for a search: half a minute."""
RESULTS = {
    "k in a row": ["3,3,3", "4,3,3", "4,4,3", "4,4,4", "5,3,3", "6,2,3", "5,3,4"],
    "k in a row, misere": [f"{sizes},misere=true" for sizes in ("3,3,3", "4,3,3", "4,4,3", "4,4,4")],
    "connect four": ["3,3,3", "4,3,3", "4,4,3", "4,4,4", "4,5,4", "5,4,4", "4,6,4", "5,5,4", "6,4,4"],
    "fading marks": ["3,2", "3,3", "4,2", "4,3", "5,2"],
    "kings and pawns": ["", "pawns=1", "pawns=3", "pawns=4", "pawns=1,promotion=true", "promotion=true"],
    "hexapawn": ["3,3", "4,4", "5,4", "4,5"],
    "dots and boxes": ["1,1", "2,1", "2,2", "3,2"],
    "kalah": ["2,2", "2,3", "3,2", "3,3", "4,2", "4,3"],
    "six men's morris": ["3", "4", "6"],
}
FAMILIES = {
    "k in a row": "lines",
    "k in a row, misere": "lines",
    "connect four": "drop",
    "fading marks": "fading",
    "kings and pawns": "kingpawns",
    "hexapawn": "examples/hexapawn.py",
    "dots and boxes": "dots",
    "kalah": "kalah",
    "six men's morris": "morris",
}


def verdict(header: Header) -> str:
    """Who wins, and how soon or by how many points."""
    entry = header.start
    if entry.endless:
        return "endless draw"
    who = "draw" if entry.value == DRAW else "first player wins" if entry.value == WIN else "second player wins"
    if entry.margin is not None:
        return f"{who} by {abs(entry.margin)}" if entry.margin else who
    return f"{who}, {entry.distance} plies"


def readme_row(name: str) -> str:
    """A row of the README's table; a game too large for a table has no count of positions."""
    if name in BY_SEARCH:
        game = load(name)
        figures = f"- | {searched.verdict(game, Search(game, 24).score(game.start))}"
    else:
        header = finished(solving(load(name), Options(memory=4 << 30))).header
        figures = f"{header.positions:,} | {verdict(header)}"
    return f"| `{name}` | {figures} | {README_GAMES[name]} |"


def result_row(name: str) -> str:
    """A row of the page of results."""
    game = load(name)
    header = perfectplay.solve(game).header
    by_side = finished(counting_by_side(game, header.classes))
    endless = (
        f", {'all' if header.endless == header.draws else f'{header.endless:,}'} endless" if header.endless else ""
    )
    longest = header.longest if header.most is None else "-"
    counts = f"{header.wins:,} | {header.draws:,}{endless} | {header.losses:,} | {longest}"
    return f"| `{name}` | {verdict(header)} | {header.positions:,} | {header.classes:,} | {by_side:,} | {counts} |"


def result_names(kind: str) -> list[str]:
    """The names of the games of that kind."""
    return [f"{FAMILIES[kind]}:{sizes}" if sizes else FAMILIES[kind] for sizes in RESULTS[kind]]


def written(text: str, table: list[str]) -> str:
    """The text with its table replaced."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n".join(table) + "\n" + END + rest.partition(END)[2]


def readme_table() -> list[str]:
    """The README's table of games."""
    head = ["| game | positions | with best play | first published |", "|---|---|---|---|"]
    return head + [readme_row(name) for name in README_GAMES]


def results_table() -> list[str]:
    """The page of results."""
    lines: list[str] = []
    for kind in RESULTS:
        lines += [f"## {kind.capitalize()}", ""]
        lines += ["| game | with best play | positions | up to symmetry | by side | won | drawn | lost | longest |"]
        lines += ["|---|---|---|---|---|---|---|---|---|"]
        lines += [result_row(name) for name in result_names(kind)] + [""]
    return lines


if __name__ == "__main__":
    for name, table in (("README.md", readme_table), ("docs/reference/results.md", results_table)):
        page = ROOT / name
        page.write_text(written(page.read_text(encoding="utf-8"), table()), encoding="utf-8")
        print(f"wrote {name}")
