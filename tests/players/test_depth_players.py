"""Players that look some plies ahead, or none: each does what its definition says, in every position."""

from functools import cache
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

from brute_force import late
from command_line import complaint, output
from perfectplay import ONGOING, WIN, load, odds
from perfectplay.game import legal_moves, levels
from perfectplay.players.named.minimax_player import greatest, rule_scores, table_scores
from perfectplay.players.named.policy_player import probabilities_function
from perfectplay.players.registry import player_entry, player_maker
from perfectplay.players.seat import Seat
from perfectplay.solvers.oracle import solved_oracle, table_oracle
from perfectplay.solvers.search.searcher import searcher_for
from plain_odds import Solved
from rings import nightly

load = cache(load)
"""Each game is loaded once, so that its solution and its graph are found again."""


def positions_of(game, most=150):
    """Some positions of the game that are not over, far and near."""
    every = [position for level in levels(game) for position in level if legal_moves(game, position)]
    return Random(1).sample(every, min(most, len(every)))


def may_play(game, player):
    """The function from a position to the moves that the player plays with a positive probability."""
    kind, name = player_entry(player)
    at = probabilities_function(game, kind.policy, name, True)
    return lambda position: {move for move, share in at(position).items() if share}


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        *(("drop:4,4,4", 2), ("dots:2,1", 4)),
        *nightly(("kalah:2,2", 2)),
        *nightly(*product(("tic-tac-toe", "misere", "drop:4,3,3", "kingpawns", "fading:3,2"), (1, 2, 3, 4))),
    ],
)
def test_minimax_of_a_depth_takes_what_lies_beyond_for_a_draw(name, plies):
    game = late(load(name), (0, 0, 1, 1, 2)) if name == "drop:4,4,4" else load(name)
    solved, moves_at = Solved(game), may_play(game, f"minimax:{plies}")
    for position in positions_of(game, 25):
        worth = {move: solved.after(position, move, plies) for move in legal_moves(game, position)}
        ways = [worth, rule_scores(game, position, plies)]
        if game.margin is None:
            ways += [table_scores(table_oracle(game).study(position), plies), searcher_for(game).seen(position, plies)]
        assert [greatest(seen) for seen in ways] == [sorted(moves_at(position))] * len(ways)


def test_minimax_of_a_depth_plays_games_that_are_not_solved():
    game = load("connect-four")
    choose = player_maker("minimax:3")(Seat(game, 0, Random(1)))
    position = game.start
    for move in (3, 0, 3, 0, 3):
        position = game.play(*position, move)
    assert choose(position) == 3


def test_depths_that_cannot_be(capsys):
    for depth in ("0", "x", "", "101", "1.5"):
        line = complaint(capsys, f"battle tic-tac-toe minimax:{depth} random --games 1")
        assert "needs a whole number from 1 to 100, such as minimax:4" in line
    assert "choose a smaller one" in complaint(capsys, "battle gomoku minimax:4 random --games 1")
    assert "choose a smaller one" in complaint(capsys, "battle connect-four minimax:30 random --games 1")


def test_a_dawdling_player_puts_wins_off_and_keeps_the_result():
    for name in ("tic-tac-toe", "kingpawns"):
        game = load(name)
        lookup, moves_at = solved_oracle(game).lookup, may_play(game, "dawdling")
        choose = player_maker("dawdling")(Seat(game, 0, Random(1)))
        for position in positions_of(game):
            kept = [
                move
                for move in legal_moves(game, position)
                if -lookup(game.play(*position, move)).value == lookup(position).value
            ]
            assert moves_at(position) == {choose(position)} == {kept[0]}


@pytest.mark.nightly
def test_a_dawdling_player_may_never_win_a_won_game(capsys):
    found = odds("tactic-toe", "dawdling", "exploit:dawdling").probability
    assert (found.win, found.draw, found.loss) == (0, 1, 0)
    assert solved_oracle(load("tactic-toe")).lookup(load("tactic-toe").start).value == WIN
    assert odds("tactic-toe", "dawdling", "perfect").probability.win == 1
    assert "2 games called drawn" in output(capsys, "battle tactic-toe dawdling exploit:dawdling --games 2")


