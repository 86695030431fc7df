"""The search of games with extra turns and points agrees with a brute force over dictionaries, in every position."""

import json
from functools import cache
from random import Random

import pytest

from brute_force import edges_at, move_entries, solved
from command_line import output
from perfectplay import ONGOING, BadGame, load
from perfectplay.compiler.checks.hint_checks import Hints
from perfectplay.insight.ladder.algorithms import ALGORITHMS
from perfectplay.insight.ladder.bounds import REPAIRS, Meter
from perfectplay.players.named.minimax_player import rule_scores
from perfectplay.solvers.scores import MOST_POINTS, Bounds, PointBounds, score_of
from perfectplay.solvers.search.alphabeta import Question, Search
from perfectplay.solvers.search.book import Options, making_book, verify_book
from perfectplay.solvers.search.lookahead import look_ahead
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import Searcher
from perfectplay.solvers.steps import finished
from perfectplay.words import PointsEntry
from rings import nightly
from turn_games import centre_game, random_game, random_points, wander

load, solved = cache(load), cache(solved)
searcher_of = cache(Searcher)


def disagreements(search, entries):
    """The positions of these entries that a search scores differently."""
    return [(position, entry) for position, entry in entries.items() if search.score(position) != score_of(entry)]


def some(game, entries, count=150):
    """A random sample of unfinished positions."""
    going = sorted(position for position in entries if game.outcome(*position) == ONGOING)
    return Random(1).sample(going, min(count, len(going)))


@cache
def points_game(name):
    """A known game, or one for points on the random graph of that number: all of them share compiled code."""
    return load(name) if isinstance(name, str) else random_points(name)


GAMES = [0, 7, *nightly("dots:2,2", "kalah:3,2")]


@pytest.mark.parametrize(
    ("count", "more"),
    [(40, {}), *nightly((200, {"bits": 40}), (200, {"again": None}))],  # wide words have no key
)
def test_random_games_for_points(count, more):
    search = Search(random_points(0, **more), 12)
    for seed in range(count):
        assert disagreements(search, solved(random_points(seed, **more))) == []


@pytest.mark.parametrize(("count", "bits"), [(20, 12), *nightly((40, 12), (100, 40))])
def test_random_games_with_cycles(count, bits):
    """Every win and loss is found with its distance; of a draw a search proves nothing wrong."""
    question = Question(Search(random_game(0, bits=bits), 12))
    decided = 0
    for seed in range(count):
        for position, entry in solved(random_game(seed, bits=bits)).items():
            bounds = question.ask(position, deepen=seed % 2 == 0).answer()
            if entry.value:
                assert bounds == (score_of(entry), score_of(entry)), (position, entry)
                decided += 1
            else:
                assert bounds.low <= 0 <= bounds.high
                assert bounds.complete_depth() >= 99
    assert decided > 2 * count


@pytest.mark.nightly
@pytest.mark.parametrize("hints", [False, True])
def test_hints_change_no_answer(hints):
    game = centre_game(hints)
    entries = solved(game)
    assert len(entries) == 6_046
    search = Search(game, 16)
    assert disagreements(search, entries) == []
    question = Question(search)
    for position in some(game, entries):
        assert question.ask(position, deepen=True).answer() == (score_of(entries[position]),) * 2
    assert Hints(game).first_fault(entries, most=10**6) is None


@pytest.mark.nightly
def test_morris_as_far_as_a_search_sees():
    """Wins and losses of a few plies, in a game with cycles, tiers and symmetries."""
    game = load("morris:3,2")
    entries = {position: entry for position, entry in solved(game).items() if entry.value and entry.distance < 8}
    assert disagreements(Search(game), dict(Random(1).sample(sorted(entries.items()), 3_000))) == []


@pytest.mark.parametrize("name", GAMES)
def test_an_analysis_gives_every_margin(name):
    game, searcher = points_game(name), searcher_of(points_game(name))
    entries = solved(game)
    for position in some(game, entries):
        truth = move_entries(game, entries, position)
        best = {move for move, entry in truth.items() if entry == entries[position]}
        for found in (searcher.analyse(position), searcher.analyse(position, nodes=10**6)):
            assert found.exact
            assert found.here.entry == entries[position]
            assert {move: known.entry for move, known in found.moves.items()} == truth
            assert list(found.moves.values()) == sorted(found.moves.values(), key=lambda k: -k.margin)
            assert set(found.best) == best
        assert searcher.lookup(position) == entries[position]
        assert set(searcher.best_moves(position)) == best
        assert set(finished(searcher.choosing(position, Limits())).moves) == best


@pytest.mark.parametrize("name", GAMES)
def test_a_best_line_ends_with_the_margin(name):
    game, searcher = points_game(name), searcher_of(points_game(name))
    entries = solved(game)
    for position in some(game, entries):
        at, sign = position, 1
        for move in searcher.best_line(position, searcher.analyse(position).here, Limits()).moves:
            at, again = edges_at(game, at)[move]
            sign = sign if again else -sign
        assert game.outcome(*at) != ONGOING
        assert sign * game.margin(*at) == entries[position].margin


