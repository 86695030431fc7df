"""Published and twice computed figures: sequences, positions, scores of tactic-toe, the recorded nine men's morris."""

import json
import re
from collections import Counter
from functools import cache
from itertools import combinations, product
from math import comb

import pytest

from homes import ROOT
from perfectplay import analyse, load, perft, solve
from perfectplay.game import canonical, legal_moves, levels, next_ply, turn_levels
from perfectplay.solvers.search.side_count import classes_by_ply
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, SECOND, WIN
from rings import nightly

TIC_TAC_TOE, TACTIC_TOE = load("tic-tac-toe"), load("tactic-toe")


def text_of(file):
    return (ROOT / file).read_text(encoding="utf-8")


def test_tic_tac_toe_games():
    first_wins = second_wins = draws = 0
    ways = {(TIC_TAC_TOE.start, FIRST): 1}
    while ways:
        for (position, side), count in ways.items():
            outcome = TIC_TAC_TOE.outcome(*position)
            draws += count * (outcome == DRAW)
            first_wins += count * (outcome == LOSS and side == SECOND)
            second_wins += count * (outcome == LOSS and side == FIRST)
        ways = next_ply(TIC_TAC_TOE, ways.items())
    assert (first_wins, second_wins, draws) == (131_184, 77_904, 46_080)
    assert first_wins + second_wins + draws == 255_168


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic-tac-toe", [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("connect-four", [7**plies for plies in range(7)]),
        ("kingpawns", [1, 5, 19]),
        *nightly(("connect-four", [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234])),
    ],
)
def test_sequences_of_moves(name, counts):
    assert perft(load(name), len(counts) - 1) == counts


@cache
def pairs():
    """The positions of tactic-toe up to symmetry, each with a side that may be to move."""
    return [
        (position, side)
        for newest in classes_by_ply(TACTIC_TOE)
        for side, positions in enumerate(newest)
        for position in sorted(positions)
    ]


@cache
def converged(top):
    """Scores for X of every pair of a position and a side, improved pass by pass: the best child's, one ply weaker."""
    smallest, play = canonical(TACTIC_TOE), TACTIC_TOE.play
    children = {
        (position, side): [(smallest(*play(*position, move)), 1 - side) for move in legal_moves(TACTIC_TOE, position)]
        for position, side in pairs()
    }
    scores = {}
    for position, side in pairs():
        outcome = TACTIC_TOE.outcome(*position)
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


@pytest.mark.nightly
def test_scores_of_tactic_toe_are_the_top_less_the_distance():
    """A top of sixteen, as published, takes eight wins for draws."""
    table, scores = solve(TACTIC_TOE), converged(18)
    assert len(scores) == 16_030
    for (position, side), score in scores.items():
        value, distance = table.lookup(position)
        for_x = value if side == 0 else -value
        assert score == (0 if distance is None else for_x * (18 - distance))
    assert {abs(score) for score in scores.values()} == {*range(19)}
    high, low = Counter(scores.values()), Counter(converged(16).values())
    assert (low[0] - high[0], max(low), min(low)) == (8, 16, -16)


@pytest.mark.nightly
def test_the_page_has_the_histogram_of_tactic_toe():
    page, counts = text_of("docs/explanation/retrograde-analysis.md"), Counter(converged(18).values())
    found = re.findall(r"^\| (\d+) \| (\d+) \| ([\d,]+) \| ([\d,]+) \|$", page, re.MULTILINE)
    rows = [[int(cell.replace(",", "")) for cell in row] for row in found]
    assert rows == [[score, 18 - score, counts[score], counts[-score]] for score in range(18, 0, -1)]
    assert f"The remaining {counts[0]:,} of the {sum(counts.values()):,} positions" in page


def values(name):
    """How many positions, with either side to move, are won, lost and drawn."""
    table = solve(name)
    reached = {(position, side) for level in turn_levels(table.game) for position, side in level}
    found = Counter(table.lookup(position).value for position, _ in reached)
    return [found[value] for value in (WIN, LOSS, DRAW)]


def test_games_of_blocking():
    """Of mu torere GamesCrafters counted 1,180 positions, with either side to move, 208 won, 128 lost, 844 drawn.

    In pong hau k'i one position is without a move, up to symmetry: both pieces stand on the same upright line. Col on
    an even board is won by a half turn, snort with a middle by taking that, and dodgem by who is blocked.
    """
    assert [2 * count for count in values("mutorere")] == [208, 128, 844]
    game = load("ponghauki")
    positions = {position for level in levels(game) for position in level}
    assert len({canonical(game)(*position) for position in positions if game.outcome(*position) == LOSS}) == 1
    assert [analyse(f"col:{sizes}").value for sizes in ("2,2", "2,3", "4,2")] == [LOSS] * 3
    for sizes, middle in (("1,3", "a2"), ("3,3", "b2"), ("5,1", "c1")):
        assert next(move for move in analyse(f"snort:{sizes}").moves if move.move == middle).value == WIN
    assert analyse("dodgem", position="R:.../>../^>.").value == WIN


def test_a_row_of_six_is_the_only_even_row_that_clobber_loses():
    assert [n for n in range(2, 11, 2) if solve(f"clobber:{n},1").header.value == LOSS] == [6]


def test_only_the_middle_wins_notakto():
    assert [move.move for move in analyse("notakto").moves if move.value == WIN] == ["b2"]


@pytest.mark.parametrize(("name", "rows"), [("teeko", 44), ("advanced-teeko", 58)])
def test_teeko_has_as_many_winning_places_as_scarne_says(name, rows):
    game = load(name)
    words = (sum(1 << at for at in four) for four in combinations(range(25), 4))
    assert sum(game.outcome(0, word) == LOSS for word in words) == rows


SQUARES = frozenset(product(range(4), repeat=2))