def ways_by_definition(game, position, side):
    """Closeness times the number of lines that are as close, of one side."""
    own, other = position if side == 0 else position[::-1]
    marks = [(line & own).bit_count() for line in game.winning_lines() if not line & other]
    return max(marks) * marks.count(max(marks)) if marks else 0


def pair(game, position, plies, sign):
    """(outcome, difference) for the side to move, by the plain recursion."""
    outcome = game.outcome(*position)
    difference = sign * (ways_by_definition(game, position, 0) - ways_by_definition(game, position, 1))
    if outcome != ONGOING or plies == 0:
        return (0 if outcome == ONGOING else 1000 * outcome), difference
    after = [pair(game, game.play(*position, move), plies - 1, sign) for move in legal_moves(game, position)]
    return max((-outcome + np.sign(outcome), -difference) for outcome, difference in after)


COUNTED = [
    *(("lines:4,2,3", 2), ("misere", 3)),
    *nightly(*product(("tic-tac-toe", "misere", "lines:4,2,3"), (1, 2, 3))),
]


@pytest.mark.parametrize(("name", "plies"), COUNTED)
def test_ways_compares_the_outcome_and_then_the_ways_to_win(name, plies):
    game = load(name)
    moves_at, sign = may_play(game, f"ways:{plies}"), -1 if name == "misere" else 1
    choose = player_maker(f"ways:{plies}")(Seat(game, 0, Random(1)))
    for position in positions_of(game, 25):
        worth = {}
        for move in legal_moves(game, position):
            outcome, difference = pair(game, game.play(*position, move), plies - 1, sign)
            worth[move] = (-outcome, -difference)
        best = {move for move, one in worth.items() if one == max(worth.values())}
        assert moves_at(position) == best
        assert {choose(position) for _ in range(8)} <= best


@pytest.mark.parametrize(("name", "plies"), COUNTED)
def test_routes_plays_by_the_probabilities_that_odds_take(name, plies):
    game = load(name)
    moves_at = may_play(game, f"routes:{plies}")
    choose = player_maker(f"routes:{plies}")(Seat(game, 0, Random(1)))
    for position in positions_of(game, 60):
        liked = moves_at(position)
        chosen = {choose(position) for _ in range(1 if len(liked) == 1 else 12 * len(liked))}
        assert chosen <= liked
        assert len(liked) > 3 or chosen == liked


GRADED = ("random", "easy", "medium", "hard", "perfect")


@pytest.mark.parametrize(
    "name",
    [
        *("fading:3,2", "examples/hexapawn.py"),
        *nightly("tic-tac-toe", "kingpawns", "lines:4,2,3", "misere", "drop:4,3,3", "tactic-toe"),
    ],
)
def test_harder_players_are_stronger(name):
    for weaker, stronger in pairwise(GRADED):
        one = odds(load(name), weaker, stronger).probability
        other = odds(load(name), stronger, weaker).probability
        assert one.loss + other.win > one.win + other.loss


FILE = """
from perfectplay import DRAW, LOSS, ONGOING, Game
NAMES = {i: i for i in range(8)}
def moves(mine, theirs):
    return sum(1 << i for i in NAMES if (mine | theirs) >> i & 1 == 0) if mine | theirs < 255 else 0
def play(mine, theirs, move):
    return theirs, mine | 1 << move
def outcome(mine, theirs):
    return LOSS if theirs.bit_count() == 4 and theirs % 7 == 0 else DRAW if mine | theirs == 255 else ONGOING
def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=BITS, shape=(8, 1))
"""


@pytest.mark.parametrize("name", ["own", *nightly("wide", "drop:10,10,4")])
def test_every_game_has_easy_medium_and_hard_players(tmp_path, name):
    """Even one whose rules do not compile, small or too wide to be solved."""
    (tmp_path / "own.py").write_text(FILE.replace("BITS", "8"))
    (tmp_path / "wide.py").write_text(FILE.replace("BITS", "70"))
    game = load(name if ":" in name else f"{tmp_path}/{name}.py")
    for player in ("easy", "medium", "hard", "level:1", "level:8", "minimax:2"):
        choose = player_maker(player)(Seat(game, 0, Random(1), 0.05))
        position = game.start
        for _ in range(3):
            move = choose(position)
            assert move in legal_moves(game, position)
            position = game.play(*position, move)
