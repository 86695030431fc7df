"""The scores of a published solution of tactic-toe, computed its way, and how they relate to distances."""

import re
from collections import Counter
from functools import cache

import perfectplay
from homes import ROOT
from perfectplay.game import canonical, legal_moves
from perfectplay.solvers.side_count import classes_by_ply
from perfectplay.words import LOSS, ONGOING

GAME = perfectplay.load("tactic-toe")


@cache
def pairs():
    """The positions up to symmetry, each with a side that may be to move."""
    return [
        (position, side)
        for newest in classes_by_ply(GAME)
        for side, positions in enumerate(newest)
        for position in sorted(positions)
    ]


def converged(top):
    """Scores for X of every pair of a position and a side, improved pass by pass: the best child's, one ply weaker."""
    smallest = canonical(GAME)
    children = {
        (position, side): [(smallest(*GAME.play(*position, move)), 1 - side) for move in legal_moves(GAME, position)]
        for position, side in pairs()
    }
    scores = {}
    for position, side in pairs():
        outcome = GAME.outcome(*position)
        scores[position, side] = 0 if outcome == ONGOING else top if (outcome == LOSS) == (side == 1) else -top
    changed = True
    while changed:
        changed = False
        for pair, after in children.items():
            if after:
                best = (max if pair[1] == 0 else min)(scores[child] for child in after)
                score = best - (best > 0) + (best < 0)
                changed |= score != scores[pair]
                scores[pair] = score
    return scores


def test_scores_are_the_top_less_the_distance():
    table, scores = perfectplay.solve(GAME), converged(18)
    assert len(scores) == 16_030
    for (position, side), score in scores.items():
        value, distance = table.lookup(position)
        for_x = value if side == 0 else -value
        assert score == (0 if distance is None else for_x * (18 - distance))
    assert {abs(score) for score in scores.values()} == {*range(19)}


def test_a_top_of_sixteen_takes_eight_wins_for_draws():
    high, low = Counter(converged(18).values()), Counter(converged(16).values())
    assert (low[0] - high[0], max(low), min(low)) == (8, 16, -16)


def test_the_page_has_the_histogram():
    page = (ROOT / "docs/explanation/retrograde-analysis.md").read_text(encoding="utf-8")
    counts = Counter(converged(18).values())
    found = re.findall(r"^\| (\d+) \| (\d+) \| ([\d,]+) \| ([\d,]+) \|$", page, re.MULTILINE)
    rows = [[int(cell.replace(",", "")) for cell in row] for row in found]
    assert rows == [[score, 18 - score, counts[score], counts[-score]] for score in range(18, 0, -1)]
    assert f"The remaining {counts[0]:,} of the {sum(counts.values()):,} positions" in page
