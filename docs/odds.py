"""Writes docs/odds.md, exact odds of players who err and of players who wait for it: `make odds`, some minutes."""

from itertools import pairwise
from pathlib import Path

from perfectplay import load
from perfectplay.explain.game_graph import graph_for
from perfectplay.explain.level_policies import ladder, probabilities_of
from perfectplay.explain.levels import ALL
from perfectplay.explain.odds import computing_odds
from perfectplay.players import policy_named
from perfectplay.solve.complete import solving
from perfectplay.solve.engine import Options
from perfectplay.solve.steps import finished
from perfectplay.table.table_folder import kept_table, place_of

PAGE = Path(__file__).parent / "odds.md"
GAMES = ["tic-tac-toe", "misere", "drop:4,4,4", "tactic-toe", "kingpawns"]
ALGORITHMS = ["random", "wins", "blocks", "perfect"]
MODELS = ["uniform", "weighted:centre=3", "noisy:0.3", "noisy:0.1", "shallow:2", "shallow:4", "softmax:0.5", "blocks"]
LADDERS = ["tic-tac-toe", "misere", "tactic-toe", "kingpawns", "drop:4,3,3", "drop:4,4,3", "drop:4,4,4", "lines:4,3,3"]
HEAD = """# Exact odds

Written by docs/odds.py: `make odds`. Nothing here was played: `perfectplay odds` goes through the game graph, so the
figures have no error bars. A score is the share of wins plus half the draws.

"""


def graph_of(name: str):
    """The graph of the game, which is solved first if need be."""
    game = load(name)
    if kept_table(game) is None:
        finished(solving(game, Options(path=place_of(game))))
    return game, graph_for(game, symmetric=False)


def odds(name: str, first: str, second: str):
    """The odds of two players by name."""
    game, graph = graph_of(name)
    probabilities = [policy_named(player, game).probabilities(graph, False) for player in (first, second)]
    return finished(computing_odds(graph, *probabilities))


def score(name: str, player: str, other: str) -> float:
    """What the player scores against the other, moving first and second in turn."""
    first, second = odds(name, player, other), odds(name, other, player)
    return (first.win + first.draw / 2 + second.loss + second.draw / 2) / 2


def per_cent(probability: float) -> str:
    """The share with one decimal."""
    return f"{100 * probability:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def more_rules() -> str:
    """The players of the ladder, each against itself."""
    rows = []
    for name in GAMES:
        for player in ALGORITHMS:
            found = odds(name, player, player)
            rows.append([f"`{name}`", f"`{player}`", *(per_cent(probability) for probability in found)])
    text = """## Do more rules mean more draws?

Each player against itself, in per cent of all games. In tic-tac-toe taking wins makes games shorter, so fewer are
drawn; blocking makes more draws, and perfect play nothing else. Where the first player has a won game, more rules mean
fewer draws in the end; where play can go round in circles, players who know little hardly ever draw.

"""
    return text + table(["game", "player", "first wins", "drawn", "second wins"], rows)


def street_smartness() -> str:
    """What street-smart players gain against each kind of opponent, and what with the wrong idea of it."""
    rows = []
    for model in MODELS:
        scores = [score("tic-tac-toe", f"streetwise:{other}", model) for other in MODELS]
        best = max(scores)
        cells = [f"**{per_cent(one)}**" if one > best - 5e-5 else per_cent(one) for one in scores]
        plain = [per_cent(score("tic-tac-toe", player, model)) for player in ("perfect", "tricky")]
        rows.append([f"`{model}`", *plain, *cells])
    text = """
## What does street-smartness gain?

Scores in tic-tac-toe against the opponent on the left, moving first and second in turn, in per cent: of `perfect`,
which takes all moves that keep the result for equal, of `tricky`, the classic hand-made tie-break, and of `streetwise`
with each idea of its opponent. None of them ever loses. With the right idea it wins as often as one can who never gives
the result away (bold: the best in the row); with a wrong one it can do worse than with none.

"""
    return text + table(["opponent", "`perfect`", "`tricky`", *(f"`{model}`" for model in MODELS)], rows)


def levels() -> str:
    """The steps of the ladder of levels."""
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

What each level scores against the one below, moving first and second in turn, in per cent. Where even the perfect
player does not score much against a random one, as on `drop:4,4,4` with 81 per cent, there is no room for nine steps
of more than 55.

"""
    return text + table(["game", *(f"{n} over {n - 1}" for n in range(2, 11))], rows) + "\n" + of_tic_tac_toe()


def of_tic_tac_toe() -> str:
    """What the levels of tic-tac-toe are."""
    _, graph = graph_of("tic-tac-toe")
    texts = []
    for number, level in enumerate(ladder(graph), 1):
        sight = "everything" if level.sight == ALL else f"{level.sight} plies"
        texts.append(f"{number}: noise {level.noise}, sees {sight}")
    return f"The levels of tic-tac-toe: {'; '.join(texts)}.\n"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(HEAD + more_rules() + street_smartness() + levels(), encoding="utf-8")


if __name__ == "__main__":
    main()
