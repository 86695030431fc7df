"""The algorithms of the ladder compared with an independent solver, their costs, and what the usual repairs find."""

from dataclasses import replace
from functools import cache
from math import factorial, inf

import pytest
from hypothesis import given, settings, strategies as st

from far_game import corridor
from perfectplay import DRAW, LOSS, WIN, Entry, TooBig, legal_moves, load
from perfectplay.game import canonical, levels, symmetric_moves, unequal_scores
from perfectplay.insight.ladder import ALGORITHMS, REPAIRS, Meter, algorithms, bounds, measure
from perfectplay.insight.ladder.algorithms import folded, solved_classes, try_positions
from perfectplay.insight.ladder.bounds import look
from perfectplay.players.named.minimax_player import minimax_moves
from perfectplay.rules.notation import parse_position
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.search.tree_size import (
    Cycle,
    check_walkable,
    count_tree,
    cycle_positions,
    estimate_tree,
    tree_or_cycle,
)
from rings import nightly

TIC_TAC_TOE = load("tic-tac-toe")
CENTRE = parse_position(TIC_TAC_TOE, "O:.../.X./...")[0]
ANY = 10**9

SOUND = [algorithm for algorithm in ALGORITHMS if algorithm.sound]
BY_NAME = {algorithm.name: algorithm.search for algorithm in ALGORITHMS}
REPAIR = {repair.name: repair.find for repair in REPAIRS}


@cache
def entries_of(name):
    """The entry of every reachable position, from an independent solver."""
    return solved_positions(load(name))


def check_position(game, position, entries):
    """All sound algorithms find the value, the distance if they report one, and a move that keeps what they report."""
    known = entries[position]
    for algorithm in SOUND:
        meter = Meter(ANY)
        entry = algorithm.search(game, position, meter)
        assert entry.value == known.value, (algorithm.name, position)
        assert entry.distance in (None, known.distance), (algorithm.name, position)
        if legal_moves(game, position):
            after = entries[game.play(*position, meter.move)].before()
            assert after.value == known.value, (algorithm.name, position)
            assert entry.distance is None or after == known, (algorithm.name, position)


@pytest.mark.parametrize(
    ("name", "fewest"),
    [
        ("examples/hexapawn.py", 0),
        ("lines:2,3,2", 0),
        ("tic-tac-toe", 6),
        *nightly(("tic-tac-toe", 3), ("misere", 4)),
    ],
)
def test_all_algorithms_are_right_at_every_class(name, fewest):
    game = load(name)
    for level in list(levels(folded(game)))[fewest:]:
        for position in level:
            check_position(game, position, entries_of(name))


@pytest.mark.nightly
@given(data=st.data(), name=st.sampled_from(["tic-tac-toe", "drop:4,3,3"]))
@settings(max_examples=50)
def test_all_algorithms_are_right_at_positions_of_larger_games(data, name):
    late = [position for position in entries_of(name) if sum(map(int.bit_count, position)) > 4]
    check_position(load(name), data.draw(st.sampled_from(late)), entries_of(name))


@given(width=st.integers(1, 3), height=st.integers(1, 2), k=st.integers(1, 3), misere=st.booleans())
@settings(max_examples=20)
def test_all_algorithms_agree_on_small_boards(width, height, k, misere):
    name = f"lines:{width},{height},{min(k, max(width, height))},misere={str(misere).lower()}"
    check_position(load(name), load(name).start, entries_of(name))


@pytest.mark.parametrize("name", ["misere", "examples/hexapawn.py", *nightly("tic-tac-toe", "drop:4,3,3")])
def test_cached_values_are_right(name):
    game, meter, folding = load(name), Meter(ANY), Meter(ANY)
    BY_NAME["cache"](game, game.start, meter)
    assert meter.cache == entries_of(name)
    BY_NAME["symmetry"](game, game.start, folding)
    assert folding.cache == solved_classes(game) == solved_positions(folded(game))


def cost(algorithm, position):
    """The nodes and the cached entries of an algorithm in tic-tac-toe."""
    meter = Meter(ANY)
    BY_NAME[algorithm](TIC_TAC_TOE, position, meter)
    return meter.nodes, len(meter.cache)


@pytest.mark.parametrize(
    ("algorithm", "from_the_start", "after_the_centre"),
    [
        ("negamax", None, (55_505, 0)),
        *nightly(("minimax", (549_946, 0), (55_505, 0)), ("depth-aware", None, (55_505, 0))),
        ("alpha-beta", (34_203, 0), (1 + 8_465, 0)),
        ("cache", (16_168, 5_478), (4_617, 1_837)),
        ("symmetry", (2_271, 765), (643, 255)),
        ("naive-table", (4_575, 2_064), (1_225, 578)),
        ("flags", (4_866, 1_994), (957, 424)),
        ("bounds", (7_615, 1_795), (1_878, 331)),
        ("retrograde", (1 + 2 * 16_167, 5_478), (1 + 2 * 4_616, 1_837)),
        ("table", (1 + 9, 0), (1 + 8, 0)),
    ],
)
def test_node_counts_of_tic_tac_toe(algorithm, from_the_start, after_the_centre):
    assert cost(algorithm, CENTRE) == after_the_centre
    if from_the_start:
        assert cost(algorithm, TIC_TAC_TOE.start) == from_the_start


