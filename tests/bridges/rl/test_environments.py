"""Games as environments: the checkers of PettingZoo and Gymnasium, and what an episode is."""

import copy
import math
import pickle
import sys
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from leftover_processes import nobody_left
from perfectplay import (
    BadArgument,
    BadGame,
    BadPlayer,
    BadPosition,
    IllegalMove,
    TooBig,
    list_games,
    load,
    rl,
)
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import levels
from perfectplay.rl.environments import id_of
from perfectplay.rl.episode import observation_planes
from perfectplay.views.planes import planes, planes_of, word_arrays
from perfectplay.words import BotFault, MissingPackage

FAMILIES = [info.name for info in list_games()] + ["gomoku"]
FEW = ["tic-tac-toe", "tactic-toe", "kalah:3,2", "dots:2,2", "krk"]
GAMES = [*FEW, *(pytest.param(name, marks=pytest.mark.nightly) for name in FAMILIES if name not in FEW)]

# PettingZoo says this of its own board games, too: observations are dicts, and boards may be empty.
expected_warnings = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation numpy array is all zeros",
    "ignore:Observation space for each agent probably should be",
)


@expected_warnings
@pytest.mark.parametrize("name", GAMES)
def test_the_checkers_of_the_libraries_find_nothing_wrong(name, capsys):
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, render_test, seed_test

    api_test(rl.pettingzoo(name), num_cycles=50)
    seed_test(lambda: rl.pettingzoo(name), num_cycles=10)
    assert "Passed API test" in capsys.readouterr().out
    for side in (0, 1, "alternate", "random"):
        check_env(rl.gymnasium(name, "random", side), skip_render_check=side != 0 or name not in FEW)
    if name in FEW:
        render_test(lambda render_mode=None: rl.pettingzoo(name, render_mode))


def test_pictures_of_a_game_are_of_one_size_and_differ():
    env = rl.pettingzoo("tic-tac-toe", "rgb_array")
    env.reset()
    before = env.render()
    env.step(4)
    assert before.shape == env.render().shape
    assert before[0, 0].tolist() == [255, 255, 255]
    assert before.shape[0] % 2 == before.shape[1] % 2 == 0
    assert (before != env.render()).any()


@pytest.mark.parametrize("name", GAMES)
def test_spaces_and_observations_are_planes_and_moves(name):
    env, game = rl.pettingzoo(name), load(name)
    assert env.observation_space("player_0")["observation"].shape == planes_of(game).shape
    assert env.action_space("player_1").n == count_moves(game)
    positions = [position for level in islice(levels(game), 2) for position in level][:20]
    together = planes(game, *word_arrays(game, positions))
    for position, expected in zip(positions, together, strict=True):
        assert (observation_planes(game, position) == expected).all()


def played(env, *actions):
    env.reset()
    for action in actions:
        env.step(action)
    return env


def test_agents_move_in_turn_and_the_winner_is_rewarded():
    env = played(rl.pettingzoo("tic-tac-toe"), 0, 3, 1, 4, 2)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert not env.observe("player_1")["action_mask"].any()
    with pytest.raises(BadArgument, match=r"step\(None\)"):
        env.step(5)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(BadArgument, match=r"over in O:XXX/OO\./\.\.\.; call reset\(\)"):
        env.step(5)


