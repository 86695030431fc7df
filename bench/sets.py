"""Makes the position sets of connect four for `searching.py`.

python bench/sets.py

Nine sets of 500 random legal positions, by the number of plies played and the number of nodes that our search takes.
A tenth set, `opening-short`, has few stones and a win or loss within 14 plies. No two positions are the same or mirror
images, none is won immediately or lost in two plies. A line has the moves, from 1, and the entry of the position for
the side to move. Everything follows from the seed and from the nodes that the search took in 2026; it takes some
minutes.
"""

import random
import sys
from pathlib import Path

from perfectplay import ONGOING, load
from perfectplay.game import canonical, legal_moves
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.solvers.scores import TOP
from perfectplay.solvers.search.alphabeta import Question, Search

FOLDER = Path(__file__).parent / "sets"
SIZE = 500
PHASES = {"end": (29, 40), "middle": (15, 28), "opening": (8, 14)}
"""The plies played."""
HARDNESS = {"end": (5, 30), "middle": (1_000, 10_000), "opening": (100_000, 1_000_000)}
"""The least nodes of a medium and of a hard position."""
KINDS = ("easy", "medium", "hard")
SHORT = 14
"""The most plies to the end in the set of short openings."""
FEW_STONES = (6, 14)


def main() -> None:
    """Draws positions until every set is full, and writes the sets."""
    game, rng = load("connect-four"), random.Random(2026)
    search, smallest = Search(game, 18), canonical(game)
    seen = set()
    FOLDER.mkdir(exist_ok=True)
    for phase, (fewest, most) in PHASES.items():
        found: dict[str, list[str]] = {kind: [] for kind in KINDS}
        while any(len(lines) < SIZE for lines in found.values()):
            moves, position = drawn(game, rng, rng.randint(fewest, most))
            if position is None or smallest(*position) in seen:
                continue
            seen.add(smallest(*position))
            search.forget()
            score, nodes = search.score(position), search.nodes()
            medium, hard = HARDNESS[phase]
            kind = KINDS[(nodes >= medium) + (nodes >= hard)]
            if nodes and len(found[kind]) < SIZE:
                value = (score > 0) - (score < 0)
                distance = TOP - abs(score) if score else game.plies_left(*position)
                found[kind].append(f"{moves} {VALUE_NAMES[value]} {distance}\n")
                print(phase, *(f"{kind} {len(lines)}" for kind, lines in found.items()), end="\r", file=sys.stderr)
        for kind, lines in found.items():
            (FOLDER / f"{phase}-{kind}.txt").write_text("".join(lines), encoding="ascii")
        print(file=sys.stderr)
    (FOLDER / "opening-short.txt").write_text("".join(short_openings(game)), encoding="ascii")


def short_openings(game) -> list[str]:
    """The lines of positions with few stones and a near end, found without asking how many nodes they take."""
    question, rng, smallest = Question(Search(game, 18)), random.Random(28), canonical(game)
    seen, lines = set(), []
    while len(lines) < SIZE:
        moves, position = drawn(game, rng, rng.randint(*FEW_STONES))
        if position is None or smallest(*position) in seen:
            continue
        seen.add(smallest(*position))
        question.search.forget()
        question.ask(position, deepen=True)
        while not question.done and question.bounds.complete_depth() < SHORT:
            question.pursue(1 << 10)
        distance, value = question.bounds.distance(), question.bounds.value()
        if question.nodes and value and distance is not None and distance <= SHORT:
            lines.append(f"{moves} {VALUE_NAMES[value]} {distance}\n")
    return lines


def drawn(game, rng, plies):
    """The moves of a random game of that many plies and its position; None if it ends before."""
    moves, position = "", game.start
    for _ in range(plies):
        open_ended = [m for m in legal_moves(game, position) if game.outcome(*game.play(*position, m)) == ONGOING]
        if not open_ended:
            return moves, None
        move = rng.choice(open_ended)
        moves, position = moves + str(move + 1), game.play(*position, move)
    return moves, position


if __name__ == "__main__":
    main()
