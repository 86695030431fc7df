"""Our games in OpenSpiel: its own tests pass on them, and its algorithms agree with our tables."""

import pickle
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import best_response, minimax

import perfectplay
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import after, legal_moves, move_entries
from perfectplay.rl import openspiel
from perfectplay.rules.notation import move_name, show_position
from perfectplay.views.planes import planes, planes_of, word_arrays
from perfectplay.words import ONGOING, BadArgument, BadGame, IllegalMove, MissingPackage

FAMILIES = [info.name for info in perfectplay.list_games()]
FEW = ["tic-tac-toe", "kalah:3,2", "tactic-toe", "breakthrough:4,5", "lines:8,8,5"]


@pytest.mark.parametrize("name", [*FEW, *(pytest.param(name, marks=pytest.mark.nightly) for name in FAMILIES)])
def test_openspiels_random_simulations_pass(name, capfd):
    pyspiel.random_sim_test(openspiel(name, length=40), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", FEW)
def test_a_state_is_the_position_that_the_moves_lead_to(name):
    game, rng = perfectplay.load(name), Random(name)
    bridged = openspiel(game)
    assert bridged.num_distinct_actions() == count_moves(game)
    state, (position, side) = bridged.new_initial_state(), (game.start, 0)
    for _ in range(60):
        if game.outcome(*position) != ONGOING:
            break
        moves = legal_moves(game, position)
        assert state.legal_actions() == moves
        assert state.current_player() == side
        names = [move_name(game, position, side, move) for move in moves]
        assert [state.action_to_string(move) for move in moves] == names
        assert str(state).startswith(show_position(game, position, side))
        seen = np.array(state.observation_tensor(0)).reshape(bridged.observation_tensor_shape())
        assert (seen[:-1] == planes(game, *word_arrays(game, [position]))[0]).all()
        assert (seen[-1] == side).all()
        assert seen.shape == (planes_of(game).shape[0] + 1, *planes_of(game).shape[1:])
        move = rng.choice(moves)
        copy = state.clone()
        copy.apply_action(move)
        assert state.legal_actions() == moves  # a copy is another state
        state.apply_action(move)
        assert str(copy) == str(state)
        position, side = after(game, position, side, move)
    else:
        return
    outcome = game.outcome(*position)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.returns()[side] == outcome == -state.returns()[1 - side]
    assert state.legal_actions() == []


def test_the_name_loads_the_game_again():
    bridged = openspiel("lines:3,3,3,misere=true")
    assert str(bridged) == "python_perfectplay(game=lines:3;3;3;misere~true,length=0,points=0)"
    again = pyspiel.load_game(str(bridged))
    assert again.new_initial_state().legal_actions() == [*range(9)]
    assert pyspiel.load_game("python_perfectplay(game=drop:5;4;4)").max_game_length() == 20
    assert pyspiel.load_game("python_perfectplay").num_distinct_actions() == 9


def test_states_can_be_written_and_read():
    bridged = openspiel("connect-four")
    state = bridged.new_initial_state()
    for action in (3, 3, 2):
        state.apply_action(action)
    for again in (
        bridged.deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(bridged, state))[1],
        pickle.loads(pickle.dumps(state)),
    ):
        assert str(again) == str(state)
        assert again.history() == [3, 3, 2]
    assert state.information_state_string(0) == "3, 3, 2"


def test_games_of_no_file_are_found_again_and_not_mixed_up():
    game = perfectplay.load("tic-tac-toe")
    one, other = (replace(game, name="mine", start=start) for start in ((1, 2), (4, 8)))
    bridged = [openspiel(one), openspiel(other), openspiel(one)]
    assert [str(one).partition(",")[0] for one in bridged] == [
        "python_perfectplay(game=mine",
        "python_perfectplay(game=mine#2",
        "python_perfectplay(game=mine",
    ]
    legal = [pyspiel.load_game(str(one)).new_initial_state().legal_actions()[:2] for one in bridged]
    assert legal == [[2, 3], [0, 1], [2, 3]]
    with pytest.raises(BadGame, match="cannot be a parameter"):
        openspiel(replace(game, name="mine (1)"))


@pytest.mark.parametrize(("name", "points"), [("lines:3,2,2", None), ("nim:1,2,2", None), ("kalah:2,2", 8)])
def test_openspiels_minimax_agrees_with_the_table(name, points):
    value, move = minimax.alpha_beta_search(openspiel(name, points=points))
    game, lookup = perfectplay.load(name), perfectplay.solve(name).lookup
    here, there = lookup(game.start), move_entries(game, game.start, lookup)[move]
    assert value == (here.margin if points else here.value) == (there.margin if points else there.value)


def test_openspiels_best_response_agrees_with_exact_odds():
    bridged = openspiel("nim:1,2,2")
    uniform = policy.UniformRandomPolicy(bridged)
    for player, seats in enumerate([("exploit:uniform", "uniform"), ("uniform", "exploit:uniform")]):
        odds = perfectplay.odds("nim:1,2,2", *seats)
        exact = float(odds.win - odds.loss) * (1, -1)[player]
        found = best_response.BestResponsePolicy(bridged, player, uniform).value(bridged.new_initial_state())
        assert found == pytest.approx(exact, abs=1e-9)


def test_a_game_that_repeats_is_a_draw_by_length():
    bridged = openspiel("mutorere", length=7)
    assert bridged.max_game_length() == 7
    state, rng = bridged.new_initial_state(), Random(4)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.move_number() == 7
    assert state.returns() == [0.0, 0.0]
    assert str(state).endswith("ply 7 of 7")  # the same position earlier is another state


def test_points_are_bounded_and_checked():
    assert (openspiel("dots:2,1").max_utility(), openspiel("dots:2,1", points=2).max_utility()) == (1.0, 2.0)
    state = openspiel("dots:2,1", points=1).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(BadArgument, match=r"points=1 is too small: .* ends by 2 points"):
        state.returns()


@pytest.mark.parametrize(
    ("name", "options"),
    [("tic-tac-toe", {"points": 3}), ("dots:2,1", {"points": 0}), ("tic-tac-toe", {"length": True})],
)
def test_bad_options(name, options):
    with pytest.raises(BadArgument, match=r"not a game for points|is not"):
        openspiel(name, **options)


@pytest.mark.parametrize("actions", [[99], [4, 4], [0, 3, 1, 4, 2, 5]])
def test_illegal_actions_are_refused(actions):
    state = openspiel("tic-tac-toe").new_initial_state()
    for action in actions[:-1]:
        state.apply_action(action)
    before = str(state)
    with pytest.raises(IllegalMove, match=f"action {actions[-1]}"):
        state.apply_action(actions[-1])
    assert str(state) == before


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "open_spiel", None)
    with pytest.raises(MissingPackage, match=r"pip install 'perfectplay\[openspiel\]'"):
        openspiel("tic-tac-toe")
    with pytest.raises(MissingPackage, match=r"the player openspiel:mcts needs open_spiel"):
        perfectplay.battle("tic-tac-toe", "openspiel:mcts", "random", games=1)