def test_each_agent_sees_its_own_pieces_first():
    env = played(rl.pettingzoo("tic-tac-toe"), 0, 8)
    first, second = env.observe("player_0"), env.observe("player_1")
    assert first["observation"][0, 0, 0] == 1 == second["observation"][1, 0, 0]
    assert (first["observation"] == second["observation"][::-1]).all()
    assert first["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 0]
    assert not second["action_mask"].any()
    assert env.infos["player_0"]["position"] == "X:X../.../..O"
    assert env.infos["player_0"]["moves"]["b2"] == 4
    assert env.infos["player_1"]["moves"] == {}


def legal_of(env):
    """The legal actions of the agent to move."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def test_an_agent_with_another_turn_acts_again():
    env = played(rl.pettingzoo("kalah:3,2"))
    game, position = env.episode.game, env.episode.position
    env.step(next(move for move in legal_of(env) if game.again(*position, move)))
    assert env.agent_selection == "player_0"


def test_points_can_be_the_reward():
    env = played(rl.pettingzoo("dots:1,1", reward="points"))
    while not any(env.terminations.values()):
        assert set(env.rewards.values()) == {0}
        env.step(legal_of(env)[0])
    assert set(env.rewards.values()) == {1.0, -1.0}
    with pytest.raises(BadArgument, match="not played for points"):
        rl.pettingzoo("tic-tac-toe", reward="points")


def test_games_that_go_on_are_cut_off_or_drawn():
    env, plies = played(rl.pettingzoo("mutorere", max_plies=7)), 0
    while not any(env.truncations.values()):
        env.step(legal_of(env)[-1])
        plies += 1
    assert plies == 7
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0, "player_1": 0}
    env, seen = played(rl.pettingzoo("mutorere", max_plies=None, repetitions=2)), []
    while not any(env.terminations.values()):
        seen.append(env.infos[env.agent_selection]["position"])
        env.step(legal_of(env)[-1])
    assert len(set(seen)) == len(seen)
    assert env.infos["player_0"]["position"] in seen
    assert env.rewards == {"player_0": 0, "player_1": 0}


@pytest.mark.parametrize(
    ("package", "make"), [("pettingzoo", rl.pettingzoo), ("gymnasium.envs.registration", rl.gymnasium)]
)
def test_without_the_packages_the_error_says_how_to_get_them(monkeypatch, package, make):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage, match=r"pip install 'perfectplay\[rl\]'"):
        make("tic-tac-toe")


def test_an_illegal_action_loses_or_raises():
    env = played(rl.pettingzoo("tic-tac-toe"), 0, 0)
    assert env.rewards == {"player_0": 0, "player_1": -1}
    assert all(env.terminations.values())
    with pytest.raises(IllegalMove, match="action 0 is not a legal move for O"):
        played(rl.pettingzoo("tic-tac-toe", illegal="raise"), 0, 0)
    env = played(rl.gymnasium("tic-tac-toe", lambda position: 8), 0)
    assert env.step(0)[1:3] == (-1, True)
    env = played(rl.gymnasium("tic-tac-toe", lambda position: 8 if position[0] == 0 else 7, illegal="raise"), 0)
    with pytest.raises(IllegalMove):
        env.step(0)
    assert env.step(1)[1] == 0  # nothing has happened in between


@pytest.mark.parametrize("action", [math.nan, 2.0, "b2", None, np.array([1]), True, -1, 9, 10**30])
def test_an_action_that_is_none_is_refused(action):
    for env in (rl.pettingzoo("tic-tac-toe"), rl.gymnasium("tic-tac-toe", "random", seed=1)):
        env.reset()
        with pytest.raises(BadArgument, match=r"not the number of a move, 0 to 8, in X:\.\.\."):
            env.step(action)
    env = played(rl.pettingzoo("tic-tac-toe"), np.array(4), np.int32(0))  # whole numbers of any kind
    assert env.infos["player_0"]["position"] == "X:O../.X./..."


def test_calls_in_the_wrong_order_are_refused():
    for env in (rl.pettingzoo("tic-tac-toe", "ansi"), rl.gymnasium("tic-tac-toe", "random", render_mode="ansi")):
        with pytest.raises(BadArgument, match=r"call reset\(\)"):
            env.step(0)
        with pytest.raises(BadArgument, match=r"call reset\(\)"):
            env.render()
        for options in (5, "X:.../.../..."):
            with pytest.raises(BadArgument, match="position"):
                env.reset(options=options)
    env = played(rl.gymnasium("tic-tac-toe", "random"), 0)
    env.episode.begin("X:XX./OO./...")
    assert env.step(2)[1:3] == (1, True)
    with pytest.raises(BadArgument, match=r"over in O:XXX/OO\./\.\.\.; call reset\(\)"):
        env.step(5)


@pytest.mark.parametrize("make", [rl.pettingzoo, rl.gymnasium])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"render_mode": "svg"}, "render_mode='svg' is not 'human', 'ansi', 'rgb_array' or None"),
        ({"reward": "money"}, "reward='money' is not 'result' or 'points'"),
        ({"illegal": "ignore"}, "illegal='ignore' is not 'lose' or 'raise'"),
        ({"max_plies": 0}, "max_plies=0"),
        ({"repetitions": 1}, "repetitions=1"),
    ],
)
def test_bad_arguments_say_what_would_be_right(make, arguments, words):
    with pytest.raises(BadArgument, match=words):
        make("tic-tac-toe", **arguments)
    with pytest.raises(BadGame):
        make("tic-tac-to")


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("tic-tac-toe", {"side": 2}, BadArgument, "side=2 is not 0, 1, 'alternate' or 'random'"),
        ("tic-tac-toe", {"seed": -1}, BadArgument, "seed=-1"),
        ("connect-four", {}, TooBig, r"noisy:0\.1 needs a solved game; connect-four is too large.*'blocks'"),
        *(("tic-tac-toe", {"opponent": one}, BadPlayer, r"\w") for one in ("nobody", "noisy:2", "human", 3)),
    ],
)
def test_opponents_sides_and_seeds_that_cannot_be(name, arguments, error, words):
    with pytest.raises(error, match=words):
        rl.gymnasium(name, **arguments)


def test_an_episode_can_begin_elsewhere():
    env = rl.pettingzoo("tic-tac-toe")
    env.reset(options={"position": "O:XX./.O./..."})
    assert env.agent_selection == "player_1"
    env = rl.gymnasium("tic-tac-toe", lambda position: 2, side=0)
    _, info = env.reset(options={"position": "O:XX./.O./..."})
    assert info["position"] == "X:XXO/.O./..."
    assert info["replies"] == ("c1",)
    with pytest.raises(BadPosition, match="the game is over"):
        env.reset(options={"position": "O:XXX/OO./..."})


def episode_of(env, seed):
    """All that an agent is told that chooses any moves: rewards and infos."""
    _, info = env.reset(seed=seed)
    told, over = [info], False
    dice = np.random.default_rng(seed)
    while not over:
        _, reward, over, _, info = env.step(int(dice.choice([*info["moves"].values()])))
        told += [reward, info]
    return told


def test_a_seed_repeats_the_opponents_choices():
    env = rl.gymnasium("tic-tac-toe", "random", side="random")
    assert episode_of(env, 7) == episode_of(env, 7) == episode_of(rl.gymnasium("tic-tac-toe", "random", "random"), 7)
    assert len({str(episode_of(env, seed)) for seed in range(9)}) > 4
    first, _ = rl.gymnasium("tic-tac-toe", "random", 1, seed=3).reset()
    again, _ = rl.gymnasium("tic-tac-toe", "random", 1).reset(seed=3)
    assert (first["observation"] == again["observation"]).all()


def test_sides_alternate_from_a_seeded_reset_on():
    env = rl.gymnasium("tic-tac-toe", "random", side="alternate")
    assert [env.reset(seed=seed)[1]["side"] for seed in (5, None, None, 5, None)] == [0, 1, 0, 0, 1]


def test_a_game_that_is_over_before_the_agents_move_ends_with_its_first_step():
    env = rl.gymnasium("nim:1", "perfect", side=1)
    observation, info = env.reset()
    assert not observation["action_mask"].any()
    assert info["moves"] == {}
    assert env.step(0)[1:4] == (-1, True, False)


@pytest.mark.parametrize(("opponent", "error"), [(lambda position: 0, IllegalMove), (lambda position: {}[0], BotFault)])
def test_an_opponents_error_is_raised(opponent, error):
    with pytest.raises(error, match=r"chose 0|KeyError"):
        played(rl.gymnasium("tic-tac-toe", opponent), 0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_by_themselves(copied):
    env = played(rl.pettingzoo("tic-tac-toe", "ansi"), 4)
    other = copied(env)
    other.step(0)
    assert env.render() != other.render()
    env.step(0)
    assert env.render() == other.render()
    env = played(rl.gymnasium("tic-tac-toe", "random", seed=1))
    other = copied(env)
    assert str(env.step(4)) == str(other.step(4))


def test_a_game_of_ones_own_is_not_pickled():
    env = played(rl.pettingzoo(replace(load("tic-tac-toe"), name="mine")))
    copy.deepcopy(env).step(0)
    with pytest.raises(BadArgument, match="'mine' does not load by name"):
        pickle.dumps(env)


def test_human_prints_each_board_once(capsys):
    env = played(rl.gymnasium("tic-tac-toe", lambda position: 0, render_mode="human"))
    env.render()
    env.step(4)
    env.render()
    assert capsys.readouterr().out.count("1 ") == 3


def test_close_ends_the_processes_of_bots(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def low(position):\n    import perfectplay\n    return 8 if position[1] != 256 else 7\n")
    with nobody_left("the environment"):
        env = rl.gymnasium("tic-tac-toe", f"{bot}:low")
        env.reset(seed=0)
        assert env.step(0)[4]["replies"] == ("c3",)
        env.close()
        env.close()


def test_ids_of_gymnasium():
    import gymnasium

    env = gymnasium.make("perfectplay.rl.gymnasium_ids:perfectplay/tic-tac-toe-v0", opponent="perfect")
    assert env.unwrapped.episode.game.name == "tic-tac-toe"
    vector = gymnasium.make_vec("perfectplay/tic-tac-toe-v0", num_envs=3, opponent="random", vectorization_mode="sync")
    observations, _ = vector.reset(seed=1)
    assert observations["observation"].shape == (3, 2, 3, 3)
    vector.step(np.array([0, 1, 2]))
    assert id_of("lines:4,4,3") == "perfectplay/lines-4-4-3-v0"
