"""Boards of rows of any size: counts are kept, forced wins are wins, and players see what is in front of them."""

import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from commands import complaint
from perfectplay import LOSS, ONGOING, BadPlayer, load
from perfectplay.bits import bit_numbers
from perfectplay.engines import forcing, rows, rows_search
from perfectplay.game import legal_moves
from perfectplay.players import Seat, player_maker
from perfectplay.players.field import Field, rows_fault
from perfectplay.solve.searched import searcher_for

BOARDS = ["lines:15,15,5", "lines:7,6,4", "lines:9,5,4", "lines:19,19,6", "lines:6,6,5,misere=true"]


def wandered(game, rng, plies):
    """The position after so many random moves near the middle, or the last before the game ends."""
    width, height = game.shape
    position = game.start
    for _ in range(plies):
        near = [
            move
            for move in legal_moves(game, position)
            if abs(move % width - width // 2) < 4 and abs(move // width - height // 2) < 4
        ]
        after = game.play(*position, rng.choice(near or legal_moves(game, position)))
        if game.outcome(*after) != ONGOING:
            break
        position = after
    return position


@pytest.mark.parametrize("name", BOARDS)
def test_counts_are_what_a_new_count_gives(name):
    game, rng = load(name), Random(1)
    field = Field(game, "test")
    masks = game.rows()
    for _ in range(5):
        position = wandered(game, rng, 40)
        field.set_up(position)
        board = field.board
        expected = np.array([[(word & mask).bit_count() for mask in masks] for word in position])
        assert (board.counts == expected).all()
        length = masks[0].bit_count()
        for side in (0, 1):
            alone = expected[1 - side] == 0
            assert board.nearly[side] == ((expected[side] == length - 1) & alone).sum()
            assert board.totals[side] == board.weights[expected[side][alone]].sum()
            for square in legal_moves(game, position):
                through = [row for row, mask in enumerate(masks) if mask >> square & 1 and alone[row]]
                assert board.worth[side, square] == sum(board.weights[expected[side][row] + 1] for row in through)


@pytest.mark.parametrize("name", BOARDS)
def test_a_mark_taken_off_leaves_no_trace(name):
    game, rng = load(name), Random(2)
    field = Field(game, "test")
    field.set_up(wandered(game, rng, 12))
    before = [array.copy() for array in field.board]
    free = [square for square in range(field.board.marks.size) if field.board.marks[square] == rows.EMPTY]
    squares = rng.sample(free, 15)
    for number, square in enumerate(squares):
        rows.put(field.board, square, number % 2)
    for square in reversed(squares):
        rows.take(field.board, square)
    assert all((a == b).all() for a, b in zip(before, field.board, strict=True))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": None}, "has no rows"),
        ({"rows": lambda: (0b111, 0b111000)}, "rows are not what ends the game"),
        ({"moves": lambda mine, theirs: 0b1 & ~(mine | theirs) or 511 & ~(mine | theirs)}, "not every empty square"),
    ],
)
def test_games_that_are_not_of_rows_are_refused(change, said):
    game = load("tic-tac-toe")
    assert rows_fault(game) == ""
    assert said in rows_fault(replace(game, **change))


def test_players_of_rows_refuse_other_games(capsys):
    for player in ("routes:2", "threats", "hard"):
        assert "it has no rows; it plays boards such as lines:15,15,5" in complaint(
            capsys, f"battle connect-four {player} random --games 1"
        )
    assert "who makes one loses" in complaint(capsys, "battle misere threats random --games 1")
    for name in ("routes:0", "routes:x", "routes", "threats:0", "threats:x", "mcts:-1", "easy:3"):
        assert repr(name) in complaint(capsys, f"battle tic-tac-toe {name} random --games 1")


@pytest.mark.parametrize("name", ["lines:6,6,4", "lines:7,7,5", "lines:6,5,4"])
def test_wins_by_force_are_wins(name):
    game, rng, found = load(name), Random(3), 0
    field, searcher = Field(game, "test"), searcher_for(game)
    for _ in range(300):
        position = wandered(game, rng, rng.randrange(8, 20))
        field.set_up(position)
        with field.clock(None, nodes=2_000):
            move = int(forcing.win_by_force(field.board, 0, 2, field.work))
        assert field.board.state[1] == sum(word.bit_count() for word in position)
        if move >= 0:
            found += 1
            analysis = searcher.analyse(game.play(*position, move), nodes=2_000_000).here
            assert analysis.value in (LOSS, None)
            assert analysis.bounds.low < 0
    assert found > 30


@pytest.mark.parametrize("player", ["threats:0.05", "mcts:0.05", "routes:2", "easy"])
@pytest.mark.parametrize("name", ["lines:15,15,5", "lines:6,6,4"])
def test_nobody_misses_a_win_in_one_or_a_forced_block(name, player):
    if player.startswith("mcts") and name == "lines:15,15,5":
        pytest.skip("interpreted rules: too few random games in so short a time")
    game, rng, seen = load(name), Random(4), [0, 0]
    choose = player_maker(player)(Seat(game, 0, Random(1), 1.0))
    while min(seen) < 12:
        position = wandered(game, rng, rng.randrange(10, 30))
        mine, theirs = position
        wins = {move for move in legal_moves(game, position) if game.outcome(*game.play(*position, move)) == LOSS}
        blocks = {move for move in legal_moves(game, position) if game.outcome(*game.play(theirs, mine, move)) == LOSS}
        if wins:
            seen[0] += 1
            assert choose(position) in wins
        elif len(blocks) == 1:
            seen[1] += 1
            assert choose(position) in blocks


def test_a_search_that_is_stopped_leaves_the_board_as_it_was():
    game = load("lines:15,15,5")
    field = Field(game, "test")
    field.set_up(wandered(game, Random(5), 10))
    before = [array.copy() for array in field.board]
    with field.clock(0.05):
        begin = time.monotonic()
        field.score_after(112 if field.board.marks[112] == rows.EMPTY else 0, 30)
        assert field.stopped
        assert time.monotonic() - begin < 5
    assert all((a == b).all() for a, b in zip(before, field.board, strict=True))


def test_routes_counts_what_plain_minimax_counts():
    game = load("lines:4,4,3")
    field = Field(game, "test")
    masks = game.rows()

    def value(mine, theirs, depth):
        """The score for the side to move, straight from the definition."""
        if game.outcome(mine, theirs) == LOSS:
            return -rows_search.WON
        if not legal_moves(game, (mine, theirs)):
            return 0
        if depth == 0:
            weights = field.board.weights
            ours = sum(int(weights[(mine & m).bit_count()]) for m in masks if not theirs & m)
            return ours - sum(int(weights[(theirs & m).bit_count()]) for m in masks if not mine & m)
        return max(-value(*game.play(mine, theirs, move), depth - 1) for move in bit_numbers(game.moves(mine, theirs)))

    rng = Random(6)
    for _ in range(20):
        position = wandered(game, rng, rng.randrange(2, 9))
        field.set_up(position)
        for move in legal_moves(game, position):
            found, right = field.score_after(move, 3, clever=False), -value(*game.play(*position, move), 2)
            assert found == right or (abs(right) == rows_search.WON and abs(found) > rows_search.SURE)


def test_an_unknown_player_is_told(capsys):
    with pytest.raises(BadPlayer, match="write level:1 to level:10"):
        player_maker("level:11")
