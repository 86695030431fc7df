"""The same game is evidence once; dice are seen only where they decide something."""

import pickle
import random

import pytest
from hypothesis import given, settings, strategies as st

from perfectplay import tournament
from perfectplay.arena.tournaments.host import WatchedDice, pythons_dice
from perfectplay.arena.tournaments.played_game import (
    PlayedGame,
    evidence_games,
    is_deterministic,
    repeats_text,
    would_repeat,
)
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.rules.loading import load_game
from perfectplay.words import Cause

CALLS = {
    "choice of one": lambda dice: dice.choice("a"),
    "choice of two": lambda dice: dice.choice("ab"),
    "choice of 5": lambda dice: dice.choice([*range(5)]),
    "random": lambda dice: dice.random(),
    "randrange of one": lambda dice: dice.randrange(3, 4),
    "randrange": lambda dice: dice.randrange(10, 1000, 7),
    "randint of one": lambda dice: dice.randint(4, 4),
    "randint": lambda dice: dice.randint(-5, 5),
    "shuffle of one": lambda dice: shuffled(dice, 1),
    "shuffle": lambda dice: shuffled(dice, 9),
    "sample of one": lambda dice: dice.sample([7], 1),
    "sample of none": lambda dice: dice.sample([7, 8], 0),
    "sample": lambda dice: dice.sample(range(100), 5),
    "choices of one": lambda dice: dice.choices([3], k=4),
    "choices of one weight": lambda dice: dice.choices([3, 4, 5], [0, 2, 0], k=4),
    "choices of one sum": lambda dice: dice.choices([3, 4, 5], cum_weights=[0, 2, 2]),
    "choices of none": lambda dice: dice.choices([3, 4], k=0),
    "choices": lambda dice: dice.choices([3, 4, 5], k=4),
    "choices by weight": lambda dice: dice.choices([3, 4, 5], [1, 0, 2]),
    "choices by sums": lambda dice: dice.choices([3, 4, 5], cum_weights=[1, 2, 2], k=3),
    "getrandbits of none": lambda dice: dice.getrandbits(0),
    "getrandbits": lambda dice: dice.getrandbits(70),
    "randbytes": lambda dice: dice.randbytes(5),
    "uniform": lambda dice: dice.uniform(1, 2),
    "gauss": lambda dice: dice.gauss(0, 1),
    "expovariate": lambda dice: dice.expovariate(2),
    "betavariate": lambda dice: dice.betavariate(2, 3),
    "triangular": lambda dice: dice.triangular(),
}
DECIDES_NOTHING = {name for name in CALLS if name.endswith(("of one", "of none", "of one weight", "of one sum"))}


def shuffled(dice, count):
    cards = [*range(count)]
    dice.shuffle(cards)
    return cards


@settings(max_examples=30)
@given(st.integers() | st.text(), st.lists(st.sampled_from([*CALLS])))
def test_watched_dice_throw_the_numbers_of_pythons(seed, names):
    plain, watched = random.Random(seed), WatchedDice(seed)
    for name in names:
        assert CALLS[name](watched) == CALLS[name](plain), name
        assert watched.getstate() == plain.getstate()
    assert watched.thrown == (not DECIDES_NOTHING.issuperset(names))


def test_dice_that_are_seeded_again_are_not_thrown():
    dice = WatchedDice(1)
    dice.random()
    assert dice.thrown
    dice.seed(2)
    assert not dice.thrown


def test_dice_that_were_used_in_another_process_are_thrown():
    here, there = WatchedDice(3), random.Random(3)
    here.setstate(there.getstate())
    assert not here.thrown
    there.random()
    here.setstate(there.getstate())
    assert here.thrown


def test_watched_dice_travel():
    dice = WatchedDice(3)
    assert pickle.loads(pickle.dumps(dice)).random() == random.Random(3).random()


