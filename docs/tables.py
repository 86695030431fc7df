"""Writes the tables of the README that are computed: `make tables`."""

from pathlib import Path

from perfectplay import TooBig, load
from perfectplay.engines.compiled import positions_by_ply
from perfectplay.game import Game, canonical, levels
from perfectplay.solve.minimax import minimax
from perfectplay.solve.walkable import check_walkable

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- written by docs/tables.py -->\n", "<!-- end -->"
GAMES = {
    "tic-tac-toe": "`lines:3,3,3`",
    "misere": "`lines:3,3,3,misere=true`",
    "tactic-toe": "`fading:3,3`",
    "kingpawns": "",
    "drop:4,4,4": "",
    "drop:5,4,4": "",
    "connect-four": "`drop:7,6,4`",
    "gomoku": "`lines:15,15,5`",
    "examples/hexapawn.py": "",
}
LEVELLED = {"drop:5,4,4"}
"""Counted by the compiled rules, ply by ply."""
UNCOUNTED = {"connect-four", "gomoku"}


def counts(name: str, game: Game) -> tuple[int, int]:
    """The numbers of positions and of classes."""
    if name in LEVELLED:
        return sum(positions_by_ply(game)), sum(positions_by_ply(game, symmetric=True))
    smallest = canonical(game)
    seen = [position for level in levels(game) for position in level]
    return len(seen), len({smallest(*position) for position in seen})


def verdict(game: Game) -> str:
    """Who wins and how soon, as far as plain minimax can tell."""
    try:
        check_walkable(game, instead="")
    except TooBig as fault:
        return "can go on for ever" if "for ever" in str(fault) else "-"
    value, distance = minimax(game, game.start)
    return f"{('second player wins', 'draw', 'first player wins')[value + 1]}, {distance} plies"


def games_table() -> str:
    """The table of games."""
    lines = ["| game | is | positions | classes | with best play |", "|---|---|---|---|---|"]
    for name, meaning in GAMES.items():
        game = load(name)
        positions, classes = ("-", "-") if name in UNCOUNTED else (f"{n:,}" for n in counts(name, game))
        lines.append(f"| `{name}` | {meaning or '-'} | {positions} | {classes} | {verdict(game)} |")
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The text with its table computed anew."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + games_table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
    print("wrote README.md")
