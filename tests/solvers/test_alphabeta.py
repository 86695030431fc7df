"""The search agrees with tables and with minimax, pauses anywhere, and reports only proven bounds."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import perfectplay
from homes import ROOT
from perfectplay import LOSS, ONGOING, WIN, Game, load
from perfectplay.game import legal_moves
from perfectplay.players.named.minimax_player import minimax
from perfectplay.solvers.scores import TOP, Bounds, earlier, later, score_of
from perfectplay.solvers.search.alphabeta import Question, Search
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.words import NotCompiled
from rings import nightly

SETS = ROOT / "bench" / "sets"
HINTS = {"wins": None, "safe": None, "plies_left": None, "hopeless": None, "order": ()}


def disagreements(game, entries, slot_bits, deepen=False, hints=True):
    """The positions of these entries that a search scores differently."""
    question = Question(Search(game if hints else replace(game, **HINTS), slot_bits))
    return [
        (position, entry, bounds)
        for position, entry in entries
        if game.outcome(*position) == ONGOING
        and (bounds := question.ask(position, deepen).answer()) != (score_of(entry), score_of(entry))
    ]


def some(table, count):
    """A random sample of the table's entries."""
    entries = list(table.entries())
    return Random(1).sample(entries, min(count, len(entries)))


def test_every_position_of_connect_four_on_4x4_with_a_tiny_table():
    game = load("drop:4,4,4")
    entries = list(perfectplay.solve(game).entries())
    assert len(entries) == 80_541
    assert disagreements(game, entries, slot_bits=4) == []
    assert disagreements(game, some(perfectplay.solve(game), 3_000), slot_bits=4, deepen=True) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "slot_bits", "hints"),
    [
        *((name, 18, True) for name in ("drop:5,4,4", "drop:6,3,3", "lines:4,3,4", "lines:4,3,4,misere=true")),
        *[("drop:5,5,4", 20, True), ("drop:4,4,4", 4, False)],
    ],
)
def test_samples_agree_with_the_table(name, slot_bits, hints):
    game = load(name)
    entries = some(perfectplay.solve(game), 2_000)
    assert disagreements(game, entries, slot_bits, hints=hints) == []
    assert disagreements(game, entries[:500], slot_bits=2, deepen=True) == []


def drawn_by_lot():
    """Thousands of small games in one: `theirs` is the number of a game and the ply, `mine` the place in it.

    From each place one to three moves lead to places of the next ply; after ply 0 any place may be an end.
    """

    def lot(mine, theirs):
        mixed = (mine * 40_503 + theirs * 30_011 + 12_345) & 0xFFFFF
        return (mixed * mixed >> 7) + (mixed >> 3) & 0xFFFF

    def moves(mine, theirs):
        return 1 | lot(mine, theirs) & 6

    def play(mine, theirs, move):
        return lot(mine + 64 * move, theirs) & 63, theirs + 1

    def outcome(mine, theirs):
        ply, drawn = theirs & 7, lot(mine + 512, theirs) % 24
        if ply == 6:
            return drawn % 3 - 1
        return drawn - 1 if drawn < 3 and ply > 0 else 2

    return Game(moves=moves, play=play, outcome=outcome, bits=16, shape=(3, 1), move_names="abc")


LOTS = drawn_by_lot()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**13 - 1), st.integers(0, 63), st.integers(0, 6))
def test_random_games_agree_with_minimax(number, place, slot_bits):
    """Wins, draws and losses anywhere, moves that lose immediately, no hints: all that line games lack."""
    search = Search(LOTS, slot_bits)
    for ply in (0, 1, 3):
        position = (place, 8 * number + ply)
        if LOTS.outcome(*position) == ONGOING:
            assert search.score(position) == score_of(minimax(LOTS, position))


def test_random_games_have_everything():
    found = {minimax(LOTS, (place, 8 * number)) for number in range(300) for place in (1, 2)}
    assert {entry.value for entry in found} == {WIN, 0, LOSS}
    assert {(entry.value, entry.distance % 2) for entry in found if entry.value} == {(1, 0), (1, 1), (-1, 0), (-1, 1)}


@pytest.mark.parametrize("step", [7, 1000])
def test_any_pause_leads_to_the_same_end(step):
    game = load("connect-four")
    question = Question(Search(game, 12))
    position = after(game, "44556333444552253")
    whole, nodes = question.ask(position).answer(), question.nodes
    again = Question(Search(game, 12)).ask(position)
    while not again.pursue(step):
        assert again.bounds.low <= whole.low
        assert again.bounds.high >= whole.high
    assert (again.bounds, again.nodes) == (whole, nodes)


def test_a_null_window_test_agrees_with_a_full_search():
    game = load("drop:4,4,4")
    question = Question(Search(game, 10))
    for position, entry in some(perfectplay.solve(game), 100):
        if game.outcome(*position) == ONGOING:
            for score in range(-TOP, TOP, 9):
                assert question.ask(position).at_most(score) == (score_of(entry) <= score)


def after(game, moves):
    """The position after these moves, numbered from 1."""
    position = game.start
    for move in moves:
        position = game.play(*position, int(move) - 1)
    return position


@pytest.mark.parametrize(
    ("name", "moves", "nodes"),
    [
        ("connect-four", "1234567123456711", 48_027),
        ("connect-four", "44556333444552253", 8_361),
        ("connect-four", "12345671234567", 68),
        *nightly(("drop:5,4,4", "", 38_128), ("lines:4,3,4,misere=true", "", 18_761), ("lines:5,5,4", "", 874_644)),
    ],
)
def test_node_counts(name, moves, nodes):
    """A signature of the search: a change that is not meant to alter its behaviour must keep these counts."""
    game = load(name)
    search = Search(game, 16)
    search.score(after(game, moves))
    assert search.nodes() == nodes


def test_a_near_end_is_found_before_the_result_is_asked_for():
    game, nodes = load("connect-four"), []
    question = Question(Search(game, 16))
    for line in (SETS / "opening-short.txt").read_text(encoding="ascii").splitlines()[:100]:
        moves, value, distance = line.split()
        question.search.forget()
        score = (1 if value == "win" else -1) * (TOP - int(distance))
        assert question.ask(after(game, moves)).answer() == (score, score)
        nodes.append(question.nodes)
    assert sum(nodes) == 30_635  # without the trial 0.9 million


@pytest.mark.parametrize("score", [-TOP, -100, -1, 0, 1, 77, TOP - 1])
def test_scores_move_by_a_ply_and_back(score):
    assert abs(score) == TOP or earlier(later(score)) == score
    assert Bounds(score, score).before().low == earlier(score)


def test_limits_count_down():
    limits = Limits(nodes=10)
    budgets = [limits.spend(spent) or limits.budget() for spent in (7, 3)]
    assert (limits.set, budgets) == (True, [3, 0])
    assert Limits(seconds=0.0).budget() == 0
    assert not Limits().set


def test_wide_words_are_searched_without_a_key():
    game = load("lines:6,6,4")
    assert game.key is None
    assert Search(game, 12).score(after(game, (15, 1, 16, 36))) == TOP - 3


def test_rules_without_source_are_not_searched():
    space = {}
    exec("def moves(mine, theirs):\n    return 7 & ~(mine | theirs)\n", space)
    game = replace(load("lines:3,1,2"), moves=space["moves"])
    assert legal_moves(game, game.start) == [0, 1, 2]
    with pytest.raises(NotCompiled, match="moves has no source"):
        Search(game)
