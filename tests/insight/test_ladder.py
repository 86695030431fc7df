"""The algorithms of the ladder compared with plain minimax, their costs, and the results of the usual repairs."""

from dataclasses import replace
from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfectplay import DRAW, LOSS, ONGOING, WIN, Entry, TooBig, legal_moves, load
from perfectplay.bits import bit_numbers
from perfectplay.game import canonical, levels, symmetric_moves, unequal_scores
from perfectplay.notation import move_name, parse_position
from perfectplay.solvers.interpreted import solved_positions
from perfectplay.solvers.ladder import ALGORITHMS, REPAIRS, Meter, ladder_rules, ladder_truth, measure, plain_alphabeta
from perfectplay.solvers.ladder import bounds as bounds_file
from perfectplay.solvers.ladder.bounds import bounds, look
from perfectplay.solvers.ladder.ladder_truth import solved_classes
from perfectplay.solvers.ladder.symmetric_cache import folded
from perfectplay.solvers.ladder.wrong_values import tried
from perfectplay.solvers.minimax import minimax
from perfectplay.solvers.tree_size import Cycle, cycle_positions, tree_or_cycle

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


def agrees(game, position, known):
    """Whether all algorithms find the value, and the distance if they report one."""
    for algorithm in SOUND:
        entry = algorithm.search(game, position, Meter(ANY))
        assert entry.value == known.value, (algorithm.name, position)
        assert entry.distance in (None, known.distance), (algorithm.name, position)
    return True


@pytest.mark.parametrize(
    ("name", "fewest"),
    [
        ("examples/hexapawn.py", 0),
        ("lines:2,3,2", 0),
        ("tic-tac-toe", 6),
        pytest.param("tic-tac-toe", 3, marks=pytest.mark.nightly),
        pytest.param("misere", 4, marks=pytest.mark.nightly),
    ],
)
def test_all_algorithms_agree_with_minimax_at_every_class(name, fewest):
    game = load(name)
    for level in list(levels(folded(game)))[fewest:]:
        for position in level:
            assert agrees(game, position, minimax(game, position))


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["tic-tac-toe", "misere"])
@pytest.mark.parametrize("algorithm", ["alpha-beta", "bounds", "symmetry"])
def test_the_fast_algorithms_are_right_at_every_position(name, algorithm):
    game = load(name)
    fewest = {"alpha-beta": 3, "symmetry": 6}.get(algorithm, 0)
    for level in list(levels(game))[fewest:]:
        for position in level:
            known, entry = entries_of(name)[position], BY_NAME[algorithm](game, position, Meter(ANY))
            assert (entry.value, entry.distance) in (known, (known.value, None))


@pytest.mark.parametrize("name", ["tic-tac-toe", "misere", "examples/hexapawn.py", "drop:4,3,3"])
def test_cached_values_are_right(name):
    game, meter = load(name), Meter(ANY)
    BY_NAME["cache"](game, game.start, meter)
    assert meter.cache == entries_of(name)


@given(data=st.data())
@settings(max_examples=15)
def test_all_algorithms_agree_in_four_by_three_connect_three(data):
    game = load("drop:4,3,3")
    positions = [position for level in list(levels(game))[5:] for position in level]
    position = data.draw(st.sampled_from(positions))
    assert agrees(game, position, minimax(game, position))


@given(width=st.integers(1, 3), height=st.integers(1, 2), k=st.integers(1, 3), misere=st.booleans())
@settings(max_examples=20)
def test_all_algorithms_agree_on_small_boards(width, height, k, misere):
    game = load(f"lines:{width},{height},{min(k, max(width, height))},misere={str(misere).lower()}")
    assert agrees(game, game.start, minimax(game, game.start))


def cost(algorithm, position):
    """The nodes and the cached entries of an algorithm in tic-tac-toe."""
    meter = Meter(ANY)
    BY_NAME[algorithm](TIC_TAC_TOE, position, meter)
    return meter.nodes, len(meter.cache)