def test_pythons_own_dice_are_seen_and_put_back():
    before = random.getstate()
    with pythons_dice("7/1") as thrown:
        assert not thrown()
        number = random.random()
        assert thrown()
    assert random.getstate() == before
    assert number == random.Random("7/1").random()


def test_a_perfect_player_with_one_best_move_throws_no_dice():
    game, dice = load_game("tic-tac-toe"), WatchedDice(1)
    player = player_maker("perfect")(Seat(game, 0, dice))
    player((0b000000011, 0b000011000))  # c1 wins, nothing else
    assert not dice.thrown
    player((0, 0))  # all nine moves draw
    assert dice.thrown


def played(number, moves="a1 b2", players=("A", "B"), thrown=False, position="", result="1-0", cause=None):
    return PlayedGame(number, "g", players, tuple(moves.split()), result, position=position, cause=cause, thrown=thrown)


OTHERS = [played(0), played(1, players=("B", "A")), played(2, players=("A", "C")), played(3, position="X:...")]


@pytest.mark.parametrize(
    ("games", "evidence"),
    [
        pytest.param([played(4), played(2), played(0), played(0)], [0], id="the same game"),
        pytest.param([played(0, thrown=True), played(1, thrown=True), played(2)], [0, 1], id="by dice"),
        pytest.param([played(0), played(1), played(2, "a1 c3")], [0, 1, 2], id="players who do not always repeat"),
        pytest.param([played(0), played(1, result="0-1", cause=Cause.TIME)], [0, 1], id="other results"),
        pytest.param(OTHERS, [0, 1, 2, 3], id="other players, sides and positions"),
        pytest.param(
            [*OTHERS, played(4, players=("B", "A")), played(5, position="X:...")], [0, 1, 2, 3], id="and they repeat"
        ),
    ],
)
def test_games_that_repeat_count_once(games, evidence):
    assert [game.number for game in evidence_games(games)] == evidence


GAMES = st.builds(
    played,
    st.integers(0, 30),
    st.sampled_from(["a1", "a1 b2"]),
    st.sampled_from([("A", "B"), ("B", "A")]),
    st.booleans(),
)


@given(st.lists(GAMES, unique_by=lambda game: game.number), st.randoms())
def test_what_counts_does_not_depend_on_the_order_of_the_record(games, dice):
    evidence = evidence_games(games)
    dice.shuffle(games)
    assert evidence_games(games) == evidence
    assert evidence_games(evidence) == evidence or any(game.thrown for game in games)
    assert {game for game in games if game.thrown} <= {*evidence}
    assert {game.players for game in games} == {game.players for game in evidence}


def test_only_known_players_without_dice_need_not_play_on():
    assert would_repeat(played(0), both_deterministic=True)
    assert not would_repeat(played(0), both_deterministic=False)
    assert not would_repeat(played(0, thrown=True), both_deterministic=True)
    assert not would_repeat(played(0, cause=Cause.CRASH), both_deterministic=True)


def test_known_players():
    known = [
        name
        for name in ("perfect", "noisy:0.1", "mcts", "human", "./bots.py:ai", "cmd:./bot")
        if is_deterministic(name, True)
    ]
    assert known == ["perfect", "noisy:0.1"]
    assert not is_deterministic("perfect", solved=False)


def test_the_sentence_names_both_players():
    assert repeats_text("perfect", "dawdling", 98).startswith("perfect and dawdling did not play 98 games:")
    assert "one game:" in repeats_text("perfect", "dawdling", 1)
    assert "openings" in repeats_text("perfect", "dawdling", 1)


def test_games_that_were_not_played_are_told():
    """In this small game, best moves are the only ones: two of ten games are played, one from each side."""
    result = tournament("kalah:2,2", ["perfect", "dawdling"], games=10, seed=1)
    assert [row.games for row in result.players] == [2, 2]
    assert any("perfect and dawdling did not play 8 games" in remark for remark in result.remarks)
