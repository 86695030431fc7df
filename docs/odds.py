"""Writes docs/reference/exact-odds.md, exact results between imperfect players: `make odds`, some minutes."""

from itertools import pairwise
from pathlib import Path

from perfectplay import load
from perfectplay.players.models.game_graph import graph_for
from perfectplay.players.models.level_policies import ladder, probabilities_of
from perfectplay.players.models.levels import ALL
from perfectplay.players.models.odds import computing_odds
from perfectplay.players.registry import policy_named
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import kept_table, table_path

PAGE = Path(__file__).parent / "reference" / "exact-odds.md"
GAMES = ["tic-tac-toe", "misere", "drop:4,4,4", "tactic-toe", "kingpawns", "dots:2,2", "kalah:3,2"]
ALGORITHMS = ["random", "wins", "blocks", "perfect"]
MODELS = ["uniform", "weighted:centre=3", "noisy:0.3", "noisy:0.1", "shallow:2", "shallow:4", "softmax:0.5", "blocks"]
LADDERS = [
    *("tic-tac-toe", "misere", "tactic-toe", "kingpawns", "drop:4,3,3", "drop:4,4,3", "drop:4,4,4", "lines:4,3,3"),
    *("dots:2,2", "kalah:3,2"),
]
HEAD = """# Exact odds

<!-- Written by docs/odds.py: make odds -->

No game on this page was played. `perfectplay odds` computes results on the game graph, so the figures have no
sampling error. A score is the probability of a win plus half the probability of a draw. In games for points, such
as `dots:2,2` and `kalah:3,2`, a win counts the same by whatever margin.

"""


def graph_of(name: str):
    """The graph of the game, which is solved first if need be."""
    game = load(name)
    if kept_table(game) is None:
        finished(solving(game, Options(path=table_path(game))))
    return game, graph_for(game, symmetric=False)


def odds(name: str, first: str, second: str):
    """The odds of two players by name."""
    game, graph = graph_of(name)
    probabilities = [policy_named(player, game).probabilities(graph, False) for player in (first, second)]
    return finished(computing_odds(graph, *probabilities))


def score(name: str, player: str, other: str) -> float:
    """The score of a player against another, averaged over moving first and second."""
    first, second = odds(name, player, other), odds(name, other, player)
    return (first.win + first.draw / 2 + second.loss + second.draw / 2) / 2


def per_cent(probability: float) -> str:
    """The probability in per cent, with one decimal."""
    return f"{100 * probability:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def more_rules() -> str:
    """The simple players, each against itself."""
    rows = []
    for name in GAMES:
        for player in ALGORITHMS:
            found = odds(name, player, player)
            rows.append([f"`{name}`", f"`{player}`", *(per_cent(probability) for probability in found)])
    text = """## Do stronger players draw more often?

Each player plays against itself; the figures are percentages of all games. In tic-tac-toe, taking wins makes games
shorter, so fewer are drawn. Blocking leads to more draws, and perfect play always draws. In games that the first player
wins, stronger players end up drawing less. In games with cycles, weak players almost never draw.

"""
    return text + table(["game", "player", "first wins", "drawn", "second wins"], rows)


def street_smartness() -> str:
    """The scores of streetwise players against each opponent, by the model that they are tuned to."""
    rows = []
    for model in MODELS:
        scores = [score("tic-tac-toe", f"streetwise:{other}", model) for other in MODELS]
        best = max(scores)
        cells = [f"**{per_cent(one)}**" if one > best - 5e-5 else per_cent(one) for one in scores]
        plain = [per_cent(score("tic-tac-toe", player, model)) for player in ("perfect", "tricky")]
        rows.append([f"`{model}`", *plain, *cells])
    text = """
## What does `streetwise` gain?

Each row is an opponent in tic-tac-toe; each cell is the score against it in per cent, averaged over moving first and
second. `perfect` treats all moves that keep the result alike. `tricky` uses the classic hand-written tie-break. The
other columns are `streetwise` tuned to that model of its opponent. None of these players ever loses. Tuned to the
right model, `streetwise` wins as often as any player that never gives the result away (bold: the best in the row);
tuned to a wrong model, it can score less than `perfect`.

"""
    return text + table(["opponent", "`perfect`", "`tricky`", *(f"`{model}`" for model in MODELS)], rows)


def levels() -> str:
    """The scores of each level against the one below."""
    rows = []
    for name in LADDERS:
        _, graph = graph_of(name)
        probabilities = [probabilities_of(graph, level, False) for level in ladder(graph)]
        steps = []
        for below, above in pairwise(probabilities):
            first, second = (finished(computing_odds(graph, *pair)) for pair in ((above, below), (below, above)))
            steps.append((first.win + first.draw / 2 + second.loss + second.draw / 2) / 2)
        rows.append([f"`{name}`", *(per_cent(step) for step in steps)])
        print(rows[-1], flush=True)
    text = """
## How even are the levels?

Each cell is the score of a level against the level below, in per cent, averaged over moving first and second. In some
games even the perfect player scores little against a random one (81 per cent on `drop:4,4,4`), which leaves no room
for nine steps above 55 per cent.

"""
    return text + table(["game", *(f"{n} over {n - 1}" for n in range(2, 11))], rows) + "\n" + of_tic_tac_toe()


def of_tic_tac_toe() -> str:
    """The levels of tic-tac-toe."""
    _, graph = graph_of("tic-tac-toe")
    texts = []
    for number, level in enumerate(ladder(graph), 1):
        sight = "everything" if level.sight == ALL else f"{level.sight} plies"
        texts.append(f"| {number} | {level.noise} | {sight} |\n")
    head = "The levels of tic-tac-toe:\n\n| level | probability of a random move | looks ahead |\n|---|---|---|\n"
    return head + "".join(texts)


def main() -> None:
    """Writes the page."""
    PAGE.write_text(HEAD + more_rules() + street_smartness() + levels(), encoding="utf-8")


if __name__ == "__main__":
    main()
