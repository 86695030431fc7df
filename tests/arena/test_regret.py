import random

import pytest

from brute_force import late, move_entries, solved
from perfectplay.arena.tournaments.regret import Prices, cached_price, regret_of
from perfectplay.game import after, legal_moves
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import SearchOracle, oracle_for, solved_oracle
from perfectplay.solvers.scores import Bounds
from perfectplay.solvers.worth import Study, Worth
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, WIN
from turn_games import random_game, random_points

GAMES = [
    "tic-tac-toe",
    "lines:3,3,3,misere=true",  # misère
    "ponghauki",  # endless draws
    "dots:2,2",  # extra turns, for points
    "kalah:2,2",
    "hexapawn",
    "chomp:3,3",
]


def random_moves(game, rng, most=60):
    """A game by two players who move at random."""
    moves, turn = [], (game.start, FIRST)
    while game.outcome(*turn[0]) == ONGOING and len(moves) < most:
        move = rng.choice(legal_moves(game, turn[0]))
        moves.append(move)
        turn = after(game, *turn, move)
    return moves


def turn_after(game, moves):
    """The position after the moves, and the side to move."""
    turn = (game.start, FIRST)
    for move in moves:
        turn = after(game, *turn, move)
    return turn


def plainly(game, entries, begin, moves):
    """What each move gave away, from the solution by brute force: regret, wasted plies, points and value."""
    rows, turn = [], begin
    for move in moves:
        here, there = entries[turn[0]], move_entries(game, entries, turn[0])[move]
        regret = {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}[here.value] - {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}[there.value]
        if here.margin is not None:
            rows.append((regret, None, here.margin - there.margin, (here.value + 1) / 2))
        elif regret or here.value == DRAW:
            rows.append((regret, 0, None, (here.value + 1) / 2))
        else:
            longer = there.distance - here.distance
            rows.append((0.0, longer if here.value == WIN else -longer, None, (here.value + 1) / 2))
        turn = after(game, *turn, move)
    return rows


@pytest.mark.parametrize("name", GAMES)
def test_every_move_of_random_games_has_its_price(name):
    game, rng = load_game(name), random.Random(1)
    oracle, entries = oracle_for(game), solved(game)
    for _ in range(20):
        moves = random_moves(game, rng)
        found = regret_of(oracle, (game.start, FIRST), moves)
        assert [*zip(*found[:-1], strict=True)] == plainly(game, entries, (game.start, FIRST), moves)
        assert all(one is None or one >= 0 for column in found[:-1] for one in column)


@pytest.mark.parametrize("make", [random_game, random_points])
def test_extra_turns_cycles_and_points_on_random_graphs(make):
    rng = random.Random(2)
    for seed in range(8):
        game = make(seed)
        oracle, entries = solved_oracle(game), solved(game)
        moves = random_moves(game, rng)
        found = regret_of(oracle, (game.start, FIRST), moves)
        assert [*zip(*found[:-1], strict=True)] == plainly(game, entries, (game.start, FIRST), moves)


def test_a_game_from_a_later_position_and_no_game():
    game = load_game("tic-tac-toe")
    oracle = oracle_for(game)
    moves = random_moves(game, random.Random(4))
    turn = turn_after(game, moves[:2])
    whole, rest = regret_of(oracle, (game.start, FIRST), moves), regret_of(oracle, turn, moves[2:])
    assert rest == Prices(*(column[2:] for column in whole[:-1]))
    assert regret_of(oracle, turn, []) == Prices()


def test_an_unreachable_position_is_not_judged():
    game = load_game("tic-tac-toe")
    oracle = oracle_for(game)
    found = regret_of(oracle, ((0b000000011, 0), FIRST), [2])
    assert found == Prices((None,), (None,), (None,), (None,))
    assert regret_of(oracle, ((0b000000011, 0), FIRST), [], forfeited=True).forfeit_regret is None


@pytest.mark.parametrize(
    ("name", "moves", "value"),
    [
        ("tic-tac-toe", [], 0.5),
        ("tic-tac-toe", [4, 1], 1.0),  # an edge loses to the centre
        ("tic-tac-toe", [4, 1, 0], 0.0),
        ("dots:2,2", [0, 1], 1.0),  # for points
        ("nim:1,1", [], 0.0),
        ("nim:1,1", [0], 1.0),
    ],
)
def test_a_forfeit_gives_away_what_the_position_is_worth(name, moves, value):
    game = load_game(name)
    assert (solved(game)[turn_after(game, moves)[0]].value + 1) / 2 == value
    found = regret_of(oracle_for(game), (game.start, FIRST), moves, forfeited=True)
    assert found == regret_of(oracle_for(game), (game.start, FIRST), moves)._replace(forfeit_regret=value)


def test_a_search_says_what_it_has_proven_and_no_more():
    game, rng = late(load_game("drop:4,4,4"), (0, 0, 1, 1, 2)), random.Random(5)
    entries = solved(game)
    known = 0
    for _ in range(3):
        moves = random_moves(game, rng)
        found = regret_of(SearchOracle(game, 0.5), (game.start, FIRST), moves)
        for told, true in zip(
            zip(*found[:-1], strict=True), plainly(game, entries, (game.start, FIRST), moves), strict=True
        ):
            assert all(one in (None, other) for one, other in zip(told, true, strict=True))
            known += told[0] is not None
    assert known >= 9  # at least the last moves of each game


def test_what_bounds_prove_is_told():
    """A move that is proven to keep the result has no regret, even if its value is open; otherwise nothing is told."""
    game = load_game("tic-tac-toe")
    drawn, lost, no_loss, no_win = (Worth(Bounds(*scores)) for scores in ((0, 0), (-9, -3), (0, 9), (-9, 0)))
    worths = {0: no_loss, 1: no_win, 2: lost, 4: drawn}
    for here, regrets in ((drawn, [0.0, None, 0.5, 0.0]), (no_loss, [None] * 4)):
        oracle = SearchOracle(game)
        oracle.study = lambda position, here=here: Study(here, worths)
        assert [regret_of(oracle, (game.start, FIRST), [move]).regret[0] for move in worths] == regrets


def test_each_position_is_looked_at_once():
    game, rng = load_game("tic-tac-toe"), random.Random(6)
    oracle = oracle_for(game)
    cached_price.cache_clear()
    different = set()
    for _ in range(100):
        moves = random_moves(game, rng)
        regret_of(oracle, (game.start, FIRST), moves)
        different |= {(turn_after(game, moves[:ply])[0], move) for ply, move in enumerate(moves)}
    assert cached_price.cache_info().misses == len(different)