@pytest.mark.parametrize(
    ("algorithm", "from_the_start", "after_the_centre"),
    [
        ("minimax", (549_946, 0), (55_505, 0)),
        ("depth-aware", None, (55_505, 0)),
        ("negamax", None, (55_505, 0)),
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


def test_the_score_of_a_win_does_not_change_alpha_beta_cutoffs(monkeypatch):
    for file in (plain_alphabeta, ladder_rules):
        monkeypatch.setattr(file, "LONGER", 50)
    assert cost("alpha-beta", CENTRE) == (8_466, 0)


def corridor(plies):
    """A game with one move at a time; the last move wins."""
    return replace(
        TIC_TAC_TOE,
        bits=12,
        symmetries=(),
        moves=lambda mine, theirs: 1,
        play=lambda mine, theirs, move: (theirs, mine + 1),
        outcome=lambda mine, theirs: LOSS if mine + theirs == plies else ONGOING,
    )


def test_a_late_win_still_beats_a_draw():
    for algorithm in ("depth-aware", "negamax", "alpha-beta", "cache", "symmetry"):
        assert BY_NAME[algorithm](corridor(101), (0, 0), Meter(ANY)) == Entry(WIN, 101)


def test_a_finished_position_is_its_outcome():
    position, _ = parse_position(TIC_TAC_TOE, "O:XXX/OO./...")
    assert agrees(TIC_TAC_TOE, position, Entry(LOSS, 0))


def in_order(game, order):
    """The same game with its moves numbered in another order."""
    return replace(
        game,
        moves=lambda mine, theirs: sum(1 << i for i, move in enumerate(order) if game.moves(mine, theirs) >> move & 1),
        play=lambda mine, theirs, i: game.play(mine, theirs, order[i]),
    )


@given(order=st.permutations(range(9)))
@settings(max_examples=20)
def test_bounds_are_right_in_every_move_order(order):
    game = in_order(TIC_TAC_TOE, order)
    table = {}
    assert look(game, game.start, 9, table, Meter(ANY)) == (DRAW, bounds_file.EXACT, inf)
    for position, known in table.items():
        value = entries_of("tic-tac-toe")[position].value
        proved = {
            bounds_file.EXACT: value == known.value,
            bounds_file.LOWER: value >= known.value,
            bounds_file.UPPER: value <= known.value,
        }
        assert proved[known.bound]


def table_search(game, position, flags):
    """The value, the calls and the table of alpha-beta on X's side, written for two sides; flags keep bounds apart."""
    table, calls = {}, 0

    def value(position, low, high, maximising):
        nonlocal calls
        calls += 1
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome if maximising else -outcome
        if position in table:
            least, most = table[position]
            if not flags or least == most or least >= high or most <= low:
                return least if least > -9 else most
        found, alpha, beta = -9 if maximising else 9, low, high
        for move in bit_numbers(game.moves(*position)):
            child = value(game.play(*position, move), alpha, beta, not maximising)
            found = max(found, child) if maximising else min(found, child)
            alpha, beta = (max(alpha, found), beta) if maximising else (alpha, min(beta, found))
            if alpha >= beta:
                break
        exact = not flags or low < found < high
        table[position] = (found if exact or found >= high else -9, found if exact or found <= low else 9)
        return found

    return value(position, -9, 9, True), calls, table


@pytest.mark.parametrize("name", ["tic-tac-toe", "misere", "drop:3,3,3", "examples/hexapawn.py"])
@pytest.mark.parametrize(("algorithm", "flags"), [("naive-table", False), ("flags", True)])
def test_tables_visit_the_nodes_of_an_independent_search(name, algorithm, flags):
    game = load(name)
    for level in levels(game):
        for position in level[::7]:
            meter = Meter(ANY)
            value, calls, table = table_search(game, position, flags)
            assert (BY_NAME[algorithm](game, position, meter).value, meter.nodes) == (value, calls)
            assert len(meter.cache) == len(table)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("drop:3,3,3", 1),
        ("lines:3,3,2", 0),
        ("examples/hexapawn.py", 0),
        pytest.param("tic-tac-toe", 29, marks=pytest.mark.nightly),
        pytest.param("misere", 25, marks=pytest.mark.nightly),
    ],
)
def test_cutoff_values_stored_as_exact_are_wrong_in_some_positions(name, count):
    game, known = load(name), entries_of(name)
    wrong = [position for position, entry in known.items() if naive(game, position) != entry.value]
    assert len(wrong) == count
    trial = tried(BY_NAME["naive-table"], game, game.start, known.__getitem__, Meter(ANY))
    assert trial.complete == (count == 0)
    if count:
        position, plies, found, true, _ = trial.wrong
        assert position in wrong
        assert (found, true) == (naive(game, position), known[position].value)
        first = next(ply for ply, level in enumerate(levels(game)) if set(level) & set(wrong))
        assert plies == first