def test_a_late_win_still_beats_a_draw():
    for algorithm in ("depth-aware", "negamax", "alpha-beta", "cache", "symmetry"):
        assert BY_NAME[algorithm](corridor(101), (0, 0), Meter(ANY)) == Entry(WIN, 101)


def test_minimax_has_an_entry_for_every_move():
    position, _ = parse_position(TIC_TAC_TOE, "O:X.X/OO./X..")
    known = {
        move: entries_of("tic-tac-toe")[TIC_TAC_TOE.play(*position, move)].before()
        for move in legal_moves(TIC_TAC_TOE, position)
    }
    assert minimax_moves(TIC_TAC_TOE, position) == known


def in_order(game, order):
    """The same game with its moves numbered in another order."""
    return replace(
        game,
        moves=lambda mine, theirs: sum(1 << i for i, move in enumerate(order) if game.moves(mine, theirs) >> move & 1),
        play=lambda mine, theirs, i: game.play(mine, theirs, order[i]),
    )


@given(order=st.permutations(range(9)))
@settings(max_examples=10)
def test_bounds_are_right_in_every_move_order(order):
    game = in_order(TIC_TAC_TOE, order)
    table = {}
    assert look(game, game.start, 9, table, Meter(ANY)) == (DRAW, bounds.EXACT, inf)
    for position, known in table.items():
        value = entries_of("tic-tac-toe")[position].value
        proved = {
            bounds.EXACT: value == known.value,
            bounds.LOWER: value >= known.value,
            bounds.UPPER: value <= known.value,
        }
        assert proved[known.bound]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("drop:3,3,3", 1),
        ("examples/hexapawn.py", 0),
        *nightly(("lines:3,3,2", 0), ("tic-tac-toe", 29), ("misere", 25)),
    ],
)
def test_cutoff_values_stored_as_exact_are_wrong_in_some_positions(name, count):
    game, known = load(name), entries_of(name)
    wrong = [position for position, entry in known.items() if naive(game, position) != entry.value]
    assert len(wrong) == count
    trial = try_positions(BY_NAME["naive-table"], game, game.start, known.__getitem__, Meter(ANY))
    assert trial.complete == (count == 0)
    if count:
        position, plies, found, true, _ = trial.wrong
        assert position in wrong
        assert (found, true) == (naive(game, position), known[position].value)
        assert plies == next(ply for ply, level in enumerate(levels(game)) if set(level) & set(wrong))


def naive(game, position):
    """The value that the unsound algorithm finds."""
    return BY_NAME["naive-table"](game, position, Meter(ANY)).value


def test_a_trial_ends_at_its_limit():
    trial = try_positions(
        BY_NAME["naive-table"], TIC_TAC_TOE, (0, 0), entries_of("tic-tac-toe").__getitem__, Meter(4_575)
    )
    assert trial == (None, 1, False)


def test_a_search_stops_at_its_limits():
    for algorithm in ALGORITHMS[:-1]:
        found = measure(algorithm.search, load("drop:4,4,4"), (0, 0), Meter(500))
        assert (found.entry, found.stopped, found.meter.nodes) == (None, "stopped after 500 nodes", 500)
    with pytest.raises(TooBig, match="stopped after 1 nodes"):
        ALGORITHMS[0].search(TIC_TAC_TOE, (0, 0), Meter(1))
    found = measure(ALGORITHMS[0].search, load("drop:4,4,4"), (0, 0), Meter(ANY, seconds=0))
    assert (found.entry, found.stopped) == (None, "stopped after 0 seconds")


def test_there_is_no_table_of_a_game_that_is_not_solved():
    found = measure(BY_NAME["table"], load("drop:5,5,4"), (0, 0), Meter(ANY))
    assert found.entry is None
    assert "perfectplay solve drop:5,5,4" in found.stopped
    unreachable = parse_position(TIC_TAC_TOE, "X:OO./.../...")[0]
    assert "not in the table" in measure(BY_NAME["table"], TIC_TAC_TOE, unreachable, Meter(ANY)).stopped


def test_no_game_is_too_deep_to_be_refused():
    backwards = ("retrograde", "table")  # these do not recurse
    for algorithm in ALGORITHMS:
        if algorithm.name in backwards:
            assert algorithm.search(corridor(1100), (0, 0), Meter(10_000)) == Entry(LOSS, 1100)
            continue
        found = measure(algorithm.search, corridor(1100), (0, 0), Meter(10_000))
        assert found.entry is None
        assert found.stopped == (
            "stopped after 10,000 nodes" if algorithm.name == "bounds" else "too deep for recursion"
        )


def test_entries_of_classes_equal_those_of_positions(monkeypatch):
    game = load("fading:3,2")
    smallest, classes = canonical(game), solved_classes(game)
    assert all(classes[smallest(*position)] == entry for position, entry in entries_of("fading:3,2").items())
    monkeypatch.setattr(algorithms, "CLASSES", 249)
    assert solved_classes(game) is None  # it has 250