def word(squares):
    return sum(1 << x + 4 * y for x, y in squares)


def l_positions():
    """The 48 places of an L, and all positions of two Ls and two neutral pieces, as (mine, theirs, neutral)."""
    turns = [(1, 0, 0, 1), (-1, 0, 0, 1), (1, 0, 0, -1), (-1, 0, 0, -1)]
    turns += [(b, a, d, c) for a, b, c, d in turns]
    forms = {
        frozenset((x + a * i + b * j, y + c * i + d * j) for i, j in ((0, 0), (0, 1), (0, 2), (1, 2)))
        for (x, y), (a, b, c, d) in product(SQUARES, turns)
    }
    forms = [form for form in forms if form <= SQUARES]
    pairs = [(mine, theirs) for mine, theirs in product(forms, forms) if not mine & theirs]
    return forms, [(*pair, frozenset(two)) for pair in pairs for two in combinations(SQUARES.difference(*pair), 2)]


def different(forms):
    """One of each eight places that are turns and mirrors of each other: no two of them are the same for an L."""
    found = set()
    for form in forms:
        if not {*turned(form)} & found:
            found.add(form)
    return found


def turned(form):
    for _ in range(4):
        form = frozenset((3 - y, x) for x, y in form)
        yield form
        yield frozenset((3 - x, y) for x, y in form)


def test_the_l_game_as_published():
    """18,368 positions, 2,296 up to symmetry, of which 15 leave the side to move without a place for its L."""
    game = load("lgame")
    forms, positions = l_positions()
    assert (len(forms), len(positions)) == (48, 18368)
    first = different(forms)
    classes = [one for one in positions if one[0] in first]
    stuck = [one for one in classes if not any(form != one[0] and not form & (one[1] | one[2]) for form in forms)]
    assert (len(classes), len(stuck)) == (2296, 15)
    outcomes = [game.outcome(word(mine) | word(neutral) << 16, word(theirs)) for mine, theirs, neutral in classes]
    assert outcomes == [LOSS if one in stuck else ONGOING for one in classes]


@pytest.mark.nightly
def test_the_l_game_is_lost_in_29_positions():
    """15 are lost at once; in 14 more, every turn lets the other side win."""
    table = solve("lgame")
    forms, positions = l_positions()
    first = different(forms)
    values = [table.lookup((word(a) | word(c) << 16, word(b))).value for a, b, c in positions if a in first]
    assert values.count(LOSS) == 29


MORRIS = json.loads(text_of("bench/results/nine-mens-morris.json"))
MEN = 9


def parts(tier):
    """The stones placed, those lost, whether a stone is to be removed, and by how many the sides differ."""
    rest, difference = divmod(tier, MEN + 1)
    rest, removing = divmod(rest, 2)
    placed, lost = divmod(rest, 2 * MEN)
    return placed, lost, removing, difference


@cache
def after_placing():
    """The number of canonical positions without a stone to remove, by the stones of the side that has more."""
    found = {}
    for tier in MORRIS["tiers"]:
        placed, lost, removing, difference = parts(tier["tier"])
        if placed == 2 * MEN and not removing:
            fewer = (2 * MEN - lost - difference) // 2
            found[fewer + difference, fewer] = tier["classes"]
    return found


def test_the_parts_of_a_tier_are_those_of_nine_mens_morris():
    game = load("morris:9")
    assert parts(game.tier(*game.start)) == (0, 0, 0, 0)
    hand, removes = 24, 1 << 28
    closed = (0b111 | 6 << hand | removes, 0b11 << 5 | 7 << hand)
    assert parts(game.tier(*closed)) == (5, 0, 1, 0)
    assert parts(game.tier(closed[1] & ~(1 << 5), closed[0] & ~removes)) == (5, 1, 0, 1)


def test_the_recorded_tiers_add_up():
    for count in ("positions", "classes", "wins", "draws", "losses"):
        assert sum(tier[count] for tier in MORRIS["tiers"]) == MORRIS[count]
    assert MORRIS["wins"] + MORRIS["draws"] + MORRIS["losses"] == MORRIS["positions"]
    assert sum(line["positions"] for line in MORRIS["histogram"]) == MORRIS["positions"]
    assert (MORRIS["value"], MORRIS["distance"]) == ("draw", None)
    assert MORRIS["tiers"][0] == {"tier": 0, "positions": 1, "classes": 1, "wins": 0, "draws": 1, "losses": 0}


def test_recorded_positions_are_those_of_the_rules():
    by_tier = {tier["tier"]: tier["positions"] for tier in MORRIS["tiers"]}
    placed = [by_tier[game_tier] for game_tier in (0, 360, 720, 1080, 1440)]
    assert placed == [comb(24, (n + 1) // 2) * comb(24 - (n + 1) // 2, n // 2) for n in range(5)]
    for (more, fewer), classes in after_placing().items():
        boards = comb(24, more) * comb(24 - more, fewer) * (1 if more == fewer else 2)
        assert boards / 16 * 0.2 < classes < boards / 16 * 1.2 or fewer < 3


def test_figures_of_notes_and_documentation_are_the_recorded_ones():
    notes = text_of("bench/NOTES.md")
    pairs_of_counts = {(9, 9): 95_978_501, (3, 3): 169_626, (8, 8): 568_710_185}
    assert pairs_of_counts.items() <= after_placing().items()
    numbers = [*pairs_of_counts.values(), sum(n for (_, least), n in after_placing().items() if least > 2)]
    for number in (*numbers, MORRIS["classes"], MORRIS["positions"]):
        assert f"{number:,}" in notes
    billions = f"{MORRIS['positions'] // 10**9} billion positions, {MORRIS['classes'] // 10**9} billion up to"
    assert billions in text_of("docs/explanation/gpu.md")
