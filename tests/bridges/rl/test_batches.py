"""Batches of games: move by move what the interpreted rules say, the same on any number of threads; errors."""

from dataclasses import replace

import numpy as np
import pytest

import perfectplay
from batch_games import follow
from perfectplay import BadArgument, BadGame, IllegalMove, NoGPU, NotCompiled, TooBig
from perfectplay.compiler.compilable import is_wide
from perfectplay.rl import batch

QUICK = ["tic-tac-toe", "connect-four", "kalah:3,2"]
"""Games with few and many moves, with extra turns and points."""
FAMILIES = [info.name for info in perfectplay.list_games()]


@pytest.mark.parametrize("name", QUICK)
def test_a_batch_plays_by_the_rules(name):
    assert follow(name, 12, 40, max_plies=25) > 4


@pytest.mark.nightly
@pytest.mark.parametrize("name", FAMILIES)
def test_batches_of_all_games_play_by_the_rules(name):
    game = perfectplay.load(name)
    if is_wide(game):
        with pytest.raises(BadGame, match="63"):
            batch(game, 2)
    else:
        follow(game, 24, 120, max_plies=70)


@pytest.mark.parametrize("name", ["connect-four", "kalah:3,2"])
def test_random_plies_are_samples_and_steps_on_any_number_of_threads(name):
    one, two, stepped = (batch(name, 1500, seed=7, threads=threads, max_plies=30) for threads in (1, 3, 2))
    counts = one.play_random(60)
    assert counts == two.play_random(60)
    won = drawn = lost = cut = margin = 0
    for _ in range(60):
        step = stepped.step(stepped.sample())
        whole = step.done & ~step.truncated
        won, lost = won + (step.results[whole] == 1).sum(), lost + (step.results[whole] == -1).sum()
        drawn, cut = drawn + (step.results[whole] == 0).sum(), cut + step.truncated.sum()
        margin += stepped.margins[step.done].sum()
    assert counts._replace(plies=0) == (won, drawn, lost, cut, 0, margin)
    assert counts.plies == 60 * 1500 - stepped.plies.sum()
    assert counts.games == won + drawn + lost + cut
    following = one.sample()
    for games in (two, stepped):
        for array in ("mine", "theirs", "side", "plies", "moves", "results", "rewards", "done", "truncated", "legal"):
            assert (getattr(one, array) == getattr(games, array)).all(), array
        assert (one.final_mine == games.final_mine).all()
        assert (following == games.sample()).all()


def test_many_games_are_stepped_on_threads():
    one, two = (batch("tic-tac-toe", 70_001, seed=3, threads=threads) for threads in (1, 2))
    for _ in range(7):
        first, second = one.step(one.sample()), two.step(two.sample())
        assert all((a == b).all() for a, b in zip(first, second, strict=True))
    assert one.observe().tobytes() == two.observe().tobytes()
    actions = two.sample()
    actions[[69_999, 40_000]] = 9
    before = two.mine.copy()
    with pytest.raises(IllegalMove, match=r"actions\[40000\] = 9 is not legal in O:"):
        two.step(actions)
    assert (two.mine == before).all()


def test_random_games_end_as_often_as_exact_odds_say():
    counts = batch("tic-tac-toe", 20_000, seed=5).play_random(90)
    exact = perfectplay.odds("tic-tac-toe", "random", "random", exact=True)
    for count, share in ((counts.first, exact.win), (counts.drawn, exact.draw), (counts.second, exact.loss)):
        share = float(share)
        assert abs(count / counts.games - share) < 5 * (share * (1 - share) / counts.games) ** 0.5


def test_all_legal_actions_are_equally_likely():
    games = batch("connect-four", 1000, seed=11)
    drawn = np.bincount(np.concatenate([games.sample() for _ in range(20)]), minlength=games.actions)
    mean = 20_000 / games.actions
    assert drawn.sum() == 20_000
    assert (abs(drawn - mean) < 5 * mean**0.5).all()


def test_seeds_decide():
    one, same, other = batch("connect-four", 50, seed=1), batch("connect-four", 50, seed=1), batch("connect-four", 50)
    assert (one.sample() == same.sample()).all()
    assert (one.sample() != other.sample()).any()
    one.reset(seed=9), same.reset(seed=9)
    out = np.empty(50, np.int64)
    assert one.sample(out) is out
    assert (out == same.sample()).all()


def test_reset_begins_chosen_games_again():
    games = batch("connect-four", 6, seed=2)
    games.play_random(5)
    before, mask = games.mine.copy(), np.array([True, False, True, False, False, False])
    games.reset(mask)
    assert games.plies.tolist() == [0, 5, 0, 5, 5, 5]
    assert (games.mine[~mask] == before[~mask]).all()
    assert games.position(0) == games.game.start
    assert games.moves[0] == 0b1111111
    games.reset()
    assert not games.plies.any()
    assert not games.done.any()
    assert set(games.results.tolist()) == {perfectplay.ONGOING}