@pytest.mark.parametrize(("name", "nodes"), [(0, 8), (7, 8), *nightly(("dots:2,2", 40))])
def test_a_limited_analysis_and_a_look_ahead_claim_nothing_wrong(name, nodes):
    game = points_game(name)
    entries, searcher, open_still = solved(game), Searcher(game), 0
    for position in some(game, entries, 25):
        searcher.search.forget()
        truth = move_entries(game, entries, position)
        for found in (searcher.analyse(position, nodes=nodes), look_ahead(game, position, nodes=nodes)):
            pairs = [(found.here, entries[position]), *((found.moves[move], truth[move]) for move in truth)]
            for known, entry in pairs:
                assert known.bounds.low <= entry.margin <= known.bounds.high
                assert known.value in (None, entry.value)
            assert not found.exact or found.here.entry == entries[position]
            open_still += not found.exact
    assert open_still > 10


def margins_within(game, position, plies):
    """The margin of each move by the plain recursion to a depth, where whatever is not over is a draw."""
    if plies == 0 or game.outcome(*position) != ONGOING:
        return {}
    return {
        move: margin_within(game, child, plies - 1) * (1 if again else -1)
        for move, (child, again) in edges_at(game, position).items()
    }


def margin_within(game, position, plies):
    if game.outcome(*position) != ONGOING:
        return game.margin(*position)
    return max(margins_within(game, position, plies).values(), default=0)


@pytest.mark.parametrize("name", GAMES)
def test_a_search_of_fixed_depth_draws_at_the_horizon(name):
    game = points_game(name)
    for position in some(game, solved(game), 40):
        for plies in (1, 2, 3, 5):
            right = margins_within(game, position, plies)
            assert searcher_of(game).seen(position, plies) == rule_scores(game, position, plies) == right


@pytest.mark.nightly
def test_a_book_has_the_margins(tmp_path):
    game, entries = load("kalah:3,2"), solved(load("kalah:3,2"))
    book = finished(making_book(game, Options(3, tmp_path / "kalah.book", threads=2, slot_bits=12)))
    assert dict(book.entries()).items() <= entries.items()
    assert book.lookup(game.start) == entries[game.start] == PointsEntry(4)
    assert finished(verify_book(book, sample=20, seed=1)) == len(book)


@pytest.mark.nightly
def test_points_that_repeat_are_refused():
    game = random_points(3, play=wander, outcome=lambda mine, theirs: ONGOING)
    with pytest.raises(BadGame, match="can repeat"):
        Question(Search(game, 10)).ask(game.start).answer()


def test_bounds_turn_with_the_side_to_move():
    bounds = PointBounds(-2, 5)
    assert bounds.before() == bounds.after() == (-5, 2)
    assert bounds.before(again=True) == bounds
    assert bounds.of_child() == (-5, MOST_POINTS)
    assert bounds.of_child(again=True) == (-MOST_POINTS, 5)
    assert (bounds.margin(), PointBounds(3, 3).margin(), bounds.distance()) == (None, 3, None)
    bounds = Bounds(-120, 110)
    assert bounds.before(again=True) == (-119, 109)
    assert bounds.before(again=True).after(again=True) == bounds.before().after() == bounds


SOUND = [algorithm for algorithm in ALGORITHMS if algorithm.sound and algorithm.name != "table"]


@pytest.mark.parametrize("algorithm", SOUND, ids=lambda algorithm: algorithm.name)
def test_the_algorithms_of_the_ladder(algorithm):
    """Each finds the margin, or the value and maybe the distance, and a best move."""
    for game in (load("dots:2,1"), load("kalah:2,2"), centre_game(hints=False), random_points(1), random_points(2)):
        entries = solved(game)
        for position in some(game, entries, 10):
            if game.margin is None and (position[0] | position[1]).bit_count() < 5:
                continue
            meter = Meter(most=10**6)
            found = algorithm.search(game, position, meter)
            assert (found.value, found.margin) == (entries[position].value, entries[position].margin)
            if found.value and found.distance is not None:
                assert found.distance == entries[position].distance
            best = move_entries(game, entries, position)[meter.move]
            assert (best.value, best.margin) == (found.value, found.margin)


def test_the_command_compares_them(capsys):
    found = json.loads(output(capsys, "compare dots:2,1 --json"))
    rows = {row["algorithm"]: row for row in found["algorithms"]}
    assert {name for name, row in rows.items() if row["margin"] != 0} == {"naive-table"}
    assert (rows["minimax"]["nodes"], rows["alpha-beta"]["nodes"], rows["cache"]["nodes"]) == (13_700, 2_323, 467)
    assert rows["naive-table"]["trial"]["wrong"]["true_margin"] == 0


def test_node_counts():
    """A signature: a change that is not meant to alter the search must keep these counts."""
    search = Search(points_game(0), 20)
    assert (search.score(points_game(0).start), search.nodes()) == (508, 33)


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.name)
def test_repairs_of_cycles_report_no_wrong_win(repair):
    for seed in range(15):
        game = random_game(seed)
        entries = solved(game)
        for position in some(game, entries, 4):
            assert repair.find(6, game, position, Meter(most=10**6)).value in (0, entries[position].value)
