"""What is said of boards too large to solve is proven: never more than a full search finds, and never a guess."""

import json
from random import Random

import pytest

import perfectplay
from command_line import output
from perfectplay import DRAW, LOSS, ONGOING, WIN, load
from perfectplay.game import legal_moves
from perfectplay.rules.notation import move_name, parse_position, replay
from perfectplay.solvers.scores import TOP, score_of
from perfectplay.solvers.search.lookahead import look_ahead
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import searcher_for
from perfectplay.solvers.search.studies import studying
from perfectplay.solvers.search.threat_engine import proofs_for
from perfectplay.solvers.steps import finished
from rings import nightly


def wandered(game, rng, plies):
    """The position after so many random moves, or the last before the game ends."""
    position = game.start
    for _ in range(plies):
        after = game.play(*position, rng.choice(legal_moves(game, position)))
        if game.outcome(*after) != ONGOING:
            break
        position = after
    return position


def agrees(known, entry):
    """Whether what is known is true of a position of this entry, whose distance counts where it is claimed."""
    low, high = known.bounds
    return low <= score_of(entry) <= high and (known.distance is None or known.distance == entry.distance)


def contradictions(game, study, truth, rng, plies, count):
    """The longest win or loss that was claimed, and the claims that are not true."""
    longest, wrong = 0, []
    for _ in range(count):
        position = wandered(game, rng, rng.randrange(*plies))
        found = study(position)
        settled = [move for move, known in found.moves.items() if known.value is not None]
        some = rng.sample(settled, min(4, len(settled)))
        some += [move for move in found.moves if move not in settled][:2]  # bounds are claims, too
        claims = [(found.moves[move], truth(game.play(*position, move)).before()) for move in some]
        wrong += [(position, claim) for claim in [*claims, (found.here, truth(position))] if not agrees(*claim)]
        if found.here.value in (WIN, LOSS):
            longest = max(longest, TOP - min(map(abs, found.here.bounds)))
    return longest, wrong


@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [
        ("lines:6,6,4", (14, 26), 40),
        *nightly(("lines:5,5,4", (8, 25), 120), ("lines:5,4,3", (1, 8), 40), ("lines:6,6,4", (8, 26), 1500)),
    ],
)
def test_threats_claim_nothing_that_a_full_search_contradicts(name, plies, count):
    game = load(name)
    truth = searcher_for(game).lookup
    longest, wrong = contradictions(game, proofs_for(game).study, truth, Random(5), plies, count)
    assert wrong == []
    assert longest >= 5  # some were found by threats, not only at a glance


@pytest.mark.parametrize("name", ["drop:4,4,4", *nightly("lines:4,3,3,misere=true", "kingpawns", "tactic-toe")])
def test_a_look_ahead_claims_nothing_that_the_table_contradicts(name):
    game = load(name)
    truth = perfectplay.solve(game).lookup
    _, wrong = contradictions(game, lambda position: look_ahead(game, position, 500), truth, Random(6), (0, 12), 60)
    assert wrong == []


@pytest.mark.nightly
def test_a_limited_search_and_threats_tell_more_together():
    game = load("lines:7,7,5")
    position = game.start
    for _, _, move in replay(game, position, 0, "c4 a1 d5 g1 d3 a7 e4 g7".split()):
        position = game.play(*position, move)
    assert searcher_for(game).analyse(position, nodes=300).here.value is None
    together = finished(studying(game, position, Limits(nodes=300)))
    assert (together.here.value, together.here.distance) == (WIN, 5)
    assert [move_name(game, position, 0, move) for move, known in together.moves.items() if known.value] == ["d4"]


def test_a_board_that_nobody_can_win_any_more_is_drawn_with_the_last_square():
    game = load("lines:15,15,5")
    marks = [["XXOO"[(x + 2 * y) % 4] for x in range(15)] for y in range(15)]
    marks[14][0:13:2] = "." * 7
    position, _ = parse_position(game, f"X:{'/'.join(''.join(row) for row in marks)}")
    found = proofs_for(game).study(position)
    assert (found.here.value, found.here.distance, found.exact) == (DRAW, 7, True)


CASES = {
    "gomoku h8 a1 h9 a2 h10 b1 h11 b2": ("X wins in 1 ply", "win in 1 ply"),
    "gomoku h8 a1 i9 b1 j10 c1 o15 d1": ("X must play e1: every other move loses", "loss in 2 plies"),
    "gomoku h8 a1 h9 c2 h10": ("O must play h7 or h11", "loss in 4 plies"),
    "gomoku h8 b2 i9 d1 i7 f2 j8 o15": ("X wins in 5 plies", "i8"),
    "gomoku h8": ("Not proven", "224 moves  open"),
    "gomoku h8 a1 h9 a2 h10 a3 h11 a4 h12": ("The game is over: X has won",),
    "lines:9,9,4,misere=true": ("Not proven",),
    "drop:10,10,4 1 2 1 2 1": ("O must play 1: every other move loses",),
}
"""However large the game, threats or a look ahead tell what they prove."""


SLOW = ("gomoku h8", "lines:9,9,4,misere=true", "drop:10,10,4 1 2 1 2 1")
"""They look ahead with interpreted rules, as other tests do."""


@pytest.mark.parametrize("moves", [*(moves for moves in CASES if moves not in SLOW), *nightly(*SLOW)])
def test_what_is_proven_is_told(capsys, moves):
    text = output(capsys, f"analyse {moves}")
    assert all(words in text for words in CASES[moves])


def test_the_same_for_scripts(capsys):
    found = json.loads(output(capsys, "analyse gomoku h8 a1 i9 b1 j10 c1 o15 d1 --json"))
    assert (found["value"], found["distance"], found["exact"]) == (None, None, False)
    assert (found["at_least"]["value"], found["at_most"]["value"]) == ("loss", "win")
    values = {move["move"]: (move["value"], move["distance"]) for move in found["moves"]}
    assert values.pop("e1") == (None, None)
    assert set(values.values()) == {("loss", 2)}