def naive(game, position):
    """The value that the unsound algorithm finds."""
    return BY_NAME["naive-table"](game, position, Meter(ANY)).value


def test_a_trial_ends_at_its_limit():
    trial = tried(BY_NAME["naive-table"], TIC_TAC_TOE, (0, 0), entries_of("tic-tac-toe").__getitem__, Meter(4_575))
    assert trial == (None, 1, False)


def test_the_moves_that_the_algorithms_play():
    position, side = parse_position(TIC_TAC_TOE, "O:X.X/OO./X..")
    played = {}
    for algorithm in ALGORITHMS:
        meter = Meter(ANY)
        algorithm.search(TIC_TAC_TOE, position, meter)
        played[algorithm.name] = move_name(TIC_TAC_TOE, position, side, meter.move)
    dawdling = ["minimax", "naive-table", "flags"]  # blind to depth: they take the first win, in 3 plies
    assert played == {algorithm.name: "b1" if algorithm.name in dawdling else "c2" for algorithm in ALGORITHMS}


@given(data=st.data())
@settings(max_examples=40)
def test_every_sound_algorithm_plays_a_move_that_keeps_the_value(data):
    known = entries_of("tic-tac-toe")
    position = data.draw(st.sampled_from([one for one in known if sum(map(int.bit_count, one)) > 3]))
    for algorithm in SOUND if legal_moves(TIC_TAC_TOE, position) else ():
        meter = Meter(ANY)
        entry = algorithm.search(TIC_TAC_TOE, position, meter)
        after = known[TIC_TAC_TOE.play(*position, meter.move)].before()
        assert after.value == known[position].value, algorithm.name
        if entry.distance is not None:
            assert after == known[position], algorithm.name


def test_bounds_taken_for_exact_values_are_wrong(monkeypatch):
    game = in_order(TIC_TAC_TOE, (4, 6, 0, 2, 7, 1, 8, 3, 5))
    assert naive(TIC_TAC_TOE, (0, 0)) == DRAW  # right by luck
    assert naive(game, (0, 0)) == WIN
    assert bounds(game, (0, 0), Meter(ANY)).value == BY_NAME["flags"](game, (0, 0), Meter(ANY)).value == DRAW
    game, position = in_order(load("misere"), (7, 3, 5, 0, 8, 4, 6, 1, 2)), (260, 17)
    assert bounds(game, position, Meter(ANY)).value == minimax(game, position).value == LOSS
    monkeypatch.setattr(bounds_file, "settles", lambda known, alpha, beta: True)
    assert bounds(game, position, Meter(ANY)).value == DRAW


def test_a_search_stops_at_its_node_limit():
    for algorithm in ALGORITHMS[:-1]:
        found = measure(algorithm.search, load("drop:4,4,4"), (0, 0), Meter(500))
        assert (found.entry, found.stopped, found.meter.nodes) == (None, "stopped after 500 nodes", 500)
    with pytest.raises(TooBig, match="stopped after 1 nodes"):
        ALGORITHMS[0].search(TIC_TAC_TOE, (0, 0), Meter(1))


def test_a_search_stops_at_its_time_limit():
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


@pytest.mark.parametrize("name", ["tactic-toe", "kingpawns", "fading:3,2"])
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


@pytest.mark.parametrize("name", ["tic-tac-toe", "examples/hexapawn.py", "lines:3,3,2"])
def test_a_finite_game_has_no_cycle(name):
    assert isinstance(tree_or_cycle(load(name)), int)