def test_final_positions_can_be_observed():
    games = batch("tic-tac-toe", 2)
    for move in (0, 3, 1, 4):
        games.step([move, move])
    step = games.step(np.array([2, 8], np.int8))
    assert step.done.tolist() == [True, False]
    assert step.rewards.tolist() == [1, 0]
    assert games.text(0) == "X:.../.../..."
    assert games.observe(final=True)[0].tolist() == [[[0] * 3, [1, 1, 0], [0] * 3], [[1, 1, 1], [0] * 3, [0] * 3]]
    assert not games.observe()[0].any()
    step = games.step([4, 5])  # results are for the first side, rewards for the mover
    assert (step.rewards[1], step.results[1], games.final_side[1]) == (1, -1, 0)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (np.full(4, np.nan), r"actions\[0\] is nan"),
        (np.zeros(4), "float64; give whole numbers"),
        (np.zeros(4, bool), "type bool"),
        (np.zeros((4, 1), int), r"shape \(4, 1\).*shape \(4,\)"),
        (3, r"shape \(\)"),
        (None, "actions"),
        ([[1], [1, 2]], "actions"),
    ],
)
def test_nonsense_is_no_action(actions, words):
    games = batch("tic-tac-toe", 4)
    with pytest.raises(BadArgument, match=words):
        games.step(actions)
    assert not games.plies.any()


@pytest.mark.parametrize("action", [9, 63, 64, -1, 1 << 40, np.uint64(1 << 63), 0])
def test_an_illegal_action_is_named_with_its_position_and_changes_nothing(action):
    games = batch("tic-tac-toe", 3)
    games.step([0, 0, 0])
    with pytest.raises(IllegalMove) as error:
        games.step(np.array([1, 2, action]) if action < 1 << 63 else np.array([1, 2, action], np.uint64))
    assert "actions[2]" in str(error.value)
    assert "O:X../.../..." in str(error.value)
    assert "1 (b1)" in str(error.value)
    assert games.plies.tolist() == [1, 1, 1]
    assert games.mine.tolist() == [0, 0, 0]


def test_options_that_cannot_be():
    for options in ({"n": 0}, {"n": 2.0}, {"seed": -1}, {"threads": 0}, {"max_plies": 0}, {"device": "tpu"}):
        with pytest.raises(BadArgument, match=next(iter(options))):
            batch("tic-tac-toe", **{"n": 3} | options)
    games = batch("tic-tac-toe", 3)
    for ask, words in (
        (lambda: games.reset([1, 0, 1]), "mask"),
        (lambda: games.observe(np.zeros((3, 2, 3, 3))), "out"),
        (lambda: games.sample(np.zeros((6,), np.int64)[::2]), "out"),
        (lambda: games.sample([0, 0, 0]), "out is a list"),
        (lambda: games.play_random(-1), "plies"),
        (lambda: games.text(3), "i="),
    ):
        with pytest.raises(BadArgument, match=words):
            ask()
    assert games.play_random(0).games == 0


def test_games_that_cannot_be_batched():
    game = perfectplay.load("tic-tac-toe")
    with pytest.raises(BadGame, match="63"):
        batch("gomoku", 2)
    with pytest.raises(BadGame, match="over at its start"):
        batch(replace(game, start=(0b111, 0b111000)), 2)

    def counted(mine, theirs):
        return perfectplay.ONGOING if bin(mine | theirs).count("1") < 2 else perfectplay.DRAW

    with pytest.raises(NotCompiled, match="a batch needs rules that compile") as caught:
        batch(perfectplay.Game(moves=game.moves, play=game.play, outcome=counted, bits=9, shape=(3, 3)), 4)
    assert "engine=" not in str(caught.value)


def test_more_games_than_memory_holds_and_no_gpu(monkeypatch):
    def nothing():
        raise NoGPU('engine="cuda" needs an NVIDIA GPU; use engine="numba"')

    monkeypatch.setattr("perfectplay.rl.batches.free_memory", lambda: 1 << 20)
    with pytest.raises(TooBig, match=r"100,000 games take .* GiB"):
        batch("tic-tac-toe", 100_000)
    monkeypatch.setattr("perfectplay.rl.gpu_games.find_gpu", nothing)
    with pytest.raises(NoGPU, match='device="cuda" needs an NVIDIA GPU; use device="cpu"'):
        batch("tic-tac-toe", 2, device="cuda")


def test_broken_rules_are_found():
    def stuck(mine, theirs):
        return 0 if (mine | theirs).bit_count() == 3 else 511 & ~(mine | theirs)  # no moves at three marks

    games = batch(replace(perfectplay.load("tic-tac-toe"), moves=stuck, name="stuck"), 5, seed=1)
    with pytest.raises(BadGame, match=r"stuck breaks the contract .* legal move"):
        games.play_random(6)


def test_a_batch_shows_itself():
    assert "4 games of tic-tac-toe, 9 actions, on cpu" in repr(batch("tic-tac-toe", 4))
    counts = batch("tic-tac-toe", 10, seed=1, max_plies=5).play_random(5)
    assert "10 games" in str(counts)
    assert "truncated" in str(counts)