@given(data=st.data(), name=st.sampled_from(["fading:3,2", "kingpawns"]), depth=st.integers(0, 4))
@settings(max_examples=50)
def test_what_the_repairs_find_within_a_depth(data, name, depth):
    game, known = load(name), entries_of(name)
    position = data.draw(st.sampled_from(list(known)))
    value, distance = known[position]
    in_sight = value if value == DRAW or distance <= depth else DRAW
    found = {name: find(depth, game, position, Meter(ANY)).value for name, find in REPAIR.items()}
    assert found["horizon"] == found["repetition"] == in_sight
    assert found["deep table"] in (in_sight, value)
    assert found["table"] in (DRAW, value)


@pytest.mark.nightly
def test_tactic_toe_is_won_in_13_and_a_table_without_depth_never_sees_it():
    game = load("tactic-toe")
    found = {name: [find(d, game, (0, 0), Meter(ANY)).value for d in (12, 13)] for name, find in REPAIR.items()}
    assert found == {
        "horizon": [DRAW, WIN],
        "repetition": [DRAW, WIN],
        "table": [DRAW, DRAW],
        "deep table": [DRAW, WIN],
        "negamax": [WIN, WIN],  # at depth 12 by scores of other depths
    }


def test_in_kingpawns_a_table_without_depth_is_right_and_wrong_again():
    game = load("kingpawns")
    found = [REPAIR["table"](depth, game, game.start, Meter(ANY)).value for depth in range(9)]
    assert found == [DRAW] * 5 + [WIN] * 3 + [DRAW]


def test_negamax_with_flags_has_the_scores_and_nodes_of_the_program_in_books():
    """A win in 7 scores the plies that are left: 2 of 8 or 1 of 8, as the table has it from this depth or another."""
    game, meter = load("tactic-toe"), Meter(ANY)
    position = game.play(*game.play(*game.start, 5), 2)
    assert REPAIR["negamax"](8, game, position, meter) == Entry(WIN, 7)
    assert meter.scores == {0: -3, 1: -3, 3: 0, 4: 2, 6: -1, 7: 0, 8: -1}
    assert meter.nodes == 6_011


@pytest.mark.nightly
def test_negamax_with_flags_gives_symmetric_moves_different_scores():
    """At depth 12 it finds a win in 12, and the win takes 13: some scores count the plies left in another search."""
    game, meter = load("tactic-toe"), Meter(ANY)
    assert REPAIR["negamax"](12, game, game.start, meter).distance == 12
    assert [meter.scores[edge] for edge in (1, 3, 5, 7)] == [0, 0, 1, 1]
    assert unequal_scores(game, game.start, meter.scores) == (1, 5)


def test_symmetric_moves_have_equal_scores():
    game, even = TIC_TAC_TOE, dict.fromkeys(range(9), 0)
    assert unequal_scores(game, game.start, even) is None
    assert unequal_scores(game, game.start, {**even, 5: 1}) == (1, 5)
    assert symmetric_moves(game, game.start) == [[0, 2, 6, 8], [1, 3, 5, 7]]
    assert symmetric_moves(game, game.play(0, 0, 0)) == [[1, 3], [2, 6], [5, 7]]
    assert symmetric_moves(load("kingpawns"), load("kingpawns").start) == []


# The size of a tree, and whether it has an end.


@pytest.mark.parametrize("name", ["tactic-toe", "kingpawns"])
def test_a_cycle_is_a_cycle(name):
    game = load(name)
    cycle = tree_or_cycle(game)
    assert isinstance(cycle, Cycle)
    (back, back_side), (last, last_side) = cycle
    assert back in [game.play(*last, move) for move in legal_moves(game, last)]
    assert {back_side, last_side} == {0, 1}
    assert [parse_position(game, text) for text in cycle_positions(game, cycle)] == [*cycle]
    seen, layer = set(), {back}  # conversely, play leads from the first to the last
    while last not in layer:
        seen |= layer
        layer = {game.play(*here, move) for here in layer for move in legal_moves(game, here)} - seen
        assert layer
    with pytest.raises(TooBig, match=r"has cycles.*use blocks"):
        check_walkable(game, "blocks")


@pytest.mark.parametrize("name", ["connect-four", "lines:19,19,5"])
def test_big_games_are_refused_with_their_size(name):
    with pytest.raises(TooBig, match=r"a game tree of (about|over) 10\^[0-9]+ nodes.*use blocks"):
        check_walkable(load(name), "blocks")


def test_small_trees_are_counted_exactly_and_estimated_well():
    game = load("lines:1,7,7")  # nobody can win before the end: 7! games
    nodes = sum(factorial(7) // factorial(left) for left in range(8))
    assert count_tree(game, "") == tree_or_cycle(game) == estimate_tree(game) == nodes
    assert count_tree(TIC_TAC_TOE, "") == 549_946
    assert estimate_tree(TIC_TAC_TOE, walks=2000) == pytest.approx(549_946, rel=0.1)