def test_entries_of_classes_equal_those_of_positions(monkeypatch):
    game = load("fading:3,2")
    smallest, classes = canonical(game), solved_classes(game)
    assert all(classes[smallest(*position)] == entry for position, entry in entries_of("fading:3,2").items())
    assert len(solved_classes(load("tactic-toe"))) == 9_190
    monkeypatch.setattr(ladder_truth, "CLASSES", 249)
    assert solved_classes(game) is None  # it has 250


def test_the_symmetric_cache_equals_the_solved_classes():
    meter = Meter(ANY)
    BY_NAME["symmetry"](TIC_TAC_TOE, (0, 0), meter)
    assert meter.cache == solved_classes(TIC_TAC_TOE) == solved_positions(folded(TIC_TAC_TOE))


def plain_cut_off(game, position, depth):
    """The value by plain minimax with a draw at the horizon."""
    outcome = game.outcome(*position)
    if outcome != ONGOING or depth == 0:
        return DRAW if outcome == ONGOING else outcome
    return max(
        -plain_cut_off(game, game.play(*position, move), depth - 1) for move in bit_numbers(game.moves(*position))
    )


@given(data=st.data(), name=st.sampled_from(["fading:3,2", "kingpawns", "tactic-toe"]), depth=st.integers(0, 4))
@settings(max_examples=50)
def test_what_the_repairs_find_within_a_depth(data, name, depth):
    game, known = load(name), entries_of(name)
    position = data.draw(st.sampled_from(list(known)))
    value, distance = known[position]
    in_sight = value if value == DRAW or distance <= depth else DRAW
    assert plain_cut_off(game, position, depth) == in_sight
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


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def plain_negamax(limit):
    """The scores of the first moves of tactic-toe and the nodes, by the program as books print it, on lists of marks.

    A position has the squares of both sides' marks, the oldest first, those of the side to move first.
    """
    table, nodes = {}, 1

    def search(mine, theirs, depth, alpha, beta):
        nonlocal nodes
        nodes += 1
        alpha_at_first, found = alpha, table.get((mine, theirs))
        if found and found[0] >= depth:
            _, flag, value = found
            if flag == "exact" or (flag == "lower" and value >= beta) or (flag == "upper" and value <= alpha):
                return value
        if tuple(sorted(theirs)) in LINES:
            return -(depth + 1)
        if depth == 0:
            return 0
        best = -inf
        for square in range(9):
            if square not in mine + theirs:
                best = max(best, -search(theirs, (*mine, square)[-3:], depth - 1, -beta, -alpha))
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        flag = "upper" if best <= alpha_at_first else "lower" if best >= beta else "exact"
        table[mine, theirs] = depth, flag, best
        return best

    return {square: -search((), (square,), limit - 1, -inf, inf) for square in range(9)}, nodes


@pytest.mark.parametrize(("depth", "distance", "edges"), [(12, 12, (0, 0, 1, 1)), (7, None, (0, 0, 0, 0))])
def test_negamax_with_flags_gives_symmetric_moves_different_scores(depth, distance, edges):
    """At depth 12 it finds a win in 12, and the win takes 13: some scores count the plies left in another search."""
    game, meter = load("tactic-toe"), Meter(ANY)
    found = REPAIR["negamax"](depth, game, game.start, meter)
    scores, nodes = plain_negamax(depth)
    assert (meter.scores, meter.nodes) == (scores, nodes)
    assert (found.distance, tuple(scores[square] for square in (1, 3, 5, 7))) == (distance, edges)
    assert unequal_scores(game, game.start, scores) == ((1, 5) if depth == 12 else None)


def test_symmetric_moves():
    game = TIC_TAC_TOE
    assert symmetric_moves(game, game.start) == [[0, 2, 6, 8], [1, 3, 5, 7]]
    assert symmetric_moves(game, game.play(0, 0, 0)) == [[1, 3], [2, 6], [5, 7]]
    assert symmetric_moves(load("kingpawns"), load("kingpawns").start) == []
